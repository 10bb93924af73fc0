"""`fairtrial audit task SUITE`: experts review tasks, try second designs on the grader, and sign off what holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from fairtrial.audit.form_files import suffix_of
from fairtrial.audit.tasks import (
    Answer,
    Design,
    TriedDesign,
    blank_form,
    document,
    finding_of,
    read_design,
    read_form,
    signoff_of,
    try_design,
)
from fairtrial.audit.tasks.status import holds
from fairtrial.cli.agents import spec_of_judge
from fairtrial.cli.options import JudgeMaxTokens, JudgeModel, JudgeUrl, KeyVariable, SandboxName
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
from fairtrial.cli.sandboxes import choose
from fairtrial.ledger import Ledger, Writer
from fairtrial.ledger.audited import all_signoffs
from fairtrial.ledger.signed import PARTS, SignedTask, standing_signoffs
from fairtrial.models import ModelSpec
from fairtrial.records import Finding, InputError, Signoff
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite, load_suite

EXITS = {True: HOLDS, False: DOES_NOT_HOLD, None: NOT_MEASURED}
PASSES = {True: "● passes", False: "◆ refused", None: "▢ not measured"}
STATES = {"signed": "● signed", "refused": "◆ refused", "disputed": "△ disputed", "cannot_tell": "▢ cannot tell",
          "nobody": "▢ nobody"}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Trying:
    """Where designs are tried, and how often."""

    sandbox: str
    repeats: int
    judge: ModelSpec | None

    def __call__(self, suite: Suite, designs: Sequence[tuple[str, Design]]) -> list[TriedDesign]:
        """Try each (task, design) in the sandbox of that name."""
        where: Sandbox | None = choose(self.sandbox) if designs else None
        tasks = {task.name: task for task in suite.tasks}
        return [try_design(tasks[name], suite.keys[name], design, where, repeats=self.repeats, judge=self.judge)
                for name, design in designs if where is not None]  # fmt: skip


def task(
    suite: Annotated[Path, typer.Argument(help="A task folder, or a folder of them.")],
    ledger: Annotated[
        Path | None, typer.Option("--ledger", help="Ledger that keeps sign-offs; made if it is not there.")
    ] = None,
    write: Annotated[Path | None, typer.Option("--write", help="Write a form to fill: .toml, .csv or .jsonl.")] = None,
    answers: Annotated[list[Path] | None, typer.Option("--answers", help="A filled form; may be repeated.")] = None,
    try_: Annotated[Path | None, typer.Option("--try", help="A second correct design: a folder, or a .patch.")] = None,
    status: Annotated[
        bool, typer.Option("--status", help="Say what stands; done where nothing else is asked.")
    ] = False,
    only: Annotated[list[str] | None, typer.Option("--task", help="Only this task; may be repeated.")] = None,
    design: Annotated[str, typer.Option("--design", help="Which design --try is, in words.")] = "",
    reviewer: Annotated[str, typer.Option("--reviewer", help="Who speaks, where a form does not say.")] = "",
    role: Annotated[str, typer.Option("--role", help="In which capacity, where a form does not say.")] = "",
    repeats: Annotated[int, typer.Option("--repeats", min=2, help="Gradings of a second design.")] = 2,
    sandbox: SandboxName = "",
    judge_model: JudgeModel = "",
    judge_base_url: JudgeUrl = "",
    judge_max_tokens: JudgeMaxTokens = None,
    api_key_variable: KeyVariable = "OPENAI_API_KEY",
    as_json: JsonFlag = False,
) -> None:
    """Write a review form, read filled ones, try a second design on the grader, or say which sign-offs stand."""
    asked = [name for name, given in (("--write", write), ("--answers", answers), ("--try", try_), ("--status", status))
             if given]  # fmt: skip
    if len(asked) > 1:
        raise InputError(f"one thing at a time, and {' and '.join(asked)} are two", field=asked[1])
    loaded = load_suite(suite, only or ())
    whole = load_suite(suite).identity if only else loaded.identity
    hashes = {one.name: one.hash for one in loaded.tasks}
    if write is not None:
        _write(write, whole, hashes, as_json)
        raise typer.Exit(HOLDS)
    judge = spec_of_judge(judge_model, judge_base_url, api_key_variable, judge_max_tokens) if answers or try_ else None
    trying = Trying(sandbox=sandbox, repeats=repeats, judge=judge)
    said, silent = _read(answers or (), whole, hashes, (reviewer, role))
    answer = _of_try(loaded, design, reviewer, role, is_kept=ledger is not None) if try_ is not None else None
    book = Ledger.open(ledger, create=bool(answers or try_)) if ledger is not None else None
    if try_ is not None and answer is not None:
        raise typer.Exit(_try(answer, read_design(try_), loaded, whole, trying, book, as_json))
    if book is None:
        raise InputError("no ledger that keeps sign-offs", field="--ledger", hint="Name one; or --write a form.")
    if answers:
        _take(said, loaded, whole, trying, book)
        note(f"{silent} parts not said")
    signed = standing_signoffs(book, hashes, whole)
    if as_json:
        print_document(document(whole, signed))
    else:
        _print(signed)
    raise typer.Exit(EXITS[holds(signed)])


def _write(path: Path, suite: str, hashes: Mapping[str, str], as_json: bool) -> None:
    if path.exists():
        raise InputError("is there already, and may hold answers", path=path, field="--write", hint="Name another.")
    data = blank_form(suite, hashes, suffix_of(path, "--write"))
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path, field="--write") from error
    if as_json:
        print_document({"schema": "fairtrial.task-form/1", "form": str(path), "suite": suite, "tasks": list(hashes)})
    else:
        stdout.print(f"{path}: {len(PARTS)} parts of each of {len(hashes)} tasks", markup=False, soft_wrap=True)


def _read(
    paths: Sequence[Path], suite: str, hashes: Mapping[str, str], who: tuple[str, str]
) -> tuple[list[Answer], int]:
    """Return what the forms say, and how many parts they say nothing of."""
    said: list[Answer] = []
    silent = 0
    for path in paths:
        found, unsaid = read_form(path, suite, hashes, *who)
        said += found
        silent += unsaid
    return said, silent


def _take(said: Sequence[Answer], loaded: Suite, suite: str, trying: Trying, book: Ledger) -> None:
    """Try every design, and only then keep anything."""
    hashes = {one.name: one.hash for one in loaded.tasks}
    designs = {number: read_design(one.design) for number, one in enumerate(said) if one.design is not None}
    for number in designs:
        if said[number].task_hash != hashes[said[number].task]:
            raise InputError(f"the task `{said[number].task}` moved since the form was written: its second design "
                             "cannot be tried on what was reviewed", field="task_hash",
                             hint="Write a new form, or leave `try` empty.")  # fmt: skip
    tried = dict(zip(designs, trying(loaded, [(said[n].task, one) for n, one in designs.items()]), strict=True))
    known = len(said) - len(_keep([(one, tried.get(number)) for number, one in enumerate(said)], loaded, suite, book))
    note(f"{len(said) - known} sign-offs kept" + (f", {known} were there already" if known else ""))


def _keep(
    said: Sequence[tuple[Answer, TriedDesign | None]], loaded: Suite, suite: str, book: Ledger
) -> list[tuple[Signoff, Finding | None]]:
    """Keep what is not what its reviewer said last, what was tried for it, and the findings that makes."""
    held = list(all_signoffs(book))
    last = {(one.task, one.part, one.reviewer): one for one in held}
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    kept: list[tuple[Signoff, Finding | None]] = []
    with Writer(book) as writer:
        for answer, tried in said:
            signoff = signoff_of(answer, tried, suite, now)
            before = last.get((signoff.task, signoff.part, signoff.reviewer))
            if before is not None and _content(before) == _content(signoff):
                continue
            path = loaded.keys[signoff.task].path
            finding = finding_of(signoff, held, tried, path) if tried is not None else None
            for one in tried.tried if tried is not None else ():
                one.keep(writer)
            writer.add_findings([finding] if finding is not None else [])
            held.append(signoff)
            kept.append((signoff, finding))
    book.append("signoffs", [signoff for signoff, _ in kept])
    return kept


def _content(one: Signoff) -> dict[str, Any]:
    """Return what was said, without when, of which suite around it, and which rollouts showed it."""
    return {name: getattr(one, name) for name in ("task", "task_hash", "part", "holds", "reviewer", "role",
                                                  "second_design", "second_design_passes", "note")}  # fmt: skip


def _of_try(loaded: Suite, design: str, reviewer: str, role: str, *, is_kept: bool) -> Answer:
    """Return what a second design says of the grader. Raise InputError where a word is missing.

    Whoever calls it correct says that the grader is wrong where it is refused; where it passes, what they said stands.
    """
    if len(loaded.tasks) != 1:
        raise InputError(f"a design is one of one task, and here are {len(loaded.tasks)}", field="--task",
                         hint=f"They are: {', '.join(one.name for one in loaded.tasks)}.")  # fmt: skip
    if is_kept:
        for option, given in (("--design", design), ("--reviewer", reviewer), ("--role", role)):
            if not given.strip():
                raise InputError("is missing, and a sign-off names it", field=option,
                                 hint="Without --ledger a design is tried, and nothing is kept.")  # fmt: skip
    (one,) = loaded.tasks
    return Answer(task=one.name, task_hash=one.hash, part="grader", holds=None, reviewer=reviewer, role=role,
                  second_design=design)  # fmt: skip


def _try(
    answer: Answer, design: Design, loaded: Suite, suite: str, trying: Trying, book: Ledger | None, as_json: bool
) -> int:
    """Try one design, keep what came of it where there is a ledger, print it, and return the exit code."""
    (tried,) = trying(loaded, [(answer.task, design)])
    finding: Finding | None = None
    if book is not None:
        kept = _keep([(_with_word(answer, tried, book), tried)], loaded, suite, book)
        finding = kept[0][1] if kept else None
    found = tried.evidence() | {"passes": tried.passes}
    if as_json:
        told = {"severity": finding.severity, "claim": finding.claim, "command": finding.command} if finding else None
        print_document({"schema": "fairtrial.second-design/1", "task": answer.task, "task_hash": answer.task_hash,
                        "second_design": answer.second_design, **found, "finding": told})  # fmt: skip
    else:
        stdout.print(f"{answer.task}: {PASSES[tried.passes]}: {tried.passed} passed, {tried.failed} failed of "
                     f"{tried.passed + tried.failed} gradings", markup=False, soft_wrap=True)  # fmt: skip
        for why in tried.reasons:
            stdout.print(f"  ▢ {why}", markup=False, soft_wrap=True)
        if finding is not None:
            mark = "◆ proof" if finding.severity == "proof" else "△ lead"
            stdout.print(f"\n{mark}  {finding.claim}\n  $ {finding.command}", markup=False, soft_wrap=True)
    return EXITS[tried.passes]


def _with_word(answer: Answer, tried: TriedDesign, book: Ledger) -> Answer:
    """Return the answer with what its reviewer says of the grader now: no where it refuses, else what they said."""
    before = [one for one in all_signoffs(book) if (one.task, one.task_hash, one.part, one.reviewer)
              == (answer.task, answer.task_hash, "grader", answer.reviewer)]  # fmt: skip
    word = False if tried.passes is False else before[-1].holds if before else None
    return Answer(task=answer.task, task_hash=answer.task_hash, part="grader", holds=word, reviewer=answer.reviewer,
                  role=answer.role, second_design=answer.second_design)  # fmt: skip


def _print(signed: Mapping[str, SignedTask]) -> None:
    table = Table("task", *PARTS, box=None, padding=(0, 2, 0, 0))
    for one in signed.values():
        table.add_row(one.task, *(STATES[one.state(part)] for part in PARTS))
    print_whole(table)
    for one in signed.values():
        for part, said in one.said.items():
            for each in said:
                word = {True: "holds", False: "does not hold", None: "cannot tell"}[each.holds]
                stdout.print(f"\n{one.task}, {part}: {each.reviewer} ({each.role}), {each.recorded_at[:10]}: {word}"
                             + (f"; {each.note}" if each.note else ""), markup=False, soft_wrap=True)  # fmt: skip
        for each in one.designs:
            stdout.print(f"\n{one.task}, second design of {each.reviewer} ({each.role}): {each.second_design}: "
                         f"{PASSES[each.second_design_passes]}", markup=False, soft_wrap=True)  # fmt: skip
        for each in one.void:
            stdout.print(f"\n▢ void: {each.reviewer} ({each.role}) on {one.task}, {each.part}: said of "
                         f"{each.task_hash}, and now it is {one.task_hash}", markup=False, soft_wrap=True)  # fmt: skip
