"""Ask the probes of text graders, and lay out all that is to be graded: gold, declared and submitted completions.

A policy that says the same whatever is asked is played on every case for its figure, on those too where it happens to
be right and accuses nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fairtrial.attack.text import PROBES, Completion, TextCase, TextSubmission
from fairtrial.prove.outcome import Expects
from fairtrial.prove.text.cases import GraderCase
from fairtrial.prove.text.gold import Calibration, answer_text
from fairtrial.records import InputError

MOST_OTHERS = 50
REFERENCE = ("reference", "reference")
DECLARED_WRONG = ("declared_wrong", "defect")
DECLARED_RIGHT = ("declared_right", "alternative")
FIGURE_ONLY = ("policy", "")
"""Probe and family of completions that are graded for a figure, and never judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One completion to be graded, and who asks for it."""

    case: int
    probe: str
    family: str
    submission: TextSubmission

    @property
    def policy(self) -> str:
        """Return the name under which a lazy policy plays it; empty where none does."""
        return f"{self.probe}:{self.submission.name}" if self.submission.is_lazy else ""


def probe_ids() -> dict[str, str]:
    """Return every probe of text graders with its family, ours first."""
    own = dict([REFERENCE, DECLARED_WRONG, DECLARED_RIGHT])
    return own | {probe.card.id: probe.card.family for probe in PROBES}


def chosen_probe(only: str, judged: Sequence[str]) -> str:
    """Return the probe that `--only` names: `PROBE`, `FAMILY:PROBE` or `PROBE:SUBMISSION`; empty for all.

    `judged` are labels that are read off all gradings, and need them all. Raise InputError where there is none.
    """
    known = probe_ids()
    if not only or only in judged:
        return ""
    for name in (only, only.partition(":")[0], only.partition(":")[2]):
        if name in known:
            return name
    hint = "It knows: " + ", ".join([*known, *judged])
    raise InputError(f"there is no probe `{only}` of text graders", field="--only", hint=hint)


def text_cases(
    cases: Sequence[GraderCase], calibration: Calibration, source: str, seed: int, most: int
) -> list[TextCase]:
    """Return every case as probes see it."""
    answers = [answer_text(case.answer) for case in cases]
    counted = Counter(answer for answer in answers if answer is not None)
    first = {answer: place for place, answer in reversed(list(enumerate(answers))) if answer is not None}
    order = [first[answer] for answer, _ in counted.most_common(MOST_OTHERS + 1)]
    top = counted.most_common(1)
    majority = cases[first[top[0][0]]].answer if top and top[0][1] > 1 else None
    found = []
    for place, case in enumerate(cases):
        others = [other for other in order if answers[other] != answers[place]][:MOST_OTHERS]
        found.append(TextCase(
            id=case.id, prompt=case.prompt, reference=calibration.golds[place].completion, answer=case.answer,
            wrong=case.wrong, right=case.right, other_answers=tuple(cases[other].answer for other in others),
            other_references=tuple(calibration.golds[other].completion for other in others), majority=majority,
            info=case.info, grader_source=source, seed=seed, most=most,
        ))  # fmt: skip
    return found


def everything(cases: Sequence[TextCase], probe: str) -> list[Asked]:
    """Return all that is to be graded, of one probe where it is named; gold completions always."""
    asked = [Asked(case=place, probe=REFERENCE[0], family=REFERENCE[1], submission=_gold(case))
             for place, case in enumerate(cases)]  # fmt: skip
    for place, case in enumerate(cases):
        if probe in ("", DECLARED_WRONG[0]):
            asked += _declared(place, case.wrong, DECLARED_WRONG)
        if probe in ("", DECLARED_RIGHT[0]):
            asked += _declared(place, case.right, DECLARED_RIGHT)
        for one in PROBES:
            if probe in ("", one.card.id):
                asked += [Asked(case=place, probe=one.card.id, family=one.card.family, submission=submission)
                          for submission in one.submissions(case)]  # fmt: skip
    return [*asked, *_filled(asked, len(cases))]


def _gold(case: TextCase) -> TextSubmission:
    what = f"the gold completion {_short(answer_text(case.answer) or '')}".rstrip()
    return TextSubmission(name="gold", completion=case.reference, expects="passes", what=what,
                          why="It is the right answer, as the case has it.")  # fmt: skip


def _declared(place: int, texts: Sequence[str], kind: tuple[str, str]) -> Iterator[Asked]:
    is_right = kind == DECLARED_RIGHT
    for number, text in enumerate(texts):
        what = f"a completion that the case declares {'right' if is_right else 'wrong'}"
        expects: Expects = "passes" if is_right else "fails"
        submission = TextSubmission(name=f"declared_{number}", completion=text, what=what, expects=expects,
                                    why="The case file says so.")  # fmt: skip
        yield Asked(case=place, probe=kind[0], family=kind[1], submission=submission)


def _filled(asked: Sequence[Asked], cases: int) -> Iterator[Asked]:
    """Play each constant policy on the cases on which no probe plays it, for its figure."""
    played: dict[str, dict[int, Completion]] = {}
    for one in asked:
        if one.policy:
            played.setdefault(one.policy, {})[one.case] = one.submission.completion
    for policy, by_case in played.items():
        said = list(by_case.values())
        if any(completion != said[0] for completion in said):
            continue
        for place in range(cases):
            if place not in by_case:
                name = TextSubmission(name=policy, completion=said[0], expects="fails", what=policy, is_lazy=True)
                yield Asked(case=place, probe=FIGURE_ONLY[0], family=FIGURE_ONLY[1], submission=name)


def policies(asked: Sequence[Asked]) -> Mapping[str, dict[int, int]]:
    """Return lazy policy -> case -> position in `asked`, those on filled cases with them."""
    found: dict[str, dict[int, int]] = {}
    for position, one in enumerate(asked):
        name = one.submission.name if one.probe == FIGURE_ONLY[0] else one.policy
        if name:
            found.setdefault(name, {})[one.case] = position
    return found


def _short(text: str) -> str:
    return f"`{text}`" if text and len(text) <= 40 and "\n" not in text else ""
