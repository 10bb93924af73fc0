"""Checks that answer a criterion in a judge's place: of the answer's wording, and of what the agent did.

They cost no tokens and say the same every time. Only checks that read are taken: none runs a command, opens a
connection or reads a file of this machine.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from fairtrial.checks import CheckError
from fairtrial.checks.limits import SECONDS_OF_A_SEARCH
from fairtrial.checks.process import Trajectory
from fairtrial.checks.protocol import Given, Result
from fairtrial.checks.registry import called, find, needs
from fairtrial.sandbox import scratch_folder
from fairtrial.train.criteria.criterion import Criterion
from fairtrial.train.criteria.work import Work

PATH = "/answer.txt"
OUT_OF_TIME = f"could not be worked through in {SECONDS_OF_A_SEARCH:g} s"
OF_THE_ANSWER = ("file_lines", "file_text")
OF_THE_STEPS = ("at_most", "comes_after", "comes_before", "forbidden", "looked_before_edit", "required",
                "tests_own_work", "turns")  # fmt: skip
HOLD_OF_NOTHING = ("at_most", "comes_after", "comes_before", "forbidden", "looked_before_edit", "turns")
FAMILIES = ("state", "process")
PROGRAMS = (*OF_THE_ANSWER, *OF_THE_STEPS)


def ran(criterion: Criterion, work: Work) -> Result:
    """Run the check of `criterion` on `work`. Raise CheckError or InputError where it says nothing of the work."""
    if criterion.use not in PROGRAMS:
        raise CheckError(f"there is no check `{criterion.use}` for criteria; there are {', '.join(PROGRAMS)}")
    check = find(criterion.use, FAMILIES)
    given: Mapping[type[Given], Given] = {}
    stated = dict(criterion.parameters)
    if Trajectory in needs(check):
        if work.trajectory is None:
            raise CheckError("it is about the steps, and there are none")
        given = {Trajectory: Trajectory(work.trajectory)}
    elif work.answer is None:
        raise CheckError("it is about the answer, and there is none")
    with scratch_folder() as root:
        if criterion.use in OF_THE_ANSWER:
            (root / PATH.lstrip("/")).write_text(work.answer or "", encoding="utf-8", errors="surrogateescape")
            stated["path"] = PATH
        found = called(check, stated, given, root, root)
    # The expression is the criterion's: one that runs out of time says nothing of the work.
    if not found.passed and found.why.endswith(OUT_OF_TIME):
        raise CheckError(found.why)
    return found


def described(*, may_lack: bool = False) -> str:
    """Return the checks as whoever writes criteria is told of them: name, parameters, what holds.

    Those that hold of no steps at all are left out unless `may_lack`: none of them could be kept.
    """
    return "\n".join(_described(name) for name in PROGRAMS if may_lack or name not in HOLD_OF_NOTHING)


def _described(name: str) -> str:
    check = find(name, FAMILIES)
    hidden = {"path", "trajectory"}
    parameters = inspect.signature(check).parameters.values()
    shown = ", ".join(_parameter(one) for one in parameters if one.name not in hidden)
    about = "the answer" if name in OF_THE_ANSWER else "the steps"
    return f"- {name}({shown}), of {about}: {(inspect.getdoc(check) or '').splitlines()[0]}"


def _parameter(one: inspect.Parameter) -> str:
    hint = one.annotation if isinstance(one.annotation, str) else getattr(one.annotation, "__name__", "")
    default: Any = one.default
    return f"{one.name}: {hint}" + ("" if default is inspect.Parameter.empty else f" = {default!r}")
