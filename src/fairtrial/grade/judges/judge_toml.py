"""Read a JUDGE.toml; errors name file, line and field.

name = "memo-judge"
form = "pointwise"               # or pairwise
prompt = "... {prompt} ... {response} ... {reference} ... {rubric}"     # or prompt_file = "judge.md"
system = "You grade answers."
rubric = ["The total is right.", "Every source is named."]
paraphrases = ["..."]            # other wordings of the prompt, which must give the same verdicts
scale = [0, 10]                  # or labels = {correct = 1, incorrect = 0}
pass_at = 7                      # least score that is a pass
gap = 1                          # smallest difference that it must see
votes = 1                        # verdicts averaged where it is used
verdict_field = "score"          # key of its JSON reply; or verdict_pattern = 'Score: (\\d+)'
free = ["length", "style"]       # what must not move a score
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.grade.judges.definition import Judge
from fairtrial.tasks.toml import TomlFile, check_values, read_toml

Finite = Annotated[float, Field(allow_inf_nan=False)]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(min_length=1)] = "judge"
    form: Literal["pointwise", "pairwise"] = "pointwise"
    prompt: str = ""
    prompt_file: str = ""
    system: str = ""
    rubric: list[str] = []
    paraphrases: list[str] = []
    scale: Annotated[list[Finite], Field(min_length=2, max_length=2)] | None = None
    labels: dict[str, Finite] = {}
    pass_at: Finite | None = None
    gap: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    votes: Annotated[int, Field(ge=1)] = 1
    verdict_field: str = ""
    verdict_pattern: str = ""
    free: list[Literal["length", "style"]] = []
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None


def read_judge(path: Path) -> Judge:
    """Read the JUDGE.toml at `path`. Raise FormatError for what is missing or does not fit."""
    file = read_toml(path)
    read, errors = check_values(_File, file)
    if errors or read is None:
        raise errors[0]
    judge = Judge(
        name=read.name, form=read.form, template=_template(file, read), system=read.system,
        rubric=tuple(read.rubric), paraphrases=tuple(read.paraphrases), votes=read.votes,
        field=read.verdict_field or ("score" if read.form == "pointwise" and not read.labels else "verdict"),
        pattern=_pattern(file, read), free=tuple(read.free), temperature=read.temperature, max_tokens=read.max_tokens,
        **_values(file, read),
    )  # fmt: skip
    _refuse_lacking_placeholders(file, judge)
    return judge


def _template(file: TomlFile, read: _File) -> str:
    if bool(read.prompt) == bool(read.prompt_file):
        raise file.error("exactly one of `prompt` and `prompt_file` is needed", ("prompt",))
    if read.prompt:
        return read.prompt
    try:
        return (file.path.parent / read.prompt_file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise file.error(f"`{read.prompt_file}` cannot be read: {error}", ("prompt_file",)) from error


def _pattern(file: TomlFile, read: _File) -> str:
    if not read.verdict_pattern:
        return ""
    try:
        groups = re.compile(read.verdict_pattern).groups
    except re.error as error:
        raise file.error(f"is no regular expression: {error}", ("verdict_pattern",)) from error
    if groups < 1:
        raise file.error("needs a group around the verdict", ("verdict_pattern",), r"For example 'Score: (\d+)'")
    return read.verdict_pattern


def _values(file: TomlFile, read: _File) -> dict[str, Any]:
    """Return scale, labels, pass mark and gap. Raise FormatError where they do not fit each other."""
    if read.form == "pairwise":
        if read.scale is not None or read.labels:
            raise file.error("a pairwise judge has neither `scale` nor `labels`", ("form",))
        return {"low": -1.0, "high": 1.0, "gap": read.gap or 1.0}
    if (read.scale is None) == (not read.labels):
        raise file.error("exactly one of `scale` and `labels` is needed", ("scale",), "scale = [0, 10], for example.")
    if read.scale is not None:
        low, high = read.scale
        if not low < high:
            raise file.error(f"[{low:g}, {high:g}] is no scale", ("scale",))
        if read.pass_at is None or not low < read.pass_at <= high:
            raise file.error("a scale needs a pass mark on it", ("pass_at",), "The least score that is a pass.")
        if read.gap is None:
            raise file.error("a scale needs the smallest difference that the judge must see", ("gap",))
        return {"low": low, "high": high, "pass_at": read.pass_at, "gap": read.gap}
    values = sorted(set(read.labels.values()))
    if len(values) < 2:
        raise file.error("at least two labels of different value are needed", ("labels",))
    smallest = min(b - a for a, b in itertools.pairwise(values))
    pass_at = values[-1] if read.pass_at is None else read.pass_at
    return {"low": values[0], "high": values[-1], "labels": tuple(read.labels.items()), "pass_at": pass_at,
            "gap": read.gap or smallest}  # fmt: skip


def _refuse_lacking_placeholders(file: TomlFile, judge: Judge) -> None:
    wanted = ("response",) if judge.form == "pointwise" else ("first", "second")
    place = ("prompt",) if file.values.get("prompt") else ("prompt_file",)
    for name in wanted:
        if f"{{{name}}}" not in judge.template + judge.system:
            raise file.error(f"the prompt has no placeholder {{{name}}}", place)
        for number, other in enumerate(judge.paraphrases):
            if f"{{{name}}}" not in other + judge.system:
                raise file.error(f"this wording has no placeholder {{{name}}}", ("paraphrases", number))
