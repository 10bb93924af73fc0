"""Docent's agent runs, one JSON object a line, as `AgentRun.model_validate_json` of its package loads them.

Verdict and reviews are the run's `scores`, and stand whole, with their citations, in its metadata. An agent run needs a
transcript: that of a rollout without steps and without an answer holds no message. Ids are made from the rollout's,
so writing twice names the same runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import orjson

from fairtrial.formats.viewers.messages import messages_of, pictures_in
from fairtrial.formats.viewers.shown import Shown, Told, WrittenFile, in_words, said_of
from fairtrial.formats.viewers.writing import written_lines

FILE = "agent_runs.jsonl"


class DocentViewer:
    """Writes agent runs."""

    name = "docent"

    def write(self, rollouts: Iterable[Shown], folder: Path) -> Told:
        """Write `agent_runs.jsonl`."""
        told = Told()

        def lines() -> Iterable[bytes]:
            for shown in rollouts:
                told.written += 1
                told.counts["pictures"] += pictures_in(shown.trajectory)
                yield orjson.dumps(_agent_run(shown))

        rows = written_lines(folder / FILE, lines())
        told.files.append(WrittenFile(folder / FILE, rows, "agent runs of Docent"))
        told.notes.append("Docent gives ids of its own to runs that it takes in; `metadata.rollout` is the ledger's.")
        return told


def _agent_run(shown: Shown) -> dict[str, Any]:
    of, trajectory = shown.rollout, shown.trajectory
    transcript = {
        "id": _id(shown.id, "transcript"), "name": of.label or None, "messages": messages_of(shown),
        "metadata": {"trajectory": of.trajectory or None, "tools": [dict(tool) for tool in trajectory.tools]}
        if trajectory else {},
    }  # fmt: skip
    labels = {name: getattr(of, name) for name in (
        "suite", "task", "model", "agent", "effort", "attempt", "settings", "environment", "seed", "step", "group",
        "origin", "answer", "split", "domain", "family", "cluster", "task_hash", "stop", "steps", "input_tokens",
        "output_tokens", "cost_usd", "seconds", "recorded_at",
    )}  # fmt: skip
    scores = {"passed": shown.passed, "score": shown.score, "satisfied_person": shown.person,
              "satisfied_judge": shown.judge, "hack": shown.hack}  # fmt: skip
    return {
        "id": _id(shown.id, "run"), "name": f"{of.task} / {of.model} / {of.attempt}", "description": in_words(shown),
        "transcripts": [transcript], "transcript_groups": [],
        "metadata": {**labels, "scores": scores, **said_of(shown)},
    }  # fmt: skip


def _id(rollout: str, part: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"fairtrial:{part}:{rollout}"))
