"""A rule that reads the source of a grader, and a hit: a line that looks as if wrong work could get past.

A hit accuses nobody. It names the probes that would show the weakness, and is called proof only where one of them did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fairtrial.attack.card import Card, Surface
from fairtrial.attack.reading.checked_by import CHECKED_BY
from fairtrial.attack.reading.python_file import PythonFile
from fairtrial.attack.reading.shell_file import ShellFile
from fairtrial.attack.reading.sources import Sources

Found = tuple[int, str]
"""Line (from 1) and claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One line of a grader that a rule points at."""

    rule: str
    """Id of the rule's card."""
    file: str
    """Path below the task folder, or as it was given."""
    line: int
    text: str
    """The source line."""
    claim: str
    """What could go wrong there, as a sentence."""
    probes: tuple[str, ...]
    """Ids, or first parts of ids, of the catalogue's probes that would show it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing to look for, in Python, in shell, or in both."""

    card: Card
    python: Callable[[PythonFile, Sources], Iterator[Found]] | None = None
    shell: Callable[[ShellFile, Sources], Iterator[Found]] | None = None

    @property
    def probes(self) -> tuple[str, ...]:
        """Return the probes that show what it suspects; none where its hits stay leads."""
        return tuple(dict.fromkeys(CHECKED_BY[self.card.id]))

    def hits(self, sources: Sources) -> Iterator[Hit]:
        """Yield what it finds in the files of one grader; one hit where it says the same of several lines of a file."""
        lines: dict[tuple[str, str], list[int]] = {}
        texts: dict[str, PythonFile | ShellFile] = {file.name: file for file in sources.python}
        texts |= {script.name: script for script in sources.shell}
        for file, (line, claim) in self._found(sources):
            held = lines.setdefault((file.name, claim), [])
            if line not in held:
                held.append(line)
        for (name, claim), held in lines.items():
            first, *others = sorted(held)
            also = f" Also at line{'s' * (len(others) > 1)} {', '.join(map(str, others))}." if others else ""
            yield Hit(rule=self.card.id, file=name, line=first, text=texts[name].line(first), claim=claim + also,
                      probes=self.probes)  # fmt: skip

    def _found(self, sources: Sources) -> Iterator[tuple[PythonFile | ShellFile, Found]]:
        if self.python is not None:
            for file in sources.python:
                yield from ((file, found) for found in self.python(file, sources))
        if self.shell is not None:
            for script in sources.shell:
                yield from ((script, found) for found in self.shell(script, sources))


def static_card(name: str, looks_for: str, classes: tuple[str, ...], surface: Surface = "workspace") -> Card:
    """Return the card of a static rule, which hands in nothing."""
    return Card(
        id=f"static_{name}",
        family="static",
        surface=surface,
        submits=f"nothing: it reads the grader's source for {looks_for}",
        sound="gives it nothing to find",
        proof="A hit is a lead, and becomes proof where a probe that shows the weakness gets past."
        if CHECKED_BY[f"static_{name}"]
        else "A hit stays a lead: no probe would show just this.",
        classes=classes,
    )


def confirmed_by(hit: Hit, proofs: Iterable[str]) -> tuple[str, ...]:
    """Return those of `proofs` (labels, `probe` or `probe:submission`) that show what `hit` suspects.

    >>> hit = Hit(rule="static_x", file="test.sh", line=1, text="", claim="", probes=("reward_", "exits_zero"))
    >>> confirmed_by(hit, ["reward_written_before", "exits_zero:a.py", "exits_zero_late"])
    ('reward_written_before', 'exits_zero:a.py')
    """

    def shows(proof: str) -> bool:
        name = proof.partition(":")[0]
        return any(name.startswith(p) if p.endswith("_") else name == p for p in hit.probes)

    return tuple(proof for proof in proofs if shows(proof))
