"""What the merge player draws: the trace of one training over one passage, and the rivals of a step.

A trace is all frames at once. BPE's cuts only vanish, so one number each tells their whole history; WordPiece's come
back too, so there each change has a set of standing cuts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import engine
from engine.alignment import AlignedText, Normalizer
from explorer import words_recipe
from explorer import words_train as words
from explorer.limits import LARGEST_RIVALS, symbols
from explorer.palette import slot

PASSAGE = (
    "Call me Ishmael. Some years ago—never mind how long precisely—having little or no money in my purse, and nothing "
    "particular to interest me on shore, I thought I would sail about a little and see the watery part of the world."
)
"""The passage of the first visit, from the opening of Moby-Dick."""

LONGEST_PASSAGE = 2_000
"""Code points of a passage."""

RIVALS = 8
"""Rows of rivals."""

TRIED = 12
"""Pieces that are shown of those that were tried in vain from one place."""

_LONGEST_NORMALIZED = 8_000  # NFKD can make 18 code points of one


@dataclass(frozen=True)
class Passage:
    """A text as a training sees it: normalized, split, each pre-token with the mark of its end.

    Attributes:
        text: What is shown.
        parts: Each pre-token as the model reads it, and the byte of `text` where it starts.
        edges: Bytes of `text` where a pre-token starts or stops.
        gaps: Byte spans that no pre-token covers.
    """

    text: str
    parts: list[tuple[str, int]]
    edges: list[int]
    gaps: list[tuple[int, int]]

    @property
    def words(self) -> list[tuple[int, int]]:
        """Byte spans of the pre-tokens in `text`, without the mark of their end."""
        return [(at, at + len(word.encode())) for word, at in self.parts]


@dataclass
class Cuts:
    """Where a passage is cut, and when.

    Attributes:
        boundaries: Byte offsets between symbols of one pre-token, rising.
        vanish: BPE: the step after which each boundary is gone; one more than the last step for never.
        frames: WordPiece and Unigram: the boundaries that stand, by the step from which on.
        unknown: Byte spans of unknown tokens.
        slots: Fills of tokens whose bytes are not what they stand for, as (start, stop, slot).
    """

    boundaries: list[int] = field(default_factory=list)
    vanish: list[int] | None = None
    frames: dict[int, set[int]] | None = None
    unknown: list[tuple[int, int]] = field(default_factory=list)
    slots: list[tuple[int, int, int]] = field(default_factory=list)


def trace(run: engine.TrainingRun, text: str, step: int, word: int = 0) -> dict[str, object]:
    """Turn a run and a passage into the data of `components.merge_player`; the rivals come later.

    Args:
        run: A run of BPE or WordPiece.
        text: The passage; what goes beyond `LONGEST_PASSAGE` is left out.
        step: Where the player stands at first.
        word: WordPiece: the pre-token that is looked at first.
    """
    shown = passage(run, text[:LONGEST_PASSAGE])
    by_score = isinstance(run.model, engine.WordPiece)
    cuts = _wordpiece(run, shown) if by_score else _bpe(run, shown)
    columns = run.columns
    return {
        "passage": shown.text,
        "boundaries": cuts.boundaries,
        "vanish": cuts.vanish,
        "frames": None if cuts.frames is None else packed(cuts.frames, cuts.boundaries),
        "fixed": shown.edges,
        "gaps": [list(gap) for gap in shown.gaps],
        "unknown": [list(span) for span in cuts.unknown],
        "slots": [list(entry) for entry in cuts.slots],
        "columns": {
            "left": columns.left.tolist(),
            "right": columns.right.tolist(),
            "count": columns.count.tolist(),
            "ties": columns.ties.tolist(),
            "length": columns.length.tolist(),
            "left_count": columns.left_count.tolist() if by_score else None,
            "right_count": columns.right_count.tolist() if by_score else None,
        },
        "entries": entries(run),
        "first_id": run.first_id,
        "initial_length": run.initial_length,
        "initial_unit": _unit(run),
        "algorithm": "wordpiece" if by_score else "bpe",
        "tie": words_recipe.tie(run.recipe.tie, run.recipe.seed),
        "exhausted": words.stopped(run),
        "rivals": None,
        "words": [list(span) for span in shown.words] if by_score else None,
        "word": min(word, max(0, len(shown.parts) - 1)),
        "match": None,
        "step": min(step, len(run.steps)),
        "text_source": True,
    }


def passage(run: engine.TrainingRun | engine.UnigramRun, text: str) -> Passage:
    """Normalize and split a text, and write the mark of a word's end where the model reads one."""
    return passage_of(run.normalizers, run.pre_tokenizer, run.recipe.end_of_word, text)


def passage_of(normalizers: Sequence[Normalizer], split: engine.PreTokenizer, mark: str, text: str) -> Passage:
    """Return the passage for a pipeline, and the mark of a word's end."""
    aligned = AlignedText.of(text)
    for rewrite in normalizers:
        aligned = rewrite(aligned)
    if split.prepare:
        aligned = split.prepare(aligned)
    normalized = aligned.text[:_LONGEST_NORMALIZED]
    drawn: list[str] = []
    parts: list[tuple[str, int]] = []
    gaps: list[tuple[int, int]] = []
    at = end = 0
    for start, stop in [*split.split(normalized), (len(normalized), len(normalized))]:
        gap, word = normalized[end:start], normalized[start:stop]
        written = word + mark if word else ""
        if gap:
            gaps.append((at, at + len(gap.encode())))
            at += len(gap.encode())
        if word:
            parts.append((word, at))
            at += len(written.encode())
        drawn += [gap, written]
        end = stop
    stops = (start + len((word + mark).encode()) for word, start in parts)
    edges = sorted({edge for edge in (*(start for _, start in parts), *stops) if 0 < edge < at})
    return Passage("".join(drawn), parts, edges, gaps)


def entries(run: engine.TrainingRun) -> list[dict[str, object]]:
    """Describe every piece of a run by id: what the vocabulary writes, its fill (-1 for specials), whether learned."""
    model = run.model
    specials = set(model.vocabulary.specials.values())
    first = run.first_id
    return [
        {
            "piece": model.vocabulary[id].hex(),
            "slot": -1 if id in specials else slot(model.meaning(id)),
            "learned": id >= first,
        }
        for id in range(len(model.vocabulary))
    ]


def rivals(run: engine.TrainingRun, step: int) -> dict[str, object] | None:
    """Return the best pairs before a step, counted from 1, or a note where that takes too long; None at step 0."""
    if not 1 <= step <= len(run.steps):
        return None
    held = symbols(run.counts)
    if held > LARGEST_RIVALS:
        return {"step": step, "rows": [], "note": words.no_rivals(held, LARGEST_RIVALS)}
    found = run.rivals(step - 1, RIVALS)
    best = found[0].score
    rows = [
        {
            "left": rival.left,
            "right": rival.right,
            "count": rival.count,
            "left_count": rival.left_count,
            "right_count": rival.right_count,
            "score": str(rival.score),
            "note": words.outcome(run.recipe.tie, place, rival.score == best),
        }
        for place, rival in enumerate(found)
    ]
    return {"step": step, "rows": rows}


def matches(run: engine.TrainingRun, text: str, step: int, word: int) -> dict[str, object] | None:
    """Tell how WordPiece cuts a pre-token of a passage after a step: from each place, what was tried and what matched.

    Args:
        run: A run of WordPiece.
        text: The passage.
        step: How many steps the vocabulary has.
        word: Which of the pre-tokens.

    Returns:
        The step, the word, a note, and a row for each match; None for another model, or where there is no such word.
    """
    model = run.tokenizer_at(step).model
    parts = passage(run, text[:LONGEST_PASSAGE]).parts
    if not isinstance(model, engine.WordPiece) or word >= len(parts):
        return None
    text = parts[word][0]
    if len(text) > model.longest_word:
        return {"step": step, "word": word, "note": words.too_long_to_match(model.longest_word, len(text)), "rows": []}
    rows: list[dict[str, object]] = []
    start = 0
    while start < len(text):
        prefix = model.prefix if start else ""
        tries = [prefix + text[start:stop] for stop in range(len(text), start, -1)]
        failed = next((i for i, piece in enumerate(tries) if model.ids.get(piece, model.size) < model.size), len(tries))
        found = tries[failed] if failed < len(tries) else None
        rows.append(
            {
                "tried": [piece.encode().hex() for piece in tries[:failed][:TRIED]],
                "more": max(0, failed - TRIED),
                "piece": None if found is None else found.encode().hex(),
                "slot": None if found is None else slot(model.meaning(model.ids[found])),
            }
        )
        if found is None:
            break
        start = len(text) - failed
    return {"step": step, "word": word, "note": words.matched(text, len(rows), rows[-1]["piece"] is None), "rows": rows}


def _unit(run: engine.TrainingRun) -> str:
    """Name what the corpus is counted in before the first step."""
    if run.recipe.end_of_word and not run.recipe.end_of_word_joined:
        return "symbols"
    by_bytes = isinstance(run.model, engine.BPE) and run.model.alphabet.kind == "bytes"
    return "bytes" if by_bytes else "characters"


def _bpe(run: engine.TrainingRun, shown: Passage) -> Cuts:
    model = run.model
    if not isinstance(model, engine.BPE):
        raise TypeError(f"a trace of merges needs a BPE model; got {type(model).__name__}")
    never = len(run.steps) + 1
    cuts = Cuts(vanish=[])
    mark = len(run.recipe.end_of_word.encode())
    for word, at in shown.parts:
        cut = model.alphabet.cut(word)
        stops = [at + stop for stop in cut.stops]
        # The mark is drawn, so a symbol of no width in the text has one here, and a fused one is wider.
        stops[-1] += mark
        gone = [never] * len(stops)
        ends = list(stops)
        for rank, left, right in model.merges(cut.ids):
            gone[right - 1] = rank + 1
            ends[left] = ends[right]
            if mark:
                start = stops[left - 1] if left else at
                cuts.slots.append((start, ends[left], slot(model.meaning(model.products[rank]))))
        cuts.boundaries += stops[:-1]
        cuts.vanish = (cuts.vanish or []) + gone[:-1]
        starts = [at, *stops[:-1]]
        cuts.unknown += [(starts[i], stops[i]) for i, id in enumerate(cut.ids) if id == model.unknown]
    return cuts


def _wordpiece(run: engine.TrainingRun, shown: Passage) -> Cuts:
    model = run.model
    if not isinstance(model, engine.WordPiece):
        raise TypeError(f"a trace of longest matches needs a WordPiece model; got {type(model).__name__}")
    changes: list[tuple[int, int, set[int]]] = []
    unknown: list[tuple[int, int]] = []
    for number, (word, at) in enumerate(shown.parts):
        for size, cut in model.history(word):
            changes.append((size - run.first_id, number, {at + stop for stop in cut.stops[:-1]}))
        # What is unknown stays so: a learned piece is made of symbols of the alphabet.
        if model.unknown in cut.ids:
            unknown.append((at, at + len(word.encode())))
    changes.sort(key=lambda change: change[0])
    standing: dict[int, set[int]] = {}
    frames: dict[int, set[int]] = {0: set()}
    for step, group in groupby(changes, key=lambda change: change[0]):
        standing.update({number: inner for _, number, inner in group})
        cuts = set().union(*standing.values())
        if step == 0 or cuts != frames[max(frames)]:
            frames[step] = cuts
    return Cuts(sorted(set().union(*frames.values())), None, frames, unknown)


def packed(frames: Mapping[int, set[int]], boundaries: Sequence[int]) -> dict[str, object]:
    """Write each frame as a set of bits in hex: bit j of byte j >> 3, lowest first, is boundary j."""
    place = {boundary: j for j, boundary in enumerate(boundaries)}
    bits = (sum(1 << place[cut] for cut in cuts) for cuts in frames.values())
    size = (len(boundaries) + 7) // 8
    return {"steps": list(frames), "cuts": [number.to_bytes(size, "little").hex() for number in bits]}
