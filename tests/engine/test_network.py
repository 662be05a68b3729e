"""Loading by name: the messages without a network, and the official libraries against servers of our own."""

from __future__ import annotations

import hashlib
import http.server
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.pretrained import catalogue, pretrained, stored
from engine.pretrained.network import load_named
from tests.engine.exactness import official_tiktoken

REPOSITORY = "/owner/name/resolve/main/tokenizer.json"
SHOW = (
    "from engine.pretrained.network import load_named\nprint(load_named({!r}, {}).encode('Hello, world!').ids.tolist())"
)


def run(code: str, folder: Path, **environment: str) -> str:
    """Run code in a process of its own, without anything downloaded before; give the last line it prints."""
    empty = {"TIKTOKEN_CACHE_DIR": str(folder / "tiktoken"), "HF_HOME": str(folder / "hub")}
    proxies = {f"{kind}_proxy": "" for kind in ("http", "https", "all", "HTTP", "HTTPS", "ALL")}
    proxies = {key.upper() if key[0].isupper() else key: value for key, value in proxies.items()}
    kept = {key: value for key, value in os.environ.items() if not key.startswith("COV")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**kept, **proxies, **empty, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return (done.stdout + done.stderr).strip().splitlines()[-1]


def closed_port() -> int:
    """Return a port on which nothing listens: connections are refused."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@pytest.mark.parametrize("name", ["tiktoken:cl100k_base", "hub:owner/name"])
def test_a_refused_connection(name: str, tmp_path: Path) -> None:
    nowhere = f"http://127.0.0.1:{closed_port()}"
    said = run(SHOW.format(name, 5.0), tmp_path, HF_ENDPOINT=nowhere, https_proxy=nowhere)
    assert said.startswith(f"ValueError: {name} could not be loaded from the network (")
    assert said.endswith("The tokenizers of the catalogue work without a network")


@pytest.mark.parametrize("name", ["tiktoken:cl100k_base", "hub:owner/name"])
def test_a_server_that_never_answers(name: str, tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        started = time.monotonic()
        said = run(SHOW.format(name, 1.0), tmp_path, HF_ENDPOINT=address, https_proxy=address)
        assert "no answer came within 1 s" in said
        assert time.monotonic() - started < 20


class _Hub(http.server.BaseHTTPRequestHandler):
    """One file of one repository, with the headers that the Hub sends."""

    data = b""

    def do_HEAD(self) -> None:
        found = self.path == REPOSITORY
        self.send_response(200 if found else 404)
        self.send_header("X-Repo-Commit", "0" * 40)
        self.send_header("ETag", f'"{hashlib.sha1(self.data).hexdigest()}"')
        self.send_header("Content-Length", str(len(self.data) if found else 0))
        if not found:
            self.send_header("X-Error-Code", "EntryNotFound")
        self.end_headers()

    def do_GET(self) -> None:
        self.do_HEAD()
        if self.path == REPOSITORY:
            self.wfile.write(self.data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def hub(data: bytes) -> Iterator[str]:
    """Serve a file as the Hub does."""
    handler = type("Hub", (_Hub,), {"data": data})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_repository_is_read(tmp_path: Path) -> None:
    data = stored(catalogue()["claude-2"].files[0]).data
    with hub(data) as address:
        said = run(SHOW.format("hub:owner/name", 20.0), tmp_path, HF_ENDPOINT=address)
        assert said == str(pretrained("claude-2").encode("Hello, world!").ids.tolist())
        said = run(SHOW.format("hub:owner/other", 20.0), tmp_path, HF_ENDPOINT=address)
        assert "hub:owner/other: the repository has none of the files tokenizer.json" in said


def test_an_encoding_that_lies_in_the_folder_of_tiktoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    official = official_tiktoken.__wrapped__("cl100k_base")  # puts the file where it is looked for
    loaded = load_named("tiktoken:cl100k_base")
    assert (loaded.name, loaded.vocab_size) == ("cl100k_base", official.n_vocab)
    assert loaded.pre_tokenizer.name == "cl100k"
    text = "Hello, world! 你好 <|endoftext|>"
    assert loaded.encode(text).ids.tolist() == official.encode_ordinary(text)
    assert loaded.encode(text, special="parse").ids.tolist() == official.encode(text, allowed_special="all")


def test_a_library_that_is_missing(tmp_path: Path) -> None:
    for name, module in (("tiktoken:gpt2", "tiktoken"), ("hub:owner/name", "huggingface_hub")):
        said = run(f"import sys\nsys.modules[{module!r}] = None\n" + SHOW.format(name, 1.0), tmp_path)
        assert said == f"ValueError: {name} needs the package {module}, which is not installed"


def test_the_libraries_are_not_imported_at_start(tmp_path: Path) -> None:
    asked = "import sys, engine\nprint([m for m in ('tiktoken', 'tokenizers', 'huggingface_hub') if m in sys.modules])"
    assert run(asked, tmp_path) == "[]"


@pytest.mark.parametrize("name", ["cl100k_base", "hub:../../etc", "hub:", "http://example.org/a.json"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match='a name is "tiktoken:encoding"'):
        load_named(name)


def test_an_unknown_encoding() -> None:
    with pytest.raises(ValueError, match=r"no encoding named 'gpt9'; it has .*cl100k_base"):
        load_named("tiktoken:gpt9")
