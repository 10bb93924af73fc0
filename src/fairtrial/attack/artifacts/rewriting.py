"""The same work written in another way: what each equivalent shares.

An equivalent is certified (read back, and found to say the same) before it is handed in. Where nobody has to be told
that it is the same, a grader that fails it is proven too narrow. Any other freedom is proof only where proof.toml lists
it under `free`; where the instruction asks for the form, nothing is handed in; else a lead that quotes its silence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fairtrial.attack.artifacts.deliverables import Deliverable, Proposal, deliverables, some
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.target import Target
from fairtrial.tasks import Freedom


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A deliverable written in another way."""

    name: str
    content: bytes
    words: str
    """How it is written, after "with": "its rows in reverse"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeness:
    """A freedom that only the task can give."""

    freedom: Freedom
    form: str
    """What is free, in words: "the order of rows"."""
    asked: Callable[[Deliverable], bool]
    """Says whether the instruction asks for the form that the reference has."""


Rewrite = Callable[[Deliverable, Spliced], Iterable[Rewriting]]


def declared(target: Target, free: Freeness, rewrite: Rewrite) -> Iterator[Proposal]:
    """Yield what is the same only if the task says so: proof where it does, a lead where it says nothing of it."""
    given = free.freedom in target.key.free
    for one in texts(target):
        if not given and free.asked(one):
            continue
        silent = f"A lead only: `{free.freedom}` is not declared free. {one.demands.silence(free.form)}"
        why = f"The task declares `{free.freedom}` free." if given else silent
        assert isinstance(one.document, Spliced)
        for rewriting in rewrite(one, one.document):
            yield proposed(one, rewriting, why, is_proof=given)


def texts(target: Target) -> Iterator[Deliverable]:
    """Yield the deliverables that are text with values."""
    return (one for one in some(deliverables(target)) if isinstance(one.document, Spliced) and one.leaves)


def proposed(one: Deliverable, rewriting: Rewriting, why: str, *, is_proof: bool) -> Proposal:
    """Return the proposal that hands in a rewriting."""
    return Proposal(name=f"{one.inside.lstrip('/')}:{rewriting.name}", files={one.inside: rewriting.content},
                    what=f"{one.name} with {rewriting.words}", why=why, expects="passes",
                    severity="proof" if is_proof else "lead")  # fmt: skip


def json_values(document: Spliced, text: str, *, ordered: bool) -> Any:
    """Return what JSON text says, numbers as they are written; keys in order only where `ordered`.

    Raise ValueError where it is no JSON.
    """
    hook = tuple if ordered else None
    lines = [line for line in text.splitlines() if line.strip()] if document.form == "jsonl" else [text]
    return [
        json.loads(line.lstrip("\ufeff"), parse_float=_written, parse_int=_written, object_pairs_hook=hook)
        for line in lines
    ]  # fmt: skip


def _written(number: str) -> tuple[str, str]:
    """Return a number so that it equals only one that is written alike, and no text."""
    return ("number", number)
