"""The rank files of the catalogue give the ids that tiktoken gives."""

from __future__ import annotations

import pytest
import regex
import tiktoken
import unicodedata2
from hypothesis import given, settings

from engine.pretrained import pretrained
from tests.engine.exactness import ANY_TEXT, HOSTILE, check_spans, code, declarations, official_tiktoken

NAMES = ["gpt2", "cl100k_base", "o200k_base", "tekken", "qwen2"]


@pytest.fixture(autouse=True, scope="module")
def no_downloads(tmp_path_factory: pytest.TempPathFactory) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path_factory.mktemp("tiktoken")))
        yield


def expected(name: str, text: str, **options: object) -> list[int]:
    if name == "qwen2":
        text = unicodedata2.normalize("NFC", text)
    return official_tiktoken(name).encode(text, **(options or {"disallowed_special": ()}))


@pytest.mark.usefixtures("by_loops")
@pytest.mark.parametrize("name", NAMES)
def test_every_language_and_code(name: str) -> None:
    tokenizer = pretrained(name)
    for text in [*declarations(), *code()]:
        encoding = tokenizer.encode(text)
        assert encoding.ids.tolist() == expected(name, text)
        assert tokenizer.decode(encoding.ids) == (unicodedata2.normalize("NFC", text) if name == "qwen2" else text)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts(name: str, text: str) -> None:
    assert pretrained(name).encode(text).ids.tolist() == expected(name, text)
    check_spans(pretrained(name), text)


@pytest.mark.parametrize("name", NAMES)
def test_any_text(name: str) -> None:
    @settings(max_examples=150, deadline=None, database=None)
    @given(ANY_TEXT)
    def check(text: str) -> None:
        assert pretrained(name).encode(text).ids.tolist() == expected(name, text)
        check_spans(pretrained(name), text)

    check()


@pytest.mark.parametrize("name", NAMES)
def test_special_tokens_are_plain_or_parsed(name: str) -> None:
    tokenizer = pretrained(name)
    specials = list(tokenizer.vocabulary.specials)
    text = "Hi" + " there".join(specials) + specials[0]
    assert tokenizer.encode(text, special="plain").ids.tolist() == expected(name, text)
    assert tokenizer.encode(text, special="parse").ids.tolist() == expected(name, text, allowed_special="all")
    with pytest.raises(ValueError, match="special tokens are not allowed"):
        tokenizer.encode(text, special="error")


def test_endoftext_is_seven_ordinary_tokens_or_one() -> None:
    tokenizer = pretrained("cl100k_base")
    assert len(tokenizer.encode("<|endoftext|>")) == 7
    assert tokenizer.encode("<|endoftext|>", special="parse").ids.tolist() == [100257]


def test_lone_surrogates_are_replaced_as_in_tiktoken() -> None:
    for text in ["\ud83d\ude42", "a\ud800b", "\udc00"]:
        assert pretrained("gpt2").encode(text).ids.tolist() == expected("gpt2", text)


def test_long_runs_merge_in_near_linear_time() -> None:
    """The counts are those that tiktoken gives; its answer to half a million is known to be exact."""
    assert len(pretrained("cl100k_base").encode("a" * 100_000)) == 12_500
    assert len(pretrained("gpt2").encode("^" * 100_000)) == 25_000


CLASSES = [r"\p{L}", r"\p{N}", r"\p{M}", r"\s", r"\p{Lu}", r"\p{Lt}", r"\p{Lm}", r"\p{Lo}", r"\p{Ll}"]


@pytest.mark.parametrize("kind", CLASSES)
def test_every_code_point_is_in_the_same_class(kind: str) -> None:
    """tiktoken drops what its pattern does not match, so a pattern of one class and single bytes list the class."""
    everything = "".join(chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000)
    singles = {bytes([byte]): byte for byte in range(256)}
    official = tiktoken.Encoding("one class", pat_str=kind, mergeable_ranks=singles, special_tokens={})
    assert bytes(official.encode_ordinary(everything)).decode() == "".join(regex.findall(kind, everything))


def test_length_curve_ends_at_the_length() -> None:
    text = HOSTILE[17] + code()[0][:500]
    for name in NAMES:
        tokenizer = pretrained(name)
        sizes, lengths = tokenizer.length_curve(text)
        assert sizes[-1] == tokenizer.vocab_size
        assert lengths[-1] == len(tokenizer.encode(text))
        assert lengths[0] == len(text.encode())
        assert (lengths[1:] <= lengths[:-1]).all()


def test_explain_ends_at_the_encoding() -> None:
    tokenizer = pretrained("cl100k_base")
    text = " unbelievable stories"
    last = [explanation.states[-1].cut for explanation in tokenizer.explain(text)]
    assert [id for cut in last for id in cut.ids] == tokenizer.encode(text).ids.tolist()
