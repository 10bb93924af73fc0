"""Read the cases of a judge: JSONL, one frozen rollout or one pair a line.

    {"prompt": …, "response": …, "reference": …, "right": true, "score": 8}
    {"prompt": …, "better": …, "worse": …, "reference": …}

A pointwise judge scores the two of a pair one by one. Not covered: chats of several turns; give them as text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from fairtrial.attack.judges.protocol import JudgeCase
from fairtrial.grade.judges import Judge
from fairtrial.records import FormatError, InputError, digest, storable

_TEXTS = ("id", "prompt", "response", "reference", "better", "worse")


@dataclass(frozen=True, slots=True)
class JudgeCases:
    """All cases of a judge, and which of them are the better and the worse of one pair."""

    cases: tuple[JudgeCase, ...]
    pairs: tuple[tuple[int, int], ...] = ()
    """Positions of better and worse; pointwise only."""
    hash: str = ""


def read_cases(path: Path, judge: Judge) -> JudgeCases:
    """Read the cases at `path`. Raise FormatError with the line of what is wrong."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path, field="--cases") from error
    cases: list[JudgeCase] = []
    pairs: list[tuple[int, int]] = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        row = _row(path, number, line)
        new = _cases(path, number, row, judge)
        if len(new) == 2:
            pairs.append((len(cases), len(cases) + 1))
        cases += new
    if not cases:
        raise FormatError("holds no case", path=path, hint="One JSON object a line, with prompt and response.")
    _refuse_twins(path, cases)
    return JudgeCases(with_others(cases), tuple(pairs), digest(content))


def _row(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", path=path, line=number) from error
    if not isinstance(row, dict):
        raise FormatError("is not a JSON object", path=path, line=number)
    for name in _TEXTS:
        if not isinstance(row.get(name, ""), str):
            raise FormatError("is not text", path=path, line=number, field=name)
    if not isinstance(row.get("right", True), bool | None):
        raise FormatError("is neither true, false nor null", path=path, line=number, field="right")
    score = row.get("score", 0)
    if isinstance(score, bool) or not isinstance(score, int | float | None):
        raise FormatError("is not a number", path=path, line=number, field="score")
    return row


def _cases(path: Path, number: int, row: dict[str, Any], judge: Judge) -> list[JudgeCase]:
    """Return the case of a row, or, for a pointwise judge and a pair, one each."""
    is_pair = "better" in row or "worse" in row
    for name in ("prompt", *(("better", "worse") if is_pair else ("response",))):
        if name not in row:
            raise FormatError("is missing", path=path, line=number, field=name)
    identity = row.get("id") or f"line-{number}"
    shared: dict[str, Any] = {"prompt": storable(row["prompt"]), "reference": storable(row.get("reference", ""))}
    if is_pair and row["better"] == row["worse"]:
        raise FormatError("better and worse are the same text", path=path, line=number, field="worse")
    if not is_pair:
        if judge.form == "pairwise":
            hint = "A pairwise judge compares: give better and worse."
            raise FormatError("is missing", path=path, line=number, field="better", hint=hint)
        right = _known(judge, row)
        response = storable(row["response"])
        wrong = response if right is False else ""
        return [JudgeCase(id=identity, response=response, right=right, score=row.get("score"), wrong=wrong, **shared)]
    better, worse = storable(row["better"]), storable(row["worse"])
    if judge.form == "pairwise":
        return [JudgeCase(id=identity, response=better, worse=worse, wrong=worse, **shared)]
    return [
        JudgeCase(id=f"{identity}/better", response=better, **shared),
        JudgeCase(id=f"{identity}/worse", response=worse, **shared),
    ]


def _known(judge: Judge, row: dict[str, Any]) -> bool | None:
    """Return whether the response is right, as the row says or as its known score does."""
    if row.get("right") is not None:
        return bool(row["right"])
    return None if row.get("score") is None else row["score"] >= judge.pass_at


def _refuse_twins(path: Path, cases: Iterable[JudgeCase]) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise FormatError(f"two cases are named `{case.id}`", path=path, field="id")
        seen.add(case.id)


def with_others(cases: Iterable[JudgeCase]) -> tuple[JudgeCase, ...]:
    """Return each case with what is right for the next case of another prompt and reference.

    Where two prompts share an answer, it is no wrong answer to either.
    """
    listed = list(cases)
    found = []
    for index, case in enumerate(listed):
        later = (listed[(index + step) % len(listed)] for step in range(1, len(listed)))
        other = next((one.known_right for one in later if _differs(case, one)), "")
        found.append(replace(case, other=other, wrong=case.wrong or other))
    return tuple(found)


def _differs(case: JudgeCase, other: JudgeCase) -> bool:
    """Say whether what is right for `other` is known, and surely wrong for `case`."""
    if not other.known_right or _plain(case.prompt) == _plain(other.prompt):
        return False
    own = [_plain(text) for text in (case.response, case.reference, case.known_right) if text]
    theirs = [_plain(text) for text in (other.known_right, other.reference) if text]
    return not any(a in b or b in a for a in own for b in theirs)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
