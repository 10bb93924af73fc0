"""What the reference hands in, as data: which files are artifacts, which of their values answer, which were given.

Also the shape that all probes of this folder share: a card, and a function from a task to proposals. A proposal is
laid over the reference's other files. Not covered: programs, which are left as the reference wrote them.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from fairtrial.attack.artifacts.demands import Demands
from fairtrial.attack.artifacts.leaves import Leaf, Put, Rowed
from fairtrial.attack.artifacts.made_up import is_prose
from fairtrial.attack.artifacts.origins import Inputs, inputs_in
from fairtrial.attack.artifacts.reading import Database, is_code, read
from fairtrial.attack.card import Card
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Change, Target
from fairtrial.records import Severity
from fairtrial.run import Agent, FilesAgent, SubmissionAgent

BY_PRODUCTS = ("/__pycache__/", "/.pytest_cache/", "/.mypy_cache/", "/.ruff_cache/", "/.git/")
MOST_ALIKE = 3
MOST_BYTES = 4_000_000
"""Of a file that is handed in altered; larger ones are laid as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Files to hand in in place of the reference's, and what is wrong (or right) with them."""

    name: str
    files: Mapping[str, bytes | None]
    """Inside path -> content; None for removed."""
    what: str
    why: str
    severity: Severity = "proof"
    expects: Literal["fails", "passes"] = "fails"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deliverable:
    """One file that the reference added or changed."""

    change: Change
    content: bytes
    document: Rowed | None
    demands: Demands
    computed: tuple[int, ...] = ()
    """Leaves whose value was not given."""
    answers: tuple[int, ...] = ()
    """Leaves that the reference wrote, but for those that only name their row."""

    @property
    def inside(self) -> str:
        """Return its path in the box."""
        return self.change.inside

    @property
    def name(self) -> str:
        """Return its last path component."""
        return PurePosixPath(self.inside).name

    @property
    def demanded(self) -> bool:
        """Say whether the instruction asks for it by name."""
        return self.demands.names_file(self.inside)

    @property
    def says_something(self) -> bool:
        """Say whether there is a value in it: an empty list may be right, and then an empty file nearly is."""
        return self.document is None or bool(self.document.leaves or self.document.rows)

    @property
    def is_rewritten_only(self) -> bool:
        """Say whether it was there before and says nothing new: a database that was compacted, JSON laid out anew."""
        if self.document is None or self.change.before is None:
            return False
        return not self.answers and not (isinstance(self.document, Database) and self.document.rows)

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Return its values; none where it could not be read."""
        return self.document.leaves if self.document is not None else ()

    @property
    def is_table(self) -> bool:
        """Say whether it has rows to be dropped or repeated."""
        return self.document is not None and len(self.document.rows) > 1

    @property
    def is_words(self) -> bool:
        """Say whether it is running text, whose single words have many right forms."""
        return self.document is not None and self.document.form in ("markdown", "text") and not self.document.rows

    def altered(self, chosen: Iterable[int], value: Callable[[Leaf], Put | None]) -> bytes | None:
        """Return it with `value` of each chosen leaf in its place; None where nothing changes."""
        if self.document is None:
            return None
        made = {index: value(self.leaves[index]) for index in chosen}
        puts = {i: put for i, put in made.items() if put is not None and put != _same(self.leaves[i], put)}
        written = self.document.write(puts) if puts else None
        return written if written != self.content else None

    def column(self, group: str) -> list[str]:
        """Return the values of a column, row keys and all."""
        return [leaf.text for leaf in self.leaves if leaf.group == group]

    def binding(self, chosen: Iterable[int]) -> bool:
        """Say whether no right answer has other values in all of these leaves.

        The file is asked for, and so is one of the fields at least, which is neither prose nor free to choose. The one
        value of a text has no field, and is asked for with its file.
        """
        if len(self.leaves) == 1 and self.document is not None and self.document.form == "text":
            return bool(list(chosen)) and self.demanded and self.demands.binds(PurePosixPath(self.inside).stem)
        fields = {(leaf.field, is_prose(leaf.text)) for leaf in (self.leaves[index] for index in chosen)}
        return self.demanded and any(self.demands.binds(name) for name, prose in fields if not prose)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactProbe:
    """A probe of data artifacts: what it is, and what it proposes."""

    card: Card
    propose: Callable[[Target], Iterable[Proposal]]

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield what to hand in, proofs first, each content once, at most as many as the target allows."""
        seen: set[tuple[tuple[str, bytes | None], ...]] = set()
        for proposal in sorted(self.propose(target), key=lambda one: one.severity != "proof"):
            key = tuple(sorted(proposal.files.items()))
            if key in seen or len(seen) >= target.most:
                continue
            seen.add(key)
            agent = handed_in(target, f"{self.card.id}:{proposal.name}", proposal.files)
            yield Submission(name=proposal.name, agent=agent, expects=proposal.expects, what=proposal.what,
                             severity=proposal.severity, why=proposal.why)  # fmt: skip


def deliverables(target: Target) -> tuple[Deliverable, ...]:
    """Return the files that the reference added or changed, by-products, programs and huge files left out."""
    return tuple(one for one in everything(target) if not is_code(one.inside, one.content))


def everything(target: Target) -> tuple[Deliverable, ...]:
    """Return the files that the reference added or changed, programs too; by-products and huge files left out."""
    return _read(target.before, target.after, target.task.instruction, target.changes)


def some(found: Sequence[Deliverable]) -> list[Deliverable]:
    """Return the first and the last of those that lie in one folder and are of one kind, and all the others.

    A reference that writes fifty files of one kind would else be probed fifty times in the same way.
    """
    kinds: dict[tuple[str, str], list[Deliverable]] = {}
    for one in found:
        path = PurePosixPath(one.inside)
        kinds.setdefault((str(path.parent), path.suffix), []).append(one)
    return [one for alike in kinds.values() for one in (alike if len(alike) <= MOST_ALIKE else [alike[0], alike[-1]])]


def tables(target: Target) -> Iterator[Deliverable]:
    """Yield the deliverables that have rows, databases too."""
    return (one for one in some(deliverables(target)) if one.is_table)


def handed_in(target: Target, name: str, files: Mapping[str, bytes | None]) -> FilesAgent:
    """Return the agent that hands in the reference's files with `files` in their place."""
    laid = {change.inside: change.after for change in target.changes if change.after is not None}
    laid |= {inside: _file(target, inside, content) for inside, content in files.items() if content is not None}
    removed = {change.inside for change in target.changes if change.after is None}
    removed |= {inside for inside, content in files.items() if content is None}
    kept = {inside: path for inside, path in laid.items() if inside not in removed}
    return FilesAgent(model=name, files=kept, removed=tuple(sorted(removed)), earlier=_earlier(target))


def chance_of(target: Target, *names: str) -> random.Random:
    """Return the randomness of one proposal: the same from run to run, another for each name."""
    return random.Random(f"{target.seed}:{target.task.name}:{':'.join(names)}")


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _file(target: Target, inside: str, content: bytes) -> Path:
    path = target.new_file(PurePosixPath(inside).name, content)
    original = next((change.after for change in target.changes if change.inside == inside), None)
    if original is not None:
        path.chmod(original.stat().st_mode & 0o777 | 0o600)
    return path


def _earlier(target: Target) -> Agent | None:
    """Return who acts in the steps before the last: the reference."""
    if len(target.key.steps) < 2:
        return None
    folders = {step.name: step.solution for step in target.key.steps if step.solution is not None}
    return SubmissionAgent(model="reference", folders=folders, variables=target.key.solution_variables)


@functools.lru_cache(maxsize=8)
def _read(before: Path, after: Path, instruction: str, changes: tuple[Change, ...]) -> tuple[Deliverable, ...]:
    """Read what changed between two folders; kept, since every probe of a task asks for it."""
    del after
    inputs, demands = inputs_in(before, instruction), Demands(instruction)
    found = []
    for change in changes:
        if change.after is None or any(part in change.inside for part in BY_PRODUCTS):
            continue
        if change.after.stat().st_size <= MOST_BYTES:
            found.append(_deliverable(change, change.after.read_bytes(), inputs, demands))
    return tuple(one for one in found if not one.is_rewritten_only)


def _deliverable(change: Change, content: bytes, inputs: Inputs, demands: Demands) -> Deliverable:
    before = None
    if change.before is not None and change.before.stat().st_size <= MOST_BYTES:
        before = change.before.read_bytes()
    document = read(change.inside, content, before, demands.names_field)
    bare = Deliverable(change=change, content=content, document=document, demands=demands)
    if document is None:
        return bare
    kept = _kept_leaves(document, change.inside, before, demands)
    keys = _row_keys(document, inputs)
    wrote = (i for i, leaf in enumerate(document.leaves) if i not in kept and not leaf.is_identity)
    answers = tuple(i for i in wrote if i not in keys)
    in_place = bool(kept) or isinstance(document, Database)
    computed = tuple(i for i in answers if in_place or not inputs.hold(bare.leaves[i].text))
    return replace(bare, answers=answers, computed=computed)


def _kept_leaves(document: Rowed, inside: str, before: bytes | None, demands: Demands) -> set[int]:
    """Return the leaves of a file edited in place that the reference left as they were."""
    if before is None or isinstance(document, Database):
        return set()
    old = read(inside, before, None, demands.names_field)
    if old is None or [leaf.place for leaf in old.leaves] != [leaf.place for leaf in document.leaves]:
        known = {(leaf.group, leaf.row, leaf.text) for leaf in old.leaves} if old is not None else set()
        return {i for i, leaf in enumerate(document.leaves) if (leaf.group, leaf.row, leaf.text) in known}
    return {i for i, leaf in enumerate(document.leaves) if leaf.text == old.leaves[i].text}


def _row_keys(document: Rowed, inputs: Inputs) -> set[int]:
    """Return the leaves that name their row: the shortest run of leading columns that was given and is never repeated.

    In a database only rows that the reference inserted have such columns: a cell that it changed is an answer.
    """
    tables: dict[str, dict[str, dict[int, int]]] = {}
    for index, leaf in enumerate(document.leaves):
        table = ""
        if isinstance(document, Database):
            row, _ = document.cells[index]
            if row.old is not None or leaf.is_identity:
                continue
            table = row.table
        if leaf.row is not None:
            tables.setdefault(table, {}).setdefault(leaf.group, {})[leaf.row] = index
    return {index for columns in tables.values() for index in _leading(document, list(columns.values()), inputs)}


def _leading(document: Rowed, columns: list[dict[int, int]], inputs: Inputs) -> list[int]:
    """Return the leaves of the leading columns that name the rows of one table; none where it has no such columns."""
    rows = sorted({row for column in columns for row in column})
    for width in range(1, len(columns)):
        given = all(inputs.hold(document.leaves[index].text) for index in columns[width - 1].values())
        if not given:
            return []
        texts = [tuple(document.leaves[c[row]].text if row in c else "" for c in columns[:width]) for row in rows]
        if len(set(texts)) == len(texts) > 1:
            return [index for column in columns[:width] for index in column.values()]
    return []


def _same(leaf: Leaf, put: Put) -> Put:
    """Return the value of the leaf itself, as it would be put."""
    return Put(leaf.text, leaf.kind if put.kind != "raw" else "raw")
