"""The sentences about files of other libraries."""

from __future__ import annotations

import re

LOAD = "Load a tokenizer from a file"
LOAD_NOTE = (
    "tokenizer.json, tiktoken ranks, SentencePiece .model, vocab.txt, or vocab.json and merges.txt together. A file "
    "stays on this server while it runs, and is not in the link. Pickle is never read."
)
FILES = "Files"
SPLIT = "Split, for files of ranks alone"
SPLIT_HELP = "A file of tiktoken ranks does not say how text is split before merging."
READ = "Read"
FETCH = "Load a tokenizer by its name"
FETCH_NOTE = (
    "From the network, through the official library: tiktoken:p50k_base is an encoding of tiktoken, "
    "hub:openai-community/gpt2 a public repository of the Hugging Face Hub. It is given up after 5 seconds. "
    "Whatever else this page does needs no network."
)
NAME = "Name"
NAME_HINT = "tiktoken:p50k_base or hub:openai-community/gpt2"
GET = "Load"
ARCHIVE = "vocab-merges.zip"
SAVE = "Save a tokenizer for another library"


def too_large(bytes: int, most: int) -> str:
    """Say that a file is too large to read."""
    return f"a tokenizer file may have {most:,} bytes; this has {bytes:,}"


def file_name(name: str, ending: str) -> str:
    """Name a file after a tokenizer.

    >>> file_name("Ten languages", ".tiktoken"), file_name("../x", "vocab.txt")
    ('Ten-languages.tiktoken', 'x-vocab.txt')
    """
    plain = re.sub(r"[^\w]+", "-", name).strip("-") or "tokenizer"
    return plain + (ending if ending.startswith(".") else f"-{ending}")
