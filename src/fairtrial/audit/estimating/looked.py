"""Who re-graded, whose answers the figures rest on, and how far they agree with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from fairtrial.audit.estimating.drawn import Row
from fairtrial.audit.estimating.result import NOBODY, Agreement, Calibrated, JudgeQuality, Looked, counted
from fairtrial.audit.estimating.shares import Found, Frame, estimate_of
from fairtrial.measure.agreement import cohen_kappa, krippendorff_alpha
from fairtrial.measure.intervals import weighted_share
from fairtrial.records import Estimate


def looked(rows: Sequence[Row], rests_on: Iterable[str]) -> Looked:
    """Return who looked. `rests_on`: the methods of the two rates, which say whether people calibrated judges."""
    people, judges = Counter[str](), Counter[str]()
    by_people = by_judges = by_both = 0
    for row in rows:
        if row.standing is None:
            continue
        people.update(row.standing.people.keys())
        people.update({review.reviewer for review in row.reviews if review.adjudicates and review.kind == "person"})
        judges.update(row.standing.judges.keys())
        person, judge = row.by_people is not None, row.by_judge is not None
        by_people, by_judges, by_both = by_people + person, by_judges + judge, by_both + (person and judge)
    calibrated = _calibrated(tuple(rests_on), bool(people), bool(judges))
    return Looked(people=dict(sorted(people.items())), judges=dict(sorted(judges.items())), by_people=by_people,
                  by_judges=by_judges, by_both=by_both, calibrated=calibrated,
                  sentence=_sentence(people, judges, calibrated))  # fmt: skip


def _calibrated(methods: Sequence[str], people: bool, judges: bool) -> Calibrated:
    if not people and not judges:
        return "not reviewed"
    if any(NOBODY in method for method in methods):
        return "nobody"
    return "by people" if any("judges corrected" in method for method in methods) else "people"


def _sentence(people: Counter[str], judges: Counter[str], calibrated: Calibrated) -> str:
    if calibrated == "not reviewed":
        return "Nobody has looked."
    looked_on = _names("person", "people", people) if people else "No person has looked"
    if not judges:
        return f"{looked_on}; no judge."
    told = {"people": "whose answers are left out or shared by people", "by people": "corrected by people",
            "nobody": NOBODY, "not reviewed": ""}[calibrated]  # fmt: skip
    return f"{looked_on}; {_names('judge', 'judges', judges)}, {told}."


def _names(one: str, several: str, counts: Counter[str]) -> str:
    told = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    return f"{counted(len(counts), one, several)} looked ({told})"


def agreement(frame: Frame, rows: Sequence[Row]) -> Agreement:
    """Return the points of agreement, on blind answers; an adjudicator's is in none but the people's common answer."""
    told = [row for row in rows if row.standing is not None]
    units = [[answer for answer in row.standing.people.values() if answer is not None] for row in told if row.standing]
    several = [unit for unit in units if len(unit) > 1]
    pairs = [one == other for unit in several for one, other in combinations(unit, 2)]
    names = sorted({name for row in told if row.standing for name, a in row.standing.people.items() if a is not None})
    return Agreement(
        people_rollouts=len(several), people_agree=sum(pairs) / len(pairs) if pairs else None,
        people_kappa=_kappa(_both(told, names[0], names[1])) if len(names) == 2 else None,
        people_alpha=krippendorff_alpha(several), judges=_judges(frame, told),
    )  # fmt: skip


def _both(rows: Sequence[Row], one: str, other: str) -> list[tuple[bool, bool]]:
    found = []
    for row in rows:
        said = row.standing.people if row.standing else {}
        first, second = said.get(one), said.get(other)
        if first is not None and second is not None:
            found.append((first, second))
    return found


def _kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Return Cohen's kappa; None where there is no pair, or all labels are equal."""
    if not pairs:
        return None
    counts = Counter(pairs)
    return cohen_kappa([[counts[(a, b)] for b in (True, False)] for a in (True, False)])


def _judges(frame: Frame, rows: Sequence[Row]) -> tuple[JudgeQuality, ...]:
    names = sorted({name for row in rows if row.standing for name in row.standing.judges})
    found = [_quality(frame, rows, name, _says(name)) for name in names]
    if len(names) > 1:
        found.append(_quality(frame, rows, "judges", lambda row: row.standing.judge if row.standing else None))
    return tuple(one for one in found if one.n)


def _says(judge: str) -> Callable[[Row], bool | None]:
    return lambda row: row.standing.judges.get(judge) if row.standing else None


def _quality(frame: Frame, rows: Sequence[Row], name: str, says: Callable[[Row], bool | None]) -> JudgeQuality:
    both = [(row, said, row.standing.person) for row in rows
            if row.standing and (said := says(row)) is not None and row.standing.person is not None]  # fmt: skip

    def share(truth: bool) -> Estimate:
        mine = [(row, said == truth) for row, said, person in both if person == truth]
        if not mine:
            why = f"people found none that {'satisfies' if truth else 'does not satisfy'}"
            return estimate_of(Found(share=None, n=0, bare=0.0, method=why))
        chosen = [row for row, _ in mine]
        share_ = weighted_share(frame.weighted(chosen, [hit for _, hit in mine], {r.unit.rollout: 1.0 for r in chosen}))
        method = f"share, clustered by task ({counted(share_.clusters, 'cluster')}), Wilson on n_eff"
        return estimate_of(Found(share=share_, n=len(mine), bare=0.0, method=method))

    return JudgeQuality(judge=name, n=len(both), sensitivity=share(True), specificity=share(False),
                        kappa=_kappa([(said, person) for _, said, person in both]))  # fmt: skip
