"""Text graders: reward functions, scorers and rubrics, proven on completions whose right verdict is known."""

from fairtrial.prove.text.cases import GraderCase, cases_of_grader, drawn, read_cases
from fairtrial.prove.text.harness import Framework, Harness
from fairtrial.prove.text.interpreter import Interpreter, look_at
from fairtrial.prove.text.own_environment import own_environment
from fairtrial.prove.text.places import Box, Place, Plain
from fairtrial.prove.text.proof import Brought, ProvenText, TextOptions, prove_text
from fairtrial.prove.text.target import GraderTarget, read_target

__all__ = [
    "Box",
    "Brought",
    "Framework",
    "GraderCase",
    "GraderTarget",
    "Harness",
    "Interpreter",
    "Place",
    "Plain",
    "ProvenText",
    "TextOptions",
    "cases_of_grader",
    "drawn",
    "look_at",
    "own_environment",
    "prove_text",
    "read_cases",
    "read_target",
]
