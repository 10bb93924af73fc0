"""Find the function that a person named as MODULE:FUNCTION, and say what its source is.

The module is run to be imported, here and in the process of every seed. What it prints then goes to stderr.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from contextlib import redirect_stdout
from pathlib import Path

from fairtrial.records import InputError
from fairtrial.tasks.hashes import file_digest
from fairtrial.train.rewards.function import RewardFunction


def load_function(name: str) -> RewardFunction:
    """Return the function that MODULE:FUNCTION names. Raise InputError where there is none."""
    module, _, function = name.partition(":")
    if "" not in sys.path:  # the current folder, where a person keeps it
        sys.path.insert(0, "")
    if not module or not function:
        raise InputError(f"`{name}` is not MODULE:FUNCTION", field="--grader")
    try:
        with redirect_stdout(sys.stderr):
            imported = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        why = f"{type(error).__name__}: {error}"
        raise InputError(f"`{module}` cannot be imported: {why}", field="--grader") from error
    found = getattr(imported, function, None)
    if found is None:
        raise InputError(f"`{module}` holds no `{function}`", field="--grader")
    if not callable(found):
        raise InputError(f"`{name}` is not a function", field="--grader")
    return found  # type: ignore[no-any-return]


def source_hash(function: RewardFunction) -> str:
    """Return the content address of the file that holds `function`; empty where there is none to read."""
    try:
        file = inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:  # a function of C, or an object that can be called
        return ""
    return file_digest(Path(file)) if file is not None and Path(file).is_file() else ""
