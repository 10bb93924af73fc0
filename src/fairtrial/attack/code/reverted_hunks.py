"""Probe: the reference's change to files that were there before, one hunk or one file taken back.

Any text file counts, program or not. A hunk taken back is a lead: it may be a comment, or a second way to the same
end. Where what is left of a change is comments and white space of programs, the work is the untouched one: a proof.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.code.python_code import parse
from fairtrial.attack.code.sampling import stratified
from fairtrial.attack.code.shell_code import meaning
from fairtrial.attack.code.sources import Source, hand_in, named_for, sources
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target

MOST_EXACT_LINES = 2000
"""Beyond it lines that stand everywhere are no anchors; to compare them all takes the square of their number."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """A stretch of lines that the reference changed: from and to in the text before it, and in the text after."""

    old: tuple[int, int]
    new: tuple[int, int]

    @property
    def line(self) -> int:
        """Return the first line of the reference's text that it changed, from 1."""
        return self.new[0] + 1


def hunks(before: str, after: str) -> list[Hunk]:
    """Return the stretches in which two texts differ.

    >>> hunks("a\\nb\\nc\\n", "a\\nB\\nc\\nd\\n")
    [Hunk(old=(1, 2), new=(1, 2)), Hunk(old=(3, 3), new=(3, 4))]
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=max(len(old), len(new)) > MOST_EXACT_LINES)
    return [Hunk((i, j), (start, end)) for tag, i, j, start, end in matcher.get_opcodes() if tag != "equal"]


def taken_back(before: str, after: str, hunk: Hunk) -> str:
    """Return `after` with one stretch as it was before.

    >>> taken_back("a\\nb\\n", "a\\nB\\nc\\n", Hunk((1, 2), (1, 3)))
    'a\\nb\\n'
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return "".join((*new[: hunk.new[0]], *old[slice(*hunk.old)], *new[hunk.new[1] :]))


_CARD = Card(
    id="hunk_reverted",
    family="mutant",
    surface="workspace",
    submits="the reference's work with one hunk, or one whole file, of its change taken back",
    sound="fails it",
    proof="A lead for a single hunk or file; a proof where only comments and white space differ from the untouched "
    "workspace.",
    classes=("BGW-119", "BGW-137"),
)


@dataclass(frozen=True, slots=True)
class RevertedHunks:
    """Take back one part of the reference's change."""

    card: Card = _CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield a submission a hunk, then one a file where several were changed; at most `target.most`."""
        changed = [source for source in sources(target) if source.before is not None]
        every = [(source, hunk) for source in changed for hunk in hunks(source.before or "", source.after)]
        for source, hunk in stratified(every, lambda pair: pair[0].inside, target.most, target.seed):
            label = f"{named_for(source, changed)}:hunk-{hunk.line}"
            what = f"{source.inside} with the reference's change at line {hunk.line} taken back"
            text = taken_back(source.before or "", source.after, hunk)
            yield _submission(target, source, text, label, what)
        if len(target.changes) > 1:
            for source in changed[: target.most]:
                label = f"{named_for(source, changed)}:whole-file"
                yield _submission(target, source, source.before or "", label, f"{source.inside} left untouched")


def _submission(target: Target, source: Source, text: str, label: str, what: str) -> Submission:
    agent = hand_in(target, label, {source.inside: text})
    if is_untouched(target, {source.inside: text}) and not is_untouched(target, {}):
        why = "Nothing of the reference's change is left but comments and white space: it is the untouched workspace."
        return Submission(name=label, agent=agent, expects="fails", what=what, why=why)
    why = "This part of the reference's change was taken back; only the author can say whether it was needed."
    return Submission(name=label, agent=agent, expects="fails", severity="lead", what=what, why=why)


def is_untouched(target: Target, texts: dict[str, str]) -> bool:
    """Say whether a workspace with `texts` in place of the reference's runs as the untouched one does."""
    known = {source.inside: source for source in sources(target)}
    for change in target.changes:
        source = known.get(change.inside)
        if source is None or source.before is None:
            return False
        if not _runs_alike(source, texts.get(change.inside, source.after)):
            return False
    return bool(target.changes)


def _runs_alike(source: Source, text: str) -> bool:
    before = source.before or ""
    if text == before:
        return True
    if source.language == "python":
        new, old = parse(text), parse(before)
        return new is not None and old is not None and ast.dump(new) == ast.dump(old)
    if source.language == "shell":
        found = meaning(text)
        return found is not None and found == meaning(before)
    return False
