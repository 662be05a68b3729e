"""The Unicode tables of Hugging Face's tokenizers, which are older than ours in places.

Each constant lists where they differ, as ranges of code points in hexadecimal. Letters, numbers and white space of its
regular expressions agree with the pinned `regex` package; its small letters and its numbers outside of regular
expressions are those of Unicode 17.

Source: measured over all code points with tokenizers 0.23.3. Its normalization forms know Unicode 11 (crate
unicode-normalization-alignments), its marks and punctuation Unicode 8 (crate unicode_categories).
"""

from __future__ import annotations

from functools import cache
from typing import Final

import regex
import unicodedata2

UNKNOWN_TO_NORMALIZATION: Final = (
    "7FD 897-89F 8CA-8D3 9FE C3C D3B-D3C EBA 1715 1ABF-1ADD 1AE0-1AEB 1DF6-1DFA 32FF A7F1-A7F4 A82C AB69 105C9 "
    "105D2 105DA 105E4 10781-10785 10787-107B0 107B2-107BA 10D24-10D27 10D69-10D6D 10EAB-10EAC 10EFA-10EFB "
    "10EFD-10EFF 10F46-10F50 10F82-10F85 11070 1133B 11382-11385 1138B 1138E 11390-11391 113C2 113C5 113C7-113C8 "
    "113CE-113D0 1145E 11839-1183A 11935 11938 1193D-1193E 11943 119E0 11A34 11A47 11A99 11D42 11D44-11D45 11D97 "
    "11F41-11F42 1611E 16121-16129 1612F 16D63 16D67-16D6A 16FF0-16FF1 1CCD6-1CCF9 1E030-1E06D 1E08F 1E130-1E136 "
    "1E2AE 1E2EC-1E2EF 1E4EC-1E4EF 1E5EE-1E5EF 1E6E3 1E6E6 1E6EE-1E6EF 1E6F5 1F16C 1FBF0-1FBF9"
)
"""Neither taken apart, nor composed, nor reordered."""

UNKNOWN_MN: Final = (
    "7FD 897-89F 8CA-8E1 9FE AFA-AFF B55 C04 C3C D00 D3B-D3C D81 EBA ECE 180F 1885-1886 1ABF-1ADD 1AE0-1AEB "
    "1DF6-1DFB A82C A8C5 A8FF A9BD 10D24-10D27 10D69-10D6D 10EAB-10EAC 10EFA-10EFF 10F46-10F50 10F82-10F85 11070 "
    "11073-11074 110C2 111C9 111CF 1123E 11241 1133B 113BB-113C0 113CE 113D0 113D2 113E1-113E2 11438-1143F "
    "11442-11444 11446 1145E 1182F-11837 11839-1183A 1193B-1193C 1193E 11943 119D4-119D7 119DA-119DB 119E0 "
    "11A01-11A0A 11A33-11A38 11A3B-11A3E 11A47 11A51-11A56 11A59-11A5B 11A8A-11A96 11A98-11A99 11B60 11B62-11B64 "
    "11B66 11C30-11C36 11C38-11C3D 11C3F 11C92-11CA7 11CAA-11CB0 11CB2-11CB3 11CB5-11CB6 11D31-11D36 11D3A "
    "11D3C-11D3D 11D3F-11D45 11D47 11D90-11D91 11D95 11D97 11EF3-11EF4 11F00-11F01 11F36-11F3A 11F40 11F42 11F5A "
    "13440 13447-13455 1611E-16129 1612D-1612F 16F4F 16FE4 1CF00-1CF2D 1CF30-1CF46 1E000-1E006 1E008-1E018 "
    "1E01B-1E021 1E023-1E024 1E026-1E02A 1E08F 1E130-1E136 1E2AE 1E2EC-1E2EF 1E4EC-1E4EF 1E5EE-1E5EF 1E6E3 1E6E6 "
    "1E6EE-1E6EF 1E6F5 1E944-1E94A"
)
"""Category Mn for us, not for BertNormalizer, which has two more: U+1734 and U+1171E."""

UNKNOWN_M: Final = (
    "7FD 897-89F 8CA-8D3 9FE AFA-AFF B55 C04 C3C CF3 D00 D3B-D3C D81 EBA ECE 1715 180F 1ABF-1ADD 1AE0-1AEB 1CF7 "
    "1DF6-1DFA A82C A8FF 10D24-10D27 10D69-10D6D 10EAB-10EAC 10EFA-10EFF 10F46-10F50 10F82-10F85 11070 "
    "11073-11074 110C2 11145-11146 111C9 111CE-111CF 11241 1133B 113B8-113C0 113C2 113C5 113C7-113CA 113CC-113D0 "
    "113D2 113E1-113E2 1145E 1182C-1183A 11930-11935 11937-11938 1193B-1193E 11940 11942-11943 119D1-119D7 "
    "119DA-119E0 119E4 11A01-11A0A 11A33-11A39 11A3B-11A3E 11A47 11A51-11A5B 11A8A-11A99 11B60-11B67 11D31-11D36 "
    "11D3A 11D3C-11D3D 11D3F-11D45 11D47 11D8A-11D8E 11D90-11D91 11D93-11D97 11EF3-11EF6 11F00-11F01 11F03 "
    "11F34-11F3A 11F3E-11F42 11F5A 13440 13447-13455 1611E-1612F 16F4F 16F7F-16F87 16FE4 16FF0-16FF1 1CF00-1CF2D "
    "1CF30-1CF46 1E08F 1E130-1E136 1E2AE 1E2EC-1E2EF 1E4EC-1E4EF 1E5EE-1E5EF 1E6E3 1E6E6 1E6EE-1E6EF 1E6F5"
)
"""Category M for us, not for StripAccents, which has two more: U+1CF2 and U+1CF3."""

UNKNOWN_P: Final = (
    "61D 9FD A76 C77 C84 1B4E-1B4F 1B7D-1B7F 2E43-2E4F 2E52-2E5D 10D6E 10EAD 10F55-10F59 10F86-10F89 113D4-113D5 "
    "113D7-113D8 1144B-1144F 1145A-1145B 1145D 11660-1166C 116B9 1183B 11944-11946 119E2 11A3F-11A46 11A9A-11A9C "
    "11A9E-11AA2 11B00-11B09 11BE1 11C41-11C45 11C70-11C71 11EF7-11EF8 11F43-11F4F 11FFF 12FF1-12FF2 16D6D-16D6F "
    "16E97-16E9A 16FE2 1E5FF 1E95E-1E95F"
)
"""Category P for us, not for BertPreTokenizer and Punctuation, which have two more: `ONLY_P`."""

IDEOGRAPHS: Final = "3400-4DBF 4E00-9FFF F900-FAFF 20000-2A6DF 2A700-2B81F 2B920-2CEAF 2F800-2FA1F"
"""What BertNormalizer sets apart; the gap before U+2B920 is theirs."""

CONTROLS_KEPT: Final = "890-891 8E2 110CD 13430-1343F"
"""Category Cf for us; BertNormalizer does not drop them."""

NEWER_DIGITS: Final = "11DE0-11DE9 16FF4-16FF6"
"""Category N of Unicode 17, which Digits knows and our `regex` does not."""


def in_class(ranges: str) -> str:
    r"""Write ranges as the inside of a class of a regular expression.

    >>> print(in_class("890-891 8E2"))
    \U00000890-\U00000891\U000008E2
    """
    return "".join("-".join(rf"\U{int(edge, 16):08X}" for edge in part.split("-")) for part in ranges.split())


ONLY_P: Final = "166D 111C9"
"""Category P for them, not for us."""

PUNCTUATION: Final = rf"(?:[{in_class(ONLY_P)}]|(?![{in_class(UNKNOWN_P)}])[\p{{P}}$+<=>^`|~])"
"""Finds one mark of punctuation as BertPreTokenizer and Punctuation see it; every ASCII symbol is one."""


@cache
def newer() -> regex.Pattern[str]:
    """Return what finds the code points that normalization does not know."""
    return regex.compile(f"([{in_class(UNKNOWN_TO_NORMALIZATION)}])")


@cache
def characters(ranges: str) -> frozenset[str]:
    """List the code points of some ranges."""
    edges = ([int(edge, 16) for edge in part.split("-")] for part in ranges.split())
    return frozenset(chr(point) for edge in edges for point in range(edge[0], edge[-1] + 1))


def is_mn(character: str) -> bool:
    """Say whether BertNormalizer drops a code point as an accent."""
    if character in "\u1734\U0001171e":
        return True
    return unicodedata2.category(character) == "Mn" and character not in characters(UNKNOWN_MN)


def is_m(character: str) -> bool:
    """Say whether StripAccents drops a code point."""
    if character in "\u1cf2\u1cf3":
        return True
    return unicodedata2.category(character)[0] == "M" and character not in characters(UNKNOWN_M)
