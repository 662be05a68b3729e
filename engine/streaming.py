"""Decoding while tokens arrive: only whole characters come out."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from operator import index

from engine.tokenizer import Tokenizer


class StreamDecoder:
    """Turns a stream of ids or bytes into text that never shows half a character.

    Bytes that may still be completed wait; bytes that never can become U+FFFD at once, one for each maximal subpart.
    What may be the beginning of a stop string waits too. The pushes joined equal decoding at once.

    Source: The Unicode Standard 17, chapter 3.9, "U+FFFD Substitution of Maximal Subparts".

    >>> from engine.pretrained import pretrained
    >>> decoder = StreamDecoder(pretrained("gpt2"))
    >>> [decoder.push_bytes(part) for part in ("Go€".encode()[:3], "Go€".encode()[3:])], decoder.finish()
    (['Go', '€'], '')
    """

    def __init__(self, tokenizer: Tokenizer | None = None, stop: str | Iterable[str] = ()) -> None:
        """Begin a stream.

        Args:
            tokenizer: Reads the ids; None if only bytes are pushed.
            stop: Texts that end the stream where the first of them begins; they are not given out.

        Raises:
            ValueError: A stop text is empty.
        """
        self._stop = (stop,) if isinstance(stop, str) else tuple(stop)
        if "" in self._stop:
            raise ValueError("a stop text must not be empty, or the stream would end before it begins")
        self._bytes = b""
        self._ids: deque[int | None] = deque()
        self._spelled = tokenizer.spell(iter(self._ids.popleft, None)) if tokenizer else None
        self._tokenizer = tokenizer
        self._held = ""
        self._ended = False

    @property
    def stopped(self) -> bool:
        """Whether a stop text has been met, or the stream was finished; what is pushed now is passed over."""
        return self._ended

    @property
    def waiting(self) -> bytes:
        """The bytes of a character that is not complete yet."""
        return self._bytes

    def push(self, id: int) -> str:
        """Take an id and return the text that is now certain.

        Raises:
            ValueError: The id is outside the vocabulary, or the stream has no tokenizer.
        """
        if self._spelled is None or self._tokenizer is None:
            raise ValueError("this stream has no tokenizer, so it reads bytes alone: use push_bytes")
        number = index(id)
        self._tokenizer.meaning(number)  # an id that stands for nothing must not end the spelling
        self._ids.append(number)
        return self.push_bytes(next(self._spelled))

    def push_bytes(self, data: bytes) -> str:
        """Take bytes and return the text that is now certain."""
        if self._ended:
            return ""
        data = self._bytes + data
        cut = len(data) - _unfinished(data)
        self._bytes = data[cut:]
        return self._released(data[:cut].decode("utf-8", "replace"))

    def finish(self) -> str:
        """End the stream: an unfinished character becomes one U+FFFD, and what was held comes out."""
        if self._ended:
            return ""
        self._ids.append(None)
        undecided = self._bytes + b"".join(self._spelled or ())
        text = self._released(undecided.decode("utf-8", "replace"))
        self._bytes = b""
        if not self._ended:
            text += self._held
        self._held, self._ended = "", True
        return text

    def _released(self, text: str) -> str:
        self._held += text
        found = [at for stop in self._stop if (at := self._held.find(stop)) >= 0]
        if found:
            text, self._held, self._ended = self._held[: min(found)], "", True
            return text
        keep = max((_overlap(self._held, stop) for stop in self._stop), default=0)
        cut = len(self._held) - keep
        text, self._held = self._held[:cut], self._held[cut:]
        return text


def decode_apart(parts: Iterable[bytes], each_byte: bool = False) -> list[str]:
    r"""Decode each part alone, which breaks the characters that a cut goes through.

    Source: The Go Programming Language Specification, "For statements with range clause", for one U+FFFD a byte.

    Args:
        parts: The bytes of each part.
        each_byte: False: one U+FFFD for each maximal subpart, as Python does. True: one for each byte that is no part
            of a valid character, as Go does.

    >>> decode_apart([b"Go\xe2", b"\x82\xac"]), decode_apart([b"Go\xe2\x82", b"\xac"], each_byte=True)
    (['Go\ufffd', '\ufffd\ufffd'], ['Go\ufffd\ufffd', '\ufffd'])
    """
    if not each_byte:
        return [part.decode("utf-8", "replace") for part in parts]
    return [part.decode("utf-8", "surrogateescape").translate(_ESCAPED) for part in parts]


_ESCAPED = dict.fromkeys(range(0xDC80, 0xDD00), "\ufffd")


# How a character of two to four bytes may go on after its first byte.
# Source: The Unicode Standard 17, table 3-7, "Well-Formed UTF-8 Byte Sequences".
_UNFINISHED = re.compile(
    rb"(?:[\xC2-\xF4]|\xE0[\xA0-\xBF]|[\xE1-\xEC\xEE\xEF][\x80-\xBF]|\xED[\x80-\x9F]"
    rb"|\xF0[\x90-\xBF][\x80-\xBF]?|[\xF1-\xF3][\x80-\xBF]{1,2}|\xF4[\x80-\x8F][\x80-\xBF]?)\Z"
)


def _unfinished(data: bytes) -> int:
    """Return how many bytes at the end may still become a character; `codecs` waits for some that never can."""
    match = _UNFINISHED.search(data[-3:])
    return len(match[0]) if match else 0


def _overlap(text: str, stop: str) -> int:
    """Return the length of the longest end of `text` that begins `stop`."""
    for size in range(min(len(text), len(stop) - 1), 0, -1):
        if text.endswith(stop[:size]):
            return size
    return 0
