"""Every sentence of the form in which a recipe is written: corpus, algorithm, and what else a training is asked."""

from __future__ import annotations

from collections.abc import Mapping

from engine.ties import Tie
from explorer.words import count, size

TRAIN = "Train"
PRESETS = "Start from"
NO_PRESET = "A recipe of your own: it follows none of these."
CORPUS = "Corpus"
SOURCES: Mapping[str, str] = {
    "samples": "Sample texts",
    "pasted": "Pasted text",
    "file": "File",
    "words": "Words with counts",
}
KIND = "Kind of sample"
KINDS: Mapping[str, str] = {"prose": "Prose", "udhr": "Declaration of Human Rights", "code": "Code", "toy": "Toy"}
SAMPLES = "Samples"
CHOOSE_SAMPLES = "Choose one or more, or type a name"
SAMPLES_NOTE = "Several are read one after another. Words with counts, among the toys, are trained on alone."
PASTED = "Text"
WORDS = "Words"
WORDS_NOTE = "One word a line with its count, such as “low 5”. A word without a number counts once."
FILE = "Text file"

ALGORITHM = "Algorithm"
SEEDS = "Pieces at the start"
SEEDS_HELP = "Unigram drops pieces of a long list until the size is reached; this is how that list begins."
SEED_SENTENCES: Mapping[str, str] = {
    "branching": "Substrings that two different characters follow, as in SentencePiece.",
    "frequent": "All substrings that stand twice: more to start with, and 0 to 20 % fewer tokens at the same size.",
}
ALGORITHMS: Mapping[str, str] = {
    "bpe": "Byte pair encoding (BPE)",
    "wordpiece": "WordPiece",
    "unigram": "Unigram",
    "word": "Words",
    "char": "Characters",
}
ALGORITHM_SENTENCES: Mapping[str, str] = {
    "bpe": "The most frequent pair of neighbours becomes one piece, again and again.",
    "wordpiece": "The pair whose parts stand together most often becomes one piece, again and again.",
    "unigram": "Too many pieces at first; round by round, those that the corpus misses least are dropped.",
    "word": "The most frequent words become the vocabulary; every other word is unknown.",
    "char": "The most frequent characters become the vocabulary; every other character is unknown.",
}
ALPHABET = "Alphabet"
ALPHABETS: Mapping[str, str] = {
    "bytes": "All 256 bytes",
    "seen-bytes": "Bytes seen",
    "characters": "Characters seen",
}
ALPHABET_SENTENCES: Mapping[str, str] = {
    "bytes": "Every text can be written, and nothing is unknown.",
    "seen-bytes": "The bytes of the corpus; any other becomes <unk>.",
    "characters": "The characters of the corpus; any other becomes <unk>.",
}
ALPHABET_HELP = "What merging starts from. Bytes: Radford et al. 2019 (GPT-2). Characters: Sennrich et al. 2016."
FALLBACK = "Bytes for unknown characters"
FALLBACK_HELP = "256 more pieces, such as <0x41>, with which any text can be written. As in Llama 2 and Mistral 7B."
COVERAGE = "Character coverage"
COVERAGE_HELP = (
    "The share of the corpus that the most frequent characters make up, which stay; the others are unknown. "
    "SentencePiece takes 0.9995."
)
END_OF_WORD = "End of word"
NO_MARK = "no mark"
END_OF_WORD_SENTENCE = "A mark such as </w> after every word, so that a piece knows where words end."
END_OF_WORD_HELP = (
    "Sennrich et al. 2016, arXiv:1508.07909: a symbol of its own. Fused to the last one: CLIP, Radford 2021."
)
JOINED = "Fused to the last symbol (CLIP)"

NORMALIZERS = "Normalize"
NO_NORMALIZER = "nothing"
NORMALIZERS_SENTENCE = "Rewrites of the text before the split, in the order chosen."
NORMALIZERS_HELP = "Forms: Unicode Standard Annex 15. Accents: google-research/bert, tokenization.py."
SPLIT = "Split into words"
OWN_PATTERN = "own regular expression"
PATTERN = "Regular expression"
PATTERN_SENTENCE = "Matches are words, and so is what lies between them; no piece crosses their edges."
SPLIT_HELP = "No piece crosses the edges of a word, which is called a pre-token. Syntax: the Python package regex."
SPECIALS = "Special tokens"
NO_SPECIALS = "none; type one and press Enter"
SPECIALS_SENTENCE = "They get the first ids and take no part in merging."
SPECIALS_HELP = "Such as <|endoftext|> or [CLS]: signals between texts, which no ordinary text turns into."

STOP = "Stop at"
STOPS: Mapping[str, str] = {"steps": "Steps", "size": "Size"}
NUMBERS: Mapping[str, str] = {"steps": "Steps", "size": "Pieces in all"}
STOP_SENTENCES: Mapping[str, str] = {
    "steps": "Each step adds one piece to the alphabet.",
    "size": "Special tokens, alphabet and learned pieces together.",
}
TIES: Mapping[Tie, str] = {
    "lowest-id": "lowest id",
    "first": "first in the corpus",
    "smallest": "smallest pieces",
    "largest": "largest pieces",
    "random": "random",
}
TIE = "Ties"
TIE_HELP = "Of equally good pairs one must win. Papers leave the rule open; programs differ in it."
TIE_SENTENCES: Mapping[str, str] = {
    "lowest-id": "The smallest ids win; the order of the corpus does not matter.",
    "first": "The pair that stands first in the corpus, as it is at that step, wins.",
    "smallest": "The pieces that come first in code-point order win.",
    "largest": "The pieces that come last in code-point order win.",
    "random": "Equal pairs are drawn by lot; another seed gives another vocabulary.",
}
SEED = "Seed"
LEAST = "Least count"
LEAST_HELP = "Also called minimum frequency. What stands once teaches little; 2 or more keeps noise out."
LEAST_SENTENCES: Mapping[str, str] = {
    "bpe": "A pair that stands fewer times is not merged.",
    "wordpiece": "A pair that stands fewer times is not merged.",
    "word": "A word that stands fewer times is left out.",
    "char": "A character that stands fewer times is left out.",
}


def tie(rule: Tie, seed: int) -> str:
    """Name a tie rule.

    >>> tie("lowest-id", 0), tie("random", 7)
    ('lowest id', 'random, seed 7')
    """
    return f"random, seed {seed}" if rule == "random" else TIES[rule]


def pasted_limit(characters: int) -> str:
    """Say how long a pasted text may be."""
    return f"Up to {characters:,} characters, so that the page stays smooth. Upload larger text as a file."


def file_limit(bytes: int) -> str:
    """Say how large a file may be."""
    return f"UTF-8, up to {bytes // 1024 // 1024} MiB ({bytes:,} bytes), so that a training takes about a minute."


def mangled(name: str, replaced: int, first: int) -> str:
    r"""Say what became of a file that is not UTF-8.

    >>> mangled("a.txt", 3, 1234)
    'a.txt is not UTF-8: byte 1,234 is the first that is none. U+FFFD took the place of invalid bytes, 3 times.'
    """
    times = "once" if replaced == 1 else f"{replaced:,} times"
    where = f"byte {first:,} is the first that is none"
    return f"{name} is not UTF-8: {where}. U+FFFD took the place of invalid bytes, {times}."


def uploaded(name: str, bytes: int, characters: int) -> str:
    """Say what a file holds."""
    return f"{name}: {size(bytes)}, {count(characters, 'character')}."


def kept(bytes: int) -> str:
    """Say that a text given earlier stays the corpus."""
    return f"Until a file is chosen, the text of {size(bytes)} that you gave before stays the corpus."
