"""criteria.toml as `fairtrial criteria` writes it: the judge, the criteria that are kept, those dropped and why.

    schema = "fairtrial.criteria/1"
    hash = "sha256:…"

    [judge]
    model = "…"
    votes = 3

    [[criterion]]
    name = "shows its working"
    question = "Does the answer show each step of its calculation?"
    about = "solution"

A file written by hand needs `schema`, a judge and criteria; without `hash` nothing is claimed of them. Where there is
a hash the criteria must be those that were tried. The criteria of `rank` compare two rollouts and have a file of their
own (`grade.groupwise`), without `schema`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.checks.rewardkit.translation import toml
from fairtrial.records import Estimate, InputError
from fairtrial.tasks.toml import TomlFile, check_values, read_toml
from fairtrial.train.criteria.criterion import About, Criterion, JudgeWords, Made, Probed, Reason, Tried, TriedCriteria
from fairtrial.train.criteria.programs import PROGRAMS

SCHEMA = "fairtrial.criteria/1"
_FIGURES = ("difference", "yes_better", "yes_worse", "auc", "p_value", "q_value", "carried", "steady", "ungraded",
            "probes", "warnings")  # fmt: skip
Text = Annotated[str, Field(min_length=1, max_length=2000)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Estimate(_Table):
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int
    ungraded: int = 0
    method: str
    one_sided: bool = False
    unit: str = "tasks"


class _Probed(_Table):
    probe: str
    asked: int
    turned: int
    ungraded: int = 0


class _Figures(_Table):
    difference: _Estimate | None = None
    yes_better: float | None = None
    yes_worse: float | None = None
    auc: float | None = None
    p_value: float | None = None
    q_value: float | None = None
    carried: _Estimate | None = None
    steady: _Estimate | None = None
    ungraded: int = 0
    probes: list[_Probed] = []
    warnings: list[str] = []


class _Criterion(_Table):
    name: Text
    question: Text
    about: About = "solution"
    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    families: list[str] = []
    use: str = ""
    parameters: dict[str, Any] = {}
    reason: Reason = ""
    why: str = ""
    figures: _Figures = _Figures(ungraded=0)


class _Judge(_Table):
    model: Text
    base_url: str = ""
    effort: str = ""
    temperature: float | None = None
    api_key_variable: str = "OPENAI_API_KEY"
    votes: Annotated[int, Field(ge=1, le=101)] = 3
    price: Annotated[list[Annotated[float, Field(ge=0, allow_inf_nan=False)]], Field(max_length=3)] = []


class _Made(_Table):
    writer: str
    prompt: str
    ledger: str = ""
    seed: int = 0
    rate: float = 0.0
    fdr: float = 0.05
    tasks_studied: list[str] = []
    tasks_left_out: list[str] = []
    task_hashes: list[str] = []
    rollouts_studied: list[str] = []
    rollouts_held_out: list[str] = []
    contrasts: dict[str, int] = {}
    may_lack: bool = False
    version: str = ""


class _File(_Table):
    schema_: Annotated[Literal["fairtrial.criteria/1"], Field(alias="schema")]
    hash: str = ""
    judge: _Judge | None = None
    made: _Made | None = None
    criterion: list[_Criterion] = []
    dropped: list[_Criterion] = []


def is_tried(path: Path) -> bool:
    """Say whether the TOML file at `path` is one of these, not criteria of `rank`. Raise FormatError for no TOML."""
    return "schema" in read_toml(path, may_be_marked=True).values


def read_tried(path: Path) -> TriedCriteria:
    """Read the criteria at `path`. Raise FormatError with line and field where they are none, or were changed."""
    file = read_toml(path, may_be_marked=True)
    read, errors = check_values(_File, file)
    if errors or read is None:
        raise errors[0]
    if read.judge is not None and len(read.judge.price) == 1:
        raise file.error("has the price of tokens in and out", ("judge", "price"))
    for index, table in enumerate(read.criterion):
        _refuse(file, index, table, [one.name for one in read.criterion], has_judge=read.judge is not None)
    found = TriedCriteria(
        tried=tuple(_tried(table) for table in (*read.criterion, *read.dropped)),
        judge=JudgeWords(**{**dict(read.judge), "price": tuple(read.judge.price)}) if read.judge else None,
        made=_made(read.made) if read.made else None,
    )  # fmt: skip
    if read.hash and read.hash != found.hash:
        raise file.error("is of other criteria or another judge: they were changed after they were tried", ("hash",),
                         hint="Try them again, or take the line out: nothing is then claimed of them.")  # fmt: skip
    return found


def _made(table: _Made) -> Made:
    stated: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in dict(table).items()}
    return Made(**stated)


def _refuse(file: TomlFile, index: int, table: _Criterion, names: list[str], *, has_judge: bool) -> None:
    place = ("criterion", index)
    if table.name in names[:index]:
        raise file.error(f"`{table.name}` is named twice", (*place, "name"))
    if table.reason:
        raise file.error("was dropped, and stands among those that are kept", (*place, "reason"))
    if table.use and table.use not in PROGRAMS:
        raise file.error(f"there is no check `{table.use}` for criteria", (*place, "use"),
                         hint=f"There are {', '.join(PROGRAMS)}.")  # fmt: skip
    if table.parameters and not table.use:
        raise file.error("is for a criterion with `use`", (*place, "parameters"))
    if not table.use and not has_judge:
        raise file.error("is judged, and the file names no judge", (*place, "question"),
                         hint="State [judge] with its model.")  # fmt: skip


def _tried(table: _Criterion) -> Tried:
    criterion = Criterion(name=table.name, question=table.question, about=table.about, weight=table.weight,
                          families=tuple(table.families), use=table.use, parameters=table.parameters)  # fmt: skip
    stated = dict(table.figures)
    for name in ("difference", "carried", "steady"):
        stated[name] = Estimate(**dict(stated[name])) if stated[name] is not None else None
    stated["probes"] = tuple(Probed(**dict(one)) for one in stated["probes"])
    stated["warnings"] = tuple(stated["warnings"])
    return Tried(criterion=criterion, reason=table.reason, why=table.why, **stated)


def write_tried(path: Path, criteria: TriedCriteria) -> None:
    """Write `criteria` to `path`, aside and renamed. Raise InputError where it cannot be written."""
    beside = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(written(criteria), encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path, field="--out") from error


def written(criteria: TriedCriteria) -> str:
    """Return `criteria` as the text of a file, kept ones first."""
    parts = [f"schema = {toml(SCHEMA)}\nhash = {toml(criteria.hash)}\n"]
    if criteria.judge is not None:
        parts.append("[judge]\n" + _lines(asdict(criteria.judge)))
    if criteria.made is not None:
        parts.append("[made]\n" + _lines(asdict(criteria.made)))
    for tried in sorted(criteria.tried, key=lambda one: not one.is_kept):
        table = "criterion" if tried.is_kept else "dropped"
        told = tried.criterion.content() | ({} if tried.is_kept else {"reason": tried.reason, "why": tried.why})
        figures = {name: value for name, value in asdict(tried).items() if name in _FIGURES}
        parts.append(f"[[{table}]]\n{_lines(told)}[{table}.figures]\n{_lines(figures)}")
    return "\n".join(parts)


def _lines(values: Mapping[str, Any]) -> str:
    return "".join(f"{name} = {toml(_said(value))}\n" for name, value in values.items() if value is not None)


def _said(value: Any) -> Any:
    """Return `value` without what TOML has no word for: what is not known is left out."""
    if isinstance(value, Mapping):
        return {name: _said(inner) for name, inner in value.items() if inner is not None}
    return [_said(inner) for inner in value] if isinstance(value, list | tuple) else value
