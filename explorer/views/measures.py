"""Tokenizers by languages: values with intervals, what each measure is, where it misleads, tables."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from engine import Estimate, Passage, Sample, estimate, metrics
from engine.samples import Draws, Measure, Values, draws, interval, summed
from explorer.views.parallel import title

Samples: TypeAlias = Mapping[str, Sample]
"""What one tokenizer makes of parallel texts: language -> sample."""
Scale: TypeAlias = Literal["ratio", "amount"]
Row: TypeAlias = dict[str, str | int | float]


class Kind(NamedTuple):
    """A measure of the page: the function that takes it, the scale of its colors, and how its values are written."""

    function: Callable[..., Any]
    scale: Scale
    digits: int


MEASURES: Mapping[str, Kind] = {
    "premium": Kind(metrics.premium, "ratio", 2),
    "tokens": Kind(metrics.tokens, "amount", 0),
    "bytes per token": Kind(metrics.bytes_per_token, "amount", 2),
    "code points per token": Kind(metrics.code_points_per_token, "amount", 2),
    "graphemes per token": Kind(metrics.graphemes_per_token, "amount", 2),
    "fertility": Kind(metrics.fertility, "amount", 2),
    "continued words": Kind(metrics.continued_words, "amount", 2),
    "single-token retention": Kind(metrics.single_token_retention, "amount", 2),
    "Rényi efficiency": Kind(metrics.renyi_efficiency, "amount", 3),
    "Shannon efficiency": Kind(metrics.shannon_efficiency, "amount", 3),
    "unknown share": Kind(metrics.unknown_share, "amount", 3),
    "utilization": Kind(metrics.utilization, "amount", 4),
}
CURVES: Mapping[str, str] = {"premium": "relative", "tokens": "tokens", "code points per token": "per character"}
"""The measures that Languages draws over vocabulary size -> what it calls them."""
PER_CHARACTER = ("bytes per token", "code points per token", "graphemes per token")
LOST = 0.05
"""Share of a text in unknown tokens above which its counts are marked."""
ENTROPIES = ("Rényi efficiency", "Shannon efficiency")
_PARTS = re.compile(r"^(Formula|Unit|Source|Comparable only if|Misleads): (.*(?:\n +.*)*)", re.MULTILINE)


@dataclass(frozen=True)
class Card:
    """What a measure is, read from the docstring of its function.

    Attributes:
        sentence: What it tells.
        parts: "Formula", "Unit", "Source", "Comparable only if" and mostly "Misleads" -> a sentence each.
    """

    sentence: str
    parts: Mapping[str, str]


def card(function: Callable[..., object]) -> Card:
    """Read the card of a measure.

    >>> card(metrics.fertility).parts["Unit"]
    'tokens per word; at least 1 where no word is dropped'
    """
    written = inspect.getdoc(function) or ""
    parts = {name: " ".join(text.split()) for name, text in _PARTS.findall(written)}
    sentence = written.partition("\n")[0].removeprefix("Tell ")
    return Card(sentence[:1].upper() + sentence[1:], parts)


def measure_of(name: str, base: Sample, alpha: float = metrics.ALPHA) -> Measure:
    """Return a measure as a function of a sample and draws.

    Args:
        name: A key of `MEASURES`.
        base: The sample in the base language, by the same tokenizer.
        alpha: Of Rényi's entropy.
    """

    def paid(sample: Sample, drawn: Draws) -> Values:
        return metrics.premium(sample, base, drawn)

    def even(sample: Sample, drawn: Draws) -> Values:
        return metrics.renyi_efficiency(sample, drawn, alpha)

    special: dict[str, Measure] = {"premium": paid, "Rényi efficiency": even}
    return special.get(name, MEASURES[name].function)


def value(name: str, samples: Samples, tag: str, base: str, alpha: float = metrics.ALPHA) -> float:
    """Take a measure of one language; NaN where nothing can be measured."""
    sample = samples[tag]
    return float(measure_of(name, samples[base], alpha)(sample, sample.once))


def estimated(name: str, samples: Samples, tag: str, base: str, alpha: float = metrics.ALPHA) -> Estimate:
    """Take a measure of one language, with its 95 % interval over the units of the text."""
    return estimate(measure_of(name, samples[base], alpha), samples[tag])


def lossy(samples: Samples, tag: str) -> bool:
    """Tell whether so much of a text became unknown tokens that a count of tokens says little."""
    return float(metrics.unknown_share(samples[tag])) > LOST


def unfairness(samples: Samples) -> Estimate:
    """Return the Gini coefficient of the tokens over languages, with its interval; units are drawn together."""
    tokens = np.stack([sample.tokens for sample in samples.values()], axis=1).astype(np.float64)
    found = float(metrics.gini(tokens.sum(axis=0)))
    if len(tokens) == 1:
        return Estimate(found, found, found)
    return Estimate(found, *interval(metrics.gini(summed(draws(len(tokens)), tokens))))


def by_tokenizer(read: Mapping[str, Samples], names: Mapping[str, str], base: str, width: int, tied: bool) -> list[Row]:
    """Return one row a tokenizer: its vocabulary and what it costs and saves over all languages.

    Args:
        read: Code of each tokenizer -> its samples.
        names: Code -> what it is called.
        base: The base language.
        width: Of the embedding.
        tied: Whether the output layer shares the embedding.
    """
    rows: list[Row] = []
    for code, samples in read.items():
        premiums = {tag: value("premium", samples, tag, base) for tag in samples}
        worst = max(premiums, key=lambda tag: (not math.isnan(premiums[tag]), premiums[tag]))
        gini = unfairness(samples)
        vocab_size = samples[base].vocab_size
        parameters = metrics.embedding_parameters(vocab_size, width, tied)
        tokens = sum(int(sample.tokens.sum()) for sample in samples.values())
        lost = sum(int(sample.unknown.sum()) for sample in samples.values())
        seen = np.zeros(vocab_size + 1, np.bool_)
        for sample in samples.values():
            seen[sample.ids] = True  # that of no id, -1, is the last
        used = int(seen[:vocab_size].sum())
        rows.append(
            {
                "tokenizer": names[code],
                "vocabulary": vocab_size,
                "tokens": tokens,
                "bytes per token": round(_bytes(samples) / max(tokens, 1), 3),
                "median premium": round(float(np.nanmedian(list(premiums.values()))), 3),
                "largest premium": round(premiums[worst], 3),
                "paid by": title(worst),
                "Gini": round(gini.value, 4),
                "Gini low": round(gini.low, 4),
                "Gini high": round(gini.high, 4),
                "unknown": round(lost / max(_bytes(samples), 1), 4),
                "vocabulary used": round(used / max(vocab_size, 1), 4),
                "parameters": parameters,
                "saved per million": round((_bytes(samples) - tokens) / max(parameters, 1) * 1e6, 1),
            }
        )
    return rows


def _bytes(samples: Samples) -> int:
    return sum(int(sample.passage.bytes.sum()) for sample in samples.values())


def by_language(read: Mapping[str, Samples], names: Mapping[str, str], base: str, alpha: float) -> list[Row]:
    """Return one row a language and tokenizer, with every measure."""
    rows: list[Row] = []
    for code, samples in read.items():
        for tag in samples:
            taken = {name: value(name, samples, tag, base, alpha) for name in MEASURES}
            rounded = {name: int(n) if name == "tokens" else round(n, 5) for name, n in taken.items()}
            rows.append({"language": title(tag), "tag": tag, "tokenizer": names[code], **rounded})
    return rows


def contradiction(name: str, read: Mapping[str, Samples], names: Mapping[str, str], tag: str, base: str) -> str:
    """Find where a measure misleads among what is in view, and say it with its numbers; empty where it does not.

    An evenness that is higher with more tokens; a ratio of characters per token whose quotient is far from the premium.
    """
    if name in ENTROPIES:
        return _evener_but_longer(name, read, names, tag, base)
    return _no_premium(name, read, names, tag, base) if name in PER_CHARACTER and tag != base else ""


def _evener_but_longer(name: str, read: Mapping[str, Samples], names: Mapping[str, str], tag: str, base: str) -> str:
    taken = [
        (value(name, samples, tag, base), int(samples[tag].tokens.sum()), names[code]) for code, samples in read.items()
    ]
    taken = [entry for entry in taken if not math.isnan(entry[0]) and entry[1]]
    pairs = [(b[1] / a[1], a, b) for a in taken for b in taken if b[0] > a[0] and b[1] > a[1]]
    if not pairs:
        return ""
    _, (even, short, one), (evener, long, other) = max(pairs)
    return (
        f"Here: {other} is more even than {one} ({evener:.3f} against {even:.3f}), "
        f"and yet needs {long:,} tokens against {short:,}."
    )


def _no_premium(name: str, read: Mapping[str, Samples], names: Mapping[str, str], tag: str, base: str) -> str:
    found: list[tuple[float, str]] = []
    for code, samples in read.items():
        here, there = value(name, samples, tag, base), value(name, samples, base, base)
        paid = value("premium", samples, tag, base)
        if here > 0 and there > 0 and paid > 0:
            quotient = there / here
            sentence = (
                f"Here: by {names[code]}, {title(base)} has {quotient:.2f} times the {name} of {title(tag)}, "
                f"and yet {title(tag)} pays {paid:.2f} times the tokens."
            )
            found.append((abs(math.log(quotient / paid)), sentence))
    return max(found)[1] if found and max(found)[0] > math.log(1.1) else ""


def same_units(passages: Mapping[str, Passage]) -> int:
    """Return how many units each of the parallel texts has."""
    return len(next(iter(passages.values())).units)


def shown(passages: Mapping[str, Passage], named: Sequence[str], everything: bool, base: str) -> list[str]:
    """Return the languages of the figures: the base first, then those that are named, or all."""
    chosen = list(passages) if everything else [tag for tag in named if tag in passages]
    return list(dict.fromkeys([base, *(chosen or passages)]))
