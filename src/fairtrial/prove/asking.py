"""Which probes are tried on which task, and what they hand in.

The reference is acted out once more, with nothing graded, so that probes see what it makes of the workspace. A probe
that cannot be tried here is listed with the reason; one for which the task gives no occasion is not applicable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fairtrial.attack import Card, Probe, Submission, Target, survey, workspace_probes
from fairtrial.attack.reading import RULES
from fairtrial.prove.judge import Observed
from fairtrial.prove.options import ProveOptions
from fairtrial.prove.schedule import Case
from fairtrial.records import Runner, SandboxError, canonical_json, digest
from fairtrial.run import FilesAgent
from fairtrial.sandbox import Sandbox

FAMILIES = ("null", "mutant", "equivalent", "hack", "leak")
"""Of the probes in the catalogue, in the order in which they are tried; static reading submits nothing."""
NEED_ISOLATION = ("hack", "leak")
FROM_REFERENCE = ("null", "mutant", "equivalent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One submission of one probe."""

    card: Card
    submission: Submission

    @property
    def label(self) -> str:
        """Return what `--only` takes."""
        return f"{label_of(self.card)}:{self.submission.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What asking every probe about one task came to."""

    asked: tuple[Asked, ...] = ()
    not_applicable: tuple[str, ...] = ()
    not_measured: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyJob:
    """Act out the reference for the probes; a job for the engine's workers."""

    case: Case
    sandbox: Sandbox
    scratch: Path
    options: ProveOptions

    def __call__(self) -> Target | str:
        """Return the task as probes see it, or why they cannot."""
        case = self.case
        self.scratch.mkdir()
        reference = case.reference.agent if case.reference is not None else None
        try:
            return survey(case.task, case.key, reference, self.sandbox, self.scratch,
                          seed=self.options.seed, most=self.options.mutants)  # fmt: skip
        except SandboxError as error:
            return str(error)


def label_of(card: Card) -> str:
    """Return what `--only` takes for all submissions of a probe; known candidates have labels of their own."""
    return card.id


def probes_wanted(only: str, probes: Sequence[Probe] | None = None) -> tuple[Probe, ...]:
    """Return the probes that `only` leaves in: of a family, of an id, or the one that makes a given submission."""
    chosen = [probe for probe in (workspace_probes() if probes is None else probes) if probe.card.family in FAMILIES]
    if only:
        chosen = [probe for probe in chosen if only == probe.card.family or _is_named(label_of(probe.card), only)]
    return tuple(chosen)


def is_known_label(only: str) -> bool:
    """Say whether `only` names a probe, a family of them, a submission, or a rule of static reading."""
    return only == "static" or any(rule.card.id == only for rule in RULES) or bool(probes_wanted(only))


def _is_named(label: str, only: str) -> bool:
    return only == label or label.startswith(f"{only}:") or only.startswith(f"{label}:")


def _is_wanted(card: Card, submission: Submission, only: str) -> bool:
    return only in ("", card.family) or _is_named(f"{label_of(card)}:{submission.name}", only)


def ask(
    case: Case, target: Target | str, quiet: Mapping[str, Observed], sandbox: Sandbox, options: ProveOptions
) -> Answer:
    """Ask every probe that is wanted what it hands in on this task."""
    asked: list[Asked] = []
    absent: list[str] = []
    lacking: list[tuple[str, str]] = []
    for probe in probes_wanted(options.only, options.probes):
        card = probe.card
        why = why_not(card, case, quiet, sandbox) or (target if isinstance(target, str) else "")
        if why or isinstance(target, str):
            lacking.append((label_of(card), why))
            continue
        submissions = [one for one in probe.submissions(target) if _is_wanted(card, one, options.only)]
        wanted = [Asked(card=card, submission=_under(one, options.runners)) for one in submissions]
        if not wanted:
            absent.append(label_of(card))
        asked += wanted
    kept = tuple(_distinct(asked, target)) if isinstance(target, Target) else ()
    return Answer(asked=kept, not_applicable=tuple(absent), not_measured=tuple(lacking))


def _under(submission: Submission, runners: Sequence[Runner]) -> Submission:
    """Leave out runners that nobody who asks has; the strictest stays, since what passes there passes everywhere."""
    return replace(submission, runners=tuple(r for r in submission.runners if r in runners) or ("ours",))


def why_not(card: Card, case: Case, quiet: Mapping[str, Observed], sandbox: Sandbox) -> str:
    """Return why a probe cannot be tried on this task here; empty if it can."""
    if case.cannot:
        return case.cannot
    if card.family in NEED_ISOLATION and not sandbox.capability().isolated:
        return f"needs a sandbox that isolates; `{sandbox.name}` does not"
    null, reference = quiet.get("null"), quiet.get("reference")
    if card.family != "equivalent" and null is not None and null.passed:
        return "the untouched workspace passes, so no wrong work can be told from right"
    if card.family not in FROM_REFERENCE:
        return ""
    if case.reference is None:
        return "the task has no solution/solve.sh to start from"
    if case.task.live:
        return "live = true: the reference's services would not run beside its files"
    if reference is not None and not reference.passed:
        return "the reference does not pass"
    if card.family == "equivalent" and reference is not None and reference.failed:
        return "the reference wavers, so a failure would say nothing"
    return ""


def _distinct(asked: Sequence[Asked], target: Target) -> Iterator[Asked]:
    """Leave out what hands in the same as one before it, or the reference itself as if it were wrong."""
    content = _remembering()
    reference = {change.inside: content(change.after) for change in target.changes if change.after is not None}
    removed = tuple(change.inside for change in target.changes if change.after is None)
    seen: set[str] = set()
    for one in sorted(asked, key=lambda a: (FAMILIES.index(a.card.family), a.submission.severity != "proof")):
        agent = one.submission.agent
        if isinstance(agent, FilesAgent) and not agent.script:
            files = {inside: content(path) for inside, path in agent.files.items()}
            is_reference = files == reference and tuple(sorted(agent.removed)) == removed
            if is_reference and one.submission.expects == "fails" and one.submission.grader is None:
                continue
            made: object = [files, sorted(agent.removed), dict(agent.variables)]
        else:
            made = dict(agent.settings())
        grader = one.submission.grader.grader_hash if one.submission.grader is not None else ""
        key = digest(canonical_json([made, grader, sorted(one.submission.runners), one.submission.expects]))
        if key not in seen:
            seen.add(key)
            yield one


def _remembering() -> Callable[[Path], str]:
    """Return a function that hashes a file or folder once, however many submissions lay it."""
    known: dict[Path, str] = {}

    def content(path: Path) -> str:
        if path not in known:
            parts = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
            known[path] = digest(b"".join(digest(p.read_bytes()).encode() for p in parts))
        return known[path]

    return content
