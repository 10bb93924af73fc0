"""Harbor's reward files, read strictly: what Harbor would accept but means nothing is `ungraded(reason)`.

`reward.json` (a flat object; `reward` is the overall) comes before `reward.txt` (one number). Outside [0, 1], NaN, a
boolean, a string or an unreadable file is not a score. Not covered: how a score is made from checks (`aggregation`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MOST_BYTES = 1_000_000
SAME = 1e-3
"""Graders write rewards with few digits."""


@dataclass(frozen=True, slots=True)
class Reward:
    """Say what the grader wrote. `score` is None exactly where `reason` says why it is no score."""

    score: float | None
    reason: str = ""
    detail: str = ""


def differs(written: float | None, score: float | None) -> bool:
    """Say whether the reward that a grader wrote is another than what its grading.toml makes of the checks.

    >>> differs(1.0, 0.5), differs(0.333, 1 / 3), differs(None, 1.0)
    (True, False, False)
    """
    return written is not None and score is not None and abs(written - score) > SAME


def read_reward(folder: Path) -> Reward:
    """Return the overall reward that a grader left in `folder` (/logs/verifier)."""
    as_json, as_text = folder / "reward.json", folder / "reward.txt"
    if _is_plain(as_json):
        return _from_json(as_json)
    if as_json.is_dir() and not as_json.is_symlink():  # Harbor takes what is there, and cannot read it
        return Reward(None, "reward_unparsable", "reward.json is a folder")
    if _is_plain(as_text):
        return _from_text(as_text)
    return Reward(None, "reward_missing", "neither reward.json nor reward.txt was written")


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _read(path: Path) -> str | None:
    if path.stat().st_size > MOST_BYTES:
        return None
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


def _from_json(path: Path) -> Reward:
    text = _read(path)
    try:
        rewards: Any = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        rewards = None
    if not isinstance(rewards, dict) or not rewards:
        return Reward(None, "reward_unparsable", f"{path.name} is not a flat JSON object")
    if "reward" in rewards:
        return _checked(rewards["reward"])
    if len(rewards) == 1:
        return _checked(next(iter(rewards.values())))
    return Reward(None, "reward_unparsable", f"{path.name} has no key `reward` among {sorted(map(str, rewards))[:8]}")


def _from_text(path: Path) -> Reward:
    text = _read(path)
    try:
        return _checked(float(text.strip())) if text is not None else Reward(None, "reward_unparsable", "not text")
    except ValueError:
        return Reward(None, "reward_unparsable", f"{path.name} holds {text.strip()[:80]!r}" if text else "empty file")


def _checked(value: Any) -> Reward:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return Reward(None, "reward_not_a_number", f"reward is {value!r:.80}")
    if value != value:
        return Reward(None, "reward_not_a_number", "reward is NaN")
    if not 0 <= value <= 1:
        return Reward(None, "reward_out_of_range", f"reward is {value!r:.80}, outside [0, 1]")
    return Reward(float(value))
