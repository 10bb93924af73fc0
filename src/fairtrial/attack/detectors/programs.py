"""Acts of programs: of one that is run, and, as latent acts, of one that is written for later.

A program that was run before in the same form is not read again.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from fairtrial.attack.detectors.acts import Act
from fairtrial.attack.detectors.effects import Effect
from fairtrial.attack.detectors.other_programs import PROGRAMS, other_effects
from fairtrial.attack.detectors.python_program import python_effects
from fairtrial.attack.detectors.recording import Recording
from fairtrial.checks.process.shell_syntax import is_python

MOST_NESTED = 3
_OTHER_ENDINGS = (".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".R", ".lua")
_SHEBANG = re.compile(r"#!.*?\b(python|node|ruby|perl|sh|bash|zsh|dash)[\d.]*\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the reading of one trajectory carries from call to call."""

    session: Recording
    shell: Callable[[str, Act, Reading], Iterator[Act]]
    """Reads a command line that a program starts."""
    run_before: set[tuple[str, str]] = field(default_factory=set)
    """Programs that were run, and are not read again: interpreter and text."""


def effects_of(program: str, code: str) -> tuple[Effect, ...]:
    """Return what a program text does, as Python or as another language by the name of its interpreter."""
    if is_python(program) or program in ("ipython", "uvicorn", "pytest"):
        return python_effects(code)
    return other_effects(code) if program in PROGRAMS or program in ("javascript", "script") else ()


def acts_of_program(program: str, code: str, whole: Act, reading: Reading, nested: int = 0) -> Iterator[Act]:
    """Yield what a program does as it is run in the call `whole`."""
    if not code or (program, code) in reading.run_before or nested > MOST_NESTED:
        return
    reading.run_before.add((program, code))
    step, place = reading.session.author(code)
    base = replace(whole, origin=step or whole.step, origin_place=place or whole.place)
    for effect in effects_of(program, code):
        if effect.kind == "code":
            yield from acts_of_program("python", effect.text, base, reading, nested + 1)
        elif effect.kind == "shell":
            if effect.text:
                inner = replace(base, is_certain=base.is_certain and effect.is_certain)
                yield from reading.shell(effect.text, inner, reading)
        else:
            if effect.kind == "write" and effect.path and effect.text:
                reading.session.put(effect.path, effect.text, appends=effect.appends)
            yield act_of(effect, base)


def act_of(effect: Effect, base: Act) -> Act:
    """Return an effect as an act."""
    return replace(base, kind=effect.kind, paths=(effect.path,) if effect.path else (), text=effect.text,  # type: ignore[arg-type]
                   old=effect.old, sources=effect.sources, appends=effect.appends,
                   is_certain=effect.is_certain and base.is_certain)  # fmt: skip


def program_acts_of_write(act: Act) -> Iterator[Act]:
    """Yield what the program that an act writes will do where it is run."""
    path = act.paths[0] if act.paths else ""
    language = language_of(path, act.text)
    if not language or act.is_latent:
        return
    for effect in effects_of(language, act.text):
        if effect.kind == "shell":
            yield replace(act, kind="run", words=tuple(effect.text.split()[:20]), text=effect.text, is_latent=True,
                          is_certain=effect.is_certain)  # fmt: skip
        elif effect.kind != "code":
            yield replace(act_of(effect, act), is_latent=True)


def language_of(path: str, text: str) -> str:
    """Return the interpreter of a program by the name of its file or its first line; empty for other texts.

    >>> language_of("a.py", ""), language_of("bin/tool", "#!/usr/bin/env python3"), language_of("a.csv", "x")
    ('python', 'python', '')
    """
    ending = posixpath.splitext(path)[1]
    if ending in (".py", ".pyw", ".pth"):
        return "python"
    if ending in _OTHER_ENDINGS:
        return "node"
    named = _SHEBANG.match(text)
    return {"python": "python", "node": "node", "ruby": "ruby", "perl": "perl"}.get(named[1], "") if named else ""
