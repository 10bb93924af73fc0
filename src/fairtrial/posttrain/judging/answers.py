"""Does the final model know the items by heart? A finding of the rule `contamination`, from answers alone.

It sees what no file shows: items that were read into memory and trained on. Where decoys or items are missing nothing
is said, and the reason stands among what was not measured; a run is not unmeasured by it, for decoys are optional. But
where the answers of this model are missing, it is: one that breaks the evaluator on new questions is not clean by it.
Not covered: the test itself (`gap`), and who showed the model the items: a base may have known them.
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
from fairtrial.rules.checking.result import Finding, not_run, now

SCHEMA = "fairtrial.decoy_gap/1"
MOST_UNGRADED = 0.1
"""Share of questions that may be ungraded: with more of them a model could choose on which it is compared."""
NOT_SAID = "whether the model knows the items by heart"


def with_answers(
    one: Checked, bench: Bench, cell: Cell, folder: RunFolder, attempted: Attempted, base: Path
) -> Checked:
    """Add to the check of contamination what the answers to items and decoys say, or why they say nothing."""
    if one.rule != "contamination":
        return one
    if not bench.benchmark(cell.track).decoys:
        return _with_why(one, "the bench names no decoys to ask it")
    items, decoys = _asked(bench, folder.evaluations)
    if why := _unanswered(items, "items") or _unanswered(decoys, "decoys"):
        track = next(each for each in bench.rules.tracks if each.name == cell.track)
        missing = not_run(one.rule, cell.model, f"answers of {cell.model}", f"{NOT_SAID}: {why}",
                          against=f"decoys asked on {cell.track}", suite=track.suite)  # fmt: skip
        return replace(one, findings=(*one.findings, missing))
    base_items, base_decoys = _asked(bench, base)
    try:
        found = gap_of(_answers(items, "items"), _answers(base_items, "items, asked of the base"),
                       _answers(decoys, "decoys"), _answers(base_decoys, "decoys, asked of the base"))  # fmt: skip
    except IncomparableError as error:
        return _with_why(one, str(error))
    return replace(one, findings=(*one.findings, _finding(found, bench, cell, attempted)))


def _asked(bench: Bench, folder: Path) -> tuple[Evaluation | None, Evaluation | None]:
    """Return the evaluations on items and on decoys that are compared: those at the first seed."""
    return read_evaluation(folder / f"{bench.toml.evaluation.seeds[0]}.json"), read_decoys(bench, folder)


def _unanswered(one: Evaluation | None, name: str) -> str:
    """Return why a model's answers are not there, empty where they are or where the evaluator names no questions."""
    if one is None:
        return f"it was not evaluated on the {name}"
    if one.accuracy is None:
        return f"its evaluation on the {name} failed: {one.why}"
    blank = sum(held is None for held in (one.items or {}).values())
    return (
        f"{blank} of {len(one.items or ())} {name} are ungraded" if blank > MOST_UNGRADED * len(one.items or ()) else ""
    )


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
    measured = [at for at, each in enumerate(one.findings) if each.screening.holds is not None]
    place = measured[0] if measured else 0
    held = one.findings[place].screening
    named = replace(held, not_measured=(*held.not_measured, f"{NOT_SAID}: {why}"))
    findings = list(one.findings)
    findings[place] = replace(findings[place], screening=named)
    return replace(one, findings=tuple(findings))


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
