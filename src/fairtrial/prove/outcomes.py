"""What each candidate and each probe's submission came to, in numbers, for certificates and CI."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fairtrial.prove.attacking import Attacked, Seen
from fairtrial.prove.judge import Observed
from fairtrial.prove.known import Known
from fairtrial.prove.outcome import ProbeOutcome
from fairtrial.prove.schedule import Case
from fairtrial.records import Runner, canonical_json, digest, record_id


def outcomes_of(
    case: Case, quiet: Mapping[str, Observed], crowd: ProbeOutcome | None, attacked: Attacked,
    command: Callable[[str], str],
) -> tuple[ProbeOutcome, ...]:  # fmt: skip
    """Return one outcome a known candidate, then the crowd's, then one a submission and runner.

    `command` shows a probe again.
    """
    runner: Runner = "harbor_shared" if case.task.live else "ours"
    known = [
        ProbeOutcome(
            probe=label, family=one.known.kind, expects="passes" if one.known.passes else "fails",
            passed=one.passed, failed=one.failed, ungraded=sum(one.ungraded.values()),
            reasons=(one.trouble,) if one.trouble else (), runner=runner, command=command(label),
            candidate_hash=_handed_in(one.known),
        )
        for label, one in quiet.items()
    ]  # fmt: skip
    submitted = (outcome for one in attacked.seen for outcome in _of_submission(one, command))
    return (*known, *((crowd,) if crowd is not None else ()), *submitted)


def outcome_in_crowd(case: Case, crowds: Sequence[Observed | None], trouble: str, command: str) -> ProbeOutcome | None:
    """Return what the reference came to beside itself and its neighbours; None where it was not asked."""
    observed = [one for one in crowds if one is not None]
    if case.reference is None or not observed:
        return None
    return ProbeOutcome(
        probe="reference_concurrent", family="reference_concurrent", expects="passes",
        passed=sum(one.passed for one in observed), failed=sum(one.failed for one in observed),
        ungraded=sum(sum(one.ungraded.values()) for one in observed), reasons=(trouble,) if trouble else (),
        runner="harbor_shared" if case.task.live else "ours", command=command,
        candidate_hash=_handed_in(case.reference),
    )  # fmt: skip


def _of_submission(seen: Seen, command: Callable[[str], str]) -> list[ProbeOutcome]:
    outcomes = []
    for runner, gradings in seen.gradings.items():
        broken = [grading.reason for grading in gradings if grading.outcome == "ungraded"] + list(seen.lost[runner])
        outcomes.append(
            ProbeOutcome(
                probe=seen.asked.label, family=seen.asked.card.family, expects=seen.asked.submission.expects,
                passed=seen.count(runner, "passed"), failed=seen.count(runner, "failed"), ungraded=len(broken),
                reasons=tuple(sorted(set(broken))), runner=runner, command=command(seen.asked.label),
                candidate_hash=seen.candidate,
            )
        )  # fmt: skip
    return outcomes


def _handed_in(known: Known) -> str:
    """Return a content address of the agent's settings and of every file it brings."""
    files = [[mount.inside, _content(mount.source)] for mount in known.agent.mounts()]
    return record_id("candidate/1", {"settings": dict(known.agent.settings()), "files": files})


def _content(source: Path) -> str:
    paths = [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.is_file())
    return digest(canonical_json([[path.name, digest(path.read_bytes())] for path in paths]))
