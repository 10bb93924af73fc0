"""The tables of a ledger, as Arrow schemas, and their version.

A column added later is read as null from older parts; a change of meaning is a new version and a numbered
migration. Covers shape only: what is written when is `store`, what is asked is `views`.
"""

from __future__ import annotations

import pyarrow as pa

VERSION = 1

_text = pa.string()
_check = pa.struct([("name", _text), ("status", _text), ("message", _text)])
_stratum = pa.struct([("name", _text), ("population", pa.int64()), ("sampled", pa.int64())])
_draw = pa.struct([("rollout", _text), ("stratum", _text), ("probability", pa.float64()), ("readers", pa.int64()),
                   ("reader_probability", pa.float64())])  # fmt: skip

TABLES: dict[str, pa.Schema] = {
    "rollouts": pa.schema(
        [("id", _text), ("suite", _text), ("task", _text), ("task_hash", _text), ("model", _text), ("agent", _text),
         ("effort", _text), ("attempt", pa.int64()), ("settings", _text), ("environment", _text), ("seed", pa.int64()),
         ("step", pa.int64()), ("group", _text), ("split", _text), ("domain", _text), ("family", _text),
         ("cluster", _text), ("answer", _text), ("stop", _text), ("label", _text), ("source", _text),
         ("origin", _text), ("sandbox", _text), ("steps", pa.int64()), ("trajectory", _text), ("deliverable", _text),
         ("input_tokens", pa.int64()), ("output_tokens", pa.int64()), ("cost_usd", pa.float64()),
         ("seconds", pa.float64()), ("recorded_at", _text)]
    ),
    "verdicts": pa.schema(
        [("id", _text), ("rollout", _text), ("grader", _text), ("outcome", _text), ("reason", _text),
         ("score", pa.float64()), ("expected", _text), ("checks", pa.list_(_check)), ("task_hash", _text),
         ("deliverable", _text), ("evidence", _text), ("seconds", pa.float64()), ("recorded_at", _text)]
    ),
    "findings": pa.schema(
        [("id", _text), ("suite", _text), ("task", _text), ("task_hash", _text), ("rollout", _text), ("probe", _text),
         ("family", _text), ("severity", _text), ("claim", _text), ("command", _text), ("evidence", _text),
         ("runner", _text), ("recorded_at", _text)]
    ),
    "proofs": pa.schema(
        [("id", _text), ("suite", _text), ("task", _text), ("task_hash", _text), ("path", _text), ("status", _text),
         ("sandbox", _text), ("tool", _text), ("required", pa.list_(_text)), ("measured", pa.list_(_text)),
         ("not_applicable", pa.list_(_text)),
         ("not_measured", pa.list_(pa.struct([("probe", _text), ("why", _text)]))), ("gradings", pa.int64()),
         ("seconds", pa.float64()), ("recorded_at", _text), ("settings", _text), ("outcomes", _text)]
    ),
    "reviews": pa.schema(
        [("id", _text), ("rollout", _text), ("reviewer", _text), ("kind", _text), ("satisfied", pa.bool_()),
         ("hack", pa.bool_()), ("failure_tags", pa.list_(_text)), ("behaviour_tags", pa.list_(_text)),
         ("citations", pa.list_(_text)), ("note", _text), ("recorded_at", _text), ("sample", _text), ("stage", _text),
         ("label", _text), ("verdict", _text), ("adjudicates", pa.bool_()), ("void", _text), ("seconds", pa.float64()),
         ("settings", _text)]
    ),
    "samples": pa.schema(
        [("id", _text), ("name", _text), ("seed", pa.int64()), ("by", pa.list_(_text)), ("parent", _text),
         ("settings", _text), ("strata", pa.list_(_stratum)), ("rows", pa.list_(_draw)), ("recorded_at", _text)]
    ),
    "preferences": pa.schema(
        [("id", _text), ("suite", _text), ("task", _text), ("task_hash", _text), ("first", _text), ("second", _text),
         ("preferred", _text), ("question", _text), ("reviewer", _text), ("kind", _text),
         ("citations", pa.list_(_text)), ("note", _text), ("seconds", pa.float64()), ("recorded_at", _text)]
    ),
    "signoffs": pa.schema(
        [("id", _text), ("suite", _text), ("task", _text), ("task_hash", _text), ("part", _text), ("holds", pa.bool_()),
         ("reviewer", _text), ("role", _text), ("second_design", _text), ("second_design_passes", pa.bool_()),
         ("note", _text), ("evidence", _text), ("recorded_at", _text)]
    ),
    "inspections": pa.schema(
        [("id", _text), ("checklist", _text), ("item", _text), ("answer", _text), ("reviewer", _text),
         ("suite", _text), ("task", _text), ("task_hash", _text), ("rollout", _text), ("at_scale", pa.bool_()),
         ("citations", pa.list_(_text)), ("note", _text), ("recorded_at", _text)]
    ),
    "submissions": pa.schema(
        [("id", _text), ("model", _text), ("base", _text), ("entrant", _text), ("benchmark", _text),
         ("artifacts", _text), ("input_tokens", pa.int64()), ("output_tokens", pa.int64()), ("cost_usd", pa.float64()),
         ("source", _text), ("recorded_at", _text)]
    ),
    "screenings": pa.schema(
        [("id", _text), ("kind", _text), ("subject", _text), ("subject_hash", _text), ("holds", pa.bool_()),
         ("summary", _text), ("against", _text), ("against_hash", _text), ("model", _text), ("suite", _text),
         ("not_measured", pa.list_(_text)), ("document", _text), ("settings", _text), ("recorded_at", _text)]
    ),
    "rulings": pa.schema(
        [("id", _text), ("model", _text), ("rule", _text), ("ruled", _text), ("kind", _text), ("by", _text),
         ("reason", _text), ("rules", _text), ("run", pa.int64()), ("suite", _text), ("citations", pa.list_(_text)),
         ("evidence", _text), ("settings", _text), ("recorded_at", _text)]
    ),
    "withdrawals": pa.schema(
        [("id", _text), ("model", _text), ("rollouts", pa.list_(_text)), ("reason", _text), ("author", _text),
         ("suite", _text), ("recorded_at", _text)]
    ),
    "checkpoints": pa.schema(
        [("id", _text), ("model", _text), ("seed", pa.int64()), ("step", pa.int64()), ("recipe", _text),
         ("document", _text), ("stage", _text), ("base", _text), ("base_hash", _text), ("weights_hash", _text),
         ("data_hash", _text), ("planned", pa.bool_()), ("degenerate", _text), ("left_out_family", _text),
         ("tasks", pa.int64()), ("sampled", pa.int64()), ("input_tokens", pa.int64()), ("output_tokens", pa.int64()),
         ("cost_usd", pa.float64()), ("seconds", pa.float64()), ("outage_steps", pa.list_(pa.int64())),
         ("paused", _text), ("versions", _text), ("recorded_at", _text)]
    ),
}  # fmt: skip
