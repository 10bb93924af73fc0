"""What the gain cost, and which tasks taught."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairtrial.records import Estimate

TaughtReading = Literal["taught", "harmed", "gained", "lost", "within_noise", "no_credit", "not_told"]
"""By arms `taught`, `harmed`: beyond noise. By credit `gained`, `lost`: its own tasks did, beyond those of families
without credit, which is no proof that it taught. `no_credit`: no group of it carried any. `not_told`: what it learned
from other families, or other training, could not be told apart."""
TaughtMethod = Literal["left_out", "group_credit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """The price of one comparison; None where the records do not tell."""

    trained: str
    gain_per_usd: Estimate | None
    gain_per_million_tokens: Estimate | None
    """Of all tokens of training, read and sampled."""
    gain_per_task: Estimate | None
    """For each task or row that was trained on."""
    usd: float | None
    """Of one training run: mean over the seeds paired."""
    tokens: int | None
    """Read and sampled in one training run: mean over the seeds paired."""
    tasks: int | None
    """Distinct tasks and rows of one training run; one that two runs of a chain drew counts in both."""
    tokens_per_success_before: Estimate | None
    tokens_per_success_after: Estimate | None
    not_measured: tuple[str, ...] = ()
    """What is None above, and why."""
    base: str = ""
    sampled_tokens: int | None = None
    read_tokens: int | None = None
    gain_per_million_sampled_tokens: Estimate | None = None
    gain_per_million_read_tokens: Estimate | None = None
    tokens_per_success_ratio: Estimate | None = None
    """After over before, paired by task and seed; below 1 is cheaper."""
    runs: int = 0
    """Training runs that the costs are a mean over."""
    beyond_base: bool = False
    """The base was trained too: dollars, tokens and tasks are those beyond its own."""
    notes: tuple[str, ...] = ()
    """What the cost holds and what it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """How much of the gain one family of training tasks brought."""

    family: str
    method: TaughtMethod
    """`left_out`: the gain with it less the gain of an arm trained without it. `group_credit`: no arm was trained."""
    effect: Estimate
    """On all held-out tasks, in shares of tasks. With `group_credit` an association."""
    tasks: int
    """Training tasks of the family that were drawn; with `left_out` its held-out tasks."""
    reading: TaughtReading
    detail: str = ""
    own: Estimate | None = None
    """On the held-out tasks of the family alone; None where there are none."""
    q: float | None = None
    """Benjamini-Hochberg over the families; None where no variance could be told."""
    credit: Estimate | None = None
    """Share of all credit dealt in training that its groups got; None with `left_out`."""
    groups: int = 0
    informative: int = 0
    """Groups of the family, and those of them in which any advantage was not 0."""
    trained: str = ""
    """The arm with every family."""
    arm: str = ""
    """The arm trained without it; empty with `group_credit`."""
