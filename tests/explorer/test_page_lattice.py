"""The page Lattice as Streamlit runs it, without a browser."""

from __future__ import annotations

import pytest

from tests.explorer.apps import component, opened, packed


def test_the_first_visit_shows_a_word_of_t5() -> None:
    data = component(opened("lattice"), "characters")
    assert "".join(data["characters"]) == "▁unbelievable"
    assert [bytes.fromhex(edge["piece"]).decode() for edge in data["edges"] if edge["best"]] == ["▁unbelievable"]


def test_a_link_holds_text_tokenizer_word_and_lot() -> None:
    text = packed("すべての人間は")
    data = component(opened("lattice", code="mt5-base", text=text, at="12", alpha="0.5", seed="7"), "characters")
    assert "人間" in "".join(data["characters"])
    assert data["lists"][1]["note"] == "200 draws, alpha 0.5, seed 7"


def test_another_model_is_refused_with_a_reason() -> None:
    at = opened("lattice", code="gpt2")
    assert "unigram model" in at.warning[0].value


@pytest.mark.parametrize("text", ["", " ", "\u202eab\x00", "<b>x</b>"])
def test_any_text_has_a_picture(text: str) -> None:
    at = opened("lattice", text=packed(text))
    assert not at.exception
    assert component(at, "characters")["name"]
