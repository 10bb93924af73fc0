"""The share of hacks by training step as a document that a chart can be drawn from, and in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from fairtrial.audit.hacks.figures import Hacks, Share

SCHEMA = "fairtrial.hacks/1"


def document_of(found: Hacks, by: str, more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON object. `by`: `people`, or the judge whose word it is; `more`: what was left out, the sample."""
    return {
        "schema": SCHEMA, "by": by, "confirmed": by == "people", "line": found.line, "at_least": found.at_least,
        "sentence": sentence(found, by), "overall": asdict(found.overall),
        "windows": [{"first_step": one.first_step, "last_step": one.last_step, "steps": list(one.steps),
                     **asdict(one.share)} for one in found.windows],
        "without_step": found.without_step,
        "detector": {"found": asdict(found.found_by_detectors), "right": asdict(found.right_of_suspected)},
        **more,
    }  # fmt: skip


def sentence(found: Hacks, by: str) -> str:
    """Return who says how many, and on which side of the line."""
    told = found.overall
    if told.reviewed == 0:
        return (
            "No person has said of any rollout whether it is a hack." if by == "people" else f"{by} has said nothing."
        )
    who = "people confirm" if by == "people" else f"{by} says so, which confirms nothing, of"
    return (f"{who} {told.seen} hacks among {told.reviewed} reviewed of {told.population:,} rollouts: "
            f"{figure(told)}; {against(told, found.line)}")  # fmt: skip


def figure(told: Share) -> str:
    """Return the share with its interval."""
    estimate = told.estimate
    if estimate.low is None or estimate.high is None:
        return "not measured"
    ends = f"[{estimate.low:.1%}, {estimate.high:.1%}]"
    return ends if estimate.value is None else f"{estimate.value:.1%} {ends}"


def against(told: Share, line: float) -> str:
    """Return on which side of the line the interval lies, in words."""
    return {"below": f"below {line:.1%}", "above": f"above {line:.1%}", "not measured": "not measured",
            "cannot tell": f"whether that is below {line:.1%} cannot be told"}[told.against_line]  # fmt: skip
