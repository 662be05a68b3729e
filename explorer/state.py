"""What a visitor has before them, and the only place that caches.

The settings of a page live in the session and in the address. The address is written by the browser (see
`components/address`), never by `st.query_params`, which would put every typed letter into the history.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import streamlit as st

import engine
from explorer import limits, links, recipes
from explorer.jobs import Job, Jobs
from explorer.recipes import TokenizerRecipe
from explorer.settings import FILE, Setting
from explorer.tokenizers import DEFAULTS, Tokenizers, catalogue
from explorer.views.languages import Curve, Parallel

_KEPT_BYTES = 256 * 1024 * 1024
_KEPT_FILES = 16


class Texts:
    """Texts that visitors gave to train on, by digest; the oldest go when there are too many."""

    def __init__(self) -> None:
        """Start empty."""
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def keep(self, text: str) -> str:
        """Keep a text and return its digest."""
        name = recipes.digest(text)
        with self._lock:
            if name not in self._texts:
                self._texts[name] = text
                self._size += len(text)
            self._texts.move_to_end(name)
            while self._size > _KEPT_BYTES and len(self._texts) > 1:
                self._size -= len(self._texts.popitem(last=False)[1])
        return name

    def __contains__(self, digest: str) -> bool:
        return digest in self._texts

    def get(self, digest: str) -> str:
        """Return a text.

        Raises:
            ValueError: It is not kept: it came with a link that could not hold it, or is too old.
        """
        if digest not in self._texts:
            raise ValueError("the corpus of this recipe is a text that is not in the link; paste or upload it again")
        return self._texts[digest]


@st.cache_resource(show_spinner=False)
def texts() -> Texts:
    """Return the texts of this server's visitors."""
    return Texts()


@st.cache_resource(show_spinner=False)
def loaded() -> dict[str, engine.Tokenizer]:
    """Return the tokenizers that visitors read from files, by code; the page that reads one keeps the last few."""
    return {}


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """Return the trainings of this server."""
    return Jobs()


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


def start(code: str, again: bool = False) -> Job:
    """Start the training of a recipe, or find it where it has been started already; with `again` it is done once more.

    Raises:
        ValueError: The code is damaged, or its corpus is not kept.
    """
    recipe = recipes.decode(code)
    corpus = corpus_of(recipe)
    return jobs().start(code, lambda: limits.begin(corpus, recipe), again)


def run_of(code: str) -> engine.TrainingRun:
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
        raise ValueError("the file of this tokenizer is not in the link; load it again")
    return loaded()[code]


def keep_file(tokenizer: engine.Tokenizer, name: str, data: bytes) -> str:
    """Keep a tokenizer that was read from a file, put it on the visitor's list, and return its code."""
    code = FILE + hashlib.blake2b(data + name.encode(), digest_size=8).hexdigest()
    kept = loaded()
    kept.pop(code, None)
    kept[code] = tokenizer
    for old in list(kept)[:-_KEPT_FILES]:
        kept.pop(old, None)
    files()[code] = name
    return code


def files() -> dict[str, str]:
    """Return the tokenizers that this visitor read from files: code -> name of the file."""
    kept: dict[str, str] = st.session_state.setdefault("files", {})
    return kept


def tokenizers() -> Tokenizers:
    """Return the trained tokenizers of this visitor; the two that are there at the first visit can be deleted too."""
    return Tokenizers(st.session_state.setdefault("tokenizers", dict(DEFAULTS)))


def name_of(code: str) -> str:
    """Return what a tokenizer is called: its name in the catalogue, or the one that the visitor gave it."""
    if code.startswith(FILE):
        return files().get(code, "a file")
    return code if code in catalogue() else tokenizers().add(code)


@st.cache_resource(show_spinner=False, max_entries=32)
def curves_of(code: str, parallel: Parallel) -> dict[str, Curve]:
    """Return the length curves of parallel texts by language, as far as they are worked out; the page fills them in."""
    return {}


def finish_cancelled(code: str, job: Job) -> str:
    """Keep a cancelled run under the recipe it turned out to be, and return that code."""
    run = job.future.result()
    if run.stopped != "unfinished":  # it was over before it could be stopped
        jobs().adopt(code, run)
        return code
    recipe = recipes.decode(code)
    steps = replace(recipe.training, vocab_size=None, max_steps=len(run.steps))
    shorter = recipes.encode(replace(recipe, training=steps))
    jobs().adopt(shorter, replace(run, recipe=steps))
    return shorter


class PageState:
    """The settings of one page, from the address or from earlier in the session."""

    def __init__(self, page: str, settings: Mapping[str, Setting[Any]], version: int = 1) -> None:
        """Take the settings over from the address if a link was opened, else from the session.

        Texts of a visitor's own that the address holds (`t.<digest>`) are kept for `texts()`.
        """
        self._page, self._settings = page, settings
        self._values: dict[str, Any] = st.session_state.setdefault(f"view.{page}", {})
        self.problems: list[str] = []
        popped = st.session_state.pop(f"view.{page}.popped", None)
        query = (
            dict(parse_qsl(popped.lstrip("?"), keep_blank_values=True))
            if popped is not None
            else dict(st.query_params.items())
        )
        opened = not self._values and bool(query)
        if opened or popped is not None:
            self._read(query)
        for name, setting in settings.items():
            self._values.setdefault(name, setting.default)

    def __getitem__(self, name: str) -> Any:  # as many types as settings
        return self._values[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._values[name] = value

    @property
    def opened(self) -> int:
        """How often settings came from elsewhere than their widgets: a new number means that those take new values."""
        return int(st.session_state.get(f"view.{self._page}.opened", 0))

    def widget(self, name: str) -> str:
        """Return the key of the widget for a setting, with the setting's value put into it."""
        key = f"{self._page}.{name}"
        if key not in st.session_state:
            st.session_state[key] = self._values[name]
        self._values[name] = st.session_state[key]
        return key

    def put(self, **values: Any) -> None:
        """Set what the page itself decides (an example, a preset); the widgets take it over at the next run."""
        for name, value in values.items():
            self._values[name] = value
            st.session_state.pop(f"{self._page}.{name}", None)
        st.session_state[f"view.{self._page}.opened"] = self.opened + 1

    def query(self) -> tuple[str, list[str]]:
        """Write the settings as the query of an address.

        Returns:
            The query without "?", and the names of what was too long for it.
        """
        parts: dict[str, str] = {}
        too_long: list[str] = []
        for name, setting in self._settings.items():
            value = self._values[name]
            if value == setting.default:
                continue
            written = setting.write(value)
            if written is None:
                too_long.append(name)
            else:
                parts[name] = written
        for digest in _digests(parts.values()):
            packed = links.pack(texts().get(digest)) if digest in texts() else None
            if packed is None:
                too_long.append("corpus")
            else:
                parts[f"t.{digest}"] = packed
        return urlencode(parts, quote_via=quote, safe="~:,/."), too_long

    def lasting(self) -> str:
        """Return what of the settings makes an entry in the browser's history when it changes."""
        return repr({name: self._values[name] for name, s in self._settings.items() if not s.fleeting})

    def _read(self, query: Mapping[str, str]) -> None:
        for name, written in query.items():
            if name.startswith("t."):
                self._guarded("corpus", lambda written=written: texts().keep(links.unpack(written)))
        for name, setting in self._settings.items():
            self._values[name] = setting.default
            if name in query:
                value = self._guarded(name, lambda s=setting, w=query[name]: s.read(w))
                self._values[name] = setting.default if value is None else value
            st.session_state.pop(f"{self._page}.{name}", None)
        st.session_state[f"view.{self._page}.opened"] = self.opened + 1

    def _guarded(self, name: str, read: Any) -> Any:
        try:
            return read()
        except ValueError as error:
            self.problems.append(f"The link's “{name}” could not be read, so the default stands: {error}.")
            return None


def _parsed(query: str) -> dict[str, str]:
    return dict(parse_qsl(query.lstrip("?"), keep_blank_values=True))


def _digests(values: Any) -> list[str]:
    found: list[str] = []
    for value in values:
        try:
            digest = recipes.decode(value).corpus.digest
        except ValueError:
            continue
        if digest and digest not in found:
            found.append(digest)
    return found
