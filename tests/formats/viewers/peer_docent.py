"""Run by an interpreter that holds docent: loads a file of agent runs; prints one JSON line of what it holds."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FIELDS = {"id", "name", "description", "transcripts", "transcript_groups", "metadata"}


def loaded(path: Path) -> list[dict[str, Any]]:
    """Load each line as an agent run."""
    from docent.data_models.agent_run import AgentRun

    told = []
    for line in path.read_text().splitlines():
        run = AgentRun.model_validate_json(line)
        messages = run.transcripts[0].messages
        told.append({
            "id": run.id, "rollout": run.metadata["rollout"], "scores": run.metadata["scores"],
            "messages": [[type(one).__name__, one.text] for one in messages],
            "calls": [call.function for one in messages for call in getattr(one, "tool_calls", None) or ()],
            "reviews": run.metadata["reviews"], "lost": sorted(set(run.model_dump()) ^ FIELDS),
        })  # fmt: skip
    return told


if __name__ == "__main__":
    print(json.dumps(loaded(Path(sys.argv[1]))))
