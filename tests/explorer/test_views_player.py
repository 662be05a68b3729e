"""The trace of a passage is the run itself: every frame equals an encoding at that step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import groupby, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from explorer.limits import LARGEST_RIVALS
from explorer.palette import slot
from explorer.views import player

MOBY = engine.corpora.text("prose/en_moby_dick_1851")
LOW = engine.corpora.counts("toy/low_newest_widest")
HUG = engine.corpora.counts("toy/hug_pug")

HOSTILE = st.text(st.one_of(st.characters(), st.sampled_from("aaab \n\t\x00é🙂\u0301\u200d\ud800ﷺ▁मिا<")), max_size=40)


def standing(data: Mapping[str, Any], step: int) -> list[int]:
    """The boundaries that a player draws after a step, by the contract of the component."""
    if data["vanish"] is not None:
        return [at for at, gone in zip(data["boundaries"], data["vanish"], strict=True) if gone > step]
    frame = max(i for i, since in enumerate(data["frames"]["steps"]) if since <= step)
    bits = bytes.fromhex(data["frames"]["cuts"][frame])
    return [at for j, at in enumerate(data["boundaries"]) if bits[j >> 3] >> (j & 7) & 1]


def cut_by_encoding(
    run: engine.TrainingRun, shown: player.Passage, step: int
) -> tuple[list[int], list[tuple[int, int]]]:
    """Inner boundaries and unknown spans of every pre-token, by the model of the first steps."""
    model = run.tokenizer_at(step).model
    mark = len(run.recipe.end_of_word.encode())
    inner: list[int] = []
    unknown: list[tuple[int, int]] = []
    for word, at in shown.parts:
        cut = model.encode(word)
        stops = [at + stop for stop in cut.stops]
        stops[-1] += mark
        starts = [at, *stops[:-1]]
        inner += stops[:-1]
        unknown += [
            span for span, id in zip(zip(starts, stops, strict=True), cut.ids, strict=True) if id == model.unknown
        ]
    return inner, unknown


def check(run: engine.TrainingRun, text: str) -> dict[str, Any]:
    data = player.trace(run, text, 0)
    json.dumps(data).encode()  # no NumPy number, no lone surrogate
    shown = player.passage(run, text)
    assert data["passage"] == shown.text
    size = len(shown.text.encode())
    for step in {*range(min(4, len(run.steps) + 1)), len(run.steps) // 2, len(run.steps)}:
        inner, unknown = cut_by_encoding(run, shown, step)
        assert standing(data, step) == inner
        assert [tuple(span) for span in data["unknown"]] == unknown
    covered = sorted(
        [(at, at + len((word + run.recipe.end_of_word).encode())) for word, at in shown.parts] + shown.gaps
    )
    assert [0, *(stop for _, stop in covered)] == [*(start for start, _ in covered), size]
    return data


RECIPES: dict[str, dict[str, Any]] = {
    "bytes": {},
    "whole": {"pre_tokenizer": "whole", "tie": "first"},
    "seen bytes": {"alphabet": "seen-bytes"},
    "characters": {"alphabet": "characters", "pre_tokenizer": "whitespace"},
    "own mark": {"alphabet": "characters", "pre_tokenizer": "whitespace", "end_of_word": "</w>"},
    "fused mark": {"pre_tokenizer": "whitespace", "end_of_word": "</w>", "end_of_word_joined": True},
    "normalized": {"normalizers": ["nfkc", "lowercase", "strip_accents"], "pre_tokenizer": "metaspace"},
    "wordpiece": {"algorithm": "wordpiece", "pre_tokenizer": "bert", "normalizers": ["lowercase"]},
    "wordpiece whole": {"algorithm": "wordpiece", "pre_tokenizer": "whole", "tie": "random"},
}
CORPUS = "the low lower lowest newest widest wide café naïve 🙂🙂 aaaab aaab ▁▁ मिल्ना مرحبا \ufdfa\n" * 3
RUNS = {name: engine.train(CORPUS, vocab_size=None, max_steps=60, **recipe) for name, recipe in RECIPES.items()}


@pytest.mark.parametrize("name", RECIPES)
@given(text=HOSTILE)
@settings(max_examples=60, deadline=None)
def test_every_frame_is_the_encoding_at_that_step(name: str, text: str) -> None:
    check(RUNS[name], text)


@pytest.mark.parametrize("name", RECIPES)
def test_the_text_of_the_corpus_itself(name: str) -> None:
    check(RUNS[name], CORPUS)


def test_the_ready_run_is_the_one_of_the_mock_up() -> None:
    """Counted by the naive trainer behind the mock-up of this page: 93 tokens and 81 of 117 merges at step 268."""
    run = engine.train(MOBY, vocab_size=None, max_steps=2000)
    data = check(run, player.PASSAGE)
    tokens = len(standing(data, 268)) + len(data["fixed"]) + 1
    events = sorted(set(data["vanish"]) - {2001})
    assert (tokens, sum(step <= 268 for step in events), len(events)) == (93, 81, 117)
    assert data["columns"]["length"][267] == 28_265
    assert data["initial_length"] == 60_778
    assert data["initial_unit"] == "bytes"
    rivals = player.rivals(run, 268)
    assert rivals is not None
    rows: Any = rivals["rows"]
    pieces = run.model.vocabulary
    assert (rows[0]["left"], rows[0]["right"]) == (297, 491)
    assert [(pieces[row["left"]], pieces[row["right"]], row["count"], row["note"]) for row in rows[:4]] == [
        (b" l", b"ittle", 24, "merged"),
        (b" ro", b"om", 24, "tied, higher id"),
        (b" li", b"ke", 24, "tied, higher id"),
        (b" ", b"if", 23, ""),
    ]


def test_the_mark_of_a_words_end_is_drawn_and_has_no_part_in_the_fill() -> None:
    """Sennrich et al. 2016: after ten steps low</w> | low e r </w> | newest</w> | wi d est</w>."""
    recipe = RECIPES["own mark"] | {"tie": "first"}
    run = engine.train(LOW, vocab_size=None, max_steps=10, **recipe)
    data = player.trace(run, "low lower newest widest", 10)
    assert data["passage"] == "low</w> lower</w> newest</w> widest</w>"
    edges = sorted({0, *standing(data, 10), *data["fixed"], len(str(data["passage"]))})
    raw = str(data["passage"])
    tokens = [raw[start:stop] for start, stop in pairwise(edges)]
    assert tokens == ["low</w>", " ", "low", "e", "r", "</w>", " ", "newest</w>", " ", "wi", "d", "est</w>"]
    slots = {raw[start:stop]: fill for start, stop, fill in data["slots"]}  # type: ignore[attr-defined]
    assert slots["low</w>"] == slots["low"] == slot(b"low")
    assert data["initial_unit"] == "symbols"


def test_wordpiece_shows_what_its_score_is_made_of() -> None:
    """Course of Hugging Face, chapter 6: ##gs first, by 5 / (20 * 5)."""
    run = engine.train(HUG, algorithm="wordpiece", vocab_size=None, max_steps=3)
    data = check(run, "hugs mug hug")
    columns: Any = data["columns"]
    assert (columns["count"][0], columns["left_count"][0], columns["right_count"][0]) == (5, 20, 5)
    rivals: Any = player.rivals(run, 1)
    assert rivals["rows"][0]["score"] == "1/20"
    entries: Any = data["entries"]
    assert bytes.fromhex(entries[run.first_id]["piece"]) == b"##gs"
    assert entries[run.first_id]["slot"] == slot(b"gs")
    assert entries[0] == {"piece": b"[UNK]".hex(), "slot": -1, "learned": False}


def test_cuts_of_wordpiece_come_back() -> None:
    """A longer first match can leave a rest that is cut more finely: a + ##bc, then ab + ##c."""
    run = engine.train({"xbc": 9, "ab": 2, "a": 9, "c": 9}, algorithm="wordpiece", vocab_size=None, max_steps=9)
    data = check(run, "abc")
    history = [standing(data, step) for step in range(len(run.steps) + 1)]
    assert [cuts for cuts, _ in groupby(history)] == [[1, 2], [1], [2]]


def test_rivals_are_left_out_where_they_take_too_long() -> None:
    run = engine.train({"ab" * (LARGEST_RIVALS // 2 + 1): 1}, vocab_size=None, max_steps=1)
    found: Any = player.rivals(run, 1)
    assert found["rows"] == []
    assert "200,000" in found["note"]
    assert player.rivals(run, 0) is None
    assert player.rivals(run, 2) is None


@pytest.mark.parametrize(
    ("tie", "loser"),
    [
        ("lowest-id", "tied, higher id"),
        ("first", "tied, stands later"),
        ("smallest", "tied, larger piece"),
        ("largest", "tied, smaller piece"),
        ("random", "tied, drawn later"),
    ],
)
def test_the_first_rival_is_the_one_that_was_merged(tie: Any, loser: str) -> None:
    run = engine.train("ab cd ef ab cd ef", vocab_size=None, max_steps=3, tie=tie, seed=5)
    rows: Any = (player.rivals(run, 1) or {})["rows"]
    assert (rows[0]["left"], rows[0]["right"]) == (run.steps[0].left, run.steps[0].right)
    assert [row["note"] for row in rows[:2]] == ["merged", loser]


def test_a_passage_is_cut_at_its_limit() -> None:
    run = RUNS["bytes"]
    assert player.trace(run, "a" * 5000, 0)["passage"] == "a" * player.LONGEST_PASSAGE
    # U+FDFA is 18 code points in NFKC: the normalized text has a limit of its own.
    longest = player.trace(RUNS["normalized"], "\ufdfa" * 2000, 0)["passage"]
    assert len(str(longest)) == 8000


def test_a_player_never_begins_beyond_its_run() -> None:
    assert player.trace(RUNS["bytes"], "a", 10_000)["step"] == len(RUNS["bytes"].steps)


@given(text=HOSTILE)
@settings(max_examples=60, deadline=None)
def test_longest_matches_are_those_of_the_encoding(text: str) -> None:
    run = RUNS["wordpiece"]
    words = player.passage(run, text[: player.LONGEST_PASSAGE]).parts
    for step in (0, len(run.steps) // 2, len(run.steps)):
        model = run.tokenizer_at(step).model
        for number, (word, _) in enumerate(words[:5]):
            told: Any = player.matches(run, text, step, number)
            pieces = [row["piece"] for row in told["rows"]]
            ids = model.encode(word).ids
            if model.unknown in ids:
                assert pieces[-1:] in ([None], [])
            else:
                assert [bytes.fromhex(piece) for piece in pieces] == [model.vocabulary[id] for id in ids]
    assert player.matches(run, text, 0, 10_000) is None


def test_longest_match_tries_the_longest_first() -> None:
    run = engine.train(HUG, algorithm="wordpiece", vocab_size=None, max_steps=2, pre_tokenizer="whitespace")
    told: Any = player.matches(run, "hugs mug", 2, 0)
    assert [[bytes.fromhex(piece).decode() for piece in row["tried"]] for row in told["rows"]] == [
        ["hugs", "hug", "hu"],
        ["##ugs"],
        [],
    ]
    assert [bytes.fromhex(row["piece"]).decode() for row in told["rows"]] == ["h", "##ug", "##s"]
    assert player.matches(RUNS["bytes"], "a", 0, 0) is None
    assert "more than 100 characters" in str(player.matches(run, "a" * 101, 0, 0))
