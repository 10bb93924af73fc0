"""RECORDS.toml, ours: where event records lie, what their columns mean, which actions are decisions, what came of them.

    [records]
    source = "events.csv"

    [columns]
    entity = "claim"
    time = "at"
    actor = "by"
    action = "what"

    [[action]]
    name = "approve"

    [[action]]
    name = "deny"

That is a whole file: tasks are then graded by agreement with the expert. An unknown key is an error. docs/authoring.md
describes every field. Not covered: records that are no events, such as a table of cases with their last state.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.tasks.toml import TomlFile, check_values, read_toml

WRITTEN = ("history.jsonl", "decision.json")
"""Names that a task gives to files of its own."""
NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"
Name = Annotated[str, Field(pattern=NAME)]
Words = Annotated[str, Field(min_length=1)]
Days = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Reveals = Literal["fact", "choice"]
SelfRecorded = Literal["refuse", "mark"]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Records(_Table):
    """[records]"""

    source: Words
    """A CSV or Parquet file, or `sqlite:///FILE`, `duckdb:///FILE`, `postgresql://USER@HOST/DATABASE`."""
    name: Name = "records"
    """First part of the tasks' names."""
    table: str = ""
    query: str = ""
    time_zone: str = ""
    """Of times that name none, as `Europe/Vienna`."""
    time_format: Words = "iso"
    """`iso`, `unix`, `unix_ms`, or a format of strptime."""


class Columns(_Table):
    """[columns]: the records' own names."""

    entity: Words
    time: Words
    actor: Words
    action: Words
    recorded: str = ""
    """When the record was made, where that may be later than what it records."""
    event: str = ""
    """Id of the event: rows with one id are versions of one event."""
    sequence: str = ""
    """A number that orders records made at one time."""
    withdrawn: str = ""
    """True where this version takes the event back."""
    group: str = ""
    """What related entities share: the customer, say."""
    fields: str | list[Words] = []
    """One column that holds a JSON object, or a list of columns; [] means every other column."""
    outcome: str = ""
    outcome_actor: str = ""
    outcome_time: str = ""
    """Columns of an outcome that stands beside an event, instead of being one."""


class Fields(_Table):
    """[fields]: what of the events' fields may be shown."""

    hide: list[Words] = []
    filled_by: dict[str, str] = {}
    """Field -> action of the event that fills it: blank before such an event is visible."""
    like: list[Words] = []
    """Fields in which two like cases agree, for the agreement among experts."""
    accepted: list[Words] = []
    """Fields that may tell a later value, as a claim that is paid in full does."""


class Experts(_Table):
    """[experts]"""

    actors: list[Words] = ["*"]
    """Patterns (`adj-*`) of those whose choices are decisions."""
    corrected: Literal["drop", "first", "last"] = "drop"
    """What becomes of a decision whose record was changed later."""


class Parameter(_Table):
    """[[action.parameter]]"""

    name: Name
    kind: Literal["number", "text", "choice"] = "number"
    field: str = ""
    """Field of the decision's event that holds it; its name unless set."""
    within: Share = 0.0
    """Largest difference of a number that still agrees."""
    share: Share = 0.0
    """The same, as a share of the right value; the larger of the two counts."""
    choices: list[Words] = []

    @property
    def source(self) -> str:
        """Return the field of the records in which it stands."""
        return self.field or self.name


class Action(_Table):
    """[[action]]: one thing that the expert may choose."""

    name: Name
    records: list[Words] = []
    """What the records call it; its name unless set."""
    says: str = ""
    """What the instruction says of it."""
    parameter: list[Parameter] = []

    @property
    def recorded_as(self) -> list[str]:
        """Return every word of the records that means it."""
        return self.records or [self.name]


class OutcomeTable(_Table):
    """[outcome]: what came of it, who may say so, and which actions that shows to be right."""

    field: Words
    action: str = ""
    """Action of the events that record it; empty where it stands in columns of its own."""
    recorders: list[Words] = []
    """Patterns of those who may record an independent one; nobody who decided on the case ever may."""
    reveals: Reveals = "fact"
    """`fact`: it would have been found whatever was chosen. `choice`: it is seen of the chosen action alone."""
    right: dict[str, list[Name]] = {}
    """With `fact`: value -> the actions that it shows to be right."""
    good: list[Words] = []
    bad: list[Words] = []
    """With `choice`: values that speak for the choice, and against it."""
    parameters: dict[str, str] = {}
    """Parameter -> field of the outcome that holds its right value."""
    self_recorded: SelfRecorded = "refuse"
    """What becomes of an outcome that the decision-maker recorded."""
    after_days: Days = 0.0
    within_days: Days | None = None


class TaskTable(_Table):
    """[task]: what the tasks say and hold besides."""

    text: Words = "Decide on this case as an expert at this desk would, from what was on record at the time."
    files: list[Words] = []
    """Files laid beside the history, such as a written policy."""
    actors: Literal["numbered", "shown", "hidden"] = "numbered"
    entities: Literal["renamed", "shown"] = "renamed"
    seconds: Annotated[float, Field(gt=0)] = 300.0
    image: Words = "python:3.11-slim"


class Cost(_Table):
    """[[cost]]: what a wrong decision costs, in a unit of the user's own."""

    chosen: Name
    right: Name
    cost: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class RecordsToml(_Table):
    """The whole file."""

    records: Records
    columns: Columns
    fields: Fields = Fields()
    experts: Experts = Experts()
    action: Annotated[list[Action], Field(min_length=2)]
    outcome: OutcomeTable | None = None
    task: TaskTable = TaskTable()
    cost: list[Cost] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A RECORDS.toml that was read."""

    path: Path
    toml: RecordsToml

    def beside(self, path: str) -> Path:
        """Return a path that the file names, from the folder in which the file lies."""
        return self.path.parent / path

    def action_of(self, word: str) -> Action | None:
        """Return the action that the records call `word`, if it is a decision."""
        return next((one for one in self.toml.action if word in one.recorded_as), None)

    def action(self, name: str) -> Action:
        """Return an action by its name."""
        return next(one for one in self.toml.action if one.name == name)

    @property
    def judged(self) -> list[str]:
        """Return the actions of which a revealed fact says whether they are right, in the order of the file."""
        if self.toml.outcome is None or self.toml.outcome.reveals != "fact":
            return []
        named = {name for right in self.toml.outcome.right.values() for name in right}
        return [one.name for one in self.toml.action if one.name in named]


def read_declared(path: Path) -> Declared:
    """Read the RECORDS.toml at `path`. Raise FormatError with line and field for what does not fit."""
    file = read_toml(path, may_be_marked=True)
    read, errors = check_values(RecordsToml, file)
    if errors or read is None:
        raise errors[0]
    _check_actions(read, file)
    _check_outcome(read, file)
    _check_columns(read, file)
    declared = Declared(path=path, toml=read)
    for at, name in enumerate(read.task.files):
        if not declared.beside(name).is_file():
            raise file.error("is no file", ("task", "files", at), f"It is looked for at {declared.beside(name)}.")
        if Path(name).name in (*WRITTEN, *(Path(other).name for other in read.task.files[:at])):
            raise file.error("is the name of another file that the task has", ("task", "files", at))
    return declared


def _check_actions(read: RecordsToml, file: TomlFile) -> None:
    """Raise FormatError for names that stand twice, and for parameters that cannot be."""
    names = [one.name for one in read.action]
    words: dict[str, str] = {}
    for at, one in enumerate(read.action):
        if one.name in names[:at]:
            raise file.error(f"`{one.name}` is named twice", ("action", at, "name"))
        for word in one.recorded_as:
            if word in words:
                raise file.error(f"`{word}` means `{words[word]}` already", ("action", at, "records"))
            words[word] = one.name
        for place, parameter in enumerate(one.parameter):
            where = ("action", at, "parameter", place, "name")
            if parameter.name in ("action", "reason"):
                raise file.error(f"`{parameter.name}` is a key of every decision", where)
            if parameter.name in [other.name for other in one.parameter[:place]]:
                raise file.error(f"`{parameter.name}` is named twice", where)
            if (parameter.kind == "choice") != bool(parameter.choices):
                raise file.error("`choices` belong to the kind `choice`, which needs them", where)
    for at, cost in enumerate(read.cost):
        for key in ("chosen", "right"):
            if getattr(cost, key) not in names:
                raise file.error(f"`{getattr(cost, key)}` is no action", ("cost", at, key), _known(names))


def _check_outcome(read: RecordsToml, file: TomlFile) -> None:
    """Raise FormatError for an outcome that could grade nothing, or that names actions and columns there are not."""
    outcome = read.outcome
    if outcome is None:
        if read.columns.outcome:
            raise file.error("there is no [outcome] that says what it means", ("columns", "outcome"))
        return
    names = [one.name for one in read.action]
    for value, right in outcome.right.items():
        for name in right:
            if name not in names:
                raise file.error(f"`{name}` is no action", ("outcome", "right", value), _known(names))
    if outcome.reveals == "fact" and (not outcome.right or outcome.good or outcome.bad):
        raise file.error("a fact is told by `right` alone, and needs it", ("outcome", "reveals"),
                         'right = { genuine = ["approve"], fraud = ["deny"] }')  # fmt: skip
    if outcome.reveals == "choice" and (outcome.right or not outcome.good):
        raise file.error("of the choice alone, `good` says which values speak for it, and `right` cannot be known",
                         ("outcome", "reveals"), 'good = ["upheld"], bad = ["reversed"]')  # fmt: skip
    parameters = {one.name for action in read.action for one in action.parameter}
    for name in outcome.parameters:
        if name not in parameters:
            raise file.error(f"`{name}` is no parameter of an action", ("outcome", "parameters", name))
    if bool(outcome.action) == bool(read.columns.outcome):
        raise file.error("an outcome is an event (`action`) or stands in a column (`columns.outcome`), one of the two",
                         ("outcome", "action"))  # fmt: skip
    if outcome.action in {word for one in read.action for word in one.recorded_as}:
        raise file.error("is a decision too; an outcome is recorded by an event of its own", ("outcome", "action"))


def _check_columns(read: RecordsToml, file: TomlFile) -> None:
    """Raise FormatError for columns of an outcome that are not all there, and for a query beside a table."""
    columns = read.columns
    if columns.outcome and not (columns.outcome_actor and columns.outcome_time):
        raise file.error("needs `outcome_actor` and `outcome_time`: who recorded it, and when", ("columns", "outcome"),
                         "Without them nobody can say that it is independent, or that it came later.")  # fmt: skip
    if read.records.table and read.records.query:
        raise file.error("a table or a query, not both", ("records", "query"))


def _known(names: list[str]) -> str:
    return f"The file names {', '.join(names)}."
