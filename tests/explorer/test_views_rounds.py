"""The round view: every frame is the encoding at that round, and every list is that of the run."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from explorer import figures
from explorer.views import rounds
from explorer.views.lattice import around, stretches
from explorer.views.player import LONGEST_PASSAGE, passage

HOSTILE = st.text(st.one_of(st.characters(), st.sampled_from("aaab \n\t\x00é🙂\u0301\u200d\ud800ﷺ▁मिا<")), max_size=40)
CORPUS = "the low lower lowest newest widest wide café naïve 🙂🙂 aaaab aaab ▁▁ मिल्ना مرحبا \ufdfa\n" * 3
SPLITS = ("dummy-prefix", "metaspace", "whole", "gpt2")
RUNS = {split: engine.train(CORPUS, "unigram", 70, pre_tokenizer=split) for split in SPLITS}
RUNS["bytes"] = engine.train(CORPUS, "unigram", 330, pre_tokenizer="dummy-prefix", byte_fallback=True)


def standing(data: Any, k: int) -> list[int]:
    """Return the boundaries that the player would draw after round `k`."""
    bits = bytes.fromhex(data["frames"]["cuts"][k])
    return [at for j, at in enumerate(data["boundaries"]) if bits[j >> 3] >> (j & 7) & 1]


@pytest.mark.parametrize("name", RUNS)
@given(text=HOSTILE)
@settings(max_examples=40, deadline=None)
def test_every_frame_is_the_encoding_after_that_round(name: str, text: str) -> None:
    run = RUNS[name]
    data: Any = rounds.trace(run, text, 0, 0)
    json.dumps(data).encode()
    shown = passage(run, text)
    assert data["passage"] == shown.text
    for k in range(len(run.rounds)):
        model = run.tokenizer_at(k).model
        expected = [at + stop for word, at in shown.parts for stop in model.encode(word).stops[:-1]]
        assert standing(data, k) == expected
    words = [tuple(span) for span in data["words"]]
    assert b"".join(shown.text.encode()[start:stop] for start, stop in words).decode() == "".join(
        word for word, _ in shown.parts
    )


def test_columns_and_lists_are_those_of_the_run() -> None:
    run = RUNS["metaspace"]
    data: Any = rounds.trace(run, "the lowest", 99, 99)
    assert data["step"] == len(run.steps) == len(data["columns"]["length"]) == len(data["rounds"]) - 1
    assert data["word"] == 1
    assert data["columns"]["size"] == [step.size for step in run.steps]
    assert data["columns"]["pruned"] == [len(step.pruned) for step in run.steps]
    assert rounds.gone_table(run, 0) == []
    for k, step in enumerate(run.steps, 1):
        gone = rounds.gone_table(run, k)
        losses = [row["loss, nats"] for row in gone if row["loss, nats"] is not None]
        assert losses == sorted(losses)
        assert len(gone) == len(step.pruned)
        left: Any = rounds.left_table(run, k)
        assert len(left) == step.size
        assert [row["probability"] for row in left] == sorted((row["probability"] for row in left), reverse=True)
        assert left[0]["probability"] == pytest.approx(math.exp(left[0]["log probability, nats"]))
    curves = rounds.curves(run)
    assert curves.size[0] - sum(data["columns"]["pruned"]) == curves.size[-1]


def test_a_word_is_found_again_in_another_round() -> None:
    run = RUNS["dummy-prefix"]
    last = stretches(run.tokenizer, "the lowest newest")
    assert [part.text for part in last] == ["▁the", "▁lowest", "▁newest"]
    seeds = stretches(run.tokenizer_at(0), "the lowest newest")
    found = around(seeds, last[1])
    assert found is not None
    assert "lowest" in found.text
    assert around([], last[1]) is None


def test_a_passage_is_cut_at_its_limit() -> None:
    data = rounds.trace(RUNS["gpt2"], "a" * 5000, 0, 0)
    assert data["passage"] == "a" * LONGEST_PASSAGE


def test_the_chosen_round_stands_out_by_shape_too() -> None:
    figure = figures.rounds([3.0, 2.0, 1.0], 1, "dark")
    assert figure.data[0].marker.symbol == ("circle", "diamond", "circle")
