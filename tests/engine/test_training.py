"""Known runs. Each says where its numbers come from; ties go to the first pair where they matter."""

from fractions import Fraction

import pytest

import engine

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
TOY = (
    "The cat sat on the mat. The cat ate the rat. The dog sat on the log. The dog ate the frog. Natural language "
    "processing is the study of how computers understand and generate human language. Tokenization is the first step "
    "in any NLP pipeline."
)


def merged(run: engine.TrainingRun) -> list[str]:
    return [step.piece.decode() for step in run.steps]


def test_sennrich_2016_figure_of_ten_merges():
    # Sennrich et al. 2016, arXiv:1508.07909, algorithm 1 and its vocabulary.
    words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    run = engine.train(
        words,
        alphabet="characters",
        end_of_word="</w>",
        tie="first",
        vocab_size=None,
        max_steps=10,
        pre_tokenizer="whole",
    )
    assert merged(run) == ["es", "est", "est</w>", "lo", "low", "ne", "new", "newest</w>", "low</w>", "wi"]
    cut = {word: [piece.decode() for piece in run.tokenizer.encode(word).pieces] for word in words}
    assert cut == {
        "low": ["low</w>"],
        "lower": ["low", "e", "r", "</w>"],
        "newest": ["newest</w>"],
        "widest": ["wi", "d", "est</w>"],
    }
    assert run.tokenizer.vocab_size == 1 + 11 + 10  # <unk>, the alphabet with </w>, the merges
    assert run.stopped == "max_steps"


def test_counts_fall_as_pairs_are_merged():
    # The lecture example lower, lowest, newest: counted by hand.
    run = engine.train(
        {"lower": 5, "lowest": 2, "newest": 6}, tie="first", vocab_size=None, max_steps=4, pre_tokenizer="whole"
    )
    vocabulary = run.tokenizer.vocabulary
    assert [(vocabulary[s.left], vocabulary[s.right], s.count) for s in run.steps] == [
        (b"w", b"e", 13),
        (b"we", b"s", 8),
        (b"wes", b"t", 8),
        (b"l", b"o", 7),
    ]


def test_minbpe_readme_example():
    # karpathy/minbpe, README: "aaabdaaabac" with three merges; Wikipedia's article on byte pair encoding has the text.
    run = engine.train("aaabdaaabac", vocab_size=259, tie="first", pre_tokenizer="whole")
    assert [(step.left, step.right) for step in run.steps] == [(97, 97), (256, 97), (257, 98)]
    assert run.tokenizer.encode("aaabdaaabac").ids.tolist() == [258, 100, 258, 97, 99]
    assert [step.length for step in run.steps] == [9, 7, 5]


def test_first_looks_at_the_corpus_as_it_is():
    # After aa, both (aa, a) and (a, b) stand twice; (aa, a) stands first.
    run = engine.train("aaabaaab", vocab_size=258, tie="first", pre_tokenizer="whole")
    assert merged(run) == ["aa", "aaa"]
    assert run.steps[1].ties == 2


def test_hug_bpe():
    # The Hugging Face course, chapter 6, "Byte-Pair Encoding tokenization".
    run = engine.train(HUGS, vocab_size=None, max_steps=3, pre_tokenizer="whole")
    assert [(step.piece, step.count) for step in run.steps] == [(b"ug", 20), (b"un", 16), (b"hug", 15)]


def test_hug_wordpiece():
    # The same course, "WordPiece tokenization"; the scores are exact fractions.
    run = engine.train(HUGS, "wordpiece", vocab_size=None, max_steps=3, tie="first", pre_tokenizer="whole")
    first = run.steps[0]
    assert (first.piece, first.score) == (b"##gs", Fraction(1, 20))
    assert (first.count, first.left_count, first.right_count) == (5, 20, 5)
    assert merged(run)[:2] == ["##gs", "hu"]
    vocabulary = run.tokenizer.vocabulary
    scores = {(vocabulary[rival.left], vocabulary[rival.right]): rival.score for rival in run.rivals(2)}
    assert scores[b"hu", b"##gs"] == Fraction(1, 15)
    assert scores[b"hu", b"##g"] == Fraction(2, 45)


def test_words_of_the_gato_corpus():
    # A popular text prints 5 for "correu", which its own counts rule out: it stands twice, as only o, gato and cachorro
    # do or more, so it is the fourth word.
    corpus = (
        "o gato subiu no telhado o gato desceu o cachorro latiu o gato correu o cachorro também correu o gato ganhou"
    )
    run = engine.train(corpus, "word", vocab_size=None, tie="first", pre_tokenizer="whitespace")
    tokenizer = run.tokenizer
    assert {w: tokenizer.vocabulary.id_of(w.encode()) for w in ("o", "gato", "cachorro", "correu")} == {
        "o": 0,
        "gato": 1,
        "cachorro": 2,
        "correu": 3,
    }
    encoding = tokenizer.encode("o pato voou")
    assert encoding.ids.tolist() == [0, -1, -1]
    assert tokenizer.decode(encoding.ids) == "o <unk> <unk>"


def test_toy_corpus_lengths():
    # Counted once by the textbook version; 240 bytes, forty merges.
    assert len(TOY.encode()) == 240
    run = engine.train(TOY, vocab_size=296, tie="first", pre_tokenizer="whole")
    lengths = [
        len(run.tokenizer.encode(text))
        for text in (
            TOY,
            "The cat sat on the mat.",
            "Natural language processing",
            "tokenization pipeline",
            "unhappiness",
        )
    ]
    assert lengths == [108, 3, 17, 16, 10]
    assert run.steps[-1].length == 108


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vocab_size": 10}, r"vocab_size must be at least 256, one per byte; got 10"),
        ({"vocab_size": 5, "alphabet": "characters"}, r"at least 7, 1 special tokens and an alphabet of 6; got 5"),
        ({"algorithm": "wordpiece", "alphabet": "bytes"}, r"alphabet must be characters for wordpiece; got 'bytes'"),
        ({"algorithm": "magic"}, r"algorithm must be one of bpe, wordpiece, unigram, word, char; got 'magic'"),
        ({"tie": "best"}, r"tie must be one of lowest-id, first, smallest, largest, random; got 'best'"),
        ({"min_count": 0}, r"min_count must be at least 1"),
        ({"algorithm": "unigram", "tie": "first"}, r"tie belongs to .* code-point order stays; got 'first'"),
        ({"algorithm": "unigram", "min_count": 2}, r"min_count belongs to .* less than half a time; got 2"),
        ({"special_tokens": ("<a>", "<a>")}, r"special_tokens must be different"),
        ({"special_tokens": "<a>"}, r"special_tokens must be several texts, as in \['<a>'\]"),
        ({"special_tokens": (1,)}, r"special_tokens must be different texts, none empty; got \(1,\)"),
        ({"algorithm": "wordpiece", "unknown": ""}, r"unknown must not be empty"),
        ({"normalizers": "nfc"}, r"normalizers must be several names, as in \['nfc'\]"),
        ({"vocab_size": 300.5}, r"vocab_size must be a whole number; got 300.5"),
        ({"seed": "one"}, r"seed must be a whole number; got 'one'"),
    ],
)
def test_errors_teach(options, message):
    with pytest.raises(ValueError, match=message):
        engine.train("low lower", **options)


@pytest.mark.parametrize("count", [0, 1.5, "2"])
def test_a_count_is_a_whole_number(count):
    with pytest.raises(ValueError, match=r"a whole number from 1 on; 'ab' has"):
        engine.train({"ab": count})


def test_a_corpus_is_as_large_as_sums_are_exact():
    with pytest.raises(ValueError, match=r"below 2\^53 bytes"):
        engine.train({"ab": 2**52}, vocab_size=257)


def test_a_cancelled_training_is_a_shorter_run():
    whole = engine.train(TOY, vocab_size=300)
    training = engine.begin(TOY, engine.Recipe(vocab_size=300))
    training.advance(7)
    run = training.run()
    assert run.stopped == "unfinished"
    assert list(run.steps) == list(whole.steps)[:7]
    assert run.tokenizer.encode(TOY).ids.tolist() == whole.tokenizer_at(7).encode(TOY).ids.tolist()


def test_an_exhausted_corpus_says_so():
    run = engine.train("banana banana", vocab_size=5000)
    assert run.stopped == "exhausted"
    assert engine.train("banana banana", vocab_size=5000, min_count=3).stopped == "min_count"
    assert engine.train("", vocab_size=300).stopped == "exhausted"


def test_random_ties_hang_on_the_seed_alone():
    words = dict.fromkeys(["ab", "cd", "ef", "gh"], 3)
    turned = dict(reversed(words.items()))
    runs = [merged(engine.train(words, tie="random", seed=seed, pre_tokenizer="whole")) for seed in range(8)]
    assert len({tuple(run) for run in runs}) > 1
    assert merged(engine.train(turned, tie="random", seed=3, pre_tokenizer="whole")) == runs[3]
