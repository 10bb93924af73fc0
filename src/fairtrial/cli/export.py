"""`fairtrial export LEDGER --format … --out DIR`: training sets out of a ledger, or its audits for others' viewers.

A set has a kind (`--set`) and a card; what a viewer is shown has neither, and the options of sets are refused there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.audit.shown import Meant
from fairtrial.cli.export_views import export_for_viewer
from fairtrial.cli.options import Seed
from fairtrial.cli.output import JsonFlag, note, print_document
from fairtrial.cli.progress import Ticker
from fairtrial.formats.exports.registry import find
from fairtrial.formats.viewers import VIEWERS
from fairtrial.ledger import Ledger
from fairtrial.records import InputError
from fairtrial.report.words import plural
from fairtrial.train.sets import Options, export
from fairtrial.train.sets.card import estimate_words
from fairtrial.train.sets.options import BAND_HIGH, BAND_LOW, PER_TASK

_SHOWN = 9
"""Files that are named on the terminal."""

_KINDS = ("sft", "preferences", "prompts")
_OF_BOTH = frozenset({"ledger", "format_", "out", "suite", "model", "task", "as_json"})
_OF_VIEWERS = frozenset({"known"})

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command("export")
def export_(
    ctx: typer.Context,
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    format_: Annotated[str, typer.Option("--format", help="trl, verl, openai, atif, tasks; scout, inspect, docent.")],
    out: Annotated[Path, typer.Option("--out", help="New folder for the files.")],
    set_: Annotated[str, typer.Option("--set", help="sft, preferences or prompts; of a training set.")] = "",
    tasks: Annotated[Path | None, typer.Option("--tasks", help="JSONL of text tasks: prompts and answers.")] = None,
    held_out: Annotated[
        Path | None, typer.Option("--held-out", help="JSONL of text tasks that are held out, with their near copies.")
    ] = None,
    split: Annotated[
        Path | None, typer.Option("--split", help="Document of `contamination split`: its training side alone.")
    ] = None,
    suite: Annotated[str, typer.Option("--suite", help="Rollouts of this suite alone.")] = "",
    model: Annotated[list[str] | None, typer.Option("--model", help="Of this model alone; may be repeated.")] = None,
    task: Annotated[list[str] | None, typer.Option("--task", help="Of this task alone; may be repeated.")] = None,
    step: Annotated[int | None, typer.Option("--step", min=0, help="Of this training step alone.")] = None,
    per_task: Annotated[int, typer.Option("--per-task", min=0, help="Most rows of one task; 0 for all.")] = PER_TASK,
    near: Annotated[
        str, typer.Option("--near-copies", help="Near copies of tasks: declared or measured.")
    ] = "declared",
    pairs: Annotated[str, typer.Option("--pairs", help="Pairs from reviews, siblings or both.")] = "both",
    reviewers: Annotated[str, typer.Option("--reviewers", help="Whose preferences: person or judge.")] = "person",
    question: Annotated[str | None, typer.Option("--question", help="What they were asked, if several.")] = None,
    band: Annotated[str, typer.Option("--band", help="Pass rates of prompts, LOW,HIGH.")] = f"{BAND_LOW},{BAND_HIGH}",
    least: Annotated[int, typer.Option("--least", min=1, help="Graded attempts that a pass rate needs.")] = 2,
    seed: Seed = 0,
    known: Annotated[
        bool, typer.Option("--known", help="For a viewer: known candidates too; a reference is the key.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write a training set out of LEDGER, with a card of what was left out; or its rollouts and audits for a viewer."""
    _refuse_options(ctx, format_)
    if format_ in VIEWERS:
        meant = Meant(suite=suite, models=tuple(model or ()), tasks=tuple(task or ()), known=known)
        export_for_viewer(Ledger.open(ledger), format_, meant, out, as_json)
        return
    options = Options(
        kind=_one_of("--set", set_, _KINDS), suite=suite, models=tuple(model or ()),
        tasks=tuple(task or ()), step=step, text_tasks=tasks, held_out=held_out, split=split, per_task=per_task,
        near_copies=_one_of("--near-copies", near, ("declared", "measured")),
        pairs=_one_of("--pairs", pairs, ("both", "reviews", "siblings")), question=question,
        reviewers=_one_of("--reviewers", reviewers, ("person", "judge")), band=_band(band), least_graded=least,
        seed=seed,
    )  # fmt: skip
    with Ticker("rollouts read for hacks", 0) as ticker:
        card = export(Ledger.open(ledger), format_, options, out, ticker)
    if as_json:
        print_document({**card, "out": str(out)})
    else:
        _tell(card, out)


def _refuse_options(ctx: typer.Context, format_: str) -> None:
    """Raise InputError for an option that was given and says nothing to this format, and for a set without its kind."""
    is_viewer = format_ in VIEWERS
    if not is_viewer:
        find(format_)
    names = {parameter.name or "": parameter.opts[0] for parameter in ctx.command.params}
    fit = _OF_BOTH | _OF_VIEWERS if is_viewer else frozenset(names) - _OF_VIEWERS
    for name in ctx.params:
        source = ctx.get_parameter_source(name)
        if name not in fit and source is not None and source.name != "DEFAULT":
            of = "a training set's" if is_viewer else f"a viewer's ({', '.join(VIEWERS)})"
            raise InputError(f"does not apply to `{format_}`: it is {of}", field=names[name], hint="Leave it out.")
    if not is_viewer and not ctx.params["set_"]:
        raise InputError(f"is needed for a training set: {', '.join(_KINDS)}", field="--set",
                         hint=f"For a viewer, --format {', '.join(VIEWERS)} needs none.")  # fmt: skip


def _one_of(option: str, word: str, words: tuple[str, ...]) -> Any:
    if word not in words:
        raise InputError(f"`{word}` is none of {', '.join(words)}", field=option)
    return word


def _band(text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"`{text}` is not LOW,HIGH", field="--band", hint="As --band 0.02,0.70.") from None
    return low, high


def _tell(card: dict[str, Any], out: Path) -> None:
    """Print in words what was written and what was left out."""
    chosen = card["chosen_from"]
    typer.echo(f"{plural(card['examples'], 'example')} of {plural(card['tasks'], 'task')} in {out}, from "
               f"{plural(chosen['rollouts'], 'rollout')} of {plural(chosen['tasks'], 'task')}")  # fmt: skip
    for file in card["files"][:_SHOWN]:
        rows = f"  {plural(file['rows'], 'row')}" if file["rows"] else ""
        typer.echo(f"  {file['path']}{rows}  {file['sha256'][:19]}")
    if more := card["files"][_SHOWN:]:
        typer.echo(f"  and {plural(len(more), 'file')} more; card.json names all")
    for title, counts in _left_out(card):
        if counts:
            typer.echo(f"{title}: " + ", ".join(f"{why} {count:,}" for why, count in counts.items()))
    typer.echo(f"grader: false passes {estimate_words(card['grader']['false_pass_rate'])}")
    for line in card["not_measured"]:
        note(f"not measured: {line}")
    for line in card["notes"]:
        note(f"note: {line}")


def _left_out(card: dict[str, Any]) -> list[tuple[str, dict[str, int]]]:
    return [
        (f"left out ({card['counted']})", card["left_out"]),
        ("left out (the format)", card["left_out_by_format"]),
        *((name.replace("_", " "), counts) for name, counts in card["counts"].items()),
    ]
