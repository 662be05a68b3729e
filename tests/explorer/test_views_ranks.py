"""The merges of tokenizers that were not trained here, over a passage."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings

import engine
from explorer.views.player import PASSAGE
from explorer.views.ranks import rank_trace
from tests.engine.hostile import texts

MERGING = ["gpt2", "o200k_base", "mistral-7b-v0.1", "deepseek-v4", "clip"]


def check(tokenizer: engine.Tokenizer, text: str) -> None:
    data = rank_trace(tokenizer, "it", text)
    columns: dict[str, list[int]] = data["columns"]  # type: ignore[assignment]
    ranks, entries, first = data["ranks"], data["entries"], data["first_id"]
    assert ranks == sorted(set(ranks))  # type: ignore[arg-type,call-overload]
    lengths = [data["initial_length"], *columns["length"]]
    if not tokenizer.added:
        assert lengths[-1] == len(tokenizer.encode(text))
    parts = list(zip(columns["left"], columns["right"], strict=True))

    def fires(entry: int) -> int:
        """The step at which a piece is there: not before its parts, which may have higher ranks."""
        step = entry - first  # type: ignore[operator]
        return max(step, *map(fires, parts[step])) if step >= 0 else -1

    for step, (before, after) in enumerate(pairwise(lengths)):
        assert before > after or (before == after and fires(first + step) > step)  # type: ignore[operator]
    for step, (left, right) in enumerate(parts):
        made = bytes.fromhex(entries[first + step]["piece"])  # type: ignore[index,operator]
        assert made == bytes.fromhex(entries[left]["piece"] + entries[right]["piece"])  # type: ignore[index]


@pytest.mark.parametrize("name", MERGING)
def test_every_step_is_a_merge_and_the_last_is_the_encoding(name: str) -> None:
    check(engine.pretrained(name), PASSAGE)
    check(engine.pretrained(name), "   ")  # in mistral, four spaces have a lower rank than the three they are made of

    @settings(max_examples=40, database=None, deadline=None)
    @given(texts)
    def run(text: str) -> None:
        check(engine.pretrained(name), text)

    run()


def test_the_ids_and_ranks_are_those_of_the_vocabulary() -> None:
    data = rank_trace(engine.pretrained("gpt2"), "gpt2", " the")
    assert data["ranks"] == [0, 2, 6]
    assert data["columns"] == {"left": [3, 1, 4], "right": [2, 0, 5], "length": [3, 2, 1]}
    assert [entry["id"] for entry in data["entries"]] == [68, 71, 83, 220, 256, 258, 262]  # type: ignore[attr-defined]
    assert data["ranked"] == 50_000


@pytest.mark.parametrize(("name", "said"), [("t5-base", "Unigram weighs"), ("bert-base-uncased", "longest piece")])
def test_what_has_no_merges_says_what_it_does(name: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"no merges in {name}: .*{said}"):
        rank_trace(engine.pretrained(name), name, PASSAGE)


def test_an_empty_passage_has_no_steps() -> None:
    assert rank_trace(engine.pretrained("gpt2"), "gpt2", "")["ranks"] == []
