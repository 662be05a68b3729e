"""Other splits, and overlaps merged from the wrong side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from explorer.views.comparisons import from_right, overlaps, splits

GPT2 = engine.pretrained("gpt2")


def test_dog_dog_dog():
    rows = {row.label: [piece.decode() for piece in row.pieces] for row in splits("dog. dog! dog?", own="o")}
    assert rows["whitespace"] == ["dog.", "dog!", "dog?"]
    assert rows["gpt2"] == ["dog", ".", " dog", "!", " dog", "?"]
    assert rows["bert"] == ["dog", ".", "dog", "!", "dog", "?"]
    assert rows["metaspace"] == ["▁dog.", "▁dog!", "▁dog?"]
    assert rows["whole"] == ["dog. dog! dog?"]
    assert rows["pattern"][:3] == ["d", "o", "g. d"]
    assert set(engine.PRE_TOKENIZERS) < set(rows)


def test_a_broken_pattern_is_an_error():
    with pytest.raises(ValueError, match="is not a regular expression"):
        splits("dog", own="(")


def test_eee_in_gpt2():
    # Merged from the left, as every library does: ee|e. Ids by tiktoken: [1453, 68].
    found = overlaps(GPT2, "eee")
    assert [(each.word, each.left, each.right) for each in found] == [("eee", [b"ee", b"e"], [b"e", b"ee"])]
    assert GPT2.encode("eee").ids.tolist() == [1453, 68]
    assert overlaps(GPT2, "The cat sat") == []


@given(text=st.text("ab", max_size=12))
def test_without_overlaps_both_sides_agree(text):
    model = engine.from_merges("bytes", [("a", "b")]).model
    assert from_right(model, text) == list(model.encode(text).ids)


@given(text=st.text("e", max_size=12))
def test_both_sides_spell_the_text(text):
    model = engine.from_merges("bytes", [("e", "e"), ("ee", "ee")]).model
    ids = from_right(model, text)
    assert b"".join(model.vocabulary[id] for id in ids).decode() == text
