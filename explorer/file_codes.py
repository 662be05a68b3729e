"""The code of a tokenizer that was read from a file: what a link says of a file that it cannot hold.

A code reads `file.9c1185a5c5e9fc54~name:tokenizer.json`: the first 16 digits of the file's SHA-256, then its name, and
the split where the file does not say it. One that came by its name from the network is `file.named~name:hub%3Aa/b`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

import engine

FILE = "file."
"""With this begins the code of what was read from files: of a tokenizer, or of parallel texts."""

LONGEST_NAME = 80
_NAMED = "named"
_CODE = re.compile(r"file\.(named|[0-9a-f]{16})~name:([^~!]+)(?:~split:([\w-]+))?", re.ASCII)
_AND = " + "


@dataclass(frozen=True)
class TokenizerFile:
    """A file, or two that belong together, from which a tokenizer was read.

    Attributes:
        digest: 16 hexadecimal digits of the SHA-256 of its bytes; "" for one that came by its name from the network.
        name: The name of the file, of both with " + " between, or the name in the network.
        split: The named split that it is read with; "" where the file says it.

    >>> TokenizerFile.read("file.9c1185a5c5e9fc54~name:a%20b.json")
    TokenizerFile(digest='9c1185a5c5e9fc54', name='a b.json', split='')
    """

    digest: str
    name: str
    split: str = ""

    @property
    def code(self) -> str:
        """The code of the tokenizer."""
        # "~" parts a code, yet quote() never escapes it.
        name = quote(self.name[:LONGEST_NAME], safe="/").replace("~", "%7E")
        return f"{FILE}{self.digest or _NAMED}~name:{name}" + (f"~split:{self.split}" if self.split else "")

    @property
    def parts(self) -> int:
        """How many files it takes."""
        return 1 + (self.name.count(_AND) == 1)

    @classmethod
    def read(cls, code: str) -> TokenizerFile:
        """Read a code.

        Raises:
            ValueError: It is damaged.
        """
        found = _CODE.fullmatch(code)
        name = unquote(found[2]) if found else ""
        if not found or len(name) > LONGEST_NAME or not name.isprintable():
            raise ValueError(
                f"a file is named by its digest, as in file.9c1185a5c5e9fc54~name:a.json; got {code[:60]!r}"
            )
        if found[3]:
            engine.pre_tokenizer(found[3])
        return cls("" if found[1] == _NAMED else found[1], name, found[3] or "")

    @classmethod
    def of(cls, names: Sequence[str], data: Sequence[bytes], split: str = "") -> TokenizerFile:
        """Name one file, or vocab.json and merges.txt in either order."""
        pairs: list[tuple[str, bytes]] = list(zip(names, data, strict=True))
        pairs.sort(key=lambda pair: not is_json(pair[1]))
        return cls(digest(data), _AND.join(name for name, _ in pairs)[:LONGEST_NAME], split)


def is_json(data: bytes) -> bool:
    """Tell whether a file may be an object in JSON."""
    return data.lstrip().startswith(b"{")


def digest(data: Sequence[bytes]) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of some files, that of JSON first.

    >>> digest([b"a b", b"{}"]) == digest([b"{}", b"a b"])
    True
    """
    return hashlib.sha256(b"".join(sorted(data, key=lambda each: not is_json(bytes(each))))).hexdigest()[:16]


_PARALLEL = re.compile(r"file\.([0-9a-f]{16})~lines:(\d{1,9})~files:(\d{1,6})~of:([^~!]+)", re.ASCII)
_NAMED_FILES = 12


@dataclass(frozen=True)
class ParallelFiles:
    """Parallel texts of a reader's own, one language a file.

    Attributes:
        digest: 16 hexadecimal digits of the languages and their texts.
        lines: How many lines each file has.
        files: How many files there are.
        tags: The first languages, at most 12, in their order.

    >>> ParallelFiles.read("file.9c1185a5c5e9fc54~lines:2~files:2~of:en+de")
    ParallelFiles(digest='9c1185a5c5e9fc54', lines=2, files=2, tags=('en', 'de'))
    """

    digest: str
    lines: int
    files: int
    tags: tuple[str, ...]

    @property
    def code(self) -> str:
        """The code of the set."""
        tags = "+".join(quote(tag[:LONGEST_NAME], safe="").replace("~", "%7E") for tag in self.tags[:_NAMED_FILES])
        return f"{FILE}{self.digest}~lines:{self.lines}~files:{self.files}~of:{tags}"

    @classmethod
    def read(cls, code: str) -> ParallelFiles:
        """Read a code.

        Raises:
            ValueError: It is damaged.
        """
        found = _PARALLEL.fullmatch(code)
        tags = tuple(map(unquote, found[4].split("+"))) if found else ()
        if (
            not found
            or len(tags) > _NAMED_FILES
            or not all(len(tag) <= LONGEST_NAME and tag.isprintable() for tag in tags)
        ):
            raise ValueError(
                f"parallel files are named by their digest, as in file.9c1185a5c5e9fc54~lines:2~files:2~of:en+de; "
                f"got {code[:60]!r}"
            )
        return cls(found[1], int(found[2]), int(found[3]), tags)
