"""Read a rewardkit folder into its tree: folders of components, each a Python file or a judge's TOML file.

A component's score is an aggregation of its criteria; a folder's is one of its components and sub-folders.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairtrial.checks.rewardkit.calls import Called, calls_of, own_criteria
from fairtrial.records.errors import FormatError

MOST_DEEP = 20


@dataclass(frozen=True, slots=True)
class Scoring:
    """How scores are made one."""

    aggregation: str = "weighted-mean"
    threshold: float = 0.5
    weights: Mapping[str, float] = field(default_factory=dict)
    name: str = ""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Scoring:
        """Return what a [scoring] or [[reward]] table says."""
        aggregation = str(values.get("aggregation", "weighted-mean")).replace("_", "-")
        return cls(
            aggregation, float(values.get("threshold", 0.5)), values.get("weights", {}), values.get("name") or ""
        )


@dataclass(frozen=True, slots=True)
class Component:
    """A file that holds criteria."""

    name: str
    path: str
    """From the folder, as rewardkit names it: `correctness/files`."""
    file: Path
    scoring: Scoring
    weight: float = 1.0
    calls: tuple[Called, ...] = ()
    """What a Python file registers."""
    judge: Mapping[str, Any] = field(default_factory=dict)
    criteria: tuple[Mapping[str, Any], ...] = ()
    """The criteria of a judge's TOML file."""


@dataclass(frozen=True, slots=True)
class Group:
    """A folder with its components and sub-folders, by name."""

    path: str
    inputs: Mapping[str, Component | Group]
    scoring: Scoring | None
    others: tuple[Scoring, ...] = ()
    """Further rewards that the top folder writes."""

    @property
    def weight(self) -> float:
        """Return what it weighs unless its folder says otherwise."""
        return 1.0


def read_folder(folder: Path) -> Group:
    """Return the tree of `folder`. Raise FormatError for a file that cannot be read."""
    if not folder.is_dir():
        raise FormatError("is no folder", path=folder)
    own = frozenset(name for file in sorted(folder.rglob("*.py")) for name in own_criteria(_parsed(file)))
    return _group(folder, folder, own, "", 0)


def own_of(folder: Path) -> dict[str, str]:
    """Return name -> `file:line` of each criterion that the folder defines itself."""
    found: dict[str, str] = {}
    for file in sorted(folder.rglob("*.py")):
        for name, line in own_criteria(_parsed(file)).items():
            found[name] = f"{file.relative_to(folder)}:{line}"
    return found


def _parsed(file: Path) -> ast.Module:
    try:
        return ast.parse(file.read_bytes(), filename=file.name)
    except (OSError, ValueError, SyntaxError, RecursionError) as error:
        raise FormatError(f"is no Python that can be read: {error}", path=file) from None


def _group(folder: Path, top: Path, own: frozenset[str], path: str, depth: int) -> Group:
    if depth > MOST_DEEP:
        raise FormatError(f"lies more than {MOST_DEEP} folders deep", path=folder)
    inputs: dict[str, Component | Group] = {}
    reward: Mapping[str, Any] = {}
    for file in sorted(folder.glob("*.toml")):
        values = _toml(file)
        if "judge" in values or "criterion" in values:
            inputs[file.stem] = _judge(file, values, path)
        elif file.name == "reward.toml":
            reward = values
    scorings = reward.get("scoring", {})
    for file in sorted(folder.glob("*.py")):
        calls = tuple(calls_of(file, top, own))
        if calls:
            scoring = Scoring.of(scorings.get(file.stem, {}))
            inputs[file.stem] = Component(file.stem, _joined(path, file.stem), file, scoring, calls=calls)
    for child in sorted(folder.iterdir()):
        if child.is_dir() and not child.name.startswith((".", "__")):
            group = _group(child, top, own, _joined(path, child.name), depth + 1)
            if group.inputs:
                inputs[child.name] = group
    specs = [Scoring.of(one) for one in reward.get("reward", [])]
    main = next((one for one in specs if one.name in ("reward", "")), specs[0] if specs else None)
    return Group(path, dict(sorted(inputs.items())), main, tuple(one for one in specs if one is not main))


def _judge(file: Path, values: Mapping[str, Any], path: str) -> Component:
    judge, criteria = values.get("judge", {}), values.get("criterion", [])
    if not isinstance(criteria, list) or not all(isinstance(one, dict) and "description" in one for one in criteria):
        raise FormatError("holds a [[criterion]] without a `description`", path=file, field="criterion")
    scoring = Scoring.of(values.get("scoring", {}))
    weight = float(judge.get("weight", 1.0))
    return Component(file.stem, _joined(path, file.stem), file, scoring, weight, (), judge, tuple(criteria))


def _toml(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise FormatError(f"is no TOML that can be read: {error}", path=file) from None


def _joined(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name
