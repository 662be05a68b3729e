"""GPT-2's two files: `vocab.json` has the ids, `merges.txt` the merges in order.

Source: openai/gpt-2, src/encoder.py; openai/CLIP, clip/simple_tokenizer.py, for the mark of a word's end.
"""

from __future__ import annotations

import json
from typing import Any

from engine.formats import hub_written_models, hub_written_steps, tokenizer_json
from engine.formats.hub_splits import CLIP_STEP
from engine.formats.source import Source
from engine.models.bpe import BPE
from engine.pre_tokenizers import PRE_TOKENIZERS
from engine.tokenizer import Tokenizer

_CLIP: dict[str, Any] = {
    "normalizer": {
        "type": "Sequence",
        "normalizers": [
            {"type": "NFC"},
            {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
            {"type": "Lowercase"},
        ],
    },
    "pre_tokenizer": {
        "type": "Sequence",
        "pretokenizers": [
            CLIP_STEP,
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        ],
    },
}
_GPT2: dict[str, Any] = {
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
}


def read(vocab: Source, merges: Source) -> Tokenizer:
    """Read both files; pieces that end in `</w>` tell CLIP's pipeline from GPT-2's.

    Raises:
        ValueError: One of the files is broken, or they do not fit together.
    """
    ids = vocab.json
    if not isinstance(ids, dict):
        raise vocab.error("here an object of pieces and ids must stand")
    pairs = _merges(merges)
    clip = any(right.endswith("</w>") for _, right in pairs)
    specials = [text for text in ids if text.startswith("<|") and text.endswith("|>")]
    file = {
        **(_CLIP if clip else _GPT2),
        "added_tokens": [{"content": text, "id": ids[text], "special": True, "normalized": False} for text in specials],
        "model": {"type": "BPE", "vocab": ids, "merges": pairs, "end_of_word_suffix": "</w>" if clip else None},
    }
    return tokenizer_json.read_parsed(vocab, file)


def write(tokenizer: Tokenizer) -> tuple[bytes, bytes]:
    """Write vocab.json and merges.txt; which tokens are special has no place in them.

    Raises:
        ValueError: The tokenizer is no BPE over all bytes with the pipeline of GPT-2 or CLIP, or two ids would have one
            name.
    """
    model = tokenizer.model
    if not isinstance(model, BPE) or not model.alphabet.complete or model.alphabet.kind != "bytes":
        raise ValueError("vocab.json and merges.txt are written for BPE over all 256 bytes; this tokenizer is none")
    if tokenizer.added:
        raise ValueError("vocab.json and merges.txt have no place for tokens that are read in every text")
    clip = tokenizer.pre_tokenizer.steps == _CLIP["pre_tokenizer"]["pretokenizers"]
    if clip and model.alphabet.end_of_word == "</w>":
        if hub_written_steps.normalizers(tokenizer.normalizers) != _CLIP["normalizer"]["normalizers"]:
            raise ValueError("vocab.json and merges.txt with CLIP's split go with its normalizers; these are others")
    elif tokenizer.normalizers or tokenizer.pre_tokenizer != PRE_TOKENIZERS["gpt2"]:
        raise ValueError(
            "vocab.json and merges.txt go with the split gpt2 and no normalizers, or with CLIP's pipeline; this "
            "tokenizer has others"
        )
    elif model.alphabet.end_of_word:
        raise ValueError("vocab.json and merges.txt with a mark of a word's end go with CLIP's split; this one is gpt2")
    written = hub_written_models.bpe(model).model
    pairs: list[list[str]] = written["merges"]
    if not clip and any(right.endswith("</w>") for _, right in pairs):
        raise ValueError("a piece ends in the text </w>, which readers of these files take for the end of a word")
    lines = ["#version: 0.2", *(" ".join(pair) for pair in pairs)]
    return json.dumps(written["vocab"], ensure_ascii=False).encode(), "".join(f"{line}\n" for line in lines).encode()


def _merges(source: Source) -> list[list[str]]:
    pairs: list[list[str]] = []
    for number, line in enumerate(source.text.split("\n"), 1):
        parts = line.removesuffix("\r").split(" ")
        if not line.strip() or (number == 1 and line.startswith("#version")):
            continue
        if len(parts) != 2:
            raise source.error(f"a line must be two pieces with a space between; got {line[:80]!r}", f"line {number}")
        pairs.append(parts)
    return pairs
