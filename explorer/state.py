"""What a visitor has: texts, trainings, tokenizers; and the only place that caches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import engine
from engine import Passage, Sample
from explorer import limits, recipes
from explorer.file_codes import FILE, ParallelFiles, TokenizerFile
from explorer.jobs import Job, Jobs, Prepared
from explorer.measuring import weight
from explorer.recipes import TokenizerRecipe
from explorer.texts import Texts
from explorer.tokenizers import DEFAULTS, Tokenizers, catalogue, describe
from explorer.views import vocabulary
from explorer.views.languages import Curve, Parallel
from explorer.views.parallel import declaration, sentences

_KEPT_FILES = 16
_KEPT_AUDITS = 24
_KEPT_PARALLEL = 8
_KEPT_SAMPLES = 400_000_000
"""Bytes of samples that are kept: of a hundred languages by twelve tokenizers, ten times."""


@st.cache_resource(show_spinner=False)
def texts() -> Texts:
    """Return the texts of this server's visitors."""
    return Texts()


@st.cache_resource(show_spinner=False)
def loaded() -> dict[str, engine.Tokenizer]:
    """Return the tokenizers that visitors read from files, by code; the page that reads one keeps the last few."""
    return {}


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs[engine.Run]:
    """Return the trainings of this server."""
    return Jobs(limits.weight)


def corpus_of(recipe: TokenizerRecipe) -> str | list[str] | Mapping[str, int]:
    """Return what a recipe is trained on: a text, several, or words with their counts.

    Raises:
        ValueError: It is a visitor's text that is not kept, or a line of words has no count.
    """
    corpus = recipe.corpus
    if corpus.kind == "text":
        return texts().get(corpus.names[0])
    if corpus.kind == "words":
        return words_with_counts(texts().get(corpus.names[0]))
    if len(corpus.names) == 1 and engine.corpora.corpus(corpus.names[0]).has_counts:
        return engine.corpora.counts(corpus.names[0])
    return [engine.corpora.text(name) for name in corpus.names]


def words_with_counts(written: str) -> dict[str, int]:
    r"""Read words with their counts, one a line; a word without a number counts once.

    Raises:
        ValueError: A count is no whole number from 1 to a billion.

    >>> words_with_counts("low 5\nlower 2")
    {'low': 5, 'lower': 2}
    """
    counts: dict[str, int] = {}
    for number, line in enumerate(written.splitlines(), 1):
        word, *rest = line.rsplit(maxsplit=1) or [""]
        if not word.strip():
            continue
        count = rest[0] if rest else "1"
        if not count.isdecimal() or len(count) > 10 or not 1 <= int(count) <= 1_000_000_000:
            raise ValueError(f"a count must be a number from 1 to 1,000,000,000; line {number} has {count[:20]!r}")
        counts[word.strip()] = counts.get(word.strip(), 0) + int(count)
    return counts


def start(code: str, again: bool = False) -> Job[engine.Run]:
    """Start the training of a recipe, or find it where it has been started already; with `again` it is done once more.

    Raises:
        ValueError: The code is damaged, or its corpus is not kept.
    """
    recipe = recipes.decode(code)
    corpus = corpus_of(recipe)
    slice = 1 if recipe.training.algorithm == "unigram" else 50
    return jobs().start(code, lambda: Prepared(limits.begin(corpus, recipe)), again, slice)


def run_of(code: str) -> engine.Run:
    """Return the run of a recipe, and train it first if need be.

    Raises:
        ValueError: The recipe cannot be trained; the message says why.
    """
    return start(code).future.result()


@st.cache_resource(show_spinner=False, max_entries=64)
def tokenizer_of(code: str) -> engine.Tokenizer:
    """Return the tokenizer of a recipe or of the catalogue, always the same object, so that its cache of words lasts.

    Raises:
        ValueError: The recipe cannot be trained, or the stored file was changed; the message says why.
    """
    if code in catalogue():
        return engine.pretrained(code)
    return run_of(code).tokenizer


def file_tokenizer(code: str) -> engine.Tokenizer:
    """Return a tokenizer that was read from a file.

    Raises:
        ValueError: It is not kept: it came with a link, which cannot hold a file, or is too old.
    """
    if code not in loaded():
        raise ValueError(f"“{name_of(code)}” is not here: a link names a file, but does not hold it")
    return loaded()[code]


def keep_file(tokenizer: engine.Tokenizer, file: TokenizerFile) -> str:
    """Keep a tokenizer that was read from a file, put it on the visitor's list, and return its code."""
    code, kept = file.code, loaded()
    kept.pop(code, None)
    kept[code] = tokenizer
    for old in list(kept)[:-_KEPT_FILES]:
        kept.pop(old, None)
    files()[code] = file.name
    return code


def files() -> dict[str, str]:
    """Return the tokenizers that this visitor read from files: code -> name of the file."""
    kept: dict[str, str] = st.session_state.setdefault("files", {})
    return kept


def tokenizers() -> Tokenizers:
    """Return the trained tokenizers of this visitor; the two that are there at the first visit can be deleted too."""
    names = st.session_state.setdefault("tokenizers", dict(DEFAULTS))
    return Tokenizers(names, st.session_state.setdefault("tokenizers.deleted", set()))


def name_of(code: str) -> str:
    """Return what a tokenizer is called: its name in the catalogue, or the one that the visitor gave it."""
    if code.startswith(FILE):
        file = TokenizerFile.read(code)
        return f"{file.name} ({file.digest[:8]})" if list(files().values()).count(file.name) > 1 else file.name
    if code in tokenizers().deleted:
        return describe(code)
    return code if code in catalogue() else tokenizers().add(code)


@st.cache_resource(show_spinner=False, max_entries=32)
def curves_of(code: str, parallel: Parallel) -> dict[str, Curve]:
    """Return the length curves of parallel texts by language, as far as they are worked out; the page fills them in."""
    return {}


def finish_cancelled(code: str, job: Job[engine.Run]) -> str:
    """Keep a cancelled run under the recipe it turned out to be, and return that code."""
    run = job.future.result()
    if run.stopped != "unfinished":  # it was over before it could be stopped
        jobs().adopt(code, run)
        return code
    recipe = recipes.decode(code)
    size = recipe.training.vocab_size if isinstance(run, engine.UnigramRun) else None
    steps = replace(recipe.training, vocab_size=size, max_steps=len(run.steps))
    shorter = recipes.encode(replace(recipe, training=steps))
    jobs().adopt(shorter, replace(run, recipe=steps))
    return shorter


@st.cache_resource(show_spinner=False, max_entries=24)
def table_of(code: str, _tokenizer: engine.Tokenizer) -> vocabulary.Table:
    """Return the pieces of a tokenizer as a table."""
    return vocabulary.table(_tokenizer)


@st.cache_resource(show_spinner=False)
def audits() -> Jobs[engine.Audit]:
    """Return the audits of vocabularies, by the code of the tokenizer."""
    return Jobs(lambda audit: len(audit.unreachable) + len(audit.fragments), kept=_KEPT_AUDITS)


@st.cache_resource(show_spinner=False, max_entries=64)
def counts_of(code: str, corpus: str, _tokenizer: engine.Tokenizer, _texts: list[str]) -> NDArray[np.int64]:
    """Return how often each piece stands in a corpus, by row of `table_of`; the corpus is known by its key."""
    return vocabulary.counts_in(table_of(code, _tokenizer), _tokenizer, _texts)


@st.cache_resource(show_spinner=False)
def own_parallel() -> dict[str, dict[str, Passage]]:
    """Return the parallel files of visitors, by the code of the set; the page that reads one keeps the last few."""
    return {}


def keep_parallel(passages: dict[str, Passage]) -> str:
    """Keep parallel texts of a visitor, and return their code."""
    named = "\0".join(f"{tag}\0{passage.text}" for tag, passage in passages.items())
    lines = len(next(iter(passages.values())).units)
    code = ParallelFiles(recipes.digest(named), lines, len(passages), tuple(passages)).code
    kept = own_parallel()
    kept.pop(code, None)
    kept[code] = passages
    for old in list(kept)[:-_KEPT_PARALLEL]:
        kept.pop(old, None)
    return code


@st.cache_resource(show_spinner=False)
def sample_passages(parallel: str) -> dict[str, Passage]:
    """Return the parallel texts of the samples: "declaration" or "sentences"."""
    return declaration() if parallel == "declaration" else sentences()


def passages_of(parallel: str) -> dict[str, Passage]:
    """Return parallel texts by language: those of the samples, or a visitor's.

    Raises:
        ValueError: They are a visitor's and not kept: they came with a link, which cannot hold files, or are too old.
    """
    if not parallel.startswith(FILE):
        return sample_passages(parallel)
    if parallel not in own_parallel():
        raise ValueError("the parallel files of this view are not here: a link names files, but does not hold them")
    return own_parallel()[parallel]


@st.cache_resource(show_spinner=False)
def measurements() -> Jobs[dict[str, Sample]]:
    """Return what tokenizers made of parallel texts, by both their codes."""
    return Jobs(weight, kept=256, most=_KEPT_SAMPLES)


@st.cache_resource(show_spinner=False, max_entries=512)
def values_of(code: str, parallel: str, measure: str) -> dict[str, float]:
    """Return the values of a measure by language, as far as they are worked out; the page fills them in."""
    return {}
