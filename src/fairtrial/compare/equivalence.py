"""The one door to comparing answers: `equivalent(reference, answer, kind)`; each kind is a module with `compare`.

Standard library at the top of every module: what needs more (algebra, units) is imported where it is used, and
its absence is a reason. Nothing is raised on any text, nothing takes longer than a second.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.verdict import Equivalence

KINDS = (
    "number", "percent", "money", "quantity", "date", "boolean", "math", "tuple", "set", "interval", "json", "table",
    "text", "choice", "code_output",
)  # fmt: skip
MOST_CHARACTERS = 1_000_000

_SAME = Equivalence(True, "the same text")

Compare = Callable[[str, str, Stated], Equivalence]


def equivalent(reference: str, answer: str, kind: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether `answer` says the same as `reference`, both of one of `KINDS`, as strictly as `stated`.

    Raise ValueError for an unknown kind, and for nothing that a text can hold.
    """
    if kind not in KINDS:
        raise ValueError(f"no kind `{kind}`: {', '.join(KINDS)}")
    if reference == answer:
        return _SAME
    if len(answer) > MOST_CHARACTERS or len(reference) > MOST_CHARACTERS:
        which, text = ("answer", answer) if len(answer) > MOST_CHARACTERS else ("reference", reference)
        return Equivalence(False, f"the {which} has {len(text)} characters, more than {MOST_CHARACTERS}")
    return _of_kind(kind)(reference, answer, stated)


@cache
def _of_kind(kind: str) -> Compare:
    compare: Compare = import_module(f"fairtrial.compare.{kind}").compare
    return compare
