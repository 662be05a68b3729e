"""Where the card of a token is found: each has an address of its own."""

from __future__ import annotations

from urllib.parse import quote


def card_base(code: str, corpus: str = "") -> str:
    """Return the address of the cards of a tokenizer, to which an id is added.

    >>> card_base("gpt2") + "464"
    'token?tokenizer=gpt2&id=464'
    """
    kept = f"corpus={quote(corpus, safe='/')}&" if corpus else ""
    return f"token?tokenizer={quote(code, safe='~:,/.')}&{kept}id="
