"""A control of another kind than the training rows: its rate is not promised, and one of their kind is not refused."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import orjson
import pytest

from fairtrial.contamination.gaps import gap_of_control
from fairtrial.contamination.scan import ScanOptions, scan
from fairtrial.contamination.variants import threshold_of_scores

THINGS = ("kettles", "lanterns", "ledgers", "violins", "saplings", "anchors", "turbines", "maps", "quilts")
PLACES = ("harbour", "orchard", "museum", "station", "bakery", "library", "quarry", "chapel", "workshop")
ACTS = ("polishes", "counts", "repairs", "sells", "borrows", "paints", "ships", "weighs", "labels")
NOUNS = ("items", "rows", "values", "words", "pairs", "users", "paths", "nodes", "edges", "keys")
VERBS = ("sort", "filter", "count", "group", "merge", "split", "reverse", "rotate", "flatten", "sum")


def story(draw: random.Random) -> str:
    one, two = draw.sample(THINGS, 2)
    return (f"At the {draw.choice(PLACES)} a keeper {draw.choice(ACTS)} {draw.randint(3, 90)} {one} before noon and "
            f"{draw.choice(ACTS)} {draw.randint(3, 90)} {two}. How many {one} are left by night?")  # fmt: skip


def code(draw: random.Random) -> str:
    verb, noun = draw.choice(VERBS), draw.choice(NOUNS)
    kind, left_out = draw.choice(("list", "dict", "set", "tree")), draw.choice(("empty", "negative", "repeated"))
    return (f"Write a function {verb}_{noun} that takes a {kind} of {noun}, drops the {left_out} ones and returns it. "
            f"def {verb}_{noun}(given): result = [] # {draw.randint(2, 99)}")  # fmt: skip


def written(name: str, texts: Sequence[str]) -> Path:
    path = Path(name)
    path.write_bytes(b"".join(orjson.dumps({"id": f"{name}-{at}", "text": text}) + b"\n"
                              for at, text in enumerate(texts)))  # fmt: skip
    return path


@pytest.mark.extra
@pytest.mark.parametrize(("kind", "holds"), [(story, True), (code, False)])
def test_a_rate_holds_for_rows_like_the_controls(
    kind: object, holds: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert callable(kind)
    draw = random.Random(3)
    items, train = (
        written("items", [story(draw) for _ in range(40)]),
        written("train", [story(draw) for _ in range(150)]),
    )
    control = written("control", [kind(draw) for _ in range(150)])
    found = scan([train], [items], [control], options=ScanOptions(workers=1))
    assert found.thresholds[0].holds is holds
    assert (found.expected_false_rows is not None) is holds
    assert any("lie nearer to items than the middle control row" in why for why in found.abstained) is not holds


@pytest.mark.parametrize(("leaked", "said"), [(0.0, False), (0.3, False), (0.9, True)])
def test_leaks_alone_do_not_make_a_control_unlike_unless_they_are_most_of_the_set(leaked: float, said: bool) -> None:
    source = np.random.default_rng(1)
    control, train = (source.beta(2, 5, 1_000).astype(np.float32) for _ in range(2))
    train[: int(leaked * 1_000)] = 0.95
    threshold = threshold_of_scores(control, [str(at) for at in range(1_000)], 0.01)
    assert bool(gap_of_control(threshold, train)) is said


def test_controls_of_the_same_kind_are_seldom_refused() -> None:
    source = np.random.default_rng(2)
    refused = 0
    for _ in range(300):
        control, train = source.beta(2, 5, 60).astype(np.float32), source.beta(2, 5, 60).astype(np.float32)
        threshold = threshold_of_scores(control, [str(at) for at in range(60)], 0.1)
        refused += bool(gap_of_control(threshold, train))
    assert refused <= 3


def test_every_control_row_as_near_as_leaks_is_counted() -> None:
    """A control with many rewordings raises the threshold above them, and none of them was named for it."""
    scores = np.concatenate([np.full(30, 0.9), np.linspace(0, 0.5, 300)]).astype(np.float32)
    made = threshold_of_scores(scores, [str(at) for at in range(330)], 0.01)
    assert made.high > 0.75
    assert (made.n_suspects, len(made.suspects), made.suspects[0]) == (30, 20, "0")
