"""What the merge player draws of a tokenizer that was not trained here: its merges, by rank, over one passage."""

from __future__ import annotations

from dataclasses import dataclass, field

import engine
from explorer import words_ranks as words
from explorer.palette import slot
from explorer.views.player import LONGEST_PASSAGE, Passage, passage_of


@dataclass
class _Played:
    """The merges that fire in a passage.

    Attributes:
        boundaries: Byte offsets between symbols of one pre-token, rising.
        vanish: The rank at which each boundary goes; None for never.
        pairs: The pair of ids that each rank merged first.
        alphabet: Ids of the symbols.
        unknown: Byte spans of unknown tokens.
        slots: Fills of tokens that hold the mark of a word's end, as (start, stop, slot).
    """

    boundaries: list[int] = field(default_factory=list)
    vanish: list[int | None] = field(default_factory=list)
    pairs: dict[int, tuple[int, int]] = field(default_factory=dict)
    alphabet: set[int] = field(default_factory=set)
    unknown: list[tuple[int, int]] = field(default_factory=list)
    slots: list[tuple[int, int, int]] = field(default_factory=list)


def rank_trace(tokenizer: engine.Tokenizer, name: str, text: str) -> dict[str, object]:
    """Turn a tokenizer and a passage into the data of `components.merge_player`: a step is a merge that fires there.

    Raises:
        ValueError: The tokenizer has no merges; the message says what it does instead.
    """
    model = tokenizer.model
    if not isinstance(model, engine.BPE):
        raise ValueError(words.no_merges(name, isinstance(model, engine.WordPiece)))
    shown = passage_of(
        tokenizer.normalizers, tokenizer.pre_tokenizer, model.alphabet.end_of_word, text[:LONGEST_PASSAGE]
    )
    played = _played(model, shown)
    ranks = sorted(played.pairs)
    step_of = {rank: step for step, rank in enumerate(ranks, 1)}
    alphabet = sorted(played.alphabet)
    ids = [*alphabet, *(model.products[rank] for rank in ranks)]
    place = {id: i for i, id in reversed(list(enumerate(ids)))}
    gone = [len(ranks) + 1 if rank is None else step_of[rank] for rank in played.vanish]
    initial = len(gone) + len(shown.parts)
    lengths = [initial - sum(step <= done for step in gone) for done in range(1, len(ranks) + 1)]
    specials = set(tokenizer.vocabulary.specials.values())
    return {
        "passage": shown.text,
        "boundaries": played.boundaries,
        "vanish": gone,
        "frames": None,
        "fixed": shown.edges,
        "gaps": [list(gap) for gap in shown.gaps],
        "unknown": [list(span) for span in played.unknown],
        "slots": [list(entry) for entry in played.slots],
        "columns": {
            "left": [place[played.pairs[rank][0]] for rank in ranks],
            "right": [place[played.pairs[rank][1]] for rank in ranks],
            "length": lengths,
        },
        "entries": [
            {
                "id": id,
                "piece": model.vocabulary[id].hex(),
                "slot": -1 if id in specials else slot(tokenizer.meaning(id)),
                "learned": i >= len(alphabet),
            }
            for i, id in enumerate(ids)
        ],
        "ranks": ranks,
        "ranked": model.learned,
        "first_id": len(alphabet),
        "initial_length": initial,
        "initial_unit": "bytes" if model.alphabet.kind == "bytes" else "characters",
        "algorithm": "bpe",
        "tie": "",
        "exhausted": "",
        "rivals": None,
        "words": None,
        "word": 0,
        "match": None,
        "step": len(ranks),
        "text_source": False,
    }


def _played(model: engine.BPE, shown: Passage) -> _Played:
    played = _Played()
    mark = len(model.alphabet.end_of_word.encode())
    for word, at in shown.parts:
        cut = model.alphabet.cut(word)
        stops = [at + stop for stop in cut.stops]
        stops[-1] += mark
        starts = [at, *stops[:-1]]
        played.unknown += [(starts[i], stops[i]) for i, id in enumerate(cut.ids) if id == model.unknown]
        played.alphabet.update(cut.ids)
        played.boundaries += stops[:-1]
        played.vanish += _merged(model, list(cut.ids), starts, stops, played, bool(mark))
    return played


def _merged(
    model: engine.BPE, ids: list[int], starts: list[int], stops: list[int], played: _Played, marked: bool
) -> list[int | None]:
    """Apply the merges of a pre-token, and return the rank at which each boundary inside it goes."""
    gone: list[int | None] = [None] * len(ids)
    turn = -1
    for rank, left, right in model.merges(ids):
        turn = max(turn, rank)  # a merge of lower rank that waits for one of higher rank comes with it
        gone[right - 1] = turn
        played.pairs.setdefault(rank, (ids[left], ids[right]))
        ids[left] = model.products[rank]
        stops[left] = stops[right]
        if marked:
            played.slots.append((starts[left], stops[left], slot(model.meaning(ids[left]))))
    return gone[:-1]
