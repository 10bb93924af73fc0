"""What an instruction asks for, as far as plain words show it: names of files and fields, exactness, completeness.

Only used to tell proof from lead: where the words are not there, a finding stays a lead. English only; nothing is
understood, and what is not said in these words is taken as not said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

_ALL = re.compile(
    r"\b(every|each|all|per|keyed by|one (?:row|line|object|entry|record|bullet)|list of|both|complete|no other)\b",
    re.I,
)
_EXACT = re.compile(
    r"\b(exact(?:ly)?|to the (?:cent|penny|euro)|\w+ decimals?|decimal places?|rounded|round|halves|"
    r"whole (?:\w+ )?(?:cents|units|numbers?|euros|dollars)|integers?|count|number of|how many)\b",
    re.I,
)
_STRICT = re.compile(r"\b(exact(?:ly)?|to the (?:cent|penny)|whole (?:\w+ )?cents|count|number of|how many)\b", re.I)
_CHOICE = re.compile(
    r"\b(any (?:valid|order|one|of)|feasible|assign\w*|schedul\w+|choose|pick|allocat\w+|arrange\w*|optim\w+|"
    r"minimi[sz]\w+|maximi[sz]\w+|your own|one possible|as you (?:like|see fit))\b",
    re.I,
)
_TOLERANT = re.compile(r"\b(about|approx\w*|roughly|within|tolerance|plus or minus|estimate\w*)\b|±|\+/-", re.I)
_NOTHING_ELSE = re.compile(
    r"\b(nothing else|no other|(?:change|touch|alter|modify) (?:nothing|no )|"
    r"leave (?:alone|everything|all|the rest|every)|(?:must|may|should) not (?:change|be changed|be touched)|"
    r"untouched|unchanged|as (?:it|they) (?:is|are|was|were))\b",
    re.I,
)
_KEPT = re.compile(
    r"\b((?:do not|don't|never) (?:change|edit|touch|alter|modify|overwrite)|leave .{1,80}?\b(?:as|alone|unchanged)\b|"
    r"unchanged|untouched|read[- ]only|stays? as)\b",
    re.I,
)
_OPTIONAL = re.compile(r"\b(optional(?:ly)?|may|might|if you (?:like|want|wish)|feel free|need not)\b", re.I)
_ORDER = re.compile(r"\b(order(?:ed)?|sort(?:ed)?|first|earliest|latest|by (?:id|name|date)|sequence)\b", re.I)
_LAYOUT = re.compile(
    r"\b(byte|bytes|indent\w*|compact|minified|pretty|verbatim|character for character|whitespace|white space|"
    r"one (?:line|object a line)|single line|diff)\b",
    re.I,
)
_FREE = (
    "time timestamp generated created updated modified run_at duration elapsed seconds runtime seed uuid guid version "
    "note notes comment comments remark remarks rationale reasoning explanation summary description confidence author "
    "tool model host hostname method source message title"
)
FREE_FIELDS = frozenset(_FREE.split())
"""Fields whose value a right answer may choose: nothing is proven by them alone."""


@dataclass(frozen=True, slots=True)
class Demands:
    """An instruction, as far as probes read it."""

    text: str

    @property
    def completeness(self) -> bool:
        """Say whether it asks for all items of something."""
        return bool(_ALL.search(self.text))

    @property
    def exactness(self) -> bool:
        """Say whether it asks for exact figures and allows no tolerance."""
        return bool(_EXACT.search(self.text)) and not _TOLERANT.search(self.text)

    @property
    def strictness(self) -> bool:
        """Say whether it asks for figures that leave no room for rounding."""
        return bool(_STRICT.search(self.text)) and not _TOLERANT.search(self.text)

    @property
    def choice(self) -> bool:
        """Say whether it leaves the solver a choice, so that other values than the reference's may be right."""
        return bool(_CHOICE.search(self.text))

    @property
    def nothing_else(self) -> bool:
        """Say whether it forbids changes beside the one asked for."""
        return bool(_NOTHING_ELSE.search(self.text))

    @property
    def order(self) -> bool:
        """Say whether it speaks of an order."""
        return bool(_ORDER.search(self.text))

    @property
    def layout(self) -> bool:
        """Say whether it speaks of white space or bytes."""
        return bool(_LAYOUT.search(self.text))

    def names_file(self, inside: str) -> bool:
        """Say whether it asks for the file at `inside` by name, and not as an option.

        >>> asked = Demands("Write `/app/totals.json`. You may leave notes in /app/notes.md.")
        >>> asked.names_file("/app/totals.json"), asked.names_file("/app/notes.md"), asked.names_file("/app/a.log")
        (True, False, False)
        >>> Demands("For each id write /app/evidence/ID.json").names_file("/app/evidence/62.json")
        True
        """
        return any(not _OPTIONAL.search(sentence) for sentence in self._about(inside))

    def keeps_file(self, inside: str) -> bool:
        """Say whether it forbids to change the file at `inside`, by name.

        >>> Demands("Read `a.csv` (do not change it). Fill `b.csv`.").keeps_file("/app/a.csv")
        True
        """
        return any(_KEPT.search(sentence) for sentence in self._about(inside))

    def _about(self, inside: str) -> list[str]:
        """Return the sentences that name the file; a pattern such as ID.json names all that fit it."""
        path = PurePosixPath(inside)
        stem = rf"(?:{re.escape(path.stem)}|[A-Z][A-Z_]*|[^\s/`]*[*<{{$%][^\s/`]*)"
        name = re.compile(rf"(?<![\w.-]){stem}{re.escape(path.suffix)}(?!\w|\.\w)")
        return [sentence for sentence in _sentences(self.text) if name.search(sentence)]

    def names_field(self, field: str) -> bool:
        """Say whether it names the field, as one word or spelt with spaces.

        >>> Demands("Give `dose_mg` and the due date.").names_field("due_date")
        True
        """
        if len(field) < 2:
            return False
        spelt = re.escape(field).replace("_", "[_ -]")
        return bool(re.search(rf"(?<![\w]){spelt}(?![\w])", self.text, re.I))

    def spells(self, field: str) -> bool:
        """Say whether it gives the field's name as a name: between marks, or in a list in brackets.

        >>> asked = Demands("Add `state, cents` to each row (`id`), by the payment method, in stock (sku, bin).")
        >>> [asked.spells(name) for name in ("cents", "id", "bin", "method")]
        [True, True, True, False]
        """
        marked = re.findall(r"`([^`\n]+)`|\"([^\"\n]+)\"|\(([\w, `\"|-]+)\)", self.text)
        words = {word for found in marked for part in found for word in re.findall(r"[\w-]+", part)}
        return field in words or ("_" in field and self.names_field(field))

    def binds(self, field: str) -> bool:
        """Say whether the field's value is asked for: it is named, and not one that a right answer may choose."""
        words = set(re.split(r"[\W_]+", field.casefold()))
        return self.names_field(field) and not words & FREE_FIELDS

    def silence(self, of: str) -> str:
        """Return a sentence that says what the instruction leaves open."""
        return f'The instruction says nothing of {of}: "{_shortened(self.text)}"'


def _sentences(text: str) -> list[str]:
    """Split at full stops that end a sentence, and at blank lines; the dot of a file name ends none."""
    return re.split(r"(?<=[.!?])\s+(?=[A-Z`*#-])|\n\s*\n|\n(?=[*-] )", text)


def _shortened(text: str, most: int = 160) -> str:
    words = " ".join(text.split())
    return words if len(words) <= most else words[:most].rsplit(" ", 1)[0] + " …"
