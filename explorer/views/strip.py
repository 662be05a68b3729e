"""What the token strip draws."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

import engine
from engine.encoding import UNKNOWN_ID
from explorer.palette import slot


def entries(tokenizer: engine.Tokenizer, ids: Iterable[int]) -> list[dict[str, object]]:
    """Describe ids: the piece as the vocabulary writes it, in hex; its fill; what kind of token it is.

    >>> tokenizer = engine.from_merges("bytes", [("a", "b")], special_tokens=["<s>"])
    >>> special, merged = entries(tokenizer, [0, 257])
    >>> merged, special["kind"]
    ({'id': 257, 'piece': '6162', 'slot': 5, 'kind': 'token'}, 'special')
    """
    specials = set(tokenizer.vocabulary.specials.values())
    unknown = {UNKNOWN_ID, tokenizer.model.unknown}
    return [
        {
            "id": id,
            "piece": _piece(tokenizer, id).hex(),
            "slot": 0 if id == UNKNOWN_ID else slot(tokenizer.meaning(id)),
            "kind": "unknown" if id in unknown else "special" if id in specials else "token",
        }
        for id in ids
    ]


def strip(
    encoding: engine.Encoding,
    tokenizer: engine.Tokenizer,
    name: str,
    *,
    group: str = "tokenize",
    marks: bool = True,
    large: bool = False,
    notation: str = "text",
    card: str = "",
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
        card: The address of the tokens' cards, to which an id is added; "" for none.
    """
    ids, places = np.unique(encoding.ids, return_inverse=True)
    return {
        "text": encoding.text,
        "starts": encoding.spans[:, 0].tolist(),
        "stops": encoding.spans[:, 1].tolist(),
        "entry": places.tolist(),
        "entries": entries(tokenizer, ids.tolist()),
        "name": name,
        "group": group,
        "marks": marks,
        "size": "large" if large else "normal",
        "ids": True,
        "readout": True,
        "notation": notation,
        "card": card,
    }


def decoded(
    ids: list[int],
    tokenizer: engine.Tokenizer,
    name: str,
    *,
    group: str,
    marks: bool = True,
    large: bool = False,
) -> dict[str, object]:
    """Turn ids into the data of a strip of the text they decode to.

    Where some bytes are no whole character, the text has U+FFFD in their place and stands without fills.

    Raises:
        ValueError: An id is outside the vocabulary.
    """
    spelled = list(tokenizer.spell(ids))
    text = b"".join(spelled).decode("utf-8", "replace")
    whole = text.encode() == b"".join(spelled)
    stops = np.cumsum([len(added) for added in spelled], dtype=np.int64).tolist() if whole else []
    distinct, places = np.unique(np.array(ids if whole else [], np.int64), return_inverse=True)
    return {
        "text": text,
        "starts": [0, *stops[:-1]] if stops else [],
        "stops": stops,
        "entry": places.tolist(),
        "entries": entries(tokenizer, distinct.tolist()),
        "name": name,
        "group": group,
        "marks": marks,
        "size": "large" if large else "normal",
        "ids": False,
        "readout": False,
        "notation": "text",
    }


def _piece(tokenizer: engine.Tokenizer, id: int) -> bytes:
    return b"<unk>" if id == UNKNOWN_ID else tokenizer.vocabulary[id]
