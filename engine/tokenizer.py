"""The tokenizer: normalize, pre-tokenize, run the model; and the way back."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from engine.alignment import AlignedText, Normalizer, Span, byte_spans
from engine.decoders import Decoder
from engine.encoding import Encoding, Places, joined, token_alone
from engine.kernels import serve
from engine.marked_spaces import mark_spaces
from engine.model import Cut, Cuts, Loops, Model, State
from engine.once import Once
from engine.pre_tokenizers import PRE_TOKENIZERS, PreTokenizer
from engine.special_tokens import Finder, Found, Matching, Special
from engine.spelling import Spelling, behind_text
from engine.utf8 import read
from engine.vocabulary import Pieces, Vocabulary

_CACHED_WORDS = 100_000
_CACHED_LENGTH = 64

_WORTH_LOOPS = 2_000
"""Code points; below, Python encodes as fast as compiled loops are called."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one pre-token became tokens.

    Attributes:
        text: The pre-token, normalized.
        span: The UTF-8 bytes of the original text behind it.
        model: The model that cut it.
    """

    text: str
    span: Span
    model: Model

    @property
    def states(self) -> list[State]:
        """Every state from the alphabet to the result, worked out when asked for."""
        return list(self.model.states(self.text))


@dataclass(frozen=True, eq=False)
class Tokenizer:
    """A model behind its normalizers and its pre-tokenizer.

    Attributes:
        model: The algorithm with its vocabulary.
        normalizers: Rewrites, in the order in which they are applied.
        pre_tokenizer: The split.
        name: What people call it.
        decoder: The way back, where the model's own does not do: it reads the pieces.
        added: Text -> id of tokens that are read as such in every text, unlike special tokens.
        before: Ids of the special tokens that the official library puts before a text unless told not to (BOS, CLS).
        after: Ids of those it puts behind it (EOS, SEP).
        matching: Text -> how a special or an added token is looked for, where not just as it is written.
    """

    model: Model
    normalizers: tuple[Normalizer, ...] = ()
    pre_tokenizer: PreTokenizer = field(default=PRE_TOKENIZERS["whole"])
    name: str = "unnamed"
    decoder: Decoder | None = None
    added: Mapping[str, int] = field(default_factory=dict)
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    matching: Mapping[str, Matching] = field(default_factory=dict)
    _cache: dict[str, Cut] = field(default_factory=dict, init=False, repr=False)

    def __getstate__(self) -> dict[str, object]:
        """Give a copy what makes the tokenizer, not what it has met: it may go where there are no compiled loops."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"_cache": {}}

    @property
    def vocabulary(self) -> Vocabulary:
        """The pieces, by id."""
        return self.model.vocabulary

    @property
    def vocab_size(self) -> int:
        """Number of ids: pieces in all, special tokens included."""
        return len(self.vocabulary)

    @property
    def lossless(self) -> bool:
        """Whether decoding inverts encoding on every text without lone surrogates."""
        return not self.losses

    @property
    def losses(self) -> tuple[str, ...]:
        """What decoding does not give back, as parts of a sentence; () where it gives back every text.

        >>> from engine import train
        >>> train("to be", alphabet="characters", pre_tokenizer="dummy-prefix", byte_fallback=True).tokenizer.losses
        ('a ▁ (U+2581) in the text comes back as a space',)
        """
        split = self.pre_tokenizer
        said = {
            "normalizers rewrite the text": bool(self.normalizers),
            "the split drops white space": not split.keeps_spaces,
            "a ▁ (U+2581) in the text comes back as a space": split.prepare is not None,
            "a space at the start is taken for the one that is put there": split.prepare is mark_spaces,
            "what the vocabulary does not know becomes the unknown token": not self.model.lossless,
        }
        return tuple(loss for loss, holds in said.items() if holds)

    def encode(self, text: str, special: Special = "plain", *, placed: bool = False) -> Encoding:
        """Turn a text into ids that know which bytes of it they stand for.

        Args:
            text: Any text. Surrogate pairs join and lone surrogates become U+FFFD, as in tiktoken.
            special: What to do with a special token's text: read it as ordinary text ("plain"), as that token
                ("parse"), or refuse it ("error").
            placed: Whether it is known that somebody will ask where the tokens stand. That takes less time if a long
                text need not be encoded again for it; the result is the same.

        Raises:
            ValueError: `special` is "error" and the text has a special token; or `special` is none of the three.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str; got {type(text).__name__}")
        if special not in ("plain", "parse", "error"):
            raise ValueError(f'special must be "plain", "parse" or "error"; got {special!r}')
        whole = AlignedText.of(text)
        parts = self._parts(whole, special)
        made = [
            token_alone(part.id, part.text, part.span, whole.original, self.vocabulary)
            if isinstance(part, Found)
            else self._encode_part(part, placed)
            for part in parts
        ]
        return made[0] if len(made) == 1 else joined(made)

    def with_specials(self, ids: Sequence[int] | NDArray[np.integer]) -> NDArray[np.int32]:
        """Put the special tokens around ids that the official library puts around a text unless told not to: int32[n].

        `encode` leaves them out, so counts with and without them are `len(encoding.ids)` and the length of this.
        """
        return np.array([*self.before, *ids, *self.after], np.int32)

    def decode(self, ids: Sequence[int] | NDArray[np.integer], skip_special: bool = False) -> str:
        """Turn ids, int[n], into text; bytes that are no valid UTF-8 become U+FFFD.

        Raises:
            ValueError: An id is outside the vocabulary, or no whole number.
        """
        begun, rest, spelling = self._spelling_of(ids, skip_special)
        text = None if spelling is None else spelling.text(begun, rest)
        return read(self._spelled(ids, skip_special)) if text is None else text

    def decode_bytes(self, ids: Sequence[int] | NDArray[np.integer], skip_special: bool = False) -> bytes:
        """Turn ids, int[n], into the bytes they stand for.

        Raises:
            ValueError: An id is outside the vocabulary, or no whole number.
        """
        return bytes(self._spelled(ids, skip_special))

    def spell(self, ids: Iterable[int], skip_special: bool = False) -> Iterator[bytes]:
        """Yield the bytes that each id adds to the text, before asking for the next id.

        A decoder of its own reads special tokens as pieces too; else the model starts anew behind each of them. What
        is still undecided after the last id comes behind it, by itself.

        Raises:
            ValueError: An id is outside the vocabulary.
        """
        space = b"" if self.pre_tokenizer.keeps_spaces else b" "
        fed: deque[int | None] = deque()
        model: Iterator[bytes] | None = None
        for id in ids:
            special = self._special_texts.get(id)
            if special is not None and (skip_special or self.decoder is None):
                model = None if self.decoder is None else model
                yield b"" if skip_special else special
                continue
            fed.append(id)
            if model is None:
                coming = iter(fed.popleft, None)
                if self.decoder is None:
                    model = self.model.spell(coming, space)
                else:
                    model = self.decoder.spell(self.vocabulary[fed] for fed in coming)
            yield next(model)
        fed.append(None)
        yield from model or ()

    def meaning(self, id: int) -> bytes:
        """Return the bytes that an id stands for inside a text, its markers (`##`, `</w>`, `▁`) read as what they mean.

        Raises:
            ValueError: The id is outside the vocabulary.
        """
        if self.decoder is None or id in self._special_texts:
            return self.model.meaning(id)
        return self.decoder.meaning(self.vocabulary[id])

    def explain(self, text: str) -> list[Explanation]:
        """Tell, for each pre-token, every state from the alphabet to the result, with what was applied.

        Added tokens are no pre-tokens: they are found in the text as they are.
        """
        explained: list[Explanation] = []
        for part in self._parts(AlignedText.of(text), "plain"):
            if isinstance(part, Found):
                continue
            spans = self.pre_tokenizer.split(part.text)
            sources = map(Span._make, part.sources(byte_spans(part.text, spans)).tolist())
            words = (part.text[start:stop] for start, stop in spans)
            explained += [Explanation(*each, self.model) for each in zip(words, sources, strict=True)]
        return explained

    def length_curve(self, text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Count the tokens of a text at every size that the vocabulary had in training.

        One pass gives the whole curve: merges fire in order of rank, so the length after k of them is the length
        before the first minus what the first k took away.

        Returns:
            Sizes in pieces and lengths in tokens, int64[learned + 1] each; the last is the tokenizer as it is.
        """
        parts = self._parts(AlignedText.of(text), "plain")
        texts = [part.text for part in parts if not isinstance(part, Found)]
        lengths = self._lengths(texts) + (len(parts) - len(texts))
        return np.arange(len(lengths), dtype=np.int64) + (self.vocab_size - self.model.learned), lengths

    @cached_property
    def _special_texts(self) -> dict[int, bytes]:
        return {id: text.encode() for text, id in self.vocabulary.specials.items()}

    @cached_property
    def _finders(self) -> tuple[Finder, Finder]:
        """Return what finds tokens in a text as it is given, and then in what normalization makes of it."""
        later = {text for text, how in self.matching.items() if how.normalized}
        return (
            _finder_of(self, lambda text: text not in later),
            _finder_of(self, later.__contains__, partial(_written, self.normalizers)),
        )

    def _parts(self, text: AlignedText, special: Special) -> list[AlignedText | Found]:
        """Cut a text into tokens that are found in it, and what the split reads between them."""
        before, after = self._finders
        found = [
            inner
            for part in before.parts(text, special)
            for inner in (
                [part] if isinstance(part, Found) else after.parts(_normalized(part, self.normalizers), special)
            )
        ]
        prepare = self.pre_tokenizer.prepare
        return [part if prepare is None or isinstance(part, Found) else prepare(part) for part in found]

    def _spelled(self, ids: Sequence[int] | NDArray[np.integer], skip_special: bool) -> bytes | memoryview:
        begun, rest, spelling = self._spelling_of(ids, skip_special)
        spelled = None if spelling is None else spelling.spell(rest)
        if spelled is None:
            return b"".join(self.spell(map(int, ids), skip_special))  # tells which id stands for nothing
        return begun + spelled if begun else spelled

    def _spelling_of(
        self, ids: Sequence[int] | NDArray[np.integer], skip_special: bool
    ) -> tuple[bytes, NDArray[np.integer], Spelling | None]:
        """Return how a text starts, the ids of the rest, and what spells them; None if Python shall do it."""
        # To write down what each id adds takes about as long as to spell a few thousand of them.
        worth = serve(len(ids), max(_WORTH_LOOPS, self.vocab_size // 8))
        spelling = self._spellings[skip_special].get(lambda: self._spelling(skip_special)) if worth else None
        numbers = np.asarray(ids)
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iuO"):  # O: beyond 64 bits
            raise ValueError(f"ids must be whole numbers in a row; got {ids!r:.80}")
        if spelling is None or numbers.dtype.kind not in "iu":
            return b"", numbers, None
        begun, taken = b"", 0
        if self.decoder is not None:  # how it starts is its own matter
            spelled = self.spell(map(int, ids), skip_special)
            for taken, begun in enumerate(spelled, 1):  # noqa: B007  # both are read behind the loop
                if begun:
                    break
        return begun, numbers[taken:], spelling

    def _spelling(self, skip_special: bool) -> Spelling | None:
        specials = dict.fromkeys(self._special_texts, b"") if skip_special else {}
        if self.decoder is None and not skip_special:
            specials = self._special_texts
        model = self.model.adds() if self.decoder is None else None
        pieces = self.vocabulary.packed if isinstance(self.vocabulary, Pieces) else ()
        table = behind_text(self.decoder, model, pieces, specials)
        return None if table is None else Spelling.of(table)

    @cached_property
    def _spellings(self) -> tuple[Once[Spelling | None], Once[Spelling | None]]:
        return Once(), Once()

    def _cut(self, word: str) -> Cut:
        found = self._cache.get(word)
        if found is None:
            found = self.model.encode(word)
            if len(word) <= _CACHED_LENGTH and len(self._cache) < _CACHED_WORDS:
                self._cache[word] = found
        return found

    def _encode_part(self, aligned: AlignedText, placed: bool) -> Encoding:
        loops = self._loops if serve(len(aligned.text), _WORTH_LOOPS) else None
        if loops is None:
            spans = self.pre_tokenizer.split(aligned.text)
            pre_tokens, cuts = byte_spans(aligned.text, spans), self._cuts(aligned.text, spans)
            place = partial(_places, aligned, pre_tokens, cuts.stops, cuts.sizes)
            return Encoding(aligned.original, aligned.text, cuts.ids, self.vocabulary, place)
        from engine import long_texts  # not before the loops are ready

        # To split it again costs less than its cuts only where loops know how.
        parts = None if placed else long_texts.in_parts(aligned.text, self.pre_tokenizer)
        if parts is None:
            text, pre_tokens = long_texts.split(aligned.text, self.pre_tokenizer)
            cuts = loops.cut(text, pre_tokens)
            place = partial(_places, aligned, pre_tokens, cuts.stops, cuts.sizes)
            return Encoding(aligned.original, aligned.text, cuts.ids, self.vocabulary, place)
        ids = loops.ids(parts, len(aligned.text))
        place = partial(_places_of_long, aligned, self.pre_tokenizer, loops)
        return Encoding(aligned.original, aligned.text, ids, self.vocabulary, place)

    def _cuts(self, text: str, spans: Sequence[Span]) -> Cuts:
        cuts = [self._cut(text[start:stop]) for start, stop in spans]
        sizes = np.fromiter((len(cut.ids) for cut in cuts), np.int32, len(cuts))
        count = int(sizes.sum())
        ids = np.fromiter((id for cut in cuts for id in cut.ids), np.int32, count)
        return Cuts(ids, np.fromiter((stop for cut in cuts for stop in cut.stops), np.int32, count), sizes)

    def _lengths(self, texts: Sequence[str]) -> NDArray[np.int64]:
        loops = self._loops if serve(sum(map(len, texts)), _WORTH_LOOPS) else None
        if loops is not None:
            from engine import long_texts  # not before the loops are ready

            return loops.lengths(long_texts.counted(texts, self.pre_tokenizer))
        split = self.pre_tokenizer.split
        return self.model.lengths(Counter(text[start:stop] for text in texts for start, stop in split(text)))

    @cached_property
    def _loops(self) -> Loops | None:
        return self.model.loops()


def _finder_of(tokenizer: Tokenizer, wanted: Callable[[str], bool], written: Callable[[str], str] = str) -> Finder:
    specials, added = (
        {text: id for text, id in tokens.items() if wanted(text)}
        for tokens in (tokenizer.vocabulary.specials, tokenizer.added)
    )
    return Finder(specials, added, tokenizer.matching, written)


def _normalized(text: AlignedText, normalizers: Sequence[Normalizer]) -> AlignedText:
    for normalize in normalizers:
        text = normalize(text)
    return text


def _written(normalizers: Sequence[Normalizer], text: str) -> str:
    """Return how a token is written in a text that is normalized."""
    return _normalized(AlignedText.of(text), normalizers).text


def _places_of_long(aligned: AlignedText, pre_tokenizer: PreTokenizer, loops: Loops) -> Places:
    """Encode a text again, with an eye to where its tokens stand: most of those who encode never ask."""
    from engine import long_texts

    text, pre_tokens = long_texts.split(aligned.text, pre_tokenizer)
    cuts = loops.cut(text, pre_tokens)
    return _places(aligned, pre_tokens, cuts.stops, cuts.sizes)


def _places(
    aligned: AlignedText, pre_tokens: NDArray[np.int64], stops: NDArray[np.int32], sizes: NDArray[np.int32]
) -> Places:
    """Work out where tokens stand, from where they stop within their pre-tokens."""
    words = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    tokens = np.empty((len(words), 2), np.int64)
    tokens[:, 1] = stops + pre_tokens[words, 0]
    tokens[1:, 0] = tokens[:-1, 1]
    first = np.cumsum(sizes, dtype=np.int64) - sizes
    tokens[first[sizes > 0], 0] = pre_tokens[sizes > 0, 0]
    return Places(aligned.sources(tokens), aligned.sources(pre_tokens), words)
