"""The sentences about files of other libraries."""

from __future__ import annotations

import re

LOAD = "Load a tokenizer from a file"
LOAD_NOTE = (
    "tokenizer.json, tiktoken ranks, SentencePiece .model, vocab.txt, or vocab.json and merges.txt together. A file "
    "stays on this server while it runs. A link names it, and who opens the link adds it again. Pickle is never read."
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
NEEDED = "Everything else of the link is here. What is added is read on this server and sent nowhere."
ADD = "Add what is missing"
CORPUS_NOT_HELD = "The corpus is too long for a link: who opens it adds the text as a file."


def needed(name: str, digest: str) -> str:
    """Say what a view needs and a link cannot hold.

    >>> needed("tokenizer.json", "9c1185a5c5e9fc54")
    'This view needs the file “tokenizer.json”, SHA-256 9c1185a5…'
    >>> needed("tiktoken:p50k_base", "")
    'This view needs “tiktoken:p50k_base” from the network.'
    >>> needed("", "0123456789abcdef")
    'This view needs a text of its author’s, longer than a link can hold, as a file in UTF-8 (01234567…).'
    """
    if not name:
        return (
            f"This view needs a text of its author’s, longer than a link can hold, as a file in UTF-8 ({digest[:8]}…)."
        )
    if not digest:
        return f"This view needs “{name}” from the network."
    files = "files" if " + " in name else "file"
    return f"This view needs the {files} “{name}”, SHA-256 {digest[:8]}…"


def not_held(names: list[str]) -> str:
    """Say what a link names and does not hold.

    >>> not_held(["tokenizer.json"])
    'The link names tokenizer.json, but cannot hold it: who opens it adds the file.'
    """
    return f"The link names {', '.join(names)}, but cannot hold it: who opens it adds the file."


def other_file(name: str, digest: str) -> str:
    """Say that a file is not the one that is needed.

    >>> other_file("b.json", "0123456789abcdef")
    '“b.json” is another file: its SHA-256 begins with 01234567.'
    """
    return f"“{name}” is another file: its SHA-256 begins with {digest[:8]}."


def fetch(name: str) -> str:
    """Label the button that loads a tokenizer by its name."""
    return f"Load {name}"


def too_large(bytes: int, most: int) -> str:
    """Say that a file is too large to read."""
    return f"a tokenizer file may have {most:,} bytes; this has {bytes:,}"


def file_name(name: str, ending: str) -> str:
    """Name a file after a tokenizer.

    >>> file_name("Ten-language BPE", ".tiktoken"), file_name("../x", "vocab.txt")
    ('Ten-language-BPE.tiktoken', 'x-vocab.txt')
    """
    plain = re.sub(r"[^\w]+", "-", name).strip("-") or "tokenizer"
    return plain + (ending if ending.startswith(".") else f"-{ending}")
