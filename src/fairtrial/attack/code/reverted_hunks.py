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


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """A stretch of lines that the reference changed."""

    line: int
    """Of the reference's text, from 1."""
    text: str
    """The reference's text with this stretch as it was before."""


def hunks(before: str, after: str) -> list[Hunk]:
    """Return `after` with each changed stretch of lines taken back in turn.

    >>> [hunk.text for hunk in hunks("a\\nb\\nc\\n", "a\\nB\\nc\\nd\\n")]
    ['a\\nb\\nc\\nd\\n', 'a\\nB\\nc\\n']
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        Hunk(line=start + 1, text="".join((*new[:start], *old[i:j], *new[end:])))
        for tag, i, j, start, end in matcher.get_opcodes()
        if tag != "equal"
    ]


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
            yield _taken_back(target, source, hunk.text, label, what)
        if len(target.changes) > 1:
            for source in changed[: target.most]:
                label = f"{named_for(source, changed)}:whole-file"
                yield _taken_back(target, source, source.before or "", label, f"{source.inside} left untouched")


def _taken_back(target: Target, source: Source, text: str, label: str, what: str) -> Submission:
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
