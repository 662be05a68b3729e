"""All that is known of one token: how it was built, its relatives, and how others read its bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import engine
from engine.code_points import code_point, script
from explorer.views.strip import entries
from explorer.views.vocabulary import Table

_PLURALS = ("s", "es")
_PUNCTUATION = (".", ",", ":", "!", "?")


@dataclass(frozen=True)
class Node:
    """A piece and the two it was merged from.

    Attributes:
        id: Its id.
        rank: Rank of the merge, from 0; None for a symbol of the alphabet.
        count: How often the pair stood in the corpus when it was merged; None where that is not known.
        parts: The two pieces; () for a symbol of the alphabet.
    """

    id: int
    rank: int | None = None
    count: int | None = None
    parts: tuple[Node, ...] = ()


def trained_tree(run: engine.TrainingRun, id: int) -> Node:
    """Return how a piece of a run was merged, from its history.

    >>> run = engine.train("aaabdaaabac", vocab_size=258, pre_tokenizer="whole")
    >>> node = trained_tree(run, 257)
    >>> [part.id for part in node.parts], node.rank, node.count
    ([97, 98], 1, 2)
    """
    step = id - run.first_id
    if step < 0:
        return Node(id)
    row = run.steps[step]
    if row.left < 0:  # a word or a character that was taken whole
        return Node(id, step, row.count)
    return Node(id, step, row.count, (trained_tree(run, row.left), trained_tree(run, row.right)))


def merged_tree(model: engine.BPE, id: int) -> Node | None:
    """Return how the model merges the symbols of a piece; None where they do not become that piece.

    >>> model = engine.from_merges("bytes", [("a", "b"), ("ab", "c")]).model
    >>> merged_tree(model, 257)
    Node(id=257, rank=1, count=None, parts=(Node(id=256, rank=0, count=None, parts=(Node(id=97, rank=None, count=None, \
parts=()), Node(id=98, rank=None, count=None, parts=()))), Node(id=99, rank=None, count=None, parts=())))
    """
    piece = model.vocabulary[id]
    ids = [model.alphabet.ids.get(symbol) for symbol in model.alphabet.symbols(piece)]
    known = [each for each in ids if each is not None]
    if len(known) < len(ids) or not known:
        return None
    nodes: list[Node | None] = [Node(each) for each in known]
    for rank, left, right in model.merges(known):
        one, other = nodes[left], nodes[right]
        if one is not None and other is not None:
            nodes[left], nodes[right] = Node(model.products[rank], rank, None, (one, other)), None
    roots = [node for node in nodes if node is not None]
    return roots[0] if len(roots) == 1 and roots[0].id == id else None


def drawn_tree(node: Node, tokenizer: engine.Tokenizer, card: str) -> dict[str, object]:
    """Turn a tree into the data of `components.merge_tree`."""
    (entry,) = entries(tokenizer, [node.id])
    return {
        "id": node.id,
        "piece": entry["piece"],
        "slot": entry["slot"] if node.parts else None,
        "kind": entry["kind"],
        "rank": node.rank,
        "count": node.count,
        "href": f"{card}{node.id}",
        "parts": [drawn_tree(part, tokenizer, card) for part in node.parts],
    }


def points(text: str) -> list[tuple[str, str, str, str, str]]:
    """Describe the code points of a text: character, number, name, script, bytes in hex.

    >>> points("é")[0][1:]
    ('U+00E9', 'LATIN SMALL LETTER E WITH ACUTE', 'Latin', 'C3 A9')
    """
    return [
        (char, found.number, found.name, found.script, found.utf8.hex(" ").upper())
        for char in text
        for found in (code_point(char),)
    ]


def variants(text: str) -> dict[str, str]:
    """List the relatives of a piece by what they are: with and without a space, capital, plural, with punctuation.

    >>> list(variants(" cat").items())[:4]
    [('without a space', 'cat'), ('capital', ' Cat'), ('capital, without a space', 'Cat'), ('all capitals', ' CAT')]
    """
    word = text.removeprefix(" ")
    if not word.strip():
        return {}
    space = " " if text.startswith(" ") else ""
    other, name = ("", "without a space") if space else (" ", "with a space")
    found: dict[str, str] = {name: other + word}
    for label, changed in (
        ("capital", word[:1].upper() + word[1:]),
        ("all capitals", word.upper()),
        ("small letters", word.lower()),
    ):
        found[label] = space + changed
        found[f"{label}, {name}"] = other + changed
    for ending in _PLURALS if script(word[-1]) == "Latin" else ():
        found[f"plural with -{ending}"] = text + ending
    for mark in _PUNCTUATION:
        found[f"with {mark} behind it"] = text + mark
    first: dict[str, str] = {text: ""}
    for label, each in found.items():
        first.setdefault(each, label)
    return {label: each for each, label in first.items() if label}


def ids_of(made: Table, meanings: Sequence[bytes]) -> Mapping[bytes, list[int]]:
    """Find the ids whose pieces stand for some bytes, special tokens left out."""
    wanted = set(meanings)
    found: defaultdict[bytes, list[int]] = defaultdict(list)
    for row, meaning in enumerate(made.meanings):
        if meaning in wanted and not made.special[row]:
            found[meaning].append(int(made.ids[row]))
    return found


def flags(tokenizer: engine.Tokenizer, made: Table, id: int) -> list[str]:
    """Return what is odd about a token: "special", "unknown", "byte", "partial", "unreachable"."""
    row = made.row_of(id)
    if row is None:
        return []
    if made.special[row]:
        return ["unknown"] if id == tokenizer.model.unknown else ["special"]
    said = [name for name, which in (("byte", made.byte), ("partial", made.partial)) if which[row]]
    if made.texts[row] and not engine.reaches(tokenizer)(id):
        said.append("unreachable")
    return said


def elsewhere(meaning: bytes, text: str, tokenizer: engine.Tokenizer, made: Table | None) -> list[int]:
    """Return the ids as which another tokenizer reads the same bytes; [] where it has no piece for them.

    Bytes that are no text cannot be encoded; then the vocabulary, which must be given, is looked through.
    """
    if text:
        ids: list[int] = tokenizer.encode(text).ids.tolist()
        return ids
    return [] if made is None else ids_of(made, [meaning])[meaning][:1]
