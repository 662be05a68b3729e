"""What the token strip draws."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

import engine
from engine.encoding import UNKNOWN_ID
from explorer.palette import slot

Kind: TypeAlias = Literal["token", "special", "unknown"]


def entry(tokenizer: engine.Tokenizer, id: int) -> dict[str, object]:
    """Describe an id: its piece as the vocabulary writes it, in hex; its fill; and what kind of token it is.

    >>> tokenizer = engine.from_merges("bytes", [("a", "b")], special_tokens=["<s>"])
    >>> entry(tokenizer, 257)
    {'id': 257, 'piece': '6162', 'slot': 5, 'kind': 'token'}
    >>> entry(tokenizer, 0)["kind"]
    'special'
    """
    kind = kind_of(tokenizer, id)
    if id == UNKNOWN_ID:
        return {"id": id, "piece": b"<unk>".hex(), "slot": 0, "kind": kind}
    piece = tokenizer.vocabulary[id]
    return {"id": id, "piece": piece.hex(), "slot": slot(tokenizer.model.meaning(id)), "kind": kind}


def kind_of(tokenizer: engine.Tokenizer, id: int) -> Kind:
    """Tell what an id is: ordinary, special, or what stands for all that is unknown."""
    if id in (UNKNOWN_ID, tokenizer.model.unknown):
        return "unknown"
    return "special" if id in tokenizer.vocabulary.specials.values() else "token"


def strip(
    encoding: engine.Encoding,
    tokenizer: engine.Tokenizer,
    name: str,
    *,
    group: str = "tokenize",
    marks: bool = True,
    large: bool = False,
    notation: str = "text",
) -> dict[str, object]:
    """Turn an encoding into the data of `components.token_strip`.

    Args:
        encoding: The text and its tokens.
        tokenizer: Whose tokens they are.
        name: What the tokenizer is called.
        group: Strips of one group light up together.
        marks: Whether hidden characters are drawn.
        large: For a projector.
        notation: Pieces in the readout as "text", or as "bytes" in the letters of byte-level vocabularies.
    """
    ids, entries = np.unique(encoding.ids, return_inverse=True)
    return {
        "text": encoding.text,
        "starts": encoding.spans[:, 0].tolist(),
        "stops": encoding.spans[:, 1].tolist(),
        "entry": entries.tolist(),
        "entries": [entry(tokenizer, id) for id in ids.tolist()],
        "name": name,
        "group": group,
        "marks": marks,
        "size": "large" if large else "normal",
        "ids": True,
        "readout": True,
        "notation": notation,
    }
