"""What a server makes ready behind its first visitor."""

from __future__ import annotations

import pytest

import engine
from explorer import warming
from explorer.jobs import Jobs
from explorer.measuring import reading_code, weight


def test_tokenizers_and_words_are_there_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "catalogue", lambda: ("gpt2",))
    passage = engine.Passage.of(["one two", "three"])
    monkeypatch.setattr(warming, "sample_passages", lambda name: {"en": passage})
    read = Jobs[dict[str, engine.Sample]](weight)
    monkeypatch.setattr(warming, "measurements", lambda: read)
    for step in warming._steps():
        step()
    found = read.find(reading_code("gpt2", "declaration"))
    assert found is not None
    expected = engine.Sample.of(engine.pretrained("gpt2"), passage)
    assert found.future.result()["en"].ids.tolist() == expected.ids.tolist()
    assert engine.pretrained("gpt2") is engine.pretrained("r50k_base")
    assert {"text", "starts"} <= vars(passage).keys()
