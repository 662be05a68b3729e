"""The scripts that all widgets share, called one by one in a browser without a page."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

SHARED = Path(__file__).parents[2] / "explorer" / "components" / "shared"


@pytest.fixture(scope="module")
def call(browser: Browser) -> Iterator[Callable[..., Any]]:
    """Evaluate a JavaScript function of one argument beside the shared functions."""
    source = "\n".join(path.read_text("utf-8") for path in sorted(SHARED.glob("*.js")))
    page = browser.new_page()

    def evaluate(function: str, argument: object = None) -> Any:
        return page.evaluate(
            "([source, code, argument]) => new Function(source + `; return (${code})`)()(argument)",
            [source, function, argument],
        )

    yield evaluate
    page.close()


def test_the_checksum_is_that_of_zlib(call: Callable[..., Any]) -> None:
    rng = random.Random(1)
    pieces = [rng.randbytes(n) for n in (0, 1, 2, 3, 20, 300)]
    got = call("all => all.map(hex => [crc32(hexBytes(hex)), slotOf(hexBytes(hex))])", [p.hex() for p in pieces])
    assert got == [[zlib.crc32(piece), zlib.crc32(piece) & 7] for piece in pieces]


def collision_rule(slots: list[int], lengths: list[int]) -> list[int]:
    """Place tokens from the longest to the shortest, each on the first slot whose tier no placed neighbor has."""
    placed: dict[int, int] = {}
    for i in sorted(range(len(slots)), key=lambda i: (-lengths[i], i)):
        if slots[i] < 0:
            continue
        taken = {placed[j] & 3 for j in (i - 1, i + 1) if j in placed}
        placed[i] = next((slots[i] + k) & 7 for k in range(8) if (slots[i] + k) & 3 not in taken)
    return [placed.get(i, -1) for i in range(len(slots))]


def test_neighbors_never_share_a_tier(call: Callable[..., Any]) -> None:
    rng = random.Random(2)
    for _ in range(40):
        n = rng.randrange(30)
        slots = [rng.choice([-1, 0, 0, 1, 2, 3, 4, 5, 6, 7]) for _ in range(n)]
        lengths = [rng.randrange(1, 5) for _ in range(n)]
        got = call("([slots, lengths]) => assignSlots(slots, lengths)", [slots, lengths])
        assert got == collision_rule(slots, lengths)
        assert all(a < 0 or b < 0 or a & 3 != b & 3 for a, b in pairwise(got))


def test_a_long_line_keeps_its_longest_pieces(call: Callable[..., Any]) -> None:
    assert call("([slots, lengths]) => assignSlots(slots, lengths)", [[3, 7, 3], [1, 5, 2]]) == [4, 7, 4]


@pytest.mark.parametrize(
    ("hex_bytes", "parts"),
    [
        ("", []),
        ("6162", ["ab"]),
        ("20e8aa", [" ", "E8 AA"]),
        ("ad61f09f9880", ["AD", "a😀"]),
        ("eda080", ["ED A0 80"]),  # a surrogate has no UTF-8
        ("c0af", ["C0 AF"]),  # nor has an overlong form
        ("efbfbd", ["\ufffd"]),  # the character U+FFFD is text
        ("f4908080", ["F4 90 80 80"]),  # beyond U+10FFFF
    ],
)
def test_bytes_that_are_no_characters_are_told_apart(
    call: Callable[..., Any], hex_bytes: str, parts: list[str]
) -> None:
    code = "hex => wholeCharacters(hexBytes(hex)).map(part => part.text ?? toHex(part.bytes))"
    assert call(code, hex_bytes) == parts


def test_the_printable_bytes_are_those_of_gpt2(call: Callable[..., Any]) -> None:
    # Source: bytes_to_unicode() in encoder.py of github.com/openai/gpt-2.
    direct = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    rest = [byte for byte in range(256) if byte not in direct]
    letters = {byte: chr(byte) for byte in direct} | {byte: chr(256 + i) for i, byte in enumerate(rest)}
    assert call("bytes => byteLevel(bytes)", list(range(256))) == "".join(letters[byte] for byte in range(256))


@pytest.mark.parametrize(
    ("char", "name"),
    [
        ("\0", "NUL"), ("\x1b", "ESC"), ("\x7f", "DEL"), ("\x85", "NEL"), ("\x9f", "APC"), ("\u00a0", "NBSP"),
        ("\u00ad", "SHY"), ("\u200b", "ZWSP"), ("\u200d", "ZWJ"), ("\u200f", "RLM"), ("\u202e", "RLO"),
        ("\u2069", "PDI"), ("\u3000", "IDSP"), ("\ufe0f", "VS16"), ("\ufeff", "BOM"), ("\U000e0100", "VS17"),
        (" ", None), ("a", None), ("\u0301", None), ("\ufffd", None),
    ],
)  # fmt: skip
def test_hidden_characters_have_names(call: Callable[..., Any], char: str, name: str | None) -> None:
    assert call("char => hiddenName(char)", char) == name


DRAWN = """text => {
  const el = document.createElement("span")
  drawText(el, text)
  return [el.textContent, Array.from(el.querySelectorAll("i"), mark => [mark.className, mark.textContent])]
}"""


def test_marks_leave_the_text_and_the_glyphs_alone(call: Callable[..., Any]) -> None:
    for text in ("a  b", "👨‍👩‍👧❤️", "x\ty\r\n", "\u200b\0\u2069é", "e\u0301 \u0301", "می\u200cخ"):
        assert call(DRAWN, text)[0] == text
    assert call(DRAWN, "👨‍👩‍👧❤️")[1] == []  # joiners and selectors inside a glyph are no marks
    assert call(DRAWN, " a b")[1] == [["tg-sp", " "], ["tg-sp tg-sp-break", " "]]
    assert call(DRAWN, "\0")[1] == [["tg-zw", "\0"]]
    assert call(DRAWN, "ی\u200c")[1] == [["tg-zwj", "ی\u200c"]]


def chip(call: Callable[..., Any], piece: bytes, **look: object) -> dict[str, Any]:
    code = """([hex, look]) => {
      const chip = pieceChip(hexBytes(hex), look)
      return { text: chip.textContent, html: chip.innerHTML, kind: chip.className, slot: chip.dataset.s ?? null }
    }"""
    result: dict[str, Any] = call(code, [piece.hex(), look])
    return result


def test_chips_type_out_what_cannot_be_seen(call: Callable[..., Any]) -> None:
    assert chip(call, b" a\t\n\0")["text"] == "·a→↵NUL"
    assert chip(call, b"\xe8\xaa")["text"] == "E8 AA"
    assert chip(call, "़".encode())["text"] == "◌़"
    assert chip(call, b"\xc4\xa0a", notation="text")["text"] == "Ġa"
    assert chip(call, b" a", notation="bytes")["text"] == "Ġa"
    assert chip(call, b"<img src=x onerror=alert(1)>")["html"] == "&lt;img·src=x·onerror=alert(1)&gt;".replace(
        "·", '<i class="tg-hid">·</i>'
    )
    assert chip(call, b"a", slot=3) == {"text": "a", "html": "a", "kind": "tg-chip", "slot": "3"}
    assert chip(call, b"a", kind="special", ring="pin")["kind"] == "tg-chip tg-special tg-pin"


@pytest.mark.parametrize(
    ("before", "piece", "after", "text"),
    [
        ("ا", "لم", "د", "لم\u200d"),  # alef does not join what follows; meem does
        ("ل", "م", "د", "\u200dم\u200d"),
        ("ب", "ا", "ب", "\u200dا"),
        ("", "سلام", " ", "سلام"),
        ("", "क्", "ष", "क्\u200d"),  # a half form, not a visible virama
        ("क्", "ष", "त", "ष"),
        ("a", "b", "c", "b"),
    ],
)
def test_chips_join_as_the_text_does(call: Callable[..., Any], before: str, piece: str, after: str, text: str) -> None:
    assert chip(call, piece.encode(), before=before, after=after)["text"] == text
