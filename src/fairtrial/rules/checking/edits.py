"""Was the evaluator edited that the agent was given? Compared file by file with the public one, by content.

Programs, templates and items that were changed, removed or added are edits, also where they were put back: versions
that were recorded meanwhile are compared too. What a run of the evaluator leaves (results, logs, caches) is told and
is none. Not covered: tokenizer and chat template of the model, which the comparison of models reports.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fairtrial.contamination.conduct.masking import masked
from fairtrial.records import Rule, Screening, canonical_json, digest
from fairtrial.rules.checking.hashes import file_hash, path_hash
from fairtrial.rules.checking.result import Checked, Finding, not_run, now
from fairtrial.rules.exhibits import Exhibit, distinct, exhibit
from fairtrial.rules.schema import BenchmarkRules
from fairtrial.rules.submission import HandedIn

RULE: Rule = "edits"
SCHEMA = "fairtrial.edits/1"
RUN = frozenset((
    ".py", ".pyc", ".pyx", ".so", ".pth", ".sh", ".bash", ".jinja", ".jinja2", ".j2", ".tmpl", ".toml", ".cfg", ".ini",
    ".yaml", ".yml",
))  # fmt: skip
"""Names of what is executed, or shapes what is: one that was added is an edit."""
CACHES = frozenset(("__pycache__", ".cache", ".pytest_cache"))
MOST_DIFFED = 1 << 20
MOST_DIFF = 20_000
MOST_NAMED = 5
MOST_TOLD = 500

What = Literal["changed", "added", "removed", "changed meanwhile"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One file of the evaluator that is not as it was given."""

    path: str
    what: What
    was: str = ""
    """Content address; empty where it was not there."""
    found: str = ""
    diff: str = ""
    """Unified, cut; empty where it is no text."""

    def row(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def check_edits(rules: BenchmarkRules, handed_in: HandedIn) -> Checked:
    """Compare the evaluator as it was left with the public one. Raise InputError where a file cannot be read."""
    toml = handed_in.toml
    given = [track for track in handed_in.tracks if track.evaluator]
    if not toml.evaluator or len(given) != 1:
        why = "the evaluator as it was left was not handed in" if not toml.evaluator else (
            f"the rules name {len(given)} evaluators for this submission, and one is compared")  # fmt: skip
        return Checked(rule=RULE, findings=(not_run(RULE, toml.model, "evaluator", why),))
    public, left = rules.beside(given[0].evaluator), handed_in.beside(toml.evaluator)
    versions = handed_in.beside(toml.evaluator_versions) if toml.evaluator_versions else None
    edits, beside = compare_evaluators(public, left, versions)
    document = {
        "schema": SCHEMA, "holds": not edits, "edits": [one.row() for one in edits[:MOST_TOLD]], "edited": len(edits),
        "left_beside": list(beside[:MOST_TOLD]),
    }  # fmt: skip
    gaps = () if versions is not None else ("what its files held meanwhile: no versions were handed in",)
    finding = Finding(screening=Screening(
        kind="edits", subject=toml.evaluator, subject_hash=_hash_of(left, versions), holds=not edits,
        summary=summary_of(edits, beside), against=str(public), against_hash=path_hash(public), model=toml.model,
        suite=given[0].suite, not_measured=gaps, document=digest(canonical_json(document)), recorded_at=now(),
    ), document=document)  # fmt: skip
    return Checked(rule=RULE, findings=(finding,), exhibits=distinct(_shown(edits)))


def compare_evaluators(public: Path, left: Path, versions: Path | None) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
    """Return what was edited, by path, and the files that are beside the public ones and are no edits."""
    was, now_there = dict(_files(public)), dict(_files(left))
    edits = [edit for path in sorted(was) for edit in _edits(path, was[path], now_there.get(path), versions)]
    beside = []
    for path in sorted(set(now_there) - set(was)):
        if _is_run(path):
            edits.append(Edit(path=path, what="added", found=file_hash(now_there[path]),
                              diff=_diff(path, None, now_there[path])))  # fmt: skip
        else:
            beside.append(path)
    return tuple(edits), tuple(beside)


def _edits(path: str, was: Path, found: Path | None, versions: Path | None) -> Iterator[Edit]:
    """Yield how one public file was edited: as it was left, else as it was meanwhile."""
    address = file_hash(was)
    if found is None:
        yield Edit(path=path, what="removed", was=address)
        return
    if (left := file_hash(found)) != address:
        yield Edit(path=path, what="changed", was=address, found=left, diff=_diff(path, was, found))
        return
    for version in _versions(versions, path):
        if (held := file_hash(version)) != address and version.stat().st_size:  # a file that is being written is empty
            yield Edit(path=path, what="changed meanwhile", was=address, found=held, diff=_diff(path, was, version))


def _versions(versions: Path | None, path: str) -> list[Path]:
    folder = versions / path if versions is not None else None
    if folder is None or not folder.is_dir():
        return []
    return sorted(one for one in folder.iterdir() if one.is_file() and not one.is_symlink())


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield (path below the folder, file), caches and links left out."""
    for one in sorted(folder.rglob("*")):
        below = one.relative_to(folder)
        if one.is_file() and not one.is_symlink() and CACHES.isdisjoint(below.parts):
            yield below.as_posix(), one


def _is_run(path: str) -> bool:
    return Path(path).suffix.lower() in RUN


def _diff(path: str, was: Path | None, found: Path) -> str:
    before, after = _text(was) if was is not None else "", _text(found)
    if before is None or after is None:
        return ""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), f"public/{path}", f"left/{path}", lineterm="")
    return masked("\n".join(lines)[:MOST_DIFF])


def _text(file: Path) -> str | None:
    if file.stat().st_size > MOST_DIFFED:
        return None
    try:
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


def summary_of(edits: Sequence[Edit], beside: Sequence[str]) -> str:
    """Return in one sentence what was edited.

    >>> summary_of([Edit(path="evaluate.py", what="changed")], ["results.json"])
    'evaluate.py was changed; 1 file lies beside the evaluator and is no part of it'
    """
    named = [f"{one.path} was {one.what}" for one in edits[:MOST_NAMED]]
    named += [f"{len(edits) - MOST_NAMED} more edits"] if len(edits) > MOST_NAMED else []
    said = ", ".join(named) or "no file of the evaluator was edited"
    if not beside:
        return said
    many = f"{len(beside)} files lie" if len(beside) > 1 else "1 file lies"
    return f"{said}; {many} beside the evaluator and {'are' if len(beside) > 1 else 'is'} no part of it"


def _hash_of(left: Path, versions: Path | None) -> str:
    if versions is None:
        return path_hash(left)
    return digest(canonical_json([path_hash(left), path_hash(versions)]))


def _shown(edits: Sequence[Edit]) -> Iterator[Exhibit]:
    for one in edits:
        yield exhibit(f"evaluator {one.path}"[:200], one.diff or f"({one.what}; not text, or too large)", one.what)
