"""`fairtrial check PATH`: run a checks.toml on a deliverable or a trajectory at hand, and say what each check found."""

from __future__ import annotations

import inspect
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.checks.aggregation import Rules, aggregate
from fairtrial.checks.checks_file import NAME, ChecksFile, read_checks
from fairtrial.checks.fitting import misfits
from fairtrial.checks.judged import Judges
from fairtrial.checks.process import Trajectory
from fairtrial.checks.protocol import Given
from fairtrial.checks.registry import BOX, OUTSIDE, checks_of, needs
from fairtrial.checks.running import is_outside
from fairtrial.cli.agents import ModelWords, spec_of
from fairtrial.cli.options import BaseUrl, Effort, KeyVariable, MaxUsd, Model, PriceWords, SandboxName, Temperature
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document, stdout
from fairtrial.cli.sandboxes import choose
from fairtrial.grade.by_hand import READING, AtHand, Found, check_by_hand
from fairtrial.grade.rules_file import read_rules
from fairtrial.ledger import Ledger
from fairtrial.models import Budget, LanguageModel, preflight
from fairtrial.records import InputError, ModelError
from fairtrial.sandbox import kept_folder
from fairtrial.tasks import Key, Task, load_task

GRADING = "grading.toml"
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command("check")
def check_(
    path: Annotated[Path | None, typer.Argument(help="A task, its tests folder, or a checks.toml.")] = None,
    deliverable: Annotated[
        Path | None, typer.Option("--deliverable", help="Folder that mirrors the box: /app/x lies at DIR/app/x.")
    ] = None,
    trajectory: Annotated[
        str, typer.Option("--trajectory", help="ATIF file; or, with --ledger, the address of a rollout's.")
    ] = "",
    ledger: Annotated[Path | None, typer.Option("--ledger", help="Ledger that holds the trajectory.")] = None,
    only: Annotated[list[str] | None, typer.Option("--only", help="Only this check; may be repeated.")] = None,
    here: Annotated[
        bool, typer.Option("--here", help="Run every check on this machine, without a box: it may run the work.")
    ] = False,
    sandbox: SandboxName = "",
    model: Model = "",
    base_url: BaseUrl = "",
    effort: Effort = "",
    temperature: Temperature = None,
    price: PriceWords = "",
    max_usd: MaxUsd = None,
    api_key_variable: KeyVariable = "OPENAI_API_KEY",
    listing: Annotated[bool, typer.Option("--list", help="List every check, its family and its parameters.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Say of each check whether the work at hand passes, and why."""
    if listing:
        _list(as_json)
        return
    if path is None:
        raise InputError("there is nothing to run", field="PATH", hint="Name a task, a tests folder or a checks.toml.")
    words = ModelWords(model=model, base_url=base_url, effort=effort, temperature=temperature, price=price,
                       max_usd=max_usd, api_key_variable=api_key_variable)  # fmt: skip
    place, task = _place(path)
    file = _chosen(read_checks(place), only or [])
    if deliverable is not None and not deliverable.is_dir():
        raise InputError("is no folder", path=deliverable, field="--deliverable")
    rules = None if only else _rules(place, file)
    seen = _trajectory(trajectory, ledger) if trajectory else None
    with ExitStack() as stack:
        judges = _judges(words, stack) if model and any(is_outside(one) for one in file.checks) else None
        in_box = not here and task is not None and deliverable is not None
        needs_box = in_box and any(not is_outside(one) for one in file.checks)
        if here:
            note("warning: no box: checks may run what was handed in, with your rights")
        at_hand = AtHand(deliverable=deliverable, trajectory=seen, judges=judges, task=task, here=here,
                         sandbox=choose(sandbox) if needs_box else None)  # fmt: skip
        found = check_by_hand(file, at_hand)
    score = _score(rules, found) if rules is not None else None
    _print(found, score, as_json=as_json)
    failed = any(not result.passed for result in found.results.values())
    raise typer.Exit(DOES_NOT_HOLD if failed else NOT_MEASURED if found.broken else HOLDS)


def _place(path: Path) -> tuple[Path, tuple[Task, Key] | None]:
    """Return the checks.toml that is meant, and its task where there is one of one step."""
    place = path
    if path.is_dir():
        place = path / NAME if (path / NAME).is_file() else path / "tests" / NAME
    folder = place.resolve().parent.parent
    if not (folder / "task.toml").is_file() or place.parent.name != "tests":
        return place, None
    task, key = load_task(folder)
    return place, (task, key) if len(task.steps) == 1 else None


def _chosen(file: ChecksFile, only: list[str]) -> ChecksFile:
    known = [one.name for one in file.checks]
    if strange := sorted(set(only) - set(known)):
        raise InputError(f"there is no check `{strange[0]}`", field="--only", hint=f"It has: {', '.join(known)}.")
    chosen = replace(file, checks=tuple(one for one in file.checks if not only or one.name in only))
    for error in misfits(chosen):
        raise error
    return chosen


def _trajectory(words: str, ledger: Path | None) -> Trajectory:
    if ledger is not None:
        return Trajectory.read(Ledger.open(ledger).get_blob(words))
    if not Path(words).is_file():
        raise InputError("is no file", path=words, field="--trajectory", hint="An address needs --ledger.")
    return Trajectory.read(Path(words))


def _judges(words: ModelWords, stack: ExitStack) -> Judges:
    """Open the model that judges. Raise ModelError where it cannot be asked."""
    spec = spec_of(words, "a judge")
    if trouble := preflight(spec):
        raise ModelError(f"the model `{spec.name}` cannot be asked: {trouble.reason}: {trouble.detail}",
                         hint="Check --base-url, --model and the key; nothing was checked.")  # fmt: skip
    model = stack.enter_context(LanguageModel(spec, budget=Budget(usd=words.max_usd)))
    return Judges(model=model, kept=kept_folder("judged"))


def _rules(place: Path, file: ChecksFile) -> Rules | None:
    """Return the task's grading.toml, None where there is none. Raise InputError where it leaves a check out."""
    path = next((p for p in (place.parent / GRADING, place.parent.parent / GRADING) if p.is_file()), None)
    if path is None:
        return None
    rules = read_rules(path)
    if strange := sorted({one.name for one in file.checks} - {one.name for one in rules.checks}):
        raise InputError(f"does not name the check `{strange[0]}` of {place}", path=path, field="check")
    return rules


def _score(rules: Rules, found: Found) -> dict[str, Any]:
    """Return what `rules` make of the checks; those that only the task's own tests report are not measured here."""
    others: dict[str, bool | None] = dict.fromkeys(one.name for one in rules.checks)
    return aggregate(rules, others | found.passed).document()


def _print(found: Found, score: dict[str, Any] | None, *, as_json: bool) -> None:
    if as_json:
        checks = {
            name: {"passed": one.passed, "why": one.why, "value": one.value, "evidence": dict(one.evidence)}
            for name, one in found.results.items()
        }
        print_document({"schema": "fairtrial.check/1", "checks": checks, "broken": found.broken, "score": score})
        return
    for name, one in found.results.items():
        stdout.print(f"{'● passes' if one.passed else '◆ fails '}  {name}: {one.why}", markup=False, soft_wrap=True)
    for name, why in found.broken.items():
        stdout.print(f"▢ not measured  {name}: {why}", markup=False, soft_wrap=True)
    if score is not None:
        said = "not measured" if score["score"] is None else f"{score['score']:.4f}"
        stdout.print(f"score {said}", markup=False)


def _list(as_json: bool) -> None:
    rows = [_row(family, name) for family in (*BOX, *OUTSIDE) for name in sorted(checks_of(family))]
    if as_json:
        print_document({"schema": "fairtrial.checks/1", "checks": rows})
        return
    for row in rows:
        stdout.print(f"{row['family']:<8} {row['name']}  {row['says']}", markup=False, soft_wrap=True)
        parameters = [f"{p['name']}{'' if p['required'] else '?'}: {p['type']}" for p in row["parameters"]]
        stdout.print(f"{'':<11}{', '.join(parameters)}", markup=False, soft_wrap=True, style="dim")


def _row(family: str, name: str) -> dict[str, Any]:
    check = checks_of(family)[name]
    given = {one.__name__ for one in needs(check)}
    parameters = [
        {"name": one.name, "type": str(one.annotation), "required": one.default is inspect.Parameter.empty}
        for one in inspect.signature(check).parameters.values()
        if str(one.annotation) not in given
    ]
    says = " ".join((inspect.getdoc(check) or "").split("\n\n")[0].split())
    return {"name": name, "family": family, "says": says, "parameters": parameters,
            "needs": sorted(one.NAME for one in needs(check) if issubclass(one, Given) and hasattr(one, "NAME")),
            "reads_only": name in READING or family == "process"}  # fmt: skip
