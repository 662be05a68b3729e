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
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from types import MappingProxyType
from typing import Any, BinaryIO, Final, TypeAlias, cast

import regex

Location: TypeAlias = str | os.PathLike[str]

PART: Final = 1 << 24  # bytes of a file that one worker counts at a time
_BLOCK: Final = 1 << 22  # bytes that are read at a time
_PACKED: Final = 1 << 14  # bytes that zstd takes at a time: they may become a thousand times as many
_PIECE: Final = 1 << 18  # code points of a text that are counted at a time, so that they stay near, and others get on
_LONGEST: Final = 4096  # characters of a glob; what is longer is a text that somebody took for one
_BACK: Final = 8  # bytes before a place that are read to see what stands there

_PROTOCOL = "[A-Za-z][A-Za-z0-9+.-]*"
_URL: Final = regex.compile(f"(?:{_PROTOCOL}::)*{_PROTOCOL}://")  # several of them are a chain of fsspec's

_WORDS = r"(?<=\S)\n(?=[^\s/])|(?<=\S)(?= \p{L})"
_CUTS: Final = MappingProxyType(
    dict.fromkeys(("gpt2", "cl100k", "o200k", "qwen", "tekken"), _WORDS)
    | dict.fromkeys(("whitespace", "bert", "clip"), r"\s")
    | {"lines": r"\n", "digits": r"\p{N}", "metaspace": r"(?= )"}
)
# Among ASCII, no normalizer of ours moves or removes a place where a text may be cut, but for those below.
_CUTS_ASCII: Final = MappingProxyType(
    dict.fromkeys(("gpt2", "cl100k", "o200k", "qwen", "tekken", "metaspace"), r"(?<=[!-~])(?= [A-Za-z])")
    | dict.fromkeys(("whitespace", "bert", "clip"), r"(?<=[!-~])[ \n](?=[!-~])")
    | {"lines": r"\n", "digits": r"[0-9](?=[A-Za-z ])"}
)
# The one turns newlines into spaces; the other drops the spaces at both ends, which some splits would keep.
_UNCUT: Final = MappingProxyType(
    {
        "nmt": frozenset({"lines"}),
        "single_spaces": frozenset({"gpt2", "cl100k", "o200k", "qwen", "tekken", "lines", "digits"}),
    }
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


def cut_for(split: str, normalizers: Collection[str] = ()) -> str | None:
    """Return the pattern at whose end a text may be cut before that split; None where all of it must be seen.

    Args:
        split: Name of the split.
        normalizers: Names of the normalizers that come before it.
    """
    if any(split in _UNCUT.get(name, ()) for name in normalizers):
        return None
    return (_CUTS_ASCII if normalizers else _CUTS).get(split)


def pieces(text: str, cut: str | None) -> Iterator[str]:
    r"""Cut a text of any length where it may be cut, into pieces that are quickly done; together they are the text.

    >>> [len(piece) for piece in pieces("so it goes " * 100_000, cut_for("gpt2"))]
    [262146, 262146, 262144, 262144, 51420]
    """
    start, place = 0, _PIECE
    pattern = None if cut is None or len(text) <= _PIECE else regex.compile(cut)
    while pattern is not None and place < len(text):
        # What stands behind the window is not seen, so that a place at its end may be missed, and the next one taken.
        found = pattern.search(text, place, place + _PIECE)
        if found:
            yield text[start : found.end()]
            start = found.end()
        place = (found.end() if found else place) + _PIECE
    if start < len(text):
        yield text[start:] if start else text


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
        left = None
        kind = _compression(file.read(4))
        file.seek(0)
        if kind is not None:
            yield from _cut_up(_decompressed(file, kind, part.location), part.cut)
            return
        if part.start or part.stop:
            start = _first_cut(file, part.start, part.cut)
            left = None if part.stop is None else _first_cut(file, part.stop, part.cut) - start
            file.seek(start)
        yield from _cut_up(_blocks(file, left), part.cut)


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
        text, before = _begun(raw[whole:]), len(_begun(raw[whole : place - first]))
        if found := pattern.search(text, before):
            return first + whole + len(text[: found.end()].encode("utf-8", "surrogateescape"))
    return first + len(raw)


def _begun(raw: bytes) -> str:
    """Decode UTF-8 of which more may come: the beginning of a code point at its end is nothing yet."""
    return codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(raw)


def _files(location: str) -> list[str]:
    if _URL.match(location):
        system, path = _remote(location)
        literal = not glob.has_magic(path) or system.exists(path)  # a query begins with a question mark
        found = [path] if literal else sorted(system.glob(path))
        files = [system.unstrip_protocol(each) for each in found]
    else:
        literal = os.path.exists(location) or not glob.has_magic(location) or len(location) > _LONGEST
        files = [location] if literal else sorted(glob.glob(location, recursive=True))
        files = [file for file in files if os.path.isfile(file)]
    if os.path.isdir(location):
        raise ValueError(f"{location!r} is a folder: name its files, as in {os.path.join(location, '**', '*.txt')!r}")
    if not files:
        raise ValueError(
            f"there is no file {location!r:.300} to count; a str is a path, a glob or a URL, and a text to be counted "
            "stands in an iterable of texts: count_pre_tokens([[text]])"
        )
    return files


def _opened(file: str) -> BinaryIO:
    if _URL.match(file):
        system, path = _remote(file)
        return cast("BinaryIO", system.open(path, "rb"))
    return open(file, "rb")


def _remote(location: str) -> tuple[Any, str]:
    try:
        system, path = import_module("fsspec.core").url_to_fs(location)
    except ImportError:
        raise ValueError(
            f"{location!r} is a URL: install fsspec to read it, and what it needs for its protocol"
        ) from None
    return system, path


def _compression(head: bytes) -> str | None:
    """Tell by its first four bytes how a file is compressed."""
    kinds = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
    return next((kind for magic, kind in kinds.items() if head.startswith(magic)), None)


def _decompressed(stream: BinaryIO, kind: str, name: str) -> Iterator[bytes]:
    """Yield what is in a compressed file, some at a time.

    Raises:
        ValueError: It is damaged or cut short, or a package is missing that could read it.
    """
    try:
        if kind == "gzip":
            yield from _blocks(cast("BinaryIO", gzip.GzipFile(fileobj=stream)), None)
        elif kind == "bz2":
            yield from _blocks(cast("BinaryIO", bz2.BZ2File(stream)), None)
        else:
            yield from _zstd(stream)
    except ImportError:
        raise ValueError(f"{name!r} is compressed by zstd: install zstandard to read it") from None
    except Exception as error:  # each package has its own kinds
        raise ValueError(f"{name!r} is compressed by {kind}, and damaged or cut short: {error}") from error


def _zstd(stream: BinaryIO) -> Iterator[bytes]:
    """Decompress frame by frame: the package's own reader takes a file that is cut short for a whole one."""
    try:
        make = import_module("compression.zstd").ZstdDecompressor  # a part of Python from 3.14 on, on most systems
    except ImportError:
        make = import_module("zstandard").ZstdDecompressor().decompressobj
    frame = None
    while block := stream.read(_PACKED):
        while block:
            frame = frame or make()
            yield frame.decompress(block)
            block, frame = (frame.unused_data, None) if frame.eof else (b"", frame)
    if frame is not None:
        raise EOFError("its last frame has no end")
