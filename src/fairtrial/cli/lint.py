"""`fairtrial lint PATH`: read task folders and say what is wrong with them, without running anything."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from fairtrial.attack.reading.binding import read_bindings
from fairtrial.checks.checks_file import NAME as CHECKS_TOML
from fairtrial.checks.checks_file import read_checks
from fairtrial.checks.fitting import misfits
from fairtrial.checks.judged import warnings_in
from fairtrial.checks.kit import NAME, is_current, packages_for
from fairtrial.cli.output import BAD_INPUT, DOES_NOT_HOLD, HOLDS, JsonFlag, print_document, stdout
from fairtrial.grade import read_rules
from fairtrial.ledger import Ledger
from fairtrial.ledger.signed import PARTS, SignedTask, standing_signoffs
from fairtrial.records import InputError
from fairtrial.tasks.lint import Linted, Problem, error_problem, lint

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def command(
    path: Annotated[Path, typer.Argument(help="A task folder, or a folder of them.")],
    ledger: Annotated[
        Path | None, typer.Option("--ledger", help="Ledger of sign-offs: say what experts refuse, and what is void.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Read the tasks at PATH and list their errors (exit 2) and leads (exit 1); nothing is run."""
    linted = [replace(one, problems=one.problems + _grading_problems(one) + _kit_problems(one) + _bindings(one)
                     + _checks_problems(one))
              for one in lint(path)]  # fmt: skip
    signed: dict[str, SignedTask] = {}
    if ledger is not None:
        signed = standing_signoffs(Ledger.open(ledger), {one.task: one.hash for one in linted if one.hash})
        linted = [replace(one, problems=one.problems + _signed_problems(one, signed.get(one.task))) for one in linted]
    severities = [problem.severity for one in linted for problem in one.problems]
    errors, leads = severities.count("error"), severities.count("lead")
    if as_json:
        tasks = [one.document() | _signed_states(signed.get(one.task)) for one in linted]
        print_document({"schema": "fairtrial.lint/1", "errors": errors, "leads": leads, "tasks": tasks})
    else:
        for one in linted:
            _print_task(one)
            for part, state in _signed_states(signed.get(one.task)).get("signoffs", {}).items():
                stdout.print(f"  sign-off of the {part}: {state}", markup=False)
        stdout.print(f"{len(linted)} tasks read: {errors} errors, {leads} leads", markup=False)
    raise typer.Exit(BAD_INPUT if errors else DOES_NOT_HOLD if leads else HOLDS)


def _signed_states(signed: SignedTask | None) -> dict[str, dict[str, str]]:
    """Return what experts say of each part, where a ledger was named."""
    return {} if signed is None else {"signoffs": {part: signed.state(part) for part in PARTS}}


def _signed_problems(one: Linted, signed: SignedTask | None) -> tuple[Problem, ...]:
    """Name what experts refuse, and sign-offs that are of another content."""
    if signed is None:
        return ()
    path = str(one.path)
    refused = [
        f"{said.reviewer} ({said.role}) says that the {part} does not hold" + (f": {said.note}" if said.note else "")
        for part in PARTS
        for said in signed.said.get(part, ())
        if said.holds is False
    ]
    refused += [
        f"a design that {said.reviewer} ({said.role}) calls correct is refused: {said.second_design}"
        for said in signed.refused_designs
    ]
    void = [
        Problem(
            severity="lead",
            path=path,
            field=said.part,
            what=f"the sign-off of {said.reviewer} ({said.role}) on the {said.part} is void: it is of another content",
            hint=f"Said of {said.task_hash}, and now it is {signed.task_hash}.",
        )
        for said in signed.void
    ]
    return (*(Problem(severity="lead", what=what, path=path) for what in refused), *void)


def _grading_problems(one: Linted) -> tuple[Problem, ...]:
    """Read the task's grading.toml and compare its checks with those that defects should fail."""
    if one.grading is None:
        return ()
    try:
        known = {check.name for check in read_rules(one.grading).checks}
    except InputError as error:
        return (error_problem(error),)
    return _unnamed(one, known) + tuple(
        Problem(
            severity="error",
            what=f"a defect should fail `{name}`, which grading.toml does not name",
            path=str(one.path / "proof.toml"),
            field="candidate.fails",
        )
        for name in one.fails
        if name not in known
    )


def _unnamed(one: Linted, known: set[str]) -> tuple[Problem, ...]:
    """Name checks that only one of checks.toml and grading.toml knows, in a task of one step."""
    tests = one.key.steps[0].tests if one.key is not None and len(one.key.steps) == 1 else None
    if tests is None or not (tests / CHECKS_TOML).is_file():
        return ()
    try:
        run = {check.name for check in read_checks(tests / CHECKS_TOML).checks}
    except InputError:
        return ()  # told with the checks
    never = known - run if (tests / NAME).is_file() else set()
    return tuple(
        [Problem(severity="error", what=f"grading.toml does not name the check `{name}`, so nothing is graded",
                 path=str(tests / CHECKS_TOML), field="name") for name in sorted(run - known)]
        + [Problem(severity="lead", what=f"no check `{name}` stands in checks.toml", path=str(one.grading),
                   field="name", hint="It is not measured unless the tests report it besides.")
           for name in sorted(never)]
    )  # fmt: skip


def _bindings(one: Linted) -> tuple[Problem, ...]:
    """Name where its graders bind to a form that the instruction does not state."""
    if one.key is None:
        return ()
    return tuple(
        Problem(severity="lead", what=bound.claim, path=str(one.path / bound.file), line=bound.line, hint=bound.instead)
        for bound in read_bindings(one.key)
    )


def _checks_problems(one: Linted) -> tuple[Problem, ...]:
    """Name checks that there are not or that take no such parameters, and criteria that are not one question."""
    steps = one.key.steps if one.key is not None else ()
    files = [step.tests / CHECKS_TOML for step in steps if (step.tests / CHECKS_TOML).is_file()]
    problems: list[Problem] = []
    for file in files:
        try:
            problems += map(error_problem, misfits(read_checks(file)))
            problems += [Problem(severity="lead", what=f"the criterion of `{name}` {why}", path=str(file))
                         for name, why in warnings_in(file)]  # fmt: skip
        except InputError as error:
            problems.append(error_problem(error))
    return tuple(problems)


def _kit_problems(one: Linted) -> tuple[Problem, ...]:
    """Name kits that another version of fairtrial wrote."""
    steps = one.key.steps if one.key is not None else ()
    kits = [step.tests / NAME for step in steps if (step.tests / NAME).is_file()]
    return tuple(
        Problem(severity="lead", what="is not the kit that this version writes", path=str(path),
                hint=f"`fairtrial kit {shlex.quote(str(path.parent))}` writes it anew; then prove the task again.")
        for path in kits if not is_current(path, packages_for(path.parent))
    )  # fmt: skip


def _print_task(one: Linted) -> None:
    """Print what was found in one task, most severe first; a clean task is one line."""
    stdout.print(f"{one.task}  {one.hash[:19] or 'cannot be loaded'}", markup=False)
    for problem in sorted(one.problems, key=lambda problem: problem.severity):
        place = problem.path + (f":{problem.line}" if problem.line else "")
        field = f", field `{problem.field}`" if problem.field else ""
        stdout.print(f"  {problem.severity}: {place}{field}: {problem.what}", markup=False, soft_wrap=True)
        if problem.hint:
            stdout.print(f"    {problem.hint}", markup=False, soft_wrap=True)
