"""The sentences of the Measures page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine import metrics
from explorer.file_codes import ParallelFiles
from explorer.views.matching import Match
from explorer.words import count

MEASURES = "What the same text costs in each language, tokenizer by tokenizer."
CHANGE = "Change"
TOKENIZERS = "Tokenizers"
TEXTS = "Parallel texts"
TEXT_NAMES = {"declaration": "Universal Declaration, 30 articles", "sentences": "Ten sentences"}
BASE = "Base language of the premium"
FILES = "Parallel files of your own: one language a file, line k of each says the same"
FILES_HELP = (
    "UTF-8. The language is what the name ends in where that is a tag (news.de), else the name without its ending "
    "(de.txt)."
)
OWN_FILES = "Files of your own"
ADD_FILES = "Add the files"
TAKE_OTHERS = "Measure these instead"
TAKE_SAMPLES = "Measure the Universal Declaration instead"
READ_FILES = "Read the files"
NO_TOKENIZERS = "Choose a tokenizer: there is nothing to measure."
LANGUAGE = "Highlighted language"
MEASURE = "Measure"
NAMED = "Languages in the figures"
EVERYTHING = "All languages"
RANKED = "Rank rows by the highlighted tokenizer"
REAL = "Highlighted tokenizer"
ALPHA = "Alpha of Rényi's entropy"
ALPHA_HELP = "2.5 is the value that Zouhar et al. recommend. 1 is Shannon's entropy, 0 counts the kinds."
TO_CURVES = "Its curves over vocabulary size, on Languages"
CANCEL = "Cancel"
GO_ON = "Read the rest"
BARS = {"tokenizers": "tokenizers", "languages": "languages"}
BARS_LABEL = "What is ranked"
INTERVAL = "Thin lines: 95 % interval over the {units}, drawn anew 1,000 times."
UNIT_NAMES = {"declaration": "30 articles", "sentences": "10 sentences"}
SIZES = "Vocabulary size and sequence length"
SIZE_AXIS = "vocabulary size, log scale"
SIZE_HOVER = "%{x:,} pieces: %{y:,} tokens"
BILL_HOVER = "%{x:,} parameters save %{y:.1%} of the bytes"
BILL_NOTE = (
    "Tokens saved: bytes of the text that are no token of their own, as a share. One token a byte saves nothing and "
    "needs 256 pieces."
)
WIDTH = "Width of the embedding"
TIED = "Output tied to the embedding"
TIED_HELP = "Tied: one matrix of size × width serves input and output. Not tied: two."
TRAINED = "Curve of"
SUMMARY = "Tokenizer by tokenizer, over all languages"
SUMMARY_HELP = "Gini: 0 where every language needs as many tokens for the same text. Saved per million: bytes that are "
SUMMARY_HELP += "no token of their own, for each million parameters of the embedding."
CARDS = "What Gini and the parameters are"
CARDS_OF: Mapping[Callable[..., object], str] = {
    metrics.gini: "Gini over languages",
    metrics.embedding_parameters: "Parameters of the embedding",
}
DOUBTFUL = " Question mark: more than 5 % of the text became unknown tokens, so the value says little."
NUMBERS = "Every measure, language by language"
CSV = "Download CSV"
HOW = "How this is measured"
MATCH = "Match a target"
MATCH_NOTE = "How many merges on this corpus come within 10 % of a real tokenizer on a text, read off the length curve."
NEAR = "within 10 %"
TARGET = "Target"
MATCH_TEXT = "Text"
HELD_OUT = "Held-out text"
OWN_TEXT = "A text of your own"
OWN_HINT = "Paste a text."
PARTS = {
    "Formula": "Formula",
    "Unit": "Unit",
    "Source": "Source",
    "Comparable only if": "Comparable only if",
    "Misleads": "Where it misleads",
}
METHOD = """
**Texts.** The units of the parallel texts (articles, sentences, lines) are joined by newlines and read as one text,
without the special tokens that a library puts around it. What is pasted into Tokenize gives the same counts.

**Words.** Cut by {segmenter}: the default rules of Unicode (UAX 29), with ICU's dictionaries for scripts without
spaces: Chinese, Japanese, Thai, Lao, Khmer and Burmese. Tibetan is cut into syllables. Segments without a letter or a
digit are no words.

**Interval.** The units are drawn anew with replacement, 1,000 times, with a fixed seed; the middle 95 % of the values
is the interval. Parallel texts are drawn together. It tells how much the choice of the units matters, not what another
kind of text would give.

**Real tokenizers** read with all that belongs to them: normalization, split, unknown tokens. A tokenizer that writes
what it does not know as one unknown token looks shorter than it is; T5 and BERT do so in many scripts.
"""


def set_name(files: ParallelFiles) -> str:
    """Name a set of parallel files.

    >>> set_name(ParallelFiles("9c1185a5c5e9fc54", 2, 3, ("en", "de")))
    '3 parallel files (en, de, …) of 2 lines'
    """
    more = ", …" if files.files > len(files.tags) else ""
    return f"{count(files.files, 'parallel file')} ({', '.join(files.tags)}{more}) of {count(files.lines, 'line')}"


def parallel_needed(files: ParallelFiles) -> str:
    """Say which files a view needs."""
    return (
        f"This view needs {set_name(files)}, one language a file: a link names files, but does not hold them. "
        "The tokenizers, the measure and all other choices of the link wait for them. What is added is read on this "
        "server and sent nowhere."
    )


def other_parallel(files: ParallelFiles) -> str:
    """Say that files are not those of the link."""
    return f"These are others: {set_name(files)}, or other text in them; their digest is {files.digest[:8]}…"


def facts(tokenizers: int, texts: str, languages: int, units: int, base: str) -> dict[str, str]:
    """Say what is measured."""
    named = TEXT_NAMES.get(texts, f"files of your own, {count(units, 'line')}")
    return {
        "Tokenizers": f"{tokenizers:,}",
        "Text": f"{named}, {count(languages, 'language')}",
        "Premium over": base,
    }


def units(texts: str, number: int) -> str:
    """Name the units of parallel texts.

    >>> units("declaration", 30), units("file.1", 1)
    ('30 articles', '1 line')
    """
    return UNIT_NAMES.get(texts, count(number, "line"))


def reading(done: int, total: int) -> str:
    """Say how many texts were read."""
    return f"Reading: {done:,} of {count(total, 'text')}"


def stopped(done: int, total: int) -> str:
    """Say that the reading was cancelled."""
    return f"Stopped: {done:,} of {count(total, 'tokenizer')} are read."


def left_out(names: Sequence[str], reason: str) -> str:
    """Say that a tokenizer could not be read."""
    return f"{', '.join(names)}: {reason}"


def map_title(measure: str, base: str) -> str:
    """Head the heat map.

    >>> map_title("premium", "English"), map_title("fertility", "English")
    ('Tokens for the same text, English = 1', 'Fertility')
    """
    return f"Tokens for the same text, {base} = 1" if measure == "premium" else measure[:1].upper() + measure[1:]


def unit_of(measure: str, base: str) -> str:
    """Return what follows a value."""
    shares = {"continued words": "of the words", "single-token retention": "of the different words"}
    if measure == "premium":
        return f"times {base}"
    return {
        "fertility": "tokens per word",
        "utilization": "of the vocabulary",
        "unknown share": "of the bytes",
        **shares,
    }.get(measure, measure if "per token" in measure or measure == "tokens" else "")


def doubted(name: str, lossy: bool) -> str:
    """Name a tokenizer, with a question mark where much of a text became unknown tokens.

    >>> doubted("t5-base", True)
    't5-base ?'
    """
    return f"{name} ?" if lossy else name


def card_title(measure: str) -> str:
    """Head the card of a measure.

    >>> card_title("premium")
    'Premium'
    """
    return measure[:1].upper() + measure[1:]


def scale_note(measure: str, base: str, doubtful: bool) -> str:
    """Say what the colors mean, and the question marks where there are some."""
    return _colors(measure, base) + (DOUBTFUL if doubtful else "")


def _colors(measure: str, base: str) -> str:
    if measure == "premium":
        return (
            f"Blue: fewer than {base}. Grey: as many. Ochre: more. Log scale, clipped at 8 times; the values are not."
        )
    return "Pale to deep blue: the smallest to the largest value in view."


def bars_title(kind: str, measure: str, base: str, name: str) -> str:
    """Head the ranked bars."""
    return f"{map_title(measure, base)}: {name}" if kind == "tokenizers" else f"{map_title(measure, base)}, by {name}"


def more_languages(number: int) -> str:
    """Label the list of all languages."""
    return f"+ {number} more" if number > 0 else "Languages"


def bill_axis(width: int, tied: bool) -> str:
    """Name the axis of parameters."""
    return f"embedding parameters, size × {width:,}{'' if tied else ' × 2'}, log scale"


def sizes_title(language: str) -> str:
    """Head the points over vocabulary sizes."""
    return f"Tokens of the text in {language}"


def bill_title(language: str) -> str:
    """Head the bill."""
    return f"The bill of a vocabulary: parameters against tokens saved, {language}"


def match_title(real: str) -> str:
    """Head the curve that a match is read off."""
    return f"Tokens of the text by vocabulary size, against {real}"


def seen(share: float) -> str:
    """Say whether a text was trained on.

    >>> seen(0), seen(0.25)[:31]
    ('Held out: no line of this text was trained on.', '25% of this text was trained on')
    """
    if not share:
        return "Held out: no line of this text was trained on."
    if share > 0.995:
        return "This text was trained on: the curve is better than it should be."
    return f"{share:.0%} of this text was trained on: the curve is better than it should be."


def unknown_corpus(name: str) -> str:
    """Say that nobody here knows what a tokenizer was trained on."""
    return f"What {name} was trained on is not known here; this text may be part of it."


def matched(found: Match, target: int, real: str) -> tuple[str, str, str]:
    """Say how many merges come near: a number, its unit, and what it means.

    >>> matched(Match(1100, 40, 296, 1090), 1000, "gpt2")[2]
    'With 40 learned pieces (296 in all) the text has 1,090 tokens; gpt2 needs 1,000, and 10 % more is 1,100.'
    """
    compare = f"{real} needs {target:,}, and 10 % more is {found.goal:,}."
    if found.learned is None:
        ratio = found.tokens / max(target, 1)
        text = f"After all its {found.size:,} pieces the text has {found.tokens:,} tokens, {ratio:.2f} times; {compare}"
        return "Not reachable", "", text
    unit = "merge" if found.learned == 1 else "merges"
    text = f"With {found.learned:,} learned pieces ({found.size:,} in all) the text has {found.tokens:,} tokens; "
    return f"{found.learned:,}", unit, text + compare


def parts_of(parts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the parts of a card as pairs of what they are and what they say, the warning apart."""
    return [(PARTS[name], text) for name, text in parts.items() if name != "Misleads"]
