"""The shape that a kept version must have to be compared: a board.json edited by hand is an error, not a crash.

Only what `changes` reads is checked; other keys are let through, so that later versions may add some.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class _Part(BaseModel):
    model_config = ConfigDict(strict=True)


class _Score(_Part):
    value: float | None
    low: float | None
    high: float | None


class _Tally(_Part):
    passed: int
    failed: int
    ungraded: int
    runs: str


class _OnTrack(_Part):
    track: str
    label: str
    base: str
    scored_by: str
    accuracy: _Score
    tasks: dict[str, _Tally]


class _Standing(_Part):
    status: str
    by: str
    author: str
    reason: str
    rulings: list[str]
    void: list[str]


class _Withdrawal(_Part):
    id: str
    author: str
    reason: str
    rollouts: int


class _Row(_Part):
    key: str
    model: str
    models: list[str]
    agent: str
    effort: str
    rank: Annotated[int, Field(ge=1)] | None
    score: _Score
    status: str
    why: str
    judged: str
    standings: dict[str, dict[str, _Standing]]
    tracks: list[_OnTrack]
    spent: dict[str, Any]
    making: dict[str, Any]
    submissions: list[str]
    screenings: list[dict[str, Any]]
    withdrawals: list[_Withdrawal]


class _Track(_Part):
    track: str
    suite: str
    settings: str
    environment: str
    weight: float | None
    runs_per_task: int
    tasks: list[str]
    clusters: int


class _Locked(_Part):
    tracks: list[_Track]


class _Reference(_Part):
    role: Literal["base", "instruct"]
    models: list[str]
    score: _Score


class _Refused(_Part):
    run: str
    why: str
    model: str
    agent: str
    effort: str


class _Ranks(_Part):
    method: str
    confidence: float
    seed: int
    replicates: int


class _Board(_Part):
    rules: str
    locked: _Locked
    rows: list[_Row]
    references: list[_Reference]
    refused: list[_Refused]
    ranks: _Ranks


def wrong_in(document: dict[str, Any]) -> tuple[str, str] | None:
    """Return the first field of a kept board that cannot be read, as `rows[3].score`, and why; None where all can."""
    try:
        read = _Board.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
        return place.removeprefix("."), str(first["msg"])
    keys = [row.key for row in read.rows]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    return ("rows", f"holds `{twice[0]}` twice") if twice else None
