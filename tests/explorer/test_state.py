"""Settings between session, widgets and address, run by Streamlit without a browser."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from explorer import links, recipes
from explorer.state import words_with_counts
from explorer.texts import Texts


def page() -> None:
    """A page of one setting of each kind, which writes down what it sees."""
    import streamlit as st

    from explorer import settings
    from explorer.page_state import PageState
    from explorer.recipes import digest
    from explorer.tokenizers import ENGLISH

    known = {
        "text": settings.text("hello"),
        "unit": settings.choice("tokens", ["tokens", "bytes"]),
        "langs": settings.several(("en",), ["en", "ar", "hi"]),
        "step": settings.number(0, 0, 100, fleeting=True),
        "on": settings.flag(True),
        "letters": settings.flag(False, everywhere=True),
        "tok": settings.tokenizer(ENGLISH, ("none",)),
    }
    view = PageState("demo", known)
    st.selectbox("unit", ["tokens", "bytes"], key=view.widget("unit"))
    st.number_input("step", 0, 100, key=view.widget("step"))
    st.toggle("on", key=view.widget("on"))
    view["text"] = st.text_input("text", view["text"], key=f"typed.{view.opened}")

    def preset() -> None:
        view.put(unit="bytes", text="preset", on=False)

    st.button("preset", on_click=preset)
    query, too_long = view.query()
    st.session_state["seen"] = {
        "values": {name: view[name] for name in known},
        "query": query,
        "too_long": too_long,
        "problems": view.problems,
        "opened": view.opened,
        "lasting": view.lasting(),
        "digest": digest(""),
    }


def opened(query: dict[str, str] | None = None) -> AppTest:
    at = AppTest.from_function(page, default_timeout=30)
    for name, value in (query or {}).items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def seen(at: AppTest) -> dict[str, Any]:
    return dict(at.session_state["seen"])


def packed(text: str) -> str:
    return links.pack(text) or ""


def test_defaults_make_an_empty_query() -> None:
    state = seen(opened())
    assert state["query"] == ""
    assert state["values"]["unit"] == "tokens"
    assert state["opened"] == 0


def test_what_differs_is_written_and_read_again() -> None:
    at = opened()
    at.selectbox[0].select("bytes")
    at.number_input[0].set_value(7)
    at.toggle[0].set_value(False)
    at.text_input[0].set_value("Olá & +=? 🙂")
    at.run()
    state = seen(at)
    assert state["query"] == f"text={packed('Olá & +=? 🙂')}&unit=bytes&step=7&on=off"
    query = {name: value[0] for name, value in parse_qs(state["query"], keep_blank_values=True).items()}
    again = seen(opened(query))
    assert again["values"] == state["values"]
    assert again["query"] == state["query"]
    assert again["problems"] == []


def test_nothing_chosen_survives_the_link() -> None:
    assert seen(opened({"langs": ""}))["values"]["langs"] == ()
    at = opened()
    at.session_state["view.demo.popped"] = "?langs=&text=" + packed("")
    at.run()
    assert seen(at)["values"]["langs"] == ()
    assert seen(at)["values"]["text"] == ""


def test_a_link_fills_the_widgets() -> None:
    at = opened({"unit": "bytes", "step": "42", "on": "off"})
    assert (at.selectbox[0].value, at.number_input[0].value, at.toggle[0].value) == ("bytes", 42, False)


def test_a_widget_wins_over_the_link_that_was_opened() -> None:
    at = opened({"unit": "bytes"})
    at.selectbox[0].select("tokens").run()
    assert seen(at)["values"]["unit"] == "tokens"
    at.run()
    assert seen(at)["query"] == ""


def test_what_the_page_sets_reaches_the_widgets() -> None:
    at = opened()
    at.button[0].click().run()
    assert (at.selectbox[0].value, at.toggle[0].value) == ("bytes", False)
    assert seen(at)["values"]["text"] == "preset"
    assert seen(at)["opened"] == 1


def test_going_back_brings_the_whole_view_back() -> None:
    at = opened({"unit": "bytes", "step": "9"})
    at.selectbox[0].select("tokens").run()
    at.session_state["view.demo.popped"] = "?unit=bytes"
    at.run()
    assert seen(at)["values"]["unit"] == at.selectbox[0].value == "bytes"
    assert seen(at)["values"]["step"] == at.number_input[0].value == 0
    assert seen(at)["opened"] == 2


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("unit", "kilos"),
        ("unit", "<script>alert(1)</script>"),
        ("step", "101"),
        ("step", "-1"),
        ("step", "1e3"),
        ("step", "9" * 4000),
        ("on", "yes"),
        ("langs", "en,xx"),
        ("text", "%%%"),
        ("tok", "bpe~corpus:nowhere"),
    ],
)
def test_a_damaged_value_gives_its_default_and_a_word(name: str, written: str) -> None:
    state = seen(opened({name: written, "on": "off"} if name != "on" else {name: written}))
    assert len(state["problems"]) == 1
    assert state["problems"][0].startswith(f"The link's “{name}” could not be read, so the default stands: ")
    assert len(state["problems"][0]) < 250
    assert state["values"][name] == seen(opened())["values"][name]
    if name != "on":
        assert state["values"]["on"] is False, "the rest of the link still counts"


def test_the_problem_is_said_once() -> None:
    at = opened({"unit": "kilos"})
    at.run()
    assert seen(at)["problems"] == []


def test_unknown_names_in_a_link_are_left_alone() -> None:
    state = seen(opened({"utm_source": "x", "embed": "true", "unit": "bytes"}))
    assert state["problems"] == []
    assert state["query"] == "unit=bytes"


def test_typing_makes_no_entry_in_the_history_but_a_decision_does() -> None:
    at = opened()
    before = seen(at)["lasting"]
    at.text_input[0].set_value("typed")
    at.number_input[0].set_value(3)
    at.run()
    assert seen(at)["lasting"] == before
    at.selectbox[0].select("bytes").run()
    assert seen(at)["lasting"] != before


def test_a_visitors_corpus_travels_with_the_recipe() -> None:
    text = "words of a visitor's own"
    code = f"bpe~corpus:text.{recipes.digest(text)}~steps:3"
    state = seen(opened({"tok": code, f"t.{recipes.digest(text)}": packed(text)}))
    assert state["values"]["tok"] == code
    query = {name: value[0] for name, value in parse_qs(state["query"]).items()}
    assert links.unpack(query[f"t.{recipes.digest(text)}"]) == text
    assert state["too_long"] == []


def test_a_text_that_is_too_long_is_named_and_left_out() -> None:
    at = opened()
    at.text_input[0].set_value("".join(chr(0x4E00 + (i * i * 7) % 20_000) for i in range(9_000))).run()
    state = seen(at)
    assert state["too_long"] == ["text"]
    assert state["query"] == "text=~"
    (problem,) = seen(opened({"text": "~"}))["problems"]
    assert problem == "The link could not hold its “text”, so the default stands: it was too long."


def test_texts_are_kept_by_digest_and_the_oldest_go() -> None:
    texts = Texts()
    name = texts.keep("abc")
    assert name == texts.keep("abc") == recipes.digest("abc")
    assert texts.get(name) == "abc"
    with pytest.raises(ValueError, match="not in the link; paste or upload it again"):
        texts.get(recipes.digest("other"))


def test_words_have_counts() -> None:
    assert words_with_counts("low 5\n\nlower 2\nlow 1\nnew") == {"low": 6, "lower": 2, "new": 1}
    for bad in ("low 0", "low -1", "low 1e3", "low 99999999999"):
        with pytest.raises(ValueError, match="line 1 has"):
            words_with_counts(bad)


def two_pages() -> None:
    """Two pages that share one setting and have another each of its own."""
    import streamlit as st

    from explorer import settings
    from explorer.page_state import PageState

    known = {"letters": settings.flag(False, everywhere=True), "marks": settings.flag(False)}
    name = st.radio("page", ["one", "two"])
    view = PageState(name, known)
    for each in known:
        st.toggle(each, key=view.widget(each))
    st.session_state["seen"] = view.query()[0]


def test_a_setting_of_everywhere_goes_along_to_the_next_page() -> None:
    at = AppTest.from_function(two_pages, default_timeout=30).run()
    at.toggle(key="one.letters").set_value(True)
    at.toggle(key="one.marks").set_value(True).run()
    assert at.session_state["seen"] == "letters=on&marks=on"
    at.radio[0].set_value("two").run()
    assert at.session_state["seen"] == "letters=on"
    at.toggle[0].set_value(False).run()
    at.radio[0].set_value("one").run()
    assert at.session_state["seen"] == "marks=on"
    assert not at.exception


def a_page_that_is_often_cut_short() -> None:
    """A page whose runs are whole from the second on; the third asks for its values again, the sixth decides on one."""
    import streamlit as st

    from explorer import settings
    from explorer.page_state import PageState

    runs = st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    view = PageState("short", {"unit": settings.choice("bytes", ["tokens", "bytes"])})
    if runs == 3:
        view.send_again()
    if runs == 6:
        view.put(unit="tokens")
    st.selectbox("unit", ["tokens", "bytes"], key=view.widget("unit"))
    if runs > 1:
        view.drawn()


def test_a_value_is_sent_until_the_page_was_drawn_whole() -> None:
    at = AppTest.from_function(a_page_that_is_often_cut_short, default_timeout=30)
    sent, ids = [], []
    for _ in range(6):
        at.run()
        sent.append(at.selectbox[0].proto.set_value)
        ids.append(at.selectbox[0].proto.id)
    assert sent == [True, True, True, False, False, True]
    assert ids[0] == ids[4] != ids[5], "what the page decides is the first value of a new widget"
    assert at.selectbox[0].value == "tokens"


def test_a_link_decides_what_is_shown_everywhere() -> None:
    at = AppTest.from_function(two_pages, default_timeout=30)
    at.query_params["letters"] = "on"
    at.run()
    at.radio[0].set_value("two").run()
    assert at.session_state["seen"] == "letters=on"
