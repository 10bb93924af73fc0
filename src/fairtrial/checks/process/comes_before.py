"""An action that must come before another: a confirmation before a refund, a back-up before a migration.

Calls that were made at once come in no order, since neither could see what came back of the other.
"""

from __future__ import annotations

from fairtrial.checks.process.matching import Hit, Matchers, hits, same
from fairtrial.checks.process.trajectory import Trajectory
from fairtrial.checks.protocol import CheckError, Result
from fairtrial.checks.reading import WorkError, of_the_work

MOST_PAIRS = 10_000_000


@of_the_work
def comes_before(
    trajectory: Trajectory, first: Matchers, then: Matchers, each: bool = False, of_same: list[str] | None = None
) -> Result:
    """Hold that no action matching `then` comes without one matching `first` before it; none at all passes.

    With `each` every one needs its own. `of_same` names arguments, or named groups of patterns, that must be equal in
    both; a reply of the user must hold their value as a word.
    """
    earlier = [hit for hit in hits(trajectory, first) if hit.is_certain]
    used: set[tuple[int, int, int]] = set()
    done = hits(trajectory, then)
    if len(earlier) * len(done) > MOST_PAIRS:
        raise WorkError(f"{len(done)} actions match `then` and {len(earlier)} `first`, and so many are not compared")
    for hit in done:
        before = [one for one in earlier if one.before(hit) and _alike(one, hit, of_same or [])]
        fresh = [one for one in before if not each or (one.step, one.call, one.place) not in used]
        if not fresh:
            return Result(False, f"step {hit.step} did `{hit.what:.80}` {_lacking(earlier, before, hit)}",
                          evidence={"step": hit.step, "earlier": [one.step for one in earlier]})  # fmt: skip
        used.add((fresh[0].step, fresh[0].call, fresh[0].place))
    if not done:
        return Result(True, "no action matches `then`, so nothing had to come before it")
    return Result(True, f"each of the {len(done)} actions that match `then` came after one that matches `first`",
                  evidence={"steps": [hit.step for hit in done]})  # fmt: skip


@of_the_work
def comes_after(trajectory: Trajectory, action: Matchers, last: Matchers) -> Result:
    """Hold that an action matching `action` comes after the last one matching `last`; none of those passes."""
    done = hits(trajectory, last)
    if not done:
        return Result(True, "no action matches `last`, so nothing had to come after it")
    final = done[-1]
    later = [hit for hit in hits(trajectory, action) if hit.is_certain and final.before(hit)]
    if later:
        return Result(True, f"step {later[-1].step} did `{later[-1].what:.80}` after the last, at step {final.step}",
                      evidence={"step": later[-1].step, "last": final.step})  # fmt: skip
    what = f"nothing that matches `action` came after step {final.step}, which did `{final.what:.80}` last"
    return Result(False, what, evidence={"last": final.step})


def _alike(one: Hit, other: Hit, names: list[str]) -> bool:
    for name in names:
        if name not in other.names:
            raise CheckError(f"`{name}` is no argument of `{other.what:.60}` and no named group of `then`")
        wanted = other.names[name]
        if name in one.names:
            if not same(one.names[name], wanted):
                return False
        elif one.call >= 0 or wanted.lower() not in _words(one.names.get("", "")):
            return False
    return True


def _words(text: str) -> set[str]:
    """Return the words of what a user said, with and without the marks around them."""
    found = text.lower().split()
    return {*found, *(word.strip(".,;:!?()[]\"'`#€$£") for word in found)}


def _lacking(earlier: list[Hit], before: list[Hit], hit: Hit) -> str:
    if before:
        return "and what came before it had been used for another"
    if any(one.step == hit.step for one in earlier):
        return "at once with what had to come before it"
    if any(one.before(hit) for one in earlier):
        return "and what came before it was of another"
    return "before anything that matches `first`" if earlier else "and nothing matches `first`"
