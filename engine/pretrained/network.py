"""Tokenizers by name from the network, through the official libraries; nothing of it runs when it is imported."""

from __future__ import annotations

import importlib
import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import ModuleType
from typing import Any, Final, TypeVar

from engine.formats import load, tiktoken
from engine.formats.source import Source
from engine.own_patterns import by_pattern
from engine.pre_tokenizers import PRE_TOKENIZERS
from engine.tokenizer import Tokenizer

SECONDS: Final = 5.0
"""How long the network may take."""

HUB_FILES: Final = ("tokenizer.json", "tokenizer.model", "spiece.model")
"""What is looked for in a repository of the Hub, in this order."""

_REPOSITORY = re.compile(r"[\w.-]{1,96}(?:/[\w.-]{1,96})?", re.ASCII)
_Result = TypeVar("_Result")


def load_named(name: str, seconds: float = SECONDS) -> Tokenizer:
    """Load a tokenizer by its name in an official library, which keeps the files it downloads.

    Args:
        name: "tiktoken:" and the name of an encoding ("tiktoken:p50k_base"), or "hub:" and a repository of the Hugging
            Face Hub ("hub:openai-community/gpt2"), of which one of `HUB_FILES` is read. Only public ones: no access
            token is sent.
        seconds: The time limit of the download.

    Raises:
        ValueError: The name is unknown, the library is not installed, the network cannot be reached in time, or the
            file is broken or not supported.
    """
    library, _, rest = name.partition(":")
    if library == "tiktoken":
        return _of_tiktoken(name, rest, seconds)
    if library == "hub" and _REPOSITORY.fullmatch(rest):
        return _of_hub(name, rest, seconds)
    raise ValueError(f'a name is "tiktoken:encoding" or "hub:owner/repository"; got {name!r}')


def _of_tiktoken(name: str, encoding: str, seconds: float) -> Tokenizer:
    library = _library("tiktoken", name)
    known = library.list_encoding_names()
    if encoding not in known:
        raise ValueError(f"tiktoken has no encoding named {encoding!r}; it has {', '.join(known)}")
    got: Any = _in_time(lambda: library.get_encoding(encoding), name, seconds)
    named = [split for split in PRE_TOKENIZERS.values() if split.pattern == got._pat_str]
    ranks = b"".join(b"%s %d\n" % (b64encode(piece), rank) for piece, rank in got._mergeable_ranks.items())
    split = named[0] if named else by_pattern(got._pat_str, encoding)
    made = tiktoken.read(Source(name, ranks), split, got._special_tokens, size=got.n_vocab)
    return replace(made, name=encoding)


def _of_hub(name: str, repository: str, seconds: float) -> Tokenizer:
    library = _library("huggingface_hub", name)
    missing = _library("huggingface_hub.errors", name).RemoteEntryNotFoundError

    def download() -> Path | None:
        for file in HUB_FILES:
            try:
                return Path(library.hf_hub_download(repository, file, etag_timeout=seconds, token=False))
            except missing:
                continue
        return None

    path = _in_time(download, name, seconds)
    if path is None:
        raise ValueError(f"{name}: the repository has none of the files {', '.join(HUB_FILES)}")
    return replace(load(path), name=repository)


def _library(module: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ValueError(f"{name} needs the package {module}, which is not installed") from error


def _in_time(work: Callable[[], _Result], name: str, seconds: float) -> _Result:
    """Run a download for a limited time; one that goes on after it is left to itself and its result unused."""
    results: SimpleQueue[tuple[_Result | None, Exception | None]] = SimpleQueue()

    def run() -> None:
        try:
            results.put((work(), None))
        except Exception as error:  # the libraries raise errors of many kinds, all of which mean the same here
            results.put((None, error))

    Thread(target=run, daemon=True).start()
    try:
        result, error = results.get(timeout=seconds)
    except Empty:
        raise _unreachable(name, f"no answer came within {seconds:g} s") from None
    if error is not None:
        raise _unreachable(name, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error
    return result  # type: ignore[return-value]  # without an error it is there


def _unreachable(name: str, reason: str) -> ValueError:
    return ValueError(
        f"{name} could not be loaded from the network ({reason}). "
        "The tokenizers of the catalogue work without a network"
    )
