"""A verb with commands of its own, of which only the one that is asked for is loaded: all together take seconds.

The verb's module holds a list with each one's line, and a test holds the lines to what the modules say.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup


class Subcommand(NamedTuple):
    """Where a command lives: module, function, and its line in the list."""

    module: str
    function: str
    summary: str


def loaded(found: Subcommand, name: str) -> Any:
    """Load a command and return it as typer makes it."""
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command(name)(getattr(importlib.import_module(found.module), found.function))
    return typer.main.get_command(alone)


def group(subcommands: Mapping[str, Subcommand]) -> typer.Typer:
    """Return an app that lists `subcommands` without loading them."""

    class Loading(TyperGroup):
        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            self.commands = {
                name: TyperCommand(name, callback=None, help=each.summary) for name, each in subcommands.items()
            }

        def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
            name, listed, rest = super().resolve_command(ctx, args)
            return name, None if listed is None or name is None else loaded(subcommands[name], name), rest

    return typer.Typer(cls=Loading, add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)
