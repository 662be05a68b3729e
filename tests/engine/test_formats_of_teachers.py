"""The codes of subword-nmt and the models of minbpe."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.formats import load, minbpe, save, subword_nmt
from engine.hand import from_merges
from engine.pretrained import catalogue, pretrained, stored
from engine.tokenizer import Tokenizer
from engine.train import train

# Source: subword-nmt 0.3.8, `learn-bpe -s 12` on low x 5, lower x 2, newest x 6, widest x 3.
CODES = """#version: 0.2
s t</w>
e st</w>
l o
w est</w>
n e
ne west</w>
lo w</w>
w i
wi d
wid est</w>
w e
we r</w>
"""
OLD_CODES = "e s\nes t\nest </w>\nl o\nlo w\nlow </w>\nn e\nne w\nnew est</w>\n"

# Source: karpathy/minbpe, tests/test_tokenizer.py, test_wikipedia_example: three merges learned from "aaabdaaabac".
WIKIPEDIA = "minbpe v1\n\n0\n97 97\n256 97\n257 98\n"


def segmented(tokenizer: Tokenizer, text: str) -> str:
    """Write tokens as subword-nmt prints them: @@ behind one that its word goes on after."""
    encoding = tokenizer.encode(text)
    raw = text.encode()
    spans = [
        (raw[start:stop].decode(), word) for (start, stop), word in zip(encoding.spans, encoding.words, strict=True)
    ]
    seen = [(part, word) for part, word in spans if part]
    followers = [*(word for _, word in seen[1:]), None]
    return " ".join(part + ("@@" if word == after else "") for (part, word), after in zip(seen, followers, strict=True))


def test_codes_segment_as_subword_nmt_does() -> None:
    """Source: subword-nmt 0.3.8, `apply-bpe`, on the same line."""
    tokenizer = load(CODES.encode())
    assert segmented(tokenizer, "lowest  newer\tslow w s низ") == "lo@@ west ne@@ we@@ r@@ \t@@ s@@ low w s н@@ и@@ з"
    old = load(OLD_CODES.encode(), format="subword-nmt")
    assert segmented(old, "lowest low newest newer es w") == "low@@ est low newest new@@ e@@ r es w"


def test_ids_of_codes_are_those_documented() -> None:
    pieces = [piece.decode() for piece in load(CODES.encode()).vocabulary]
    assert pieces[0] == "<unk>"
    assert pieces[1:11] == sorted("deilnorstw")
    assert pieces[11:21] == [letter + "</w>" for letter in sorted("deilnorstw")]
    assert pieces[21:] == [line.replace(" ", "") for line in CODES.splitlines()[1:]]


def test_codes_are_written_as_they_were_read() -> None:
    assert subword_nmt.write(load(CODES.encode())).decode() == CODES
    old = subword_nmt.write(load(OLD_CODES.encode(), format="subword-nmt")).decode()
    assert old == "#version: 0.1\n" + OLD_CODES


@pytest.mark.parametrize("joined", [True, False])
def test_trained_codes_cut_as_the_tokenizer_does(joined: bool) -> None:
    text = "low lower lowest, newer wider: the slow fox was low on wood"
    options = {"alphabet": "characters", "pre_tokenizer": "whitespace", "end_of_word": "</w>"}
    tokenizer = train(text * 3, vocab_size=80, end_of_word_joined=joined, **options).tokenizer
    again = load(subword_nmt.write(tokenizer))
    assert segmented(again, text) == segmented(tokenizer, text)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("#version: 0.3\na b\n", "line 1: the version must be 0.1 or 0.2; got '0.3'"),
        ("#version: 0.2\na b\na b c\n", "line 3: a line must be two pieces"),
        ("#version: 0.2\n\na b\n", "line 2: a line must be two pieces"),
        ("#version: 0.2\nlo w\n", "line 2: 'lo' is neither a character nor made by a merge before"),
        ("#version: 0.2\nĠ t\n", "this looks like a merges.txt"),
        ("minbpe v1\n", "line 1, the last: the pattern and the number"),
        ("minbpe v1\n[a-\n0\n", "line 2: .*not a regular expression"),
        ("minbpe v1\n(a)|b\n0\n", "line 2: .*capturing groups"),
        ("minbpe v1\n\nx\n", "line 3: here one number must stand; got 'x'"),
        ("minbpe v1\n\n9\n", "line 3, the last: 9 special tokens must follow"),
        ("minbpe v1\n\n1\n<a> b 300\n", "line 4: a special token and its id"),
        ("minbpe v1\n\n1\n<a> 256\n97 97\n", "line 4: the id of a special token must be from 257"),
        ("minbpe v1\n\n1\n<a> 99999999999999\n", "line 4: the id of a special token"),
        ("minbpe v1\n\n2\n<a> 300\n<b> 300\n", "line 5: .*for the second time"),
        ("minbpe v1\n\n0\n97 97\n97 257\n", "line 5: this pair makes the id 257, so its ids must be below; got 257"),
        ("minbpe v1\n\n0\n97 97\n97\n", "line 5: here two ids"),
        ("minbpe v1\n\n0\n97 97\n97 97\n", "line 5: the pair 97 97 stands here for the second time"),
    ],
)
def test_broken_files_name_the_line(content: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"the given bytes.*{said}"):
        load(content.encode())


def test_a_merges_file_alone_is_not_read_as_codes() -> None:
    merges = stored(catalogue()["clip"].files[1]).data
    with pytest.raises(ValueError, match="give it as"):
        load(merges)


def test_the_example_of_minbpe() -> None:
    tokenizer = load(WIKIPEDIA.encode())
    assert tokenizer.encode("aaabdaaabac").ids.tolist() == [258, 100, 258, 97, 99]
    assert tokenizer.decode([258, 100, 258, 97, 99]) == "aaabdaaabac"
    assert minbpe.write(tokenizer).decode() == WIKIPEDIA


def test_what_lies_between_matches_is_dropped_as_by_findall() -> None:
    tokenizer = load(b"minbpe v1\n[a-z]+\n1\n<eos> 300\n97 98\n")
    assert tokenizer.encode("ab1 ab<eos>", special="parse").ids.tolist() == [256, 256, 300]
    assert not tokenizer.lossless
    assert load(minbpe.write(tokenizer)).encode("ab1 ab").ids.tolist() == [256, 256]


@given(st.text(st.sampled_from("low erst\n'12né"), max_size=40))
def test_trained_and_saved_for_minbpe_gives_the_same_ids(text: str) -> None:
    tokenizer = TRAINED
    again = load(minbpe.write(tokenizer))
    assert again.encode(text).ids.tolist() == tokenizer.encode(text).ids.tolist() == by_minbpe(tokenizer, text)


TRAINED = train("low lower lowest newest widest " * 3, vocab_size=290, pre_tokenizer="cl100k").tokenizer


def by_minbpe(tokenizer: Tokenizer, text: str) -> list[int]:
    """Encode by the rule of minbpe from the lines of its file: the pair with the lowest id merges first, everywhere."""
    lines = minbpe.write(tokenizer).decode().split("\n")[3:-1]
    merges = {tuple(map(int, line.split())): 256 + number for number, line in enumerate(lines)}
    found: list[int] = []
    for start, stop in tokenizer.pre_tokenizer.split(text):
        ids = list(text[start:stop].encode())
        while known := [pair for pair in pairwise(ids) if pair in merges]:
            pair = min(known, key=merges.__getitem__)
            i = 0
            while i < len(ids) - 1:
                if (ids[i], ids[i + 1]) == pair:
                    ids[i : i + 2] = [merges[pair]]
                i += 1
        found += ids
    return found


@pytest.mark.parametrize(("name", "content"), [("a.codes", CODES), ("a.minbpe.model", WIKIPEDIA)])
def test_the_name_of_the_file_tells_what_to_write(name: str, content: str, tmp_path: Path) -> None:
    save(load(content.encode()), tmp_path / name)
    assert (tmp_path / name).read_text("utf-8") == content


def test_what_minbpe_cannot_say_is_refused() -> None:
    with pytest.raises(ValueError, match="any two pieces that join"):
        minbpe.write(pretrained("gpt2"))
    with pytest.raises(ValueError, match="the ids 0 to 255 are the bytes"):
        minbpe.write(from_merges("bytes", [(b"a", b"b")], ["<eos>"]))
    with pytest.raises(ValueError, match="BPE over bytes"):
        minbpe.write(pretrained("bert-base-uncased"))
    with pytest.raises(ValueError, match="BPE over characters"):
        subword_nmt.write(TRAINED)
