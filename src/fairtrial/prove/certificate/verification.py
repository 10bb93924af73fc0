"""Verify a certificate against the suite that it speaks of: hashes first, then a sample of its probes, graded afresh.

Probes run as they ran: in the sandbox, under the runners and with the options that the certificate records. Nothing is
read from the cache of answers. Not covered: who wrote the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fairtrial.attack import Probe
from fairtrial.prove.certificate.candidates import candidate_hashes
from fairtrial.prove.certificate.circumstances import Circumstances, circumstances
from fairtrial.prove.certificate.comparison import (
    Moved,
    Verification,
    VerifiedTask,
    compared,
    compared_hashes,
    moved,
    sampled,
)
from fairtrial.prove.certificate.model import CertifiedTask, Hashes
from fairtrial.prove.certificate.reading import ReadCertificate
from fairtrial.prove.certificate.signed import void_signoffs
from fairtrial.prove.options import ProveOptions
from fairtrial.prove.outcome import ProbeOutcome, speaks_of
from fairtrial.prove.proof import prove
from fairtrial.records import Runner
from fairtrial.run import Engine, Tried
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite
from fairtrial.tasks.hashes import suite_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What of a certificate is tried again, task by task."""

    read: ReadCertificate
    suites: tuple[Suite, ...]
    now: Circumstances
    options: ProveOptions
    labels: dict[str, tuple[str, ...]]
    """Task -> labels; empty for tasks that are no longer what was certified."""

    @property
    def count(self) -> int:
        """Return how many labels are tried again."""
        return sum(len(labels) for labels in self.labels.values())


def plan(
    read: ReadCertificate, suites: Sequence[Suite], sandbox: Sandbox, *, tool: str, sample: int, seed: int,
    probes: tuple[Probe, ...] | None = None,
) -> Plan:  # fmt: skip
    """Choose what is tried again, of the catalogue or of `probes`."""
    options = replace(read.certificate.circumstances.options.again(), only="", probes=probes)
    hashes = {task.name: task.hash for suite in suites for task in suite.tasks}
    labels = {
        certified.task: sampled(certified, sample, seed) if hashes.get(certified.task) == certified.hashes.task else ()
        for certified in read.certificate.tasks
    }
    return Plan(read=read, suites=tuple(suites), now=circumstances(tool, sandbox, options), options=options,
                labels=labels)  # fmt: skip


def verify(chosen: Plan, sandbox: Sandbox, engine: Engine, on_label: Callable[[], None]) -> Verification:
    """Compare hashes, try the chosen probes again, and compare; `on_label` is called after each."""
    whole = chosen.read.certificate
    tasks = {task.name: task for suite in chosen.suites for task in suite.tasks}
    then, now = whole.circumstances.host, chosen.now.host
    return Verification(
        is_edited=chosen.read.is_edited,
        suite=moved(whole.suite_hash == suite_hash((task.name, task.hash) for task in tasks.values())),
        uncovered=tuple(sorted(set(tasks) - {certified.task for certified in whole.tasks})),
        host={name: (then.get(name, ""), now.get(name, "")) for name in sorted({*then, *now})
              if then.get(name, "") != now.get(name, "")},
        tasks=tuple(_verified(certified, chosen, sandbox, engine, on_label) for certified in whole.tasks),
    )  # fmt: skip


def _verified(
    certified: CertifiedTask, chosen: Plan, sandbox: Sandbox, engine: Engine, on_label: Callable[[], None]
) -> VerifiedTask:
    recorded = chosen.read.certificate.circumstances
    about: dict[str, Moved] = {
        "catalogue": moved(recorded.catalogue == chosen.now.catalogue),
        "tool": moved(recorded.tool == chosen.now.tool),
    }
    suite = next((suite for suite in chosen.suites if certified.task in suite.keys), None)
    if suite is None:
        return VerifiedTask(task=certified.task, hashes={"task": moved(False), **about},
                            void=void_signoffs(certified.signoffs, ""), why="the suite holds no such task")  # fmt: skip
    task = next(task for task in suite.tasks if task.name == certified.task)
    key = suite.keys[certified.task]
    hashes = Hashes(task=task.hash, grader=key.grader_hash, environment=task.environment.hash,
                    candidates=candidate_hashes(key))  # fmt: skip
    same = compared_hashes(certified.hashes, hashes) | about
    void = void_signoffs(certified.signoffs, task.hash)
    if same["task"] == "moved":
        why = "the task is no longer the one that was certified"
        return VerifiedTask(task=certified.task, hashes=same, void=void, why=why)
    reruns = []
    for label in chosen.labels[certified.task]:
        found, trouble = _tried_again(label, certified.task, suite, chosen.options, sandbox, engine)
        recorded_ones = [outcome for outcome in certified.outcomes if outcome.probe == label]
        reruns += [compared(outcome, found.get(outcome.runner), trouble) for outcome in recorded_ones]
        on_label()
    return VerifiedTask(task=certified.task, hashes=same, reruns=tuple(reruns), void=void)


def _tried_again(
    label: str, task: str, suite: Suite, options: ProveOptions, sandbox: Sandbox, engine: Engine
) -> tuple[dict[Runner, ProbeOutcome], str]:
    """Grade afresh what `label` hands in; return its outcome by runner, and why it could not be tried.

    Neighbours matter to a crowd alone.
    """
    alone = replace(suite, tasks=tuple(one for one in suite.tasks if one.name == task))
    company = suite if label == "reference_concurrent" else alone
    proven = prove(company, sandbox, engine, replace(options, only=label), tool="", on_tried=_unheard)
    mine = [one for one in proven if one.proof.task == task]
    found = {outcome.runner: outcome for one in mine for outcome in one.outcomes if outcome.probe == label}
    whys = [why for one in mine for probe, why in one.proof.not_measured if speaks_of(probe, label)]
    return found, "; ".join(dict.fromkeys(whys))


def _unheard(tried: Tried) -> None:
    """Keep nothing: what is tried again is compared, not recorded."""
    del tried
