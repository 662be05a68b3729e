"""What the recipe form holds: a draft, what of it does not apply and why, and the recipe that it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import engine
from engine.ties import Tie
from engine.training import Algorithm, AlphabetName, Seeds
from explorer.limits import MOST_STEPS, check_size
from explorer.recipes import Corpus, TokenizerRecipe, split_of

Source = Literal["samples", "pasted", "file", "words"]
Stop = Literal["steps", "size"]

PATTERN = "pattern"
ALGORITHMS: tuple[Algorithm, ...] = ("bpe", "wordpiece", "unigram", "word", "char")
ALPHABETS: tuple[AlphabetName, ...] = ("bytes", "seen-bytes", "characters")
SPLITS: tuple[str, ...] = (*engine.PRE_TOKENIZERS, PATTERN)
LONGEST_PASTE = 100_000
"""Code points of a corpus that is pasted or typed; longer text comes as a file."""


@dataclass(frozen=True)
class Draft:
    """The fields of the form.

    Attributes:
        source: Where the corpus comes from.
        samples: Names of sample corpora.
        pasted: A text.
        words: Words with their counts, one a line.
        file: The text of an uploaded file; None if there is none.
        kept: Digest of a text that was given before and is too long for the field; None if there is none.
        algorithm: As in `engine.Recipe`, like those below.
        alphabet: BPE only.
        end_of_word: BPE only.
        joined: BPE only.
        normalizers: Names, in order.
        split: Name of the pre-tokenizer, or `PATTERN`.
        pattern: The regular expression of one's own.
        stop: Whether `number` counts steps or pieces in all.
        number: When to stop.
        tie: The rule.
        seed: Of random ties.
        min_count: The least count.
        specials: Special tokens, in order.
        unknown: The unknown token, which has no field: what a link says is kept.
        fallback: Whether unknown characters are written in bytes.
        seeds: What Unigram starts from.
        coverage: Share of the corpus that the characters which Unigram keeps make up.
    """

    source: Source = "samples"
    samples: tuple[str, ...] = ("prose/en_moby_dick_1851",)
    pasted: str = ""
    words: str = ""
    file: str | None = None
    kept: str | None = None
    algorithm: Algorithm = "bpe"
    alphabet: AlphabetName = "bytes"
    end_of_word: str = ""
    joined: bool = False
    normalizers: tuple[str, ...] = ()
    split: str = "gpt2"
    pattern: str = ""
    stop: Stop = "steps"
    number: int = 2000
    tie: Tie = "lowest-id"
    seed: int = 0
    min_count: int = 1
    specials: tuple[str, ...] = ()
    unknown: str | None = None
    fallback: bool = False
    seeds: Seeds = "branching"
    coverage: float = 1.0


_REASONS: Mapping[str, Mapping[str, str]] = {
    "alphabet": {
        "wordpiece": "WordPiece starts from the characters of the corpus.",
        "unigram": "Unigram keeps the characters of the corpus, as many as the coverage asks for.",
        "word": "Words are taken whole, so there is no alphabet.",
        "char": "The characters are the pieces, so there is no alphabet.",
    },
    "end_of_word": {
        "wordpiece": "WordPiece marks the inside of a word by ## instead.",
        "unigram": "Unigram marks the start of a word, if the split puts ▁ there.",
        "word": "Words are taken whole, so their end needs no mark.",
        "char": "Characters are taken one by one, so a word's end needs no mark.",
    },
    "stop": {"unigram": "Unigram prunes down to a size, so it stops there."},
    "tie": {"unigram": "Of equal pieces the first in code-point order stays."},
    "min_count": {"unigram": "A piece that is expected less than half a time goes, whatever its count."},
    "fallback": {
        "wordpiece": "WordPiece makes a word with an unknown character unknown as a whole.",
        "word": "A word that is not in the vocabulary is unknown.",
        "char": "A character that is not in the vocabulary is unknown.",
    },
}


def reason(field: str, draft: Draft) -> str | None:
    """Say why a field does not apply to a draft; None where it does.

    >>> reason("end_of_word", Draft(algorithm="wordpiece"))
    'WordPiece marks the inside of a word by ## instead.'
    >>> reason("seed", Draft()), reason("seed", Draft(tie="random"))
    ('Only random ties are drawn by a seed.', None)
    """
    if field == "seed" and (draft.tie != "random" or draft.algorithm == "unigram"):
        return "Only random ties are drawn by a seed."
    if field == "fallback" and draft.algorithm == "bpe" and draft.alphabet != "characters":
        return "Bytes write every text already."
    if field == "joined" and draft.algorithm == "bpe" and not draft.end_of_word:
        return "There is no mark to fuse."
    return _REASONS.get("end_of_word" if field == "joined" else field, {}).get(draft.algorithm)


def draft_of(recipe: TokenizerRecipe, text: str | None) -> Draft:
    """Return the draft that gives a recipe; `text` is the visitor's own that it is trained on, None if not kept."""
    training = recipe.training
    by_size = training.vocab_size is not None and (training.max_steps is None or training.algorithm == "unigram")
    own = recipe.pre_tokenizer.startswith("pattern:")
    source, fields = _source_of(recipe.corpus, text)
    return Draft(
        source=source,
        algorithm=training.algorithm,
        alphabet=training.alphabet or ("bytes" if training.algorithm == "bpe" else "characters"),
        end_of_word=training.end_of_word,
        joined=training.end_of_word_joined,
        normalizers=recipe.normalizers,
        split=PATTERN if own else recipe.pre_tokenizer,
        pattern=recipe.pre_tokenizer.removeprefix("pattern:") if own else "",
        stop="size" if by_size else "steps",
        number=min(max(1, (training.vocab_size if by_size else training.max_steps) or 1), MOST_STEPS),
        tie=training.tie,
        seed=training.seed,
        min_count=training.min_count,
        specials=training.special_tokens,
        unknown=training.unknown,
        fallback=training.byte_fallback,
        seeds=training.seeds,
        coverage=training.coverage,
        **fields,
    )


def _source_of(corpus: Corpus, text: str | None) -> tuple[Source, dict[str, Any]]:
    if corpus.kind == "samples":
        return "samples", {"samples": corpus.names}
    if text is None:
        return ("words" if corpus.kind == "words" else "pasted"), {}
    if corpus.kind == "words":
        return "words", {"words": text}
    if len(text) > LONGEST_PASTE:
        return "file", {"kept": corpus.names[0]}
    return "pasted", {"pasted": text}


def recipe_of(draft: Draft, keep: Callable[[str], str]) -> TokenizerRecipe:
    """Return the recipe of a draft; `keep` puts a visitor's text away and returns its digest.

    Raises:
        ValueError: A field is empty or outside its range; the message says which.
    """
    by_merging, by_pruning = draft.algorithm == "bpe", draft.algorithm == "unigram"
    by_size = by_pruning or draft.stop == "size"
    if not 1 <= draft.number <= MOST_STEPS:
        what = "the number of pieces" if by_size else "the number of steps"
        raise ValueError(
            f"{what} must be from 1 to {MOST_STEPS:,}, as the player has each step in the browser; got {draft.number:,}"
        )
    if draft.split == PATTERN and not draft.pattern:
        raise ValueError("the regular expression is empty; write one, or choose a named split")
    split = f"pattern:{draft.pattern}" if draft.split == PATTERN else draft.split
    split_of(split)
    bare = engine.Recipe()
    training = engine.Recipe(
        algorithm=draft.algorithm,
        vocab_size=draft.number if by_size else None,
        max_steps=None if by_size else draft.number,
        alphabet=draft.alphabet if by_merging and draft.alphabet != "bytes" else bare.alphabet,
        end_of_word=draft.end_of_word if by_merging else "",
        end_of_word_joined=draft.joined and by_merging and bool(draft.end_of_word),
        tie=bare.tie if by_pruning else draft.tie,
        seed=draft.seed if draft.tie == "random" and not by_pruning else bare.seed,
        min_count=bare.min_count if by_pruning else draft.min_count,
        special_tokens=draft.specials,
        unknown=draft.unknown,
        byte_fallback=draft.fallback and reason("fallback", draft) is None,
        seeds=draft.seeds if by_pruning else bare.seeds,
        coverage=draft.coverage if by_pruning else bare.coverage,
    )
    return TokenizerRecipe(_corpus_of(draft, keep), training, draft.normalizers, split)


def _corpus_of(draft: Draft, keep: Callable[[str], str]) -> Corpus:
    if draft.source == "samples":
        return Corpus("samples", _checked(draft.samples))
    if draft.source == "file" and draft.file is None and draft.kept:
        return Corpus("text", (draft.kept,))
    given = {"pasted": draft.pasted, "file": draft.file or "", "words": draft.words}[draft.source]
    if not given:
        missing = {"pasted": "paste a text", "file": "upload a file", "words": "type words, one a line"}
        raise ValueError(f"the corpus is empty; {missing[draft.source]}, or choose a sample")
    check_size(len(given.encode("utf-8", "surrogatepass")), "text")
    return Corpus("words" if draft.source == "words" else "text", (keep(given),))


def _checked(names: Sequence[str]) -> tuple[str, ...]:
    if not names:
        raise ValueError("the corpus is empty; choose at least one sample")
    counted = [name for name in names if engine.corpora.corpus(name).has_counts]
    if counted and len(names) > 1:
        title = engine.corpora.corpus(counted[0]).title.partition(" (")[0]
        raise ValueError(f"“{title}” is words with their counts and cannot be mixed with running text; choose it alone")
    return tuple(names)
