"""`fairtrial detect PATH…`: hacks in trajectories, as leads, by rules and by contrast within each task."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from fairtrial.attack.detectors import SUSPECTED, Detected, Hit
from fairtrial.attack.detectors.comparing import Examined, compared
from fairtrial.attack.detectors.contrast import LEAST
from fairtrial.attack.detectors.model_judge import CONTEXT_TOKENS, LEAST_CONTEXT
from fairtrial.cli.agents import ModelWords
from fairtrial.cli.detect_model import ByModel, by_model
from fairtrial.cli.detect_page import print_page
from fairtrial.cli.detect_sources import Source, Unread, in_ledger, read_all, sources_of
from fairtrial.cli.options import BaseUrl, Effort, KeyVariable, PriceWords, Temperature
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document
from fairtrial.cli.progress import Ticker
from fairtrial.ledger import Ledger
from fairtrial.records import Finding

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
SCHEMA = "fairtrial.detect/1"
FAMILY = "trajectory"
"""Family of the findings that are written to a ledger."""


@app.command()
def detect(
    paths: Annotated[list[Path], typer.Argument(help="ATIF files, folders of them, or ledgers.")],
    task: Annotated[list[str] | None, typer.Option(help="Only this task; may be repeated.")] = None,
    to: Annotated[
        Path | None, typer.Option("--to", help="Ledger to which hits are added as findings, by trajectory.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=0, help="Processes; 0 for one a core.")] = 0,
    everything: Annotated[bool, typer.Option("--all", help="Show leads that are too weak to suspect, too.")] = False,
    model: Annotated[str, typer.Option("--model", help="Language model that looks too, alone and by contrast.")] = "",
    base_url: BaseUrl = "",
    effort: Effort = "",
    temperature: Temperature = None,
    api_key_variable: KeyVariable = "OPENAI_API_KEY",
    price: PriceWords = "",
    max_usd: Annotated[float | None, typer.Option("--max-usd", min=0, help="Most money the model may cost.")] = None,
    context_tokens: Annotated[
        int,
        typer.Option("--context-tokens", min=LEAST_CONTEXT, help="Room of one request; longer work comes in parts."),
    ] = CONTEXT_TOKENS,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, help="Requests to the model at once.")] = 4,
    as_json: JsonFlag = False,
) -> None:
    """Look for hacks in trajectories. A hit cites its steps and is a lead: only a review confirms a hack.

    Hits in rollouts of a ledger are added to it as findings. Exit code 1: some trajectory could not be read.
    """
    sources = sources_of(paths, task or ())
    ledger = Ledger.open(to) if to is not None else None
    with Ticker("detect", len(sources)) as ticker:
        read, unread = read_all(sources, workers, ticker.tick)
    asked: ByModel | None = None
    if model:
        words = ModelWords(model=model, base_url=base_url, effort=effort, max_usd=max_usd, price=price,
                           api_key_variable=api_key_variable, temperature=temperature)  # fmt: skip
        asked = by_model(words, [one for one, _ in read], context_tokens=context_tokens, at_once=concurrency)
        asked.say([one for one, _ in read])
    found = compared([examined for _, examined in read], asked.looked.hits if asked else None)
    rows = [(source, examined, what) for (source, examined), what in zip(read, found, strict=True)]
    added = _added([(source, what) for source, _, what in rows], ledger)
    if as_json:
        document = _document(rows, unread, added)
        print_document(document | {"judge": asked.document([source for source, _, _ in rows]) if asked else None})
    else:
        print_page(rows, unread, everything)
        if added:
            note(f"note: {added['added']} findings added to {', '.join(added['ledgers'])}, "
                 f"{added['held']} were there already")  # fmt: skip
    if asked and asked.looked.stopped:
        raise KeyboardInterrupt
    code = _exit_code(rows, unread)
    raise typer.Exit(DOES_NOT_HOLD if code == HOLDS and asked and asked.looked.not_measured else code)


def _exit_code(rows: Sequence[tuple[Source, Examined, Detected]], unread: Sequence[Unread]) -> int:
    for one in unread:
        note(f"not measured: {one.path}: {one.why}")
    if partly := [source.path for source, examined, _ in rows if examined.unread]:
        note(f"not measured: parts of {len(partly)} trajectories unfold too far to be read, the first {partly[0]}")
    if not rows:
        note("error: no trajectory could be read")
        return NOT_MEASURED
    return DOES_NOT_HOLD if unread or partly else HOLDS


def _document(
    rows: Sequence[tuple[Source, Examined, Detected]], unread: Sequence[Unread], added: dict[str, Any]
) -> dict[str, Any]:
    tasks: dict[str, int] = {}
    for source, _, _ in rows:
        tasks[source.task] = tasks.get(source.task, 0) + 1
    return {
        "schema": SCHEMA,
        "suspected_at": SUSPECTED,
        "rollouts": [_row(source, examined, what) for source, examined, what in rows],
        "unread": [{"path": one.path, "why": one.why} for one in unread],
        "steps": sum(examined.steps for _, examined, _ in rows),
        "contrast": {
            "least_others": LEAST,
            "tasks": sum(count > LEAST for count in tasks.values()),
            "tasks_too_small": sum(count <= LEAST for count in tasks.values()),
        },
        "findings": added or None,
    }


def _row(source: Source, examined: Examined, what: Detected) -> dict[str, Any]:
    return {
        "path": source.path,
        "rollout": source.rollout or None,
        "task": source.task,
        "suspected": what.suspected,
        "score": what.score,
        "category": what.group or None,
        "evidence_steps": list(what.steps),
        "claims": [_claim(hit) for hit in what.hits],
        "unread": list(examined.unread),
    }


def _claim(hit: Hit) -> dict[str, Any]:
    return {
        "claim": hit.claim,
        "group": hit.group,
        "detector": hit.detector,
        "score": hit.score,
        "steps": list(hit.steps),
        "citations": [citation.text for citation in hit.citations],
    }


def _evidence(hit: Hit, score: float) -> dict[str, Any]:
    """Return a hit as evidence of a finding, which has a field of its own for the claim."""
    return {name: value for name, value in _claim(hit).items() if name != "claim"} | {"score": score}


def _added(rows: Sequence[tuple[Source, Detected]], to: Ledger | None) -> dict[str, Any]:
    """Add the hits to the ledgers that the rollouts are from, or to `to`; return how many were new."""
    by_ledger: dict[str, list[Finding]] = {}
    known = in_ledger([source for source, _ in rows], to) if to is not None else {}
    if to is not None and (absent := sum(source.path not in known for source, _ in rows)):
        note(f"note: {absent} trajectories are of no rollout of {to.path}, and add no finding to it")
    for source, what in rows:
        of = known.get(source.path, source) if to is None or source.path in known else None
        if of is not None and of.ledger:
            by_ledger.setdefault(of.ledger, []).extend(findings_of(of, what))
    new = held = 0
    for path, findings in by_ledger.items():
        done = Ledger.open(path).append("findings", findings)
        new, held = new + done.added, held + done.duplicates
    return {"ledgers": sorted(by_ledger), "added": new, "held": held} if by_ledger else {}


def findings_of(source: Source, what: Detected) -> list[Finding]:
    """Return the hits of a rollout as findings; the first, strongest one carries the rollout's score."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    first = next((hit for hit in what.hits if hit.group == what.group), None)
    return [
        Finding(
            task=source.task, probe=hit.detector, family=FAMILY, severity="lead", claim=hit.claim, suite=source.suite,
            task_hash=source.task_hash, rollout=source.rollout, recorded_at=now,
            evidence=orjson.dumps(_evidence(hit, what.score if hit is first else hit.score)).decode(),
        )
        for hit in what.hits
    ]  # fmt: skip
