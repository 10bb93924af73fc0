"""Read a task's graders for what binds them to a form that the instruction does not state. Nothing is run."""

from __future__ import annotations

from fairtrial.attack.reading.binding import in_checks, in_python, in_shell
from fairtrial.attack.reading.binding.finding import Bound
from fairtrial.attack.reading.binding.stated import told
from fairtrial.attack.reading.sources import sources_of
from fairtrial.tasks import Key


def read_bindings(key: Key) -> tuple[Bound, ...]:
    """Return the bindings of a task's graders, by file and line, each form of a thing once a file."""
    sources = sources_of(key)
    known = told(sources.instruction, key.path / "environment")
    found: list[Bound] = []
    for file in sources.python:
        found += in_python.bindings(file, known)
    for script in sources.shell:
        found += in_shell.bindings(script, known)
    for tests in sorted({step.tests for step in key.steps}):
        path = tests / "checks.toml"
        if path.is_file():
            found += in_checks.bindings(path, path.relative_to(key.path).as_posix(), known)
    first: dict[tuple[str, str, str], Bound] = {}
    for bound in sorted(found):
        first.setdefault((bound.file, bound.form, bound.what), bound)
    return tuple(first.values())
