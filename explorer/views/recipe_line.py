"""A recipe in one line: pairs of key and value."""

from __future__ import annotations

from collections.abc import Mapping

import engine
from explorer import words, words_recipe
from explorer.recipes import Corpus, TokenizerRecipe

_PLAIN = ("Corpus", "Algorithm", "Size")
NAMES: Mapping[str, str] = {
    "bpe": "BPE",
    "wordpiece": "WordPiece",
    "unigram": "Unigram",
    "word": "words",
    "char": "characters",
}
_OVER: Mapping[str, str] = {
    "bytes": "BPE over bytes",
    "seen-bytes": "BPE over bytes seen",
    "characters": "BPE over characters",
}


def facts(recipe: TokenizerRecipe, text: str | None) -> list[tuple[str, str]]:
    """Describe a recipe as pairs of key and value; what it does not use is left out.

    >>> training = engine.Recipe("word", vocab_size=None, max_steps=40)
    >>> facts(TokenizerRecipe(Corpus("samples", ("toy/gato",)), training, ("lowercase",), "whitespace"), None)[1:4]
    [('Algorithm', 'words'), ('Normalize', 'lowercase'), ('Split', 'whitespace')]
    """
    training = recipe.training
    merges = training.algorithm in ("bpe", "wordpiece")
    own = recipe.pre_tokenizer.startswith("pattern:")
    over = _OVER[training.alphabet or "bytes"]
    name = over if training.algorithm == "bpe" else NAMES.get(training.algorithm, training.algorithm)
    said = [("Corpus", corpus_words(recipe.corpus, text)), ("Algorithm", name)]
    if recipe.normalizers:
        said.append(("Normalize", ", ".join(recipe.normalizers)))
    said.append(("Split", _shortened(recipe.pre_tokenizer.removeprefix("pattern:")) if own else recipe.pre_tokenizer))
    if training.end_of_word:
        said.append(("End of word", training.end_of_word + (", fused" if training.end_of_word_joined else "")))
    if training.byte_fallback:
        said.append(("Unknown", "in bytes"))
    if training.max_steps is not None:
        counted = "Merges" if merges else "Rounds" if training.algorithm == "unigram" else "Pieces"
        said.append((counted, f"{training.max_steps:,}"))
    if training.vocab_size is not None:
        said.append(("Size", words.count(training.vocab_size, "piece")))
    if training.seeds != "branching":
        said.append(("At the start", f"{training.seeds} pieces"))
    if training.coverage != 1:
        said.append(("Character coverage", f"{training.coverage:g}"))
    if training.min_count > 1:
        said.append(("Least count", f"{training.min_count:,}"))
    if training.special_tokens:
        said.append(("Special tokens", f"{len(training.special_tokens):,}"))
    if training.algorithm == "unigram":
        return said
    # A list of words has no ids to go by before it is made: there the rule means the pieces.
    rule = training.tie if merges or training.tie != "lowest-id" else "smallest"
    said.append(("Ties", words_recipe.tie(rule, training.seed)))
    return said


def one_line(recipe: TokenizerRecipe) -> str:
    """Describe a recipe in one line; the corpus is named without its size if it is a visitor's own."""
    own = {"text": "own text", "words": "own words"}.get(recipe.corpus.kind)
    pairs = facts(recipe, None)
    said = [
        own if own and key == "Corpus" else value if key in _PLAIN else f"{key.lower()} {value}" for key, value in pairs
    ]
    return " · ".join(said)


def corpus_words(corpus: Corpus, text: str | None) -> str:
    """Name a corpus and its size; `text` is a visitor's own."""
    if corpus.kind != "samples":
        if text is None:
            return "a text that is not here"
        if corpus.kind == "words":
            lines = sum(1 for line in text.splitlines() if line.strip())
            return f"{words.count(lines, 'word')} with counts"
        return f"own text, {words.size(len(text.encode('utf-8', 'surrogatepass')))}"
    sizes = sum(engine.corpora.corpus(name).path.stat().st_size for name in corpus.names)
    if len(corpus.names) > 1:
        return f"{len(corpus.names)} texts, {words.size(sizes)}"
    entry = engine.corpora.corpus(corpus.names[0])
    return short_title(entry.name) if entry.has_counts else f"{short_title(entry.name)}, {words.size(sizes)}"


def short_title(name: str) -> str:
    """Return the title of a sample without what stands in brackets.

    >>> short_title("prose/en_moby_dick_1851"), short_title("udhr/en")
    ('Moby-Dick, the opening', 'Declaration: English')
    """
    title = engine.corpora.corpus(name).title
    return title.replace("Universal Declaration of Human Rights", "Declaration").partition(" (")[0]


def _shortened(pattern: str) -> str:
    return pattern if len(pattern) <= 24 else f"{pattern[:23]}…"
