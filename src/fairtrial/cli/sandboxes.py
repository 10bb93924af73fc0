"""From the word of --sandbox to a sandbox that works here; what it does not isolate is said on stderr."""

from __future__ import annotations

from fairtrial.cli.output import note
from fairtrial.records import SandboxError
from fairtrial.sandbox import Sandbox, default, find


def choose(name: str) -> Sandbox:
    """Return the sandbox called `name`, or the best that works here. Raise SandboxError where it cannot be used."""
    if name:
        sandbox = find(name, from_person=True)
        capability = sandbox.capability()
        if not capability.available:
            raise SandboxError(f"the sandbox `{name}` does not work here: {capability.why}",
                               hint="Leave --sandbox out for the best that does.")  # fmt: skip
    else:
        sandbox, why = default()
        if not sandbox.capability().isolated:
            note(f"note: using the sandbox `{sandbox.name}`: {why}")
    if not sandbox.capability().isolated:
        note(f"warning: the sandbox `{sandbox.name}` does not isolate: {sandbox.capability().why}")
    return sandbox
