"""The page of a post-training benchmark: agents' words are escaped, flags have evidence, no run is called clean."""

from __future__ import annotations

from typing import Any

import pytest

from fairtrial.report.posttrain import html
from fairtrial.report.posttrain.page import page_of

SCRIPT = "</pre><script>alert(1)</script>\u202e"
MEASURED = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 24, "ungraded": 0, "method": "mean over tasks"}
NONE = {"value": None, "low": None, "high": None, "n": 0, "ungraded": 0, "method": "not measured"}
RULES = ("contamination", "usage", "lookup", "identity", "edits")
EVIDENCE = {
    "contamination": [
        {"kind": "distribution", "eval_near": 9, "decoy_near": 0, "p_value": 0.00001, "built_around": True},
        {"kind": "items", "flagged": 1, "items": [{"item": SCRIPT, "near_rows": 3, "q_value": None}]},
        {"kind": "row", "row": "train.jsonl:1", "item": "q1", "score": 1.0, "detector": "verbatim",
         "train_text": f"words {SCRIPT}", "item_text": "words of the item"},
        {"kind": "decoy gap", "items": {"n": 24, "ungraded": 0, "model": 24, "base": 7},
         "decoys": {"n": 20, "ungraded": 0, "model": 9, "base": 6}, "seed": 0, "p_value": 0.00002,
         "gap": {"value": 0.561, "low": 0.31, "high": 0.79}},
        {"kind": "same file", "path": "eval.jsonl", "track": "sums"},
    ],
    "usage": [{"kind": "lead", "of": "model_api", "file": "recorded.json", "certainty": "call", "claim": SCRIPT,
               "quote": SCRIPT, "host": "api.example", "place": "step 2 call 1", "line": None, "times": 2}],
    "identity": [{"kind": "verdict", "verdict": "untrained", "why": "every number is the base's"},
                 {"kind": "figures", "claim": "equal", "numbers": {"equal": 1.0, "tensors": 12}}],
    "edits": [{"kind": "edit", "path": "evaluate.py", "what": "changed", "diff": f"--- a\n+++ b\n-x\n+{SCRIPT}"}],
}  # fmt: skip


def cell(status: str, *flags: str, **more: Any) -> dict[str, Any]:
    held = {rule: rule not in flags for rule in RULES}
    told = [
        {
            "rule": rule,
            "status": "awaiting",
            "by": "checks",
            "summary": f"found {SCRIPT}",
            "reason": "",
            "evidence": EVIDENCE.get(rule, []),
            "appeal": f"fairtrial rules override --rule {rule}",
        }
        for rule in flags
    ]
    return {
        "agent": "ada", "base": "small", "track": "sums", "repeat": 0, "model": f"ada/{status}", "status": status,
        "why": "", "own_accuracy": MEASURED, "counted_accuracy": MEASURED, "base_accuracy": MEASURED,
        "decoy_accuracy": NONE, "flags": told,
        "checks": held, "ruled": [], "not_measured": [], "gaps": {"identity": ["a sibling"]}, "not_recorded": [],
        "notes": [], "stop": "finished", "exit_code": 0, "folder": "runs/x",
        "spent": dict.fromkeys(("seconds", "cpu_seconds", "input_tokens", "output_tokens", "cost_usd")),
    } | more  # fmt: skip


def document(*cells: dict[str, Any]) -> dict[str, Any]:
    names = ("clean", "flagged", "penalised", "removed", "no_model", "unmeasured", "broken")
    return {
        "schema": "fairtrial.posttrain/1", "title": "toys", "bench": "toys@1#aa+bb", "rules": "toys@1#aa",
        "results": "out", "seeds": [0], "cells": list(cells), "agents": [], "references": [], "weights": {},
        "weights_from": "", "board": [], "refused": [], "board_notes": [], "no_board": "", "lost": [],
        "counts": {name: sum(one["status"] == name for one in cells) for name in names},
    }  # fmt: skip


def test_what_agents_wrote_is_escaped_and_made_visible() -> None:
    page = html(document(cell("flagged", *EVIDENCE)))
    assert "<script>" not in page
    assert "\u202e" not in page
    assert page.count("&lt;script&gt;") >= 5


def test_every_flag_has_its_evidence_and_its_appeal() -> None:
    page = html(document(cell("flagged", "contamination", "edits")))
    assert "words of the item" in page
    assert 'class="added"' in page
    assert "9 rows lie near items of the evaluation set and 0 near as many decoys: p" in page
    for rule in ("contamination", "edits"):
        assert f"fairtrial rules override --rule {rule}" in page


@pytest.mark.parametrize("status", ["clean", "flagged", "penalised", "removed", "no_model", "broken"])
def test_every_status_has_a_word_and_none_is_called_clean_unruled(status: str) -> None:
    more = {"own_accuracy": NONE, "checks": {}} if status in ("no_model", "broken") else {}
    report = page_of(document(cell(status, **more)), "fairtrial")
    table = report.sections[0].blocks[0].tables[0]
    assert table.rows[0].cells[-1].text not in ("", "clean")
    assert html(document(cell(status, **more)))


def test_the_answers_to_decoys_stand_beside_the_own_where_there_are_any() -> None:
    told = MEASURED | {"value": 0.42, "low": 0.33, "high": 0.52}
    pages = [html(document(cell("clean", decoy_accuracy=one))) for one in (told, NONE)]
    assert ["on decoys" in page for page in pages] == [True, False]
    assert "42" in pages[0]
    shown = html(document(cell("flagged", "contamination", decoy_accuracy=told)))
    assert "[31, 79]</span> more on the items than on decoys of the same source" in shown
    assert "decoys: the model passes 9 of 20" in shown


def test_an_overruled_finding_names_who_and_why() -> None:
    ruled = [{"rule": "edits", "ruled": "clean", "by": "override", "author": "cy", "reason": "a comment"}]
    checks = dict.fromkeys(RULES, True) | {"edits": False}
    page = html(document(cell("clean", ruled=ruled, checks=checks)))
    assert "ruled clean" in page
    assert "override, cy" in page
    assert "a comment" in page


def test_no_run_says_what_would_make_one() -> None:
    assert "fairtrial posttrain run BENCH.toml --agent NAME=COMMAND" in html(document())
