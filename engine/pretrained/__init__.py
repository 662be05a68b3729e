"""The catalogue of real tokenizers: their vocabularies lie here, so all of it works offline.

Files are stored as they were published, compressed by LZMA. Each is read when it is first asked for, checked against
its SHA-256, and the tokenizer is kept. Owners and licenses stand in `licenses/NOTICE.md`.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from engine.formats import sentencepiece, tiktoken, tokenizer_json, vocab_merges, vocab_txt
from engine.formats.source import Source
from engine.normalizers import normalizer
from engine.once import Once
from engine.pre_tokenizers import pre_tokenizer
from engine.tokenizer import Tokenizer

_FOLDER = Path(__file__).parent
_OTHER_NAMES = {"r50k_base": "gpt2"}
_kept: dict[str, Once[Tokenizer]] = {}


@dataclass(frozen=True)
class File:
    """A stored file: its name, size in bytes and SHA-256 as published, and where it was taken from."""

    file: str
    bytes: int
    sha256: str
    source: str


@dataclass(frozen=True)
class Entry:
    """What the catalogue says of a tokenizer.

    Attributes:
        owner: Who made it.
        license: Under what terms, and whose.
        license_file: Where in `licenses/` they stand.
        library: The official library, whose ids are the measure.
        format: Of the files, as `engine.load` calls it.
        files: What it is read from.
        pre_tokenizer: Name of the split, if the files do not hold it.
        normalizers: Names of the rewrites, if the files do not hold them.
        special_tokens: Text -> id, if the files do not hold them.
        id_offset: What is added to a rank to make an id.
        vocab_size: Number of ids; 0 if the files tell.
        before: Special tokens that are put before a text unless one says otherwise, if the files do not tell.
        after: Those it puts behind it.
        check_text: A text whose ids are known.
        check_ids: They.
    """

    owner: str
    license: str
    license_file: str
    library: str
    format: str
    files: tuple[File, ...]
    check_text: str
    check_ids: tuple[int, ...]
    pre_tokenizer: str = "whole"
    normalizers: tuple[str, ...] = ()
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    id_offset: int = 0
    vocab_size: int = 0
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def pretrained_names() -> tuple[str, ...]:
    """List the names of the catalogue."""
    return tuple(catalogue())


@cache
def catalogue() -> Mapping[str, Entry]:
    """Return what is known of each tokenizer, by name; no vocabulary is read."""
    entries = json.loads((_FOLDER / "manifest.json").read_text("utf-8"))
    for entry in entries.values():
        entry["files"] = tuple(File(**file) for file in entry["files"])
        entry["check_ids"] = tuple(entry["check_ids"])
        for key in ("normalizers", "before", "after"):
            entry[key] = tuple(entry.get(key, ()))
    return MappingProxyType({name: Entry(**entry) for name, entry in entries.items()})


def pretrained(name: str) -> Tokenizer:
    """Return a tokenizer of the catalogue; the second call gives the same object.

    Raises:
        ValueError: The catalogue has no such name, or a stored file was changed.

    >>> pretrained("gpt2").encode("Hello world").ids.tolist()
    [15496, 995]
    """
    known = _OTHER_NAMES.get(name, name)
    if known not in catalogue():
        raise ValueError(f"the catalogue has no tokenizer named {name!r}; it has {', '.join(catalogue())}")
    return _kept.setdefault(known, Once()).get(lambda: _read(known))


def _read(name: str) -> Tokenizer:
    entry = catalogue()[name]
    sources = [stored(file) for file in entry.files]
    made = replace(_made(entry, sources), name=name)
    if not entry.before and not entry.after:
        return made
    ids = made.vocabulary.specials
    before, after = (tuple(ids[text] for text in texts) for texts in (entry.before, entry.after))
    return replace(made, before=before, after=after)


def _made(entry: Entry, sources: list[Source]) -> Tokenizer:
    match entry.format:
        case "tiktoken":
            split = pre_tokenizer(entry.pre_tokenizer)
            rewrites = tuple(map(normalizer, entry.normalizers))
            specials = entry.special_tokens
            return tiktoken.read(sources[0], split, specials, rewrites, entry.id_offset, entry.vocab_size)
        case "vocab.txt":
            return vocab_txt.read(sources[0])
        case "vocab+merges":
            return vocab_merges.read(*sources)
        case "tokenizer.json":
            return tokenizer_json.read(sources[0])
        case "sentencepiece":
            return sentencepiece.read(sources[0])
    raise ValueError(f"the catalogue names the format {entry.format!r}, which there is none of")


def stored(file: File) -> Source:
    """Unpack a file and compare it with its SHA-256."""
    try:
        data = lzma.decompress((_FOLDER / "files" / f"{file.file}.xz").read_bytes())
    except (OSError, lzma.LZMAError) as error:
        raise ValueError(f"{file.file}: the stored file cannot be read: {error}") from error
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise ValueError(f"{file.file}: the stored file was changed: its SHA-256 is not {file.sha256}")
    return Source(file.file, data)
