"""Find an exporter by name: a built-in one, or an entry point `fairtrial.exporter`."""

from __future__ import annotations

from importlib.metadata import entry_points

from fairtrial.formats.exports.atif import AtifExporter
from fairtrial.formats.exports.openai import OpenAiExporter
from fairtrial.formats.exports.protocol import Exporter
from fairtrial.formats.exports.tasks import TasksExporter
from fairtrial.formats.exports.trl import TrlExporter
from fairtrial.formats.exports.verl import VerlExporter
from fairtrial.records import InputError

GROUP = "fairtrial.exporter"
BUILT_IN: dict[str, Exporter] = {
    one.name: one for one in (TrlExporter(), VerlExporter(), OpenAiExporter(), AtifExporter(), TasksExporter())
}
_MEMBERS = ("name", "kinds", "write", "read")


def find(name: str) -> Exporter:
    """Return the exporter called `name`. Raise InputError where there is none."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    points = [point for point in entry_points(group=GROUP) if point.name == name]
    if points:
        found = points[0].load()
        made = found() if isinstance(found, type) else found
        if not all(hasattr(made, member) for member in _MEMBERS):
            raise InputError(f"`{name}` is no exporter", field="--format", hint=f"It needs {', '.join(_MEMBERS)}.")
        return made  # type: ignore[no-any-return]
    known = sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))})
    raise InputError(f"there is no format `{name}` to export to", field="--format",
                     hint=f"There are {', '.join(known)}; for viewers scout, inspect, docent.")  # fmt: skip
