"""Lists of tasks and rollouts: what is asked for by the address, as one query over the snapshot, a page at a time.

Pages of rollouts go by key: an address names the rollout after which, or before which, a page begins, so that a page
stays what it is while rollouts are added, and the last page costs no more than the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode

from fairtrial.serve.snapshot import Snapshot

PAGE = 50

_ORDERS: dict[str, str] = {
    "task": "cast(0 as integer)",
    "newest": "recorded_at",
    "longest": "coalesce(steps, -1)",
    "dearest": "coalesce(cost_usd, -1.0)",
}
"""By what a list of rollouts is ordered, the greatest first; equal ones by task, model and attempt."""
ORDERS = tuple(_ORDERS)
_TASK_ORDERS: dict[str, str] = {
    "task": "task, suite",
    "pass rate": "passed / nullif(passed + failed, 0) nulls last, task, suite",
    "ungraded": "ungraded desc, task, suite",
    "findings": "proofs desc, leads desc, task, suite",
    "rollouts": "rollouts desc, task, suite",
}
TASK_ORDERS = tuple(_TASK_ORDERS)
VERDICTS = ("passed", "failed", "ungraded")
FINDINGS = ("any", "proof", "lead", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which rollouts are asked for. Empty means all."""

    task: str = ""
    suite: str = ""
    model: str = ""
    verdict: str = ""
    reason: str = ""
    finding: str = ""
    origin: str = "policy"
    order: str = "task"

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> Filter:
        """Return the filter that an address states; what it does not know is left out."""
        known = {name: asked[name] for name in cls.__dataclass_fields__ if asked.get(name)}
        if known.get("order", "task") not in _ORDERS:
            del known["order"]
        return cls(**known)

    def address(self, **more: str | int) -> str:
        """Return the query part of the address of this list."""
        defaults = {name: field.default for name, field in self.__dataclass_fields__.items()}
        said = {name: getattr(self, name) for name in defaults if getattr(self, name) != defaults[name]}
        return urlencode(said | {name: str(value) for name, value in more.items() if value != ""})

    def where(self) -> tuple[str, list[str]]:
        """Return the condition and its values."""
        said = [(column, getattr(self, column)) for column in ("task", "suite", "model", "reason", "origin")]
        conditions = [f"{column} = ?" for column, value in said if value and value != "all"]
        values = [value for _, value in said if value and value != "all"]
        if self.verdict in VERDICTS:
            conditions.append("outcome = ?")
            values.append(self.verdict)
        if self.finding in FINDINGS:
            conditions.append({"any": "proofs + leads > 0", "proof": "proofs > 0", "lead": "leads > 0",
                               "none": "proofs + leads = 0"}[self.finding])  # fmt: skip
        return " and ".join(conditions) or "true", values


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of a list."""

    rows: tuple[dict[str, Any], ...]
    total: int
    first: int
    """Number of the first row within the list, counted from 1."""
    earlier: str = ""
    """Id of the rollout before which the page before ends; empty on the first page."""
    later: str = ""
    """Id of the rollout after which the next page begins; empty on the last page."""


def rollouts(snapshot: Snapshot, asked: Filter, *, after: str = "", before: str = "", most: int = PAGE) -> Page:
    """Return a page of the rollouts that `asked` lets through, after or before a rollout, else the first."""
    where, values = asked.where()
    key = _ORDERS[asked.order]
    total = _count(snapshot, where, values)
    anchor = snapshot.one(f"select {key} as key, seq from rows where id = ?", [after or before])
    direction: Literal["desc", "asc"] = "asc" if anchor and before and not after else "desc"
    condition, bounds = where, list(values)
    if anchor:
        than = "<" if direction == "desc" else ">"
        beyond = ">" if direction == "desc" else "<"
        condition += f" and ({key} {than} ? or ({key} = ? and seq {beyond} ?))"
        bounds += [anchor["key"], anchor["key"], anchor["seq"]]
    order = f"{key} {direction}, seq {'asc' if direction == 'desc' else 'desc'}"
    # Which rows first, then their columns: a third of the time of sorting whole rows.
    chosen = f"select seq from rows where {condition} order by {order} limit {most + 1}"
    found = snapshot.ask(f"select * from rows where seq in ({chosen}) order by {order}", bounds)
    is_more, found = len(found) > most, found[:most]
    if direction == "asc":
        found.reverse()
    skipped = 0
    if found and anchor:
        opening = snapshot.one(f"select {key} as key from rows where seq = ?", [found[0]["seq"]]) or {}
        skipped = _count(snapshot, f"{where} and ({key} > ? or ({key} = ? and seq < ?))",
                         [*values, opening["key"], opening["key"], found[0]["seq"]])  # fmt: skip
    has_later = is_more if direction == "desc" else bool(found)
    return Page(rows=tuple(found), total=total, first=skipped + 1 if found else 0,
                earlier=found[0]["id"] if found and skipped else "",
                later=found[-1]["id"] if found and has_later else "")  # fmt: skip


def tasks(snapshot: Snapshot, *, words: str = "", suite: str = "", order: str = "task", first: int = 1) -> Page:
    """Return a page of tasks whose name holds `words`, from number `first` of the list on."""
    conditions, values = ["true"], []
    if words:
        conditions.append("contains(lower(task), lower(?))")
        values.append(words)
    if suite:
        conditions.append("suite = ?")
        values.append(suite)
    where = " and ".join(conditions)
    total = (snapshot.one(f"select count(*) as n from tasks where {where}", values) or {"n": 0})["n"]
    chosen = _TASK_ORDERS.get(order, _TASK_ORDERS["task"])
    found = snapshot.ask(
        f"select * from tasks where {where} order by {chosen} limit {PAGE} offset ?", [*values, max(first, 1) - 1]
    )
    return Page(rows=tuple(found), total=total, first=max(first, 1) if found else 0)


def _count(snapshot: Snapshot, where: str, values: list[Any]) -> int:
    query = f"select count(*) as n from rows where {where}"
    found = snapshot.ask(query, values)
    return int(found[0]["n"])
