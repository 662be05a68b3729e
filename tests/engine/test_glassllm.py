"""GlassLLM, a teaching tokenizer: its known values, and its file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.decoders import GLASSLLM_SPECIALS
from engine.training import TrainingRun


def trained(text: str, size: int = 1000) -> TrainingRun:
    return engine.train(
        text,
        vocab_size=size,
        alphabet="characters",
        normalizers=["nfc"],
        pre_tokenizer="glassllm",
        tie="smallest",
        special_tokens=GLASSLLM_SPECIALS,
    )


RUN = trained("banana banana\n", 32)
TOKENIZER = RUN.tokenizer


def test_words() -> None:
    def words(text: str) -> list[str]:
        return [told.text for told in TOKENIZER.explain(text)]

    assert words("Olá mundo\n") == ["Olá", "▁mundo", "\n"]
    assert words("Ola\u0301 mundo\n") == ["Olá", "▁mundo", "\n"]
    assert words("a  b\n\n c\td ") == ["a", "▁", "▁b", "\n", "\n", "▁c\td", "▁"]


def test_banana() -> None:
    assert [step.piece.decode() for step in RUN.steps] == ["an", "ana", "anana", "banana", "▁banana"]
    assert RUN.stopped == "exhausted"
    assert TOKENIZER.vocab_size == 14
    assert [piece.decode() for piece in TOKENIZER.vocabulary][:9] == [*GLASSLLM_SPECIALS, "\n", "a", "b", "n", "▁"]


def test_the_unknown_id_and_the_way_back() -> None:
    assert TOKENIZER.encode("🧪").ids.tolist() == [TOKENIZER.vocabulary.specials["<unk>"]]
    assert TOKENIZER.encode("").ids.tolist() == []
    ids = TOKENIZER.encode("banana🧪 ▁banana\n").ids.tolist()
    assert TOKENIZER.decode([2, *ids, 3, 0]) == "banana\u2047  banana\n"
    assert TOKENIZER.decode(TOKENIZER.encode(" banana").ids) == " banana"
    assert not TOKENIZER.lossless


def test_a_size_that_is_too_small_names_both_numbers() -> None:
    with pytest.raises(ValueError, match="at least 9, 4 special tokens and an alphabet of 5; got 8"):
        trained("banana banana\n", 8)


def test_ties_go_by_the_alphabet() -> None:
    assert [step.piece for step in trained("zy zy ab ab", 40).steps][:2] == [b"ab", b"zy"]


def test_the_file(tmp_path: Path) -> None:
    engine.save(TOKENIZER, tmp_path / "banana.glassllm.json")
    content = json.loads((tmp_path / "banana.glassllm.json").read_text("utf-8"))
    assert (content["version"], content["alphabet"]) == (1, ["\n", "a", "b", "n", "▁"])
    assert content["merges"][0] == ["a", "n"]
    again = engine.load(tmp_path / "banana.glassllm.json")
    assert list(again.vocabulary) == list(TOKENIZER.vocabulary)
    assert again.vocabulary.specials == TOKENIZER.vocabulary.specials


@given(st.text(st.sampled_from("ban \n\t▁🧪é\u0301")))
def test_a_file_gives_the_same_ids(text: str) -> None:
    again = LOADED
    ids = TOKENIZER.encode(text).ids.tolist()
    assert again.encode(text).ids.tolist() == ids
    assert again.decode(ids) == TOKENIZER.decode(ids)


def written(**changes: Any) -> bytes:
    content = {"version": 1, "alphabet": ["a", "b", "▁"], "merges": [["a", "b"], ["▁", "ab"]]}
    return json.dumps(content | changes).encode()


PAIRS = [[TOKENIZER.vocabulary[id].decode() for id in (step.left, step.right)] for step in RUN.steps]
LOADED = engine.load(written(alphabet=["\n", "a", "b", "n", "▁"], merges=PAIRS))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": 2}, "version: the version must be 1; got 2"),
        ({"alphabet": "ab"}, "alphabet: here a list of characters"),
        ({"alphabet": ["a", "bc"]}, r"alphabet\[1\]: here one character .* got 'bc'"),
        ({"alphabet": [" ", "a"]}, r"alphabet\[0\]: .*no space"),
        ({"alphabet": ["b", "a"]}, r"alphabet\[1\]: the characters must rise .*'a' follows 'b'"),
        ({"alphabet": ["a", "a"]}, r"alphabet\[1\]: the characters must rise"),
        ({"merges": {}}, "merges: here a list of pairs"),
        ({"merges": [["a", "b", "a"]]}, r"merges\[0\]: here a pair of pieces"),
        ({"merges": ["a b"]}, r"merges\[0\]: here a pair of pieces"),
        ({"merges": [["ab", "a"]]}, r"merges\[0\]: 'ab' is neither in the alphabet"),
        ({"merges": [["a", "<unk>"]]}, r"merges\[0\]: '<unk>' is neither"),
        ({"merges": [["a", "b"], ["a", "b"]]}, r"merges\[1\]: the pair 'a' 'b' stands here for the second time"),
    ],
)
def test_broken_files_name_the_place(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=f"the given bytes, {said}"):
        engine.load(written(**changes))


def test_what_the_file_cannot_say_is_refused(tmp_path: Path) -> None:
    for tokenizer, said in (
        (engine.pretrained("gpt2"), "BPE over characters"),
        (engine.from_merges("abc", [("a", "b")]), "composed"),
        (engine.train("ab", alphabet="characters", normalizers=["nfc"], pre_tokenizer="glassllm").tokenizer, "others"),
    ):
        with pytest.raises(ValueError, match=said):
            engine.save(tokenizer, tmp_path / "x.glassllm.json")
    plain = engine.train("ab", pre_tokenizer="glassllm").tokenizer
    with pytest.raises(ValueError, match="one special token decodes to"):
        engine.save(plain, tmp_path / "tokenizer.json")
