"""Whether a text comes back from its ids, and if not, where and why."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

import engine
from engine.alignment import AlignedText
from engine.encoding import UNKNOWN_ID

Why: TypeAlias = Literal["unknown", "case", "normalization", "spaces", "other"]


class Loss(NamedTuple):
    """One thing that was lost on the way.

    Attributes:
        why: What kind of loss it is.
        at: The first byte of the original text that it touches.
        characters: How many became unknown; 0 where nothing is counted.
        what: The unknown token's text, or the name of the rule that rewrote.
    """

    why: Why
    at: int
    characters: int = 0
    what: str = ""


def losses(encoding: engine.Encoding, tokenizer: engine.Tokenizer) -> list[Loss]:
    r"""List what keeps the ids of a text from decoding to the same text; empty where they do.

    >>> tokenizer = engine.train("low lower", pre_tokenizer="whitespace", normalizers=["lowercase"]).tokenizer
    >>> [(loss.why, loss.at) for loss in losses(tokenizer.encode("a Low\tlow"), tokenizer)]
    [('case', 2), ('spaces', 1)]
    """
    back = tokenizer.decode(encoding.ids)
    if back == encoding.text:
        return []
    found = [*_unknown(encoding, tokenizer), *_rewritten(encoding.text, tokenizer), *_spaces(encoding, tokenizer)]
    return found or [Loss("other", _first_difference(encoding.text, back))]


def _unknown(encoding: engine.Encoding, tokenizer: engine.Tokenizer) -> list[Loss]:
    missing = UNKNOWN_ID if tokenizer.model.unknown is None else tokenizer.model.unknown
    at = np.flatnonzero(encoding.ids == missing)
    if not len(at):
        return []
    raw = encoding.text.encode()
    spans = np.unique(encoding.spans[at], axis=0).tolist()
    characters = sum(len(raw[start:stop].decode("utf-8", "replace")) for start, stop in spans)
    what = "<unk>" if missing == UNKNOWN_ID else tokenizer.vocabulary[missing].decode("utf-8", "replace")
    return [Loss("unknown", spans[0][0], characters, what)]


def _rewritten(text: str, tokenizer: engine.Tokenizer) -> list[Loss]:
    found: list[Loss] = []
    aligned = AlignedText.of(text)
    for rule in tokenizer.normalizers:
        after = rule(aligned)
        if after.text != aligned.text:
            at = _first_difference(aligned.text, after.text)
            source = aligned.sources(np.array([[at, at + 1]])) if at < len(aligned.text.encode()) else None
            start = len(text.encode()) if source is None else int(source[0, 0])
            name = getattr(rule, "__name__", "normalization")
            found.append(Loss("case" if name == "lowercase" else "normalization", start, what=name))
        aligned = after
    return found


def _spaces(encoding: engine.Encoding, tokenizer: engine.Tokenizer) -> list[Loss]:
    """Find the first place where decoding sets other white space between words than stood there."""
    raw = encoding.text.encode()
    if tokenizer.pre_tokenizer.keeps_spaces:
        back = tokenizer.decode(encoding.ids)
        same = "".join(back.split()) == "".join(encoding.text.split())
        return [Loss("spaces", _first_difference(encoding.text, back))] if same else []
    between = _between_words(encoding, tokenizer)
    words = encoding.pre_tokens.tolist()
    edges = [(0, words[0][0]), (words[-1][1], len(raw))] if words else [(0, len(raw))]
    wrong = [start for start, stop in edges if start < stop]
    for (_, stop), (start, _) in pairwise(words):
        if raw[stop:start] != between and start >= stop:
            wrong.append(stop)
            break
    return [Loss("spaces", min(wrong))] if wrong else []


def _between_words(encoding: engine.Encoding, tokenizer: engine.Tokenizer) -> bytes:
    """Tell what decoding sets between two words, by decoding the first two together and apart."""
    first, second = encoding.ids[encoding.words == 0], encoding.ids[encoding.words == 1]
    left, right = tokenizer.decode_bytes(first), tokenizer.decode_bytes(second)
    both = tokenizer.decode_bytes(np.concatenate([first, second]))
    return both[len(left) : len(both) - len(right)]


def _first_difference(left: str, right: str) -> int:
    """Return the offset, in UTF-8 bytes of `left`, of the first code point that `right` has not."""
    shorter = min(len(left), len(right))
    at = next((i for i in range(shorter) if left[i] != right[i]), shorter)
    return len(left[:at].encode())
