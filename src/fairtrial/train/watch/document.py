"""What the watch says as JSON: several runs, one run, and one line a step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import orjson

from fairtrial.train.watch.result import Alarm, Watched, WatchedStep

SCHEMA, RUN_SCHEMA, STEP_SCHEMA = "fairtrial.watch/1", "fairtrial.watch-run/1", "fairtrial.watch-step/1"


def of_runs(runs: Sequence[Watched]) -> dict[str, Any]:
    """Return what `fairtrial watch` prints."""
    return {"schema": SCHEMA, "runs": [of_whole(watched) for watched in runs]}


def of_whole(watched: Watched) -> dict[str, Any]:
    """Return one run as a JSON object."""
    return {"schema": RUN_SCHEMA, **asdict(watched)}


def line_of(step: WatchedStep, raised: tuple[Alarm, ...]) -> bytes:
    """Return the line of one step, with the alarms that it raised. A mark that came later is in the whole only."""
    return orjson.dumps({"schema": STEP_SCHEMA, **asdict(step), "alarms": [asdict(alarm) for alarm in raised]}) + b"\n"


def to_json(document: dict[str, Any]) -> bytes:
    """Return a document as bytes that end with a line end."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n"
