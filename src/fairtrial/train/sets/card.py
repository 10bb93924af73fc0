"""The card of an export: what is in it, what was left out and why, by which grader it was chosen, and how sure that is.

`card.json` is the document, `card.md` the same for a reader. Hashes: every file's SHA-256; the ledger's, over the ids
of its rollouts, verdicts, reviews, preferences and findings; the suites and task files by their own addresses.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairtrial import __version__
from fairtrial.formats.exports import Pair, Row, Written
from fairtrial.ledger import Ledger
from fairtrial.tasks.hashes import file_digest
from fairtrial.train.sets.choosing import Chosen
from fairtrial.train.sets.eligible import Source
from fairtrial.train.sets.grading import error_rates, grader_document, screening_documents
from fairtrial.train.sets.options import Options
from fairtrial.train.sets.pairs import mean_lengths
from fairtrial.train.sets.pool import Entry

SCHEMA = "fairtrial.export/1"
_TABLES = ("rollouts", "verdicts", "reviews", "preferences", "findings")
_PATHS = ("text_tasks", "held_out", "split")


def card_document(name: str, source: Source, chosen: Chosen, written: Written, out: Path) -> dict[str, Any]:
    """Return the card as JSON."""
    options = source.options
    said = sorted({number for file in written.files for number in file.of})
    rows = [chosen.rows[number] for number in said]
    files = [_file(file.path, out, len(file.of)) for file in written.files]
    unsaid = Counter(written.left_out.values())
    used = {rollout for row in rows for rollout in row.origin.rollouts}
    tasks = {row.origin.task for row in rows}
    entries = [entry for entry in chosen.pool if entry.id in used]
    if options.kind == "prompts":  # by whose attempts the rates were measured
        entries = [entry for entry in chosen.found.entries if entry.task in tasks]
    rates = error_rates(source.ledger, options)
    return {
        "schema": SCHEMA, "format": name, "set": options.kind, "rows": sum(len(file.of) for file in written.files),
        "examples": len(rows), "tasks": len({(row.origin.suite, row.origin.task) for row in rows}),
        "families": dict(sorted(Counter(row.origin.family for row in rows).items())), "files": files,
        "ledger": ledger_hash(source.ledger), "suites": sorted({row.origin.suite for row in rows if row.origin.suite}),
        "inputs": _inputs(options), "chosen_from": _chosen_from(chosen), "counted": chosen.counted,
        "left_out": dict(chosen.left_out), "left_out_by_format": dict(sorted(unsaid.items())),
        "counts": {name: dict(counts) for name, counts in chosen.also.items()}, "models": _models(entries),
        "band": list(options.band) if options.kind == "prompts" else None,
        "lengths": _lengths(rows), "seed": options.seed,
        "settings": {key: value for key, value in options.document().items() if key not in _PATHS},
        "grader": grader_document(rates, entries, source.ledger),
        "detectors": _detectors(chosen),
        "near_copies_across_sides": chosen.found.sides.groups,
        "screenings": screening_documents(source.ledger, [file["sha256"] for file in files]),
        "not_measured": list(_not_measured(options, chosen)), "notes": list(written.notes), "tool": __version__,
    }  # fmt: skip


def ledger_hash(ledger: Ledger) -> str:
    """Return the content address of what a ledger holds: ids of the tables that a set depends on, in order."""
    whole = hashlib.sha256()
    for table in _TABLES:
        whole.update(f"{table}\0".encode())
        for name in sorted(ledger.ids(table)):
            whole.update(name.encode())
    return f"sha256:{whole.hexdigest()}"


def _file(path: Path, out: Path, rows: int) -> dict[str, Any]:
    return {"path": path.relative_to(out).as_posix(), "sha256": file_digest(path), "bytes": path.stat().st_size,
            "rows": rows}  # fmt: skip


def _inputs(options: Options) -> list[dict[str, str]]:
    named = {name: getattr(options, name) for name in _PATHS}
    return [{"as": name, "file": path.name, "sha256": file_digest(path)} for name, path in named.items() if path]


def _chosen_from(chosen: Chosen) -> dict[str, int]:
    return {"rollouts": len(chosen.pool), "tasks": len({entry.task_key for entry in chosen.pool})}


def _models(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return who made the rollouts: model, scaffold, training step, and how many."""
    counts = Counter((entry.label, entry.agent, entry.seed, entry.step) for entry in entries)
    order = sorted(counts, key=lambda key: tuple(str(part) for part in key))
    return [
        {"model": label, "agent": agent, "seed": seed, "step": step, "rollouts": counts[label, agent, seed, step]}
        for label, agent, seed, step in order
    ]


def _lengths(rows: Sequence[Row]) -> dict[str, float | None] | None:
    paired = [row for row in rows if isinstance(row, Pair)]
    return mean_lengths(paired) if paired else None


def _detectors(chosen: Chosen) -> dict[str, int] | None:
    if chosen.counted == "tasks":
        return None
    found = chosen.found.suspected
    return {"read": found.read, "suspected": len(found.rollouts), "not_read": found.not_read, "partly": found.partly}


def _not_measured(options: Options, chosen: Chosen) -> Iterator[str]:
    yield from chosen.found.sides.not_measured
    yield from chosen.found.not_measured
    if found := chosen.found.suspected.not_read:
        yield f"Hack detectors read steps; {found:,} rollouts are a prompt and an answer, and were not read."
    if options.kind == "prompts":
        yield "Hack detectors were not asked: a prompt holds no work."


def card_page(card: Mapping[str, Any]) -> str:
    """Return the card in Markdown."""
    grader = card["grader"]
    lines = [
        f"# {card['set']} set for {card['format']}", "",
        f"{card['examples']:,} examples of {card['tasks']:,} tasks, from {card['chosen_from']['rollouts']:,} rollouts "
        f"of {card['chosen_from']['tasks']:,} tasks. Seed {card['seed']}.", "",
        "| file | rows | sha256 |", "|---|---:|---|",
        *(f"| `{file['path']}` | {file['rows']:,} | `{file['sha256']}` |" for file in card["files"]), "",
        f"Ledger `{card['ledger']}`. Suites: {', '.join(card['suites']) or 'no name recorded'}.",
        "", "## Made by", "",
        *(f"- {_model(one)}: {one['rollouts']:,} rollouts" for one in card["models"]), "",
        "## Chosen by", "", grader["sentence"], "",
        f"- false passes: {estimate_words(grader['false_pass_rate'])}",
        f"- false failures: {estimate_words(grader['false_fail_rate'])}",
        f"- proofs of the tasks' graders: {_counts(grader['proofs'])}", "",
        f"## Left out ({card['counted']})", "",
        *(f"- {why}: {count:,}" for why, count in card["left_out"].items()),
        *(f"- of the format, {why}: {count:,}" for why, count in card["left_out_by_format"].items()),
    ]  # fmt: skip
    for name, counts in card["counts"].items():
        if counts:
            lines += ["", f"{name.replace('_', ' ').capitalize()}: {_counts(counts)}."]
    if card["band"]:
        lines += ["", f"Band: pass rate from {card['band'][0]:g} to {card['band'][1]:g}, neither 0 nor 1."]
    lines += ["", "## Screenings on record", "", *(_screenings(card["screenings"]) or ["none"])]
    lines += ["", "## Not measured", "", *(f"- {why}" for why in card["not_measured"])]
    lines += ["", "## Notes", "", *(f"- {note}" for note in card["notes"])] if card["notes"] else []
    return "\n".join(lines) + "\n"


def _model(one: Mapping[str, Any]) -> str:
    told = [str(one["model"])]
    told += [f"in {one['agent']}"] if one["agent"] else []
    told += [f"seed {one['seed']}"] if one["seed"] is not None else []
    return ", ".join([*told, *([f"step {one['step']}"] if one["step"] is not None else [])])


def estimate_words(estimate: Mapping[str, Any]) -> str:
    """Return an estimate in words; one without a value says why.

    >>> estimate_words({"value": None, "method": "not measured: nothing was reviewed"})
    'not measured: nothing was reviewed'
    """
    if estimate["value"] is None:
        return str(estimate["method"])
    return (f"{estimate['value']:.1%} ({estimate['low']:.1%} to {estimate['high']:.1%}; n {estimate['n']:,}, "
            f"ungraded {estimate['ungraded']:,}; {estimate['method']})")  # fmt: skip


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "none"


def _screenings(screenings: Sequence[Mapping[str, Any]]) -> list[str]:
    words = {True: "holds", False: "does not hold", None: "not measured"}
    return [
        f"- {one['kind']} of {'this set' if one['of_this_set'] else one['subject']}: {words[one['holds']]}; "
        f"{one['summary']}"
        for one in screenings
    ]
