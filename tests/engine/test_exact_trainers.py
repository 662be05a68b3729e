"""BPE training learns what the trainers of others learn, merge for merge, on a megabyte of mixed text."""

from __future__ import annotations

import json

import pytest

import engine
from engine import corpora, kernels
from engine.pre_tokenizers import GPT2
from engine.utf8 import to_printable

STEPS = 3000


@pytest.fixture(scope="module")
def text():
    each = [corpora.text(name) for kind in ("udhr", "prose", "code") for name in corpora.names(kind)]
    return "".join(part[:7500] for part in each)[:750_000]


@pytest.fixture(scope="module")
def counts(text):
    assert len(text.encode()) > 1_000_000
    return dict(engine.count_pre_tokens([[text]]))


@pytest.fixture(params=["python", "compiled"])
def way(request, monkeypatch):
    if request.param == "compiled":
        pytest.importorskip("numba")
        assert kernels.warm()
    monkeypatch.setattr(kernels, "serve", lambda size, least=0: request.param == "compiled")


def test_rustbpe(text, counts, way):
    rustbpe = pytest.importorskip("rustbpe")
    peer = rustbpe.Tokenizer()
    peer.train_from_iterator([text], 256 + STEPS, pattern=GPT2.pattern)
    learned = [bytes(piece) for piece, _ in sorted(peer.get_mergeable_ranks(), key=lambda row: row[1])]
    run = engine.train(counts, vocab_size=256 + STEPS)
    assert len(run.steps) == STEPS
    assert list(run.tokenizer.vocabulary) == learned


def test_tokenizers(text, counts, way):
    tokenizers = pytest.importorskip("tokenizers")
    peer = tokenizers.Tokenizer(tokenizers.models.BPE())
    peer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=256 + STEPS,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    peer.train_from_iterator([text], trainer)
    learned = [tuple(pair) for pair in json.loads(peer.to_str())["model"]["merges"]]
    # Of equal pairs it takes the one whose letters, not bytes, come first: so train on the letters.
    letters = {to_printable(word.encode()): count for word, count in counts.items()}
    run = engine.train(letters, vocab_size=None, max_steps=STEPS, alphabet="characters")
    pieces = [piece.decode() for piece in run.tokenizer.vocabulary]
    merges = zip(run.columns.left.tolist(), run.columns.right.tolist(), strict=True)
    assert [(pieces[left], pieces[right]) for left, right in merges] == learned
