"""Which values the solver was given: those that the untouched workspace or the instruction holds as whole values.

A value that is not there had to be worked out. Not covered: values that can be copied from elsewhere, and values that
stand in the inputs by coincidence (they count as given, so a probe that keeps what was given keeps too much).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from fairtrial.attack.artifacts.leaves import Rowed
from fairtrial.attack.artifacts.reading import MOST_BYTES, Database, read
from fairtrial.attack.artifacts.reading.spliced import decoded

MOST_FILES = 200
SHORTEST_PHRASE = 3
_TOKEN = re.compile(r"[^\s,;|\"'`(){}\[\]<>=:]+(?::\d\d)*")


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the solver was given, as values and as running text."""

    values: frozenset[str]
    text: str

    def hold(self, value: str) -> bool:
        """Say whether `value` was given.

        >>> given = inputs_of(["Allergic to penicillin since 1999, dose 12.50."], [])
        >>> [given.hold(value) for value in ("Penicillin", "12.5", "since 1999", "icillin", "13")]
        [True, True, True, False, False]
        """
        key = normal(value)
        if not key or key in self.values:
            return True
        return len(key) >= SHORTEST_PHRASE and bool(re.search(rf"(?<!\w){re.escape(key)}(?!\w)", self.text))


def inputs_of(texts: Iterable[str], values: Iterable[str]) -> Inputs:
    """Return the inputs that `texts` and single `values` make."""
    joined = "\n".join(texts)
    tokens = (token.rstrip(".!?") for token in _TOKEN.findall(joined))
    return Inputs(frozenset(normal(value) for value in (*values, *tokens)), " ".join(joined.casefold().split()))


def inputs_in(before: Path, instruction: str) -> Inputs:
    """Return what lies in the untouched workspace, and the instruction."""
    texts, values = [instruction], list[str]()
    for path in list(_files(before))[:MOST_FILES]:
        content = path.read_bytes()
        text = decoded(content)
        if text is not None:
            texts.append(text[0])
        document = read(path.name, content, None, lambda _: False)
        values += _values(document) if document is not None else []
    return inputs_of(texts, values)


def normal(value: str) -> str:
    """Return a value so that equal ones are equal: case, outer space and the form of a number do not count.

    >>> normal(" 12.50 "), normal("INV-7"), normal("1e3")
    ('12.5', 'inv-7', '1000')
    """
    text = " ".join(value.split()).casefold()
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    if not number.is_finite() or abs(number.adjusted()) > SHORTEST_PHRASE * 10:
        return text
    return f"{number.normalize():f}"


def _files(before: Path) -> Iterator[Path]:
    for path in sorted(before.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= MOST_BYTES:
            yield path


def _values(document: Rowed) -> list[str]:
    if isinstance(document, Database):
        cells = (cell for table in document.tables for row in table.after.values() for cell in row)
        return [str(cell) for cell in cells if cell is not None and not isinstance(cell, bytes)]
    return [leaf.text for leaf in document.leaves]
