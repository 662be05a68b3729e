"""What an audit finds in real vocabularies."""

from __future__ import annotations

import pytest

from engine.audit import Audit, audit
from engine.corpora import text
from engine.pretrained import pretrained


@pytest.mark.parametrize(
    ("name", "fragments", "unreachable"),
    [
        ("gpt2", 216, 0),
        ("cl100k_base", 645, 0),
        (
            "o200k_base",
            1434,
            8,
        ),  # 4 more are tokens only before a small letter: 亚洲AV as such is 亚洲|AV, 亚洲AVa is 亚洲AV|a
        ("bert-base-uncased", 0, 995),  # [unused0] and the like, which the split parts, and "..."
        ("mistral-7b-v0.1", 0, 0),  # most pieces never open a text, as a space is put before it
        ("t5-base", 0, 2),
    ],
)
def test_fragments_and_unreachable_pieces(name: str, fragments: int, unreachable: int) -> None:
    found = audit(pretrained(name))
    assert (len(found.fragments), len(found.unreachable), found.duplicates) == (fragments, unreachable, ())
    what_texts_are_cut_into_is_reached(name, found)


def test_what_a_normalizer_rewrites_is_not_reached() -> None:
    found = audit(pretrained("qwen2"))
    pieces = [pretrained("qwen2").vocabulary[id].decode() for id in found.unreachable]
    assert len(pieces) == 1909
    assert "\uf971" in pieces  # a compatibility ideograph, which NFC replaces


def test_capitals_of_clip_are_not_reached() -> None:
    clip, found = pretrained("clip"), audit(pretrained("clip"))
    pieces = {clip.vocabulary[id] for id in found.unreachable}
    assert {b"A", b"A</w>", b"Z"} <= pieces
    assert b"a</w>" not in pieces
    what_texts_are_cut_into_is_reached("clip", found)


def what_texts_are_cut_into_is_reached(name: str, found: Audit) -> None:
    tokenizer = pretrained(name)
    texts = [text(f"udhr/{tag}") for tag in ("en", "fr", "vi", "ja", "hi", "ar", "ko")]
    used = {id for each in texts for id in tokenizer.encode(each).ids.tolist()} - {tokenizer.model.unknown}
    assert not used & set(found.unreachable)
