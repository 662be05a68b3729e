"""A vocabulary as a table of columns: what each piece is, and which pieces a reader asks for."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import numpy as np
import regex
from numpy.typing import NDArray

import engine
from engine.alignment import code_points
from engine.code_points import SCRIPTS, script

Search: TypeAlias = Literal["text", "regex", "hex", "id"]
Kind: TypeAlias = Literal["special", "byte", "partial", "unreachable", "duplicate", "unused"]
Order: TypeAlias = Literal["id", "piece", "bytes", "characters", "script", "count"]
SEARCHES: tuple[Search, ...] = get_args(Search)
KINDS: tuple[Kind, ...] = get_args(Kind)
ORDERS: tuple[Order, ...] = get_args(Order)

LONGEST_SEARCH = 1.0
"""Seconds that a regular expression may take over the whole vocabulary."""

NO_SCRIPT, NO_TEXT, SEVERAL = "Common", "no text", "several"
SCRIPT_NAMES: tuple[str, ...] = (NO_SCRIPT, NO_TEXT, SEVERAL, *(name.replace("_", " ") for name in SCRIPTS[1:]))
_PLACES = {name: i for i, name in enumerate(SCRIPT_NAMES)}


_Ids: TypeAlias = dict[bytes, int]


@dataclass(frozen=True, eq=False)
class Table:
    """The pieces of a vocabulary, one row each; ids that the vocabulary leaves unused have none.

    Attributes:
        ids: int64[n], rising.
        meanings: The bytes that each piece stands for.
        texts: The same as text; "" where they are no valid UTF-8.
        bytes: int64[n], length of the meaning in bytes.
        characters: int64[n], its code points; 0 where it is no text.
        scripts: int64[n], index into `SCRIPT_NAMES`.
        special: bool[n], special and added tokens.
        byte: bool[n], pieces of a single byte.
        partial: bool[n], several bytes that are no valid UTF-8 alone.
    """

    ids: NDArray[np.int64]
    meanings: Sequence[bytes]
    texts: Sequence[str]
    bytes: NDArray[np.int64]
    characters: NDArray[np.int64]
    scripts: NDArray[np.int64]
    special: NDArray[np.bool_]
    byte: NDArray[np.bool_]
    partial: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def piece_ranks(self) -> NDArray[np.int64]:
        """The place of each piece in the order of bytes: int64[n]; equal ones share theirs."""
        return _ranks(self.meanings)

    @cached_property
    def script_ranks(self) -> NDArray[np.int64]:
        """The place of each piece's script in the order of the alphabet: int64[n]."""
        return _ranks([name.encode() for name in SCRIPT_NAMES])[self.scripts]

    @cached_property
    def ids_of_meanings(self) -> _Ids:
        """The smallest id of each meaning, special tokens left out."""
        rows = np.flatnonzero(~self.special)[::-1].tolist()
        return {self.meanings[row]: int(self.ids[row]) for row in rows}

    def row_of(self, id: int) -> int | None:
        """Return the row of an id, or None."""
        row = int(np.searchsorted(self.ids, id))
        return row if row < len(self.ids) and self.ids[row] == id else None


def table(tokenizer: engine.Tokenizer) -> Table:
    """Describe every piece of a vocabulary.

    >>> made = table(engine.from_merges("bytes", [("a", "b")], special_tokens=["<s>"]))
    >>> len(made), made.texts[-1], int(made.special.sum()), int(made.byte.sum())
    (258, 'ab', 1, 256)
    """
    special = {*tokenizer.vocabulary.specials.values(), *tokenizer.added.values()}
    ids: list[int] = []
    meanings: list[bytes] = []
    for id in range(tokenizer.vocab_size):
        try:
            meanings.append(tokenizer.meaning(id))
        except ValueError:  # the vocabulary leaves this id unused
            continue
        ids.append(id)
    texts = [_text(meaning) for meaning in meanings]
    lengths = np.fromiter(map(len, meanings), np.int64, len(meanings))
    characters = np.fromiter(map(len, texts), np.int64, len(texts))
    is_special = np.fromiter((id in special for id in ids), np.bool_, len(ids))
    single = ~is_special & (lengths == 1)
    return Table(
        np.array(ids, np.int64),
        meanings,
        texts,
        lengths,
        characters,
        _scripts(texts, lengths),
        is_special,
        single,
        ~is_special & (lengths > 1) & (characters == 0),
    )


def _text(meaning: bytes) -> str:
    try:
        return meaning.decode()
    except UnicodeDecodeError:
        return ""


def _scripts(texts: Sequence[str], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the one script of each text, letting alone what is common to all: int64[n]."""
    points, which = np.unique(code_points("".join(texts)), return_inverse=True)
    common = {"Common", "Inherited", "Unknown"}
    names = [script(chr(point)) for point in points.tolist()]
    own = np.array([0 if name in common else _PLACES[name] for name in names] or [0], np.int64)[which]
    owner = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    least = np.full(len(texts), len(SCRIPT_NAMES), np.int64)
    most = np.zeros(len(texts), np.int64)
    real = own > 0
    np.minimum.at(least, owner[real], own[real])
    np.maximum.at(most, owner[real], own[real])
    found = np.where(most == 0, _PLACES[NO_SCRIPT], np.where(least == most, most, _PLACES[SEVERAL]))
    empty = np.fromiter((not text for text in texts), np.bool_, len(texts)) & (lengths > 0)
    found[empty] = _PLACES[NO_TEXT]
    return found


def search(made: Table, query: str, how: Search) -> NDArray[np.bool_]:
    """Find pieces: bool[n]; all of them where the query is empty.

    "text" ignores case; "hex" are bytes in a row; "id" are ids, and ranges such as 256-300.

    Raises:
        ValueError: The query cannot be read, or the regular expression took longer than a second.
    """
    if not query:
        return np.ones(len(made), np.bool_)
    if how == "id":
        return _by_id(made, query)
    if how == "hex":
        wanted = _bytes(query)
        return np.fromiter((wanted in meaning for meaning in made.meanings), np.bool_, len(made))
    if how == "regex":
        return _by_pattern(made, query)
    folded = query.casefold()
    return np.fromiter((folded in text.casefold() for text in made.texts), np.bool_, len(made))


def _by_pattern(made: Table, query: str) -> NDArray[np.bool_]:
    try:
        pattern = regex.compile(query)
    except regex.error as error:
        raise ValueError(f"the regular expression cannot be read: {error}") from None
    found = np.zeros(len(made), np.bool_)
    end = time.monotonic() + LONGEST_SEARCH
    try:
        for row, text in enumerate(made.texts):
            if text and pattern.search(text, timeout=max(end - time.monotonic(), 1e-3)):
                found[row] = True
            if not row % 1000 and time.monotonic() > end:
                raise TimeoutError
    except TimeoutError:
        raise ValueError(
            f"the regular expression may take {LONGEST_SEARCH:g} second over the whole vocabulary; it took longer"
        ) from None
    return found


def _bytes(query: str) -> bytes:
    digits = "".join(query.split())
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise ValueError(f"bytes are written as pairs of hex digits, such as 20 74 68; got {query[:40]!r}") from None


def _by_id(made: Table, query: str) -> NDArray[np.bool_]:
    found = np.zeros(len(made), np.bool_)
    for part in regex.findall(r"[^\s,;]+", query):
        match = regex.fullmatch(r"(\d{1,9})(?:[-–](\d{1,9}))?", part)
        if not match:
            raise ValueError(f"an id is a whole number, a range 256-300; got {part[:40]!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        found |= (made.ids >= first) & (made.ids <= last)
    return found


def of_kind(made: Table, kind: Kind, *, audit: engine.Audit | None, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Find the pieces of a kind: bool[n].

    Args:
        made: The vocabulary.
        kind: Which kind.
        audit: The audit; without it no piece is unreachable or a duplicate.
        counts: int64[n], how often each piece stands in the corpus.
    """
    if kind == "unused":
        never: NDArray[np.bool_] = counts == 0
        return never
    if kind == "special":
        return made.special
    if kind == "byte":
        return made.byte
    if kind == "partial":
        return made.partial
    found = audit or engine.Audit((), (), ())
    ids = found.unreachable if kind == "unreachable" else [id for group in found.duplicates for id in group]
    marked: NDArray[np.bool_] = np.isin(made.ids, ids)
    return marked


def ordered(
    made: Table, rows: NDArray[np.int64], order: Order, falling: bool, counts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Sort rows: int64[m]; of equal ones the smaller id comes first."""
    keys: dict[Order, Callable[[], NDArray[np.int64]]] = {
        "id": lambda: made.ids[rows],
        "bytes": lambda: made.bytes[rows],
        "characters": lambda: made.characters[rows],
        "count": lambda: counts[rows],
        "script": lambda: made.script_ranks[rows],
        "piece": lambda: made.piece_ranks[rows],
    }
    key = keys[order]()
    return rows[np.argsort(-key if falling else key, kind="stable")]


def _ranks(values: Sequence[bytes]) -> NDArray[np.int64]:
    places = {value: i for i, value in enumerate(sorted(set(values)))}
    return np.fromiter((places[value] for value in values), np.int64, len(values))


def counts_in(made: Table, tokenizer: engine.Tokenizer, texts: Sequence[str]) -> NDArray[np.int64]:
    """Count how often each piece stands in a corpus: int64[n], by row."""
    by_id = np.zeros(tokenizer.vocab_size, np.int64)
    for text in texts:
        ids = tokenizer.encode(text).ids
        by_id += np.bincount(ids[ids >= 0], minlength=len(by_id))
    return by_id[made.ids]


def frequency_rank(counts: NDArray[np.int64], row: int) -> int | None:
    """Return the place of a piece by how often it stands, from 1; equal ones share the best. None where it never does.

    >>> frequency_rank(np.array([5, 9, 5, 0]), 2), frequency_rank(np.array([5, 0]), 1)
    (2, None)
    """
    return int((counts > counts[row]).sum()) + 1 if counts[row] else None
