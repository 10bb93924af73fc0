"""The evidence behind flags, for reading: rows beside items, tensor figures, requests and steps, differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fairtrial.report.contamination.pairs import lines_shown
from fairtrial.report.numbers import of, p_value, q_value, rounded
from fairtrial.report.words import plural, visible

MOST_NUMBERS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One piece of evidence: a label, and either two texts side by side or one."""

    label: str
    left_title: str = ""
    left: str = ""
    right_title: str = ""
    right: str = ""
    text: str = ""
    is_diff: bool = False

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Return the lines of a difference with the kind of each: added, removed or neither."""
        kinds = {"+": "added", "-": "removed"}
        return [("" if line[:3] in ("+++", "---") else kinds.get(line[:1], ""), line) for line in self.text.split("\n")]


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagShown:
    """All evidence of one flag, and how to appeal."""

    evidence: tuple[Shown, ...]
    appeal: str


def flags_shown(document: Mapping[str, Any]) -> tuple[FlagShown, ...]:
    """Return the evidence of every flag, in the order of the page's blocks."""
    return tuple(
        FlagShown(evidence=tuple(_shown(one) for one in flag["evidence"]), appeal=visible(flag["appeal"]))
        for cell in document["cells"] for flag in cell["flags"]
    )  # fmt: skip


def _shown(one: Mapping[str, Any]) -> Shown:
    match one["kind"]:
        case "row":
            label = f"{one['detector']}, score {rounded(float(one['score']), 3)}"
            return Shown(label=visible(label), left_title=visible(f"training row {one['row']}"),
                         left=lines_shown(one["train_text"]), right_title=visible(f"item {one['item']}"),
                         right=lines_shown(one["item_text"]))  # fmt: skip
        case "distribution":
            return Shown(label=f"{one['eval_near']} rows lie near items of the evaluation set and {one['decoy_near']} "
                               f"near as many decoys: {_p(one['p_value'])}")  # fmt: skip
        case "items":
            return Shown(label=f"{plural(one['flagged'], 'item')} with rows near them, most first",
                         text="\n".join(_item(each) for each in one["items"]))  # fmt: skip
        case "same file":
            return Shown(label=visible(f"{one['path']} is the evaluation set of {one['track']}, byte for byte"))
        case "decoy gap":
            return _gap(one)
        case "edit":
            return Shown(label=visible(f"{one['path']} was {one['what']}"), text=lines_shown(one["diff"]), is_diff=True)
        case "verdict":
            return Shown(label=visible(f"{one['verdict']}: {one['why']}"))
        case "figures":
            return Shown(label=visible(one["claim"]), text=_numbers(one["numbers"]))
        case _:
            return _lead(one)


def _gap(one: Mapping[str, Any]) -> Shown:
    """Return what a model and its base pass of items and of decoys."""
    sides = {name: one[name] for name in ("items", "decoys")}
    lines = [f"{name}: the model passes {of(side['model'], side['n'])}, its base {of(side['base'], side['n'])}"
             for name, side in sides.items()]  # fmt: skip
    gap = one["gap"]
    value, low, high = (rounded(100 * gap[name], 0) for name in ("value", "low", "high"))
    return Shown(label=f"{value} points [{low}, {high}] more on the items than on decoys of the same source, less what "
                       f"its base differs by: {_p(one['p_value'])}, at seed {one['seed']}",
                 text="\n".join(lines))  # fmt: skip


def _item(told: Mapping[str, Any]) -> str:
    q = "" if told["q_value"] is None else f", q = {q_value(told['q_value'])}"
    return visible(f"{told['item']}: {plural(told['near_rows'], 'row')}{q}")


def _p(probability: float) -> str:
    said = p_value(probability)
    return f"p {said}" if said.startswith("<") else f"p = {said}"


def _numbers(told: Any) -> str:
    if not isinstance(told, dict):
        return visible(str(told)) if told else ""
    shown = [f"{name}: {rounded(value, 4) if isinstance(value, float) else value}" for name, value in told.items()
             if isinstance(value, str | int | float)]  # fmt: skip
    return "\n".join(visible(line) for line in shown[:MOST_NUMBERS])


def _lead(one: Mapping[str, Any]) -> Shown:
    """Return a lead of usage or look-up: what is claimed, where, and the words that stand there."""
    where = f"{one['file']} {one['place'] or (one['line'] and 'line ' + str(one['line'])) or ''}".rstrip()
    times = f", {one['times']} times" if one["times"] > 1 else ""
    return Shown(label=visible(f"{one['certainty']}: {one['claim']}{times}"), left_title=visible(where),
                 text=lines_shown(one["quote"]))  # fmt: skip
