"""Encoding, decoding, loading and length curves, ours and the peers', side by side.

`python -m tests.benchmarks.encoding` writes its sections of RESULTS.md. bpe-openai 0.1.4 is left out: it refuses texts
of more than 200,000 tokens.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import gigatoken
import numpy as np
import sentencepiece
import tiktoken
import tokenizers
import tokie

import engine
from engine import corpora
from engine.pretrained import _read, catalogue, stored
from tests.benchmarks.harness import Contender, alternate, publish, table
from tests.benchmarks.texts import mixed
from tests.engine.exactness import official_tiktoken

os.environ.setdefault("TIKTOKEN_CACHE_DIR", tempfile.mkdtemp())

NAMES = {"gpt2": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"}
ROUNDS = 5
SIZES = 1.0, 10.0  # MB


def encode(name: str, megabytes: float) -> None:
    """Compare encoding a text that nobody has seen, once with words known from other text of the kind."""
    text, other = _two_texts(megabytes)
    ours = engine.pretrained(name)
    ours.encode(other)  # makes the tables
    expected = ours.encode(text).ids
    rank_file, hub_file = _files(name)
    tik = official_tiktoken(name)
    giga = partial(gigatoken.Tokenizer.from_tiktoken, str(rank_file), NAMES[name])
    for peer in (tik.encode_ordinary, lambda text: giga().encode(text)):
        assert np.array_equal(expected, _ids(peer(text)))
    contenders = [
        Contender("Tokenglass, unseen text", _prepared(lambda: replace(ours), lambda made: made.encode(text).ids)),
        Contender("Tokenglass, warm", _prepared(lambda: _warmed(replace(ours), other), lambda t: t.encode(text).ids)),
        Contender("gigatoken, unseen text", _prepared(giga, lambda made: made.encode(text)), "gigatoken"),
        Contender("gigatoken, warm", _prepared(lambda: _warmed(giga(), other), lambda t: t.encode(text)), "gigatoken"),
        Contender("tiktoken", lambda: tik.encode_ordinary(text), "tiktoken"),
    ]
    if hub_file:
        hub = tokenizers.Tokenizer.from_file(str(hub_file))
        assert np.array_equal(expected, hub.encode(text).ids)
        contenders.append(Contender("tokenizers", lambda: hub.encode(text).ids, "tokenizers"))
        other_hub = tokie.Tokenizer.from_json(str(hub_file))
        if np.array_equal(expected, _ids(other_hub.encode(text))):
            contenders.append(Contender("tokie", lambda: other_hub.encode(text), "tokie"))
    size = len(text.encode()) / 1e6
    lines = table(alternate(contenders, ROUNDS), size)
    publish(f"Encoding, {name}, {megabytes:g} MB: from text to an array of ids", lines)


def decode(name: str, megabytes: float) -> None:
    """Compare decoding ids to a text."""
    text, _ = _two_texts(megabytes)
    ours, tik = engine.pretrained(name), official_tiktoken(name)
    giga = gigatoken.Tokenizer.from_tiktoken(str(_files(name)[0]), NAMES[name])
    ids = ours.encode(text).ids
    listed, theirs = ids.tolist(), giga.encode(text)
    assert ours.decode(ids) == tik.decode(listed) == giga.decode(theirs).decode() == text
    contenders = [
        Contender("Tokenglass", lambda: ours.decode(ids)),
        Contender("gigatoken", lambda: giga.decode(theirs).decode(), "gigatoken"),
        Contender("tiktoken", lambda: tik.decode(listed), "tiktoken"),
    ]
    lines = table(alternate(contenders, ROUNDS), len(text.encode()) / 1e6)
    publish(f"Decoding, {name}, {megabytes:g} MB: from ids to a text", lines)


def load() -> None:
    """Compare loading vocabularies, from the file as it was published."""
    rank_file = _files("o200k_base")[0]
    model_file = stored(catalogue()["mt5-base"].files[0]).data
    hub_file = _written(stored(catalogue()["deepseek-v4"].files[0]).data, "deepseek.json")
    fresh = _read.__wrapped__
    kinds = {
        "o200k_base, 200,019 pieces": [
            Contender("Tokenglass, unpacking and checking included", lambda: fresh("o200k_base")),
            Contender("tiktoken", lambda: _tiktoken(rank_file), "tiktoken"),
            Contender("gigatoken", lambda: gigatoken.Tokenizer.from_tiktoken(str(rank_file), "o200k"), "gigatoken"),
        ],
        "mt5-base, 250,100 pieces": [
            Contender("Tokenglass, unpacking and checking included", lambda: fresh("mt5-base")),
            Contender(
                "sentencepiece", lambda: sentencepiece.SentencePieceProcessor(model_proto=model_file), "sentencepiece"
            ),
        ],
        "deepseek-v4, 129,280 pieces": [
            Contender("Tokenglass, unpacking and checking included", lambda: fresh("deepseek-v4")),
            Contender("tokenizers", lambda: tokenizers.Tokenizer.from_file(str(hub_file)), "tokenizers"),
        ],
    }
    for kind, contenders in kinds.items():
        publish(f"Loading {kind}", table(alternate(contenders, ROUNDS)))


def curves() -> None:
    """Time the length of 106 languages at every size of a 32k run."""
    texts = [corpora.text(name) for name in corpora.names("udhr")]
    tokenizer = engine.train(mixed(10), vocab_size=32_000).tokenizer
    job = Contender("Tokenglass", lambda: [tokenizer.length_curve(text) for text in texts])
    for text in texts[:3]:
        assert tokenizer.length_curve(text)[1][-1] == len(tokenizer.encode(text).ids)
    heading = f"Length curves, {len(texts)} languages, every size up to {tokenizer.vocab_size:,}"
    publish(heading, table(alternate([job], ROUNDS), sum(len(text.encode()) for text in texts) / 1e6))


def long_runs() -> None:
    """Show how encoding grows on words without an end, which are the worst there is."""
    lines = ["| text | tokenizer | MB | CPU s | tokens |", "|---|---|---|---|---|"]
    for name in ("gpt2", "cl100k_base"):
        tokenizer = engine.pretrained(name)
        for label, part, count in (("a", "a", 1), ("^", "^", 1), ("one word", "supercalifragilistic", 20)):
            for size in (100_000, 1_000_000, 10_000_000):
                text = part * (size // count)
                ids = tokenizer.encode(text).ids
                (timing,) = alternate([Contender(label, partial(tokenizer.encode, text))], 3)
                lines.append(f"| {label} | {name} | {size / 1e6:g} | {timing.median:.3g} | {len(ids):,} |")
    publish("Encoding one long run", lines)


def _two_texts(megabytes: float) -> tuple[str, str]:
    """Return a text, and another of the kind: documents by turns."""
    documents = mixed(2 * megabytes)
    return "\n".join(documents[::2]), "\n".join(documents[1::2])


def _prepared(make: Callable[[], Any], job: Callable[[Any], object]) -> Callable[[], object]:
    """Return a job that takes, each time, one of some objects that were made before the clock starts."""
    made = [make() for _ in range(ROUNDS)]
    return lambda: job(made.pop())


def _warmed(tokenizer: Any, text: str) -> Any:
    tokenizer.encode(text)
    return tokenizer


def _ids(found: Any) -> Any:
    return np.asarray(getattr(found, "ids", found))


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


def main() -> None:
    """Measure everything."""
    engine.warm()
    for megabytes in SIZES:
        for name in NAMES:
            encode(name, megabytes)
        decode("cl100k_base", megabytes)
    load()
    curves()
    long_runs()


if __name__ == "__main__":
    main()
