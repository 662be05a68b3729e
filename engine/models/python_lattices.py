"""The lattices of a corpus under training, in NumPy: a round of work for each node of the longest word."""

from __future__ import annotations

import numpy as np

from engine.counts import Ints
from engine.lattices import Floats, Followed, Replaced, lattices, logs
from engine.seeds import seeds
from engine.shared_lattices import divided
from engine.slices import Slices
from engine.sorted_words import Words


class PythonLattices:
    """Every way to cut the words of a corpus into the pieces that are left.

    Attributes:
        seeds: The pieces at the start.
    """

    def __init__(self, words: Words, longest: int, least: int, branching: bool) -> None:
        """Find the seed pieces; the arguments are those of `engine.seeds.seeds`."""
        self._words, self._longest = words, longest
        self.seeds, self._lattices = seeds(words, longest, least, branching)

    def keep(self, renamed: Ints) -> None:
        """Go on without the pieces that are gone; `renamed[piece]` is the new number of a piece, or -1."""
        self._lattices = self._lattices.keep(renamed)

    def divide(self) -> None:
        """Divide words where no piece crosses, and go on with their different parts."""
        self._words, self._lattices = divided(self._words, self._lattices)

    def expected(self, log_probs: Floats) -> Floats:
        """Return float64[pieces], how often each is expected to stand over all ways to cut the words."""
        return self._lattices.expected(log_probs, self._words.weights)

    def follow(self, log_probs: Floats, summing: bool) -> Followed:
        """Find the best path through each word, and, if `summing`, the probability of all by all paths."""
        best = self._lattices.best(log_probs)
        used = np.bincount(best.pieces, self._words.weights[best.words], len(log_probs)).astype(np.int64)
        if not summing:
            return Followed(used, 0.0)
        sums, powers = self._lattices.forward(log_probs)
        totals = logs(sums[self._lattices.last], powers[self._lattices.last])
        return Followed(used, float((totals * self._words.weights).sum()))

    def replace(self, log_probs: Floats, texts: Slices) -> Replaced:
        """Find the best path through each piece without the piece itself."""
        turned = [text[::-1] for text in texts]  # so the search begins at the end
        index = {text: i for i, text in enumerate(turned)}
        best = lattices(turned, index, self._longest).without_whole().best(log_probs)
        order = np.argsort(best.words, kind="stable")
        return Replaced(best.scores, np.bincount(best.words, minlength=len(texts)), best.pieces[order])
