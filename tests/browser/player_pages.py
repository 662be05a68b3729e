"""A page that shows the merge player on small runs of the engine; `?case=` chooses one."""

from __future__ import annotations

import zlib
from itertools import pairwise

import streamlit as st

import engine
from explorer.components.merge_player import merge_player

TOY = (
    "The cat sat on the mat. The cat ate the rat. The dog sat on the log. The dog ate the frog. Natural language "
    "processing is the study of how computers understand and generate human language. Tokenization is the first step "
    "in any NLP pipeline."
)
HOSTILE = "<script>window.hurt = 1</script> <img src=x onerror='window.hurt = 1'>\n\0\u200b العربية 👩🏽‍🚀 the\ncat"
HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
PASSAGES = {
    "bpe": "The cat sat on the mat.",
    "overlap": "eeeee eee",
    "hostile": HOSTILE,
    "empty": "",
    "zero": "cat",
    "wordpiece": "hugs  pug mug bun",
}


def train(case: str) -> engine.TrainingRun:
    """Train the run of a case."""
    if case == "wordpiece":
        return engine.train(HUGS, algorithm="wordpiece", pre_tokenizer="whitespace", vocab_size=None, max_steps=7)
    if case == "overlap":
        return engine.train("eeeee eee ee e", vocab_size=None, max_steps=30)
    steps = 0 if case == "zero" else 40
    return engine.train(TOY, vocab_size=None, max_steps=steps, pre_tokenizer="whole", tie="first")


def spans_at(run: engine.TrainingRun, passage: str, k: int) -> list[tuple[int, int]]:
    """Spans of the passage after `k` steps."""
    return [(int(start), int(stop)) for start, stop in run.tokenizer_at(k).encode(passage).spans]


def cuts(spans: list[tuple[int, int]]) -> set[int]:
    """Offsets where one token ends and the next begins."""
    return {a[1] for a, b in pairwise(spans) if a[1] == b[0]}


def trace(run: engine.TrainingRun, passage: str) -> dict[str, object]:
    """Encode the passage after each step, and note which cuts stand."""
    steps = len(run.steps)
    frames = [spans_at(run, passage, k) for k in range(steps + 1)]
    standing = [cuts(spans) for spans in frames]
    boundaries = sorted(standing[0])
    size = len(passage.encode())
    edges = [0, *(x for span in frames[0] for x in span), size]
    common = {"boundaries": boundaries, "gaps": [[a, b] for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b]}
    if run.recipe.algorithm == "bpe":
        gone = [next((k for k, at in enumerate(standing) if cut not in at), steps + 1) for cut in boundaries]
        return {**common, "vanish": gone, "frames": None, "unknown": []}
    sets = [
        sum(1 << j for j, cut in enumerate(boundaries) if cut in at).to_bytes(len(boundaries) // 8 + 1, "little")
        for at in standing
    ]
    encoding = run.tokenizer.encode(passage)
    unknown = [span for span, piece in zip(encoding.spans.tolist(), encoding.pieces, strict=True) if piece == b"[UNK]"]
    frames_data = {"steps": list(range(steps + 1)), "cuts": [one.hex() for one in sets]}
    return {**common, "vanish": None, "frames": frames_data, "unknown": unknown}


def rivals(run: engine.TrainingRun, step: int) -> dict[str, object] | None:
    """Name the best pairs of a step, counted from 1."""
    if not step:
        return None
    best = run.rivals(step - 1, 8)
    rows = [
        {
            "left": rival.left,
            "right": rival.right,
            "count": rival.count,
            "left_count": rival.left_count,
            "right_count": rival.right_count,
            "score": str(rival.score),
            "note": "merged" if i == 0 else "tied" if rival.score == best[0].score else "",
        }
        for i, rival in enumerate(best)
    ]
    return {"step": step, "rows": rows}


def view(run: engine.TrainingRun, passage: str, step: int, *, exhausted: str | None = None) -> dict[str, object]:
    """Make the data of the player."""
    by_score = run.recipe.algorithm == "wordpiece"
    vocabulary = run.tokenizer.vocabulary
    pieces = [vocabulary[i] for i in range(run.first_id + len(run.steps))]
    names = ["left", "right", "count", "ties", "length", "left_count", "right_count"]
    columns: dict[str, list[int] | None] = {name: getattr(run.columns, name).tolist() for name in names}
    if not by_score:
        columns |= {"left_count": None, "right_count": None}
    return {
        "passage": passage,
        **trace(run, passage),
        "fixed": [],
        "columns": columns,
        "entries": [
            {
                "piece": piece.hex(),
                "slot": zlib.crc32(piece.removeprefix(b"##") if by_score else piece) & 7,
                "learned": i >= run.first_id,
            }
            for i, piece in enumerate(pieces)
        ],
        "first_id": run.first_id,
        "initial_length": run.initial_length,
        "initial_unit": "characters" if by_score else "bytes",
        "algorithm": run.recipe.algorithm,
        "tie": run.recipe.tie.replace("-", " "),
        "exhausted": exhausted,
        "rivals": rivals(run, step),
        "step": 0,
        "text_source": True,
    }


def main() -> None:
    """Show the player of the case that the address names, and what it sends back."""
    st.set_page_config(layout="wide")
    case = st.query_params.get("case", "bpe")
    run = train(case)
    passage = PASSAGES[case]
    if st.toggle("Other passage"):
        passage = "The dog ate the frog."
    if st.toggle("Other run"):
        run = train("overlap")
    if st.session_state.get("player") is None:
        st.session_state["asked"] = 0
    resting = (st.session_state.get("player") or {}).get("step") or 0
    exhausted = "Stopped at 12 pieces: no pair is left. 32 were asked for." if case == "overlap" else None
    data = view(run, passage, min(resting, len(run.steps)), exhausted=exhausted)
    step = merge_player(
        data, key="player", letters=bool(st.session_state.get("letters")), on_textbook=ask, on_flipped=flip
    )
    st.text(f"The server knows step {step}.")
    st.text(f"Textbook asked {st.session_state['asked']} times.")


def ask() -> None:
    """Count a click on the textbook link."""
    st.session_state["asked"] += 1


def flip() -> None:
    """Write pieces the other way."""
    st.session_state["letters"] = not st.session_state.get("letters")


if __name__ == "__main__":
    main()
