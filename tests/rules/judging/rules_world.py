"""A small world to be ruled on: a rules file, a ledger with checks of a submission, scripted judges over loopback."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.ledger.screened import all_rulings
from fairtrial.models import ScriptedServer
from fairtrial.models.scripted import Asked, Line, say
from fairtrial.records import Ruling, Screening, Submission, canonical_json
from fairtrial.rules.current import EXHIBITS
from fairtrial.rules.exhibits import exhibit, kept

RULES = '[benchmark]\nname = "b"\nversion = "1"\nruns_per_task = 1\nchecked = ["contamination"]\n'
ROW = "Brook Mill bought flour for 480 on credit"
SUBMISSION = "policy-omega-9"
QUOTE = {"place": "training row 4", "quote": ROW}
Script = Callable[[Asked], Line] | list[Line]


@dataclass(frozen=True)
class World:
    """Rules and a ledger."""

    folder: Path
    book: Ledger

    @property
    def rules(self) -> Path:
        return self.folder / "rules.toml"

    def screen(self, *, document: dict[str, Any] | None = None, **more: Any) -> Screening:
        """Keep a screening of the submission."""
        told = {"flagged": [{"train_id": "r4", "item_id": "a1", "score": 0.9}]} if document is None else document
        address = self.book.put_blob(canonical_json(told)) if told else ""
        record = Screening(**({"kind": "scan", "subject": "train.jsonl", "subject_hash": "h", "holds": False,
                               "summary": "1 of 9 training rows flagged", "model": SUBMISSION, "document": address,
                               "recorded_at": "2"} | more))  # fmt: skip
        self.book.append("screenings", [record])
        return record

    def submit(self, row: str = ROW, *, at: str = "1") -> None:
        """Keep the submission with one flagged row and a random one as exhibits."""
        shown = [exhibit("training row 4", row, "flagged with item a1"), exhibit("random row 7", "Add up 3 and 4.")]
        artifacts = {"training_set": [{"path": "train.jsonl", "hash": "h"}],
                     EXHIBITS: [{"path": "contamination", "hash": kept(self.book, shown)}]}  # fmt: skip
        self.book.append("submissions", [Submission(model=SUBMISSION, recorded_at=at,
                                                    artifacts=canonical_json(artifacts).decode())])  # fmt: skip

    def judge(self, script: Script, *options: str, code: int = 0, model: str = "any") -> list[Asked]:
        """Run `rules judge` with a scripted model; return what it was asked, the word of the start left out."""
        with ScriptedServer(answering_first(script)) as server:
            words = ["rules", "judge", str(self.book.path), "--rules", str(self.rules), "--submission", SUBMISSION,
                     "--base-url", server.base_url, *(["--model", model] if model else []), *options]  # fmt: skip
            assert run(words) == code
            return [one for one in server.asked if not is_preflight(one)]

    def rulings(self) -> tuple[Ruling, ...]:
        return all_rulings(Ledger.open(self.book.path))


def world(folder: Path, more: str = "") -> World:
    """Make the rules file and an empty ledger below `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rules.toml").write_text(RULES + more)
    return World(folder, Ledger.open(folder / "ledger", create=True))


def is_preflight(asked: Asked) -> bool:
    return "Reply with the word: ready" in asked.last


def answering_first(script: Script) -> Callable[[Asked], Line]:
    """Answer the word of the start, then go through `script`."""
    lines = iter(script) if isinstance(script, list) else None

    def answer(asked: Asked) -> Line:
        if is_preflight(asked):
            return say("ready")
        return next(lines) if lines is not None else script(asked)  # type: ignore[operator]

    return answer


def nonce(asked: Asked) -> str:
    """Return the word of the asking, as the instructions name it."""
    found = re.search(r'"asking": "([0-9a-f]+)"', asked.messages[0]["content"])
    assert found
    return found[1]


def ruling(asked: Asked, ruled: str, *citations: dict[str, str], reason: str = "as cited") -> Line:
    """Reply with a ruling."""
    told = {"asking": nonce(asked), "citations": list(citations), "ruled": ruled, "reason": reason}
    return say(json.dumps(told))


def seed(asked: Asked) -> int:
    return int(asked.body["seed"])


def document(out: str) -> dict[str, Any]:
    found = orjson.loads(out)
    assert isinstance(found, dict)
    return found
