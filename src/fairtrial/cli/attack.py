"""`fairtrial attack`: list every probe, what a sound grader does with it, and which class of weakness it covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, get_args

import typer

from fairtrial.attack import Card, cards, catalogue_version
from fairtrial.attack.card import Surface
from fairtrial.attack.classes import CLASSES, WeaknessClass, covering, find_class
from fairtrial.cli.output import JsonFlag, print_document, stdout
from fairtrial.records import InputError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def attack_(
    listed: Annotated[bool, typer.Option("--list", help="List the catalogue; nothing is run.")] = False,
    weakness: Annotated[str, typer.Option("--class", help="Only what covers this class: BGW-111, TRACE-8.")] = "",
    surface: Annotated[str, typer.Option("--surface", help="Only probes of workspace, text or judge.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """List every probe of the catalogue, then each class of weakness with the probes that cover it."""
    if not listed:
        hint = "`fairtrial attack --list` lists the probes; `fairtrial prove PATH` tries them on a grader."
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
