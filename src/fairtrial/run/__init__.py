"""Tasks x agents -> rollouts: an engine, and the agents null, files, scripted, submission (oracle) and terminal."""

from fairtrial.run.agents.files import FilesAgent
from fairtrial.run.agents.null import NullAgent
from fairtrial.run.agents.scripted import ScriptedAgent
from fairtrial.run.agents.submission import SubmissionAgent
from fairtrial.run.attempt import Assignment, Attempt
from fairtrial.run.engine import Done, Engine, InlineEngine, LocalEngine, Lost
from fairtrial.run.engines import OpenEngine
from fairtrial.run.engines import find as find_engine
from fairtrial.run.matrix import Plan, Tally, held_attempts, run_plan
from fairtrial.run.protocol import Action, Agent, Episode, Situation
from fairtrial.run.seeds import attempt_seed
from fairtrial.run.trial import Trial, Tried

__all__ = [
    "Action",
    "Agent",
    "Assignment",
    "Attempt",
    "Done",
    "Engine",
    "Episode",
    "FilesAgent",
    "InlineEngine",
    "LocalEngine",
    "Lost",
    "NullAgent",
    "OpenEngine",
    "Plan",
    "ScriptedAgent",
    "Situation",
    "SubmissionAgent",
    "Tally",
    "Trial",
    "Tried",
    "attempt_seed",
    "find_engine",
    "held_attempts",
    "run_plan",
]
