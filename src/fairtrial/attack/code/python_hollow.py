"""Probe: the reference's Python with nothing in it, in the ways that lazy work takes.

Functions that return nothing, a constant or their argument, or raise; programs that print nothing, their input or one
word; an empty module, and one that Python cannot read. All programs of the reference are emptied at once. Proof only
where there was work to leave out and the programs are what was asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.code.answer_constants import empty_answer, full_answer, printed_words, returned_constant
from fairtrial.attack.code.hollow_code import Body, first_argument, has_work, hollowed
from fairtrial.attack.code.python_code import acts_on_import, is_main_guard, parse
from fairtrial.attack.code.sources import Source, asked_for, hand_in, sources
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target

_BODIES: Mapping[str, tuple[Body, str]] = {
    "returns-none": (lambda _: "return None", "every function of {} returning None"),
    "not-implemented": (lambda _: "raise NotImplementedError", "every function of {} raising NotImplementedError"),
    "first-argument": (
        lambda function: f"return {first_argument(function) or 'None'}",
        "every function of {} returning its first argument",
    ),
    "empty-answer": (
        lambda function: f"return {empty_answer(function)}",
        "every function of {} returning an empty value of its type",
    ),
    "full-answer": (
        lambda function: f"return {full_answer(function)}",
        "every function of {} returning True, 1 or one word",
    ),
    "first-constant": (
        lambda function: f"return {returned_constant(function, last=False)}",
        "every function of {} returning the first constant that it can",
    ),
    "last-constant": (
        lambda function: f"return {returned_constant(function, last=True)}",
        "every function of {} returning the last constant that it can",
    ),
}
_ECHO = "import sys\nif not sys.stdin.isatty():\n    sys.stdout.write(sys.stdin.read())\n"
_ARGUMENTS = "import sys\nprint(*sys.argv[1:])\n"


_CARD = Card(
    id="python_hollow",
    family="mutant",
    surface="workspace",
    submits="Python whose functions return nothing, a constant or their argument; programs that print nothing, "
    "their input or one word; an empty module; a module that is no Python; all of the text behind an early return",
    sound="fails it",
    proof="A proof: there is no work in it. A lead where the reference left data beside the program, which may be "
    "all that was asked for.",
    classes=("BGW-101", "BGW-106", "BGW-126", "BGW-137", "TRACE-4"),
)


@dataclass(frozen=True, slots=True)
class PythonHollow:
    """Leave the names and take out the work."""

    card: Card = _CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one for each way of leaving the work out; none where the reference's code does nothing itself."""
        programs = [source for source in sources(target, "python") if does_work(source)]
        if not programs:
            return
        named = " and ".join(source.inside for source in programs)
        for label, (body, what) in _BODIES.items():
            texts = {source.inside: text for source in programs
                     if not _is_script(source) and (text := hollowed(source.after, body)) is not None}  # fmt: skip
            if len(texts) == len(programs):
                yield _hollow(target, programs, label, texts, what.format(named))
        for label, text, what in _whole(programs):
            texts = {source.inside: text for source in programs}
            yield _hollow(target, programs, label, texts, what.format(named))
        dead = {source.inside: text for source in programs if (text := _dead(source)) is not None}
        if len(dead) == len(programs):
            yield _hollow(target, programs, "dead-code", dead, f"{named} leaving before the work, which stands unused")


def does_work(source: Source) -> bool:
    """Say whether there is anything in a program that could be left out."""
    return _is_script(source) or has_work(source.after)


def _is_script(source: Source) -> bool:
    tree = parse(source.after)
    return tree is not None and acts_on_import(tree)


def _dead(source: Source) -> str | None:
    """Return the program with all of its text and none of its work: what only searches the text finds everything."""
    if not _is_script(source):
        return hollowed(source.after, lambda function: f"return None\n{ast.unparse(ast.Module(function.body, []))}")
    tree = parse(source.after)
    futures = [one.end_lineno or 0 for one in tree.body if isinstance(one, ast.ImportFrom)
               and one.module == "__future__"] if tree is not None else []  # fmt: skip
    lines = source.after.splitlines(keepends=True)
    at = max(futures, default=0)
    return "".join((*lines[:at], "raise SystemExit(0)\n", *lines[at:]))


def _whole(programs: Sequence[Source]) -> Iterator[tuple[str, str, str]]:
    """Yield label, text and words of programs that stand in place of each of the reference's."""
    yield "empty", "", "{} left empty"
    yield "unreadable", "def (:\n", "{} not being Python at all"
    if not any(_is_program(source) for source in programs):
        return
    yield "echo-input", _ECHO, "{} printing what it reads"
    yield "echo-arguments", _ARGUMENTS, "{} printing its arguments"
    words = list(dict.fromkeys([*(w for source in programs for w in printed_words(source.after)), "0", "ok"]))
    for number, word in enumerate(words):
        yield f"one-word-{number + 1}", f"print({word!r})\n", f"{{}} always printing `{word}`"


def _is_program(source: Source) -> bool:
    tree = parse(source.after)
    return tree is not None and (acts_on_import(tree) or any(is_main_guard(one) for one in tree.body))


def _hollow(target: Target, programs: Sequence[Source], label: str, texts: Mapping[str, str], what: str) -> Submission:
    agent = hand_in(target, label, texts)
    asked = {source.inside for source in asked_for(target, "python")}
    if all(source.inside in asked for source in programs):
        return Submission(name=label, agent=agent, expects="fails", what=what, why="There is no work in it.")
    why = "There is no work in the program, but the reference left data beside it, which may be all that was asked for."
    return Submission(name=label, agent=agent, expects="fails", severity="lead", what=what, why=why)
