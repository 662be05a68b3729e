"""A file that is being read, and the errors that name it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_HALF_A_PAIR = re.compile(r"\\u[dD][89a-fA-F]")

LARGEST_FILE = 256 * 2**20
"""Bytes; the largest vocabulary in use, with 256,000 pieces, has 35 MB."""

LARGEST_ID = 2**21
"""Ids may not go beyond; a made-up id of ten digits would ask for the memory of all those below it."""


@dataclass(frozen=True)
class Source:
    """The bytes of a file, with the name by which errors call it."""

    name: str
    data: bytes

    @classmethod
    def of(cls, given: str | Path | bytes) -> Source:
        """Read a path; bytes are taken as they are.

        Raises:
            ValueError: The file cannot be read, is empty, or is larger than `LARGEST_FILE`.
        """
        if isinstance(given, bytes):
            made = cls("the given bytes", given)
        else:
            path = Path(given)
            try:
                if path.stat().st_size > LARGEST_FILE:
                    raise made_error(path.name, f"it has {path.stat().st_size:,} bytes, the limit is {LARGEST_FILE:,}")
                made = cls(path.name, path.read_bytes())
            except OSError as error:
                raise made_error(path.name, f"it cannot be read: {error.strerror or error}") from error
        if not made.data:
            raise made.error("it is empty")
        if len(made.data) > LARGEST_FILE:
            raise made.error(f"it has {len(made.data):,} bytes, the limit is {LARGEST_FILE:,}")
        return made

    @property
    def text(self) -> str:
        """The content as text.

        Raises:
            ValueError: It is no UTF-8.
        """
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.error("this is no UTF-8 text", f"byte {error.start}") from error

    @property
    def json(self) -> Any:
        """The content as JSON.

        Raises:
            ValueError: It is broken, nested too deeply, or no JSON.
        """
        text = self.text
        try:
            content = json.loads(text, parse_constant=_no_number)
            if _HALF_A_PAIR.search(text):
                json.dumps(content, ensure_ascii=False).encode()
        except json.JSONDecodeError as error:
            raise self.error(f"this is no JSON: {error.msg}", f"line {error.lineno}, column {error.colno}") from error
        except RecursionError as error:
            raise self.error("its JSON is nested too deeply") from error
        except UnicodeEncodeError as error:
            raise self.error("a text in its JSON has half of a surrogate pair, which is no character") from error
        except ValueError as error:  # an integer of thousands of digits, or what `_no_number` says
            raise self.error(f"this is no JSON: {error}") from error
        return content

    def error(self, reason: str, place: str = "") -> ValueError:
        """Return the error that names this file and the place in it."""
        return made_error(self.name, reason, place)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def made_error(name: str, reason: str, place: str = "") -> ValueError:
    """Return an error that names a file, the place in it and what is wrong there."""
    return ValueError(f"{name}, {place}: {reason}" if place else f"{name}: {reason}")
