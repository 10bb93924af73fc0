"""Run a command where it can do no harm: bubblewrap, container, local (no isolation, and says so), fake."""

from fairtrial.sandbox.bubblewrap import Bubblewrap
from fairtrial.sandbox.protocol import Box, Capability, Command, Completed, Killed, Mount, Prepared, Sandbox, Taken

__all__ = ["Box", "Bubblewrap", "Capability", "Command", "Completed", "Killed", "Mount", "Prepared", "Sandbox", "Taken"]
