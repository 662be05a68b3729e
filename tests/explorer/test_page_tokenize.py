"""The Tokenize page as Streamlit runs it, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from explorer import links, words, words_comparisons
from explorer.examples import CHAT, EXAMPLES
from explorer.tokenizers import ENGLISH, TEN_LANGUAGES, catalogue
from tests.explorer.apps import widget

APP = str(Path(__file__).parents[2] / "app.py")
CATS = "bpe~corpus:toy/cat_mat~split:whole~steps:40~tie:first"


def opened(**query: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=60)
    for name, value in query.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def drawn(at: AppTest, holds: str) -> list[dict[str, Any]]:
    """The data of every component that has a key of that name."""
    found = [json.loads(block.proto.json) for block in at.get("bidi_component")]
    return [data for data in found if holds in data]


def strips(at: AppTest) -> list[dict[str, Any]]:
    return [data for data in drawn(at, "starts") if data["readout"]]


def show(text: str) -> AppTest:
    """Open the page with a text."""
    packed = links.pack(text)
    assert packed is not None
    return opened(text=packed)


def test_the_first_visit_shows_an_example_read_by_two() -> None:
    at = opened()
    first, second = strips(at)
    assert first["text"] == second["text"] == EXAMPLES["Five scripts"]
    assert (first["name"], second["name"]) == ("gpt2", "o200k_base")
    assert 0 < len(second["starts"]) < len(first["starts"])
    (examples,) = drawn(at, "options")
    assert examples["options"] == list(EXAMPLES)
    assert (examples["current"], examples["note"]) == ("Five scripts", "121 graphemes · 140 code points · 259 bytes")
    assert len(drawn(at, "pre_tokens")) == 2
    assert [data["good"] for data in drawn(at, "share")] == ["decodes to the same text"] * 2


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_read_and_marked(name: str) -> None:
    at = show(EXAMPLES[name])
    assert drawn(at, "options")[0]["current"] == name
    assert {strip["text"] for strip in strips(at)} == {EXAMPLES[name]}


def test_a_text_of_ones_own_is_no_example() -> None:
    assert drawn(show("mine"), "options")[0]["current"] is None


def test_special_tokens_are_read_where_the_switch_is_on() -> None:
    text = links.pack(EXAMPLES[CHAT]) or ""
    kinds = []
    for on in ("off", "on"):
        first = strips(opened(first="gpt2", text=text, specials=on))[0]
        kinds.append([entry["kind"] for entry in first["entries"]].count("special"))
    assert kinds == [0, 1]  # gpt2 has <|endoftext|> alone


def test_one_tokenizer_alone_has_the_whole_width() -> None:
    at = opened()
    at.selectbox(key="tokenize.second").select("none").run()
    assert not at.exception
    assert [strip["name"] for strip in strips(at)] == ["gpt2"]
    assert len(drawn(at, "pre_tokens")) == 1
    assert "one reading" in at.caption[0].value


def test_switches_reach_the_strips() -> None:
    at = opened(marks="off", letters="on", large="on")
    assert {(strip["marks"], strip["notation"], strip["size"]) for strip in strips(at)} == {(False, "bytes", "large")}
    assert {way["large"] for way in drawn(at, "pre_tokens")} == {True}
    assert [switch["on"] for switch in drawn(at, "switches")[0]["switches"]] == [False, True, False]


@pytest.mark.parametrize("name", catalogue())
def test_every_tokenizer_of_the_catalogue_reads(name: str) -> None:
    at = opened(first=name)
    first, _ = strips(at)
    assert first["name"] == name
    assert first["text"] == EXAMPLES["Five scripts"]
    assert not at.warning


def test_a_tokenizer_from_a_link_is_trained_and_named() -> None:
    at = opened(first=CATS, text=links.pack("The cat sat on the mat.") or "")
    assert strips(at)[0]["name"] == "BPE · The cat sat on the mat · 40 steps"
    assert len(strips(at)[0]["starts"]) == 3  # the run of the English toy corpus
    assert strips(at)[0]["name"] in at.selectbox(key="tokenize.first").options


def test_a_tokenizer_of_a_text_that_is_not_here_says_so_and_the_other_works() -> None:
    at = opened(first="bpe~corpus:text.0123456789abcdef~steps:5")
    needed, said = [warning.value for warning in at.warning]
    assert words.plain("(01234567…)") in needed
    assert said == words.plain("The corpus of this recipe is a text that is not in the link; paste or upload it again.")
    assert [strip["name"] for strip in strips(at)] == ["Ten-language BPE"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        " ",
        "\n\r\n",
        "🙂👩🏽‍🚀",
        "\x00\x01",
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "\u202eabc\u200f",
        "�",
        "e\u0301" * 50,
        "a" * 5000,
        "$x$ :smile: **b** `c`",
    ],
)
def test_any_text_is_shown_as_it_is(text: str) -> None:
    at = show(text)
    assert [strip["text"] for strip in strips(at)] == [text, text]
    assert not at.warning


def test_a_hundred_kilobytes_are_read_and_the_link_says_it_cannot_hold_them() -> None:
    at = AppTest.from_file(APP, default_timeout=60)
    text = "".join(chr(0x4E00 + (i * i * 7) % 20_000) for i in range(33_000))
    at.session_state["view.tokenize"] = {"text": text}
    at.run()
    assert not at.exception
    assert strips(at)[0]["text"] == text
    (note,) = [data["too_long"] for data in drawn(at, "too_long")]
    assert note.startswith("This text is too long for a link (")
    assert note.endswith("of 8). The link holds the recipe only.")
    assert parse_qs(drawn(at, "lasting")[0]["query"])["text"] == ["~"]  # so that who opens it is told what is missing


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    at = AppTest.from_file(APP, default_timeout=60)
    at.session_state["view.tokenize"] = {"text": "a\ud800b"}
    at.run()
    assert not at.exception
    assert strips(at)[0]["text"] == "a�b"


def test_open_sections_and_a_split_of_ones_own_are_in_the_link() -> None:
    at = opened(first="gpt2", second="none", splits="on", pattern="l+", text=str(links.pack("hello")))
    rows = next(data for data in drawn(at, "rows") if data.get("name") == words_comparisons.SPLITS)
    assert bytes.fromhex("".join(rows["rows"][-1]["pieces"])) == b"hello"
    assert len(rows["rows"][-1]["pieces"]) == 3
    at.session_state["tokenize.overlaps"] = True
    at.run()
    query = drawn(at, "query")[0]["query"]
    assert "splits=on" in query
    assert "overlaps=on&pattern=l%2B" in query


def test_ids_decode_beside_each_other() -> None:
    at = opened(ids=links.pack("[72, 105, 33]") or "")
    decoded = [data for data in drawn(at, "starts") if not data["readout"]]
    assert [data["text"] for data in decoded] == ["Hi!", "Hi!"]
    assert words.plain("3 ids in English BPE: 3 characters") in [caption.value for caption in at.caption]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("72 x", "An id is a whole number of up to 12 digits; number 2 in the list is 'x'."),
        ("99999", "Id must be from 0 to 2255, as the vocabulary has 2256 pieces; got 99999."),
        ("-1", "Id must be from 0 to 2255, as the vocabulary has 2256 pieces; got -1."),
        ("<script>", "An id is a whole number of up to 12 digits; number 1 in the list is '<script>'."),
    ],
)
def test_ids_that_mean_nothing_are_named(written: str, said: str) -> None:
    at = opened(ids=links.pack(written) or "")
    assert words.plain(said) in [warning.value for warning in at.warning]


def test_the_address_holds_the_tokenizers_and_what_differs_from_the_default() -> None:
    at = opened()
    assert drawn(at, "lasting")[0]["query"] == "first=gpt2&second=o200k_base"
    at.selectbox(key="tokenize.first").select(ENGLISH).run()
    at.selectbox(key="tokenize.second").select(TEN_LANGUAGES).run()
    assert drawn(at, "lasting")[0]["query"] == f"first={ENGLISH}&second={TEN_LANGUAGES}"


def test_a_link_without_tokenizers_means_the_two_that_were_first_when_it_was_made() -> None:
    assert [strip["name"] for strip in strips(show("a link"))] == ["English BPE", "Ten-language BPE"]


@pytest.mark.parametrize(
    "query",
    [
        {"text": "%%%"},
        {"text": (links.pack("cut short") or "")[:14]},
        {"first": "bpe~corpus:../../etc/passwd~steps:5"},
        {"first": "bpe~corpus:toy/cat_mat~steps:-1"},
        {"first": "none"},
        {"second": "<script>alert(1)</script>"},
        {"marks": "maybe"},
        {"at": "99999999999999999999"},
        {"ids": "A" * 9000},
        {"t.0123456789abcdef": "nonsense"},
    ],
)
def test_a_damaged_link_gives_the_default_and_a_word(query: dict[str, str]) -> None:
    at = opened(**query)
    assert len(at.warning) == 1
    assert words.plain("could not be read, so the default stands") in at.warning[0].value
    assert strips(at)[0]["text"] == EXAMPLES["Five scripts"]


def test_a_tokenizer_that_was_deleted_gives_way_to_the_first_that_is_left() -> None:
    at = show("a link")
    at.switch_page("explorer/pages/train.py").run()
    next(each for each in at.button if each.label == "Delete").click().run()  # English BPE stands first
    at.switch_page("explorer/pages/tokenize.py").run()
    assert not at.exception
    assert [strip["name"] for strip in strips(at)] == ["Ten-language BPE", "Ten-language BPE"]
    assert "English BPE" not in widget(at.selectbox, "tokenize.first").options
    at.switch_page("explorer/pages/train.py").run()
    assert [each.value for each in at.text_input if each.label == "Name"] == ["Ten-language BPE"]
