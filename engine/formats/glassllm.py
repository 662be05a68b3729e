"""The JSON of GlassLLM, a published teaching tokenizer: BPE over characters, with ▁ (U+2581) for each space.

The file has `version` (1), `alphabet` (characters in code-point order) and `merges` (pairs of pieces, by rank). The
four special tokens have the ids 0 to 3 and no place in the file; their names here are ours. A text is composed (NFC),
each space becomes ▁ and stays with the word after it, and each newline is a word of its own. A ▁ in the text comes back
as a space, so decoding does not invert encoding.
"""

from __future__ import annotations

import json
from typing import Any, Final

from engine.decoders import GLASSLLM_SPECIALS
from engine.formats.source import Source
from engine.models.alphabet import Alphabet
from engine.models.bpe import BPE, Pair
from engine.models.concatenation import Concatenations
from engine.normalizers import nfc
from engine.pre_tokenizers import GLASSLLM
from engine.tokenizer import Tokenizer
from engine.vocabulary import Pieces

VERSION: Final = 1
UNKNOWN: Final = "<unk>"


def read(source: Source) -> Tokenizer:
    """Read a file of GlassLLM.

    Raises:
        ValueError: The file is broken; the message names the place.
    """
    content = source.json
    if not isinstance(content, dict) or content.get("version") != VERSION:
        found = content.get("version") if isinstance(content, dict) else None
        raise source.error(f"the version must be {VERSION}; got {found!r}", "version")
    alphabet = _alphabet(content.get("alphabet"), source)
    specials = {text: id for id, text in enumerate(GLASSLLM_SPECIALS)}
    pieces = [*GLASSLLM_SPECIALS, *alphabet]
    ids = {piece: id for id, piece in enumerate(pieces)}
    ranks: dict[Pair, int] = {}
    merges = content.get("merges")
    if not isinstance(merges, list):
        raise source.error("here a list of pairs must stand", "merges")
    for rank, pair in enumerate(merges):
        left, right = _pair(pair, ids, specials, source, f"merges[{rank}]")
        if (ids[left], ids[right]) in ranks:
            raise source.error(f"the pair {left!r} {right!r} stands here for the second time", f"merges[{rank}]")
        ranks[ids[left], ids[right]] = rank
        ids.setdefault(left + right, len(pieces))
        pieces.append(left + right)
    first = len(GLASSLLM_SPECIALS)
    symbols = {piece.encode(): first + i for i, piece in enumerate(alphabet)}
    vocabulary = Pieces([piece.encode() for piece in pieces], specials)
    products = range(first + len(alphabet), len(pieces))
    model = BPE(Alphabet("characters", symbols, specials[UNKNOWN]), vocabulary, ranks, products, len(merges))
    return Tokenizer(model, (nfc,), GLASSLLM, source.name, GLASSLLM.back)


def write(tokenizer: Tokenizer) -> bytes:
    """Write a file of GlassLLM.

    Raises:
        ValueError: The tokenizer is none that the format can say.
    """
    model = tokenizer.model
    if not isinstance(model, BPE) or model.alphabet.kind != "characters" or model.alphabet.fallback:
        raise ValueError("a file of GlassLLM holds BPE over characters; this tokenizer is none")
    if isinstance(model.ranks, Concatenations) or model.whole or model.tied or model.alphabet.end_of_word:
        raise ValueError("a file of GlassLLM lists merges alone; this tokenizer has other rules")
    if tokenizer.normalizers != (nfc,) or tokenizer.pre_tokenizer != GLASSLLM or tokenizer.added:
        raise ValueError('in GlassLLM a text is composed (nfc) and split by "glassllm", and nothing else is done to it')
    if list(tokenizer.vocabulary.specials) != list(GLASSLLM_SPECIALS):
        raise ValueError(
            f"GlassLLM has the special tokens {', '.join(GLASSLLM_SPECIALS)}, in this order; here are others"
        )
    symbols = sorted(model.alphabet.ids.values())
    names = [piece.decode() for piece in model.vocabulary]
    alphabet = [names[id] for id in symbols]
    last = len(GLASSLLM_SPECIALS) + len(alphabet)
    if alphabet != sorted(alphabet) or list(model.products[: model.learned]) != list(range(last, last + model.learned)):
        raise ValueError("in GlassLLM the ids are those of the special tokens, the sorted alphabet, and the merges")
    pairs = sorted((rank, pair) for pair, rank in model.ranks.items() if rank < model.learned)
    content = {
        "version": VERSION,
        "alphabet": alphabet,
        "merges": [[names[left], names[right]] for _, (left, right) in pairs],
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def _alphabet(given: Any, source: Source) -> list[str]:
    if not isinstance(given, list):
        raise source.error("here a list of characters must stand", "alphabet")
    for place, character in enumerate(given):
        if not isinstance(character, str) or len(character) != 1 or character == " ":
            raise source.error(
                f"here one character must stand, and no space, for which ▁ stands; got {character!r}",
                f"alphabet[{place}]",
            )
        if place and character <= given[place - 1]:
            raise source.error(
                f"the characters must rise in code-point order; {character!r} follows {given[place - 1]!r}",
                f"alphabet[{place}]",
            )
    return given


def _pair(pair: Any, ids: dict[str, int], specials: dict[str, int], source: Source, place: str) -> tuple[str, str]:
    match pair:
        case [str() as left, str() as right]:
            for part in (left, right):
                if part not in ids or part in specials:
                    raise source.error(f"{part!r} is neither in the alphabet nor made by a merge before", place)
            return left, right
    raise source.error(f"here a pair of pieces must stand; got {pair!r}", place)
