"""proof.toml, ours: the candidates whose right score is known, and what the task declares about itself.

    free = ["number_form"]      # freedoms that a right deliverable may take
    oracle = "oracle"           # folder of a second grader that is asked about what the first one passes
    live = false                # true: grading needs the agent's services alive

    [[candidate]]
    name = "forgets-the-coupon"
    kind = "defect"             # defect | alternative | hack
    solve = "candidates/forgets-the-coupon/solve.sh"
    fails = ["refund_amount"]   # a defect fails exactly these checks; empty: at least one
    trajectory = "candidates/forgets-the-coupon/trajectory.json"    # how it came about, for checks of the process

Unknown keys and freedoms are errors: a misspelt one would silently prove less.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.tasks.model import CandidateKind, Freedom


class CandidateTable(BaseModel):
    """[[candidate]]"""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: Annotated[str, Field(min_length=1)]
    kind: CandidateKind
    solve: Annotated[str, Field(min_length=1)]
    fails: list[str] = Field(default_factory=list)
    trajectory: str = ""


class ProofToml(BaseModel):
    """The whole of proof.toml."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    candidate: list[CandidateTable] = Field(default_factory=list)
    free: list[Freedom] = Field(default_factory=list)
    oracle: str = ""
    live: bool = False
