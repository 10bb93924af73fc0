"""What the watch says as JSON: the whole run, and one line a step."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import orjson

from fairtrial.train.watch.result import Alarm, Watched, WatchedStep

SCHEMA, STEP_SCHEMA = "fairtrial.watch/1", "fairtrial.watch-step/1"


def of_whole(watched: Watched) -> dict[str, Any]:
    """Return the run as a JSON object."""
    return {"schema": SCHEMA, **asdict(watched)}


def line_of(step: WatchedStep, raised: tuple[Alarm, ...]) -> bytes:
    """Return the line of one step, with the alarms that it raised. A mark that came later is in the whole only."""
    return orjson.dumps({"schema": STEP_SCHEMA, **asdict(step), "alarms": [asdict(alarm) for alarm in raised]}) + b"\n"


def to_json(document: dict[str, Any]) -> bytes:
    """Return a document as bytes that end with a line end."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n"
