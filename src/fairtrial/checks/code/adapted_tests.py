"""Say whether hidden tests pass on work that named things otherwise than the reference, through aliases in memory.

What stands for what is read from definitions and calls, and recorded; where it is not clear the check is broken, not
failed, unless the key holds a mapping. Never is a mapping chosen by whether tests pass with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairtrial.checks.code import drivers
from fairtrial.checks.code.adapting import Mapped, Match, Naming, Propose
from fairtrial.checks.code.laying import CONTROL, in_place_of, laid
from fairtrial.checks.code.runs import Limits, Runner
from fairtrial.checks.code.tests_pass import judged
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import of_the_work


@of_the_work
def adapted_tests(
    code: Inside,
    tests: Inside,
    reference: Inside,
    at: str = "tests",
    runner: str = "pytest",
    mapping: Inside = "",
    probes: list[dict[str, Any]] | None = None,
    run: dict[str, Any] | None = None,
) -> Result:
    """Pass if `tests`, written for the names of the `reference`, pass on `code` once its names stand in for those.

    `probes` are calls (`call` as the reference has it, `args`, `kwargs`) whose answers tell definitions apart; what is
    right is the reference's answer. `mapping` is a JSON file of the key, {needed: has}, for what is not clear of
    itself. A name for which the work has nothing fails; one for which it has several breaks the check. The rest is as
    in `tests_pass`.
    """
    how = Runner.of(runner, run)
    if how.kind == "command":
        raise CheckError("names are adapted for pytest and unittest alone")
    naming = Naming.of(code, tests, reference, at, how.limits)
    rows = [match.row() for match in _clear(naming.mapped(probes or [], _read(mapping) if mapping else {}))]
    moved = [row for row in rows if row["by"] != "name" or row.get("parameters") or row.get("order")]
    before = f"{drivers.source('aliases')}\n\nalias({moved!r})\n"
    with laid(naming.tree, [in_place_of(naming.tests, at)], without=CONTROL, user=how.limits.user) as folder:
        result = judged(how.run(folder, [at], before), [], [])
    return Result(result.passed, result.why, result.value, {**result.evidence, "mapping": moved})


def mapping_for(
    code: str, tests: str, reference: str, propose: Propose, *, at: str = "tests", run: Mapping[str, Any] | None = None
) -> list[Match]:
    """Return what stands for each name that the tests use, asking `propose` for what is not clear; outside the box.

    `propose` takes a question and returns the reply. Raise CheckError for a proposal that cannot be or leaves a name
    without, WorkError where the work has nothing for a name. {match.needs: match.has} of those by `proposal`, as JSON,
    is what the check's `mapping` takes.
    """
    return _clear(Naming.of(code, tests, reference, at, Limits.of(run)).asked(propose))


def _clear(found: Mapped) -> list[Match]:
    if found.unclear:
        name = min(found.unclear)
        could = ", ".join(f"{has} ({value:g})" for has, value in found.unclear[name])
        raise CheckError(f"it is not clear what stands for {name} in the work: {could}")
    return list(found.matches)


def _read(mapping: str) -> dict[str, Any]:
    try:
        value = json.loads(Path(mapping).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CheckError(f"`mapping` cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise CheckError("`mapping` is a JSON object, {needed: has}")
    return value
