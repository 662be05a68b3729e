"""What the tests of compiled loops share: words, and the comparison with Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import strategies as st

from engine.counts import PreTokenCounts
from engine.model import Loops, Model

CORPUS = "low lower lowest newer wider eeee eeeeeee naïve café 你好 🙂🙂 the then there aaaaaaaaaa abababab " * 3

WORDS = st.lists(
    st.one_of(
        st.text(st.sampled_from("lowernethia é你🙂e▁"), min_size=1, max_size=24),
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12),
        st.builds(str.__mul__, st.sampled_from(["e", "ab", "low", "🙂", "é"]), st.integers(1, 300)),
    ),
    max_size=8,
)


def check_same(model: Model, words: list[str], loops: Loops | None = None) -> None:
    """Compare both ways on words, each of which also comes again, and on the lengths at every size."""
    from engine.text_parts import padded

    loops = loops or model.loops()
    assert loops is not None
    text = "".join(words * 2)
    stops = np.cumsum([len(word.encode()) for word in words * 2], dtype=np.int64)
    spans = np.stack([stops - np.diff(stops, prepend=0), stops], axis=1)
    cuts = loops.cut(padded(text.encode()), spans)
    expected = [model.encode(word) for word in words * 2]
    assert cuts.sizes.tolist() == [len(cut.ids) for cut in expected]
    assert cuts.ids.tolist() == [id for cut in expected for id in cut.ids]
    assert cuts.stops.tolist() == [stop for cut in expected for stop in cut.stops]
    assert loops.cut(padded(text.encode()), spans).ids.tolist() == cuts.ids.tolist()
    counts = Counter(words * 2)
    assert loops.lengths(PreTokenCounts.of(counts)).tolist() == model.lengths(counts).tolist()
