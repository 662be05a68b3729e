"""What every tokenizer and every trainer promises, whatever its algorithm."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine

CORPUS = ["The cat sat on the mat, the cat 🙂🙂 naïve café\n" * 2, "O gato subiu no telhado. Ação! 机器 मशीन"]
RECIPES = {
    "bpe": {"vocab_size": 300},
    "bpe over characters": {"vocab_size": 70, "alphabet": "characters"},
    "bpe over seen bytes": {"vocab_size": 80, "alphabet": "seen-bytes"},
    "bpe with </w>": {"vocab_size": 75, "alphabet": "characters", "end_of_word": "</w>", "pre_tokenizer": "whitespace"},
    "bpe with </w> joined": {"vocab_size": 530, "end_of_word": "</w>", "end_of_word_joined": True},
    "bpe with specials": {"vocab_size": 300, "special_tokens": ("<pad>", "<|end|>")},
    "bpe in one piece": {"vocab_size": 290, "pre_tokenizer": "whole"},
    "bpe by lines": {"vocab_size": 290, "pre_tokenizer": "lines", "tie": "smallest"},
    "bpe, nfkc and lower case": {"vocab_size": 290, "normalizers": ("nfkc", "lowercase"), "pre_tokenizer": "cl100k"},
    "bpe, metaspace": {"vocab_size": 290, "pre_tokenizer": "metaspace", "tie": "random", "seed": 4},
    "bpe, sentencepiece": {
        "vocab_size": 330,
        "alphabet": "characters",
        "pre_tokenizer": "dummy-prefix",
        "byte_fallback": True,
    },
    "bpe, dummy prefix without a split": {"vocab_size": 290, "pre_tokenizer": "dummy-prefix-whole"},
    "bpe, glassllm": {"vocab_size": 70, "alphabet": "characters", "pre_tokenizer": "glassllm", "tie": "smallest"},
    "wordpiece": {"algorithm": "wordpiece", "vocab_size": 120, "pre_tokenizer": "bert"},
    "wordpiece, bert": {
        "algorithm": "wordpiece",
        "vocab_size": 110,
        "pre_tokenizer": "bert",
        "normalizers": ("lowercase", "strip_accents"),
        "special_tokens": ("[PAD]", "[UNK]", "[CLS]"),
    },
    "word": {"algorithm": "word", "vocab_size": 12, "pre_tokenizer": "whitespace"},
    "word with unknown": {"algorithm": "word", "vocab_size": 12, "pre_tokenizer": "bert", "unknown": "[UNK]"},
    "char": {"algorithm": "char", "vocab_size": 25},
}
RUNS = {name: engine.train(CORPUS, **options) for name, options in RECIPES.items()}
TOKENIZERS = {name: run.tokenizer for name, run in RUNS.items()} | {
    "code points": engine.codepoints(),
    "by hand": engine.from_merges("bytes", [("t", "h"), ("th", "e")]),
    "by hand, characters": engine.from_merges("abc ", [("a", "b")]),
}
TEXT = st.text(st.sampled_from("the cat\n\t🙂é") | st.characters(), max_size=60)  # lone surrogates included

each_tokenizer = pytest.mark.parametrize("name", TOKENIZERS)
each_run = pytest.mark.parametrize("name", RUNS)
some = settings(max_examples=40, deadline=None)


@each_tokenizer
@given(text=TEXT)
@some
def test_spans_are_ordered_and_in_bounds(name, text):
    encoding = TOKENIZERS[name].encode(text)
    size = len(encoding.text.encode())
    spans = encoding.spans.tolist()
    assert all(0 <= start <= stop <= size for start, stop in spans)
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(spans))
    assert encoding.ids.dtype == np.int32
    assert encoding.spans.dtype == np.int64
    assert encoding.spans.shape == (len(encoding), 2)
    assert len(encoding.pieces) == len(encoding.tokens) == len(encoding.words) == len(encoding)


@each_tokenizer
@given(text=TEXT)
@some
def test_lossless_tokenizers_tile_the_text_and_give_it_back(name, text):
    tokenizer = TOKENIZERS[name]
    encoding = tokenizer.encode(text)
    decoded = tokenizer.decode(encoding.ids)
    if tokenizer.lossless:
        assert decoded == encoding.text
        edges = [0, *encoding.spans[:, 1].tolist()]
        assert encoding.spans[:, 0].tolist() == edges[:-1]
        assert edges[-1] == len(encoding.text.encode())


@pytest.mark.parametrize("name", ["bpe, sentencepiece", "bpe, dummy prefix without a split"])
@given(text=TEXT)
@some
def test_what_a_dummy_prefix_loses_is_its_mark_alone(name, text):
    tokenizer = TOKENIZERS[name]
    assert tokenizer.losses == ("a ▁ (U+2581) in the text comes back as a space",)
    encoding = tokenizer.encode(text)
    assert tokenizer.decode(encoding.ids) == encoding.text.replace("▁", " ")


def test_some_are_lossless_and_some_are_not():
    lossless = {name for name, tokenizer in TOKENIZERS.items() if tokenizer.lossless}
    assert lossless == {
        "bpe",
        "bpe with </w> joined",
        "bpe with specials",
        "bpe in one piece",
        "bpe by lines",
        "code points",
        "by hand",
    }


@each_tokenizer
@given(text=TEXT)
@some
def test_states_end_in_the_encoding(name, text):
    tokenizer = TOKENIZERS[name]
    told = tokenizer.explain(text)
    ids = [id for explanation in told for id in explanation.states[-1].cut.ids]
    encoding = tokenizer.encode(text)
    assert ids == encoding.ids.tolist()
    assert [list(explanation.span) for explanation in told] == encoding.pre_tokens.tolist()


@each_tokenizer
@given(text=TEXT)
@some
def test_the_length_curve_ends_in_the_encoding(name, text):
    tokenizer = TOKENIZERS[name]
    sizes, lengths = tokenizer.length_curve(text)
    assert sizes[-1] == tokenizer.vocab_size
    assert lengths[-1] == len(tokenizer.encode(text))


@each_tokenizer
@pytest.mark.parametrize(
    "text", ["", "\x00", "\ud83d", "\ud83d\ude42", "🙂", " ", "\n", "e\u0301", "<script>", "</w>", "##a"]
)
def test_no_text_is_refused(name, text):
    tokenizer = TOKENIZERS[name]
    assert tokenizer.encode(text).text == tokenizer.encode(tokenizer.encode(text).text).text
    assert isinstance(tokenizer.decode(tokenizer.encode(text).ids), str)


@each_tokenizer
def test_an_id_outside_the_vocabulary_is_named(name):
    tokenizer = TOKENIZERS[name]
    for id in (tokenizer.vocab_size, -2):
        with pytest.raises(ValueError, match=f"got {id}"):
            tokenizer.decode([id])


@each_tokenizer
def test_a_tokenizer_and_an_encoding_may_go_to_another_process(name, by_loops):
    text = "The café, the 🙂.\n"
    encoding = TOKENIZERS[name].encode(text)
    back = TOKENIZERS[name].decode(encoding.ids)  # by now there is all that must not go with them
    tokenizer, sent = pickle.loads(pickle.dumps((TOKENIZERS[name], encoding)))
    assert "_loops" not in vars(tokenizer)
    assert encoding.place().spans is encoding.spans  # and so an encoding holds nothing that is as long as its text
    assert tokenizer.encode(text).ids.tolist() == sent.ids.tolist() == encoding.ids.tolist()
    assert tokenizer.encode(text).spans.tolist() == sent.spans.tolist() == encoding.spans.tolist()
    assert tokenizer.decode(sent.ids) == back


@each_run
def test_a_run_may_go_to_another_process(name):
    run = RUNS[name]
    sent = pickle.loads(pickle.dumps(run))
    assert sent.steps[:] == run.steps[:]
    assert sent.rivals(1, 3) == run.rivals(1, 3)
    assert sent.tokenizer.encode(CORPUS[0]).ids.tolist() == run.tokenizer.encode(CORPUS[0]).ids.tolist()


@each_run
def test_every_prefix_is_a_model(name):
    run = RUNS[name]
    for k in range(len(run.steps) + 1):
        tokenizer = run.tokenizer_at(k)
        assert tokenizer.vocab_size == run.first_id + k
        assert tokenizer.encode(CORPUS[0]).ids.max() < tokenizer.vocab_size
    for k in (-1, len(run.steps) + 1):
        with pytest.raises(ValueError, match=f"got {k}"):
            run.tokenizer_at(k)


@each_run
def test_the_same_input_gives_the_same_run_in_any_order(name):
    run = RUNS[name]
    turned = engine.train(list(reversed(CORPUS)), **RECIPES[name])
    again = engine.train(CORPUS, **RECIPES[name])
    assert list(again.steps) == list(turned.steps) == list(run.steps)


@each_run
def test_slices_change_nothing(name):
    run = RUNS[name]
    options = dict(RECIPES[name])
    normalizers, split = options.pop("normalizers", ()), options.pop("pre_tokenizer", "gpt2")
    training = engine.begin(CORPUS, engine.Recipe(**options), normalizers, split)
    while not training.finished:
        training.advance(1)
    assert list(training.run().steps) == list(run.steps)
    assert training.run().stopped == run.stopped


@each_run
def test_specials_come_first_and_pieces_are_counted(name):
    run = RUNS[name]
    size = RECIPES[name]["vocab_size"]
    assert run.tokenizer.vocab_size <= size
    specials = RECIPES[name].get("special_tokens", ())
    assert [piece.decode() for piece in list(run.tokenizer.vocabulary)[: len(specials)]] == list(specials)


def test_special_tokens_as_the_caller_says():
    tokenizer = TOKENIZERS["bpe with specials"]
    text = "a🙂<|end|>b<pad>"
    assert tokenizer.encode(text).ids.min() > 1
    parsed = tokenizer.encode(text, special="parse")
    assert [token.piece for token in parsed.tokens if token.id < 2] == [b"<|end|>", b"<pad>"]
    assert tokenizer.decode(parsed.ids) == text
    assert tokenizer.decode(parsed.ids, skip_special=True) == "a🙂b"
    assert [text.encode()[start:stop] for start, stop in parsed.spans.tolist()] == parsed.pieces
    with pytest.raises(ValueError, match=r"found '<\|end\|>' at byte 5"):
        tokenizer.encode(text, special="error")
    with pytest.raises(ValueError, match='"plain", "parse" or "error"'):
        tokenizer.encode(text, special="maybe")


def test_what_is_not_known_is_marked():
    assert TOKENIZERS["by hand, characters"].encode("ab?").pieces == [b"ab", b"<unk>"]
    assert TOKENIZERS["bpe over characters"].encode("€").pieces == [b"<unk>"]
    assert TOKENIZERS["wordpiece, bert"].encode("cat €uro").pieces[-1] == b"[UNK]"
    assert TOKENIZERS["wordpiece, bert"].encode("a" * 101).pieces == [b"[UNK]"]
    assert TOKENIZERS["char"].encode("€").pieces == [b"<unk>"]


def test_two_bytes_of_a_composed_letter_share_their_source():
    # The walk of the design: é typed as e and U+0301, composed by NFC.
    run = engine.train("x", normalizers=("nfc",), vocab_size=256)
    encoding = run.tokenizer.encode("The cafe\u0301 🙂")
    assert len(encoding.text) == 11
    assert len(encoding.text.encode()) == 15
    assert encoding.spans[7:9].tolist() == [[7, 10], [7, 10]]
    assert encoding.spans[-4:].tolist() == [[11, 12], [12, 13], [13, 14], [14, 15]]


def test_words_come_back_with_single_spaces():
    tokenizer = TOKENIZERS["wordpiece"]
    assert tokenizer.decode(tokenizer.encode("the   cat\nsat").ids) == "the cat sat"
    ended = TOKENIZERS["bpe with </w>"]
    assert ended.decode(ended.encode("the   cat\nsat").ids) == "the cat sat"
