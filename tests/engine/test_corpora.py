"""sample_corpora/: complete, in NFC, described, and cut at the right places."""

from __future__ import annotations

import pytest
import regex
import unicodedata2

from engine import corpora

TAGS = [language.bcp47 for language in corpora.languages()]
FOLDER = corpora.corpus("udhr/en").path.parents[1]

# ISO 15924 code -> Unicode's name of the script, where one script covers a text.
SCRIPTS = {
    "Latn": "Latin", "Cyrl": "Cyrillic", "Grek": "Greek", "Arab": "Arabic", "Hebr": "Hebrew", "Deva": "Devanagari",
    "Beng": "Bengali", "Guru": "Gurmukhi", "Gujr": "Gujarati", "Taml": "Tamil", "Telu": "Telugu", "Knda": "Kannada",
    "Mlym": "Malayalam", "Sinh": "Sinhala", "Thai": "Thai", "Laoo": "Lao", "Khmr": "Khmer", "Mymr": "Myanmar",
    "Tibt": "Tibetan", "Ethi": "Ethiopic", "Geor": "Georgian", "Armn": "Armenian", "Kore": "Hangul", "Hans": "Han",
    "Hant": "Han", "Cher": "Cherokee", "Thaa": "Thaana", "Syrc": "Syriac", "Yiii": "Yi", "Vaii": "Vai", "Adlm": "Adlam",
    "Tfng": "Tifinagh", "Java": "Javanese", "Cakm": "Chakma",
}  # fmt: skip

# Paragraphs of the 30 articles in English, and where a translation differs from them: {article: paragraphs}.
PARAGRAPHS = [1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 2, 2, 2, 3, 2, 1, 1, 2, 3, 1, 4, 1, 2, 3, 2, 1, 3, 1]
OTHER_PARAGRAPHS = {
    **{tag: {2: 1} for tag in ("yo", "so", "mn", "ne", "ml", "dz", "zh-Hant", "dv", "aii")},
    "ti": {26: 2},
    "pa": {18: 2},
}


def texts() -> list[str]:
    return [name for name in corpora.names() if not corpora.corpus(name).has_counts]


def test_the_names_of_all_kinds():
    assert len(TAGS) == len(set(TAGS)) == 106
    assert corpora.names("udhr") == tuple(f"udhr/{tag}" for tag in TAGS)
    kinds = ("prose", "code", "toy", "sentences")
    assert {kind: len(corpora.names(kind)) for kind in kinds} == {"prose": 7, "code": 8, "toy": 7, "sentences": 5}
    assert len(set(corpora.names())) == 106 + 7 + 8 + 7 + 5


def test_no_file_is_missing_and_none_is_left_over():
    listed = {corpora.corpus(name).path for name in corpora.names()}
    described = {FOLDER / "SOURCES.md", FOLDER / "index.tsv", FOLDER / "udhr/NOTICE.md", FOLDER / "udhr/index.tsv"}
    on_disk = {path for path in FOLDER.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert on_disk == listed | described


@pytest.mark.parametrize("name", texts())
def test_text_is_nfc_with_plain_line_ends(name):
    text = corpora.text(name)
    assert text
    assert text == unicodedata2.normalize("NFC", text)
    assert "\r" not in text
    assert "\ufeff" not in text
    assert "\ufffd" not in text


@pytest.mark.parametrize("tag", TAGS)
def test_every_language_gives_thirty_articles_without_headings(tag):
    articles = corpora.articles(tag)
    paragraphs = [article.split("\n") for article in articles]
    expected = [OTHER_PARAGRAPHS.get(tag, {}).get(number, count) for number, count in enumerate(PARAGRAPHS, start=1)]
    assert [len(lines) for lines in paragraphs] == expected
    assert all(line.strip() == line and line for lines in paragraphs for line in lines)
    assert corpora.text(f"udhr/{tag}").rstrip("\n").endswith(articles[-1])
    assert articles[0] in corpora.text(f"udhr/{tag}")


def test_the_headings_that_are_left_out():
    left_out = {
        tag: corpora.text(f"udhr/{tag}").strip().split("\n\n")[-30].removesuffix(corpora.articles(tag)[0])
        for tag in TAGS
    }
    assert left_out["en"] == "Article 1\n"
    assert left_out["fr"] == "Article premier\n"
    assert left_out["ja"] == "第１条\n"
    assert left_out["am"] == "አንቀጽ፡፩፤\n"
    assert {tag for tag in TAGS if left_out[tag] == ""} == {"haw", "sa", "dv"}
    assert max(map(len, left_out.values())) <= 42


def test_the_text_is_written_in_the_script_of_the_index():
    for language in corpora.languages():
        text = "".join(corpora.articles(language.bcp47))
        letters = regex.findall(r"\p{L}", text)
        if language.script == "Jpan":
            found = regex.findall(r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Lm}]", text)
        else:
            found = regex.findall(rf"(?=\p{{L}})[\p{{Script={SCRIPTS[language.script]}}}\p{{Lm}}]", text)
        assert len(found) / len(letters) > 0.97, language


def test_simplified_and_traditional_are_told_apart():
    # U+6743 is the simplified form of U+6B0A, "right", the most frequent word of the text.
    for language in corpora.languages():
        if language.script in ("Hans", "Hant"):
            text = "".join(corpora.articles(language.bcp47))
            assert ("权" in text, "權" in text) == (language.script == "Hans", language.script == "Hant"), language


def test_direction_is_that_of_the_script():
    right_to_left = {language.script for language in corpora.languages() if language.direction == "rtl"}
    assert right_to_left == {"Arab", "Hebr", "Thaa", "Syrc", "Adlm"}
    left_to_right = {language.script for language in corpora.languages() if language.direction == "ltr"}
    assert not right_to_left & left_to_right


def test_the_index_states_true_sizes():
    header, *lines = (FOLDER / "udhr/index.tsv").read_text(encoding="utf-8").splitlines()
    for line in lines:
        row = dict(zip(header.split("\t"), line.split("\t"), strict=True))
        text = corpora.text(f"udhr/{row['bcp47']}")
        assert (int(row["code_points"]), int(row["bytes"])) == (len(text), len(text.encode()))
    assert {line.split("\t")[0] for line in lines if line.endswith("\tno")} == {
        "vi", "el-polyton", "fa", "hi", "bn", "pa", "my",
    }  # fmt: skip


def test_vietnamese_as_its_source_wrote_it():
    """NOTICE.md says how: each tone mark stood apart from its letter. Then the text is 12,921 code points long.

    Source: `chars` of vi in the index of the UDHR collection that the files were taken from.
    """
    tones = "\u0300\u0301\u0303\u0309\u0323"
    split = []
    for char in corpora.text("udhr/vi"):
        parts = unicodedata2.normalize("NFD", char)
        letter = "".join(part for part in parts if part not in tones)
        split.append(unicodedata2.normalize("NFC", letter) + "".join(part for part in parts if part in tones))
    assert len("".join(split)) == 12_921
    assert unicodedata2.normalize("NFC", "".join(split)) == corpora.text("udhr/vi")


def test_the_sources_page_says_what_the_index_says():
    page = (FOLDER / "SOURCES.md").read_text(encoding="utf-8")
    for name in corpora.names():
        entry = corpora.corpus(name)
        if entry.kind != "udhr":
            file = entry.path.relative_to(FOLDER).as_posix()
            assert f"| `{file}` | {entry.title} | {entry.source} | {entry.license} |" in page


def test_toy_corpora():
    assert len(corpora.text("toy/cat_mat").encode()) == 240
    assert corpora.text("toy/aaabdaaabac") == "aaabdaaabac"
    assert corpora.text("toy/aaabaaab") == "aaabaaab"
    words = corpora.text("toy/gato").split()
    assert [words.count(word) for word in ("o", "gato", "cachorro", "correu")] == [6, 4, 2, 2]
    assert dict(corpora.counts("toy/low_newest_widest")) == {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    assert dict(corpora.counts("toy/lower_lowest_newest")) == {"lower": 5, "lowest": 2, "newest": 6}
    assert list(corpora.counts("toy/hug_pug")) == ["hug", "pug", "pun", "bun", "hugs"]


def test_code_samples_are_of_a_readable_size():
    for name in corpora.names("code"):
        assert 2_000 <= len(corpora.text(name).encode()) <= 4_000, name


def test_what_is_handed_out_cannot_be_changed():
    with pytest.raises(TypeError):
        corpora.counts("toy/hug_pug")["hug"] = 1  # type: ignore[index]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: corpora.corpus("udhr/xx"), 'no sample corpus is named "udhr/xx"'),
        (lambda: corpora.text("../engine/corpora"), 'no sample corpus is named "../engine/corpora"'),
        (lambda: corpora.text("toy/hug_pug"), 'read it by counts("toy/hug_pug")'),
        (lambda: corpora.counts("toy/gato"), 'read it by text("toy/gato")'),
        (lambda: corpora.articles("tlh"), 'the Declaration is not here in "tlh"'),
        (lambda: corpora.language(""), 'the Declaration is not here in ""'),
    ],
)
def test_errors_say_the_way_out(call, message):
    with pytest.raises(ValueError, match=regex.escape(message)):
        call()


def test_ten_sentences_in_five_languages():
    for name in corpora.names("sentences"):
        assert len(corpora.text(name).splitlines()) == 10
