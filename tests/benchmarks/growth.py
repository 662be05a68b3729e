"""How time and memory grow: with the corpus, with the vocabulary, and on words without an end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import regex

import engine
from tests.benchmarks import texts
from tests.benchmarks.harness import Contender, Once, once
from tests.benchmarks.results import publish

_PATIENCE = 120.0  # seconds of a long run


def by_corpus(sizes: Sequence[float], folder: Path, pieces: int = 32_000) -> None:
    """Count files of growing size, streamed, and train on the counts; beside it gigabpe, which reads files too."""
    head = "| MB | distinct pre-tokens | Tokenglass, CPU s | Tokenglass, peak MB | gigabpe, CPU s | gigabpe, peak MB |"
    lines = [head, "|---|---|---|---|---|---|"]
    for size in sizes:
        path = written(size, folder)
        ours, peer = _both(path, pieces)
        words = f"{ours.outcome:,}" if not ours.failure else ""
        lines.append(f"| {size:,g} | {words} | {_figures(ours)} | {_figures(peer)} |")
        path.unlink()
    publish(
        f"Growth with the corpus, {pieces:,} pieces",
        [
            "mixed, read from a file as a stream; one run each in a process of its own. Where the machine has less"
            " text, it comes again with other letters in every second document (see `extended` in texts.py).",
            "",
            *lines,
        ],
    )


def by_vocabulary(pieces: Sequence[int], megabytes: float, folder: Path) -> None:
    """Train vocabularies of growing size on one file."""
    head = "| pieces | Tokenglass, CPU s | Tokenglass, peak MB | gigabpe, CPU s | gigabpe, peak MB |"
    lines = [head, "|---|---|---|---|---|"]
    path = written(megabytes, folder)
    for size in pieces:
        ours, peer = _both(path, size)
        lines.append(f"| {size:,} | {_figures(ours)} | {_figures(peer)} |")
    path.unlink()
    publish(f"Growth with the vocabulary, mixed, {megabytes:g} MB", lines)


def written(megabytes: float, folder: Path) -> Path:
    """Write a file of that size."""
    path = folder / f"extended-{megabytes:g}.txt"
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(texts.extended(megabytes))
    return path


def _both(path: Path, pieces: int) -> tuple[Once, Once]:
    def ours(_: None) -> int:
        counts = engine.count_pre_tokens(str(path))
        engine.train(counts, vocab_size=pieces)
        return len(counts)

    def peer(_: None) -> None:
        import gigabpe

        gigabpe.train_bpe([str(path)], pieces, special_tokens=[], pretokenizer="bytelevel", threads=1)

    first = once(Contender("Tokenglass", ours, outcome=lambda found: found), 600)
    return first, once(Contender("gigabpe", peer, "gigabpe"), 600)


def _figures(run: Once) -> str:
    return f"{run.seconds:.3g} | {run.megabytes:,.0f}" if not run.failure else f"{run.failure} | "


def long_runs(sizes: Sequence[float]) -> None:
    """Train on, and encode, words that do not end: the worst there is."""
    head = "| text | " + " | ".join(f"{size:g} MB, CPU s" for size in sizes) + " | x for the last step of size |"
    rule = "|---" * (len(sizes) + 2) + "|"
    _grown("Long runs, training 8,000 pieces", head, rule, sizes, _training_jobs())
    _grown("Long runs, encoding", head, rule, sizes, _encoding_jobs())


def _grown(
    heading: str, head: str, rule: str, sizes: Sequence[float], jobs: dict[str, Callable[[float], Callable[[], object]]]
) -> None:
    lines = [head, rule]
    for name, made in jobs.items():
        found: list[Once] = []
        for size in sizes:
            job = made(size)
            found.append(once(Contender(name, lambda _, job=job: job()), _PATIENCE))
            if found[-1].failure:
                break  # a larger one would fail too
        cells = [run.failure or f"{run.seconds:.3g}" for run in found]
        cells += [""] * (len(sizes) - len(cells))
        complete = len(found) == len(sizes) > 1 and not found[-1].failure
        cells.append(f"{found[-1].seconds / found[-2].seconds:.1f}" if complete else "")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    publish(heading, ["One run each, in a process of its own.", "", *lines])


def _same(megabytes: float, part: str = "a") -> str:
    return part * int(megabytes * 1e6 / len(part.encode()))


def _mixed(megabytes: float) -> str:
    return "".join(texts.mixed(megabytes))


def _without_spaces(megabytes: float) -> str:
    return _cut(regex.sub(r"\s+", "", _mixed(1.5 * megabytes)), megabytes)


def _word(megabytes: float) -> str:
    return _cut(regex.sub(r"\P{L}+", "", _mixed(1.9 * megabytes)), megabytes)


def _cut(text: str, megabytes: float) -> str:
    return text.encode()[: int(megabytes * 1e6)].decode(errors="ignore")


def _training_jobs() -> dict[str, Callable[[float], Callable[[], object]]]:
    def job(make: Callable[[float], str], split: str) -> Callable[[float], Callable[[], object]]:
        def made(megabytes: float) -> Callable[[], object]:
            text = make(megabytes)
            return lambda: engine.train(text, vocab_size=8000, pre_tokenizer=split)

        return made

    return {
        '"a" again and again, split of gpt2': job(_same, "gpt2"),
        "one line without spaces, split of gpt2": job(_without_spaces, "gpt2"),
        "mixed text without a split": job(_mixed, "whole"),
        "one word of the letters of mixed text, split of gpt2": job(_word, "gpt2"),
    }


def _encoding_jobs() -> dict[str, Callable[[float], Callable[[], object]]]:
    trained = engine.train(_mixed(1), vocab_size=8000, pre_tokenizer="whole").tokenizer
    known = {name: engine.pretrained(name) for name in ("gpt2", "cl100k_base", "bert-base-uncased", "t5-base")}

    def job(make: Callable[[float], str], tokenizer: engine.Tokenizer) -> Callable[[float], Callable[[], object]]:
        def made(megabytes: float) -> Callable[[], object]:
            text = make(megabytes)
            return lambda: tokenizer.encode(text).ids

        return made

    for tokenizer in (trained, *known.values()):
        tokenizer.encode(_mixed(0.05))  # makes the tables

    jobs = {"mixed text without a split, a BPE of 8,000 trained so": job(_mixed, trained)}
    for name, tokenizer in known.items():
        jobs[f'"a" again and again, {name}'] = job(_same, tokenizer)
        jobs[f'"^" again and again, {name}'] = job(lambda size: _same(size, "^"), tokenizer)
        jobs[f"one line without spaces, {name}"] = job(_without_spaces, tokenizer)
        jobs[f"one word of the letters of mixed text, {name}"] = job(_word, tokenizer)
    return jobs
