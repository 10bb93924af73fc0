"""Read reviews from JSONL: one re-grade a line, by whoever wrote it.

`task, model, attempt` (or `rollout`), `satisfied` true, false or null (cannot tell), `reviewer`; optional `kind`
(`person` or `judge`), `stage`, `label`, `adjudicates`, `void`, `hack`, `failure_tags`, `behaviour_tags`, `citations`,
`note`, `recorded_at`. Other fields are left alone. The whole file is refused where one row is wrong: a rate over what
could be read would be another rate. Of several rows of one reviewer the last counts, by `recorded_at` where given,
else by line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from fairtrial.audit.estimating.matching import Place, Roster, named
from fairtrial.records import FormatError, InputError, Review

_CHOICES = {
    "kind": ("person", "judge"),
    "stage": ("blind", "informed"),
    "label": ("", "true_pass", "false_pass", "true_fail", "false_fail"),
}
_LISTS = ("failure_tags", "behaviour_tags", "citations")
_TEXTS = ("note", "void", "recorded_at")
_SHOWN = 3


def read_reviews(path: Path, roster: Roster) -> tuple[Review, ...]:
    """Return the reviews of the file at `path`.

    Raise FormatError with line and field for a row that is wrong; InputError for rollouts that the ledger does not
    hold, and for a file without a row.
    """
    found: list[Review] = []
    unknown: list[tuple[int, str]] = []
    for line, row in _rows(path):
        unit = roster.find(row, (path, line))
        if unit is None:
            unknown.append((line, named(row)))
        else:
            found.append(_review(row, unit.rollout, (path, line)))
    if unknown:
        told = "; ".join(f"line {line}: {name}" for line, name in unknown[:_SHOWN])
        more = f"; and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
        raise InputError(f"the ledger holds no such rollout of a policy: {told}{more}", path=path,
                         hint="Names must be as in the ledger; `fairtrial sql LEDGER "
                              "'select id, task, model, attempt from rollouts'` lists them.")  # fmt: skip
    if not found:
        raise InputError("holds no review", path=path, hint="One JSON object a line, a review each.")
    return tuple(found)


def as_records(reviews: Sequence[Review]) -> tuple[Review, ...]:
    """Return reviews of a file as a ledger keeps them, in the file's order.

    A row without a time has none then either, so its place in the file no longer tells which is later: of a reviewer's
    rows without a time on one rollout the last is kept, which is the one that counts.

    >>> rows = [Review(rollout="r", reviewer="ada", satisfied=said, recorded_at=at) for said, at in
    ...         ((True, "000000000001"), (False, "000000000002"), (None, "2026-01-01T00:00:00+00:00"))]
    >>> [(one.satisfied, one.recorded_at) for one in as_records(rows)]
    [(False, ''), (None, '2026-01-01T00:00:00+00:00')]
    """
    last: dict[tuple[str, ...], Review] = {}
    for one in reviews:
        time = "" if one.recorded_at.isdecimal() else one.recorded_at
        last[one.rollout, one.reviewer, one.kind, one.stage, str(one.adjudicates), time] = replace(
            one, recorded_at=time
        )
    return tuple(last.values())


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
    for line, text in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not text.strip():
            continue
        try:
            row = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise FormatError(f"is no JSON: {error}", path=path, line=line,
                              hint="One JSON object a line.") from error  # fmt: skip
        if not isinstance(row, dict):
            raise FormatError("is no JSON object", path=path, line=line)
        yield line, row


def _review(row: dict[str, Any], rollout: str, place: Place) -> Review:
    reviewer = row.get("reviewer")
    if not isinstance(reviewer, str) or not reviewer.strip():
        raise _wrong("is missing" if reviewer is None else "is not a name", place, "reviewer")
    if "satisfied" not in row:
        raise _wrong("is missing", place, "satisfied", "true, false, or null where the reviewer cannot tell.")
    given: dict[str, Any] = {"recorded_at": f"{place[1]:012d}"}
    for field in ("satisfied", "hack", "adjudicates"):
        if row.get(field) is not None and not isinstance(row[field], bool):
            raise _wrong(f"is {orjson.dumps(row[field]).decode()[:40]}, not true, false or null", place, field)
        given[field] = row.get(field)
    given["adjudicates"] = bool(given["adjudicates"])
    for field, choices in _CHOICES.items():
        if row.get(field) is not None:
            if row[field] not in choices:
                raise _wrong(f"is none of {', '.join(choice for choice in choices if choice)}", place, field)
            given[field] = row[field]
    for field in _LISTS:
        given[field] = _texts(row.get(field), place, field)
    for field in _TEXTS:
        if row.get(field) is not None:
            if not isinstance(row[field], str):
                raise _wrong("is not a text", place, field)
            given[field] = row[field] or given.get(field, "")
    return Review(rollout=rollout, reviewer=reviewer, **given)


def _texts(value: Any, place: Place, field: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _wrong("is not a list of texts", place, field)
    return tuple(value)


def _wrong(what: str, place: Place, field: str, hint: str | None = None) -> FormatError:
    return FormatError(what, path=place[0], line=place[1], field=field, hint=hint)
