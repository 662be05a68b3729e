"""What an audit finds in real vocabularies."""

from __future__ import annotations

import pytest

from engine.audit import audit
from engine.pretrained import pretrained


@pytest.mark.parametrize(
    ("name", "fragments", "unreachable"), [("gpt2", 216, 0), ("cl100k_base", 645, 0), ("o200k_base", 1434, 12)]
)
def test_fragments_and_unreachable_pieces(name: str, fragments: int, unreachable: int) -> None:
    found = audit(pretrained(name))
    assert (len(found.fragments), len(found.unreachable), found.duplicates) == (fragments, unreachable, ())
