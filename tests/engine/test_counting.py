"""A corpus that is counted in parts, by whoever, gives exactly the counts of the whole."""

from __future__ import annotations

import bz2
import gzip
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import engine
from engine import corpora, sources
from engine.counting import count_words
from engine.pre_tokenizers import PRE_TOKENIZERS

HOSTILE = "It's a  test\n\n  of 'all',\r\nsorts / of\n/things. 中文 文字\n世界 e\u0301A \u3000x 12 34\n5 Ünder's\n"


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(sources, "PART", 64)
    monkeypatch.setattr(sources, "_BLOCK", 24)


def whole(text: str, split: str = "gpt2", normalizers: tuple[str, ...] = ()) -> list[tuple[str, int]]:
    rules = [engine.normalizer(name) for name in normalizers]
    return list(count_words(text, rules, PRE_TOKENIZERS[split]).items())


@pytest.mark.parametrize("split", PRE_TOKENIZERS)
@pytest.mark.parametrize("normalizers", [(), ("nfkc", "lowercase"), ("strip_accents",)])
def test_a_file_in_parts_counts_like_the_whole(split, normalizers, tmp_path, small_parts):
    text = HOSTILE * 3 + corpora.text("udhr/vi")[:3000] + corpora.text("udhr/hi")[:2000] + HOSTILE
    file = tmp_path / "text.txt"
    file.write_bytes(text.encode())
    assert list(engine.count_pre_tokens(file, split, normalizers).items()) == whole(text, split, normalizers)
    parts = list(sources.parts(file, sources.cut_for(split, normalizers)))
    assert (len(parts) > 1) == (split in sources._CUTS)


@pytest.mark.parametrize("normalizer", ["nmt", "single_spaces"])
@pytest.mark.parametrize("split", PRE_TOKENIZERS)
def test_what_a_normalizer_does_at_the_ends_is_done_once(split, normalizer, tmp_path, small_parts):
    (tmp_path / "text.txt").write_bytes(HOSTILE.encode() * 3)
    counts = engine.count_pre_tokens(tmp_path / "text.txt", split, [normalizer])
    assert list(counts.items()) == whole(HOSTILE * 3, split, (normalizer,))


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(sorted(PRE_TOKENIZERS)),
    st.lists(st.sampled_from([*"a A1\n\r/.'中\u0301\u3000é▁ \ud83d\ude42", "'s", "  ", "\n\n", "ab "]), max_size=60),
    st.integers(1, 20),
)
def test_a_text_in_pieces_counts_like_the_whole(split, parts, size):
    text = "".join(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "_PIECE", size)
        in_pieces = whole(text, split)
    assert in_pieces == whole(text, split)


@pytest.mark.parametrize("split", sorted(sources._CUTS))
def test_hostile_files_in_parts(split, tmp_path_factory):
    file = tmp_path_factory.mktemp("parts") / "text.txt"
    pieces = st.sampled_from([*"a A1\n\r/.'中\u0301\u3000é▁ ", "'s", "  ", "\n\n", "ab "])

    @settings(max_examples=150, deadline=None)
    @given(st.lists(pieces, max_size=60).map("".join), st.integers(5, 40), st.integers(5, 40))
    @example("a中中中a\n\u3000", 5, 6)  # a block ends within white space that forbids a cut
    def check(text: str, part: int, block: int) -> None:
        file.write_bytes(text.encode())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sources, "PART", part)
            patch.setattr(sources, "_BLOCK", block)
            assert list(engine.count_pre_tokens(file, split).items()) == whole(text, split)

    check()


def test_broken_utf8_counts_alike_in_parts(tmp_path, small_parts):
    raw = (b"some \xff bytes \xe3\x81 are broken \xc3\n" * 30) + b"\xe3"
    file = tmp_path / "broken.txt"
    file.write_bytes(raw)
    assert list(engine.count_pre_tokens(file).items()) == whole(raw.decode("utf-8", "replace"))


def test_paths_globs_texts_and_urls_in_one_call(tmp_path):
    (tmp_path / "a.txt").write_text("low low", encoding="utf-8")
    (tmp_path / "b.txt").write_text("lower", encoding="utf-8")
    counts = engine.count_pre_tokens(
        [tmp_path / "b.txt", str(tmp_path / "*.txt"), ["lowest"], (tmp_path / "a.txt").as_uri()]
    )
    assert dict(counts) == {"lower": 2, "low": 2, " low": 2, "lowest": 1}


@pytest.mark.parametrize(
    "text",
    [
        "a text with ://",
        "see https://example.org",
        "what? " * 1000,
        pytest.param("either/or? " * 5000, id="slashes"),
        "a\0b",
        "",
    ],
)
def test_a_text_is_never_taken_for_a_place(text):
    for source in (text, [text]):
        with pytest.raises(ValueError, match=r"there is no file .* iterable of texts"):
            engine.count_pre_tokens(source)
    assert sum(engine.count_pre_tokens([[text]]).values()) == len(PRE_TOKENIZERS["gpt2"].split(text))


def test_compressed_files_are_known_by_their_content(tmp_path, small_parts):
    text = HOSTILE * 20
    for number, pack in enumerate((gzip.compress, bz2.compress)):
        (tmp_path / f"{number}.txt").write_bytes(pack(text.encode()))
    expected = [(word, 2 * count) for word, count in whole(text)]
    assert list(engine.count_pre_tokens(str(tmp_path / "?.txt")).items()) == expected


def test_zstd_where_it_is_installed(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    (tmp_path / "text").write_bytes(zstandard.compress(HOSTILE.encode()))
    assert list(engine.count_pre_tokens(tmp_path / "text").items()) == whole(HOSTILE)


@pytest.mark.parametrize("kind", ["gzip", "bz2", "zstd"])
def test_a_damaged_archive_is_an_error(kind, tmp_path):
    pack = pytest.importorskip("zstandard").compress if kind == "zstd" else {"gzip": gzip, "bz2": bz2}[kind].compress
    (tmp_path / "text").write_bytes(pack(HOSTILE.encode() * 9)[:-3])
    with pytest.raises(ValueError, match=f"text' is compressed by {kind}, and damaged or cut short"):
        engine.count_pre_tokens(tmp_path / "text")


def test_a_name_with_brackets_is_no_glob_where_there_is_such_a_file(tmp_path):
    (tmp_path / "a[1].txt").write_text("low", encoding="utf-8")
    assert dict(engine.count_pre_tokens(tmp_path / "a[1].txt")) == {"low": 1}
    assert dict(engine.count_pre_tokens(f"file://{tmp_path.as_posix()}/a[1].txt")) == {"low": 1}


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"is a folder: name its files, as in"):
        engine.count_pre_tokens(tmp_path)
    for missing in ("nothing.txt", "*.txt"):
        with pytest.raises(ValueError, match=r"there is no file .*\.txt"):
            engine.count_pre_tokens(tmp_path / missing)


@pytest.mark.usefixtures("bare_main")
def test_threads_and_processes_count_alike(tmp_path, small_parts):
    text = HOSTILE * 40
    (tmp_path / "text.txt").write_bytes(text.encode())
    given_work = [tmp_path / "text.txt", [HOSTILE, "more"]]
    alone = list(engine.count_pre_tokens(given_work).items())
    with ThreadPoolExecutor(2) as threads:
        assert list(engine.count_pre_tokens(given_work, executor=threads).items()) == alone
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert list(engine.count_pre_tokens(given_work, executor=processes).items()) == alone


def test_training_takes_the_counts(tmp_path):
    path = Path(corpora.corpus("udhr/en").path)
    counted = engine.train(engine.count_pre_tokens(path), vocab_size=400, tie="first")
    direct = engine.train(path.read_bytes().decode(), vocab_size=400, tie="first")
    assert list(counted.tokenizer.vocabulary) == list(direct.tokenizer.vocabulary)
