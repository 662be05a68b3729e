"""SentencePiece's own trainer of BPE, beside ours: where they differ, and that nothing else differs.

Source: google/sentencepiece 0.2.3, src/bpe_model_trainer.cc.

1. Ties. Of pairs that stand equally often, theirs takes the shortest piece, and of those the first in code-point order.
   Ours takes the lowest ids unless another rule is asked for.
2. Length. Theirs makes no piece of more than 16 code points (`max_sentencepiece_length`); ours knows no limit.
3. Two merges that make one piece, as "a" + "bc" and "ab" + "c", are one piece there, and the size counts it once. Here
   each merge has an id of its own.
4. Order. Their vocabulary has the merges first and the characters behind them, by falling frequency; ours the alphabet
   first, in code-point order.
5. Scripts and numbers. By default theirs cuts words where the script changes and around numbers
   (`split_by_unicode_script`, `split_by_number`), and makes a character unknown that is among the rarest 0.05 %
   (`character_coverage`). All three are off here.
6. Shortcut. With more than 1,000 different pairs theirs looks only at the most frequent 5 %, chosen anew every 100
   merges; the pair that wins is nearly always among them, and was on these texts.
7. Encoding. Theirs knows no list of merges: any two neighbors merge whose joint text is a piece, the better score
   first. `.model` files are written here only where that gives the same ids.
"""

from __future__ import annotations

import io

import pytest
import sentencepiece

import engine
from engine import corpora, reference
from engine.train import count_words


def official(lines: list[str], size: int, longest: int) -> sentencepiece.SentencePieceProcessor:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        vocab_size=size,
        model_type="bpe",
        max_sentencepiece_length=longest,
        character_coverage=1.0,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        split_by_unicode_script=False,
        split_by_number=False,
        bos_id=-1,
        eos_id=-1,
        max_sentence_length=100_000,
        num_threads=1,
        minloglevel=2,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


def by_their_ties(counts: dict[str, int], merges: int) -> list[str]:
    """Train by the textbook with the tie rule of SentencePiece; return the different pieces, in order."""
    pieces = sorted({character for word in counts for character in word})
    first = len(pieces)
    ids = {piece: id for id, piece in enumerate(pieces)}

    def choose(tied: list[reference.Pair], words: reference.Words) -> reference.Pair:
        joined = {pair: pieces[pair[0]] + pieces[pair[1]] for pair in tied}
        best = min(tied, key=lambda pair: (len(joined[pair]), joined[pair]))
        pieces.append(joined[best])
        return best

    words = [([ids[character] for character in word], count) for word, count in counts.items()]
    reference.train_bpe(words, first, merges + 20, choose)
    return list(dict.fromkeys(pieces[first:]))[:merges]


@pytest.mark.parametrize(
    ("name", "size"), [("udhr/en", 400), ("udhr/fi", 400), ("udhr/ja", 700), ("udhr/th", 500), ("udhr/zh-Hans", 600)]
)
def test_the_differences_are_all_there_are(name: str, size: int) -> None:
    lines = [line for line in corpora.text(name).splitlines() if line]
    theirs = official(lines, size, 200)
    counts = count_words(lines, (), engine.pre_tokenizer("dummy-prefix"))
    pieces = [theirs.id_to_piece(id) for id in range(1, theirs.get_piece_size())]
    learned = [piece for piece in pieces if len(piece) > 1]
    assert pieces[: len(learned)] == learned
    assert set(pieces[len(learned) :]) == {character for word in counts for character in word}
    assert by_their_ties(counts, len(learned)) == learned
    run = engine.train(lines, vocab_size=size, alphabet="characters", pre_tokenizer="dummy-prefix")
    assert len({step.piece.decode() for step in run.steps} & set(learned)) > 0.8 * len(learned)
    ours, others = (sum(len(each.encode(line)) for line in lines) for each in (run.tokenizer, theirs))
    assert abs(ours / others - 1) < 0.01


def test_a_limit_of_length() -> None:
    """In Thai, which has no spaces inside a sentence, "▁ทุกคนมีสิทธิที่จะ" (everyone has the right to) is a piece."""
    lines = [line for line in corpora.text("udhr/th").splitlines() if line]
    run = engine.train(lines, vocab_size=500, alphabet="characters", pre_tokenizer="dummy-prefix")
    assert max(len(step.piece.decode()) for step in run.steps) > 16
    theirs = official(lines, 500, 16)
    assert max(len(theirs.id_to_piece(id)) for id in range(500)) <= 16
