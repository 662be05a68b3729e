"""A page that shows an editor and two token strips on small tokenizers of its own; `?case=` chooses the text."""

from __future__ import annotations

import re
import zlib

import streamlit as st

from explorer.components.text_editor import text_editor
from explorer.components.token_strip import token_strip

TEXTS = {
    "scripts": "The café opens at 08:30.\nالمدرسة في المدينة\nक्षत्रिय हिन्दी\n机器阅读文字\n👩🏽‍🚀 🇧🇷\tdone",
    "hostile": "<script>window.hurt = 1</script> <img src=x onerror='window.hurt = 1'>\n"
    "&amp; a\0b\u200bc\u00ad d\x07e\ufeff\r\nend",
    "empty": "",
    "spaces": "one  two\n\n\nthree",
}


def words(text: str) -> list[tuple[int, int, bytes]]:
    """Cut before each space and each line end: (start, stop, piece) in bytes."""
    tokens, at = [], 0
    for match in re.finditer(r" ?[^\s]+|\s", text):
        piece = match[0].encode()
        tokens.append((at, at + len(piece), piece))
        at += len(piece)
    return tokens


def pairs(text: str) -> list[tuple[int, int, bytes]]:
    """Cut after every second byte, through characters and graphemes alike."""
    data = text.encode()
    return [(i, min(i + 2, len(data)), data[i : i + 2]) for i in range(0, len(data), 2)]


def single(text: str) -> list[tuple[int, int, bytes]]:
    """Make every byte a token."""
    return [(i, i + 1, bytes([byte])) for i, byte in enumerate(text.encode())]


def view(name: str, text: str, tokens: list[tuple[int, int, bytes]], **options: object) -> dict[str, object]:
    """Make the data of a strip; ids are given in order of first use."""
    kinds = options.pop("kinds", {})
    ids: dict[bytes, int] = {}
    entry = [ids.setdefault(piece, len(ids)) for _, _, piece in tokens]
    entries = [
        {"id": 1000 + i, "piece": piece.hex(), "slot": zlib.crc32(piece) & 7, "kind": kinds.get(piece, "token")}
        for piece, i in ids.items()
    ]
    starts, stops = [start for start, _, _ in tokens], [stop for _, stop, _ in tokens]
    data = {"text": text, "starts": starts, "stops": stops, "entry": entry, "entries": entries, "name": name}
    shown = {"group": "page", "marks": True, "size": "normal", "ids": True, "readout": True, "notation": "text"}
    return {**data, **shown, **options}


def two_strips(text: str) -> None:
    """Show the text cut into words, and beside it into pairs of bytes."""
    left, right = st.columns(2, gap="medium")
    with left:
        first = token_strip(view("words", text, words(text)), key="words")
    with right:
        second = token_strip(view("pairs", text, pairs(text)), key="pairs")
    st.text(f"chosen {first} {second}")


def odd_tokens() -> None:
    """Show what is no plain token: special, unknown, a gap, tokens without width, tokens that share their bytes."""
    text = "<s>low cafe\u0301 xyz"
    tokens = [
        (0, 3, b"<s>"),
        (3, 6, b"low"),
        (6, 6, b"</w>"),
        (7, 10, b"caf"),
        (10, 13, b"\xc3"),
        (10, 13, b"\xa9"),
        (14, 17, b"<unk>"),
    ]
    options = {"kinds": {b"<s>": "special", b"<unk>": "unknown"}}
    token_strip(view("odd", text, tokens, **options), key="odd")


def large() -> None:
    """Show 100,000 tokens: on one line, or with `&lines=1` on many."""
    word = "the quick brown fox jumps over the lazy dog"
    text = (word + ("\n" if st.query_params.get("lines") else " ")) * 3000
    text = text[:100_000]
    token_strip(view("bytes", text, single(text)), key="large")


@st.fragment
def live() -> None:
    """Show an editor over two strips; the button puts another text in."""
    st.session_state.setdefault("version", 0)
    if st.button("Example"):
        st.session_state.version += 1
    value = f"example {st.session_state.version}"
    limit = int(st.query_params.get("limit", 100_000))
    text = text_editor(
        value,
        key="editor",
        version=st.session_state.version,
        label="Text",
        placeholder="Type or paste a text. Any language, any script.",
        max_bytes=limit,
    )
    st.text(f"{len(text)} characters: {text[-40:]!r}")
    two_strips(text)


def main() -> None:
    """Show the case that the address names."""
    st.set_page_config(layout="wide")
    case = st.query_params.get("case", "scripts")
    st.session_state.runs = st.session_state.get("runs", 0) + 1
    st.text(f"run {st.session_state.runs}")
    pages = {"odd": odd_tokens, "large": large, "live": live}
    pages.get(case, lambda: two_strips(TEXTS[case]))()


if __name__ == "__main__":
    main()
