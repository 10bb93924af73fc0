"""What stands behind a flag, short enough for a page: rows beside items, tensor figures, requests, differences.

The whole of it is in the run's checks.json.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairtrial.contamination.conduct.leads import BREAKING

MOST = 5
MOST_TEXT = 600
MOST_DIFF = 4_000


def evidence_of(check: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the evidence of one check as it stands in a document `fairtrial.rules_check/1`."""
    made = {"contamination": _rows, "usage": _leads, "lookup": _leads, "identity": _tensors, "edits": _edits}
    documents = [one["document"] for one in check["screenings"] if one["document"] and one["holds"] is False]
    return [each for document in documents for each in made[check["rule"]](document)]


def _rows(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    if document["schema"] == "fairtrial.same_file/1":
        return [{"kind": "same file", "path": document["path"], "track": document["track"]}]
    if document["schema"] == "fairtrial.decoy_gap/1":
        told = {name: document[name] for name in ("items", "decoys", "gap", "p_value", "seed")}
        return [{"kind": "decoy gap"} | told]
    found: list[dict[str, Any]] = []
    spread = document.get("distribution")
    if spread:
        names = ("eval_near", "decoy_near", "p_value", "built_around")
        found.append({"kind": "distribution"} | {name: spread[name] for name in names})
    items = [one for one in document.get("items", ()) if one["flagged"]]
    if items:
        found.append({"kind": "items", "flagged": len(items), "items": [
            {"item": one["item_id"], "near_rows": one["near_rows"], "q_value": one["q_value"]} for one in items[:MOST]
        ]})  # fmt: skip
    return found + [_pair(one) for one in _spread(document.get("flagged", ()))]


def _spread(pairs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return pairs of as many items as there is room for, the best of each."""
    best: dict[str, Mapping[str, Any]] = {}
    for one in pairs:
        best.setdefault(one["item_id"], one)
    return list(best.values())[:MOST]


def _pair(one: Mapping[str, Any]) -> dict[str, Any]:
    return {"kind": "row", "row": one["train_id"], "item": one["item_id"], "score": one["score"],
            "detector": one["detector"], "train_text": _passage(one["train"]),
            "item_text": _passage(one["item"])}  # fmt: skip


def _passage(told: Mapping[str, Any] | None) -> str:
    return "" if told is None else f"{told['before']}{told['text']}{told['after']}"[:MOST_TEXT]


def _leads(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = ("certainty", "claim", "quote", "host", "place", "line", "times")
    sure = [one for one in document["findings"] if one["certainty"] in BREAKING]
    return [{"kind": "lead", "of": one["kind"], "file": Path(one["path"]).name} | {name: one[name] for name in names}
            for one in sure[:MOST]]  # fmt: skip


def _tensors(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    told = [{"kind": "verdict", "verdict": document["verdict"], "why": document["why"]}]
    return told + [{"kind": "figures", "claim": one["claim"], "numbers": one["numbers"]}
                   for one in document["evidence"][:MOST]]  # fmt: skip


def _edits(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"kind": "edit", "path": one["path"], "what": one["what"], "diff": one["diff"][:MOST_DIFF]}
            for one in document["edits"][:MOST]]  # fmt: skip
