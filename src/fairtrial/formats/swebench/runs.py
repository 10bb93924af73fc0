"""Whose results SWE-bench's files are, by their places: the model, the run, the split.

The harness writes `logs/run_evaluation/RUN/MODEL/INSTANCE/report.json` and `MODEL.RUN.json`; the leaderboard keeps
`evaluation/SPLIT/SUBMISSION/results/results.json` and perhaps `logs/INSTANCE/report.json`. Names are taken as they
are: the harness writes `/` in a model's name as `__`, which cannot be told from a model that has it, and both model
and run may have dots. Two runs of one name in different folders are told apart by their folders.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from fairtrial.formats.swebench.finding import Found

_FOLDERS_OF_LOGS = ("logs", "evaluation_outputs", "eval_outputs")
_SPLITS = ("__test__", "__dev__", "__train__")
"""In names of reports by the hosted evaluation: SUBSET__SPLIT__RUN.json, which name no model."""


@dataclass(frozen=True, slots=True)
class Run:
    """Whose results they are."""

    model: str
    name: str = ""
    """Of the run, where the place says it."""
    split: str = ""

    @property
    def stem(self) -> str:
        """Return the name of the run's summary without `.json`."""
        return f"{self.model}.{self.name}" if self.name else self.model


def runs_of(found: Found, top: Path, model: str) -> Mapping[Path, Run]:
    """Return the run of every file and folder found; `model`: what the user calls it, where a name does not tell."""
    instances = {folder: run_of_instance(folder) for folder in found.instances}
    known = frozenset(run for run, _ in instances.values())
    lists = {file: (run_of_summary(file, known, model), file.parent.resolve()) for file in found.summaries}
    lists |= {
        file: (_submission(folder_of_results(file.parent.resolve() / file.name)), Path()) for file in found.results
    }
    bases: dict[Run, tuple[set[Path], set[Path]]] = defaultdict(lambda: (set(), set()))
    for kind, places in enumerate((instances, lists)):
        for run, base in places.values():
            bases[run][kind].add(base)
    return {
        place: run if all(len(each) <= 1 for each in bases[run]) else replace(run, name=_qualified(run, base, top))
        for place, (run, base) in (instances | lists).items()
    }


def _qualified(run: Run, base: Path, top: Path) -> str:
    """Return the run's name with the folder that it lies in."""
    told = base.relative_to(top.resolve()) if base.is_relative_to(top.resolve()) else base
    return "/".join(part for part in (told.as_posix(), run.name) if part not in ("", "."))


def run_of_instance(folder: Path) -> tuple[Run, Path]:
    """Return whose instance's folder it is, and the folder in which the harness ran."""
    above = folder.resolve().parent
    if above.name in _FOLDERS_OF_LOGS:
        return _submission(above.parent), Path()
    if above.parent.parent.name == "run_evaluation":
        return Run(model=above.name, name=above.parent.name), above.parents[3]
    return Run(model=above.name), above.parent


def folder_of_results(file: Path) -> Path:
    """Return the submission's folder."""
    return file.parent.parent if file.parent.name == "results" else file.parent


def run_of_summary(file: Path, known: frozenset[Run], model: str) -> Run:
    """Return whose summary it is: of a run that is `known` by its logs, of `model`, else as its name is cut.

    >>> run_of_summary(Path("gpt-4.1.first.json"), frozenset(), "")
    Run(model='gpt-4.1', name='first', split='')
    >>> run_of_summary(Path("m-4.5.m-4.5-full.json"), frozenset(), "m-4.5")
    Run(model='m-4.5', name='m-4.5-full', split='')
    """
    stem = file.name.removesuffix(".json")
    named = next((run for run in sorted(known, key=lambda run: run.stem) if run.stem == stem), None)
    if named:
        return named
    written = model.replace("/", "__")
    if written and stem.startswith(f"{written}."):
        return Run(model, stem.removeprefix(f"{written}."))
    if any(split in stem for split in _SPLITS):
        return Run(model or stem, stem if model else "")
    cut, _, name = stem.rpartition(".")
    return Run(cut, name) if cut else Run(stem)


def _submission(folder: Path) -> Run:
    is_filed = folder.parent.parent.name == "evaluation"
    return Run(model=folder.name, split=folder.parent.name if is_filed else "")
