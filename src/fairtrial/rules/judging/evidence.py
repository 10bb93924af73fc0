"""What a judge of one rule is shown: the findings of its checks, then exhibits, as far as there is room.

The same ledger gives the same evidence, byte for byte, and it is kept under its address, which every ruling names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from fairtrial.grade.judges.telling import Block, shown_text
from fairtrial.ledger import Ledger
from fairtrial.records import InputError, Rule, Screening, Submission, canonical_json
from fairtrial.rules.current import seen_in
from fairtrial.rules.exhibits import Exhibit, exhibits_of

SCHEMA = "fairtrial.evidence/1"
MOST_LISTED = 30
MOST_TEXT = 1_200


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the runs of one judge are shown."""

    rule: Rule
    model: str
    blocks: tuple[Block, ...]
    left_out: int
    """Exhibits for which there was no room."""
    gaps: tuple[str, ...]
    """What was not measured at all: nothing of it can be called clean."""
    screenings: str
    """Content address of what the checks say."""

    def texts(self) -> dict[str, str]:
        """Return the text that may be quoted, by place."""
        return {block.place: block.text for block in self.blocks}

    def json(self) -> bytes:
        """Return it as the bytes that are kept."""
        blocks = [Exhibit(place=one.place, text=one.text, title=one.title, begins=one.begins, whole=one.whole).row()
                  for one in self.blocks]  # fmt: skip
        return canonical_json({"schema": SCHEMA, "rule": self.rule, "model": self.model, "blocks": blocks,
                               "left_out": self.left_out, "gaps": list(self.gaps),
                               "screenings": self.screenings})  # fmt: skip


def evidence_of(
    ledger: Ledger, rule: Rule, model: str, screenings: Sequence[Screening], submission: Submission | None, most: int
) -> Evidence:
    """Return the evidence on `rule` in at most `most` characters, findings first.

    Raise InputError where no check of the rule is in the ledger, LedgerError where it lost what they found.
    """
    if not screenings:
        raise InputError(f"holds no check of {rule} for `{model}`: there is nothing to judge", path=ledger.path,
                         hint="`fairtrial rules check RULES SUBMISSION --keep LEDGER` runs the checks.")  # fmt: skip
    findings = [
        _finding(ledger, number, one, most // (2 * len(screenings))) for number, one in enumerate(screenings, 1)
    ]
    blocks, room, left_out = list(findings), most - sum(one.characters for one in findings), 0
    for one in exhibits_of(ledger, submission, rule):
        block = Block(one.place, shown_text(one.text), title=one.title, begins=one.begins, whole=one.whole)
        if block.characters > room:
            left_out += 1
            continue
        blocks.append(block)
        room -= block.characters
    gaps = tuple(f"{one.subject}: {why}" for one in screenings if not one.document for why in one.not_measured)
    return Evidence(rule=rule, model=model, blocks=tuple(blocks), left_out=left_out, gaps=gaps,
                    screenings=seen_in(screenings))  # fmt: skip


def _finding(ledger: Ledger, number: int, screening: Screening, most: int) -> Block:
    """Return one screening as a block: its sentence, what it did not measure, its document."""
    lines = [f"looked at: {screening.subject}"]
    lines += [f"compared with: {screening.against}"] if screening.against else []
    lines.append(f"found: {screening.summary}")
    lines += [f"not measured: {why}" for why in screening.not_measured]
    title = f"{screening.kind}, a check"
    if screening.document:
        document = orjson.loads(ledger.get_blob(screening.document))
        text, listed = "\n".join(lines), MOST_LISTED
        while listed:  # fewer of each list until it fits
            told = orjson.dumps(condensed(document, listed), option=orjson.OPT_INDENT_2).decode()
            if len(text) + len(told) <= most:
                lines.append(told)
                break
            listed //= 2
        else:
            lines.append("(its document is too long to be shown)")
    return Block(f"finding {number}", shown_text("\n".join(lines)), title=title)


def condensed(value: Any, listed: int = MOST_LISTED) -> Any:
    """Return a JSON value with long lists and texts cut; what was cut is said.

    >>> condensed({"a": [1, 2, 3]}, 2)
    {'a': [1, 2, '(1 more)']}
    """
    if isinstance(value, dict):
        return {key: condensed(one, listed) for key, one in value.items()}
    if isinstance(value, list):
        more = len(value) - listed
        return [condensed(one, listed) for one in value[:listed]] + ([f"({more} more)"] if more > 0 else [])
    if isinstance(value, str) and len(value) > MOST_TEXT:
        return f"{value[:MOST_TEXT]} ({len(value) - MOST_TEXT} more characters)"
    return value
