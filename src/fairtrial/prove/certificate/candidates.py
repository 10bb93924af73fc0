"""Content addresses of a task's own candidates: the script that makes each, and all that lies beside it.

Attacks that a hack agent found and that lie beside the suite are one more: they are no part of the task's hash. What
another probe hands in is made anew each time; its outcome carries the address of that.
"""

from __future__ import annotations

from dataclasses import asdict

from fairtrial.attack.hacker.kept import CARD, read_kept
from fairtrial.prove.known import Known, known_candidates
from fairtrial.run import SubmissionAgent
from fairtrial.tasks import Key
from fairtrial.tasks.hashes import content_hash, tree_of


def candidate_hashes(key: Key) -> dict[str, str]:
    """Return label -> content address of the reference, every declared candidate, and the attacks kept on the task.

    Raise FormatError where a folder holds what no task may (a link that leads out, a device), or for an attacks.toml
    that cannot be read.
    """
    kept = kept_hash(key)
    attacks = {CARD.id: kept} if kept else {}
    return {known.label: candidate_hash(known) for known in known_candidates(key)} | attacks


def kept_hash(key: Key) -> str:
    """Return the content address of the attacks kept on a task, beside it or its suite; empty where there are none."""
    top = key.path.resolve()
    found = [attack for place in (top, *tuple(top.parents)[:2]) for attack in read_kept(place)]
    mine = {attack.name: asdict(attack) for attack in found if attack.task == key.task}
    return content_hash("attacks/1", mine) if mine else ""


def candidate_hash(known: Known) -> str:
    """Return the content address of what `known` hands in: its files where it has some, else its agent's settings."""
    agent = known.agent
    content: dict[str, object] = {"agent": agent.name, "settings": dict(agent.settings())}
    if isinstance(agent, SubmissionAgent):
        content["files"] = {step: tree_of([folder], folder) for step, folder in agent.folders.items()}
    return content_hash("candidate/1", content)
