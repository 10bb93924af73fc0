"""A checklist: questions about tasks and about a benchmark as a whole, and the file that states them.

[checklist]
name = "ours"
[[item]]
id = "right-work-passes"
section = "scoring"          # or reviewability, evaluation
about = "task"               # or benchmark
severity = "error"           # or note: told, and decides nothing
question = "Would the grader pass every right piece of work?"
see = "T.7"                  # where the question comes from, if anywhere

A question is put so that yes is good: `holds`. Its hash is that of what is asked; not of layout and comments.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.records import InputError, canonical_json, digest
from fairtrial.tasks.toml import check_values, read_toml

Section = Literal["reviewability", "scoring", "evaluation"]
About = Literal["task", "benchmark"]
Severity = Literal["error", "note"]

SECTIONS: dict[Section, str] = {
    "reviewability": "can somebody who did not build it see what is asked, and what was done?",
    "scoring": "is the score right, on right work and on wrong?",
    "evaluation": "does the way it is run and reported support what is said of it?",
}
READY = Path(__file__).parent.parent / "checklists"
_KIND = b"checklist/1\0"
_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question. An `error` item that fails makes a task faulty; a `note` is told only."""

    id: str
    section: Section
    question: str
    about: About = "task"
    severity: Severity = "error"
    see: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checklist:
    """All questions that are asked of one benchmark."""

    name: str
    items: tuple[Item, ...]

    @property
    def identity(self) -> str:
        """Return `name@` and twelve digits of the hash of what is asked."""
        content = digest(_KIND + canonical_json([asdict(item) for item in self.items]))
        return f"{self.name}@{content.removeprefix('sha256:')[:_DIGITS]}"

    def about(self, what: About) -> tuple[Item, ...]:
        """Return the items about tasks, or about the benchmark."""
        return tuple(item for item in self.items if item.about == what)

    @property
    def deciding(self) -> frozenset[str]:
        """Return the ids of the items whose failure is an error."""
        return frozenset(item.id for item in self.items if item.severity == "error")


class _Item(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    id: Annotated[str, Field(min_length=1, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    section: Section
    question: Annotated[str, Field(min_length=1)]
    about: About = "task"
    severity: Severity = "error"
    see: str = ""


class _Head(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: Annotated[str, Field(min_length=1, pattern=r"^[^@\s]+$")]
    source: str = ""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    checklist: _Head
    item: Annotated[list[_Item], Field(min_length=1)]


def find_checklist(name: str) -> Checklist:
    """Return a ready checklist by its name, or the one in that file. Raise InputError where it is neither."""
    ready = {path.stem: path for path in sorted(READY.glob("*.toml"))}
    if name in ready:
        return read_checklist(ready[name])
    if not Path(name).is_file():
        raise InputError(f"`{name}` is neither a ready checklist nor a file", field="--checklist",
                         hint=f"Ready are: {', '.join(ready)}.")  # fmt: skip
    return read_checklist(Path(name))


def read_checklist(path: Path) -> Checklist:
    """Read the checklist at `path`. Raise FormatError with line and field where it is none."""
    file = read_toml(path, may_be_marked=True)
    read, errors = check_values(_File, file)
    if errors or read is None:
        raise errors[0]
    seen: set[str] = set()
    for index, item in enumerate(read.item):
        if item.id in seen:
            raise file.error(f"`{item.id}` stands twice", ("item", index, "id"))
        seen.add(item.id)
    if not any(item.about == "task" and item.severity == "error" for item in read.item):
        raise file.error("no item about tasks is an error, so nothing would decide", ("item",))
    items = (Item(**{**item.model_dump(), "question": " ".join(item.question.split())}) for item in read.item)
    return Checklist(name=read.checklist.name, items=tuple(items))
