"""The columns of Scout's transcripts (inspect_scout 0.6), and those that this package adds to them as metadata.

Scout needs `transcript_id` alone; every column it does not know is metadata, which it can filter by. `fairtrial` names
the version of ours: a file that has it is read back as it was.
"""

from __future__ import annotations

import pyarrow as pa

MARK = "fairtrial"
VERSION = "fairtrial.scout/1"
TRANSCRIPTS, TRAJECTORIES = "transcripts.parquet", "trajectories.pq"
"""The second one holds trajectories as the ledger has them. Its name does not end as Scout's files do, so Scout lets it
be."""

_text, _int, _float, _bool = pa.large_string(), pa.int64(), pa.float64(), pa.bool_()

SCOUT: dict[str, pa.DataType] = {
    "transcript_id": _text, "source_type": _text, "source_id": _text, "source_uri": _text, "date": _text,
    "task_set": _text, "task_id": _text, "task_repeat": _int, "agent": _text, "agent_args": _text, "model": _text,
    "model_options": _text, "score": _text, "score_explanation": _text, "success": _bool, "message_count": _int,
    "total_time": _float, "total_tokens": _int, "error": _text, "limit": _text, "messages": _text, "events": _text,
}  # fmt: skip

ROLLOUT: dict[str, pa.DataType] = {
    "suite": _text, "effort": _text, "attempt": _int, "settings": _text, "environment": _text, "seed": _int,
    "step": _int, "group": _text, "origin": _text, "trajectory": _text, "answer": _text, "split": _text,
    "domain": _text, "family": _text, "cluster": _text, "task_hash": _text, "sandbox": _text, "stop": _text,
    "label": _text, "steps": _int, "input_tokens": _int, "output_tokens": _int, "cost_usd": _float, "seconds": _float,
    "recorded_at": _text,
}  # fmt: skip
"""Fields of a rollout that Scout has no column for, or that its column says otherwise."""

SAID: dict[str, pa.DataType] = {
    "rollout": _text, "outcome": _text, "reason": _text, "verdict_score": _float, "grader": _text, "verdict": _text,
    "checks": _text, "satisfied_person": _bool, "satisfied_judge": _bool, "disputed": _bool, "hack": _bool,
    "reviews": _text, "leads": _text, "lead_count": _int, "withdrawn": _text,
}  # fmt: skip
"""What was said of it; lists and objects are JSON, which Scout opens by itself."""

SCHEMA = pa.schema([*SCOUT.items(), (MARK, _text), *ROLLOUT.items(), *SAID.items()])
