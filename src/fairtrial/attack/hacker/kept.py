"""Attacks that passed, kept beside the suite: `attacks/attacks.toml` and a script each, tried again ever after.

Written by the hack agent, read by it (the next round starts from them) and by `prove`, which hands each in as a probe.
They are no part of the hash of task or suite: they say something about its grader, and change no outcome.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.attack.card import Card
from fairtrial.attack.hacker.recorded import SOLVE, RecordedAgent, write_scripts
from fairtrial.attack.protocol import Submission
from fairtrial.attack.tampering.expectations import expectations
from fairtrial.attack.tampering.impossible_task import TRIES, flipped_key
from fairtrial.attack.target import Target
from fairtrial.records import Runner, Severity, storable
from fairtrial.tasks import Key, Task
from fairtrial.tasks.toml import check_values, read_toml

FOLDER, ENTRIES = "attacks", "attacks.toml"
_HEAD = """\
# Attacks on graders of this suite that a language model found. Each passed, and passed again when its commands were
# acted out without the model. `fairtrial prove` hands each in; delete an entry once a person has found the work right.
"""
CARD = Card(
    id="kept_attack",
    family="hack",
    surface="workspace",
    submits="each attack that a hack agent found on this suite before, from its recorded commands",
    sound="fails it",
    proof="Where the work was shown to be wrong when it was kept; a lead where a person must say so.",
    classes=("TRACE-8",),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAttack:
    """An attack that passed."""

    name: str
    """The task and the beginning of the commands' hash."""
    task: str
    attacker: str
    """MODEL or MODEL@EFFORT."""
    runner: Runner
    severity: Severity
    rule: str
    """How the work was shown to be wrong: `impossible`, `oracle`, `untouched`, ..., or `unknown`."""
    why: str
    """The same as a sentence."""
    commands: tuple[tuple[str, ...], ...]
    """Of each step."""
    grader: str = ""
    """Hash of the grader that it passed; an impossible one is found again by it."""
    impossible: bool = False


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+$")]
    task: Annotated[str, Field(min_length=1)]
    attacker: str
    runner: Runner = "ours"
    severity: Severity = "lead"
    rule: str = ""
    why: str = ""
    commands: list[list[str]]
    grader: str = ""
    impossible: bool = False


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    attack: list[_Entry] = []


def read_kept(suite: Path) -> tuple[KeptAttack, ...]:
    """Return the attacks kept beside the suite at `suite`. Raise FormatError for an entry that cannot be followed."""
    path = suite / FOLDER / ENTRIES
    if not path.is_file():
        return ()
    file = read_toml(path)
    read, errors = check_values(_File, file)
    if errors or read is None:
        raise errors[0]
    found = []
    for index, entry in enumerate(read.attack):
        content = entry.model_dump()
        attack = KeptAttack(**content | {"commands": tuple(tuple(step) for step in entry.commands)})
        if not any((path.parent / attack.name).rglob(SOLVE)):
            raise file.error(f"there is no {attack.name}/{SOLVE}", ("attack", index, "name"))
        found.append(attack)
    return tuple(found)


def keep(suite: Path, attacks: Iterable[KeptAttack], tasks: Sequence[Task]) -> tuple[KeptAttack, ...]:
    """Write `attacks` beside the suite, after those that are there; return all of them. Names are never taken twice."""
    known = {attack.name: attack for attack in read_kept(suite)}
    new = {attack.name: attack for attack in attacks if attack.name not in known}
    folder = suite / FOLDER
    by_name = {task.name: task for task in tasks}
    for attack in new.values():
        write_scripts(folder / attack.name, by_name[attack.task], attack.commands)
    every = (*known.values(), *new.values())
    if new:
        beside = folder / f".{ENTRIES}"
        beside.write_text(_HEAD + "".join(_entry(attack) for attack in every), encoding="utf-8")
        beside.replace(folder / ENTRIES)
    return every


def _entry(attack: KeptAttack) -> str:
    """Return the attack as a table of TOML; a JSON string is a string of TOML's too."""
    content = {name: getattr(attack, name) for name in _Entry.model_fields}
    lines = [f"{name} = {storable(json.dumps(value))}" for name, value in content.items()]
    return "\n[[attack]]\n" + "\n".join(lines) + "\n"


def folders_of(suite: Path, attack: KeptAttack, task: Task) -> dict[str, Path]:
    """Return step name -> the folder of its script."""
    top = suite / FOLDER / attack.name
    places = {step.name: top / step.name if step.name else top for step in task.steps}
    return {name: place for name, place in places.items() if (place / SOLVE).is_file()}


@dataclass(frozen=True, slots=True)
class KeptAttacks:
    """Hand in what was kept."""

    card: Card = CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield the attacks kept on this task, beside it or beside the suite that it lies in.

        Raise FormatError for an attacks.toml that cannot be followed.
        """
        seen: set[str] = set()
        top = target.key.path.resolve()
        for suite in (top, *tuple(top.parents)[:2]):
            for attack in read_kept(suite):
                grader = grader_of(attack, target)
                if attack.task != target.task.name or attack.name in seen or grader is None:
                    continue
                seen.add(attack.name)
                folders = folders_of(suite, attack, target.task)
                yield Submission(
                    name=attack.name, agent=RecordedAgent(model=attack.name, folders=folders), expects="fails",
                    what=f"an attack that {attack.attacker} found", severity=attack.severity, why=attack.why,
                    runners=(attack.runner,), grader=grader if attack.impossible else None,
                )  # fmt: skip


def grader_of(attack: KeptAttack, target: Target) -> Key | None:
    """Return the grader that the attack is handed to; None where an impossible one cannot be made again."""
    if not attack.impossible:
        return target.key
    made = (flipped_key(target, [one]) for one in expectations(target)[:TRIES])
    return next((key for key in made if key.grader_hash == attack.grader), None)


KEPT_ATTACK = KeptAttacks()
