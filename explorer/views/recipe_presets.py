"""Ways of training that people know by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.decoders import GLASSLLM_SPECIALS
from explorer.views.recipe_form import Draft


@dataclass(frozen=True)
class Preset:
    """A way of training that people know by name.

    Attributes:
        sentence: What it is and where it comes from.
        fields: What of a draft it sets.
        back: Whether every text comes back from its ids, and if not, what is lost.
    """

    sentence: str
    fields: Mapping[str, Any]
    back: str


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
    "fallback": False,
}
_SENTENCEPIECE: Mapping[str, Any] = {
    **_PLAIN,
    "alphabet": "characters",
    "normalizers": ("nmt", "nfkc", "single_spaces"),
    "split": "dummy-prefix",
    "specials": ("<unk>", "<s>", "</s>"),
    "fallback": True,
    "stop": "size",
}

_LOSSLESS = "Lossless: every text comes back byte for byte."
_REWRITTEN = (
    "Not lossless: compatibility forms are rewritten, white space comes back as single spaces, and a literal ▁ as one."
)

PRESETS: Mapping[str, Preset] = {
    "GPT-2 style": Preset(
        "BPE over bytes, inside words that keep their leading space. Radford et al. 2019.", _PLAIN, _LOSSLESS
    ),
    "Sennrich 2016": Preset(
        "BPE over characters, inside words that end in </w>; of equal pairs the first in the corpus. "
        "Sennrich et al. 2016, arXiv:1508.07909.",
        {**_PLAIN, "alphabet": "characters", "end_of_word": "</w>", "split": "whitespace", "tie": "first"},
        "Not lossless: white space comes back as single spaces, a character that the corpus lacks as <unk>.",
    ),
    "Whole text, no words": Preset(
        "BPE over bytes without a split, so pieces may cross spaces; of equal pairs the first. As in minbpe's first "
        "lesson.",
        {**_PLAIN, "split": "whole", "tie": "first"},
        _LOSSLESS,
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
        "Not lossless: capitals, accents and most white space are gone, and a word with a new character is [UNK].",
    ),
    "SentencePiece (Unigram)": Preset(
        "Unigram over words that begin with ▁; white space and compatibility forms are made one, and unknown "
        "characters are written in bytes. Kudo 2018, arXiv:1804.10959; Kudo and Richardson 2018, arXiv:1808.06226.",
        {**_SENTENCEPIECE, "algorithm": "unigram"},
        _REWRITTEN,
    ),
    "SentencePiece (BPE)": Preset(
        "BPE over characters, with the same rules; as in Llama 2 and Mistral 7B. Kudo and Richardson 2018, "
        "arXiv:1808.06226.",
        _SENTENCEPIECE,
        _REWRITTEN,
    ),
    "CLIP style": Preset(
        "BPE over bytes in small letters, with </w> fused to the last byte of each word. Radford et al. 2021, "
        "arXiv:2103.00020; openai/CLIP, simple_tokenizer.py.",
        {
            **_PLAIN,
            "end_of_word": "</w>",
            "joined": True,
            "normalizers": ("nfc", "lowercase"),
            "split": "clip",
            "specials": ("<|startoftext|>", "<|endoftext|>"),
        },
        "Not lossless: capitals are gone, and white space comes back as single spaces.",
    ),
    "GlassLLM": Preset(
        "BPE over characters inside words that keep the space before them as ▁; of equal pairs the first in the "
        "alphabet. As in the teaching tokenizer GlassLLM.",
        {
            **_PLAIN,
            "alphabet": "characters",
            "normalizers": ("nfc",),
            "split": "glassllm",
            "tie": "smallest",
            "specials": GLASSLLM_SPECIALS,
            "stop": "size",
        },
        "Not lossless: a literal ▁ comes back as a space, what is unknown as ⁇, and NFC composes letters.",
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
