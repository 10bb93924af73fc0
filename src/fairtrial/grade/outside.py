"""The checks of a tests/checks.toml that need what lies out of the box: the attempt's trajectory, a judge.

They run here on the host, on the deliverable as it was taken, and execute nothing of it. Their results stand beside
those that the box reported; one that could not be run is `broken`, and counts as such.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.checks.checks_file import NAME, ChecksFile, read_checks
from fairtrial.checks.judged import Judges
from fairtrial.checks.process import Trajectory
from fairtrial.checks.protocol import Given, Result
from fairtrial.checks.registry import find, needs
from fairtrial.checks.running import is_outside, outside
from fairtrial.formats.atif import Trajectory as Atif
from fairtrial.formats.atif import read_trajectory
from fairtrial.models import LanguageModel, ModelSpec
from fairtrial.records import CheckResult, CheckStatus, storable
from fairtrial.sandbox import kept_folder

MOST_SAID = 2000
TRAJECTORY = "trajectory.json"
"""File in solution/ that says how the reference would have come about."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What the checks out of the box came to."""

    checks: tuple[CheckResult, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    """What they measured, by name."""
    in_box: tuple[str, ...] = ()
    """What the same checks.toml declares for the box."""

    def __bool__(self) -> bool:
        """Say whether there are any."""
        return bool(self.checks)

    def beside(self, reported: tuple[CheckResult, ...]) -> tuple[CheckResult, ...]:
        """Return the checks that the box `reported` and these; of one name it is these that count.

        A check that was declared for the box and is not reported is broken, or a report cut short would pass.
        """
        own = {check.name for check in self.checks}
        said = {check.name for check in reported}
        lost = [CheckResult(name, "broken", "the grader in the box did not report it")
                for name in self.in_box if name not in said]  # fmt: skip
        return (*(check for check in reported if check.name not in own), *lost, *self.checks)


def declared_outside(tests: Path) -> ChecksFile | None:
    """Return the checks.toml in `tests` where it declares checks out of the box. Raise FormatError for a bad one."""
    path = tests / NAME
    if not path.is_file() or path.is_symlink():
        return None
    file = read_checks(path)
    return file if any(is_outside(one) for one in file.checks) else None


def as_the_reference(solution: Path | None) -> Atif | None:
    """Return how the reference in `solution` came about, for submissions that nobody saw made; None if not declared."""
    path = solution / TRAJECTORY if solution is not None else None
    return read_trajectory(path) if path is not None and path.is_file() else None


def graded_outside(file: ChecksFile, deliverable: Path, trajectory: Atif | None, judge: ModelSpec | None) -> Outside:
    """Run the checks of `file` that lie out of the box on the `deliverable`, a folder that mirrors the box.

    The model that judges is opened for them alone, as workers cannot share one; its verdicts are kept by content.
    """
    given: dict[type[Given], Given] = {}
    if trajectory is not None:
        given[Trajectory] = Trajectory(trajectory)
    with ExitStack() as stack:
        if judge is not None and any(is_outside(one) and Judges in needs(find(one.use)) for one in file.checks):
            model = stack.enter_context(LanguageModel(judge))
            given[Judges] = Judges(model=model, root=deliverable, trajectory=trajectory, kept=kept_folder("judged"))
        report = outside(file, deliverable, given)
    checks = [CheckResult(storable(name), _status(result), storable(result.why[:MOST_SAID]))
              for name, result in report.results.items()]  # fmt: skip
    checks += [CheckResult(storable(name), "broken", storable(why[:MOST_SAID])) for name, why in report.broken.items()]
    values = {storable(name): result.value for name, result in report.results.items() if result.value is not None}
    in_box = tuple(storable(one.name) for one in file.checks if not is_outside(one))
    return Outside(tuple(checks), values, in_box)


def _status(result: Result) -> CheckStatus:
    return "passed" if result.passed else "failed"
