"""`fairtrial audit checklist SUITE|LEDGER`: inspect a sample of tasks, and decide whether the benchmark is flawed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from fairtrial.audit.checklist import (
    Checklist,
    Filled,
    Population,
    blank_form,
    decide,
    drawn,
    find_checklist,
    inspections_of,
    read_form,
    standing_answers,
    tasks_of_ledger,
    tasks_of_suite,
)
from fairtrial.audit.checklist.decision import THRESHOLD, bought
from fairtrial.audit.checklist.document import document
from fairtrial.audit.form_files import suffix_of
from fairtrial.cli.output import (
    DOES_NOT_HOLD,
    HOLDS,
    NOT_MEASURED,
    JsonFlag,
    note,
    print_document,
    print_whole,
    stdout,
)
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_inspections
from fairtrial.records import InputError, Inspection
from fairtrial.tasks import load_suite

EXITS = {"sound": HOLDS, "flawed": DOES_NOT_HOLD, "cannot_tell": NOT_MEASURED}
MARKS = {"sound": "● sound", "flawed": "◆ flawed", "cannot_tell": "▢ cannot tell"}
USUAL = 20
"""Tasks of a form, where nobody says how many: none with an error among them rules out a flawed benchmark."""


def checklist(
    source: Annotated[Path, typer.Argument(metavar="SUITE|LEDGER", help="The benchmark's tasks, or their rollouts.")],
    ledger: Annotated[
        Path | None, typer.Option("--ledger", help="Ledger that keeps the answers; made if it is not there.")
    ] = None,
    items: Annotated[str, typer.Option("--checklist", help="abc, review, or a TOML file of questions.")] = "review",
    write: Annotated[Path | None, typer.Option("--write", help="Write a form to fill: .toml, .csv or .jsonl.")] = None,
    answers: Annotated[list[Path] | None, typer.Option("--answers", help="A filled form; may be repeated.")] = None,
    reviewer: Annotated[str, typer.Option("--reviewer", help="Who answered, where the form does not say.")] = "",
    n: Annotated[int | None, typer.Option("--n", min=1, help="Tasks in the sample.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of the order in which tasks are drawn; 0.")] = None,
    suite: Annotated[str, typer.Option("--suite", help="Which suite of the ledger, where it holds several.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Write a form for a random sample of tasks, read filled ones, and say whether the benchmark is flawed."""
    asked = find_checklist(items)
    population, own = _population(source, suite)
    if write is not None:
        if answers:
            raise InputError("a form is written or read, not both at once", field="--write")
        _write(write, asked, population, USUAL if n is None else n, seed or 0, as_json)
        raise typer.Exit(HOLDS)
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    forms = [read_form(path, asked, population, reviewer, now) for path in answers or ()]
    sample_n, sample_seed = _sample_of(forms, n, seed)
    book = _book(ledger, own, answers)
    inspections = _kept(book, forms)  # every form was read to its end: nothing is kept of several of which one is wrong
    standing, void = standing_answers(inspections, asked, population)
    order = drawn(population.tasks, len(population.tasks), sample_seed)
    if sample_n is None:
        inspected = {task for task, _ in standing}
        sample_n = next((place for place, task in enumerate(order) if task.name not in inspected), len(order)) or USUAL
    decided = decide(asked, population, order[:sample_n], standing)
    found = document(asked, population, decided, standing, void, sample_seed)
    if as_json:
        print_document(found)
    else:
        _print(found)
    raise typer.Exit(EXITS[decided.decision])


def _population(source: Path, suite: str) -> tuple[Population, Ledger | None]:
    """Return the tasks at `source`, and the ledger where it is one."""
    if (source / "ledger.json").is_file():
        held = Ledger.open(source)
        return tasks_of_ledger(held, suite), held
    if not source.is_dir():
        raise InputError("is not a folder" if source.exists() else "there is no such folder", path=source,
                         hint="Give a task folder, a folder of them, or a ledger.")  # fmt: skip
    if suite:
        raise InputError("is for a ledger that holds several suites", field="--suite")
    return tasks_of_suite(load_suite(source)), None


def _book(ledger: Path | None, own: Ledger | None, answers: list[Path] | None) -> Ledger:
    if ledger is not None:
        return Ledger.open(ledger, create=bool(answers))
    if own is None:
        raise InputError("no ledger that keeps the answers", field="--ledger", hint="Name one; or --write a form.")
    return own


def _sample_of(forms: list[Filled], n: int | None, seed: int | None) -> tuple[int | None, int]:
    """Return size and seed of the sample: what was said, else what the forms were written for."""
    for name, said in (("n", n), ("seed", seed)):
        stated = {value for form in forms if (value := getattr(form, name)) is not None}
        if said is None and len(stated) > 1:
            told = " and ".join(str(value) for value in sorted(stated))
            raise InputError(f"the forms were written for {told}", field=f"--{name}", hint="Say which is meant.")
    sizes = [form.n for form in forms if form.n is not None]
    seeds = [form.seed for form in forms if form.seed is not None]
    return n if n is not None else next(iter(sizes), None), seed if seed is not None else next(iter(seeds), 0)


def _kept(book: Ledger, forms: list[Filled]) -> tuple[Inspection, ...]:
    """Keep what the forms say anew, and return every answer that the ledger holds then."""
    held = list(all_inspections(book))
    for form in forms:
        new = inspections_of(form, held)
        book.append("inspections", new)
        held += new
        known = f", {len(form.inspections) - len(new)} were there already" if len(new) < len(form.inspections) else ""
        note(f"{len(new)} answers kept{known}; {form.unanswered} not answered")
    return tuple(held)


def _write(path: Path, asked: Checklist, population: Population, n: int, seed: int, as_json: bool) -> None:
    """Write the form, and say what a sample of that size can tell."""
    if path.exists():
        raise InputError("is there already, and may hold answers", path=path, field="--write", hint="Name another.")
    sample = drawn(population.tasks, n, seed)
    data = blank_form(asked, population, sample, seed, suffix_of(path, "--write"))
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path, field="--write") from error
    sound, flawed = bought(len(sample), len(population.tasks))
    if as_json:
        print_document({"schema": "fairtrial.checklist-form/1", "form": str(path), "checklist": asked.identity,
                        "suite": population.suite, "population": len(population.tasks), "seed": seed,
                        "n": len(sample), "tasks": [task.name for task in sample], "threshold": THRESHOLD,
                        "sound_up_to": sound, "flawed_from": flawed})  # fmt: skip
        return
    stdout.print(f"{path}: {len(asked.about('task'))} questions on each of {len(sample)} tasks of "
                 f"{len(population.tasks)}, {len(asked.about('benchmark'))} on the benchmark",
                 markup=False, soft_wrap=True)  # fmt: skip
    told = f"up to {sound} tasks with an error tell that it is sound" if sound is not None else "none tells it sound"
    worse = f"{flawed} or more that it is flawed" if flawed is not None else "none tells it flawed"
    stdout.print(f"{len(sample)} tasks buy: {told}, {worse}; between, more tasks are needed", markup=False,
                 soft_wrap=True)  # fmt: skip


def _print(found: dict[str, Any]) -> None:
    sample, share = found["sample"], found["share"]
    seen = "none settled" if share["value"] is None else f"{share['value']:.1%} of those settled"
    stdout.print(f"{found['checklist']} on {found['suite']}: {MARKS[found['decision']]}", markup=False, soft_wrap=True)
    for why in found["why"]:
        stdout.print(f"  {why}", markup=False, soft_wrap=True)
    size, bounds = found["population"], f"between {share['low']:.1%} and {share['high']:.1%}"
    stdout.print(f"\n{sample['n']} of {size} tasks drawn (seed {sample['seed']}): {sample['error']} with an error, "
                 f"{sample['clean']} clean, {sample['open']} open, {sample['not_inspected']} not inspected",
                 markup=False, soft_wrap=True)  # fmt: skip
    stdout.print(f"tasks with an error: {seen}; of all {size} {bounds}; flawed from {found['threshold']:.0%} on",
                 markup=False, soft_wrap=True)  # fmt: skip
    if found["more_tasks"]:
        stdout.print(f"about {found['more_tasks']} more settled tasks would tell, if errors come as often",
                     markup=False, soft_wrap=True)  # fmt: skip
    table = Table("item", "about", "", "answers", box=None, padding=(0, 2, 0, 0))
    for item in found["items"]:
        if set(item["answers"]) - {"holds", "not_applicable"}:
            counts = ", ".join(f"{count} {answer.replace('_', ' ')}" for answer, count in item["answers"].items())
            table.add_row(item["item"], item["about"], item["severity"], counts)
    if table.row_count:
        stdout.print()
        print_whole(table)
    _print_rest(found)


def _print_rest(found: dict[str, Any]) -> None:
    """Print each fault and dispute, how far inspectors agree, and what is void."""
    for mark, rows in (("◆ fails", found["faults"]), ("△ disputed", found["disputed"])):
        for row in rows:
            scale = ", at scale" if row["at_scale"] else ""
            stdout.print(f"\n{mark}{scale}  {row['task'] or 'the benchmark'}: {row['item']}", markup=False)
            for said in row["said"]:
                words = "; ".join([said["answer"], *([said["note"]] if said["note"] else []), *said["citations"]])
                stdout.print(f"  {said['reviewer']}: {words}", markup=False, soft_wrap=True)
    agreed, alike = found["agreement"], found["agreement"]["alike"]
    if alike["value"] is None:
        text = "no question has the answers of two inspectors"
    else:
        alpha = "undefined" if agreed["alpha"] is None else f"{agreed['alpha']:.2f}"
        text = f"{alike['value']:.1%} [{alike['low']:.1%}, {alike['high']:.1%}] of {alike['n']} pairs; α {alpha}"
    stdout.print(f"\ninspectors agree: {text}", markup=False, soft_wrap=True)
    outside = [row for row in found["tasks"] if not row["in_sample"]]
    if outside:
        stdout.print(f"▢ {len(outside)} tasks were inspected outside of the sample; they say nothing of the share",
                     markup=False, soft_wrap=True)  # fmt: skip
    for row in found["void"]:
        stdout.print(f"▢ void: {row['reviewer']} on {row['task'] or 'the benchmark'}, {row['item']}: said of "
                     f"{row['was']}, and now it is {row['now'] or 'gone'}", markup=False, soft_wrap=True)  # fmt: skip
