"""docs/rules.md describes every field of a rules file and of a submission's file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from fairtrial.rules.schema import RulesToml
from fairtrial.rules.submission import SubmissionToml

PAGE = (Path(__file__).resolve().parents[2] / "docs/rules.md").read_text(encoding="utf-8")


def fields(model: type[BaseModel]) -> Iterator[str]:
    """Yield the keys of a table and of those within it, tables as `[name]` or `[[name]]`."""
    for name, field in model.model_fields.items():
        inner = [one for one in (field.annotation, *getattr(field.annotation, "__args__", ()))
                 if isinstance(one, type) and issubclass(one, BaseModel)]  # fmt: skip
        if not inner:
            yield name
            continue
        yield f"[{name}]" if inner[0] is field.annotation else f"[[{name}]]"
        yield from fields(inner[0])


@pytest.mark.parametrize("model", [RulesToml, SubmissionToml])
def test_every_field_is_described(model: type[BaseModel]) -> None:
    rows = "\n".join(line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| "))
    assert {name for name in fields(model) if f"`{name}`" not in rows} == set()
