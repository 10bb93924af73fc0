"""The one door to language models: typed outcomes, budget, cache, cost, and a scripted server for tests.

Importing this package loads no client library; opening a `LanguageModel` does.
"""

from fairtrial.models.budget import Budget, Spent
from fairtrial.models.cache import Cache
from fairtrial.models.conversation import Call, Image, Message, Reply, Request, Returned, Said, Tool, request
from fairtrial.models.door import LanguageModel, Patience, preflight
from fairtrial.models.outcome import (
    Answered,
    Infrastructure,
    Outcome,
    OverBudget,
    Parsed,
    Refused,
    Truncated,
    Unparsed,
)
from fairtrial.models.scripted import ScriptedServer
from fairtrial.models.spec import ModelSpec, Price, Usage
from fairtrial.models.structured import structured

__all__ = [
    "Answered",
    "Budget",
    "Cache",
    "Call",
    "Image",
    "Infrastructure",
    "LanguageModel",
    "Message",
    "ModelSpec",
    "Outcome",
    "OverBudget",
    "Parsed",
    "Patience",
    "Price",
    "Refused",
    "Reply",
    "Request",
    "Returned",
    "Said",
    "ScriptedServer",
    "Spent",
    "Tool",
    "Truncated",
    "Unparsed",
    "Usage",
    "preflight",
    "request",
    "structured",
]
