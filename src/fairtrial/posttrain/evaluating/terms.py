"""On what terms models are evaluated, as rollouts record it: suite, settings, environment of each track.

The suite is named for the content of the evaluator with its hidden files; the environment for the sandbox, the Python
and its packages, or for the host where another Python is used. What the rules state must be so. Not covered: what a
mounted folder holds.
"""

from __future__ import annotations

import importlib.metadata
import platform
from dataclasses import dataclass
from functools import cache

from fairtrial.board.locking import is_of_suite
from fairtrial.posttrain.bench import HASH_DIGITS, Bench
from fairtrial.posttrain.evaluating.copying import evaluator_files
from fairtrial.records import FormatError, canonical_json, digest
from fairtrial.rules.checking.hashes import file_hash
from fairtrial.rules.schema import Track
from fairtrial.sandbox import host_state

CONTRACT = 1
"""Of evaluate.py: raise it when it is called in another way."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is the same for every model on one track."""

    track: str
    suite: str
    """`NAME@HASH`."""
    settings: str
    environment: str

    def document(self) -> dict[str, str]:
        """Return it as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def terms_of(bench: Bench, sandbox: str) -> dict[str, Terms]:
    """Return the terms of every track that is benchmarked. Raise FormatError where the rules state others."""
    environment = _environment(bench, sandbox)
    found = {}
    for one in bench.toml.benchmark:
        track = next(each for each in bench.rules.tracks if each.name == one.track)
        name = track.suite.split("@")[0] or track.name
        held = Terms(
            track=track.name, suite=f"{name}@{_evaluator_hash(bench, one.track)}",
            settings=f"contract {CONTRACT}, {f'limit {one.limit}' if one.limit else 'every item'}",
            environment=environment,
        )  # fmt: skip
        _must_be_so(bench, track, held)
        found[track.name] = held
    return found


def _must_be_so(bench: Bench, track: Track, held: Terms) -> None:
    """Raise FormatError where the rules lock a track to something else."""
    stated = (("suite", track.suite, held.suite), ("settings", track.settings, held.settings),
              ("environment", track.environment, held.environment))  # fmt: skip
    for field, wanted, found in stated:
        fits = is_of_suite(found, wanted) if field == "suite" else wanted in ("", found)
        if not fits:
            raise FormatError(f"the track `{track.name}` is locked to {wanted}, and here it is {found}",
                              path=bench.rules.path, field=f"track.{field}",
                              hint=f'{field} = "{found}" locks it to this, and no {field} leaves it open.')  # fmt: skip


def _evaluator_hash(bench: Bench, track: str) -> str:
    listed = "".join(f"{name}\0{file_hash(path)}\n" for name, path in sorted(evaluator_files(bench, track).items()))
    return digest(listed.encode("utf-8", "surrogateescape"))[7 : 7 + HASH_DIGITS]


def _environment(bench: Bench, sandbox: str) -> str:
    world = bench.toml.world
    stated = {
        "sandbox": sandbox, "machine": platform.machine(), "variables": dict(world.variables),
        "mounts": list(world.mounts), "memory_mb": bench.toml.evaluation.memory_mb,
        "python": _packages() if world.python else host_state(),
    }  # fmt: skip
    python = f"python {platform.python_version()}" if world.python else "python of the host"
    return f"{sandbox}, {python}, {digest(canonical_json(stated))[7 : 7 + HASH_DIGITS]}"


@cache
def _packages() -> list[str]:
    held = {f"{one.metadata['Name']}=={one.version}" for one in importlib.metadata.distributions()}
    return [platform.python_version(), *sorted(held)]
