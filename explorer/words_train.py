"""Every sentence of the page Train."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import engine
from engine.ties import Tie
from engine.utf8 import to_printable
from explorer.words import count, size

TITLE = "Train"
SENTENCES: Mapping[str, str] = {
    "bpe": "The most frequent pair of neighbours becomes one piece, again and again.",
    "wordpiece": "The pair whose parts stand together most often becomes one piece, again and again.",
    "unigram": "Too many pieces at first; round by round, those that the corpus misses least are dropped.",
    "word": "The most frequent words become the vocabulary; every other word is unknown.",
    "char": "The most frequent characters become the vocabulary; every other character is unknown.",
}

# --- the recipe in one line ---

CHANGE_PASSAGE = "Change passage"
CLOSE_PASSAGE = "Close passage"
CHANGE_RECIPE = "Change recipe"
CLOSE_RECIPE = "Close recipe"
TRAIN = "Train"
TRAIN_AGAIN = "Train again"

TIES: Mapping[Tie, str] = {
    "lowest-id": "lowest id",
    "first": "first in the corpus",
    "smallest": "smallest pieces",
    "largest": "largest pieces",
    "random": "random",
}
_LOSES: Mapping[Tie, str] = {
    "lowest-id": "tied, higher id",
    "first": "tied, stands later",
    "smallest": "tied, larger piece",
    "largest": "tied, smaller piece",
    "random": "tied, drawn later",
}


def tie(rule: Tie, seed: int) -> str:
    """Name a tie rule.

    >>> tie("lowest-id", 0), tie("random", 7)
    ('lowest id', 'random, seed 7')
    """
    return f"random, seed {seed}" if rule == "random" else TIES[rule]


# --- the player ---

PASSAGE = "Passage to play"
EMPTY_PASSAGE = "Type or paste the text that the steps are played on."


def outcome(rule: Tie, place: int, tied: bool) -> str:
    """Say what became of a candidate of a step, by its place from 0.

    >>> outcome("lowest-id", 0, True), outcome("lowest-id", 1, True), outcome("lowest-id", 5, False)
    ('merged', 'tied, higher id', '')
    """
    return "merged" if place == 0 else _LOSES[rule] if tied else ""


def no_rivals(held: int, most: int) -> str:
    """Say why the rivals of a step are not worked out.

    >>> no_rivals(922_845, 200_000)
    'Rivals take merging again up to this step: for up to 200,000 characters of different pre-tokens, not for 922,845.'
    """
    return (
        f"Rivals take merging again up to this step: for up to {most:,} characters of different pre-tokens, not for "
        f"{held:,}."
    )


def stopped(run: engine.TrainingRun) -> str | None:
    """Say why a run has fewer steps than were asked for; None where it has them all.

    >>> stopped(engine.train({"ab": 2}, vocab_size=300))
    'Stopped at 257 pieces: no pair is left. 300 were asked for.'
    >>> stopped(engine.train({"ab": 2, "cd": 1}, vocab_size=None, max_steps=9, min_count=2))
    'Stopped after 1 step: no pair stands 2 times or more. 9 were asked for.'
    """
    recipe = run.recipe
    whys = {"exhausted": "no pair is left", "min_count": f"no pair stands {_times(recipe.min_count)} or more"}
    if recipe.algorithm in ("word", "char"):
        part = "word" if recipe.algorithm == "word" else "character"
        whys = {"exhausted": f"no {part} is left", "min_count": f"no {part} stands {_times(recipe.min_count)} or more"}
    if run.stopped == "unfinished":
        return f"Cancelled after {count(len(run.steps), 'step')}; the recipe now asks for as many."
    if run.stopped not in whys:
        return None
    pieces = run.first_id + len(run.steps)
    why = whys[run.stopped]
    if recipe.max_steps is None:
        return f"Stopped at {count(pieces, 'piece')}: {why}. {_asked(recipe.vocab_size)}".strip()
    return f"Stopped after {count(len(run.steps), 'step')}: {why}. {_asked(recipe.max_steps)}".strip()


def _asked(number: int | None) -> str:
    return "" if number is None else f"{number:,} {'was' if number == 1 else 'were'} asked for."


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def matched(word: str, matches: int, unknown: bool) -> str:
    """Say how a word was cut by longest match.

    >>> matched("hugs", 2, False)
    '“hugs” is cut from the left, each time by the longest piece there is: 2 pieces.'
    >>> matched("mug", 1, True)
    '“mug” is unknown as a whole: from one place nothing matches.'
    """
    if unknown:
        return f"“{word}” is unknown as a whole: from one place nothing matches."
    return f"“{word}” is cut from the left, each time by the longest piece there is: {count(matches, 'piece')}."


def too_long_to_match(most: int, characters: int) -> str:
    """Say why a word is not cut at all."""
    return f"A word of more than {most} characters is unknown without a look, as in BERT; this one has {characters:,}."


def cut_passage(most: int, characters: int) -> str:
    """Say that a passage was cut.

    >>> cut_passage(2000, 2500)
    'A passage may have 2,000 characters, so that every step can be drawn; this text has 2,500 and is cut there.'
    """
    return (
        f"A passage may have {most:,} characters, so that every step can be drawn; this text has {characters:,} and is "
        "cut there."
    )


def trained(run: engine.Run, seconds: float) -> str:
    """Say that a training gave the same run again."""
    steps = count(len(run.steps), "round" if isinstance(run, engine.UnigramRun) else "step")
    return f"Trained again in {seconds:.2f} s. The same corpus and the same recipe gave the same {steps}."


# --- a training under way ---

CANCEL = "Cancel"


def progress(
    done: int, total: int | None, waiting: bool, cancelled: bool = False, unit: str = "Step", counted: float = 0
) -> str:
    """Say how far a training is; `counted` is the share of the corpus that is counted, from 0 to 1.

    >>> progress(500, 2000, False)
    'Step 500 of 2,000'
    >>> progress(3, None, False, unit="Round")
    'Round 3'
    >>> progress(0, None, True)
    'Waiting: other trainings use all threads of this server.'
    >>> progress(0, None, False, counted=0.354)
    'Counting what stands in the corpus: 35 %'
    """
    if waiting:
        return "Waiting: other trainings use all threads of this server."
    if cancelled:
        return "Stopping: what is under way is finished first."
    if total is None and not done:
        return f"Counting what stands in the corpus: {counted:.0%}".replace("%", " %")
    return f"{unit} {done:,}" if total is None else f"{unit} {done:,} of {total:,}"


# --- the textbook version ---

TEXTBOOK = "Textbook version"
TEXTBOOK_NOTE = (
    "The shortest correct version of this algorithm, which counts everything again at each step. What ran here is "
    "faster and gives the same result; the tests hold the two together on any input."
)
UNIGRAM_NOTE = (
    "The shortest version of this algorithm, which tries every way to cut a word. Best cuts and expected counts are "
    "the same in what ran here; what it drops it chooses by an estimate of the loss, as SentencePiece does."
)
LOOKUP_NOTE = "A vocabulary of characters is made in the same way, with characters in place of words."

# --- ties ---

TIES_TITLE = "Ties"
COMPARE = "Compare with random ties"


def ties_note(run: engine.TrainingRun) -> str:
    """Say how many steps were ties, and what follows from it."""
    tied = int((run.columns.ties > 1).sum())
    steps = len(run.steps)
    if not tied:
        return "No step of this run was a tie: every rule gives this vocabulary."
    merges = run.recipe.algorithm in ("bpe", "wordpiece")
    what = "several pairs were equally good" if merges else "others stood as often"
    return (
        f"At {tied:,} of {count(steps, 'step')}, {what}, and a rule had to choose. An algorithm that leaves the order "
        "open is no definition: two programs that follow it give two vocabularies."
    )


def difference(names: Sequence[str], differing: int, steps: int, first: int | None) -> str:
    """Say how far apart two runs are that differ in their ties only; `first` is the first differing step, from 1.

    >>> difference(["random, seed 0", "random, seed 1"], 213, 2000, 27)
    '“random, seed 0” and “random, seed 1” give two vocabularies: 213 of 2,000 pieces differ, the first at step 27.'
    >>> difference(["lowest id", "random, seed 0"], 0, 40, 5)
    '“lowest id” and “random, seed 0” give the same 40 pieces in another order, from step 5 on.'
    """
    both = f"“{names[0]}” and “{names[1]}”"
    if first is None:
        return f"{both} give the same {count(steps, 'piece')} in the same order."
    if not differing:
        return f"{both} give the same {count(steps, 'piece')} in another order, from step {first:,} on."
    return (
        f"{both} give two vocabularies: {differing:,} of {count(steps, 'piece')} differ, the first at step {first:,}."
    )


def passages(names: Sequence[str], tokens: Sequence[int]) -> str:
    """Say how many tokens the passage has with each of two tokenizers.

    >>> passages(["lowest id", "random, seed 0"], [93, 95])
    'The passage is 93 tokens with “lowest id” and 95 with “random, seed 0”.'
    """
    return f"The passage is {count(tokens[0], 'token')} with “{names[0]}” and {tokens[1]:,} with “{names[1]}”."


def only_with(name: str) -> str:
    """Head the pieces that one of two vocabularies has alone."""
    return f"Only with “{name}”"


def listed(pieces: Sequence[bytes], letters: bool = False) -> str:
    r"""List pieces: spaces drawn as dots and bytes that are no whole character in hex, or in the letters of bytes.

    >>> listed([b" the", b"\xf0\x9f"]), listed([b" the"], letters=True)
    ('·the   F0 9F', 'Ġthe')
    """
    return "   ".join(map(to_printable if letters else readable, pieces))


_SIGNS = {" ": "·", "\n": "↵", "\t": "→"}


def readable(piece: bytes) -> str:
    r"""Write a piece so that each of its characters can be seen.

    >>> readable(b" the"), readable(b"a\n"), readable(b"\xf0\x9f")
    ('·the', 'a↵', 'F0 9F')
    """
    try:
        text = piece.decode()
    except UnicodeDecodeError:
        return piece.hex(" ").upper()
    return "".join(_SIGNS.get(char) or (char if char.isprintable() else f"U+{ord(char):04X}") for char in text)


# --- words and characters ---

KEPT = "Pieces kept"
RANKED = "Vocabulary by rank"
RANKED_COLUMNS: Mapping[str, str] = {
    "id": "id",
    "piece": "piece",
    "times in the corpus": "count",
    "% of the corpus up to here": "covered",
}


def coverage(kept: int, covered: int, whole: int, part: str) -> str:
    """Say how much of the corpus a vocabulary knows.

    >>> coverage(100, 5200, 10_000, "word")
    '100 pieces know 52.0 % of the 10,000 words of the corpus.'
    """
    share = 100 * covered / whole if whole else 0.0
    pieces = f"{count(kept, 'piece')} {'knows' if kept == 1 else 'know'}"
    return f"{pieces} {share:.1f} % of the {count(whole, part)} of the corpus."


# --- the tokenizers of this visit ---

TOKENIZERS = "Your tokenizers"
TOKENIZERS_NOTE = "They are offered on every page, by these names, until this tab is closed. A link holds the recipe."
NAME = "Name"
SHOW = "Show"
DELETE = "Delete"
NO_TOKENIZERS = "There is none. A training adds one."

# --- the form ---

NOT_KEPT = "Choose a corpus, then train."


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
ALGORITHMS: Mapping[str, str] = {
    "bpe": "Byte pair encoding (BPE)",
    "wordpiece": "WordPiece",
    "unigram": "Unigram",
    "word": "Words",
    "char": "Characters",
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


def pasted_limit(characters: int) -> str:
    """Say how long a pasted text may be."""
    return f"Up to {characters:,} characters, so that the page stays smooth. Upload larger text as a file."


def file_limit(bytes: int) -> str:
    """Say how large a file may be."""
    return f"UTF-8, up to {bytes // 1024 // 1024} MiB ({bytes:,} bytes), so that a training takes about a minute."
