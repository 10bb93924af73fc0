"""Ask a judge once: a value, or why there is none. Broken is not failed: a refusal is not a low score.

Never from a cache: repeats of one question must be sampled anew, or a judge would look steady that is not.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.grade.judges.definition import Judge, Shown, rendered
from fairtrial.grade.judges.reading import read_verdict
from fairtrial.models import Answered, Infrastructure, LanguageModel, OverBudget, Refused, Truncated, Unparsed


@dataclass(frozen=True, slots=True)
class Judged:
    """What one asking came to. `value` is None exactly where `reason` says why it is ungraded."""

    value: float | None
    reason: str = ""
    said: str = ""
    """End of the reply."""


SAID = 300


def ask_judge(model: LanguageModel, judge: Judge, shown: Shown) -> Judged:
    """Ask `model`, in the part of `judge`, for a verdict on what is `shown`."""
    outcome = model.ask(rendered(judge, shown))
    match outcome:
        case Answered():
            text = outcome.reply.text
            value = read_verdict(judge, text)
            return Judged(value, "" if value is not None else "verdict_unread", text[-SAID:])
        case Unparsed():
            return Judged(None, "empty_reply")
        case Refused():
            return Judged(None, "refused", outcome.why[-SAID:])
        case Truncated():
            return Judged(None, f"truncated_{outcome.what}", outcome.reply.text[-SAID:])
        case Infrastructure():
            return Judged(None, f"model_{outcome.reason}", outcome.detail[-SAID:])
        case OverBudget():
            return Judged(None, "budget", outcome.why[-SAID:])
