"""What a checklist came to, as one document: the decision, what it rests on, each fault, who agrees with whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from fairtrial.audit.checklist.decision import Decided
from fairtrial.audit.checklist.model import Checklist
from fairtrial.audit.checklist.population import Population
from fairtrial.audit.checklist.standing import Answered, Question
from fairtrial.measure.agreement import krippendorff_alpha
from fairtrial.measure.shares import share_over_clusters
from fairtrial.records import Estimate, Inspection

SCHEMA = "fairtrial.checklist/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """How far inspectors agree on questions to which two or more gave an answer; `unclear` is none."""

    questions: int
    alike: Estimate
    alpha: float | None


def agreement(answered: Mapping[Question, Answered]) -> Agreed:
    """Return how far inspectors agree."""
    units, told = [], []
    for (task, _), one in answered.items():
        said = [each.answer for each in one.said.values() if each.answer != "unclear"]
        if len(said) > 1:
            units.append(said)
            told += [(task, first == second) for first, second in combinations(said, 2)]
    return Agreed(questions=len(units), alike=share_over_clusters(told, "pairs of answers"),
                  alpha=krippendorff_alpha(units))  # fmt: skip


def document(
    checklist: Checklist, population: Population, decided: Decided, answered: Mapping[Question, Answered],
    void: Sequence[Inspection], seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Return all of it as JSON."""
    agreed = agreement(answered)
    return {
        "schema": SCHEMA,
        "checklist": checklist.identity,
        "suite": population.suite,
        "population": len(population.tasks),
        "sample": {"n": len(decided.states), "seed": seed, **decided.counts},
        "decision": decided.decision,
        "why": list(decided.why),
        "share": decided.share.document(),
        "threshold": decided.threshold,
        "more_tasks": decided.more_tasks,
        "at_scale": [_fault(one, checklist) for one in decided.at_scale],
        "open_items": list(decided.open_items),
        "items": [_item(item.id, checklist, decided, answered) for item in checklist.items],
        "tasks": [{"task": task, "state": state, "in_sample": True} for task, state in decided.states.items()]
        + [{"task": task, "state": state, "in_sample": False} for task, state in decided.outside.items()],
        "faults": [_fault(one, checklist) for one in answered.values() if one.common == "fails"],
        "disputed": [_fault(one, checklist) for one in answered.values() if one.common == "disputed"],
        "agreement": {
            "inspectors": sorted({name for one in answered.values() for name in one.said}),
            "questions": agreed.questions, "alike": agreed.alike.document(), "alpha": agreed.alpha,
        },
        "void": [{"task": one.task, "item": one.item, "reviewer": one.reviewer,
                  "was": one.task_hash if one.task else one.suite,
                  "now": population.hashes.get(one.task, "") if one.task else population.suite} for one in void],
    }  # fmt: skip


def _item(item: str, checklist: Checklist, decided: Decided, answered: Mapping[Question, Answered]) -> dict[str, Any]:
    """Return what one item came to: over the tasks of the sample, or for the benchmark as a whole."""
    asked = next(one for one in checklist.items if one.id == item)
    places = list(decided.states) if asked.about == "task" else [""]
    counts = Counter(one.common if (one := answered.get((task, item))) else "not_answered" for task in places)
    told = {"item": item, "see": asked.see, "section": asked.section, "about": asked.about}
    return told | {"severity": asked.severity, "question": asked.question, "answers": dict(sorted(counts.items()))}


def _fault(one: Answered, checklist: Checklist) -> dict[str, Any]:
    return {
        "task": one.task, "item": one.item, "decides": one.item in checklist.deciding, "at_scale": one.at_scale,
        "said": [{"reviewer": name, "answer": each.answer, "note": each.note, "citations": list(each.citations)}
                 for name, each in one.said.items()],
    }  # fmt: skip
