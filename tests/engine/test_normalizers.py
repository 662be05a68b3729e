import unicodedata
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import unicodedata2
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.alignment import AlignedText
from engine.normalizers import COMPOSES_BACKWARD, NEWER_CAPITALS, NORMALIZERS, lowercase, nfc, nfkd, normalizer
from tests.engine.hostile import TROUBLE, broken_texts, texts

FORMS = ("NFC", "NFD", "NFKC", "NFKD")
EVERY = [chr(point) for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF]


@cache
def restless() -> list[str]:
    """Whatever composes, reorders, or decomposes into something that does: where a wrong cut would show."""
    return [
        char
        for char in EVERY
        if unicodedata2.combining(char) or char in COMPOSES_BACKWARD or unicodedata2.normalize("NFKD", char) != char
    ]


restless_texts = st.lists(
    st.one_of(st.deferred(lambda: st.sampled_from(restless())), st.sampled_from(TROUBLE)), max_size=16
).map("".join)


def rewritten(name: str, text: str) -> str:
    return NORMALIZERS[name](AlignedText.of(text)).text


def bytes_of(text: str) -> np.ndarray:
    return np.stack([np.arange(len(text.encode())), np.arange(1, len(text.encode()) + 1)], axis=1)


@pytest.mark.parametrize("form", FORMS)
@given(text=st.one_of(texts, restless_texts, broken_texts))
@settings(max_examples=300)
def test_forms_equal_the_library_on_the_whole_text(form, text):
    text = AlignedText.of(text).text
    assert rewritten(form.lower(), text) == unicodedata2.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
def test_forms_equal_the_library_on_every_code_point_that_is_not_at_rest(form):
    for base in ("e", "\u1100", "\u0bc6", "カ", "\u0301"):
        text = base + base.join(restless())
        assert rewritten(form.lower(), text) == unicodedata2.normalize(form, text)


def test_the_set_of_starters_that_compose_backward_is_complete():
    """Derive it from all canonical compositions; Hangul composes by rule."""
    derived = {chr(point) for point in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for char in EVERY:
        parts = unicodedata2.decomposition(char).split()
        if len(parts) == 2 and not parts[0].startswith("<") and unicodedata2.normalize("NFC", char) == char:
            second = chr(int(parts[1], 16))
            if unicodedata2.combining(second) == 0:
                derived.add(second)
    assert derived == COMPOSES_BACKWARD


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("NFC", "a" + "\u0301\u0323" * 50_000, "ạ" + "\u0323" * 49_999 + "\u0301" * 50_000),
        ("NFKD", "\u0344\u0323" * 20_000, "\u0323" * 20_000 + "\u0308\u0301" * 20_000),
        ("NFC", "\u1100" + "\u1161" * 50_000, "가" + "\u1161" * 49_999),
        ("NFKC", "ｶ" + "\uff9e" * 50_000, "ガ" + "\u3099" * 49_999),
    ],
    ids=["two marks", "decomposing marks", "vowels", "voiced marks"],
)
def test_long_runs_are_sorted_in_good_time(form, text, expected):
    """The library's own sort of the first takes quadratic time."""
    assert rewritten(form.lower(), text) == expected


@pytest.mark.parametrize("name", NORMALIZERS)
@given(text=st.one_of(texts, restless_texts))
def test_alignment_is_ordered_in_bounds_and_leaves_out_nothing_but_what_was_dropped(name, text):
    aligned = NORMALIZERS[name](AlignedText.of(text))
    spans = aligned.sources(bytes_of(aligned.text))
    size = len(text.encode())
    assert (spans[:, 0] < spans[:, 1]).all()
    assert (np.diff(spans, axis=0) >= 0).all()
    assert ((spans >= 0) & (spans <= size)).all()
    if name not in ("strip_accents", "nmt", "single_spaces"):
        edges = [(0, 0), *spans.tolist(), (size, size)]
        assert all(later[0] <= earlier[1] for earlier, later in pairwise(edges))


@pytest.mark.parametrize("name", NORMALIZERS)
@given(before=texts, after=texts)
def test_what_stands_between_plain_letters_is_aligned_as_if_alone(name, before, after):
    """Words share nothing: the bytes of one never point into another."""
    whole = NORMALIZERS[name](AlignedText.of(f"{before} x {after}"))
    first = NORMALIZERS[name](AlignedText.of(f"{before} "))
    size = len(first.text.encode())
    assert whole.text.encode()[:size] == first.text.encode()
    assert whole.sources(bytes_of(whole.text))[:size].tolist() == first.sources(bytes_of(first.text)).tolist()


def test_the_two_bytes_of_a_composed_letter_share_three_source_bytes():
    # Source: DESIGN of the project, walk 1: 11 code points, 15 bytes, é typed as two code points.
    aligned = nfc(AlignedText.of("The cafe\u0301 🙂"))
    assert aligned.text == "The café 🙂"
    spans = aligned.sources(bytes_of(aligned.text)).tolist()
    assert spans[:7] == [[i, i + 1] for i in range(7)]
    assert spans[7:9] == [[7, 10], [7, 10]]
    assert spans[9:] == [[i, i + 1] for i in range(10, 15)]


def test_units_are_small():
    aligned = nfkd(AlignedText.of("ﬁ²한글e\u0323\u0301"))
    assert aligned.sources(bytes_of(aligned.text)).tolist() == (
        [[0, 3]] * 2 + [[3, 5]] + [[5, 8]] * 9 + [[8, 11]] * 9 + [[i, i + 1] for i in range(11, 16)]
    )


@given(texts)
def test_lowercase_is_per_code_point(text):
    assert rewritten("lowercase", text) == "".join(rewritten("lowercase", char) for char in text)


def test_lowercase_has_no_final_sigma_and_may_lengthen():
    assert rewritten("lowercase", "ΟΔΟΣ") == "οδοσ"
    assert rewritten("lowercase", "İ") == "i\u0307"
    assert lowercase(AlignedText.of("xİy")).sources(np.array([[1, 2], [2, 4], [4, 5]])).tolist() == [
        [1, 3],
        [1, 3],
        [3, 4],
    ]


def test_lowercase_is_the_same_on_every_python():
    """Capitals that unicodedata2 has and Unicode 14 has not: each becomes the small letter of its own name."""
    for capital, small in NEWER_CAPITALS.items():
        assert unicodedata2.name(small) == unicodedata2.name(capital).replace("CAPITAL", "SMALL")
    ages = unicodedata if unicodedata.unidata_version == "14.0.0" else None
    for char in EVERY:
        new = ages is not None and ages.category(char) == "Cn"
        if new and unicodedata2.category(char) == "Lu" and not unicodedata2.decomposition(char):
            assert char in NEWER_CAPITALS, unicodedata2.name(char)


def test_lowercase_equals_the_hub_on_all_code_points():
    # Source: tokenizers 0.23, whose tables are those of Rust.
    tokenizers = pytest.importorskip("tokenizers")
    hub = tokenizers.normalizers.Lowercase()
    text = "\n".join(EVERY)
    assert rewritten("lowercase", text) == hub.normalize_str(text)


@given(st.one_of(texts, restless_texts))
def test_strip_accents_is_nfd_without_nonspacing_marks(text):
    kept = (char for char in unicodedata2.normalize("NFD", text) if unicodedata2.category(char) != "Mn")
    assert rewritten("strip_accents", text) == "".join(kept)


def test_a_stripped_accent_belongs_to_its_letter():
    aligned = AlignedText.of("e\u0301x")
    assert NORMALIZERS["strip_accents"](aligned).sources(np.array([[0, 1], [1, 2]])).tolist() == [[0, 3], [3, 4]]


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"'nfx'.*nfc, nfd, nfkc, nfkd, lowercase, strip_accents"):
        normalizer("nfx")
    assert normalizer("nfc") is nfc
