"""Texts to begin with, in many scripts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_FIVE_SCRIPTS = (
    "The café opens at 08:30 — its unhappiness isn’t included.\n"
    "المدرسة في المدينة الكبيرة\n"
    "क्षत्रिय हिन्दी में लिखा है\n"
    "机器是怎样阅读文字的？\n"
    "👩🏽‍🚀 🇧🇷 👍🏽\tdone"
)

EXAMPLES: Final[Mapping[str, str]] = MappingProxyType({"Five scripts": _FIVE_SCRIPTS})
"""What a button says -> the text."""

FIRST: Final = "Five scripts"
