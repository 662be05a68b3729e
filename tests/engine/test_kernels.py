"""Compiled loops are a way to be fast, never a condition: without them everything works the same."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import engine
from engine import kernels
from engine.kernels import cache

ROOT = Path(__file__).parents[2]
WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
import engine
from engine import kernels
print(engine.warm(), kernels.serve(10**9), len(engine.train("low lower lowest", vocab_size=260).steps))
"""


def test_without_numba_all_works():
    answer = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (answer.stdout.split(), answer.stderr) == (["False", "False", "4"], "")


def test_nothing_is_kept_where_nothing_can_be_written(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setattr(cache, "_candidates", lambda: [tmp_path / "file" / "tokenglass"])
    assert cache.folder.__wrapped__() is None


def test_a_folder_that_others_can_write_is_not_trusted(monkeypatch, tmp_path):
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    monkeypatch.setattr(cache, "_candidates", lambda: [open_to_all, tmp_path / "own"])
    assert cache.folder.__wrapped__() == (open_to_all if sys.platform == "win32" else tmp_path / "own")


def test_a_change_in_what_a_module_imports_changes_its_fingerprint(monkeypatch, tmp_path):
    (tmp_path / "loop.py").write_text("from engine.kernels.parts import part\n")
    (tmp_path / "parts.py").write_text("part = 1\n")
    monkeypatch.setattr(cache, "_HERE", tmp_path)
    before = cache.fingerprint(["loop"])
    (tmp_path / "parts.py").write_text("part = 2\n")
    assert cache.fingerprint(["loop"]) != before


def test_loops_give_back_what_they_held():
    pytest.importorskip("numba")
    from numba.core.runtime import _nrt_python, rtsys

    engine.warm()
    _nrt_python.memsys_enable_stats()
    text = "the quick brown fox, über 漢字 🙂\n" * 3000
    tokenizer = engine.train(text, vocab_size=300).tokenizer
    ids = tokenizer.encode(text).ids

    def held() -> int:
        gc.collect()
        stats = rtsys.get_allocation_stats()
        return int(stats.alloc - stats.free)

    jobs = {
        "encode": lambda: tokenizer.encode(text).spans,
        "decode": lambda: tokenizer.decode(ids),
        "count": lambda: engine.count_pre_tokens([[text, *text.splitlines()]], pre_tokenizer="gpt2"),
        "curve": lambda: tokenizer.length_curve(text),
        "bpe": lambda: engine.train(text, vocab_size=300),
        "wordpiece": lambda: engine.train(text, algorithm="wordpiece", vocab_size=60).tokenizer.encode(text),
        "unigram": lambda: engine.train(text, algorithm="unigram", vocab_size=60).tokenizer.encode(text),
    }
    for name, job in jobs.items():
        job()
        before = held()
        job()
        assert (name, held()) == (name, before)


def test_small_jobs_are_left_to_python(monkeypatch):
    monkeypatch.setattr(kernels, "_loaded", True)
    assert (kernels.serve(999, 1000), kernels.serve(1000, 1000)) == (False, True)


def test_a_page_never_waits_for_the_compiler(monkeypatch, tmp_path):
    monkeypatch.setattr(kernels, "_loaded", False)
    monkeypatch.setattr(kernels, "_warming", None)
    monkeypatch.setattr(kernels, "complete_mark", lambda: tmp_path / "complete")
    started = []

    class Process:
        def __init__(self, command, **options):
            started.append(command[1:])

        def wait(self):
            return 0

    monkeypatch.setattr(kernels.subprocess, "Popen", Process)
    for _ in range(3):
        kernels.start_warming()
        assert not kernels.serve(10**9)
    assert started == [["-m", "engine.kernels"]]


def test_one_process_at_a_time_fills_the_cache(tmp_path):
    mark = tmp_path / "complete"
    assert [cache.claim(mark), cache.claim(mark)] == [True, False]
    long_ago = time.time() - 700
    os.utime(tmp_path / "complete.claim", (long_ago, long_ago))
    assert [cache.claim(mark), cache.claim(mark)] == [True, False]


def test_loops_that_nobody_uses_are_forgotten(monkeypatch, tmp_path):
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    used = cache.module_folder("engine.kernels.counting")
    old, day = "0123456789abcdef", 86_400
    ages = {used.name: 9, old: 9, "fedcba9876543210": 7.5, "complete-1": 7.5, "complete-2": 6, "somebody else's": 9}
    for name, days in ages.items():
        (tmp_path / name / "kernels").mkdir(parents=True) if "complete" not in name else (tmp_path / name).touch()
        os.utime(tmp_path / name, (time.time() - days * day,) * 2)
    assert cache.module_folder("engine.kernels.counting") == used  # looking for it is a use
    cache.forget_unused()
    assert {path.name for path in tmp_path.iterdir()} == set(ages) - {old, "complete-1"}


def test_a_kernel_takes_the_arrays_that_it_names_and_no_others():
    pytest.importorskip("numba")
    from engine.kernels.jit import kernel

    def total(values):
        result = 0
        for value in values:
            result += value
        return result

    compiled = kernel("int64(int64[::1])")(total)
    assert compiled(np.arange(5)) == 10
    with pytest.raises(TypeError):
        compiled(np.arange(5.0))


def test_two_threads_warm_once():
    pytest.importorskip("numba")
    answers: list[bool] = []
    threads = [threading.Thread(target=lambda: answers.append(kernels.warm())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True, True]
    assert kernels.ready()
