"""The special tokens that the official libraries put around a text unless told not to."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import tokenizers

from engine.formats import hub_writer, load
from engine.pretrained import catalogue, pretrained, stored
from engine.train import train
from tests.engine.exactness import HOSTILE, official_sentencepiece

TEXTS = [text for text in HOSTILE if "<" not in text and "[" not in text]
PLAIN = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
SMALL = {
    "version": "1.0",
    "added_tokens": [{"id": id, "content": text, **PLAIN} for id, text in enumerate(["<s>", "</s>", "<pad>"])],
    "model": {"type": "WordLevel", "vocab": {"<s>": 0, "</s>": 1, "<pad>": 2, "low": 3, "?": 4}, "unk_token": "?"},
}

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True}


def template(*parts: str) -> dict[str, object]:
    """Make a template as the files have it; "A" is the text."""
    single: list[dict[str, object]] = [
        {"Sequence" if part == "A" else "SpecialToken": {"id": part, "type_id": 0}} for part in parts
    ]
    ids = {"<s>": 0, "</s>": 1, "both": [0, 1]}
    tokens = {
        name: {
            "id": name,
            "ids": ids[name] if name == "both" else [ids[name]],
            "tokens": ["<s>", "</s>"] if name == "both" else [name],
        }
        for name in parts
        if name != "A"
    }
    pair = [*single, {"Sequence": {"id": "B", "type_id": 0}}]
    return {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": tokens}


@pytest.mark.parametrize("text", TEXTS)
def test_bert(text: str) -> None:
    pieces = stored(catalogue()["bert-base-uncased"].files[0]).data.decode().removesuffix("\n").split("\n")
    official = tokenizers.BertWordPieceTokenizer({piece: id for id, piece in enumerate(pieces)}, lowercase=True)
    tokenizer = pretrained("bert-base-uncased")
    ids = tokenizer.with_specials(tokenizer.encode(text).ids).tolist()
    assert ids == official.encode(text).ids
    assert (ids[0], ids[-1]) == (101, 102)


@pytest.mark.parametrize("name", ["mistral-7b-v0.1", "t5-base", "mt5-base"])
@pytest.mark.parametrize("text", TEXTS)
def test_sentencepiece(name: str, text: str) -> None:
    tokenizer = pretrained(name)
    begins = name.startswith("mistral")
    expected = official_sentencepiece(name).encode(text, add_bos=begins, add_eos=not begins)
    assert tokenizer.with_specials(tokenizer.encode(text).ids).tolist() == expected


def test_the_others_of_the_catalogue() -> None:
    """Source of CLIP's: openai/CLIP, clip/clip.py, `tokenize`; the other libraries add none unless asked."""
    around = {name: (pretrained(name).before, pretrained(name).after) for name in catalogue()}
    assert around.pop("clip") == ((49406,), (49407,))
    assert {name for name, ids in around.items() if ids != ((), ())} == {
        "bert-base-uncased",
        "t5-base",
        "mt5-base",
        "mistral-7b-v0.1",
    }


@pytest.mark.parametrize(
    "processor",
    [
        None,
        BYTE_LEVEL,
        {"type": "BertProcessing", "sep": ["</s>", 1], "cls": ["<s>", 0]},
        {
            "type": "RobertaProcessing",
            "sep": ["</s>", 1],
            "cls": ["<s>", 0],
            "trim_offsets": True,
            "add_prefix_space": True,
        },
        template("<s>", "A"),
        template("A", "</s>"),
        template("both", "<s>", "A", "</s>", "both"),
        {"type": "Sequence", "processors": [BYTE_LEVEL, template("both", "A", "</s>")]},
    ],
)
def test_post_processors_of_files(processor: dict[str, object] | None) -> None:
    data = json.dumps({**SMALL, "post_processor": processor})
    tokenizer, official = load(data.encode()), tokenizers.Tokenizer.from_str(data)
    ids = tokenizer.encode("low").ids
    assert ids.tolist() == official.encode("low", add_special_tokens=False).ids
    assert tokenizer.with_specials(ids).tolist() == official.encode("low").ids


def test_they_are_saved() -> None:
    trained = train("low lower", vocab_size=262, special_tokens=["<s>", "</s>"]).tokenizer
    data = hub_writer.write(replace(trained, before=(0, 0), after=(1,)))
    again, official = load(data), tokenizers.Tokenizer.from_str(data.decode())
    assert (again.before, again.after) == ((0, 0), (1,))
    assert official.encode("low").ids == again.with_specials(trained.encode("low").ids).tolist()


@pytest.mark.parametrize(
    ("processor", "said"),
    [
        ({"type": "Magic"}, "post_processor: the post-processor Magic is not supported"),
        ({"type": "BertProcessing", "cls": ["<s>", -1]}, r"post_processor\.cls: here a token and its id must stand"),
        (
            {"type": "Sequence", "processors": [template("<s>", "A"), template("A", "</s>")]},
            "post_processor: only one of several post-processors may add tokens",
        ),
        (template("<s>"), r"post_processor\.single: the text must stand once; it stands 0 times"),
        ({**template("<s>", "A"), "special_tokens": {}}, r"post_processor\.special_tokens\.<s>: here an object"),
    ],
)
def test_broken_post_processors_name_the_place(processor: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=f"the given bytes, {said}"):
        load(json.dumps({**SMALL, "post_processor": processor}).encode())
