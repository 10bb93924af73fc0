"""Does the final model know the items by heart? A finding of the rule `contamination`, from answers alone.

It sees what no file shows: items that were read into memory and trained on. Where decoys, items or grades are missing
nothing is said, and the reason stands among what was not measured; a run is not unmeasured by it, for decoys are
optional. Not covered: the test itself (`gap`), and who showed the model the items: a base may have known them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from fairtrial.posttrain.bench import Bench, Cell
from fairtrial.posttrain.evaluating import Evaluation, read_decoys
from fairtrial.posttrain.evaluating.outcome import read_evaluation
from fairtrial.posttrain.folder import Attempted, RunFolder
from fairtrial.posttrain.judging.gap import Answers, Gap, IncomparableError, gap_of
from fairtrial.records import Screening, canonical_json, digest
from fairtrial.rules.checking import Checked
from fairtrial.rules.checking.hashes import path_hash
from fairtrial.rules.checking.result import Finding, now

SCHEMA = "fairtrial.decoy_gap/1"
NOT_SAID = "whether the model knows the items by heart"


def with_answers(
    one: Checked, bench: Bench, cell: Cell, folder: RunFolder, attempted: Attempted, base: Path
) -> Checked:
    """Add to the check of contamination what the answers to items and decoys say, or why they say nothing."""
    if one.rule != "contamination":
        return one
    if not bench.benchmark(cell.track).decoys:
        return _with_why(one, "the bench names no decoys to ask it")
    seed = bench.toml.evaluation.seeds[0]
    try:
        found = gap_of(*(_answers(each, name) for each, name in (
            (read_evaluation(folder.evaluations / f"{seed}.json"), "items"),
            (read_evaluation(base / f"{seed}.json"), "items, asked of the base"),
            (read_decoys(bench, folder.evaluations), "decoys"),
            (read_decoys(bench, base), "decoys, asked of the base"),
        )))  # fmt: skip
    except IncomparableError as error:
        return _with_why(one, str(error))
    return replace(one, findings=(*one.findings, _finding(found, bench, cell, attempted)))


def _answers(one: Evaluation | None, name: str) -> Answers:
    if one is None:
        raise IncomparableError(f"there is no evaluation ({name})")
    if one.accuracy is None:
        raise IncomparableError(f"the evaluation failed ({name}): {one.why}")
    if one.items is None:
        raise IncomparableError(f"the evaluator names no items ({name})")
    return one.items


def _with_why(one: Checked, why: str) -> Checked:
    """Name a gap beside what was found: by itself it makes no run unmeasured."""
    first, *others = one.findings
    told = (*first.screening.not_measured, f"{NOT_SAID}: {why}")
    return replace(one, findings=(replace(first, screening=replace(first.screening, not_measured=told)), *others))


def _finding(found: Gap, bench: Bench, cell: Cell, attempted: Attempted) -> Finding:
    track = next(each for each in bench.rules.tracks if each.name == cell.track)
    asked = bench.beside(bench.benchmark(cell.track).decoys)
    document: dict[str, Any] = {
        "schema": SCHEMA, "model": cell.model, "base": cell.base, "track": cell.track,
        "seed": bench.toml.evaluation.seeds[0],
    } | found.document()  # fmt: skip
    return Finding(screening=Screening(
        kind="scan", subject=f"answers of {cell.model}", subject_hash=attempted.model_hash, holds=not found.knows,
        summary=summary_of(found), against=f"decoys asked on {cell.track}", against_hash=path_hash(asked),
        model=cell.model, suite=track.suite, document=digest(canonical_json(document)),
        settings=canonical_json(document["settings"]).decode(), recorded_at=now(),
    ), document=document)  # fmt: skip


def summary_of(found: Gap) -> str:
    """Return what was found as a sentence."""
    items, decoys = found.items, found.decoys
    shares = [f"{100 * part / side.n:.0f}%" for part, side in (
        (items.model, items), (decoys.model, decoys), (items.base, items), (decoys.base, decoys))]  # fmt: skip
    numbers = [f"{100 * one:+.0f}" for one in (found.value, found.low, found.high)]
    told = (f"passes {shares[0]} of {items.n} items and {shares[1]} of {decoys.n} decoys of the same source (base: "
            f"{shares[2]} and {shares[3]}): a gap of {numbers[0]} points [{numbers[1]}, {numbers[2]}], p = "
            f"{found.p_value:.2g}")  # fmt: skip
    return f"{told}: it knows the items" if found.knows else f"{told}: nothing that says it knows the items"
