"""How sequence length falls with vocabulary size, language by language: curves, measures, tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

import engine
from engine import corpora

Measure: TypeAlias = Literal["tokens", "per character", "relative"]
Parallel: TypeAlias = Literal["declaration", "sentences"]

ENGLISH = "en"
MEASURES: tuple[Measure, ...] = ("tokens", "per character", "relative")
HEAT_SIZES = (256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
_POINTS = 64


@dataclass(frozen=True, eq=False)
class Curve:
    """The length of one text at every size of a vocabulary.

    Attributes:
        language: BCP 47 tag.
        sizes: int64[n], pieces, rising.
        lengths: int64[n], tokens at each size.
        characters: Code points of the text.
        bytes: UTF-8 bytes of the text.
    """

    language: str
    sizes: NDArray[np.int64]
    lengths: NDArray[np.int64]
    characters: int
    bytes: int

    def at(self, size: int) -> int | None:
        """Return the tokens at a size, or None where the vocabulary was never as small, or never as large."""
        if not len(self.sizes) or not self.sizes[0] <= size <= self.sizes[-1]:
            return None
        return int(self.lengths[np.searchsorted(self.sizes, size)])


def parallel_texts(parallel: Parallel) -> dict[str, str]:
    """Return texts that say the same: language -> the 30 articles of the Declaration, or ten everyday sentences."""
    if parallel == "sentences":
        return {name.partition("/")[2]: corpora.text(name) for name in corpora.names("sentences")}
    return {language.bcp47: "\n".join(corpora.articles(language.bcp47)) for language in corpora.languages()}


def curve(tokenizer: engine.Tokenizer, language: str, text: str) -> Curve:
    """Count the tokens of a text at every size that the tokenizer had in training."""
    sizes, lengths = tokenizer.length_curve(text)
    return Curve(language, sizes, lengths, len(text), len(text.encode()))


def measured(curve: Curve, measure: Measure, english: Curve) -> NDArray[np.float64]:
    """Return a curve in a measure: float64[n], a value at each of its sizes.

    "tokens": as they are. "per character": divided by the code points of the text. "relative": divided by the tokens
    of the English text at the same size; the texts say the same, so this is what a language pays.
    """
    lengths = curve.lengths.astype(np.float64)
    if measure == "per character":
        return lengths / max(curve.characters, 1)
    if measure == "relative":
        return lengths / np.maximum(english.lengths, 1)
    return lengths


def thinned(curve: Curve) -> NDArray[np.int64]:
    """Choose about 64 points of a curve, evenly on a log axis, the first and the last among them: int64[m]."""
    last = len(curve.sizes) - 1
    if last < 1:
        return np.arange(last + 1)
    wanted = np.geomspace(max(curve.sizes[0], 1), curve.sizes[-1], _POINTS)
    return np.unique(np.concatenate([[0], np.searchsorted(curve.sizes, wanted).clip(0, last), [last]]))


def heat_sizes(curve: Curve) -> list[int]:
    """Choose the sizes of the heat map: powers of two within the curve, its ends included."""
    if not len(curve.sizes):
        return []
    first, last = int(curve.sizes[0]), int(curve.sizes[-1])
    inner = [size for size in HEAT_SIZES if first * 1.3 < size < last / 1.3]
    return list(dict.fromkeys([first, *inner, last]))


def ratios(curves: Mapping[str, Curve], languages: Sequence[str], sizes: Sequence[int]) -> list[list[float]]:
    """Return tokens against English at each size, one row a language."""
    english = [curves[ENGLISH].at(size) or 1 for size in sizes]
    return [
        [(curves[tag].at(size) or 0) / base for size, base in zip(sizes, english, strict=True)] for tag in languages
    ]


def table(curves: Iterable[Curve], english: Curve, sizes: Sequence[int]) -> list[dict[str, str | int | float]]:
    """Return the numbers behind the figures, one row a language and size."""
    rows: list[dict[str, str | int | float]] = []
    for each in curves:
        entry = corpora.language(each.language)
        for size in sizes:
            tokens, base = each.at(size), english.at(size)
            if tokens is not None and base:
                rows.append(
                    {
                        "language": entry.english_name,
                        "tag": each.language,
                        "script": entry.script,
                        "vocabulary size": size,
                        "tokens": tokens,
                        "tokens per character": round(tokens / max(each.characters, 1), 4),
                        "relative to English": round(tokens / base, 4),
                        "bytes per token": round(each.bytes / max(tokens, 1), 4),
                    }
                )
    return rows


def as_csv(rows: Sequence[Mapping[str, str | int | float | None]]) -> str:
    r"""Write rows as CSV with a head.

    >>> as_csv([{"language": "Thai", "tokens": 12}])
    'language,tokens\r\nThai,12\r\n'
    """
    written = io.StringIO()
    if rows:
        writer = csv.DictWriter(written, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return written.getvalue()


def found(query: str) -> list[str]:
    """Find languages by English name, native name, tag or script; all of them where the query is empty.

    >>> found("thai"), found("ไทย"), found("Hebr")
    (['th'], ['th'], ['he', 'yi'])
    """
    wanted = query.strip().casefold()
    return [
        language.bcp47
        for language in corpora.languages()
        if wanted in f"{language.english_name}\n{language.native_name}\n{language.bcp47}\n{language.script}".casefold()
    ]


def label(tag: str) -> str:
    """Name a language by its own name, its English name and its script, so that all three are found by typing.

    >>> label("hi")
    'हिन्दी · Hindi · Deva'
    """
    entry = corpora.language(tag)
    return f"{entry.native_name} · {entry.english_name} · {entry.script}"


def spread(places: Sequence[float], gap: float, least: float, most: float) -> list[float]:
    """Push labels apart until they are `gap` apart, within `least` and `most`, each as near its place as that allows.

    >>> spread([10, 12, 50], 17, 0, 100)
    [2.5, 19.5, 50.0]
    """
    order = sorted(range(len(places)), key=places.__getitem__)
    groups: list[tuple[float, int]] = []  # labels that touch: the sum of their places, how many

    def start(total: float, size: int) -> float:
        return min(max(total / size - (size - 1) * gap / 2, least), most - (size - 1) * gap)

    for i in order:
        groups.append((places[i], 1))
        while len(groups) > 1 and start(*groups[-2]) + groups[-2][1] * gap > start(*groups[-1]):
            total, size = groups.pop()
            groups[-1] = groups[-1][0] + total, groups[-1][1] + size
    moved = [start(*group) + step * gap for group in groups for step in range(group[1])]
    result = [0.0] * len(places)
    for i, place in zip(order, moved, strict=True):
        result[i] = place
    return result


def fill(
    curves: dict[str, Curve], tokenizer: engine.Tokenizer, texts: Mapping[str, str], tell: Callable[[int], None]
) -> None:
    """Work out the curves that are still missing, and tell how many are there after each."""
    for tag, text in texts.items():
        if tag not in curves:
            curves[tag] = curve(tokenizer, tag, text)
            tell(len(curves))
