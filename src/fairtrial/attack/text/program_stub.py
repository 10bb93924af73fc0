"""Hand in the reference's program with nothing in its functions: pass, a constant of its type, its own argument."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.code.answer_constants import empty_answer, full_answer, returned_constant
from fairtrial.attack.code.hollow_code import Body, first_argument, hollowed
from fairtrial.attack.text.program import OfPrograms, handed_in, is_script
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, wrong

CARD = Card(
    id="program_stub", family="hack", surface="text", classes=("BGW-101", "BGW-137", "TRACE-4"),
    submits="the reference's program with functions that return nothing, a constant or their argument; idle scripts",
    sound="fails it",
    proof="always: there was work in the functions, and none is left",
)  # fmt: skip
RAISES_CARD = Card(
    id="program_raises", family="hack", surface="text", classes=("BGW-126", "TRACE-5"),
    submits="a program whose functions raise, one that cannot be read, one that imports what there is not",
    sound="fails it",
    proof="always: it does nothing but fail",
)  # fmt: skip
_WHY = "There is no work left in it."
_WHY_RAISES = "It does nothing but fail."
BODIES: dict[str, tuple[Body, str]] = {
    "pass": (lambda _: "pass", "functions that do nothing"),
    "empty_value": (lambda one: f"return {empty_answer(one)}", "functions that return an empty value of their type"),
    "full_value": (lambda one: f"return {full_answer(one)}", "functions that return True, 1 or one word"),
    "first_constant": (lambda one: f"return {returned_constant(one, last=False)}", "functions that return a constant"),
    "last_constant": (lambda one: f"return {returned_constant(one, last=True)}", "functions that return a constant"),
    "argument": (lambda one: f"return {first_argument(one) or 'None'}", "functions that return their argument"),
    "seven": (lambda _: "return 7", "functions that return 7"),
}
SCRIPTS = {
    "prints_nothing": ("pass\n", "a program that prints nothing"),
    "echoes": ("import sys\nsys.stdout.write(sys.stdin.read())\n", "a program that prints what it reads"),
    "prints_zero": ("print(0)\n", "a program that always prints 0"),
    "prints_yes": ("print('YES')\n", "a program that always prints YES"),
}


def _make(case: TextCase, source: str) -> Iterator[TextSubmission]:
    for name, (body, what) in BODIES.items():
        text = hollowed(source, body)
        if text is not None:
            yield wrong(name, handed_in(case, text), f"a program of {what}", why=_WHY)
    for name, (text, what) in SCRIPTS.items() if is_script(source) else ():
        yield wrong(f"script_{name}", handed_in(case, text), what, why=_WHY)


def _make_raises(case: TextCase, source: str) -> Iterator[TextSubmission]:
    for name, body in (("not_implemented", "raise NotImplementedError"), ("value_error", "raise ValueError('no')")):
        text = hollowed(source, lambda _, body=body: body)  # type: ignore[misc]
        if text is not None:
            yield wrong(name, handed_in(case, text), f"a program whose functions {body}", why=_WHY_RAISES)
    whole = {
        "unreadable": ("def (:\n", "a program that is no Python"),
        "no_such_module": ("import there_is_no_such_module\n", "a program that imports what there is not"),
        "raises_at_once": ("raise RuntimeError('no')\n", "a program that raises when it is loaded"),
        "nothing_defined": ("# nothing here\n", "a program that defines nothing"),
    }
    for name, (text, what) in whole.items():
        yield wrong(name, handed_in(case, text), what, why=_WHY_RAISES)


PROGRAM_STUB = TextRule(card=CARD, make=OfPrograms(_make))
PROGRAM_RAISES = TextRule(card=RAISES_CARD, make=OfPrograms(_make_raises))
