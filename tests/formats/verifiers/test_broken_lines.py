"""Whatever a line holds, it is a rollout or it is skipped: no value of any field stops an import."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from formats.verifiers.lines import episode, node, read, row, trace, written

VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 1e308, 2**70, float("nan"), float("inf"), "", "x", [], {}, [1], {"a": 1}, [{}], [None],
)  # fmt: skip
TOOLS = [node("user", "x", None), node("assistant", None, 0, tool_calls=[{"id": "c", "name": "f", "arguments": "{}"}]),
         node("tool", "y", 1, tool_call_id="c")]  # fmt: skip


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every part of a value."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in children:
        yield (*at, name)
        yield from places(child, (*at, name))


def spoilt(whole: Any, chance: random.Random) -> Any:
    """Return a copy of which one part is gone or is something else."""
    whole = copy.deepcopy(whole)
    *above, last = chance.choice(list(places(whole)))
    part = whole
    for name in above:
        part = part[name]
    if chance.random() < 0.2:
        del part[last]
    else:
        part[last] = copy.deepcopy(chance.choice(VALUES))
    return whole


@pytest.mark.parametrize("kind", ["v1", "v0"])
def test_a_spoilt_line_is_a_rollout_or_is_skipped(tmp_path: Path, kind: str) -> None:
    chance = random.Random(7)
    whole = episode(trace(), trace("b", nodes=TOOLS)) if kind == "v1" else row(timing={"generation": {"start": 1.0}})
    lines = [spoilt(spoilt(whole, chance), chance) for _ in range(400)]
    file = written(tmp_path / ("traces.jsonl" if kind == "v1" else "results.jsonl"), whole, *lines)
    for recorded in (False, True):
        rows, skipped = read(file, model="m", as_recorded=recorded)
        lost = {where.rpartition(":")[2] for where, why in skipped if "without its trajectory" not in why}
        made = 2 if kind == "v1" else 1
        assert len(rows) + made * len(lost) >= made * len(lines) * 0.9, "no line is passed over"
        assert len(lost) < len(lines) / 2, "most of what is spoilt is not what a verdict rests on"
        assert all(0 <= r["verdict"]["score"] <= 1 for r in rows if r["verdict"] and r["verdict"]["score"] is not None)
