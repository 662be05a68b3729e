"""Where a corpus lies, and how it is read in parts that can be counted apart: files, globs, URLs, compressed or not.

A large file is cut where a pre-token certainly ends, whatever stands around. So the parts, counted by different
workers, give exactly the counts of the whole.
"""

from __future__ import annotations

import bz2
import codecs
import glob
import gzip
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from types import MappingProxyType
from typing import Any, BinaryIO, Final, TypeAlias, cast

import regex

Location: TypeAlias = str | os.PathLike[str]

PART: Final = 1 << 24  # bytes of a file that one worker counts at a time
_BLOCK: Final = 1 << 22  # bytes that are read at a time
_BACK: Final = 8  # bytes before a place that are read to see what stands there

_WORDS = r"(?<=\S)\n(?=[^\s/])|(?<=\S)(?= \p{L})"
_CUTS: Final = MappingProxyType(
    dict.fromkeys(("gpt2", "cl100k", "o200k", "qwen", "tekken"), _WORDS)
    | dict.fromkeys(("whitespace", "bert", "clip"), r"\s")
    | {"lines": r"\n", "digits": r"\p{N}", "metaspace": r"(?= )"}
)
# Among ASCII, no normalizer of ours moves or removes a place where a text may be cut.
_WORDS_ASCII = r"(?<=[!-~])\n(?=[A-Za-z0-9])|(?<=[!-~])(?= [A-Za-z])"
_CUTS_ASCII: Final = MappingProxyType(
    dict.fromkeys(("gpt2", "cl100k", "o200k", "qwen", "tekken", "metaspace"), r"(?<=[!-~])(?= [A-Za-z])")
    | dict.fromkeys(("whitespace", "bert", "clip"), r"(?<=[!-~])[ \n](?=[!-~])")
    | {"lines": r"\n", "digits": r"[0-9](?=[A-Za-z ])"}
)


@dataclass(frozen=True)
class Part:
    """A part of a file: from the first cut at or after byte `start` to the first at or after `stop`; None: to its end.

    `cut` is the pattern of the places where the file may be cut; None if there are none.
    """

    location: str
    start: int
    stop: int | None
    cut: str | None


def cut_for(split: str, normalized: bool) -> str | None:
    """Return the pattern at whose end a text may be cut before that split; None for splits that see all of it."""
    return (_CUTS_ASCII if normalized else _CUTS).get(split)


def parts(location: Location, cut: str | None) -> Iterator[Part]:
    """List the parts of what a path, a glob or a URL names, files in order of their names.

    Raises:
        ValueError: Nothing is there, or a package is missing that could read it.
    """
    for file in _files(os.fspath(location)):
        with _opened(file) as stream:
            compressed = _compression(stream.read(4)) is not None
            size = stream.seek(0, os.SEEK_END) if stream.seekable() else 0
        if cut is None or compressed or size <= PART:
            yield Part(file, 0, None, cut)
        else:
            bounds = [*range(0, size, PART), None]
            yield from (Part(file, cast("int", start), stop, cut) for start, stop in pairwise(bounds))


def read(part: Part) -> Iterator[str]:
    """Yield the text of a part, a few megabytes at a time, cut where it may be; broken UTF-8 becomes U+FFFD."""
    with _opened(part.location) as file:
        stream, left = file, None
        kind = _compression(file.read(4))
        file.seek(0)
        if kind is not None:
            stream = _decompressed(file, kind, part.location)
        elif part.start or part.stop:
            start = _first_cut(file, part.start, part.cut)
            left = None if part.stop is None else _first_cut(file, part.stop, part.cut) - start
            file.seek(start)
        yield from _cut_up(_blocks(stream, left), part.cut)


def _cut_up(blocks: Iterable[bytes], cut: str | None) -> Iterator[str]:
    pattern = None if cut is None else regex.compile(f"(?r){cut}")  # the last one first
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = ""
    for block in blocks:
        text += decoder.decode(block)
        place = None if pattern is None else pattern.search(text)
        if place and place.end():
            yield text[: place.end()]
            text = text[place.end() :]
    text += decoder.decode(b"", True)
    if text:
        yield text


def _blocks(stream: BinaryIO, left: int | None) -> Iterator[bytes]:
    while block := stream.read(_BLOCK if left is None else min(_BLOCK, left)):
        left = None if left is None else left - len(block)
        yield block


def _first_cut(stream: BinaryIO, place: int, cut: str | None) -> int:
    """Return the first byte at or after `place` where the file may be cut; its end if there is none."""
    if not place or cut is None:
        return place
    pattern = regex.compile(cut)
    first = max(place - _BACK, 0)
    stream.seek(first)
    raw = b""
    for block in _blocks(stream, None):
        raw += block
        whole = next((i for i in range(4) if raw[i : i + 1] and raw[i] & 0xC0 != 0x80), 0)
        text = raw[whole:].decode("utf-8", "surrogateescape")
        before = len(raw[whole : place - first].decode("utf-8", "surrogateescape"))
        if found := pattern.search(text, before):
            return first + whole + len(text[: found.end()].encode("utf-8", "surrogateescape"))
    return first + len(raw)


def _files(location: str) -> list[str]:
    if "://" in location:
        system, path = _remote(location)
        found = sorted(system.glob(path)) if glob.has_magic(path) else [path]
        files = [system.unstrip_protocol(each) for each in found]
    else:
        files = sorted(glob.glob(location, recursive=True)) if glob.has_magic(location) else [location]
        files = [file for file in files if os.path.isfile(file)]
    if not files:
        raise ValueError(f"there is no file {location!r} to count")
    return files


def _opened(file: str) -> BinaryIO:
    if "://" in file:
        system, path = _remote(file)
        return cast("BinaryIO", system.open(path, "rb"))
    return open(file, "rb")


def _remote(location: str) -> tuple[Any, str]:
    try:
        core = import_module("fsspec.core")
    except ImportError:
        raise ValueError(
            f"{location!r} is a URL: install fsspec to read it, and what it needs for its protocol"
        ) from None
    system, path = core.url_to_fs(location)
    return system, path


def _compression(head: bytes) -> str | None:
    """Tell by its first four bytes how a file is compressed."""
    kinds = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
    return next((kind for magic, kind in kinds.items() if head.startswith(magic)), None)


def _decompressed(stream: BinaryIO, kind: str, name: str) -> BinaryIO:
    if kind == "gzip":
        return cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    if kind == "bz2":
        return cast("BinaryIO", bz2.BZ2File(stream))
    for package in ("compression.zstd", "zstandard"):  # the first is a part of Python from 3.14 on
        try:
            return cast("BinaryIO", import_module(package).open(stream, "rb"))
        except ImportError:
            continue
    raise ValueError(f"{name!r} is compressed by zstd: install zstandard to read it")
