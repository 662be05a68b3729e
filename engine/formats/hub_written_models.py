"""Models, as a `tokenizer.json` says them.

Source: huggingface/tokenizers 0.23, tokenizers/src/models: special tokens are pieces of the model there, and one name
has one id, so what a text could take for a special token is refused, or cut apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import regex

from engine.formats.hub_written_steps import Json, cut, replace
from engine.formats.own_merges import own_merges
from engine.models.bpe import BPE, Pair
from engine.models.concatenation import Concatenations
from engine.models.unigram import Unigram
from engine.models.wordpiece import WordPiece
from engine.pre_tokenizers import PreTokenizer
from engine.utf8 import to_printable

_FIRST_HALF = r"[\p{L}\p{N}][^\p{L}\p{N}\p{M}'\s]"
_UNSEEN = "\U0010fffd"


class Written(NamedTuple):
    """A model, with what must stand behind the normalizers and behind the splits for its ids to be the same."""

    model: Json
    normalizers: list[Json]
    cuts: list[Json]


def bpe(model: BPE, found: Iterable[int] = ()) -> Written:
    """Write BPE: pieces by name, merges as pairs of names.

    Args:
        model: What to write.
        found: Ids of tokens, beside the special ones, that are found in the text as they are written.

    Raises:
        ValueError: Two ids would have one name, the mark of a word's end is a symbol of its own, or the merges are not
            those of pairs.
    """
    alphabet = model.alphabet
    suffix = alphabet.end_of_word
    if suffix and not alphabet.joined:
        raise ValueError(
            f"a tokenizer.json fuses the mark of a word's end to the last character; here {suffix!r} is a symbol of "
            "its own"
        )
    as_text = {*model.vocabulary.specials.values(), *found}
    written = _byte_names(suffix) if alphabet.kind == "bytes" else bytes.decode
    names = {
        id: piece.decode() if id in as_text else written(piece)
        for id, piece in enumerate(model.vocabulary.table)
        if piece is not None
    }
    ids = _named(names)
    symbols = set(alphabet.ids.values())
    for name, id in ids.items():
        if len(name.removesuffix(suffix) or name) == 1 and id not in symbols:
            raise ValueError(
                f"a tokenizer.json cannot tell {name!r}, which is no symbol here, from a symbol of that name"
            )
    if any(ids.get(f"<0x{byte:02X}>") != id for byte, id in enumerate(alphabet.fallback)):
        raise ValueError("a tokenizer.json calls the piece of a byte <0x41>; those of this tokenizer have other names")
    made = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None if alphabet.unknown is None else names[alphabet.unknown],
        "continuing_subword_prefix": None,
        "end_of_word_suffix": suffix or None,
        "fuse_unk": alphabet.joins_unknown,
        "byte_fallback": bool(alphabet.fallback),
        "ignore_merges": _takes_whole_words(model, as_text),
        "vocab": ids,
        "merges": [[names[left], names[right]] for left, right in _pairs(model)],
    }
    return Written(made, [], [])


def _pairs(model: BPE) -> list[Pair]:
    """Return the pairs that merge, by rank."""
    if model.tied:
        raise ValueError(
            "a tokenizer.json merges in the order of its list; in this tokenizer some merges have one score"
        )
    if isinstance(model.ranks, Concatenations):
        return own_merges(model)
    ranked = sorted(model.ranks.items(), key=lambda entry: entry[1])
    return [pair for pair, rank in ranked if rank < model.learned]


def _takes_whole_words(model: BPE, as_text: set[int]) -> bool:
    """Say whether a word that is a piece is one token, whatever the merges say; where merging says so too, it need not.

    Raises:
        ValueError: Only some pieces are.
    """
    if not model.whole or isinstance(model.ranks, Concatenations):
        return False
    taken = {model.products[rank] for rank in model.whole.values()}
    if any(
        id not in taken for id, piece in enumerate(model.vocabulary.table) if piece is not None and id not in as_text
    ):
        raise ValueError("a tokenizer.json takes every piece that is a whole word, or none; this tokenizer some")
    return True


def wordpiece(model: WordPiece, split: PreTokenizer) -> Written:
    """Write WordPiece; of two ids with one piece, the smaller, which is the one that is used.

    Raises:
        ValueError: A word could start with the text of a special token.
    """
    specials = model.vocabulary.specials
    pieces = {text: id for text, id in model.ids.items() if id < model.size}
    rules: list[Json] = []
    for text in specials:
        if text in pieces:
            if pieces[text] == specials[text]:
                continue  # it is read so here too
            raise ValueError(f"a tokenizer.json gives a name one id; here {text!r} is a special token and a piece")
        if text.startswith(model.prefix):
            raise ValueError(f"a tokenizer.json reads the special token {text!r} as the inside of a word")
        if not _starts_a_word(text, split):
            continue
        known = [prefix + character in pieces for prefix, character in _marked(text, model.prefix)]
        if split.name != "whitespace" or all(known) or _UNSEEN in pieces:
            raise ValueError(
                f"a tokenizer.json reads a word that starts with {text!r} as that special token, even in plain text; "
                "this tokenizer does not"
            )
        # Such a word cannot be cut here, so a character that no piece has may stand in its place.
        rules.append(replace({"Regex": rf"(?<!\S){regex.escape(text)}"}, _UNSEEN))
    made = {
        "type": "WordPiece",
        "unk_token": model.vocabulary[model.unknown].decode(),
        "continuing_subword_prefix": model.prefix,
        "max_input_chars_per_word": model.longest_word,
        "vocab": dict(sorted({**pieces, **specials}.items(), key=lambda entry: entry[1])),
    }
    return Written(made, rules, [])


def unigram(model: Unigram) -> Written:
    """Write Unigram; texts that look like a special token or a byte piece are cut where no piece goes on.

    Raises:
        ValueError: Some piece goes on everywhere in such a text.
    """
    if model.favored or model.single:
        raise ValueError(
            "a tokenizer.json adds up in double precision and has no user-defined pieces; this model differs"
        )
    names = [model.vocabulary[id].decode() for id in range(len(model.scores))]
    _named(dict(enumerate(names)))
    fallback = {names[id] for id in model.fallback}
    pairs = {text[i : i + 2] for text in model.ids for i in range(len(text) - 1)}
    specials = [name for name, id in model.vocabulary.specials.items() if id < len(names) and model.ids.get(name) != id]
    apart = [_cut_inside(name, pairs, model) for name in specials if name not in fallback]
    if fallback and not fallback <= model.ids.keys():
        if {"<0", "0x"} <= pairs:
            raise ValueError("a tokenizer.json reads the text <0x41> as a byte piece; this tokenizer reads it as text")
        before, at, after = ("<", "0", "x") if "<0" in pairs else ("", "<", "0x")
        apart.append(_lonely(before, at, after + "[0-9A-F]{2}>"))
    made = {
        "type": "Unigram",
        "unk_id": model.unknown,
        "vocab": [[name, model.scores[id]] for id, name in enumerate(names)],
        "byte_fallback": bool(model.fallback),
    }
    return Written(made, [], apart)


def _cut_inside(name: str, pairs: set[str], model: Unigram) -> Json:
    for i in range(len(name) - 1):
        unknown = name[i] not in model.ids and name[i + 1] not in model.ids
        if name[i : i + 2] not in pairs and (model.fallback or not unknown):
            return _lonely(regex.escape(name[:i]), regex.escape(name[i]), regex.escape(name[i + 1 :]))
    raise ValueError(f"a tokenizer.json reads the text {name!r} as that special token; this tokenizer reads it as text")


def _lonely(before: str, at: str, after: str) -> Json:
    """Return the cut behind a character that stands between two texts."""
    found = f"(?<={before}){at}(?={after})" if before else f"{at}(?={after})"
    return cut({"Regex": found}, "MergedWithPrevious")


def _byte_names(suffix: str) -> Callable[[bytes], str]:
    mark = suffix.encode()

    def written(piece: bytes) -> str:
        ends = bool(mark) and piece.endswith(mark) and piece != mark
        return to_printable(piece.removesuffix(mark)) + suffix if ends else to_printable(piece)

    return written


def _named(names: Mapping[int, str]) -> dict[str, int]:
    """Return name -> id.

    Raises:
        ValueError: Two ids have one name.
    """
    ids: dict[str, int] = {}
    for id, name in names.items():
        if name in ids:
            raise ValueError(f"a tokenizer.json gives a name one id; here {name!r} has two, {ids[name]} and {id}")
        ids[name] = id
    return ids


def _marked(text: str, prefix: str) -> Iterator[tuple[str, str]]:
    return ((prefix if i else "", character) for i, character in enumerate(text))


def _starts_a_word(text: str, split: PreTokenizer) -> bool:
    """Say whether a pre-token may start with a text, as far as is known; a letter before a mark never stands in one."""
    if split.name in ("whitespace", "bert") and regex.search(r"\s", text):
        return False
    if split.name in ("metaspace", "dummy-prefix"):
        return text.startswith("▁")
    if split.name == "bert":
        return len(split.split(text)) == 1
    worded = split.name in ("gpt2", "cl100k", "o200k", "qwen", "tekken")
    return not (worded and regex.search(_FIRST_HALF, text))
