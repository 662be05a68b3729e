"""Every sentence of the page Lattice, and of the lattice on other pages."""

from __future__ import annotations

from explorer.words import count

TITLE = "Lattice"
SENTENCE = "Every piece that can stand in a word, and the most probable way through them."
TOKENIZER = "Tokenizer"
TEXT = "Text"
NAME = "Pieces of the word, each over its characters"
LEGEND = (
    "Filled and framed in ink: the most probable way. The bar at the foot of a piece: how often it stands there, over "
    "all ways, each weighted by its probability. Arrow keys walk: on, back, and down to longer pieces."
)
EMPTY = "There is no word here. Type one."
BEST = "Most probable ways"
DRAWN = "Ways drawn by lot"
ALPHA = "Alpha"
ALPHA_HELP = (
    "The exponent of a way's probability: 1 draws by probability, 0 draws every way alike, a large number always the "
    "best. Kudo 2018, arXiv:1804.10959, section 3.3."
)
SEED = "Seed"
METHOD_TITLE = "How this is worked out"
METHOD = (
    "A unigram model gives each piece a probability. A way to cut a word is as probable as the product of its pieces. "
    "Viterbi's algorithm finds the most probable way: for each place in the word it keeps the best way to get there. "
    "Summing in place of taking the best gives the probability of all ways together (forward-backward), and from it "
    "how often a piece stands in its place. A character that no piece covers is unknown: it costs 10 nats more than "
    "the least probable piece. Source: Kudo 2018, arXiv:1804.10959."
)


def best_note(ways: int) -> str:
    """Say what the list of the most probable ways holds."""
    return "share of all ways, by probability" if ways else ""


def drawn_note(draws: int, alpha: float, seed: int) -> str:
    """Say how ways were drawn.

    >>> drawn_note(200, 0.5, 1)
    '200 draws, alpha 0.5, seed 1'
    """
    return f"{draws:,} draws, alpha {alpha:g}, seed {seed}"


def log(value: float) -> str:
    """Write the log probability of a way.

    >>> log(-12.3456)
    'log P = −12.35'
    """
    return f"log P = {value:.2f}".replace("-", "−")


def drawn(times: int, draws: int) -> str:
    """Say how often a way was drawn.

    >>> drawn(57, 200)
    '57 of 200'
    """
    return f"{times:,} of {draws:,}"


def cut(most: int, characters: int) -> str:
    """Say that a word was cut.

    >>> cut(120, 300)
    'The first 120 of 300 characters are drawn, so that each piece can be seen.'
    """
    return f"The first {most:,} of {count(characters, 'character')} are drawn, so that each piece can be seen."
