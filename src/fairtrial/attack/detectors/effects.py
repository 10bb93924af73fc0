"""What a program would do to files, processes and the network, as its text shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EffectKind = Literal["write", "edit", "delete", "read", "fetch", "shell", "code"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One thing that a program does."""

    kind: EffectKind
    path: str = ""
    """File or address; empty where it is computed."""
    text: str = ""
    """Text written or put in; a command line; program text that is run in turn."""
    old: str = ""
    sources: tuple[str, ...] = ()
    appends: bool = False
    is_certain: bool = True
    """False in a branch, or in a function that nothing in sight calls."""
