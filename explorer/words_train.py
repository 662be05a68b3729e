"""Every sentence of the page Train."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import engine
from engine.ties import Tie
from engine.utf8 import to_printable
from explorer.words import count

TITLE = "Train"

# --- the recipe in one line ---

CHANGE_PASSAGE = "Change passage"
CLOSE_PASSAGE = "Close passage"
CHANGE_RECIPE = "Change recipe"
CLOSE_RECIPE = "Close recipe"
TRAIN_AGAIN = "Train again"

_LOSES: Mapping[Tie, str] = {
    "lowest-id": "tied, higher id",
    "first": "tied, stands later",
    "smallest": "tied, larger piece",
    "largest": "tied, smaller piece",
    "random": "tied, drawn later",
}


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
