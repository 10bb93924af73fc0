"""Run a command where it can do no harm: bubblewrap, container, local (no isolation, and says so), fake."""

from fairtrial.sandbox.bubblewrap import Bubblewrap
from fairtrial.sandbox.cache import kept_folder, scratch_folder
from fairtrial.sandbox.container import Container
from fairtrial.sandbox.fake import FakeSandbox
from fairtrial.sandbox.host_view import state as host_state
from fairtrial.sandbox.local import Local
from fairtrial.sandbox.protocol import Box, Capability, Command, Completed, Killed, Mount, Prepared, Sandbox, Taken
from fairtrial.sandbox.registry import default, find
from fairtrial.sandbox.variables import BASE_VARIABLES, credential_names, credentials_beside, passed_variables

__all__ = [
    "BASE_VARIABLES",
    "Box",
    "Bubblewrap",
    "Capability",
    "Command",
    "Completed",
    "Container",
    "FakeSandbox",
    "Killed",
    "Local",
    "Mount",
    "Prepared",
    "Sandbox",
    "Taken",
    "credential_names",
    "credentials_beside",
    "default",
    "find",
    "host_state",
    "kept_folder",
    "passed_variables",
    "scratch_folder",
]
