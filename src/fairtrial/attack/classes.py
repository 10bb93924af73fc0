"""The map from classes of weakness to the probes that cover them, and why what is not probed is not.

Two lists: bohrin's grader weaknesses (BGW-101 to BGW-138) and TRACE's ten groups of hacks, each with a title in our
words. A class is covered by the probes whose cards name it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.records import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaknessClass:
    """One kind of defect of a grader, or of hack."""

    id: str
    title: str
    why_not: str = ""
    """Why no probe covers it, or what of it no probe covers; empty where it is covered."""


def _class(name: str, title: str, why_not: str = "") -> WeaknessClass:
    return WeaknessClass(id=name, title=title, why_not=why_not)


BGW: tuple[WeaknessClass, ...] = (
    _class("BGW-101", "Work left undone passes: empty bodies, constants, stubs"),
    _class("BGW-102", "A program ends with success before it is checked"),
    _class("BGW-103", "Objects that claim to equal anything"),
    _class("BGW-104", "A table of the outputs that the tests expect"),
    _class("BGW-105", "A program that learns from the grader's earlier calls"),
    _class("BGW-106", "Dead code that is there to be read by a check"),
    _class("BGW-107", "The letter of the task met, and its purpose missed"),
    _class("BGW-108", "The test runner bent by hooks that it loads"),
    _class("BGW-109", "Tests altered, removed or skipped"),
    _class("BGW-110", "A tool that the grader starts replaced"),
    _class("BGW-111", "The reward file written by the agent"),
    _class("BGW-112", "The reader of results replaced, or fed a forged report"),
    _class("BGW-113", "The clock or the counter bent"),
    _class("BGW-114", "Inputs and shared files changed to fit the output"),
    _class("BGW-115", "The answer stands in the instruction"),
    _class("BGW-116", "Reference, tests or grader readable while the agent works"),
    _class("BGW-117", "The fix lies in the repository's history"),
    _class(
        "BGW-118",
        "The answer fetched over the network",
        "A sandbox of ours has no network; which answers the network of another runner holds cannot be tried here.",
    ),
    _class("BGW-119", "Wrong work survives the tests"),
    _class("BGW-120", "Right work of another form fails"),
    _class("BGW-121", "Instruction and tests disagree"),
    _class("BGW-122", "Partial credit for work that is wrong throughout"),
    _class("BGW-123", "A comparison that drops what matters"),
    _class("BGW-124", "The reference is wrong"),
    _class("BGW-125", "An evaluation that looks at nothing"),
    _class("BGW-126", "Trouble counted as success"),
    _class("BGW-127", "The same work, another verdict"),
    _class("BGW-128", "Results added up wrongly"),
    _class("BGW-129", "The grader runs what the agent wrote as data"),
    _class("BGW-130", "Agent and grader share an environment"),
    _class("BGW-131", "Tests, grader or reward where the agent can write"),
    _class(
        "BGW-132",
        "More rights or more network than the work needs",
        "A property of the runner, not of the grader: `docs/sandbox.md` says what each sandbox of ours takes away.",
    ),
    _class(
        "BGW-133",
        "Too few tasks, or too noisy, to tell what is claimed",
        "A property of a set of results, not of a grader: `fairtrial measure` puts an interval on every figure.",
    ),
    _class("BGW-134", "A tolerance that takes wrong numbers in"),
    _class(
        "BGW-135",
        "Proofs with holes accepted",
        "Graders are read for a look for holes; a probe that hands one in would need the assistant's language.",
    ),
    _class("BGW-136", "Queries compared on one database alone"),
    _class("BGW-137", "Code that the tests run and nothing checks"),
    _class("BGW-138", "A sign of the work checked in place of the work"),
)
TRACE: tuple[WeaknessClass, ...] = (
    _class("TRACE-1", "Tests modified"),
    _class("TRACE-2", "Work aimed at the test cases: hard-coded outputs"),
    _class("TRACE-3", "Coverage gamed: only what is counted is done"),
    _class("TRACE-4", "Degenerate or stub implementation"),
    _class("TRACE-5", "Exceptions swallowed, validation relaxed"),
    _class("TRACE-6", "Leaked answers read: tests, caches, installed copies"),
    _class("TRACE-7", "History and upstream mined for the fix"),
    _class("TRACE-8", "The execution environment tampered with"),
    _class(
        "TRACE-9",
        "Credentials, an external model as teacher, look-up of the benchmark",
        "Something that an agent does, not work that a grader could tell apart: a matter of the trajectory.",
    ),
    _class("TRACE-10", "Success claimed without checking"),
)
CLASSES: tuple[WeaknessClass, ...] = (*BGW, *TRACE)


def find_class(name: str) -> WeaknessClass:
    """Return the class of this id, in any letter case. Raise InputError where there is none."""
    for one in CLASSES:
        if one.id == name.upper():
            return one
    hint = f"Classes are {BGW[0].id} to {BGW[-1].id} and {TRACE[0].id} to {TRACE[-1].id}."
    raise InputError(f"there is no class `{name}`", field="--class", hint=hint)


def covering(weakness: WeaknessClass, cards: Sequence[Card]) -> tuple[str, ...]:
    """Return the ids of those of `cards` that name this class, in their order."""
    return tuple(card.id for card in cards if weakness.id in card.classes)
