"""Content addresses of a task's own candidates: the script that makes each, and all that lies beside it.

What a probe hands in is made anew each time; its outcome carries the address of that.
"""

from __future__ import annotations

from fairtrial.prove.known import Known, known_candidates
from fairtrial.run import SubmissionAgent
from fairtrial.tasks import Key
from fairtrial.tasks.hashes import content_hash, tree_of


def candidate_hashes(key: Key) -> dict[str, str]:
    """Return label -> content address of the reference and every declared candidate.

    Raise FormatError where a folder holds what no task may (a link that leads out, a device).
    """
    return {known.label: candidate_hash(known) for known in known_candidates(key)}


def candidate_hash(known: Known) -> str:
    """Return the content address of what `known` hands in: its files where it has some, else its agent's settings."""
    agent = known.agent
    content: dict[str, object] = {"agent": agent.name, "settings": dict(agent.settings())}
    if isinstance(agent, SubmissionAgent):
        content["files"] = {step: tree_of([folder], folder) for step, folder in agent.folders.items()}
    return content_hash("candidate/1", content)
