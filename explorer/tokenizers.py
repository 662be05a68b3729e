"""The tokenizers that a visitor can choose: their own by name, then those of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping

import engine
from explorer import recipes

ENGLISH = "bpe~corpus:prose/en_moby_dick_1851~steps:2000"
TEN_LANGUAGES = (
    "bpe~corpus:udhr/en,udhr/es,udhr/de,udhr/ru,udhr/ar,udhr/hi,udhr/zh-Hans,udhr/ja,udhr/ko,udhr/fr~steps:2000"
)
DEFAULTS: Mapping[str, str] = {ENGLISH: "English BPE", TEN_LANGUAGES: "Ten-language BPE"}

LONGEST_NAME = 60

UNIGRAM = ("t5-base", "mt5-base")
"""The tokenizers of the catalogue that have a unigram model."""


class Tokenizers(Mapping[str, str]):
    """The trained tokenizers of a visitor: the code of each recipe -> its name, in the order in which they came.

    Attributes:
        deleted: Codes of those that were deleted and have not come back.

    >>> own = Tokenizers(dict(DEFAULTS))
    >>> own.add("bpe~corpus:toy/cat_mat~steps:40", "Cats")
    'Cats'
    >>> own.rename(ENGLISH, "Whales")
    >>> list(own.values())
    ['Whales', 'Ten-language BPE', 'Cats']
    """

    def __init__(self, names: MutableMapping[str, str], deleted: set[str] | None = None) -> None:
        """Work on `names` and `deleted` themselves, so that whoever keeps them keeps every change."""
        self._names = names
        self.deleted = set() if deleted is None else deleted

    def __getitem__(self, code: str) -> str:
        return self._names[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def add(self, code: str, name: str = "") -> str:
        """Add a tokenizer, and return its name: the one given, or one made of its recipe; a number tells equals apart.

        A code that is there already keeps its place and its name; one that was deleted comes back.

        Raises:
            ValueError: The code is damaged.
        """
        self.deleted.discard(code)
        if code not in self._names:
            wanted = _tidy(name) or describe(code)
            made, number = wanted, 2
            while made in self._taken():
                made = f"{wanted[: LONGEST_NAME - 4]} {number}"
                number += 1
            self._names[code] = made
        return self._names[code]

    def rename(self, code: str, name: str) -> None:
        """Give a tokenizer another name.

        Raises:
            ValueError: The name is empty, or another tokenizer has it.
        """
        name = _tidy(name)
        if not name:
            raise ValueError("a name must have at least one visible character")
        if name != self._names[code] and name in self._taken():
            raise ValueError(f"another tokenizer has the name “{name}”")
        self._names[code] = name

    def delete(self, code: str) -> None:
        """Take a tokenizer off the list; training it brings it back, and so does a link in another visit."""
        if self._names.pop(code, None) is not None:
            self.deleted.add(code)

    def _taken(self) -> set[str]:
        return {*self._names.values(), *catalogue()}


def catalogue() -> tuple[str, ...]:
    """List the names of the real tokenizers, which are their codes too."""
    return tuple(getattr(engine, "pretrained_names", tuple)())


def describe(code: str) -> str:
    """Name a recipe by what it is made of.

    Raises:
        ValueError: The code is damaged.

    >>> describe("bpe~corpus:prose/en_moby_dick_1851~steps:2000")
    'BPE · Moby-Dick, the opening · 2,000 steps'
    """
    recipe = recipes.decode(code)
    training = recipe.training
    algorithm = {"bpe": "BPE", "wordpiece": "WordPiece", "unigram": "Unigram"}.get(
        training.algorithm, training.algorithm.capitalize()
    )
    parts = [algorithm, _corpus(recipe.corpus)]
    if training.max_steps is not None:
        parts.append(f"{training.max_steps:,} steps")
    elif training.vocab_size is not None:
        parts.append(f"{training.vocab_size:,} pieces")
    return " · ".join(parts)[:LONGEST_NAME]


def _corpus(corpus: recipes.Corpus) -> str:
    if corpus.kind != "samples":
        return "own text" if corpus.kind == "text" else "own words"
    if len(corpus.names) > 1:
        return f"{len(corpus.names)} texts"
    entry = engine.corpora.corpus(corpus.names[0])
    return entry.title.removeprefix("Universal Declaration of Human Rights: ").partition(" (")[0].partition(":")[0]


def _tidy(name: str) -> str:
    return " ".join(name.split())[:LONGEST_NAME]
