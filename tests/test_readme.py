"""The README tells the truth: its examples run, its commands name what is there, no dependency is unexplained."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[tuple[int, str]]:
    """Code blocks of the README in one language: line number of the first line of code, code."""
    return [
        (README.count("\n", 0, found.start(1)) + 1, found.group(1))
        for found in re.finditer(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    ]


def direct(requirements: str) -> list[str]:
    """Names before the first blank line of a requirements file: what the project itself imports or runs."""
    named = (ROOT / requirements).read_text(encoding="utf-8").split("\n\n")[0]
    return re.findall(r"^([A-Za-z0-9_.-]+)==", named, flags=re.MULTILINE)


def test_examples_run_and_print_what_they_say():
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    report: list[str] = []
    for line, code in blocks("python"):
        example = doctest.DocTestParser().get_doctest(code, names, "README.md", "README.md", line - 1)
        assert example.examples, f"the block at line {line} of README.md has no >>>, so nothing checks it"
        runner.run(example, out=report.append, clear_globs=False)
        names = example.globs
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


def test_two_commands_set_up_everything():
    set_ups = [
        line for _, code in blocks("sh") for line in code.splitlines() if line.startswith("python3 -m venv .venv")
    ]
    assert len(set_ups) == 2
    assert set_ups[0].endswith(" -r requirements.txt && .venv/bin/streamlit run app.py")
    assert set_ups[1].endswith(" -r tests/requirements.txt && .venv/bin/python -m pytest -n 2")


def test_files_that_are_named_exist():
    named = set(re.findall(r"(?:^|[\s`(])((?:[\w.-]+/)*[\w.-]+\.(?:txt|py|toml|md|css))\b", README))
    assert {"app.py", "requirements.txt", "tests/requirements.txt"} <= named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_every_dependency_is_pinned_and_explained():
    for requirements in ("requirements.txt", "tests/requirements.txt"):
        lines = (ROOT / requirements).read_text(encoding="utf-8").splitlines()
        loose = [line for line in lines if line and not line.startswith(("#", "-r ")) and "==" not in line]
        assert loose == []
        assert [name for name in direct(requirements) if f"| `{name}` |" not in README] == []
    assert (ROOT / "tests/requirements.txt").read_text(encoding="utf-8").startswith("-r ../requirements.txt\n")
