"""The sentences of the Languages page."""

from __future__ import annotations

from engine import corpora
from explorer.recipes import TokenizerRecipe
from explorer.words import count, size

LANGUAGES = "How sequence length falls as the vocabulary grows, language by language."
CHANGE_RECIPE = "Change recipe"
LANGUAGES_TOKENIZER = "A tokenizer that is trained already"
PRESET = "Presets"
TRAIN_ON = "Train on the Universal Declaration in"
OWN_TEXT = "or on a text of your own"
OWN_TEXT_HINT = "Paste a text; it takes the place of the languages."
ALGORITHM = "Algorithm"
VOCABULARY_SIZE = "Vocabulary size, pieces"
NO_CORPUS = "Choose a language or paste a text: there is nothing to train on."
TRAIN = "Train"
HIGHLIGHT = "Highlighted language"
NAMED = "Languages with a name in the figure"
NAMED_HELP = "Type a language in English, in itself, or its script: thai, ไทย, Deva."
OTHERS = "Draw all other languages, muted"
PARAMETERS = "Embedding parameters as a second axis"
PARAMETERS_HELP = "Parameters of the embedding = vocabulary size × width. Tied input and output share them."
WIDTH = "Width of the embedding"
MEASURE = "Measure"
MEASURES = {"tokens": "tokens", "per character": "tokens per character", "relative": "relative to English"}
MEASURE_HELP = {
    "tokens": "Tokens of the whole text.",
    "per character": "Tokens / code points of the text. Comparable within a script only: a Chinese character says more "
    "than a Latin letter.",
    "relative": "Tokens / tokens of the English text that says the same, at the same size. 2 means: twice as many.",
}
TO_CARD = "Formula, source, intervals and real tokenizers, on Measures"
RATIOS = "Tokens for the same text, English = 1"
RATIO_SCALE = (
    "Blue: fewer than English. Grey: as many. Ochre: more. Log scale, clipped at 8 times; the printed values are not."
)
TIMES_ENGLISH = "times English"
NUMBERS = "The numbers as a table"
CSV = "Download CSV"
HOW_MEASURED = "How this is measured"
LANGUAGES_METHOD = """
**Texts.** The 30 articles of the Universal Declaration of Human Rights in 106 languages, without headings, in NFC; or
ten everyday sentences in five languages. They say the same, so their lengths can be compared.

**Curve.** A tokenizer is trained once. Encoding applies merges in the order in which they were learned, so one pass
over a text that notes which merge fired gives its length at every size: `length(k) = length(0) − merges fired among
the first k`. WordPiece is matched again wherever a new piece fits into a word.

**Relative to English.** `tokens(language, size) / tokens(English, size)` on the same articles. Petrov et al. 2023,
arXiv:2305.15425, call it the tokenization premium.

**Embedding parameters.** `vocabulary size × width`. A tokenizer over bytes begins at 256 pieces, one over characters at
its alphabet; a character that it has never seen is one unknown token, which makes a curve look shorter than it is.
"""


def language_recipe(recipe: TokenizerRecipe, texts: str) -> dict[str, str]:
    """Say what a tokenizer of this page was trained on, and what it reads."""
    corpus, training = recipe.corpus, recipe.training
    if corpus.kind != "samples":
        trained = "a text of your own"
    elif len(corpus.names) == 1:
        trained = corpora.corpus(corpus.names[0]).title
    else:
        trained = f"{len(corpus.names)} languages, {size(sum(len(corpora.text(n).encode()) for n in corpus.names))}"
    over = {"bpe": "BPE over characters" if training.alphabet == "characters" else "BPE over bytes"}
    algorithm = over.get(training.algorithm, training.algorithm.capitalize().replace("piece", "Piece"))
    read = "Universal Declaration, 30 articles" if texts == "declaration" else "ten sentences"
    return {"Trained on": trained, "Algorithm": f"{algorithm}, split {recipe.pre_tokenizer}", "Text": read}


def reading(done: int, total: int) -> str:
    """Say how many texts were read."""
    return f"Reading: {done} of {total} languages"


def more_languages(number: int) -> str:
    """Label the list of all languages."""
    return f"+ {number} more" if number > 0 else "Languages"


def measure_title(measure: str) -> str:
    """Head the curves."""
    return {"tokens": "Tokens", "per character": "Tokens per character", "relative": "Tokens, English = 1"}[measure]


def drawn(all_: int, named: int) -> str:
    """Say how many curves there are.

    >>> drawn(106, 8)
    '106 languages, 8 named'
    """
    return f"{count(all_, 'language')}, {named} named"


def row_name(name: str, trained: bool) -> str:
    """Name a row of the heat map.

    >>> row_name("Thai", False)
    'Thai, not trained on'
    """
    return name if trained else f"{name}, not trained on"
