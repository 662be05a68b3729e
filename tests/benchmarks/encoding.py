"""Encoding, decoding, loading and length curves, ours and the peers', side by side.

Each encodes with the ranks that were published for GPT-2, cl100k and o200k. Unseen text is read by a tokenizer that has
read nothing yet, but has its tables; the warm one has read other text of the kind and size.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import tiktoken

import engine
from engine import corpora
from engine.pretrained import _read, catalogue, stored
from tests.benchmarks.harness import Contender, demand_equal, measure, table
from tests.benchmarks.peers import Corpus
from tests.benchmarks.results import publish
from tests.benchmarks.texts import unseen
from tests.benchmarks.training import limit
from tests.engine.exactness import official_tiktoken

os.environ.setdefault("TIKTOKEN_CACHE_DIR", tempfile.mkdtemp())

NAMES = {"gpt2": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"}

OF_BPE_OPENAI = ("cl100k_base", "o200k_base")  # those whose ranks it brings along

_PART = 100_000  # code points that bpe-openai gets at a time


def encode(corpus: Corpus, name: str, rounds: int) -> None:
    """Compare encoding a text that nobody has seen, once with words known from other text of the kind."""
    text, other = unseen(corpus.name, corpus.megabytes)
    corpus.__dict__["text"] = text  # the limit is that of this text
    rank_file, hub_file = _files(name)
    ours = engine.pretrained(name)
    ours.encode("The tables are made once.")

    def giga() -> Any:
        import gigatoken

        return gigatoken.Tokenizer.from_tiktoken(str(rank_file), NAMES[name])

    def hub() -> Any:
        import tokenizers

        return tokenizers.Tokenizer.from_file(str(hub_file))

    def tokie() -> Any:
        import tokie

        return tokie.Tokenizer.from_json(str(hub_file))

    def openai() -> Any:
        import bpe_openai

        return bpe_openai.get_encoding(name)

    def contender(label: str, prepare: Any, job: Any, package: str | None = None) -> Contender:
        return Contender(label, job, package, prepare, _digest)

    contenders = [
        contender("Tokenglass, unseen text", lambda: replace(ours), lambda made: made.encode(text).ids),
        contender("Tokenglass, warm", lambda: _warmed(replace(ours), other), lambda made: made.encode(text).ids),
        contender("gigatoken, unseen text", giga, lambda made: made.encode(text), "gigatoken"),
        contender("gigatoken, warm", lambda: _warmed(giga(), other), lambda made: made.encode(text), "gigatoken"),
        contender(
            "tiktoken",
            lambda: official_tiktoken(name),
            lambda made: made.encode_to_numpy(text, disallowed_special=()),
            "tiktoken",
        ),
    ]
    notes = []
    if hub_file:
        contenders.append(contender("tokenizers", hub, lambda made: made.encode(text).ids, "tokenizers"))
        contenders.append(contender("tokie", tokie, lambda made: made.encode(text), "tokie"))
    else:
        notes.append("tokenizers and tokie are left out: their file cannot say this vocabulary.")
    expected = {}
    if name in OF_BPE_OPENAI:
        parts = [text[start : start + _PART] for start in range(0, len(text), _PART)]
        label = f"bpe-openai, in parts of {_PART:,}"
        contenders.append(contender(label, openai, lambda made: _in_parts(made, parts), "bpe-openai"))
        expected[label] = _digest(np.concatenate([ours.encode(part).ids for part in parts]))
        notes.append("bpe-openai refuses more than 200,000 tokens; its ids are compared with ours of the same parts.")
    timings = measure([*contenders, limit(corpus)], rounds)
    equal = {}
    for timing in timings[1:-1]:
        label, first = timing.contender.name, timings[0].alone.outcome
        same = timing.alone.outcome == expected.get(label, first)
        equal[label] = "equal" if same else "DIFFERENT"
    notes = [" ".join(notes), ""] if notes else []
    publish(f"Encoding, {name}, {corpus}", [*notes, *table(timings, _megabytes(text), {"ids": equal})])


def decode(corpus: Corpus, name: str, rounds: int) -> None:
    """Compare decoding ids to a text."""
    text, _ = unseen(corpus.name, corpus.megabytes)
    corpus.__dict__["text"] = text
    ours, rank_file = engine.pretrained(name), _files(name)[0]
    ids = ours.encode(text).ids
    listed = ids.tolist()

    def giga() -> Any:
        import gigatoken

        made = gigatoken.Tokenizer.from_tiktoken(str(rank_file), NAMES[name])
        return made, made.encode(text)

    def told(text: str) -> bytes:
        return blake2b(text.encode()).digest()

    contenders = [
        Contender("Tokenglass", lambda _: ours.decode(ids), outcome=told),
        Contender("gigatoken", lambda made: made[0].decode(made[1]).decode(), "gigatoken", giga, told),
        Contender(
            "tiktoken", lambda made: made.decode(listed), "tiktoken", lambda: official_tiktoken(name), outcome=told
        ),
    ]
    timings = measure([*contenders, limit(corpus)], rounds)
    demand_equal(timings[:3])
    publish(f"Decoding, {name}, {corpus}", ["To a str. Equal texts.", "", *table(timings, _megabytes(text))])


def load(rounds: int) -> None:
    """Compare loading vocabularies, from the file as it was published."""
    rank_file = _files("o200k_base")[0]
    model_file = stored(catalogue()["mt5-base"].files[0]).data
    hub_file = _written(stored(catalogue()["deepseek-v4"].files[0]).data, "deepseek.json")

    def ours(name: str) -> Contender:
        return Contender(
            "Tokenglass, unpacking and checking included",
            lambda _: _read(name),
            outcome=lambda made: made.vocab_size,
        )

    def giga(_: None) -> Any:
        import gigatoken

        return gigatoken.Tokenizer.from_tiktoken(str(rank_file), "o200k")

    def piece(_: None) -> Any:
        import sentencepiece

        return sentencepiece.SentencePieceProcessor(model_proto=model_file)

    def hub(_: None) -> Any:
        import tokenizers

        return tokenizers.Tokenizer.from_file(str(hub_file))

    kinds: dict[str, Sequence[Contender]] = {
        "o200k_base, 200,019 pieces": [
            Contender("tiktoken", lambda _: _tiktoken(rank_file), "tiktoken"),
            Contender("gigatoken", giga, "gigatoken"),
        ],
        "mt5-base, 250,100 pieces": [Contender("sentencepiece", piece, "sentencepiece")],
        "deepseek-v4, 129,280 pieces": [Contender("tokenizers", hub, "tokenizers")],
    }
    for kind, contenders in kinds.items():
        publish(f"Loading {kind}", table(measure([ours(kind.split(",")[0]), *contenders], rounds)))


def curves(rounds: int, corpus: Corpus) -> None:
    """Time the length of 106 languages at every size of a 32k run."""
    languages = [corpora.text(name) for name in corpora.names("udhr")]
    tokenizer = engine.train(corpus.text, vocab_size=32_000).tokenizer
    for text in languages[:3]:
        if tokenizer.length_curve(text)[1][-1] != len(tokenizer.encode(text).ids):
            raise ValueError("the last length of a curve is not that of the encoding")
    job = Contender("Tokenglass", lambda _: [tokenizer.length_curve(text) for text in languages])
    heading = f"Length curves, {len(languages)} languages, every size up to {tokenizer.vocab_size:,}"
    publish(heading, table(measure([job], rounds), sum(map(_megabytes, languages))))


def _megabytes(text: str) -> float:
    return len(text.encode()) / 1e6


def _in_parts(peer: Any, parts: Sequence[str]) -> Any:
    return np.concatenate([peer.encode_to_numpy(part, disallowed_special=()) for part in parts])


def _warmed(tokenizer: Any, text: str) -> Any:
    tokenizer.encode(text)
    return tokenizer


def _digest(found: Any) -> bytes:
    return blake2b(np.asarray(getattr(found, "ids", found), np.int64).tobytes()).digest()


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp())


def _written(data: bytes, name: str) -> Path:
    path = _folder() / name
    path.write_bytes(data)
    return path


@cache
def _files(name: str) -> tuple[Path, Path | None]:
    """Return the file of ranks, and a tokenizer.json if the format can say the same."""
    ranks = _written(stored(catalogue()[name].files[0]).data, f"{name}.tiktoken")
    hub = _folder() / f"{name}.json"
    try:
        engine.save(engine.pretrained(name), hub, "tokenizer.json")
    except ValueError:
        return ranks, None
    return ranks, hub


def _tiktoken(path: Path) -> tiktoken.Encoding:
    ranks = tiktoken.load.load_tiktoken_bpe(str(path))
    return tiktoken.Encoding("o200k", pat_str=r"\p{L}+|\s+|\S", mergeable_ranks=ranks, special_tokens={})
