"""Try criteria on rollouts that were not studied: do they separate, are they steady, do they survive the probes?

    unsteady            votes on one rollout disagree too often
    broken              could not be answered on more than a fifth of the held-out rollouts
    too_few             held-out rollouts of fewer than two tasks have both sides
    no_separation       the interval of the difference holds 0 or less, or its q-value is above the rate allowed
    does_not_carry_over on tasks of which nothing was studied it separates nothing, or the wrong way round
    falls_to_probe      some probe turned a no into a yes
    not_probed          a probe could not be asked: not measured is not clean

The first that holds is the reason. Probes are asked only of what is left, as they cost most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairtrial.checks.judged import warnings_of
from fairtrial.measure.fisher import benjamini_hochberg
from fairtrial.measure.intervals import wilson
from fairtrial.records import Estimate
from fairtrial.train.criteria.asking import Answer, Answers
from fairtrial.train.criteria.criterion import Criterion, Probed, Reason, Tried
from fairtrial.train.criteria.probes import EMPTIED, PROBES, altered
from fairtrial.train.criteria.separation import Row, Separation, separation
from fairtrial.train.criteria.work import Work

FIRST = 8
"""A criterion that breaks on so many is not asked of the others."""
STEADY_METHOD = "Wilson; rollouts taken one by one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """What a criterion must reach."""

    fdr: float = 0.05
    """Most of the criteria that are kept may be so by chance."""
    steady: float = 0.8
    """Least share of rollouts on which all votes are alike."""
    ungraded: float = 0.2
    """Largest share of held-out rollouts on which it may break."""
    probed: int = 4
    """Rollouts that do not meet it, on which each probe is tried."""
    may_lack: bool = False
    """Keep what work with nothing in it meets: right where a pass is paid alone, and the grader fails such work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """One rollout that was not studied."""

    work: Work
    better: bool
    left_out: bool = False
    """Nothing of its task was studied."""
    cluster: str = ""
    """Near copies of its task share one; empty: it has none."""


def try_criteria(
    criteria: Sequence[Criterion],
    held_out: Sequence[HeldOut],
    asker: Answers,
    bars: Bars,
    expect: Callable[[int], None] = lambda _: None,
) -> list[Tried]:
    """Return each criterion with what was measured of it; `expect` is told how many more answers are asked for."""
    meant = {one.name: [held for held in held_out if one.applies(held.work.family)] for one in criteria}
    expect(sum(map(len, meant.values())))
    measured: list[tuple[Tried, list[Answer]]] = []
    for criterion in criteria:
        answers = _answers(criterion, [held.work for held in meant[criterion.name]], asker, expect)
        measured.append((_measured(criterion, meant[criterion.name], answers), answers))
    found = []
    for tried, answers in _corrected(measured):
        reason, why = _fault(tried, bars, answers)
        tried = replace(tried, reason=reason, why=why)
        if tried.is_kept:
            tried = _probed(tried, meant[tried.criterion.name], answers, asker, bars, expect)
        found.append(tried)
    return found


def _answers(
    criterion: Criterion, works: Sequence[Work], asker: Answers, expect: Callable[[int], None]
) -> list[Answer]:
    """Return an answer for each work; where the first ones all break, the rest are not asked about."""
    found = asker.ask_all([(criterion, work) for work in works[:FIRST]])
    rest = works[FIRST:]
    if found and all(answer.yes is None for answer in found):
        expect(-len(rest))
        return found + [Answer(yes=None, broken=f"not asked: it broke on the first {len(found)}")] * len(rest)
    return found + asker.ask_all([(criterion, work) for work in rest])


def _measured(criterion: Criterion, held_out: Sequence[HeldOut], answers: Sequence[Answer]) -> Tried:
    rows = [
        (
            held,
            Row(
                task=held.work.task, better=held.better, yes=answer.yes, share=answer.share or 0.0, cluster=held.cluster
            ),
        )
        for held, answer in zip(held_out, answers, strict=True)
        if answer.yes is not None
    ]
    ungraded = len(answers) - len(rows)
    found = separation([row for _, row in rows], ungraded)
    return Tried(
        criterion=criterion, difference=found.difference, yes_better=found.yes_better, yes_worse=found.yes_worse,
        auc=found.auc, p_value=found.p_value, carried=_carried(held_out, rows), steady=_steady(answers),
        ungraded=ungraded, warnings=() if criterion.use else warnings_of(criterion.question),
    )  # fmt: skip


def _carried(held_out: Sequence[HeldOut], rows: Sequence[tuple[HeldOut, Row]]) -> Estimate | None:
    apart = sum(held.left_out for held in held_out)
    if not apart:
        return None
    left: Separation = separation([row for held, row in rows if held.left_out])
    return replace(left.difference, ungraded=apart - sum(held.left_out for held, _ in rows))


def _steady(answers: Sequence[Answer]) -> Estimate:
    told = [answer.is_steady for answer in answers if answer.is_steady is not None]
    lacking = len(answers) - len(told)
    if not told:
        return Estimate(value=None, low=None, high=None, n=0, ungraded=lacking, method="no rollout has two votes",
                        unit="rollouts")  # fmt: skip
    low, high = wilson(sum(told), len(told))
    return Estimate(value=sum(told) / len(told), low=low, high=high, n=len(told), ungraded=lacking,
                    method=STEADY_METHOD, unit="rollouts")  # fmt: skip


def _corrected(measured: Sequence[tuple[Tried, list[Answer]]]) -> list[tuple[Tried, list[Answer]]]:
    known = [tried.p_value for tried, _ in measured if tried.p_value is not None]
    q_values = iter(benjamini_hochberg(np.array(known)).tolist() if known else [])
    return [
        (tried if tried.p_value is None else replace(tried, q_value=next(q_values)), answers)
        for tried, answers in measured
    ]


def _fault(tried: Tried, bars: Bars, answers: Sequence[Answer]) -> tuple[Reason, str]:
    """Return why a criterion is dropped before any probe is asked, and the same in words."""
    steady = tried.steady.value if tried.steady is not None else None
    if steady is not None and steady < bars.steady:
        return "unsteady", f"votes are alike on {steady:.0%} of rollouts, and should be on {bars.steady:.0%}"
    if tried.ungraded > bars.ungraded * len(answers):
        first = next((answer.broken for answer in answers if answer.broken), "")
        return "broken", f"could not be answered on {tried.ungraded} of {len(answers)} held-out rollouts: {first}"
    if tried.difference is None or tried.difference.value is None or tried.difference.low is None:
        return "too_few", "held-out rollouts of fewer than two tasks have both sides"
    if steady is None:
        return "unsteady", "no rollout has two votes, so nothing says that it is steady"
    if tried.difference.low <= 0 or tried.q_value is None or tried.q_value > bars.fdr:
        return "no_separation", f"yes {tried.difference.value:+.2f} more often of better work, {_low_high(tried)}"
    carried = tried.carried.value if tried.carried is not None else None
    if carried is not None and carried <= 0:
        return "does_not_carry_over", f"yes {carried:+.2f} more often of better work on tasks that were not studied"
    return "", ""


def _low_high(tried: Tried) -> str:
    assert tried.difference is not None
    return f"from {tried.difference.low:.2f} to {tried.difference.high:.2f}, q {tried.q_value:.2g}"


def _probed(
    tried: Tried, held_out: Sequence[HeldOut], answers: Sequence[Answer], asker: Answers, bars: Bars,
    expect: Callable[[int], None],
) -> Tried:  # fmt: skip
    """Return `tried` with what the probes did to rollouts that do not meet it."""
    noes = _spread([held.work for held, answer in zip(held_out, answers, strict=True) if answer.yes is False])
    noes = noes[: bars.probed]
    if not noes:
        return replace(tried, reason="not_probed", why="every held-out rollout meets it, so no probe could be tried")
    expect(len(PROBES) * len(noes))
    criterion = tried.criterion
    pairs = [(probe, altered(probe, work, criterion)) for probe in PROBES for work in noes]
    told = asker.ask_all([(criterion, work) for _, work in pairs])
    probes = []
    for probe in PROBES:
        own = [answer for (name, _), answer in zip(pairs, told, strict=True) if name == probe]
        lacking = sum(answer.yes is None for answer in own)
        probes.append(Probed(probe=probe, asked=len(own), turned=sum(answer.yes is True for answer in own),
                             ungraded=lacking))  # fmt: skip
    reason, why = _fallen([one for one in probes if not (bars.may_lack and one.probe in EMPTIED)])
    return replace(tried, probes=tuple(probes), reason=reason, why=why)


def _spread(works: Sequence[Work]) -> list[Work]:
    """Return `works` so that the first ones are of as many tasks as there are."""
    seen: dict[str, int] = {}
    order: list[tuple[int, int, Work]] = []
    for work in works:
        seen[work.task] = seen.get(work.task, -1) + 1
        order.append((seen[work.task], len(order), work))
    return [work for _, _, work in sorted(order, key=lambda one: one[:2])]


def _fallen(probes: Sequence[Probed]) -> tuple[Reason, str]:
    if fallen := [one for one in probes if one.turned]:
        told = ", ".join(f"{one.probe} {one.turned} of {one.asked}" for one in fallen)
        return "falls_to_probe", f"a no became a yes under {told}"
    lacking = [one for one in probes if one.ungraded > math.floor(one.asked / 2)]
    if lacking:
        return "not_probed", f"could not be answered under {', '.join(one.probe for one in lacking)}"
    return "", ""
