"""The log of a training run: one JSON line a group, one a step. Everything that became a gradient is in it.

An advantage can be computed again from its group's line alone; a test does. A reward of None is a broken grader: the
attempt left the baseline and its advantage is 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fairtrial.measure.advantages import Convention

GROUPS, STEPS = "groups.jsonl", "steps.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLine:
    """All attempts at one task in one step. Lists are over attempts, in the order they were sampled."""

    step: int
    """Optimiser step over all stages, from 1."""
    stage: int
    task: str
    family: str = ""
    completions: tuple[str, ...]
    tokens: tuple[int, ...]
    """Tokens of each completion."""
    finished: tuple[bool, ...]
    """False: cut off at the limit."""
    outcomes: tuple[str, ...]
    """`passed`, `failed` or `ungraded`, as the grader said, whatever the reward was."""
    reasons: tuple[str, ...]
    """Why it is ungraded, or has no reward; empty otherwise."""
    rewards: tuple[float | None, ...]
    hacks: tuple[bool | None, ...] = ()
    """Confirmed by a review: True or False; None: nobody looked. Empty: nobody looked at any."""
    ranks: tuple[float | None, ...] = ()
    """1 for the best of the passes, None for what is not ranked; empty where credit is not dealt by rank."""
    convention: Convention = "sample"
    epsilon: float = 0.0
    strength: float = 0.0
    """Share of the passes' credit that was dealt out by rank; 0: none."""
    advantages: tuple[float, ...]
    """What the trainer was given, after any shift."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """One optimiser step."""

    step: int
    stage: int
    method: str
    loss: float | None = None
    learning_rate: float | None = None
    gradient_norm: float | None = None
    attempts: int = 0
    passed: int = 0
    failed: int = 0
    ungraded: int = 0
    groups: int = 0
    all_pass: int = 0
    all_fail: int = 0
    """Groups without a pass and with at least one fail."""
    mean_tokens: float | None = None
    cut_off: int = 0
    entropy: float | None = None
    """Mean over sampled tokens, in nats."""
    kl: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float | None = None
    references_passed: int | None = None
    """Of the known right answers graded in this step, how many passed: the health of the grader. None: not looked."""
    references: int | None = None
    notes: tuple[str, ...] = field(default=())
    """What the watch said of this step."""
