"""Walk an app as a user would, by steps written beforehand, and check what it shows: over HTTP or in a browser."""

from fairtrial.checks.state.workflows.app import App, answers
from fairtrial.checks.state.workflows.browser import BrowserVisitor
from fairtrial.checks.state.workflows.check import workflow
from fairtrial.checks.state.workflows.http_visit import HttpVisitor
from fairtrial.checks.state.workflows.steps import Fact, Step, Workflow, Workflows, read_workflows
from fairtrial.checks.state.workflows.visitor import Seen, Visitor
from fairtrial.checks.state.workflows.walk import Asks, Walk, walk
from fairtrial.checks.state.workflows.walks import Walks, told, workflow_of

__all__ = [
    "App",
    "Asks",
    "BrowserVisitor",
    "Fact",
    "HttpVisitor",
    "Seen",
    "Step",
    "Visitor",
    "Walk",
    "Walks",
    "Workflow",
    "Workflows",
    "answers",
    "read_workflows",
    "told",
    "walk",
    "workflow",
    "workflow_of",
]
