"""Files of other libraries: one module a format, each to read and, where it makes sense, to write."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeAlias

from engine.formats import (
    glassllm,
    hub_writer,
    minbpe,
    sentencepiece,
    sentencepiece_writer,
    subword_nmt,
    tiktoken,
    tokenizer_json,
    vocab_merges,
    vocab_txt,
)
from engine.formats.hub_written_steps import hub_form as hub_form
from engine.formats.source import Source
from engine.pre_tokenizers import PreTokenizer
from engine.pre_tokenizers import pre_tokenizer as split_named
from engine.tokenizer import Tokenizer

Given: TypeAlias = str | Path | bytes

FORMATS: Final = (
    "tokenizer.json",
    "tiktoken",
    "sentencepiece",
    "vocab.txt",
    "vocab+merges",
    "subword-nmt",
    "minbpe",
    "glassllm",
)
"""What `load` reads; `save` writes those of `WRITTEN`."""

WRITTEN: Final = {
    "tokenizer.json": "tokenizer.json",
    "tiktoken": ".tiktoken",
    "vocab.txt": "vocab.txt",
    "sentencepiece": ".model",
    "subword-nmt": ".codes",
    "minbpe": ".minbpe.model",
    "glassllm": ".glassllm.json",
}
"""Format -> how a file name of it ends."""


def load(
    source: Given | tuple[Given, Given], format: str | None = None, pre_tokenizer: str | PreTokenizer | None = None
) -> Tokenizer:
    """Read a tokenizer from a file of another library. Pickle is never read.

    Args:
        source: A path, the bytes of a file, or two of them: vocab.json and merges.txt.
        format: One of `FORMATS`; None: the content tells.
        pre_tokenizer: The split, or its name, where the file does not hold it: tiktoken ranks.

    Raises:
        ValueError: The file cannot be read, is broken or not supported; the message names the file and the place.
    """
    if isinstance(source, tuple):
        if format not in (None, "vocab+merges"):
            raise ValueError(f'two files are read as "vocab+merges"; got the format {format!r}')
        first, second = (Source.of(given) for given in source)
        return vocab_merges.read(first, second)
    file = Source.of(source)
    kind = format or sniff(file)
    if kind not in FORMATS:
        raise ValueError(f"there is no format {kind!r}; choose from {', '.join(FORMATS)}")
    if kind == "tiktoken":
        if pre_tokenizer is None:
            raise file.error('a file of ranks does not say how text is split; name it, as in pre_tokenizer="cl100k"')
        split = split_named(pre_tokenizer) if isinstance(pre_tokenizer, str) else pre_tokenizer
        return tiktoken.read(file, split)
    if pre_tokenizer is not None:
        raise file.error(f"the format {kind} says itself how text is split; leave pre_tokenizer out")
    if kind == "vocab+merges":
        raise file.error("vocab.json and merges.txt belong together; give both, as (vocab, merges)")
    readers = {
        "tokenizer.json": tokenizer_json.read,
        "sentencepiece": sentencepiece.read,
        "vocab.txt": vocab_txt.read,
        "subword-nmt": subword_nmt.read,
        "minbpe": minbpe.read,
        "glassllm": glassllm.read,
    }
    return readers[kind](file)


def save(tokenizer: Tokenizer, path: str | Path | tuple[str | Path, str | Path], format: str | None = None) -> None:
    """Write a tokenizer as a file of another library.

    Args:
        tokenizer: What to write.
        path: Where to; two paths for vocab.json and merges.txt.
        format: One of `WRITTEN`; None: the name of the file tells.

    Raises:
        ValueError: The format is unclear, or cannot say exactly what the tokenizer does.
    """
    if isinstance(path, tuple):
        if format not in (None, "vocab+merges"):
            raise ValueError(f'two files are written as "vocab+merges"; got the format {format!r}')
        for place, data in zip(path, vocab_merges.write(tokenizer), strict=True):
            Path(place).write_bytes(data)
        return
    name = Path(path).name
    kinds = [kind for kind, end in WRITTEN.items() if name.endswith(end)]
    kind = format or max(kinds, key=lambda kind: len(WRITTEN[kind]), default=None)
    if kind not in WRITTEN:
        raise ValueError(f"{name}: it is not clear what to write; name a format: {', '.join(WRITTEN)}")
    writers = {
        "sentencepiece": sentencepiece_writer.write,
        "tokenizer.json": hub_writer.write,
        "tiktoken": tiktoken.write,
        "vocab.txt": vocab_txt.write,
        "subword-nmt": subword_nmt.write,
        "minbpe": minbpe.write,
        "glassllm": glassllm.write,
    }
    Path(path).write_bytes(writers[kind](tokenizer))


def sniff(file: Source) -> str:
    """Tell the format of a file from its content.

    Raises:
        ValueError: It looks like none, or like a pickle.
    """
    start = file.data[:4096]
    if start[:1] == b"\x80" and start[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        raise file.error("this is a pickle, which can run any program when read; it is never read here")
    if start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        content = file.json
        if "alphabet" in content and "merges" in content:
            return "glassllm"
        return "tokenizer.json" if "model" in content else "vocab+merges"
    if start[:1] == b"\n" and b"\x15" in start[:64]:
        return "sentencepiece"
    if start.startswith(minbpe.HEADER.encode()):
        return "minbpe"
    if start.startswith(subword_nmt.HEADER.encode()):
        return subword_nmt.sniffed(file)
    lines = start.splitlines()
    if lines and len(lines[0].split()) == 2 and lines[0].split()[1].isdigit():
        return "tiktoken"
    if b"[UNK]" in file.data:
        return "vocab.txt"
    raise file.error(f"its content is of no format that is known here; these are: {', '.join(FORMATS)}")
