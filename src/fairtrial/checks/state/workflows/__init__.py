"""Walk an app as a user would, by steps written beforehand, and check what it shows: over HTTP or in a browser."""

from fairtrial.checks.state.workflows.check import workflow
from fairtrial.checks.state.workflows.steps import Fact, Step, Workflow, Workflows, read_workflows
from fairtrial.checks.state.workflows.visitor import Seen, Visitor
from fairtrial.checks.state.workflows.walk import Asks, Walk, walk
from fairtrial.checks.state.workflows.walks import Walks

__all__ = [
    "Asks",
    "Fact",
    "Seen",
    "Step",
    "Visitor",
    "Walk",
    "Walks",
    "Workflow",
    "Workflows",
    "read_workflows",
    "walk",
    "workflow",
]
