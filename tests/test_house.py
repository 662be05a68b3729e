"""The house keeps its walls: what imports what, what lies at the top, nothing of one machine."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOP = {"app.py", "engine", "explorer", "sample_corpora", "tests", "requirements.txt", "README.md"}
SETTINGS = {"LICENSE", "pyproject.toml"}

IMPORT_ENGINE = """
import importlib, pkgutil, sys
import engine
for module in pkgutil.walk_packages(engine.__path__, "engine."):
    importlib.import_module(module.name)
loaded = {name.partition(".")[0] for name in sys.modules}
print(*sorted(loaded & {"streamlit", "plotly", "pandas", "explorer", "app", "tests"}))
print(sum(name.startswith("engine.") for name in sys.modules))
"""


def files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    return [path for path in found if path.is_file() and "__pycache__" not in path.parts and "shots" not in path.parts]


def test_the_engine_knows_no_user_interface():
    answer = subprocess.run(
        [sys.executable, "-c", IMPORT_ENGINE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    strangers, count = answer.stdout.split("\n")[:2]
    assert strangers == ""
    assert int(count) == sum(path.suffix == ".py" for path in files("engine")) - 1  # the package itself is "engine"


def test_the_top_level():
    visible = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")} - {"__pycache__"}
    assert visible == TOP | SETTINGS


def test_nothing_of_one_machine_and_nothing_unfinished():
    traces = re.compile(r"/(?:work|root|home|Users)/|\b(?:TO" r"DO|FIX" r"ME)\b")
    places = [*files("engine", "explorer", "tests", ".ci", ".streamlit"), *(ROOT / name for name in SETTINGS)]
    places += [ROOT / name for name in TOP if (ROOT / name).is_file()]
    hits = []
    for path in places:
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue  # a vocabulary in a binary format
        hits += [f"{path.relative_to(ROOT)}: {hit.group()}" for hit in traces.finditer(text)]
    assert not hits
