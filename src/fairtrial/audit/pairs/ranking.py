"""Rank the models of a set of comparisons, and say what the ranking rests on, as one document."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from fairtrial.audit.pairs.consistency import Consistency, consistency, share_over_tasks
from fairtrial.audit.pairs.reading import Compared, Pairs
from fairtrial.audit.pairs.settled import settle
from fairtrial.measure.bradley_terry import Fit, Pairing, as_share, fit
from fairtrial.records import Estimate

SCHEMA = "fairtrial.pairs/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """What a set of comparisons comes to. `fit` is None where no two models were compared."""

    pairs: Pairs
    fit: Fit | None
    ties: Estimate
    """Share of ties among the comparisons in which the reviewer could tell."""
    first_preferred: Estimate
    """Share in which the first was preferred, of those that are no tie, whatever was compared."""
    consistency: Consistency

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        settled, unsettled = settle(self.pairs.compared)
        decided = self.pairs.decided
        return {
            "schema": SCHEMA,
            "kind": self.pairs.kind,
            "question": self.pairs.question,
            "comparisons": {
                "counted": len(self.pairs.compared),
                "cannot_tell": len(self.pairs.compared) - len(decided),
                "left_out": dict(self.pairs.left_out),
                "of_other_kind": self.pairs.of_other_kind,
            },
            "tasks": len({(one.suite, one.task) for one in self.pairs.compared}),
            "reviewers": _reviewers(self.pairs.compared),
            "prior": self.fit.prior if self.fit else "",
            "method": self.fit.method if self.fit else "",
            "models": _models(self.fit) if self.fit else [],
            "pairs": _pairs(self.fit) if self.fit else [],
            "ties": self.ties.document(),
            "position": {
                "first_preferred": self.first_preferred.document(),
                "fitted": p.document() if self.fit and (p := self.fit.position) else None,
            },
            "consistency": _consistency(self.consistency),
            "settled": {"settled": len(settled), **Counter(one.why for one in unsettled)},
        }


def rank_pairs(pairs: Pairs) -> Ranking:
    """Fit strengths to the comparisons in which the reviewer could tell, and count the rest."""
    decided = pairs.decided
    pairings = [
        Pairing(first=one.first, second=one.second, preferred=one.preference.preferred, cluster=one.cluster)
        for one in decided if one.preference.preferred is not None
    ]  # fmt: skip
    no_tie = [one for one in decided if one.preference.preferred != "tie"]
    return Ranking(
        pairs=pairs,
        fit=fit(pairings) if any(one.first != one.second for one in pairings) else None,
        ties=share_over_tasks(decided, [one.preference.preferred == "tie" for one in decided]),
        first_preferred=share_over_tasks(no_tie, [one.preference.preferred == "first" for one in no_tie]),
        consistency=consistency(pairs.compared),
    )


def _models(found: Fit) -> list[dict[str, Any]]:
    return [
        {"model": one.name, "component": one.component, "strength": one.strength.document(), "wins": one.wins,
         "losses": one.losses, "ties": one.ties, "best_rank": one.best_rank, "worst_rank": one.worst_rank}
        for one in found.strengths()
    ]  # fmt: skip


def _pairs(found: Fit) -> list[dict[str, Any]]:
    """Return each pair of models that comparisons connect, the stronger first."""
    rows = []
    compared = Counter(frozenset((pairing.first, pairing.second)) for pairing in found.pairings)
    for one, other in combinations([strength.name for strength in found.strengths()], 2):
        gap = found.difference(one, other)
        if gap is not None:
            rows.append({"one": one, "other": other, "compared": compared[frozenset((one, other))],
                         "preferred": as_share(gap).document()})  # fmt: skip
    return rows


def _reviewers(compared: tuple[Compared, ...]) -> list[dict[str, Any]]:
    counts: dict[str, Counter[str]] = {}
    for one in compared:
        counts.setdefault(one.preference.reviewer, Counter())[one.preference.preferred or "cannot_tell"] += 1
    return [{"reviewer": name} | {answer: of[answer] for answer in ("first", "second", "tie", "cannot_tell")}
            for name, of in sorted(counts.items())]  # fmt: skip


def _consistency(found: Consistency) -> dict[str, Any]:
    return asdict(found)
