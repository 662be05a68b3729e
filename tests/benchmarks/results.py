"""RESULTS.md: sections that replace older ones of their heading, in one order, under a summary that is computed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from tests.benchmarks.harness import machine

RESULTS = Path(__file__).parent / "RESULTS.md"

Rows: TypeAlias = Mapping[str, Mapping[str, str]]  # first cell -> column -> cell

_HEAD = """# Results

Written by `python -m tests.benchmarks`; harness.py says how it is measured, texts.py what the texts are.
"""
_SUMMARY, _TEXTS = "Targets", "Texts"
_ORDER = (
    _SUMMARY,
    _TEXTS,
    "Splitting",
    "BPE training",
    "The textbook's BPE",
    "WordPiece training",
    "Unigram training",
    "Encoding",
    "Decoding",
    "Loading",
    "Length curves",
    "Growth",
    "Long runs",
    "Waiting",
    "The page",
)


def publish(heading: str, lines: Sequence[str]) -> None:
    """Print a section and put it into RESULTS.md, where it replaces an older one of its heading.

    Below what was measured stands the machine, as sections may come from several.
    """
    if not heading.startswith((_SUMMARY, _TEXTS)):
        lines = [*lines, "", f"On {machine()}"]
    text = "\n".join([f"## {heading}", "", *lines])
    print(text, "\n", flush=True)  # noqa: T201
    kept = {**_sections(), heading: "\n".join(lines)}
    _write(kept)


def summarize(lines: Sequence[str]) -> None:
    """Put the summary on top."""
    publish(_SUMMARY, lines)


def tables() -> Mapping[str, Rows]:
    """Return the table of each section, by its heading."""
    return {heading: _table(text) for heading, text in _sections().items()}


def _sections() -> dict[str, str]:
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)[1:]
    return {heading: body.strip("\n") for heading, body in zip(parts[::2], parts[1::2], strict=True)}


def _write(sections: Mapping[str, str]) -> None:
    ordered = sorted(sections.items(), key=lambda item: _place(item[0]))
    RESULTS.write_text("\n".join([_HEAD, *(f"## {heading}\n\n{body}\n" for heading, body in ordered)]), "utf-8")


def _place(heading: str) -> tuple[int, list[tuple[bool, float, str]]]:
    """Order by the kind of section, then by what is written, its numbers as numbers."""
    kind = next((i for i, start in enumerate(_ORDER) if heading.startswith(start)), len(_ORDER))
    parts = re.findall(r"[\d,.]*\d|\D+", heading)
    return kind, [(part[0].isdigit(), float(part.replace(",", "")) if part[0].isdigit() else 0, part) for part in parts]


def _table(text: str) -> Rows:
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    if len(lines) < 3:
        return {}
    head, _, *rows = [[cell.strip() for cell in line] for line in lines]
    return {row[0]: dict(zip(head, row, strict=True)) for row in rows}
