"""Numbers of a text grader, each with its interval: false passes, false fails, and what the laziest policy earns.

Completions of one case are near copies of one another, so intervals are over cases. The share of false passes is of
the completions handed in, which are the catalogue's choice: read it with the catalogue's version.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairtrial.measure.intervals import clustered_mean, clustered_ratio, zero_bound
from fairtrial.prove.text.asking import FIGURE_ONLY, policies
from fairtrial.prove.text.gold import Calibration
from fairtrial.prove.text.judge import Seen
from fairtrial.records import Estimate

UNIT = "completions"
SHORT = 400


def figures(seen: Sequence[Seen], calibration: Calibration) -> dict[str, Any]:
    """Return the figures as JSON: proofs' completions only, since what is a lead may be right after all."""
    known = [one for one in seen if one.asked.probe != FIGURE_ONLY[0] and one.asked.submission.severity == "proof"]
    wrong = [one for one in known if one.asked.submission.expects == "fails"]
    right = [one for one in known if one.asked.submission.expects == "passes"]
    judged = {case for case, gold in enumerate(calibration.golds) if calibration.gold_passes(case) or gold.is_declared}
    wrong = [one for one in wrong if calibration.gold_passes(one.asked.case)]
    right = [one for one in right if one.asked.case in judged]
    false_passes = _share(wrong, [one.passes(calibration) > 0 for one in wrong])
    false_fails = _share(right, [one.passes(calibration) < len(one.scores) for one in right])
    best = max((max(one.scores) for one in wrong if one.scores), default=None)
    beaten = {one.asked.case for one in wrong if one.passes(calibration)}
    return {
        "false_pass_ceiling": false_passes.document() | {"most_reward": best, "cases_passed": len(beaten)},
        "laziest_policy": _laziest(seen),
        "false_fail_rate": false_fails.document(),
        "gold": {"reward": calibration.full, "format": calibration.format, "form": calibration.form,
                 "cases": len(calibration.golds),
                 "passing": sum(calibration.gold_passes(case) for case in range(len(calibration.golds)))},
    }  # fmt: skip


def _share(ones: Sequence[Seen], hits: Sequence[bool]) -> Estimate:
    """Return the share of completions with a wrong verdict, its interval over cases."""
    counted = [(one.asked.case, hit) for one, hit in zip(ones, hits, strict=True) if one.scores]
    ungraded = len(ones) - len(counted)
    if not counted:
        return Estimate(
            value=None,
            low=None,
            high=None,
            n=0,
            ungraded=ungraded,
            method="no gold completion passes, or nothing was graded",
            unit=UNIT,
        )
    cases = sorted({case for case, _ in counted})
    part = np.array([sum(hit for one, hit in counted if one == case) for case in cases], dtype=np.int64)
    whole = np.array([sum(one == case for one, _ in counted) for case in cases], dtype=np.int64)
    if not part.sum():
        return Estimate(value=0.0, low=0.0, high=zero_bound(len(cases)), n=len(counted), ungraded=ungraded, unit=UNIT,
                        one_sided=True, method=f"none seen in {len(cases)} cases, exact bound")  # fmt: skip
    found = clustered_ratio(part, whole, np.arange(len(cases), dtype=np.int64))
    method = found.method.replace("tasks", "cases")
    return Estimate(value=found.value, low=found.low, high=found.high, n=len(counted), ungraded=ungraded,
                    method=method, unit=UNIT)  # fmt: skip


def _laziest(seen: Sequence[Seen]) -> dict[str, Any]:
    """Return the policy with the highest mean reward; its interval is corrected for having been picked."""
    asked = [one.asked for one in seen]
    cases = len({one.case for one in asked})
    means: dict[str, tuple[float, list[float], int]] = {}
    for name, by_case in policies(asked).items():
        played = [seen[position] for position in by_case.values()]
        rewards = [float(np.mean(one.scores)) for one in played if one.scores]
        if 2 * len(rewards) >= cases and rewards:
            means[name] = (float(np.mean(rewards)), rewards, len(played) - len(rewards))
    if not means:
        empty = Estimate(value=None, low=None, high=None, n=0, method="no policy was graded", unit="cases")
        return {"name": None} | empty.document()
    name = max(means, key=lambda one: (means[one][0], -list(means).index(one)))
    value, rewards, ungraded = means[name]
    position = next(iter(policies(asked)[name].values()))
    about = {"name": name, "policies": len(means), "says": seen[position].asked.submission.what[:SHORT]}
    return about | _mean(value, rewards, ungraded, len(means)).document()


def _mean(value: float, rewards: Sequence[float], ungraded: int, tried: int) -> Estimate:
    if min(rewards) < 0 or max(rewards) > 1:
        return Estimate(value=value, low=None, high=None, n=len(rewards), ungraded=ungraded, unit="cases",
                        method="mean; no interval, rewards leave [0, 1]")  # fmt: skip
    if not any(rewards):
        return Estimate(value=value, low=0.0, high=zero_bound(len(rewards), 1 - 0.05 / tried), n=len(rewards),
                        ungraded=ungraded, unit="cases", one_sided=True,
                        method=f"nothing in {len(rewards)} cases, exact bound, best of {tried} at 1 - 0.05/{tried}",
                        )  # fmt: skip
    count = np.arange(len(rewards), dtype=np.int64)
    found = clustered_mean(np.array(rewards), count, confidence=1 - 0.05 / tried)
    method = f"{found.method.replace('tasks', 'cases')}, best of {tried} at 1 - 0.05/{tried}"
    return Estimate(value=value, low=min(found.low, value), high=max(found.high, value), n=len(rewards),
                    ungraded=ungraded, method=method, unit="cases")  # fmt: skip
