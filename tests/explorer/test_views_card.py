"""How tokens were built, their relatives, what is odd about them."""

from __future__ import annotations

import pytest

import engine
from explorer.views.card import Node, flags, ids_of, merged_tree, trained_tree, variants
from explorer.views.vocabulary import table


def leaves(node: Node) -> list[Node]:
    return [leaf for part in node.parts for leaf in leaves(part)] if node.parts else [node]


def ranks_rise(node: Node) -> bool:
    ranks = [part.rank for part in node.parts if part.rank is not None]
    return all(node.rank is not None and rank < node.rank for rank in ranks) and all(map(ranks_rise, node.parts))


@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "clip", "mistral-7b-v0.1", "claude-2"])
def test_a_tree_goes_down_to_the_alphabet(name: str) -> None:
    tokenizer = engine.pretrained(name)
    model = tokenizer.model
    assert isinstance(model, engine.BPE)
    drawn = 0
    for id in range(600, min(tokenizer.vocab_size, 199_000), 997):
        node = merged_tree(model, id)
        if node is None:
            continue
        drawn += 1
        assert node.id == id
        pieces = b"".join(model.vocabulary[leaf.id] for leaf in leaves(node))
        assert pieces == model.vocabulary[id]
        assert all(leaf.rank is None for leaf in leaves(node))
    assert drawn > 0.9 * len(range(600, min(tokenizer.vocab_size, 199_000), 997))


@pytest.mark.parametrize("algorithm", ["bpe", "wordpiece"])
def test_a_trained_tree_is_the_history(algorithm: str) -> None:
    text = engine.corpora.text("toy/cat_mat")
    run = engine.train(text, algorithm, vocab_size=None, max_steps=30)
    for step, row in enumerate(run.steps):
        node = trained_tree(run, run.first_id + step)
        assert (node.rank, node.count) == (step, row.count)
        assert [part.id for part in node.parts] == [row.left, row.right]
        assert ranks_rise(node)


def test_a_word_taken_whole_has_no_parts() -> None:
    run = engine.train("the cat the mat", "word", vocab_size=None, max_steps=3, pre_tokenizer="whitespace")
    node = trained_tree(run, run.first_id)
    assert (node.parts, node.count) == ((), 2)


def test_relatives() -> None:
    assert "cats" in variants("cat").values()
    assert variants("cat")["with a space"] == " cat"
    assert "ſ" not in variants("s")
    assert variants("   ") == {}
    assert variants("Straße")["all capitals"] == "STRASSE"
    assert all(each != "CAT" for each in variants("CAT").values())


def test_ids_of_bytes() -> None:
    gpt2 = engine.pretrained("gpt2")
    assert ids_of(table(gpt2), [b" the", b"no such piece"])[b" the"] == gpt2.encode(" the").ids.tolist()


def test_flags_of_plain_tokens_are_none() -> None:
    gpt2 = engine.pretrained("gpt2")
    made = table(gpt2)
    assert flags(gpt2, made, gpt2.encode(" the").ids.tolist()[0]) == []
    assert flags(gpt2, made, 10**6) == []
