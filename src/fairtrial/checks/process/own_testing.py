"""Evidence that the agent tested its own work: after its last change of code something was run, and went well.

Read from what came back, never from what the agent says of it.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Sequence

from fairtrial.checks.process.edits import SCRATCH, UNKNOWN, Edits, edits_of, edits_of_command
from fairtrial.checks.process.matching import Matchers, compiled, hits
from fairtrial.checks.process.runs import runs_of_programs, runs_of_tests, shows_success
from fairtrial.checks.process.trajectory import Act, Trajectory
from fairtrial.checks.protocol import Result
from fairtrial.checks.reading import of_the_work

_ENDINGS = (
    "py pyi js mjs cjs ts tsx jsx c h cc cpp hpp cu rs go java kt scala rb php pl sh bash sql swift cs lua r R jl ex "
    "exs hs ml clj zig asm s cmake"
)
CODE = [*(f"*.{ending}" for ending in _ENDINGS.split()), "Makefile", "CMakeLists.txt", UNKNOWN]


@of_the_work
def tests_own_work(
    trajectory: Trajectory,
    code: list[str] | None = None,  # noqa: PT028 - no test, whatever its name
    only_tests: bool = False,  # noqa: PT028
    runs: Matchers | None = None,  # noqa: PT028
    success: str = "",  # noqa: PT028
) -> Result:
    """Hold that after the last change of code a test, or the program, was run and its output shows success.

    `code` are patterns of what counts as code; files below /tmp do not, nor does removing what the agent made. With
    `only_tests` a run of the program is no evidence. `runs` and `success` say what counts as a run and as success
    where neither is of a known kind.
    """
    last = _last_edit(trajectory, code or CODE)
    if last is None:
        return Result(False, "no action changed code, so nothing was tested", evidence={"edit": None})
    act, after = last
    tried: list[int] = []
    for later in trajectory.acts[act.number :]:
        first = after if later.number == act.number else -1
        for shown in _evidence(trajectory, later, first, only_tests, runs, success):
            if shown:
                what = f"step {later.step} ran it after the last change of code, at step {act.step}: {shown:.80}"
                return Result(True, what, evidence={"edit": act.step, "run": later.step, "shown": shown[:200]})
            tried.append(later.step)
    what = f"the run at step {tried[-1]} does not show success" if tried else "nothing was run"
    return Result(False, f"after the last change of code, at step {act.step}, {what}",
                  evidence={"edit": act.step, "runs": tried})  # fmt: skip


def _last_edit(trajectory: Trajectory, code: Sequence[str]) -> tuple[Act, int] | None:
    """Return the last action that changed code, and the place of the command that did."""
    made: set[str] = set()
    found: tuple[Act, int] | None = None
    for act in trajectory.acts:
        for place, edits in _edits_by_place(act):
            changed = [path for path in (*edits.in_place, *edits.whole) if _is_code(path, code)]
            changed += [path for path in edits.removed if _is_code(path, code) and path not in made]
            made |= set(edits.whole)
            if changed:
                found = (act, place)
    return found


def _edits_by_place(act: Act) -> Iterator[tuple[int, Edits]]:
    if not act.commands:
        yield 0, edits_of(act)
    for place, ran in enumerate(act.commands):
        yield place, edits_of_command(ran)


def _is_code(path: str, code: Sequence[str]) -> bool:
    if path.startswith(SCRATCH):
        return False
    return any(fnmatch.fnmatch(path, glob) or fnmatch.fnmatch(path.rpartition("/")[2], glob) for glob in code)


def _evidence(
    trajectory: Trajectory, act: Act, after: int, only_tests: bool, runs: Matchers | None, success: str
) -> Iterator[str]:
    """Yield, of each kind of run in an action, what shows that it went well; empty where it was run in vain."""
    if runs is not None:
        meant = [
            hit for hit in hits(trajectory, runs) if hit.call == act.number and hit.place > after and hit.is_certain
        ]
        if meant:
            found = compiled(success, "success").search(act.observation) if success else None
            ran = [act.commands[hit.place] for hit in meant if hit.place < len(act.commands)]
            yield (found[0] if found else "") if success else shows_success(act, ran, of_tests=False)
        return
    later = {id(ran) for ran in act.commands[after + 1 :]}
    tests = [ran for ran in runs_of_tests(act) if id(ran) in later]
    programs = [] if only_tests or tests else [ran for ran in runs_of_programs(act) if id(ran) in later]
    for chosen, of_tests in ((tests, True), (programs, False)):
        if chosen:
            yield shows_success(act, chosen, of_tests=of_tests)
