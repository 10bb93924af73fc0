"""Targets made of two folders, for probes that need no box: what stood in /app, and what the reference made of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.attack.tampering.tiny_tasks import Tiny, write

from fairtrial.attack import Target
from fairtrial.tasks import load_suite

Files = Mapping[str, str | bytes]


def target_from(
    folder: Path, before: Files, after: Files, *, instruction: str = "Write it.\n", proof: str = "", most: int = 24
) -> Target:
    """Return a target whose reference turned the files `before` of /app into `after`."""
    more = {"proof.toml": proof} if proof else {}
    suite = load_suite(write(folder / "task", Tiny(instruction=instruction, more=more)))
    (task,) = suite.tasks
    for name, files in (("before", before), ("after", after)):
        (folder / name / "app").mkdir(parents=True)
        for inside, content in files.items():
            path = folder / name / "app" / inside
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "scratch").mkdir()
    return Target(task=task, key=suite.keys[task.name], before=folder / "before", after=folder / "after",
                  scratch=folder / "scratch", most=most)  # fmt: skip


def texts(target: Target, probe) -> dict[str, dict[str, str]]:
    """Return submission -> inside path -> what is laid there, as text."""
    return {
        one.name: {inside: path.read_text(errors="replace") for inside, path in one.agent.files.items()}
        for one in probe.submissions(target)
    }
