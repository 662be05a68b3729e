"""What the lattice component draws: all pieces that can stand in a stretch of text, and the ways through them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import engine
from engine.alignment import AlignedText, Span, byte_starts
from engine.models.unigram import Edge, Unigram
from engine.models.unigram_lattice import unigram_of
from explorer import words_lattice as words
from explorer.palette import slot

WAYS = 8
"""Ways in the list of the most probable."""

DRAWS = 200
"""Ways that are drawn by lot."""

LONGEST = 120
"""Code points of a stretch that are drawn."""

_ENOUGH = 48  # code points, after which a text without spaces is cut where no piece stands across
_MARK = "\u2581"


@dataclass(frozen=True)
class Stretch:
    """A part of a text that every way enters and leaves: its lattice is whole, whatever stands around it.

    Attributes:
        text: The part, normalized.
        start: Where it starts in the normalized text, in UTF-8 bytes.
        stop: Where it stops.
        source: The UTF-8 bytes of the original text behind it.
    """

    text: str
    start: int
    stop: int
    source: Span


def stretches(tokenizer: engine.Tokenizer, text: str) -> list[Stretch]:
    """Cut a text into stretches: at pre-tokens, and inside them before U+2581 where no piece stands across.

    >>> [stretch.text for stretch in stretches(engine.pretrained("t5-base"), "low lower")]
    ['▁low', '▁lower']
    """
    aligned = AlignedText.of(text)
    for rewrite in tokenizer.normalizers:
        aligned = rewrite(aligned)
    split = tokenizer.pre_tokenizer
    if split.prepare:
        aligned = split.prepare(aligned)
    offsets = byte_starts(aligned.text)
    model = unigram_of(tokenizer)
    spans = [
        (start + first, start + last)
        for start, stop in split.split(aligned.text)
        for first, last in _parts(model, aligned.text[start:stop])
    ]
    in_bytes = offsets[[edge for span in spans for edge in span]].reshape(-1, 2) if spans else offsets[:0].reshape(0, 2)
    sources = map(Span._make, aligned.sources(in_bytes).tolist())
    return [
        Stretch(aligned.text[first:last], int(start), int(stop), source)
        for (first, last), (start, stop), source in zip(spans, in_bytes.tolist(), sources, strict=True)
    ]


def at_byte(parts: list[Stretch], byte: int) -> int:
    """Return the index of the stretch that covers a byte of the original text, or the last one before it."""
    return max((i for i, part in enumerate(parts) if part.source.start <= byte), default=0)


def around(parts: list[Stretch], other: Stretch) -> Stretch | None:
    """Return the stretch that covers most of another one of the same normalized text; None if there is none."""
    return max(parts, key=lambda part: min(part.stop, other.stop) - max(part.start, other.start), default=None)


def _parts(model: Unigram, word: str) -> Iterator[tuple[int, int]]:
    """Yield spans of a pre-token, in code points, between nodes that every way goes through."""
    covered = [0] * (len(word) + 1)  # how many pieces stand across each node, as differences
    for edge in model.edges(word):
        if edge.stop - edge.start > 1:
            covered[edge.start + 1] += 1
            covered[edge.stop] -= 1
    start = across = 0
    for node in range(1, len(word)):
        across += covered[node]
        opens = word[node] == _MARK and word[node - 1] != _MARK
        if not across and (opens or node - start >= _ENOUGH):
            yield start, node
            start = node
    if word:
        yield start, len(word)


def picture(
    tokenizer: engine.Tokenizer,
    stretch: Stretch | None,
    *,
    alpha: float = 1.0,
    seed: int = 0,
    large: bool = False,
    card_of: Callable[[int], str] = lambda id: "",
) -> dict[str, object]:
    """Turn a stretch into the data of `components.lattice`.

    Args:
        tokenizer: A tokenizer of a unigram model.
        stretch: What to draw; None for an empty picture.
        alpha: The exponent of a way's probability where ways are drawn by lot.
        seed: Of that lot.
        large: For a projector.
        card_of: Gives the address of the card of an id; "" for none.
    """
    word = stretch.text[:LONGEST] if stretch else ""
    ways = engine.Lattice.of(unigram_of(tokenizer), word)
    best = ways.n_best(WAYS)
    on_best = set(best[0].path) if best else set()
    drawn = Counter(map(tuple, ways.sample(DRAWS, alpha, seed)))
    return {
        "characters": list(word),
        "edges": [
            _edge(tokenizer, word, edge, share)
            | {"best": i in on_best, "href": card_of(edge.id) if edge.id >= 0 else ""}
            for i, (edge, share) in enumerate(zip(ways.edges, ways.shares, strict=True))
        ],
        "lists": [
            {
                "title": words.BEST,
                "note": words.best_note(len(best)),
                "rows": [{"path": way.path, "share": way.share, "words": words.log(way.log_prob)} for way in best],
            },
            {
                "title": words.DRAWN,
                "note": words.drawn_note(DRAWS, alpha, seed),
                "rows": [
                    {"path": list(path), "share": times / DRAWS, "words": words.drawn(times, DRAWS)}
                    for path, times in drawn.most_common(WAYS)
                ],
            },
        ],
        "name": words.NAME,
        "legend": words.LEGEND,
        "empty": words.EMPTY,
        "cut": words.cut(LONGEST, len(stretch.text)) if stretch and len(stretch.text) > LONGEST else "",
        "large": large,
    }


def _edge(tokenizer: engine.Tokenizer, word: str, edge: Edge, share: float) -> dict[str, object]:
    known = edge.id != tokenizer.model.unknown
    piece = tokenizer.vocabulary[edge.id] if known else word[edge.start : edge.stop].encode()
    return {
        "start": edge.start,
        "stop": edge.stop,
        "id": edge.id,
        "piece": piece.hex(),
        "slot": slot(tokenizer.meaning(edge.id)),
        "kind": "token" if known else "unknown",
        "log": float(edge.score),
        "share": min(1.0, share),
    }
