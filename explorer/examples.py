"""Texts to begin with, in many scripts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

FIRST: Final = "Five scripts"
CHAT: Final = "Chat"

_FIVE_SCRIPTS = (
    "The café opens at 08:30 — its unhappiness isn’t included.\n"
    "المدرسة في المدينة الكبيرة\n"
    "क्षत्रिय हिन्दी में लिखा है\n"
    "机器是怎样阅读文字的？\n"
    "👩🏽‍🚀 🇧🇷 👍🏽\tdone"
)
_ENGLISH = (
    "Tokenization is the first step in any language pipeline: unbelievable words become un, believ and able.\n"
    "In 1851 a whale cost $1,234.50; pi is 3.14159, and it's still 7 or 77 or 777777 years old."
)
_ARABIC = "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق،\nوقد وُهبوا عقلًا وضميرًا في ٣٠ مادة."
_HINDI = "सभी मनुष्यों को गौरव और अधिकारों के मामले में\nजन्मजात स्वतन्त्रता और समानता प्राप्त है।"
_CHINESE = "人人生而自由，在尊严和权利上一律平等。\n他们赋有理性和良心，并应以兄弟关系的精神相对待。"
_JAPANESE = "すべての人間は、生れながらにして自由であり、\nかつ、尊厳と権利とについて平等である。"
_KOREAN = "모든 인간은 태어날 때부터 자유로우며\n그 존엄과 권리에 있어 동등하다."
_RUSSIAN = "Все люди рождаются свободными и равными\nв своем достоинстве и правах."
_THAI = "มนุษย์ทั้งปวงเกิดมามีอิสระ\nและเสมอภาคกันในศักดิ์ศรีและสิทธิ"
_EMOJI = "🙂 👍🏽 👩🏽‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 🇧🇷🇯🇵 ❤️ ☎︎ 1️⃣\nOne person may be seven code points: 👩🏽‍❤️‍💋‍👨🏿"
_PYTHON = (
    "def count_pairs(ids):\n"
    '    """Count neighbors."""\n'
    "    pairs = {}\n"
    "    for pair in zip(ids, ids[1:]):\n"
    "        pairs[pair] = pairs.get(pair, 0) + 1\n"
    "    return pairs  # O(n)\n"
)
_SPACES = "one two  three   four\tfive\n\nno\u00a0break  line\r\nzero\u200bwidth \u3000wide   \n   end  "
_ACCENTS = "café cafe\u0301 · Việt Vie\u0323\u0302t · ﬁne fine · Ａ Å Å · STRASSE straße · İstanbul"
_CHAT = (
    "<|im_start|>system\nAnswer in one word.<|im_end|>\n"
    "<|im_start|>user\nWhat is the capital of Portugal?<|im_end|>\n"
    "<|im_start|>assistant\nLisbon<|im_end|><|endoftext|>"
)

EXAMPLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        FIRST: _FIVE_SCRIPTS,
        "English": _ENGLISH,
        "العربية": _ARABIC,
        "हिन्दी": _HINDI,
        "中文": _CHINESE,
        "日本語": _JAPANESE,
        "한국어": _KOREAN,
        "Русский": _RUSSIAN,
        "ไทย": _THAI,
        "Emoji": _EMOJI,
        "Python": _PYTHON,
        "Spaces": _SPACES,
        "Accents": _ACCENTS,
        CHAT: _CHAT,
    }
)
"""What a button says -> the text."""


def example_of(text: str) -> str | None:
    """Return which example a text is, or None.

    >>> example_of(EXAMPLES["Emoji"]), example_of("")
    ('Emoji', None)
    """
    return next((name for name, example in EXAMPLES.items() if example == text), None)
