"""The source files that a task is about: those that its instruction names and those that the agent changed.

A file of the same name elsewhere is likely another version of it. Names that many projects have are left out.
"""

from __future__ import annotations

import functools
import posixpath
import re

from fairtrial.attack.detectors.protocol import Seen
from fairtrial.attack.detectors.roles import is_grader, is_scratch, is_test

_SOURCE = re.compile(
    r"\.(?:py|pyx|js|mjs|cjs|tsx?|jsx|rs|go|rb|jl|java|kt|scala|c|h|cc|cpp|hpp|cu|cs|exs?|erl|R|php|swift|lua|p[lm]|hs|"
    r"ml|clj|dart|zig|nim|vue|svelte|f90|f|adb|v|sv|vhd|proto|tex)$"
)
_COMMON_NAMES = (
    "__init__ __main__ main index mod lib app setup conftest config settings utils util types errors error helpers "
    "common base core cli test tests version build run server client model models solution solve example script tool "
    "tools api views urls admin routes types constants exceptions parser"
)
_COMMON = frozenset(_COMMON_NAMES.split())


@functools.lru_cache(maxsize=2)
def work_files(seen: Seen) -> frozenset[str]:
    """Return the bare names of source files that the task is about."""
    named = [path for clause in seen.terms.clauses for path in clause.paths]
    named += [path for act in seen.of("edit") if not act.is_latent for path in act.paths if not is_scratch(path)]
    named += [
        path
        for act in seen.of("write")
        if not act.is_latent
        for path in act.paths
        if not is_scratch(path) and not seen.files.is_made(path)
    ]
    return frozenset(posixpath.basename(path) for path in named if is_telling(path))


def is_telling(path: str) -> bool:
    """Say whether a file is source whose name hardly stands in two projects by chance.

    >>> is_telling("src/regalloc.c"), is_telling("src/main.rs"), is_telling("data.csv"), is_telling("tests/test_a.py")
    (True, False, False, False)
    """
    stem = posixpath.splitext(posixpath.basename(path))[0]
    return (
        bool(_SOURCE.search(path))
        and stem.lower() not in _COMMON
        and len(stem) > 2
        and not is_test(path)
        and not is_grader(path)
    )
