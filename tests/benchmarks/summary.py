"""What was aimed at and what came out, computed from the sections of RESULTS.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tests.benchmarks.results import Rows, summarize, tables

Measure: TypeAlias = Callable[[Rows], float | None]

SIZES = (1.0, 10.0, 100.0)


@dataclass(frozen=True)
class Target:
    """One aim.

    Attributes:
        what: Its name in the summary.
        heading: Of the section that shows it; {text} is "mixed, 10 MB" and so on, where it depends on the text.
        measure: Takes the figure from the section; None if it is not there.
        aim: The least figure that will do, or the greatest if `lower`; None if only the stretch is stated.
        stretch: The figure hoped for; None if there is none.
        lower: Whether lower is better.
        unit: Written behind the figures.
        sizes: MB of text at which it is aimed at.
    """

    what: str
    heading: str
    measure: Measure
    aim: float | None
    stretch: float | None = None
    lower: bool = False
    unit: str = " x"
    sizes: Sequence[float] = SIZES

    def met(self, figure: float, aim: float | None) -> bool:
        """Say whether a figure reaches an aim."""
        return aim is not None and (figure <= aim if self.lower else figure >= aim)

    def written(self, figure: float | None) -> str:
        """Write a figure with its unit."""
        return "" if figure is None else f"{figure:.3g}{self.unit}" if figure < 1000 else f"{figure:,.0f}{self.unit}"


def ratio(peer: str, ours: str, column: str = "CPU s, median") -> Measure:
    """Return how many times the figure of a peer is ours."""

    def measure(rows: Rows) -> float | None:
        theirs, mine = cell(rows, peer, column), cell(rows, ours, column)
        return None if theirs is None or not mine else theirs / mine

    return measure


def figure(row: str, column: str = "CPU s, median") -> Measure:
    """Return the figure of one cell."""
    return lambda rows: cell(rows, row, column)


def excess(row: str, peer: str, column: str) -> Measure:
    """Return by how many percent the figure of a row is above that of another."""

    def measure(rows: Rows) -> float | None:
        mine, theirs = cell(rows, row, column), cell(rows, peer, column)
        return None if mine is None or not theirs else 100 * (mine / theirs - 1)

    return measure


def share(row: str, part: str, whole: str) -> Measure:
    """Return how many times the figure of a column is in another one of the row."""

    def measure(rows: Rows) -> float | None:
        mine, theirs = cell(rows, row, part), cell(rows, row, whole)
        return None if mine is None or not theirs else mine / theirs

    return measure


def cell(rows: Rows, row: str, column: str) -> float | None:
    """Return a number of a table, by the first words of its row."""
    found = next((cells for name, cells in rows.items() if name.startswith(row)), {})
    number = re.match(r"-?[\d,.]+(e[-+]\d+)?", found.get(column, ""))
    return float(number[0].replace(",", "")) if number else None


def _targets() -> list[Target]:
    bpe, tie, unseen, warm = (
        "Tokenglass, history recorded",
        "Tokenglass, tie rule first",
        "Tokenglass, unseen text",
        "Tokenglass, warm",
    )
    found: list[Target] = []
    for pieces in ("8,000", "32,000"):
        place = f"BPE training, {{text}}, {pieces} pieces"
        sizes = SIZES if pieces == "8,000" else SIZES[1:]
        for peer, aim, stretch in (
            ("gigabpe", 2.2, 4),
            ("gigatoken", 3, None),
            ("rustbpe", 6.5, None),
            ("tokenizers", 12, 15),
            ("sentencepiece", 7, None),
        ):
            found.append(Target(f"BPE {pieces}: {peer}", place, ratio(peer, bpe), aim, stretch, sizes=sizes))
        found.append(
            Target(
                f"BPE {pieces}: tie rule first, against lowest-id", place, ratio(tie, bpe), 2, None, True, sizes=sizes
            )
        )
    growth, peak = "Growth with the corpus, 32,000 pieces", "Tokenglass, peak MB"
    found += [
        Target("100 MB from a file: peak memory", growth, figure("100", peak), 800, None, True, " MB"),
        Target("the same, against gigabpe's", growth, share("100", peak, "gigabpe, peak MB"), None, 1, True),
        Target(
            "WordPiece 32,000 by score: tokenizers by count",
            "WordPiece training, {text}, 32,000 pieces",
            ratio("tokenizers", "Tokenglass"),
            3,
            6,
            sizes=SIZES[1:2],
        ),
    ]
    place = "Unigram training, {text}, 8,000 pieces"
    for megabytes, aim in ((1.0, 5), (10.0, 12)):
        speed = ratio("sentencepiece", "Tokenglass")
        found.append(Target("Unigram 8,000: sentencepiece", place, speed, aim, 20, sizes=(megabytes,)))
    more = excess("Tokenglass", "sentencepiece", "tokens of the corpus")
    found.append(Target("Unigram 8,000: tokens above sentencepiece's", place, more, 3, None, True, " %", SIZES[:2]))
    for split in ("gpt2", "cl100k", "o200k", "whitespace", "bert"):
        for what, aim, stretch in (("unique counts", 180, 300), ("boundaries", 500, 1000)):
            row = f"{split}, {what}"
            found.append(
                Target(f"Splitting: {row}", "Splitting, {text}", figure(row, "MB/s"), aim, stretch, unit=" MB/s")
            )
    for name in ("gpt2", "cl100k_base", "o200k_base"):
        place = f"Encoding, {name}, {{text}}"
        for label, peer, ours, aim, stretch in (
            ("unseen: tiktoken", "tiktoken", unseen, 5, None),
            ("unseen: tokenizers", "tokenizers", unseen, 25, None),
            ("unseen: gigatoken", "gigatoken, unseen text", unseen, 0.7, 1),
            ("warm: tiktoken", "tiktoken", warm, 15, None),
            ("warm: gigatoken", "gigatoken, warm", warm, None, 1),
        ):
            found.append(Target(f"Encoding {name}, {label}", place, ratio(peer, ours), aim, stretch))
        place = f"Decoding, {name}, {{text}}"
        found.append(Target(f"Decoding {name}: tiktoken", place, ratio("tiktoken", "Tokenglass"), 3, 5))
        found.append(Target(f"Decoding {name}: gigatoken", place, ratio("gigatoken", "Tokenglass"), 1.5))
    seconds = figure("Tokenglass")
    return [
        *found,
        Target("Loading 200,019 pieces", "Loading o200k_base, 200,019 pieces", seconds, 0.3, 0.1, True, " s"),
        Target(
            "Length curves of 106 languages",
            "Length curves, 106 languages, every size up to 32,000",
            seconds,
            1,
            0.3,
            True,
            " s",
        ),
        Target(
            "1 GB from a file: peak memory",
            growth,
            figure("1,000", peak),
            2000,
            None,
            True,
            " MB",
        ),
    ]


def write() -> None:
    """Write the summary from the sections that are there."""
    found = tables()
    lines = [
        "Computed from the sections below. Ratios say how many times the CPU time of the peer is ours. The aims are for"
        " mixed text; the 106 languages, a harder text, stand beside it.",
        "",
        "| what | at least | stretch | mixed, 1 MB | 10 MB | 100 MB | met | languages, 1 MB | 10 MB |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [_line(target, found) for target in _targets()]
    summarize(lines)


def _line(target: Target, found: Mapping[str, Rows]) -> str:
    def at(text: str) -> float | None:
        rows = found.get(target.heading.format(text=text))
        return None if rows is None else target.measure(rows)

    if "{text}" in target.heading:
        mixed = [at(f"mixed, {size:g} MB") if size in target.sizes else None for size in SIZES]
        others = [at(f"languages, {size:g} MB") if size in target.sizes else None for size in SIZES[:2]]
    else:
        mixed, others = [None, None, at("")], [None, None]
    figures = [figure for figure in mixed if figure is not None]
    bound = "at most " if target.lower else ""
    least = "" if target.aim is None else bound + target.written(target.aim)
    cells = [target.what, least, target.written(target.stretch)]
    cells += [target.written(figure) for figure in mixed]
    cells += [_verdict(target, figures), *(target.written(figure) for figure in others)]
    return f"| {' | '.join(cells)} |"


def _verdict(target: Target, figures: Sequence[float]) -> str:
    if not figures:
        return "not measured"
    if all(target.met(figure, target.stretch) for figure in figures):
        return "yes, and the stretch"
    reached = sum(target.met(figure, target.aim) for figure in figures)
    return "yes" if reached == len(figures) else "no" if not reached else f"{reached} of {len(figures)}"
