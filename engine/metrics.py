"""Measures of a tokenizer: what it costs, in which language, and how evenly.

Each measure turns a sample into a number, or into one for each of many draws, and says in its docstring its formula,
its unit, its source, and when it may be compared. `engine.samples.estimate` adds a 95 % interval.

>>> from engine.hand import from_merges
>>> from engine.passages import Passage
>>> sample = Sample.of(from_merges("bytes", [("a", "t"), ("s", "at")]), Passage.of(["sat at", "sat"]))
>>> sample.tokens.tolist(), float(bytes_per_token(sample)), float(fertility(sample))
([4, 1], 2.0, 1.0)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.samples import Draws, Sample, Values, counted, summed

ALPHA = 2.5


def tokens(sample: Sample, draws: Draws | None = None) -> Values:
    """Count the tokens of a text.

    Formula: n
    Unit: tokens, without the special tokens that a library puts around a text
    Source: a count
    Comparable only if: the texts are the same, or say the same.
    """
    return summed(_or_once(draws, sample), sample.tokens)


def premium(sample: Sample, base: Sample, draws: Draws | None = None) -> Values:
    """Tell how many times the tokens of a base language a language pays for the same content.

    Formula: tokens(text) / tokens(text in the base language), by the same tokenizer
    Unit: times
    Source: Petrov et al. 2023, arXiv:2305.15425, "tokenization premium"
    Comparable only if: the texts are translations of each other. A ratio of characters per token is no premium.
    Misleads: a language pays little against a base that the tokenizer reads badly too, and next to nothing where its
        words become unknown tokens.

    Raises:
        ValueError: The two have different numbers of units.
    """
    if len(sample.tokens) != len(base.tokens):
        raise ValueError(
            "parallel texts must have the same units, for they are drawn together; "
            f"got {len(sample.tokens)} and {len(base.tokens)}"
        )
    return _ratio(sample.tokens, base.tokens, _or_once(draws, sample))


def bytes_per_token(sample: Sample, draws: Draws | None = None) -> Values:
    """Tell how many bytes of text a token stands for.

    Formula: UTF-8 bytes of the text / tokens
    Unit: bytes per token
    Source: a quotient; the "compression" of many reports
    Comparable only if: the text is the same, so across tokenizers and not across languages.
    Misleads: Thai takes three bytes where English takes one, so a script looks well compressed by its encoding alone.
    """
    return _ratio(sample.passage.bytes, sample.tokens, _or_once(draws, sample))


def code_points_per_token(sample: Sample, draws: Draws | None = None) -> Values:
    """Tell how many code points of text a token stands for.

    Formula: code points of the text / tokens
    Unit: code points per token
    Source: a quotient
    Comparable only if: the text is the same, or at least the script.
    Misleads: a Chinese character says more than a Latin letter, so the quotient of two scripts is no premium.
    """
    return _ratio(sample.passage.code_points, sample.tokens, _or_once(draws, sample))


def graphemes_per_token(sample: Sample, draws: Draws | None = None) -> Values:
    """Tell how many graphemes, characters as readers see them, a token stands for.

    Formula: graphemes of the text (UAX 29, Unicode 16) / tokens
    Unit: graphemes per token
    Source: a quotient
    Comparable only if: the text is the same, or at least the script.
    Misleads: as code points per token do; a Hangul syllable is one grapheme and two or three letters.
    """
    return _ratio(sample.passage.graphemes, sample.tokens, _or_once(draws, sample))


def fertility(sample: Sample, draws: Draws | None = None) -> Values:
    """Tell into how many tokens a word is cut on average.

    Formula: sum over words of the tokens that share a byte with the word / words
    Unit: tokens per word; at least 1 where no word is dropped
    Source: Ács 2019, "Exploring BERT's vocabulary"; Rust et al. 2021, arXiv:2012.15613
    Comparable only if: the segmenter and the language are the same: a word of Finnish is a phrase of English.
    Misleads: a token that covers two words counts for each of them.
    """
    return _per_word(sample, sample.word_tokens, draws)


def continued_words(sample: Sample, draws: Draws | None = None) -> Values:
    """Tell the share of words that are cut into two tokens or more.

    Formula: words that share bytes with at least two tokens / words
    Unit: share of the words of the running text, 0 to 1
    Source: Rust et al. 2021, arXiv:2012.15613, "proportion of continued words"
    Comparable only if: the segmenter and the language are the same.
    Misleads: a word cut in two counts as much as one cut into twenty.
    """
    return _per_word(sample, sample.word_tokens > 1, draws)


def single_token_retention(sample: Sample, draws: Draws | None = None) -> Values:
    """Tell the share of different words that are kept whole, as one token that has no part in another word.

    Formula: mean over different words of (occurrences that are one token of their own / occurrences)
    Unit: share of the different words, 0 to 1
    Source: Nayeem et al. 2025, arXiv:2510.09947, STRR; there each word is encoded alone, here in its running text
    Comparable only if: the segmenter, the language and the text are the same: a longer text has more rare words.
    Misleads: rare words count as much as frequent ones, so it says little of the length of a text.
    """
    weights = _or_once(draws, sample)
    types, units = sample.passage.word_types, sample.passage.word_units
    width = int(types.max(initial=-1)) + 1
    there = counted(weights, units, types, width)
    kept = counted(weights, units[sample.kept_words], types[sample.kept_words], width)
    return _in_order(_kept_share(*both) for both in zip(kept, there, strict=True))


def shannon_efficiency(sample: Sample, draws: Draws | None = None) -> Values:
    """Tell how evenly the tokens of a text are used: 1 if each stands equally often.

    Formula: H / log2 k, H = - sum p log2 p; p: share of a token; k: different tokens of the text
    Unit: share of the largest entropy, 0 to 1
    Source: Zouhar et al. 2023, arXiv:2306.16842; Shannon 1948
    Comparable only if: the text is the same.
    Misleads: it says nothing of length: one token a byte can be used very evenly.
    """
    return renyi_efficiency(sample, draws, 1.0)


def renyi_efficiency(sample: Sample, draws: Draws | None = None, alpha: float = ALPHA) -> Values:
    """Tell how evenly the tokens of a text are used, with more weight on the frequent ones.

    Formula: H / log2 k, H = log2(sum p^alpha) / (1 - alpha), alpha 2.5; p: share of a token; k: different tokens
    Unit: share of the largest entropy, 0 to 1
    Source: Zouhar et al. 2023, arXiv:2306.16842; Rényi 1961
    Comparable only if: the text and alpha are the same.
    Misleads: it can rise while compression falls: cutting the most frequent tokens to pieces evens them out
        (Cognetta et al. 2024, arXiv:2402.14614).
    """
    return _in_order(efficiency(counts, alpha) for counts in sample.token_counts(_or_once(draws, sample)))


def unknown_share(sample: Sample, draws: Draws | None = None) -> Values:
    """Tell the share of a text that is lost in tokens for what a tokenizer does not know.

    Formula: UTF-8 bytes behind unknown tokens / UTF-8 bytes of the text
    Unit: share of the bytes, 0 to 1
    Source: a quotient; the "unknown rate" of reports counts tokens instead
    Comparable only if: the text is the same.
    Misleads: what a normalizer drops before is lost too, and not counted here.
    """
    return _ratio(sample.unknown, sample.passage.bytes, _or_once(draws, sample))


def utilization(sample: Sample, draws: Draws | None = None) -> Values:
    """Tell the share of a vocabulary that a text uses.

    Formula: different ids of the text / ids of the vocabulary
    Unit: share of the vocabulary, 0 to 1
    Source: a quotient
    Comparable only if: the text is the same: a longer one uses more.
    Misleads: a small vocabulary is used fully, and is not better for it.
    """
    known = np.unique(sample.ids) >= 0
    drawn = sample.token_counts(_or_once(draws, sample))
    return _divided(_in_order((counts[..., known] > 0).sum(axis=-1) for counts in drawn), np.asarray(sample.vocab_size))


def gini(values: NDArray[np.integer] | Values) -> Values:
    """Tell how unevenly the tokens of the same content are spread over languages: 0 if all pay the same.

    Formula: sum over i, j of |x_i - x_j| / (2 n^2 mean); x: tokens of each of n languages
    Unit: 0 (even) to 1 - 1/n (one language has all)
    Source: Gini 1912; over languages: Foroutan et al. 2025, arXiv:2508.04796
    Comparable only if: the parallel texts and the languages are the same.
    Misleads: it is low where every language is cut into bytes, or all are read equally badly.

    Args:
        values: One a language along the last axis, none negative.

    >>> float(gini(np.array([1, 1, 1]))), float(gini(np.array([0, 0, 3])))
    (0.0, 0.6666666666666666)
    """
    ordered = np.sort(np.asarray(values, np.float64), axis=-1)
    n = ordered.shape[-1]
    ranks = 2 * np.arange(1, n + 1) - n - 1
    return _divided(ordered @ ranks, n * ordered.sum(axis=-1))


def renyi_entropy(counts: NDArray[np.integer] | Values, alpha: float = ALPHA) -> Values:
    """Return the entropy of counts along the last axis, in bits; alpha 1 is Shannon's, alpha 0 counts the kinds.

    int[..., kinds] becomes float64[...]; NaN where nothing was counted.

    Source: Rényi 1961, "On measures of entropy and information".

    Raises:
        ValueError: alpha is negative or no number.

    >>> round(float(renyi_entropy(np.array([3, 2, 1, 1]))), 7)
    1.653013
    """
    if not alpha >= 0:
        raise ValueError(f"alpha must be at least 0; got {alpha}")
    shares = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
    seen = shares > 0
    logs = np.log2(np.where(seen, shares, 1))
    top = np.log2(np.maximum(shares.max(axis=-1, initial=0), np.finfo(float).tiny))
    if alpha == np.inf:
        entropy = -top
    elif alpha == 1:
        entropy = -(shares * logs).sum(axis=-1)
    else:
        # From the largest share on: a high power of a small share would be nothing.
        powers = np.where(seen, np.exp2(alpha * np.where(seen, logs - top[..., None], 0)), 0).sum(axis=-1)
        entropy = (np.log2(np.maximum(powers, 1)) + alpha * top) / (1 - alpha)
    return np.where(seen.any(axis=-1), entropy, np.nan)


def efficiency(counts: NDArray[np.integer] | Values, alpha: float = ALPHA) -> Values:
    """Return the entropy of counts as a share of the largest that so many kinds can have: float64[...], 0 to 1.

    NaN where fewer than two kinds were counted. The arguments are those of `renyi_entropy`.

    >>> round(float(efficiency(np.array([3, 2, 1, 1]))), 7), round(float(efficiency(np.array([3, 2, 1, 1]), 1)), 7)
    (0.8265065, 0.9211855)
    """
    kinds = (counts > 0).sum(axis=-1)
    return _divided(renyi_entropy(counts, alpha), np.log2(np.maximum(kinds, 1)))


def embedding_parameters(vocab_size: int, width: int, tied: bool) -> int:
    """Count the parameters of the embedding, and of the output layer where it is one of its own.

    Formula: vocabulary size x width, twice if the output layer is not tied to the embedding
    Unit: parameters
    Source: Press & Wolf 2017, arXiv:1608.05859 (tying)
    Comparable only if: the width is the same.

    >>> embedding_parameters(50257, 768, tied=True)
    38597376
    """
    return vocab_size * width * (1 if tied else 2)


def _or_once(draws: Draws | None, sample: Sample) -> Draws:
    return sample.once if draws is None else draws


def _per_word(sample: Sample, values: NDArray[np.generic], draws: Draws | None) -> Values:
    units, count = sample.passage.word_units, len(sample.tokens)
    sums = np.bincount(units, values.astype(np.float64), count)
    return _ratio(sums, np.bincount(units, minlength=count), _or_once(draws, sample))


def _in_order(values: Iterator[Values]) -> Values:
    """Join what was measured of some draws at a time; a number for what was measured once."""
    parts = list(values)
    return np.concatenate(parts) if parts[0].ndim else parts[0]


def _kept_share(kept: Values, there: Values) -> Values:
    """Return the mean share of each kind that was kept, over the kinds that are there."""
    seen = there > 0
    return _divided((kept / np.where(seen, there, 1)).sum(axis=-1), seen.sum(axis=-1))


def _ratio(above: NDArray[np.int64] | Values, below: NDArray[np.int64], draws: Draws) -> Values:
    return _divided(summed(draws, above), summed(draws, below))


def _divided(above: NDArray[np.generic], below: NDArray[np.generic]) -> Values:
    """Divide; NaN where there is nothing to divide by."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(below) > 0, np.divide(above, below), np.nan)
