"""The sentences of Families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explorer.words import count

TITLE = "Families"
SENTENCE = "One corpus, three algorithms. Marked is where they do not cut alike."
NAMES: Mapping[str, str] = {"bpe": "BPE", "wordpiece": "WordPiece", "unigram": "Unigram"}
CHANGE = "Change corpus"
CORPUS = "Corpus"
SPLIT = "Split into words"
SPLIT_HELP = "The same for all: else a difference in the split would pass for one of the algorithm."
OWN = "Own text"
OWN_HINT = "Paste a text to train on it in place of the samples."
EQUAL = "Equal"
EQUALS: Mapping[str, str] = {"size": "Size", "merges": "Merges"}
EQUAL_NOTES: Mapping[str, str] = {
    "size": "Each has as many pieces in all: special tokens, characters and what was learned.",
    "merges": "BPE and WordPiece merge as often. Unigram merges nothing: it gets as many pieces as BPE has then.",
}
NUMBER: Mapping[str, str] = {"size": "Pieces in all", "merges": "Merges"}
APPLY = "Train"
OVER = (
    "All three start from the characters of the corpus. WordPiece counts each character twice, at the start of a word "
    "and inside one (##), so it has fewer pieces left to learn at the same size."
)
AGREEMENT = "Words cut alike"
AGREEMENT_COLUMNS = ("tokenizers", "words cut alike", "of", "%")
MARKS_TITLE = "Three ways of marking words"
MARKS_NOTE = (
    "A vocabulary without spaces must tell where words end. The same corpus, the same split, the same number of merges."
)
MARKS: Mapping[str, tuple[str, str]] = {
    "sennrich": ("Sennrich: </w> is a symbol of its own", "</w>"),
    "clip": ("CLIP: </w> is fused to the last character", "</w>"),
    "bert": ("BERT: ## before all but the first piece", "##"),
}
MARKS_SOURCE = (
    "Sennrich et al. 2016, arXiv:1508.07909; Radford et al. 2021, arXiv:2103.00020 (CLIP); Devlin et al. 2019, "
    "arXiv:1810.04805 (BERT)."
)
UNSEEN_TITLE = "Bytes that the corpus does not have"
UNSEEN_NOTE = (
    "GPT-2 starts from all 256 bytes, as Tokenglass does by default. The trainer of the Hub's library starts from the "
    "bytes of the corpus unless it is given an alphabet; a byte that it never saw is then dropped without a word. Here "
    "such bytes are hatched."
)
UNSEEN_SOURCE = "Source: huggingface/tokenizers, BpeTrainer, option initial_alphabet; ByteLevel.alphabet()."
UNSEEN: Mapping[str, str] = {"all": "All 256 bytes", "seen": "Bytes seen in the corpus"}
UNSEEN_TEXT = "Text with rare characters"
EMPTY = "Type or paste a text that the corpus may not know."
SWITCH = "Algorithm"
SWITCH_HELP = "Corpus, normalizers, split and passage stay; the vocabulary is as large as now."
SIDE_BY_SIDE = "Side by side"


def agreement(names: Sequence[str]) -> str:
    """Name the tokenizers of a row.

    >>> agreement(["BPE", "WordPiece"]), agreement(["BPE", "WordPiece", "Unigram"])
    ('BPE and WordPiece', 'BPE, WordPiece and Unigram')
    """
    return f"{', '.join(names[:-1])} and {names[-1]}"


def marked(tokens: int, size: int, twice: Sequence[str]) -> str:
    """Say what a way of marking words comes to.

    >>> marked(12, 340, ["est", "er"])
    '12 tokens · 340 pieces, 2 of them with and without the mark: est, er'
    """
    said = f"{count(tokens, 'token')} · {count(size, 'piece')}"
    if not twice:
        return said
    more = "" if len(twice) <= 6 else " …"
    return f"{said}, {len(twice):,} of them with and without the mark: {', '.join(twice[:6])}{more}"


def comes_back(text: str, gone: Sequence[str]) -> str:
    """Say what comes back of a text.

    >>> comes_back("café", [])
    'Every byte comes back.'
    >>> comes_back("caf", ["é"])
    'Without its unknown bytes it comes back as “caf”. 1 character is lost: é'
    """
    if not gone:
        return "Every byte comes back."
    lost = f"{count(len(gone), 'character')} {'is' if len(gone) == 1 else 'are'} lost: {' '.join(gone)}"
    return f"Without its unknown bytes it comes back as “{text}”. {lost}"
