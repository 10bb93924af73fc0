"""Task folders in: Harbor's format, with proof.toml and grading.toml beside it. Suites and their hashes."""

from fairtrial.tasks.load import find_tasks, load_suite, load_task
from fairtrial.tasks.model import Candidate, CandidateKind, Key, Step, StepKey, Suite, Task

__all__ = [
    "Candidate",
    "CandidateKind",
    "Key",
    "Step",
    "StepKey",
    "Suite",
    "Task",
    "find_tasks",
    "load_suite",
    "load_task",
]
