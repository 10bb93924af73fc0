"""Tokens and money of a row, beside its score: what evaluating it took, and what making it did. Absent is not zero."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from fairtrial.board.runs import Attempt
from fairtrial.records import Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Sums, each over those that record it; None where none does."""

    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    n: int
    """Rollouts, or submissions, that it is about."""
    tokens_recorded: int
    cost_recorded: int

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        return asdict(self)


def spent_on(attempts: Sequence[Attempt]) -> Spent:
    """Return what rollouts took. Tokens that are 0 in every one of them were not recorded; money may well be 0.

    >>> spent_on([]).cost_usd is None
    True
    """
    return _spent([(one.input_tokens, one.output_tokens, one.cost_usd) for one in attempts])


def spent_making(submissions: Iterable[Submission]) -> Spent:
    """Return what making the submissions took, as their entrants state it."""
    return _spent([(one.input_tokens, one.output_tokens, one.cost_usd) for one in submissions])


def _spent(rows: Sequence[tuple[int | None, int | None, float | None]]) -> Spent:
    told = [(read, written) for read, written, _ in rows if read is not None or written is not None]
    if not any((read or 0) or (written or 0) for read, written in told):
        told = []
    reads = [read for read, _ in told if read is not None]
    writes = [written for _, written in told if written is not None]
    costs = [cost for _, _, cost in rows if cost is not None]
    return Spent(
        input_tokens=sum(reads) if reads else None, output_tokens=sum(writes) if writes else None,
        cost_usd=float(sum(costs)) if costs else None, n=len(rows), tokens_recorded=len(told), cost_recorded=len(costs),
    )  # fmt: skip
