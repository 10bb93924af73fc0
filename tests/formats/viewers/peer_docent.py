"""Run by an interpreter that holds docent: loads a file of agent runs; prints one JSON line of what it holds."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from docent.data_models.agent_run import AgentRun

runs = [AgentRun.model_validate_json(line) for line in Path(sys.argv[1]).read_text().splitlines()]
print(json.dumps([
    {"id": run.id, "rollout": run.metadata["rollout"], "scores": run.metadata["scores"],
     "messages": [[type(one).__name__, one.text] for one in run.transcripts[0].messages],
     "calls": [call.function for one in run.transcripts[0].messages for call in getattr(one, "tool_calls", None) or ()],
     "reviews": run.metadata["reviews"], "lost": sorted(set(run.model_dump()) ^ {
         "id", "name", "description", "transcripts", "transcript_groups", "metadata"})}
    for run in runs
]))  # fmt: skip
