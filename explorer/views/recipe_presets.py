"""Ways of training that people know by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.views.recipe_form import Draft


@dataclass(frozen=True)
class Preset:
    """A way of training that people know by name: a sentence, and the fields it sets."""

    sentence: str
    fields: Mapping[str, Any]


_PLAIN: Mapping[str, Any] = {
    "algorithm": "bpe",
    "alphabet": "bytes",
    "end_of_word": "",
    "joined": False,
    "normalizers": (),
    "split": "gpt2",
    "tie": "lowest-id",
    "min_count": 1,
    "specials": (),
    "unknown": None,
}

PRESETS: Mapping[str, Preset] = {
    "GPT-2 style": Preset("BPE over bytes, inside words that keep their leading space. Radford et al. 2019.", _PLAIN),
    "Sennrich 2016": Preset(
        "BPE over characters, inside words that end in </w>; of equal pairs the first in the corpus. "
        "Sennrich et al. 2016, arXiv:1508.07909.",
        {**_PLAIN, "alphabet": "characters", "end_of_word": "</w>", "split": "whitespace", "tie": "first"},
    ),
    "Whole text, no words": Preset(
        "BPE over bytes without a split, so pieces may cross spaces; of equal pairs the first. As in minbpe's first "
        "lesson.",
        {**_PLAIN, "split": "whole", "tie": "first"},
    ),
    "BERT style": Preset(
        "WordPiece over small letters without accents, with BERT's split and special tokens. Devlin et al. 2019, "
        "arXiv:1810.04805.",
        {
            **_PLAIN,
            "algorithm": "wordpiece",
            "alphabet": "characters",
            "normalizers": ("lowercase", "strip_accents"),
            "split": "bert",
            "specials": ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
        },
    ),
}


def preset_of(draft: Draft) -> str | None:
    """Return the preset that a draft follows; None if it follows none.

    >>> preset_of(Draft()), preset_of(Draft(split="bert"))
    ('GPT-2 style', None)
    """
    fits = (
        name for name, preset in PRESETS.items() if all(getattr(draft, key) == preset.fields[key] for key in _PLAIN)
    )
    return next(fits, None)
