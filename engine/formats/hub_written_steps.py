"""Named normalizers and splits, as a `tokenizer.json` says them.

Source: huggingface/tokenizers 0.23, tokenizers/src/normalizers and pre_tokenizers. Its regular expressions are those of
Oniguruma, whose letters, marks, numbers, punctuation and white space are those of our `regex` package: compared over
all code points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import regex

from engine.alignment import Normalizer
from engine.formats import hub_normalizers
from engine.formats.sentencepiece_normalizer import Rewrite
from engine.normalizers import DROPPED, EXTRA_SPACES, LIKE_SPACES, NORMALIZERS, Form, lowercase, nmt, single_spaces
from engine.pre_tokenizers import DUMMY_PREFIX, DUMMY_PREFIX_WHOLE, GLASSLLM, PRE_TOKENIZERS, PreTokenizer

Json: TypeAlias = dict[str, Any]

_MARK = "▁"
_FORMS: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")
_CONTRACTION = r"'(?:[sS\u017FtTdDmM]|[rR][eE]|[vV][eE]|[lL][lL])"
_REWRITTEN = {
    r"'(?i:[sdmt]|ll|ve|re)": _CONTRACTION,  # Oniguruma folds whole words, as ß and ss
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)": f"(?:{_CONTRACTION})",
    r"\p{N}{1,3}+": r"(?>\p{N}{1,3})",  # there, + after a count is one more repeat
    r"\s++$": r"\s++(?!\S)",  # there, $ is the end of a line
}


def normalizers(given: Sequence[Normalizer]) -> list[Json]:
    """Return the steps that are exactly these normalizers.

    Raises:
        ValueError: One has no equal there.
    """
    return [step for each in given for step in _normalizer(each)]


def hub_form(form: Form) -> Normalizer:
    """Return a normalization form as Hugging Face's tokenizers know it, to train what can be saved for them exactly.

    It leaves the code points alone that came after Unicode 11.

    >>> from engine.alignment import AlignedText
    >>> hub_form("NFKC")(AlignedText.of("ﬁ ㋿")).text
    'fi ㋿'
    """
    return hub_normalizers.form(form)


def pre_tokenizers(split: PreTokenizer, byte_level: bool) -> tuple[list[Json], list[Json]]:
    """Return the steps that come before the split, as normalizers, and those that are exactly the split.

    Raises:
        ValueError: The split is none of the named ones, nor of such a file.
    """
    if split.steps is not None:
        return [], _as_its_file_says(split.steps, byte_level)
    if PRE_TOKENIZERS.get(split.name) != split:
        raise ValueError(
            f"a tokenizer.json is written for the named splits; the split {split.name!r} is a pattern or a function of "
            "its own, which the library of that file, with other rules for patterns, need not read as we do"
        )
    before: list[Json] = []
    match split.name:
        case "whole":
            steps: list[Json] = []
        case "gpt2" if byte_level:
            return [], [byte_step(use_regex=True)]
        case GLASSLLM.name:
            raise ValueError("a tokenizer.json cannot say that one special token decodes to ⁇ and others to nothing")
        case "metaspace":
            steps = [{"type": "Metaspace", "replacement": _MARK, "prepend_scheme": "always", "split": True}]
        case DUMMY_PREFIX.name | DUMMY_PREFIX_WHOLE.name:
            before = [replace({"String": " "}, _MARK), {"type": "Prepend", "prepend": _MARK}]
            steps = [cut({"String": _MARK}, "MergedWithNext")] if split == DUMMY_PREFIX else []
        case _:
            steps = [cut({"Regex": pattern(split)}, "Isolated" if split.keeps_spaces else "Removed")]
    return before, [*steps, byte_step(use_regex=False)] if byte_level else steps


def _as_its_file_says(steps: Sequence[Mapping[str, Any]], byte_level: bool) -> list[Json]:
    in_bytes = any(step["type"] == "ByteLevel" for step in steps)
    if in_bytes and not byte_level:
        raise ValueError("the split of this tokenizer turns text into bytes, but its model reads characters")
    missing = [byte_step(use_regex=False)] if byte_level and not in_bytes else []
    return [*map(dict, steps), *missing]


def pattern(split: PreTokenizer) -> str:
    """Return the pattern of a named split in the syntax of Oniguruma."""
    return _rewritten(split.pattern or "")


def _rewritten(written: str) -> str:
    for ours, theirs in _REWRITTEN.items():
        written = written.replace(ours, theirs)
    return regex.sub(r"\\u([0-9A-F]{4})|\\U([0-9A-F]{8})", lambda found: chr(int(found[1] or found[2], 16)), written)


def cut(given: Json, behavior: str) -> Json:
    """Return a split at the matches of a pattern; "Removed" drops what lies between them."""
    return {"type": "Split", "pattern": given, "behavior": behavior, "invert": behavior == "Removed"}


def replace(given: Json, content: str) -> Json:
    """Return the replacement of the matches of a pattern."""
    return {"type": "Replace", "pattern": given, "content": content}


def byte_step(use_regex: bool) -> Json:
    """Return the step that writes bytes as printable characters, and splits as GPT-2 does if asked to."""
    return {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": use_regex}


def sequence(steps: list[Json], key: str) -> Json | None:
    """Return steps as one: nothing, the step, or a sequence of them."""
    if len(steps) < 2:
        return steps[0] if steps else None
    return {"type": "Sequence", key: steps}


def _replaced(found: regex.Pattern[str], content: str) -> Json:
    return replace({"Regex": _rewritten(found.pattern)}, content)


def _normalizer(given: Normalizer) -> list[Json]:
    if isinstance(given, hub_normalizers.Said):
        return [dict(given.step)]
    if isinstance(given, Rewrite):
        return _of_sentencepiece(given)
    if given is lowercase:
        return [{"type": "Lowercase"}]
    if given is nmt:
        return [_replaced(DROPPED, ""), _replaced(LIKE_SPACES, " ")]
    if given is single_spaces:
        return [_replaced(EXTRA_SPACES, "")]
    for form in _FORMS:
        if given is hub_normalizers.form(form):
            return [{"type": form}]
        if given is NORMALIZERS[form.lower()]:
            raise ValueError(
                f"a tokenizer.json cannot say {form.lower()} exactly: the {form} of its library knows Unicode 11, ours "
                f"Unicode 17, and they differ in marks and letters that came between, as in U+1DFA. Train with "
                f'normalizers=[engine.hub_form("{form}")] to have theirs'
            )
    if given is NORMALIZERS["strip_accents"]:
        raise ValueError(
            "a tokenizer.json cannot say strip_accents: it drops category Mn of Unicode 17; StripAccents there drops "
            "all of category M, and BertNormalizer the Mn of Unicode 8"
        )
    raise ValueError(f"a tokenizer.json cannot say this normalizer: {given!r}")


def _of_sentencepiece(given: Rewrite) -> list[Json]:
    if given.rules is not None or given.kept or given.remove_extra:
        raise ValueError(
            "a tokenizer.json rewrites each cluster of characters by the first rule that fits it; SentencePiece takes "
            "the longest rule at each place, and drops extra spaces after that, so the ids would differ"
        )
    marked = replace({"String": " "}, _MARK)
    return [{"type": "Prepend", "prepend": _MARK}, marked] if given.dummy_prefix else [marked]
