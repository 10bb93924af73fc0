"""How often an action was done: never, at least once, at most so many times. Attempts count, whatever came back."""

from __future__ import annotations

from fairtrial.checks.process.matching import Hit, Matchers, hits
from fairtrial.checks.process.trajectory import Trajectory
from fairtrial.checks.protocol import CheckError, Result
from fairtrial.checks.reading import of_the_work


@of_the_work
def forbidden(trajectory: Trajectory, action: Matchers) -> Result:
    """Hold that no action matches; one that another command decides about counts too."""
    found = hits(trajectory, action)
    if found:
        return Result(False, f"{_told(found[0])}, which is forbidden", float(len(found)), _evidence(found))
    return Result(True, f"none of {len(trajectory.acts)} actions is forbidden", 0.0)


@of_the_work
def required(trajectory: Trajectory, action: Matchers, times: int = 1) -> Result:
    """Hold that at least `times` actions match; one that may not have run does not count."""
    if times < 1:
        raise CheckError("`times` is at least 1")
    found = [hit for hit in hits(trajectory, action) if hit.is_certain]
    if len(found) >= times:
        return Result(True, f"{_told(found[0])}, as required", float(len(found)), _evidence(found))
    what = f"{len(found)} of {len(trajectory.acts)} actions match, and at least {times} should"
    return Result(False, what, float(len(found)), _evidence(found))


@of_the_work
def at_most(trajectory: Trajectory, action: Matchers, times: int) -> Result:
    """Hold that no more than `times` actions match."""
    if times < 0:
        raise CheckError("`times` is at least 0")
    found = hits(trajectory, action)
    what = f"{len(found)} actions match, and at most {times} may"
    return Result(len(found) <= times, what, float(len(found)), _evidence(found))


def _told(hit: Hit) -> str:
    return f"step {hit.step} did `{hit.what:.80}`" if hit.call >= 0 else f"at step {hit.step} {hit.what}"


def _evidence(found: list[Hit]) -> dict[str, object]:
    return {"steps": [hit.step for hit in found[:20]], "actions": [hit.what[:200] for hit in found[:5]]}
