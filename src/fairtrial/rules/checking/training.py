"""Is the training set that was used contaminated? The one command of the rules, on what was handed in, per track.

The decoys of a track are added, which nobody is told of. A file that is the evaluation set itself is found by its
content; one that is the control is what the rules hold clean, and is not compared with itself. Without a training set
nothing is measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from fairtrial.contamination.document import Scan
from fairtrial.contamination.inputs import files_of
from fairtrial.contamination.keeping import screening_of
from fairtrial.contamination.scan import Progress, ScanOptions, scan
from fairtrial.records import Rule, Screening, canonical_json, digest
from fairtrial.rules.checking.hashes import differences, file_hash, files_in, path_hash, read_log
from fairtrial.rules.checking.result import Checked, Finding, not_run, now
from fairtrial.rules.checking.rows_shown import rows_shown
from fairtrial.rules.command import command_of
from fairtrial.rules.exhibits import Exhibit, distinct
from fairtrial.rules.schema import BenchmarkRules, Track
from fairtrial.rules.submission import HandedIn

RULE: Rule = "contamination"
MOST_UNREAD = 0.01
"""Share of training rows that may be unreadable: with more of them nobody knows the set."""
NO_LOG = "that it is the set which was used: no training log was handed in"


def check_training(rules: BenchmarkRules, handed_in: HandedIn, progress: Progress = lambda *_: None) -> Checked:
    """Compare the training set with the evaluation set of every track. Raise InputError for files that hold no rows."""
    toml = handed_in.toml
    if not toml.training_set:
        why = "no training set was handed in"
        return Checked(rule=RULE, findings=(not_run(RULE, toml.model, "training set", why),))
    findings, exhibits = _logged(handed_in), []
    for track in handed_in.tracks:
        if not track.against:
            why = f"the rules name no evaluation set for the track `{track.name}`"
            findings.append(not_run(RULE, toml.model, "training set", why, against=track.name, suite=track.suite))
            continue
        found, shown = _compared(rules, handed_in, track, progress)
        findings += found
        exhibits += shown
    return Checked(rule=RULE, findings=tuple(findings), exhibits=distinct(exhibits))


def _logged(handed_in: HandedIn) -> list[Finding]:
    """Return a finding where the set that was handed in is not the one that was trained on, as far as that is known."""
    toml = handed_in.toml
    if not toml.training_log:
        return []
    log, named = read_log(handed_in.beside(toml.training_log)), handed_in.all_beside(toml.training_set)
    other = differences(log, named, files_of(named, "training_set").paths)
    why = f"the training set that was handed in is not the one that was used: {'; '.join(other)}"
    return [not_run(RULE, toml.model, "training log", why, against="training set")] if other else []


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of a training set, by what they are to a track."""

    others: tuple[Path, ...]
    items: tuple[Path, ...]
    """The evaluation set itself."""
    control: tuple[Path, ...]
    decoys: tuple[Path, ...]


def _sorted_out(rules: BenchmarkRules, handed_in: HandedIn, track: Track) -> _Files:
    held = {
        name: {file_hash(file) for path in getattr(track, name) for file in files_in(rules.beside(path))}
        for name in ("against", "control", "decoys")
    }
    found: dict[str, list[Path]] = {"": [], **{name: [] for name in held}}
    for file in files_of(handed_in.all_beside(handed_in.toml.training_set), "training_set").paths:
        address = file_hash(file)
        found[next((name for name, addresses in held.items() if address in addresses), "")].append(file)
    return _Files(tuple(found[""]), tuple(found["against"]), tuple(found["control"]), tuple(found["decoys"]))


def _compared(
    rules: BenchmarkRules, handed_in: HandedIn, track: Track, progress: Progress
) -> tuple[list[Finding], list[Exhibit]]:
    """Return what comparing with one track's evaluation set came to."""
    files = _sorted_out(rules, handed_in, track)
    findings = [_is_the_set(handed_in, track, file) for file in files.items]
    if not files.others:
        return findings or [_only_control(handed_in, track, files)], []
    against = [rules.beside(path) for path in track.against]
    control = [rules.beside(path) for path in track.control]
    decoys = [] if files.decoys else [rules.beside(path) for path in track.decoys]
    options = ScanOptions(fpr=rules.toml.contamination.fpr, level=rules.toml.contamination.level,
                          seed=rules.toml.judges.seed)  # fmt: skip
    found = scan(files.others, against, control, decoys, options, progress)
    document = found.document() | {"command": command_of(rules, track)}
    address = digest(canonical_json(document))
    told = _told(screening_of(found, address, model=handed_in.toml.model, suite=track.suite), handed_in, files)
    shown = rows_shown(found, files.others, against, seed=rules.toml.judges.seed)
    findings.append(Finding(screening=told, document=document))
    findings += [not_run(RULE, handed_in.toml.model, "training set", why, against=track.name, suite=track.suite)
                 for why in _gap(found)]  # fmt: skip
    return findings, shown


def _gap(found: Scan) -> list[str]:
    """Return why a scan says too little of the training set for anybody to call it clean."""
    rows = found.train_rows + found.unreadable_rows
    if not found.measured:
        return ["nothing could be compared"]
    if found.unreadable_rows > MOST_UNREAD * rows:
        return [f"{found.unreadable_rows:,} of {rows:,} training rows could not be read"]
    return []


def _told(screening: Screening, handed_in: HandedIn, files: _Files) -> Screening:
    """Add to a screening what the scan could not know."""
    why = [NO_LOG] if not handed_in.toml.training_log else []
    why += [f"{file} is the file of decoys, so nothing was held out of it" for file in files.decoys]
    summary = screening.summary
    if files.control:
        summary += f"; {len(files.control)} files are the control, which the rules hold clean, and were left out"
    return replace(screening, summary=summary, not_measured=(*screening.not_measured, *why))


def _is_the_set(handed_in: HandedIn, track: Track, file: Path) -> Finding:
    summary = f"{file} is the evaluation set of the track `{track.name}`, byte for byte"
    address = file_hash(file)
    document = {"schema": "fairtrial.same_file/1", "path": str(file), "hash": address, "track": track.name}
    return Finding(screening=Screening(
        kind="scan", subject=str(file), subject_hash=address, holds=False, summary=summary,
        against=", ".join(track.against), against_hash=address, model=handed_in.toml.model, suite=track.suite,
        document=digest(canonical_json(document)), recorded_at=now(),
    ), document=document)  # fmt: skip


def _only_control(handed_in: HandedIn, track: Track, files: _Files) -> Finding:
    """Return what is said of a training set that holds nothing but files of the benchmark."""
    named = ", ".join(str(file) for file in (*files.control, *files.decoys))
    if files.decoys:
        why = f"all that was handed in are the benchmark's own files ({named}), decoys among them"
        return not_run(RULE, handed_in.toml.model, named, why, against=", ".join(track.against), suite=track.suite)
    document = {"schema": "fairtrial.same_file/1", "path": named, "track": track.name}
    return Finding(screening=Screening(
        kind="scan", subject=named, subject_hash=path_hash(files.control[0]), holds=True,
        summary=f"all of it is the control of the track `{track.name}`, which the rules hold clean",
        against=", ".join(track.against), model=handed_in.toml.model, suite=track.suite,
        not_measured=() if handed_in.toml.training_log else (NO_LOG,),
        document=digest(canonical_json(document)), recorded_at=now(),
    ), document=document)  # fmt: skip
