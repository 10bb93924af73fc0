"""The seam of a walk: what acts in an app, and what is seen there after each step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from fairtrial.checks.reading import WorkError, json_from
from fairtrial.checks.state.workflows.steps import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What an app shows at one point of a walk."""

    url: str = ""
    """Path and query."""
    status: int = 0
    title: str = ""
    text: str = ""
    """What a reader sees: no scripts, no hidden elements; lines as blocks break them."""
    body: str = ""
    """What was sent, for JSON."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Values of the fields of forms, by name."""

    def json(self) -> Any:
        """Return the body as JSON. Raise WorkError where it is none."""
        return json_from(self.body, f"the answer at {self.url}")


class Visitor(Protocol):
    """Acts in an app. Raises WorkError where the app does not let it, CheckError where it cannot act at all."""

    patience_seconds: float
    """How long a fact may take to become true; 0 where nothing changes by itself."""

    def act(self, step: Step) -> None:
        """Do what one step says."""
        ...

    def seen(self) -> Seen:
        """Return what there is to see now."""
        ...

    def evidence(self) -> list[dict[str, Any]]:
        """Return what was kept to show: screenshots, with their hashes."""
        ...

    def close(self) -> None:
        """Leave the app."""
        ...


def request_body(value: Mapping[str, Any]) -> tuple[str, str]:
    """Return content type and body of a `request` step. Raise WorkError for none of ours: see `steps`.

    >>> request_body({"path": "/", "json": {"a": 1}})
    ('application/json', '{"a": 1}')
    """
    if "json" in value:
        return "application/json", json.dumps(value["json"])
    if "body" in value and not isinstance(value["body"], str):
        raise WorkError("`body` should be a text")
    return "text/plain; charset=utf-8", str(value.get("body", ""))
