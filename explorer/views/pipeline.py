"""What the pipeline draws: the normalized text, the pre-tokens, and one of them on its way to tokens."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

import engine
from engine.models.unigram import Unigram
from explorer import words
from explorer.views.lattice import at_byte, stretches
from explorer.views.strip import entries

SHOWN = 12
"""Pre-tokens that are in view before the reader asks for more."""

_SENT = 200
_LONGEST_WORD = 400
_LONGEST_NARROWED = 4000
_LONGEST_LABEL = 48
_LONGEST_NORMALIZED = 600


def pipeline(
    encoding: engine.Encoding,
    tokenizer: engine.Tokenizer,
    name: str,
    *,
    at: int | None = None,
    large: bool = False,
    notation: str = "text",
    card: str = "",
) -> dict[str, object]:
    """Turn a text and its tokenizer into the data of `components.pipeline`.

    Args:
        encoding: The text as the tokenizer reads it.
        tokenizer: Whose way is shown.
        name: What the tokenizer is called.
        at: A byte of the original text: the pre-token over it is shown. None: the longest of those in view.
        large: For a projector.
        notation: Pieces as "text", or as "bytes" in the letters of byte-level vocabularies.
        card: The address of the tokens' cards, to which an id is added; "" for none.
    """
    parts = _pre_tokens(encoding, tokenizer)
    chosen = choose(parts, at)
    first = max(0, min(chosen - _SENT // 2, len(parts) - _SENT))
    sent = parts[first : first + _SENT]
    return {
        "title": words.way_title(name),
        "normalized": _normalized(encoding, tokenizer, name),
        "pre_tokens": [{"text": _shortened(part.text), "at": part.span.start} for part in sent],
        "split": words.split_note(tokenizer.pre_tokenizer.name, len(parts)),
        "before": first,
        "after": len(parts) - first - len(sent),
        "chosen": chosen - first,
        "shown": SHOWN,
        "way": _way(_narrowed(parts[chosen], encoding, tokenizer, at), tokenizer) if parts else None,
        "large": large,
        "notation": notation,
        "card": card,
    }


def choose(parts: Sequence[engine.Explanation], at: int | None) -> int:
    """Return which pre-token is shown: the last that begins at byte `at` or before, or the longest in view.

    Length is measured in code points; of equally long ones the first is taken.
    """
    if at is None:
        view = range(min(SHOWN, len(parts)))
        return max(view, key=lambda i: (len(parts[i].text), -i), default=0)
    return max(0, bisect_right(parts, at, key=lambda part: part.span.start) - 1)


@dataclass(frozen=True)
class _Unchanged(Sequence[engine.Explanation]):
    """The pre-tokens of a text that was not rewritten: each is made when it is looked at."""

    raw: bytes
    spans: NDArray[np.int64]
    model: engine.Model

    def __len__(self) -> int:
        return len(self.spans)

    @overload
    def __getitem__(self, i: int) -> engine.Explanation: ...
    @overload
    def __getitem__(self, i: slice) -> list[engine.Explanation]: ...
    def __getitem__(self, i: int | slice) -> engine.Explanation | list[engine.Explanation]:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        start, stop = self.spans[i].tolist()
        return engine.Explanation(self.raw[start:stop].decode(), engine.Span(start, stop), self.model)


def _pre_tokens(encoding: engine.Encoding, tokenizer: engine.Tokenizer) -> Sequence[engine.Explanation]:
    """List the pre-tokens; special tokens that were found in the text are none, and part what lies around them."""
    raw = encoding.text.encode()
    if encoding.normalized == encoding.text:
        return _Unchanged(raw, encoding.pre_tokens, tokenizer.model)
    found = encoding.spans[encoding.words < 0].ravel().tolist()
    edges = [0, *found, len(raw)]
    return [
        engine.Explanation(part.text, engine.Span(part.span.start + start, part.span.stop + start), part.model)
        for start, stop in zip(edges[::2], edges[1::2], strict=True)
        for part in tokenizer.explain(raw[start:stop].decode())
    ]


def _normalized(encoding: engine.Encoding, tokenizer: engine.Tokenizer, name: str) -> dict[str, object]:
    rules = [getattr(rule, "__name__", "rules of its own") for rule in tokenizer.normalizers]
    if tokenizer.pre_tokenizer.prepare:
        rules.append(tokenizer.pre_tokenizer.name)
    changed = encoding.normalized != encoding.text
    text = encoding.normalized[:_LONGEST_NORMALIZED] if changed else ""
    more = len(encoding.normalized) - len(text) if changed else 0
    return {"note": words.normalized_note(name, rules, changed), "text": text, "more": words.more_characters(more)}


def _narrowed(
    part: engine.Explanation, encoding: engine.Encoding, tokenizer: engine.Tokenizer, at: int | None
) -> engine.Explanation:
    """Return the stretch of a unigram pre-token, often a whole text, that every path enters and leaves.

    The path through it is the same whatever stands around it.
    """
    span = part.span
    if not isinstance(part.model, Unigram) or span.stop - span.start > _LONGEST_NARROWED:
        return part
    parts = stretches(tokenizer, encoding.text.encode()[span.start : span.stop].decode())
    if not parts:
        return part
    if at is None:
        found = max(range(min(SHOWN, len(parts))), key=lambda i: (len(parts[i].text), -i))
    else:
        found = at_byte(parts, at - span.start)
    source = parts[found].source
    moved = engine.Span(source.start + span.start, source.stop + span.start)
    return engine.Explanation(parts[found].text, moved, part.model)


def _way(part: engine.Explanation, tokenizer: engine.Tokenizer) -> dict[str, object]:
    """Describe every state of a pre-token: labels, and which piece stops where."""
    model = tokenizer.model
    kind = _kind(model)
    word = part.text.encode()
    way: dict[str, object] = {"name": words.WAYS[kind], "word": word.hex(), "limit": "", "entries": [], "rows": []}
    if len(word) > _LONGEST_WORD:
        return way | {"limit": words.too_long_to_draw(len(word), _LONGEST_WORD)}
    states = part.states
    symbols = set(states[0].cut.ids) if kind == "merges" else set()
    ids = sorted({id for state in states for id in state.cut.ids})
    place = {id: i for i, id in enumerate(ids)}
    known = entries(tokenizer, ids)
    for id, entry in zip(ids, known, strict=True):
        if id in symbols and entry["kind"] == "token":
            entry["slot"] = -1  # color is earned by a merge
    unit = model.alphabet.kind if isinstance(model, engine.BPE) else ""
    scores = model.scores if isinstance(model, Unigram) else None
    rows = [
        {
            "label": words.state_label(
                kind,
                unit,
                number,
                state.rank,
                state.applied == model.unknown,
                None if scores is None or state.applied is None else scores[state.applied],
            ),
            "entry": [place[id] for id in state.cut.ids],
            "stops": list(state.cut.stops),
        }
        for number, state in enumerate(states)
    ]
    return way | {"entries": known, "rows": rows}


def _kind(model: engine.Model) -> str:
    """Name what a model does with a pre-token."""
    if isinstance(model, engine.BPE):
        return "merges"
    if isinstance(model, Unigram):
        return "path"
    return "matches" if isinstance(model, engine.WordPiece) else "lookup"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL - 1] + "…"
