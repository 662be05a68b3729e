"""A real cluster of two worker processes counts a corpus, and one of them is killed half-way."""

from __future__ import annotations

import os
import signal
import time
import warnings

import pytest

import engine
from engine import corpora, sources

distributed = pytest.importorskip("distributed")


@pytest.fixture
def client(bare_main, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the cluster's own, about ports and event loops
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path), memory_limit=0
        )
        with cluster, distributed.Client(cluster) as client:
            yield client


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_costs_time_but_no_word(client, tmp_path, monkeypatch):
    text = "".join(corpora.text(f"udhr/{language}") for language in ("en", "vi", "hi", "zh-Hans")) * 4
    file = tmp_path / "corpus.txt"
    file.write_bytes(text.encode())
    monkeypatch.setattr(sources, "PART", 1 << 13)
    victim = next(iter(client.run(os.getpid).values()))

    def texts():
        for number in range(40):
            if number == 20:
                os.kill(victim, signal.SIGKILL)
                time.sleep(0.2)
            yield f"number {number}. " * 50_000

    counts = engine.count_pre_tokens([file, texts(), file], executor=client.get_executor())
    alone = engine.count_pre_tokens([file, [f"number {number}. " * 50_000 for number in range(40)], file])
    assert list(counts.items()) == list(alone.items())
    assert victim not in client.run(os.getpid).values()
