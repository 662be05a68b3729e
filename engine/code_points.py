"""What Unicode says of one code point: number, name, general category, script, and its code units."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, NamedTuple

import regex
import unicodedata2

# Source: Unicode 17, NameAliases.txt, the first alias of type control (figment for U+0080, U+0081 and U+0099).
_CONTROLS: Final = (
    "NULL,START OF HEADING,START OF TEXT,END OF TEXT,END OF TRANSMISSION,ENQUIRY,ACKNOWLEDGE,ALERT,BACKSPACE,"
    "CHARACTER TABULATION,LINE FEED,LINE TABULATION,FORM FEED,CARRIAGE RETURN,SHIFT OUT,SHIFT IN,DATA LINK ESCAPE,"
    "DEVICE CONTROL ONE,DEVICE CONTROL TWO,DEVICE CONTROL THREE,DEVICE CONTROL FOUR,NEGATIVE ACKNOWLEDGE,"
    "SYNCHRONOUS IDLE,END OF TRANSMISSION BLOCK,CANCEL,END OF MEDIUM,SUBSTITUTE,ESCAPE,INFORMATION SEPARATOR FOUR,"
    "INFORMATION SEPARATOR THREE,INFORMATION SEPARATOR TWO,INFORMATION SEPARATOR ONE"
)
_CONTROLS_FROM_7F: Final = (
    "DELETE,PADDING CHARACTER,HIGH OCTET PRESET,BREAK PERMITTED HERE,NO BREAK HERE,INDEX,NEXT LINE,"
    "START OF SELECTED AREA,END OF SELECTED AREA,CHARACTER TABULATION SET,CHARACTER TABULATION WITH JUSTIFICATION,"
    "LINE TABULATION SET,PARTIAL LINE FORWARD,PARTIAL LINE BACKWARD,REVERSE LINE FEED,SINGLE SHIFT TWO,"
    "SINGLE SHIFT THREE,DEVICE CONTROL STRING,PRIVATE USE ONE,PRIVATE USE TWO,SET TRANSMIT STATE,CANCEL CHARACTER,"
    "MESSAGE WAITING,START OF GUARDED AREA,END OF GUARDED AREA,START OF STRING,SINGLE GRAPHIC CHARACTER INTRODUCER,"
    "SINGLE CHARACTER INTRODUCER,CONTROL SEQUENCE INTRODUCER,STRING TERMINATOR,OPERATING SYSTEM COMMAND,"
    "PRIVACY MESSAGE,APPLICATION PROGRAM COMMAND"
)
CONTROL_NAMES: Final = dict(enumerate(_CONTROLS.split(","))) | dict(enumerate(_CONTROLS_FROM_7F.split(","), start=0x7F))

# Source: Unicode 16, PropertyValueAliases.txt, sc; in the order in which texts are likely to hold them.
_SCRIPT_NAMES: Final = (
    "Common Latin Inherited Cyrillic Han Arabic Devanagari Hiragana Katakana Hangul Greek Hebrew Thai Bengali Tamil "
    "Telugu Kannada Malayalam Gujarati Gurmukhi Oriya Sinhala Myanmar Khmer Lao Tibetan Georgian Armenian Ethiopic "
    "Mongolian Adlam Ahom Anatolian_Hieroglyphs Avestan Balinese Bamum Bassa_Vah Batak Bhaiksuki Bopomofo Brahmi "
    "Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Coptic "
    "Cuneiform Cypriot Cypro_Minoan Deseret Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Garay "
    "Glagolitic Gothic Grantha Gunjala_Gondi Gurung_Khema Hanifi_Rohingya Hanunoo Hatran Imperial_Aramaic "
    "Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khojki "
    "Khudawadi Kirat_Rai Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Mandaic Manichaean "
    "Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mro "
    "Multani Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki "
    "Ol_Onal Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian "
    "Old_Turkic Old_Uyghur Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi "
    "Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sogdian Sora_Sompeng Soyombo Sundanese "
    "Sunuwar Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tangsa Tangut Thaana Tifinagh "
    "Tirhuta Todhri Toto Tulu_Tigalari Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square"
)
SCRIPTS: Final = tuple(_SCRIPT_NAMES.split())


class CodePoint(NamedTuple):
    """What Unicode says of one code point.

    Attributes:
        point: Its number.
        name: Its name in Unicode 17; the alias of a control, or a label such as <private-use-E000>.
        category: Its general category in Unicode 17, two letters: Lu is a capital letter.
        script: Its script in Unicode 16; "Unknown" for what is newer or not assigned.
    """

    point: int
    name: str
    category: str
    script: str

    @property
    def char(self) -> str:
        """The code point as text."""
        return chr(self.point)

    @property
    def number(self) -> str:
        """The number as Unicode writes it: U+0041."""
        return f"U+{self.point:04X}"

    @property
    def utf8(self) -> bytes:
        """The 1 to 4 bytes of its UTF-8 form."""
        return self.char.encode()

    @property
    def utf16(self) -> tuple[int, ...]:
        """Its UTF-16 form: one unit, or a high and a low surrogate from U+10000 up.

        Source: Unicode 17, section 3.9, table 3-5.

        >>> [f"{unit:X}" for unit in code_point("🙂").utf16]
        ['D83D', 'DE42']
        """
        if self.point < 0x10000:
            return (self.point,)
        high, low = divmod(self.point - 0x10000, 0x400)
        return (0xD800 + high, 0xDC00 + low)


@lru_cache(maxsize=1 << 16)
def code_point(char: str) -> CodePoint:
    """Return what Unicode says of one code point.

    Raises:
        TypeError: The text is not one code point.

    >>> code_point("é")
    CodePoint(point=233, name='LATIN SMALL LETTER E WITH ACUTE', category='Ll', script='Latin')
    """
    category = str(unicodedata2.category(char))
    return CodePoint(ord(char), str(unicodedata2.name(char, "")) or _label(ord(char), category), category, script(char))


def script(char: str) -> str:
    """Return the script of one code point; "Common" for what many share, "Inherited" for marks.

    Source: UAX 24, property Script.

    >>> script("世"), script("к"), script("!")
    ('Han', 'Cyrillic', 'Common')
    """
    found = _any_script().match(char)
    return SCRIPTS[found.lastindex - 1].replace("_", " ") if found and found.lastindex else "Unknown"


@cache
def _any_script() -> regex.Pattern[str]:
    return regex.compile("|".join(rf"(\p{{Script={name}}})" for name in SCRIPTS))


def _label(point: int, category: str) -> str:
    """Name a code point that has no name of its own.

    Source: Unicode 17, section 4.8, rule NR2 (Tangut) and code point labels.
    """
    match category:
        case "Cc":
            return CONTROL_NAMES[point]
        case "Co":
            return f"<private-use-{point:04X}>"
        case "Cs":
            return f"<surrogate-{point:04X}>"
        case "Lo":
            return f"TANGUT IDEOGRAPH-{point:04X}"
    noncharacter = 0xFDD0 <= point <= 0xFDEF or point & 0xFFFE == 0xFFFE
    return f"<{'noncharacter' if noncharacter else 'reserved'}-{point:04X}>"
