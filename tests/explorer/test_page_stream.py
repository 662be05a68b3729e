"""The Stream page as Streamlit runs it, without a browser."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.explorer.apps import component, opened, packed

PAGE = "stream"


def player(at: AppTest) -> dict[str, Any]:
    return component(at, "parts")


def test_the_first_visit_cuts_the_known_example() -> None:
    data = player(opened(PAGE))
    assert [part["given"] for part in data["parts"]] == ["Go", "€", "→", "🙂"]
    assert data["movable"]


def test_tokens_as_parts() -> None:
    data = player(opened(PAGE, by="tokens", text=packed("naïve 🙂")))
    assert "".join(part["given"] for part in data["parts"]) == "naïve 🙂"
    assert not data["movable"]
    assert all(part["label"].isdigit() for part in data["parts"])


def test_a_stop_string_ends_the_stream() -> None:
    data = player(opened(PAGE, text=packed("one END two"), cuts="5,8", stop=packed("END")))
    assert "".join(part["given"] for part in data["parts"]) == "one "
    assert data["stopped"] == 1


@pytest.mark.parametrize("text", ["", "a", "🙂", "\x00", "<img src=x onerror=alert(1)>", "é" * 6000])
def test_any_text(text: str) -> None:
    at = opened(PAGE, text=packed(text), by="tokens")
    data = player(at)
    assert "".join(part["given"] for part in data["parts"]) == text.encode()[:4000].decode("utf-8", "ignore")


def test_hostile_cuts_give_the_default_and_a_word() -> None:
    at = opened(PAGE, cuts="3,-1,<b>")
    assert len(at.warning) == 1
    assert len(player(at)["parts"]) == 4


def test_a_link_opens_the_page_for_a_projector() -> None:
    assert player(opened(PAGE, large="on"))["large"]
    assert not player(opened(PAGE))["large"]
