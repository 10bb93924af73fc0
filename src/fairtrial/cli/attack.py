"""`fairtrial attack`: list every probe and what it covers, or let a language model attack the graders of a suite."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from fairtrial.attack import Card, cards, catalogue_version
from fairtrial.attack.card import Surface
from fairtrial.attack.classes import CLASSES, WeaknessClass, covering, find_class
from fairtrial.attack.hacker.options import HackOptions
from fairtrial.cli.agents import ModelWords
from fairtrial.cli.attack_agent import HackWords, attack_by_model
from fairtrial.cli.options import (
    BaseUrl,
    Effort,
    KeyVariable,
    MaxTurns,
    Model,
    PassAt,
    PriceWords,
    RunnerNames,
    SandboxName,
    Seed,
    Temperature,
    Unisolated,
    named_runners,
)
from fairtrial.cli.output import JsonFlag, print_document, stdout
from fairtrial.grade import PASS_AT
from fairtrial.records import InputError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class AttackAgent(StrEnum):
    """The agents that attack."""

    HACK = "hack"


@app.command()
def attack_(
    suite: Annotated[Path | None, typer.Argument(help="Suite for the hack agent: a task folder, or a folder.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the catalogue; nothing is run.")] = False,
    weakness: Annotated[str, typer.Option("--class", help="Only what covers this class: BGW-111, TRACE-8.")] = "",
    surface: Annotated[str, typer.Option("--surface", help="Only probes of workspace, text or judge.")] = "",
    agent: Annotated[AttackAgent | None, typer.Option("--agent", help="hack: a model that tries to get past.")] = None,
    model: Model = "",
    base_url: BaseUrl = "",
    effort: Effort = "",
    temperature: Temperature = None,
    max_turns: MaxTurns = 40,
    price: PriceWords = "",
    api_key_variable: KeyVariable = "OPENAI_API_KEY",
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Most rounds of attack.")] = 3,
    attempts: Annotated[int, typer.Option("--attempts", min=1, help="Attempts at each task in a round.")] = 2,
    own: Annotated[int, typer.Option("--own-attempts", min=0, help="Honest attempts at each task.")] = 0,
    policy_results: Annotated[Path | None, typer.Option("--policy-results", help="Ledger of the policies.")] = None,
    max_usd: Annotated[float | None, typer.Option("--max-usd", min=0, help="Most money of the whole attack.")] = None,
    max_tokens: Annotated[int | None, typer.Option("--max-tokens", min=0, help="Most tokens of all of it.")] = None,
    impossible: Annotated[bool, typer.Option("--impossible", help="Flip an expected value of each grader.")] = False,
    runners: RunnerNames = "ours",
    task: Annotated[list[str] | None, typer.Option(help="Only this task; may be repeated.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Where attacks are kept; beside the suite.")] = None,
    ledger: Annotated[Path | None, typer.Option("--ledger", help="Ledger of findings and rollouts.")] = None,
    sandbox: SandboxName = "",
    allow_unisolated: Unisolated = False,
    workers: Annotated[int, typer.Option("--workers", min=0, help="Attempts at once; 0 for one a core.")] = 0,
    pass_at: PassAt = PASS_AT,
    seed: Seed = 0,
    as_json: JsonFlag = False,
) -> None:
    """List every probe and the classes of weakness they cover; or let a model attack the graders of SUITE."""
    if agent is not None:
        if suite is None:
            raise InputError("there is nothing to attack", field="SUITE", hint="Give a task folder, or a suite.")
        words = ModelWords(model=model, base_url=base_url, effort=effort, temperature=temperature, max_turns=max_turns,
                           price=price, api_key_variable=api_key_variable)  # fmt: skip
        options = HackOptions(rounds=rounds, attempts=attempts, runners=named_runners(runners), impossible=impossible,
                              most_usd=max_usd, most_tokens=max_tokens, at_once=workers or os.cpu_count() or 1,
                              pass_at=pass_at, seed=seed)  # fmt: skip
        raise typer.Exit(attack_by_model(HackWords(
            suite=suite, model=words, options=options, tasks=tuple(task or ()), sandbox=sandbox,
            allow_unisolated=allow_unisolated, own_attempts=own, policy_results=policy_results, out=out,
            ledger=ledger, as_json=as_json,
        )))  # fmt: skip
    if not listed:
        hint = (
            "`fairtrial attack --list` lists the probes, `fairtrial prove PATH` tries them on a grader, and "
            "`fairtrial attack SUITE --agent hack --model MODEL` lets a model try."
        )
        raise InputError("there is nothing to do", hint=hint)
    every = cards()
    classes = (find_class(weakness),) if weakness else CLASSES
    chosen = _chosen(every, classes[0] if weakness else None, surface)
    if as_json:
        print_document(_document(chosen, classes, catalogue_version(every)))
    else:
        _print_probes(chosen)
        _print_classes(classes, chosen)


def _chosen(every: Sequence[Card], weakness: WeaknessClass | None, surface: str) -> tuple[Card, ...]:
    """Return the cards that --class and --surface leave. Raise InputError for a surface that there is not."""
    surfaces = get_args(Surface)
    if surface and surface not in surfaces:
        raise InputError(f"there is no surface `{surface}`", field="--surface", hint=f"One of {', '.join(surfaces)}.")
    return tuple(
        card
        for card in every
        if (not surface or card.surface == surface) and (weakness is None or weakness.id in card.classes)
    )


def _document(chosen: Sequence[Card], classes: Sequence[WeaknessClass], version: str) -> dict[str, Any]:
    return {
        "schema": "fairtrial.catalogue/1",
        "version": version,
        "probes": [asdict(card) for card in chosen],
        "classes": [
            {"id": one.id, "title": one.title, "probes": list(covering(one, chosen)), "why_not": one.why_not}
            for one in classes
        ],
    }


def _print_probes(chosen: Sequence[Card]) -> None:
    for surface in get_args(Surface):
        here = [card for card in chosen if card.surface == surface]
        if here:
            stdout.print(f"{surface}: {len(here)} probes", style="bold")
        for card in here:
            classes = ", ".join(card.classes)
            _line(f"  {card.id}  {card.family}  {classes}")
            _line(f"      submits {card.submits}")
            _line(f"      a sound grader {card.sound}", dim=True)


def _print_classes(classes: Sequence[WeaknessClass], chosen: Sequence[Card]) -> None:
    stdout.print("\nclasses", style="bold")
    for one in classes:
        _line(f"  {one.id}  {one.title}")
        probes = covering(one, chosen)
        if probes:
            _line(f"      {', '.join(probes)}", dim=True)
        if one.why_not:
            _line(f"      not probed: {one.why_not}", dim=True)


def _line(text: str, *, dim: bool = False) -> None:
    stdout.print(text, markup=False, soft_wrap=True, style="dim" if dim else None)
