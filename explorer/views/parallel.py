"""Texts that say the same in several languages: those of the samples, and a reader's own files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from engine import Passage, corpora

ENGLISH = "en"
MOST_LINES = 50_000
"""Lines of parallel files: a thousand draws of them take 200 MB."""


def declaration() -> dict[str, Passage]:
    """Return the 30 articles of the Universal Declaration in each language, by tag."""
    return {entry.bcp47: Passage.of(corpora.articles(entry.bcp47), entry.bcp47) for entry in corpora.languages()}


def sentences() -> dict[str, Passage]:
    """Return ten everyday sentences in each of five languages, by tag."""
    tags = [name.partition("/")[2] for name in corpora.names("sentences")]
    return {tag: Passage.of(corpora.text(f"sentences/{tag}").splitlines(), tag) for tag in tags}


def of_files(files: Mapping[str, str]) -> dict[str, Passage]:
    r"""Read parallel files: one language a file, line k of each says the same.

    Args:
        files: Name of each file -> its text. The language is what the name ends in, where that is a tag ("news.de"),
            else the name without its ending ("de.txt").

    Raises:
        ValueError: There are fewer than two files, two of one language, an empty one, one that is too long, or the
            numbers of lines differ.

    >>> {tag: passage.units for tag, passage in of_files({"en.txt": "a\nb\n", "de.txt": "c\r\nd"}).items()}
    {'en': ('a', 'b'), 'de': ('c', 'd')}
    """
    if len(files) < 2:
        raise ValueError(f"parallel texts need at least two files, one a language; got {len(files)}")
    read: dict[str, Passage] = {}
    names: dict[str, str] = {}
    for name, text in files.items():
        tag = language_of(name)
        if tag in read:
            raise ValueError(f"each file must be a language of its own; {names[tag]} and {name} are both “{tag}”")
        lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
        if not any(line.strip() for line in lines):
            raise ValueError(f"{name} is empty: a parallel file must have at least one line of text")
        if len(lines) > MOST_LINES:
            raise ValueError(
                f"parallel files may have {MOST_LINES:,} lines, as an interval draws them anew a thousand times; "
                f"{name} has {len(lines):,}"
            )
        read[tag], names[tag] = Passage.of(lines, tag), name
    first, *others = read
    for tag in others:
        counts = len(read[first].units), len(read[tag].units)
        if counts[0] != counts[1]:
            raise ValueError(
                "parallel files must have the same number of lines, as line k of each says the same; "
                f"{names[first]} has {counts[0]:,} and {names[tag]} has {counts[1]:,}"
            )
    return read


def language_of(name: str) -> str:
    """Tell the language of a parallel file by its name.

    >>> language_of("de.txt"), language_of("europarl.de-en.de"), language_of("klingon.txt")
    ('de', 'de', 'klingon')
    """
    known = {entry.bcp47 for entry in corpora.languages()}
    path = PurePath(name)
    ending = path.suffix.removeprefix(".")
    return ending if ending in known and path.stem else path.stem


def title(tag: str) -> str:
    """Name a language: in English, if the Declaration is here in it, else by its file.

    >>> title("hi"), title("klingon")
    ('Hindi', 'klingon')
    """
    try:
        return corpora.language(tag).english_name
    except ValueError:
        return tag


def own_title(tag: str) -> str:
    """Name a language in itself, if the Declaration is here in it, else by its file.

    >>> own_title("hi"), own_title("klingon")
    ('हिन्दी', 'klingon')
    """
    try:
        return corpora.language(tag).native_name
    except ValueError:
        return tag
