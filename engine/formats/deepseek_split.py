r"""The three splits of DeepSeek's `tokenizer.json`, one inside the other, as one regular expression.

The first two keep numbers and Chinese or Japanese apart, so that each part is all of such code points or of none; the
third cuts each part as if there were no other text. Hence its alternatives are here for both, each with its own code
points, and what follows white space may also be the end of a part. What the third one does not match stays together.

>>> [text[a:b] for text in ["It's 2024年の(file).txt"] for a, b in DEEPSEEK(text)]
['It', "'s", ' ', '202', '4', '年の', '(file', ').', 'txt']
"""

from __future__ import annotations

from typing import Any, Final

import regex

from engine.pre_tokenizers import Tiles

_PATTERNS: Final = (
    r"\p{N}{1,3}",
    "[一-龥\u3040-ゟ゠-ヿ]+",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
)
DEEPSEEK_STEPS: Final[list[dict[str, Any]]] = [
    {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False} for pattern in _PATTERNS
]
"""What the file says. Source: deepseek-ai/DeepSeek-V3, tokenizer.json."""

_CJK = r"一-龥\u3040-ヿ"
_LETTER, _SIGN = rf"[[\p{{L}}\p{{M}}]--[{_CJK}]]", rf"[[\p{{P}}\p{{S}}]--[{_CJK}]]"
_CJK_LETTER, _CJK_SIGN = rf"[[\p{{L}}\p{{M}}]&&[{_CJK}]]", rf"[[\p{{P}}\p{{S}}]&&[{_CJK}]]"
_PATTERN: Final = regex.compile(
    r"(?V1)\p{N}{1,3}|[!-/:-~--[A-Za-z]][A-Za-z]+"
    rf"|[^\r\n\p{{L}}\p{{P}}\p{{S}}\p{{N}}{_CJK}]?{_LETTER}+| ?{_SIGN}+[\r\n]*"
    rf"|\s*[\r\n]+|\s+(?![^\s\p{{N}}{_CJK}])|\s+"
    rf"|(?:[^\s\p{{L}}\p{{M}}\p{{P}}\p{{S}}\p{{N}}{_CJK}](?!{_LETTER}))+"
    rf"|[\u3040\u3097-\u309A]?{_CJK_LETTER}+|{_CJK_SIGN}+|(?:[\u3040\u3097\u3098](?!{_CJK_LETTER}))+"
)


DEEPSEEK: Final = Tiles(_PATTERN)
"""Cuts a text as the three do."""
