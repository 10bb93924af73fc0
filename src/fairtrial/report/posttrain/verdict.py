"""The answer of a post-training benchmark: who leads by the score that counts, beside base models and siblings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairtrial.records import Estimate
from fairtrial.report.data import Fact, Span, State, VerdictPart, VerdictRow
from fairtrial.report.numbers import share, share_interval, share_with_interval
from fairtrial.report.words import listed, plural, visible

STATUS: dict[str, tuple[State, str]] = {
    "clean": ("holds", "with nothing against it"), "flagged": ("lead", "flagged"),
    "penalised": ("refuted", "penalised"), "removed": ("refuted", "removed"),
    "no_model": ("none", "no model"), "unmeasured": ("none", "not measured"), "broken": ("none", "broken"),
}  # fmt: skip


def status_of(one: Mapping[str, Any]) -> tuple[State, str]:
    """Return the state and word of a run; one that nobody ruled is not called clean."""
    if one["status"] != "clean":
        return STATUS[one["status"]]
    if any(each["ruled"] == "clean" for each in one["ruled"]) and False in one["checks"].values():
        return "holds", "ruled clean"
    return ("none", "in part") if None in one["checks"].values() else ("holds", "nothing found")


def verdict_of(document: Mapping[str, Any]) -> VerdictPart:
    """Return the verdict."""
    rows = [_row(one, document) for one in document["board"]]
    rows += [_reference(one) for one in document["references"]]
    side = (
        Fact("Score", "sum over benchmarks of weight × mean accuracy over base models"),
        Fact("Interval", "95%, over items and seeds; weights taken as fixed"),
        Fact("Ungraded", "an evaluation that broke; never counted as failed"),
    )
    return VerdictPart(sentence=_sentence(document), paragraph=_paragraph(document), rows=tuple(rows), side=side)


def _sentence(document: Mapping[str, Any]) -> str:
    ranked = [one for one in document["board"] if one["rank"] is not None]
    if not ranked:
        return "No agent has a score."
    first = [one for one in ranked if one["rank"] == 1]
    names = listed([visible(one["model"]) for one in first], most=3)
    score = Estimate(**first[0]["score"])
    if len(first) > 1:
        return (
            f"{names} lead {plural(len(ranked), 'row')} and cannot be told apart; the highest reaches {share(score)}."
        )
    return f"{names} leads {plural(len(ranked), 'row')} with {share_with_interval(score)}."


def _paragraph(document: Mapping[str, Any]) -> str:
    counts, cells = document["counts"], document["cells"]
    told = [f"{counts[name]} {word}" for name, (_, word) in STATUS.items() if counts[name]]
    said = [f"Of {plural(len(cells), 'run')}: {listed(told)}." if cells else "No run is kept."]
    if counts["flagged"] + counts["penalised"]:
        said.append("Runs in which a check found something have their base model's score until a person or judges "
                    "rule them clean.")  # fmt: skip
    if counts["unmeasured"]:
        said.append("So has a run of which a check could not say anything: what was not measured is not clean.")
    if counts["no_model"]:
        said.append("Where no model was handed in, the base model's score counts too, which is no reproach.")
    return " ".join(said)


def _row(one: Mapping[str, Any], document: Mapping[str, Any]) -> VerdictRow:
    score = Estimate(**one["score"])
    status, word = _of_row(one, document)
    place = "no rank" if one["rank"] is None else f"rank {one['rank']}" + (
        f"–{one['last_rank']}" if one["last_rank"] != one["rank"] else "")  # fmt: skip
    by_base = [part for part in one["tracks"] if part["scored_by"] and part["scored_by"] != part["label"]]
    detail = place
    if by_base:
        detail += f"; {len(by_base)} of {plural(len(one['tracks']), 'part')} by its base model"
    if one["rank"] is None:
        detail += f"; {visible(one['why'])}"
    return VerdictRow(
        key=one["key"], statement=visible(one["model"]), detail=detail, estimate=share(score),
        interval=share_interval(score), base=(f"n = {score.n}", f"{score.ungraded} ungraded"),
        span=Span(score.value, score.low, score.high), states=((status, word),),
    )  # fmt: skip


def _of_row(one: Mapping[str, Any], document: Mapping[str, Any]) -> tuple[State, str]:
    """Return the state and word of a row of the board: those of its runs, where they agree."""
    if one["status"] != "clean":
        return STATUS[one["status"]]
    words = list(dict.fromkeys(status_of(each) for each in document["cells"] if each["model"] in one["models"]))
    return words[0] if len(words) == 1 else ("none", listed([word for _, word in words]))


def _reference(one: Mapping[str, Any]) -> VerdictRow:
    found = Estimate(**one["accuracy"])
    return VerdictRow(
        key=f"reference {one['model']} {one['track']}", statement=f"{visible(one['model'])} on {visible(one['track'])}",
        detail="a scale: evaluated as it is, at the same seeds", estimate=share(found), interval=share_interval(found),
        base=(f"n = {found.n}", f"{found.ungraded} ungraded"), span=Span(found.value, found.low, found.high),
    )  # fmt: skip
