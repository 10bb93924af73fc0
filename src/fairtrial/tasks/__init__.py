"""Task folders in: Harbor's format, with proof.toml and grading.toml beside it. Suites and their hashes."""

from fairtrial.tasks.load import environment_of_dockerfile, find_tasks, load_suite, load_task
from fairtrial.tasks.model import Candidate, CandidateKind, Freedom, Key, Step, StepKey, Suite, Task

__all__ = [
    "Candidate",
    "CandidateKind",
    "Freedom",
    "Key",
    "Step",
    "StepKey",
    "Suite",
    "Task",
    "environment_of_dockerfile",
    "find_tasks",
    "load_suite",
    "load_task",
]
