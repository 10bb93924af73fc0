"""Every worked-out number off by the same step: half as much again, a unit a thousand times too large, 3 %, one more.

What allows too much difference passes it. Small steps are a proof only where the instruction asks for exact figures;
a sign, or a factor of 100 (a share or a percentage), can be a convention, and is a lead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.artifacts.made_up import NUMBER
from fairtrial.attack.artifacts.scopes import Scope, scopes
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="numbers_off",
    family="mutant",
    surface="workspace",
    submits="the reference's answers with every number, or those of one column, off by a factor or by one",
    sound="fails it",
    proof="a factor of 1.5 or 1000 on numbers that the instruction asks for; 3 % where it says how to "
    "round, 1 % or one more where it asks for exact figures; else a lead",
    classes=("BGW-119", "BGW-123", "BGW-134"),
)

FAR_PLACES = 3
"""Units in the last place that no rounding explains."""
LONGEST = 24
"""Digits; longer ones are codes, and past what Decimal keeps exact."""


@dataclass(frozen=True, slots=True)
class Step:
    """One way to be off."""

    words: str
    apply: Callable[[Decimal], Decimal]
    needs: str
    """What makes it a proof: `` nothing more, `exact` words on rounding, `strict` words that leave none, `never`."""
    whole_only: bool = False


STEPS = {
    "times-1.5": Step("half as much again", lambda number: number * Decimal("1.5"), ""),
    "times-1000": Step("a thousand times as much", lambda number: number * 1000, ""),
    "times-1.03": Step("3 % too much", lambda number: number * Decimal("1.03"), "exact"),
    "times-1.01": Step("1 % too much", lambda number: number * Decimal("1.01"), "strict"),
    "one-more": Step("one more", lambda number: number + 1, "strict", True),
    "negated": Step("with the other sign", lambda number: -number, "never"),
    "times-100": Step("a hundred times as much", lambda number: number * 100, "never"),
    "last-place": Step("one more in the last place", lambda number: number + _last_place(number), "never"),
}
FOR_COLUMNS = ("times-1.5", "times-1.03", "times-1.01", "one-more")


def propose(target: Target) -> Iterator[Proposal]:
    """Yield answers with wrong numbers."""
    for name, step in STEPS.items():
        for scope in scopes(target, "answers", "computed", "column"):
            has_computed = scope.extent == "answers" and any(one.computed for one, _ in scope.parts)
            if has_computed or (scope.extent == "column" and name not in FOR_COLUMNS):
                continue
            proposal = scope.replaced(name, step.words, lambda one, leaf, step=step: _off(one, leaf, step))  # type: ignore[misc]
            if proposal is not None:
                yield _weighed(proposal, scope, step)


def _off(one: Deliverable, leaf: Leaf, step: Step) -> Put | None:
    """Return the number after the step, with as many decimals; None for what is no number, or stays the same."""
    del one
    is_number = NUMBER.fullmatch(leaf.text) and len(leaf.text) <= LONGEST and not _is_code(leaf.text)
    if not is_number or leaf.kind not in ("number", "text"):
        return None
    number = Decimal(leaf.text)
    if step.whole_only and number != number.to_integral_value():
        return None
    other = step.apply(number).quantize(_last_place(number))
    return Put(f"{other:f}", leaf.kind) if other != number else None


def _weighed(proposal: Proposal, scope: Scope, step: Step) -> Proposal:
    """Return the proposal with the severity that its numbers bear: none may be bound, and all may be codes."""
    asked = {
        "": True,
        "exact": all(one.demands.exactness for one, _ in scope.parts),
        "strict": all(one.demands.strictness for one, _ in scope.parts),
        "never": False,
    }[step.needs]
    far = [(one, [i for i in chosen if _is_far(one.leaves[i], step)]) for one, chosen in scope.parts]
    bound = any(one.binding(chosen) for one, chosen in far if chosen)
    if proposal.severity == "proof" and bound and asked and not any(one.demands.choice for one, _ in scope.parts):
        wrong = "none of these is exact" if step.needs else "this is far from them"
        return replace(proposal, why=f"The instruction asks for these figures, and {wrong}.")
    why = {
        "": "A lead only: the instruction does not ask for these figures in so many words.",
        "exact": "A lead only: the instruction does not say how exact the figures must be.",
        "strict": "A lead only: this may lie within what rounding explains.",
        "never": "A lead only: a step like this can be a convention, or within a tolerance.",
    }[step.needs]
    return replace(proposal, severity="lead", why=why)


def _is_far(leaf: Leaf, step: Step) -> bool:
    """Say whether the step moves a number by more than rounding explains; one more of a count is always far."""
    if not NUMBER.fullmatch(leaf.text) or len(leaf.text) > LONGEST or _is_code(leaf.text):
        return False
    number = Decimal(leaf.text)
    moved = abs(step.apply(number) - number)
    return moved >= (1 if step.whole_only else FAR_PLACES) * _last_place(number)


def _last_place(number: Decimal) -> Decimal:
    exponent = number.as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) and exponent < 0 else Decimal(1)


def _is_code(text: str) -> bool:
    """Say whether a number is written as a code is: with a zero in front.

    >>> _is_code("0042"), _is_code("0.42")
    (True, False)
    """
    digits = text.lstrip("+-")
    return len(digits) > 1 and digits[0] == "0" and digits[1] != "."


PROBE = ArtifactProbe(card=CARD, propose=propose)
