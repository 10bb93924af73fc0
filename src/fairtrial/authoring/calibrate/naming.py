"""A family that is a function of a person's own module, named as MODULE:FUNCTION on the command line and nowhere else.

The module is imported into this process and the function called there: whatever either raises is told as bad input.
The first tasks of a difficulty are made once more in a process of its own with another hash seed, for what depends on
the order of a set looks alike within one process.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairtrial.authoring.calibrate.family import CallableFamily, number_of
from fairtrial.records import FormatError, InputError, digest

ELSEWHERE = 2
"""Tasks of each difficulty that are made in another process too."""
SECONDS = 60
_PROGRAM = """
import importlib, json, sys
sys.path.insert(0, "")
module, function, difficulty, seed = json.load(sys.stdin)
out, sys.stdout = sys.stdout, sys.stderr
made = getattr(importlib.import_module(module), function)(difficulty, seed)
json.dump(made if isinstance(made, str) else dict(made) if hasattr(made, "keys") else str(made), out)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFamily:
    """A function by its name."""

    named: str
    """MODULE:FUNCTION."""
    plain: CallableFamily
    _elsewhere_too: dict[str, set[int]] = field(default_factory=dict)
    """Difficulty -> seeds that were made in another process."""

    @property
    def name(self) -> str:
        """Return the function's module, or the function where its own name says more than `make`."""
        return self.plain.name

    @property
    def identity(self) -> str:
        """Return the hash of the module's file."""
        return self.plain.identity

    def make(self, difficulty: str, seed: int, into: Path) -> Path | Mapping[str, Any]:
        """Call the function; the first tasks of a difficulty elsewhere too."""
        made: Path | Mapping[str, Any] = _guarded(lambda: self.plain.make(difficulty, seed, into), self.named)
        seeds = self._elsewhere_too.setdefault(difficulty, set())
        if isinstance(made, Mapping) and seed not in seeds and len(seeds) < ELSEWHERE:
            seeds.add(seed)
            if dict(made) != self._elsewhere(difficulty, seed):
                raise InputError(f"made another task of difficulty {difficulty} and seed {seed} in another process",
                                 field="FAMILY", hint="Draw from the seed alone: no clock, no set order.")  # fmt: skip
        return made

    def _elsewhere(self, difficulty: str, seed: int) -> Any:
        module, _, function = self.named.partition(":")
        environment = {**os.environ, "PYTHONHASHSEED": str(seed % 4_000_000 + 1)}
        asked = json.dumps([module, function, number_of(difficulty), seed])
        try:
            done = subprocess.run([sys.executable, "-c", _PROGRAM], input=asked, capture_output=True, text=True,
                                  env=environment, timeout=SECONDS, check=False)  # fmt: skip
            return json.loads(done.stdout)
        except (json.JSONDecodeError, subprocess.TimeoutExpired) as error:
            raise InputError("could not be asked in a process of its own", field="FAMILY",
                             hint="It must be importable from the current folder.") from error  # fmt: skip


def named_family(named: str) -> NamedFamily:
    """Return the family that MODULE:FUNCTION names. Raise InputError where there is none."""
    module, _, function = named.partition(":")
    if "" not in sys.path:  # the current folder, where a person keeps it
        sys.path.insert(0, "")
    imported = _guarded(lambda: importlib.import_module(module), named)
    found = getattr(imported, function, None)
    if not callable(found):
        raise InputError(f"`{module}` holds no function `{function}`", field="FAMILY")
    file = inspect.getsourcefile(imported) if inspect.ismodule(imported) else None
    identity = digest(Path(file).read_bytes()) if file and Path(file).is_file() else ""
    name = module.rpartition(".")[2] if function == "make" else function
    return NamedFamily(named=named, plain=CallableFamily(name=name, identity=identity, function=found))


def _guarded(work: Callable[[], Any], named: str) -> Any:
    """Do what runs a person's own code; what it raises becomes bad input."""
    try:
        with redirect_stdout(sys.stderr):
            return work()
    except (InputError, FormatError):
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"`{named}`: {type(error).__name__}: {error}", field="FAMILY") from error
