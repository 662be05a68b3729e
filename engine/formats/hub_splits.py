"""The pre-tokenizers of a `tokenizer.json`.

Source: huggingface/tokenizers 0.23, tokenizers/src/pre_tokenizers and tokenizer/normalizer.rs (SplitDelimiterBehavior).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, pairwise
from typing import Any

import regex

from engine.alignment import AlignedText, Normalizer, Span
from engine.formats.deepseek_split import DEEPSEEK, DEEPSEEK_STEPS
from engine.formats.hub_fields import Fields
from engine.formats.hub_normalizers import prepended
from engine.formats.hub_patterns import found
from engine.formats.older_unicode import NEWER_DIGITS, ONLY_P, PUNCTUATION, UNKNOWN_P, characters, in_class
from engine.normalizers import replaced
from engine.pre_tokenizers import IDEOGRAPHS, PreTokenizer, Usually, clip, gpt2, whole
from engine.pre_tokenizers import bert as bert_named

_Split = Callable[[str], list[Span]]

_CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
CLIP_STEP: Mapping[str, Any] = {"type": "Split", "pattern": {"Regex": _CLIP}, "behavior": "Removed", "invert": True}
"""CLIP's split, as transformers writes it."""
CLIP_STEP_OF_SPECIALS: Mapping[str, Any] = {
    **CLIP_STEP,
    "pattern": {"Regex": rf"<\|startoftext\|>|<\|endoftext\|>|{_CLIP}"},
}
"""CLIP's split, as openai/CLIP writes it: it cuts as the other where no text of a special token stands."""

_BEHAVIORS = ("Isolated", "Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous")
_NO_SPACES = regex.compile(r"\S+")
_WORDS = regex.compile(r"\w+|[^\w\s]+")
_PUNCTUATION = regex.compile(PUNCTUATION)
_DIGIT = rf"[\p{{N}}{in_class(NEWER_DIGITS)}]"


@dataclass(frozen=True)
class Step:
    """One step of a split: how a file says it, a rewrite before it, how it cuts, and whether no text is lost."""

    name: str
    split: _Split
    prepare: tuple[Normalizer, ...] = ()
    keeps: bool = True
    byte_level: bool = False
    mark: str = ""
    marks_all: bool = False
    said: Mapping[str, Any] = field(default_factory=dict)


def read(given: Any, fields: Fields) -> tuple[PreTokenizer, bool]:
    """Return the split that a part of a file describes, and whether it turns text into bytes.

    Raises:
        ValueError: A step, or an option of one, is not supported.
    """
    steps = given_steps = _steps(given, fields)
    if [step.name for step in steps] == ["WhitespaceSplit", "Metaspace"] and steps[1].marks_all:
        steps = [_marked_words(steps[1])]
    if any(step.prepare for step in steps[1:]):
        raise fields.error("a step that rewrites the text (Metaspace, add_prefix_space) must be the first here")
    if any(step.byte_level for step in steps[:-1]):
        raise fields.error("ByteLevel must be the last step here: what stands behind it may cut between two bytes")
    prepare = steps[0].prepare if steps else ()
    splits = [step.split for step in steps]
    if splits[1:] == [gpt2] and steps[0].said == CLIP_STEP:  # GPT-2's rule leaves each of its parts whole
        splits = [clip]
    elif splits[1:] == [gpt2] and steps[0].said == CLIP_STEP_OF_SPECIALS:
        splits = [Usually(clip, partial(in_turn, splits), _has_special)]
    if [step.said for step in steps[:3]] == DEEPSEEK_STEPS:
        splits[:3] = [DEEPSEEK]
    made = PreTokenizer(
        "as its file says",
        _one(splits),
        all(step.keeps for step in steps),
        prepare=partial(_one_by_one, prepare) if prepare else None,
        steps=[step.said for step in given_steps],
    )
    return made, any(step.byte_level for step in steps)


def _one(splits: Sequence[_Split]) -> _Split:
    """Return the split that does what others do in turn."""
    cutting = [split for split in splits if split is not whole]
    return partial(in_turn, cutting) if len(cutting) > 1 else cutting[0] if cutting else whole


def _has_special(text: str) -> bool:
    return "<|startoftext|>" in text or "<|endoftext|>" in text


def in_turn(splits: Sequence[_Split], text: str) -> list[Span]:
    """Cut a text, then each part, and so on."""
    spans = [Span(0, len(text))] if text else []
    for split in splits:
        spans = _again(split, text, spans)
    return spans


def _again(split: _Split, text: str, spans: Sequence[Span]) -> list[Span]:
    """Cut each part of a text; a part that comes again is cut as before."""
    known: dict[str, list[Span]] = {}
    made: list[Span] = []
    for span in spans:
        part = text[span.start : span.stop]
        inner = known.get(part)
        if inner is None:
            inner = known[part] = split(part)
        if len(inner) == 1 and len(part) == inner[0].stop - inner[0].start:
            made.append(span)
        else:
            made += [Span(span.start + start, span.start + stop) for start, stop in inner]
    return made


def by_behavior(pattern: regex.Pattern[str], behavior: str, invert: bool, text: str) -> list[Span]:
    """Cut a text at the matches of a pattern, which are kept apart, dropped, or joined to a neighbor."""
    if behavior == "Isolated":
        edges = dict.fromkeys(chain([0], chain.from_iterable(found(pattern, text)), [len(text)]))
        return list(map(Span._make, pairwise(edges)))
    parts = _parts(pattern, invert, text)
    if behavior == "Removed":
        return [span for span, matched in parts if not matched]
    spans: list[Span] = []
    last = False
    for span, matched in parts:
        joined = {
            "Contiguous": matched == last,
            "MergedWithPrevious": matched and not last,
            "MergedWithNext": not matched and last,
        }[behavior]
        if spans and joined:
            spans[-1] = Span(spans[-1].start, span.stop)
        else:
            spans.append(span)
        last = matched
    return spans


def bert() -> PreTokenizer:
    """Return BertPreTokenizer: white space is dropped, each mark of punctuation stands alone."""
    return PreTokenizer("bert", _BERT, keeps_spaces=False, steps=[{"type": "BertPreTokenizer"}])


def _bert(text: str) -> list[Span]:
    return in_turn([_between_spaces, partial(by_behavior, _PUNCTUATION, "Isolated", False)], text)


def _unlike_bert(text: str) -> bool:
    """Say whether a text has marks that are punctuation for one of us alone, or ideographs that are not set apart."""
    marks = characters(UNKNOWN_P) | characters(ONLY_P)
    return not text.isascii() and (not marks.isdisjoint(text) or _IDEOGRAPH_IN_WORD.search(text) is not None)


_BERT = Usually(bert_named, _bert, _unlike_bert)
_IDEOGRAPH_IN_WORD = regex.compile(rf"(?<=\S)[{IDEOGRAPHS}]|[{IDEOGRAPHS}](?=\S)")


def _between_spaces(text: str) -> list[Span]:
    return [Span._make(match.span()) for match in _NO_SPACES.finditer(text)]


def _parts(pattern: regex.Pattern[str], invert: bool, text: str) -> list[tuple[Span, bool]]:
    parts: list[tuple[Span, bool]] = []
    end = 0
    for start, stop in found(pattern, text):
        if end < start:
            parts.append((Span(end, start), invert))
        if start < stop:
            parts.append((Span(start, stop), not invert))
        end = stop
    if end < len(text):
        parts.append((Span(end, len(text)), invert))
    return parts


def _steps(given: Any, fields: Fields) -> list[Step]:
    if given is None:
        return []
    step = fields.at(given)
    kind = step.text("type")
    if kind == "Sequence":
        return [made for inner in step.items("pretokenizers") for made in _steps(inner.value, inner)]
    if kind not in _STEPS:
        raise step.error(f"the pre-tokenizer {kind} is not supported; these are: Sequence, {', '.join(_STEPS)}")
    return [replace(_STEPS[kind](step), said=step.value)]


def _marked_words(metaspace: Step) -> Step:
    """Put the mark before each word, in one rewrite: what WhitespaceSplit and Metaspace do in turn."""
    mark = metaspace.mark
    dropped = regex.compile(rf"\s+(?:\Z|(?={regex.escape(mark)}))")
    rules = partial(replaced, dropped, ""), partial(replaced, regex.compile(r"\s+"), mark), metaspace.prepare[1]
    return Step("Metaspace", metaspace.split, rules, keeps=False)


def _one_by_one(rules: Sequence[Normalizer], text: AlignedText) -> AlignedText:
    for rule in rules:
        text = rule(text)
    return text


def _byte_level(step: Fields) -> Step:
    prefix = (partial(_prefix, " "),) if step.flag("add_prefix_space", True) else ()
    return Step("ByteLevel", gpt2 if step.flag("use_regex", True) else whole, prefix, byte_level=True)


def _prefix(mark: str, text: AlignedText) -> AlignedText:
    return text if text.text.startswith(mark) else prepended(mark, text)


def _prefix_at_start(mark: str, text: AlignedText) -> AlignedText:
    """Put the mark before the beginning of the original text alone, not behind an added token."""
    inside = text.starts is not None and len(text.starts) and text.starts[0]
    return text if inside else _prefix(mark, text)


def _metaspace(step: Fields) -> Step:
    mark = step.text("replacement")
    step.refuse("str_rep", mark)
    scheme = "always" if step.flag("add_prefix_space", True) else "never"
    scheme = scheme if step.value.get("prepend_scheme") is None else step.text("prepend_scheme")
    if scheme not in ("always", "first", "never"):
        raise step.get("prepend_scheme").error(f'it must be "always", "first" or "never"; got {scheme!r}')
    rules: list[Normalizer] = [partial(replaced, regex.compile(" "), mark)]
    if scheme != "never":
        rules.append(partial(_prefix_at_start if scheme == "first" else _prefix, mark))
    cut = partial(by_behavior, regex.compile(regex.escape(mark)), "MergedWithNext", False)
    return Step(
        "Metaspace", cut if step.flag("split", True) else whole, tuple(rules), mark=mark, marks_all=scheme == "always"
    )


def _split(step: Fields) -> Step:
    behavior = _behavior(step)
    pattern = step.pattern("pattern")
    cut = partial(by_behavior, pattern, behavior, step.flag("invert", False))
    return Step("Split", cut, keeps=behavior != "Removed")


def _digits(step: Fields) -> Step:
    single = step.flag("individual_digits", False)
    pattern = regex.compile(_DIGIT)
    return Step("Digits", partial(by_behavior, pattern, "Isolated" if single else "Contiguous", False))


def _punctuation(step: Fields) -> Step:
    behavior = "Isolated" if step.value.get("behavior") is None else _behavior(step)
    return Step("Punctuation", partial(by_behavior, _PUNCTUATION, behavior, False), keeps=behavior != "Removed")


def _behavior(step: Fields) -> str:
    behavior = step.text("behavior")
    if behavior not in _BEHAVIORS:
        raise step.get("behavior").error(f"it must be one of {', '.join(_BEHAVIORS)}; got {behavior!r}")
    return behavior


def _delimiter(step: Fields) -> Step:
    pattern = regex.compile(regex.escape(step.text("delimiter")))
    return Step("CharDelimiterSplit", partial(by_behavior, pattern, "Removed", False), keeps=False)


_STEPS: Mapping[str, Callable[[Fields], Step]] = {
    "ByteLevel": _byte_level,
    "Metaspace": _metaspace,
    "Split": _split,
    "Digits": _digits,
    "Punctuation": _punctuation,
    "Whitespace": lambda step: Step("Whitespace", partial(by_behavior, _WORDS, "Removed", True), keeps=False),
    "WhitespaceSplit": lambda step: Step("WhitespaceSplit", _between_spaces, keeps=False),
    "BertPreTokenizer": lambda step: Step("BertPreTokenizer", _BERT, keeps=False),
    "CharDelimiterSplit": _delimiter,
}
