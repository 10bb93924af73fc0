"""Find a sandbox by name: a built-in one, an entry point `fairtrial.sandbox`, or a dotted path given by a person.

A dotted path is never taken from a file that came with a suite: callers say where the name is from.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import entry_points

from fairtrial.records import InputError
from fairtrial.sandbox.bubblewrap import Bubblewrap
from fairtrial.sandbox.container import Container
from fairtrial.sandbox.fake import FakeSandbox
from fairtrial.sandbox.local import Local
from fairtrial.sandbox.protocol import Sandbox

BUILT_IN: dict[str, Callable[[], Sandbox]] = {
    "bwrap": Bubblewrap,
    "bubblewrap": Bubblewrap,
    "container": Container,
    "local": Local,
    "fake": FakeSandbox,
}
GROUP = "fairtrial.sandbox"


def find(name: str, *, from_person: bool = False) -> Sandbox:
    """Return the sandbox called `name`; a dotted path `module:attribute` only where a person gave it.

    Raise InputError where there is none.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]()
    for point in entry_points(group=GROUP):
        if point.name == name:
            return _made(point.load(), name)
    if ":" in name and from_person:
        return _made(_attribute(name), name)
    known = ", ".join(sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))}))
    hint = f"Known: {known}; or module:attribute on the command line."
    raise InputError(f"there is no sandbox `{name}`", hint=hint)


def default() -> tuple[Sandbox, str]:
    """Return bubblewrap where it works, else local, and why it is that one."""
    bubblewrap = Bubblewrap()
    capability = bubblewrap.capability()
    if capability.available:
        return bubblewrap, "bubblewrap works here"
    return Local(), f"{capability.why}; nothing is isolated"


def _attribute(name: str) -> object:
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(f"cannot load the sandbox `{name}`: {error}") from error


def _made(found: object, name: str) -> Sandbox:
    made = found() if (callable(found) and not hasattr(found, "open")) or isinstance(found, type) else found
    if not all(hasattr(made, method) for method in ("name", "capability", "unsupported", "prepare", "open")):
        raise InputError(f"`{name}` is not a sandbox", hint="It needs name, capability, unsupported, prepare, open.")
    return made  # type: ignore[return-value]
