"""A scripted judge over loopback: it says what a test wants of what it is shown, in the shape that is asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from fairtrial.checks.judged import Judges
from fairtrial.models import Budget, LanguageModel, ModelSpec, Patience, ScriptedServer
from fairtrial.models.scripted import Asked, Line, say

Cited = tuple[str, int, int, str]


def nonce_of(asked: Asked) -> str:
    found = re.search(r"the word ([0-9a-f]{16})", str(asked.messages[0]["content"]))
    assert found
    return found[1]


def opinion(asked: Asked, verdict: str | None, *cited: Cited, **changes: Any) -> str:
    """Return a reply that fits; each citation is a claim of its own."""
    reply: dict[str, Any] = {
        "asking": nonce_of(asked),
        "reasons": [{"claim": f"claim {n}", "cites": [n]} for n, _ in enumerate(cited, 1)],
        "citations": [{"source": s, "first_line": a, "last_line": b, "quote": q} for s, a, b, q in cited],
    }
    return json.dumps(reply | ({} if verdict is None else {"verdict": verdict}) | changes)


class Bench:
    """Opens judges on scripts, over a deliverable with one file."""

    def __init__(self, root: Path, stack: ExitStack) -> None:
        self.root, self._stack = root, stack
        self.memo("EBITDA: 4.2m\nDebt: 9m\n")

    def memo(self, text: str) -> None:
        (self.root / "app").mkdir(exist_ok=True)
        (self.root / "app" / "memo.md").write_text(text, encoding="utf-8")

    @property
    def artifacts(self) -> list[str]:
        return [str(self.root / "app" / "memo.md")]

    def judges(
        self, script: Callable[[Asked], Line | str] | list[Line], **changes: Any
    ) -> tuple[Judges, ScriptedServer]:
        def spoken(asked: Asked) -> Line:
            assert callable(script)
            line = script(asked)
            return say(line) if isinstance(line, str) else line

        server = self._stack.enter_context(ScriptedServer(spoken if callable(script) else script))
        patience = Patience(attempts=2, first_wait_seconds=0.001, longest_wait_seconds=0.001)
        spec = changes.pop("spec", {})
        model = LanguageModel(
            ModelSpec(**({"name": "m", "base_url": server.base_url} | spec)),
            patience=patience, budget=changes.pop("budget", Budget()), cache=changes.pop("cache", None),
        )  # fmt: skip
        self._stack.enter_context(model)
        return Judges(**({"model": model, "root": self.root, "at_once": 1} | changes)), server


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    root = tmp_path / "deliverable"
    root.mkdir()
    with ExitStack() as stack:
        yield Bench(root, stack)
