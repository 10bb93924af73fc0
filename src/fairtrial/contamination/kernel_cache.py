"""Compile to machine code, and keep it: next to the source where that can be written, else in the user's cache folder.

Where neither can be (a read-only install with no home) the code is compiled anew by each process, which costs seconds
and changes nothing else. NUMBA_CACHE_DIR names a folder of one's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Compiled = TypeVar("Compiled", bound=Callable[..., Any])


_PART: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Parts are never called from Python: without those ways in they compile in two thirds of the time."""


def compiled(function: Compiled) -> Compiled:
    """Return `function` compiled on its first call, without the interpreter's lock, and kept where that can be."""
    try:
        return cast(Compiled, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # numba: "no locator available": there is nowhere to write
        return cast(Compiled, numba.njit(nogil=True)(function))


def inlined(function: Compiled) -> Compiled:
    """Return `function` compiled as a part of those that call it; nothing is kept of it alone."""
    return cast(Compiled, numba.njit(**_PART, forceinline=True)(function))


def called(function: Compiled) -> Compiled:
    """Return `function` compiled as a part that is called: what is seldom run must not crowd a loop's registers."""
    return cast(Compiled, numba.njit(**_PART)(function))
