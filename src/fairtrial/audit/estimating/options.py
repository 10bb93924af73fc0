"""How `audit estimate` is to estimate: population, correction, which models are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Wanted = Literal["auto", "prediction-powered", "rogan-gladen", "people", "judge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All that shapes an estimate but the data."""

    finite: bool = False
    """Speak of the rollouts at hand alone, not of such tasks."""
    correction: Wanted = "auto"
    """What is done about labels of judges. `auto`: people alone where they read all that was reviewed; judges alone
    where no person looked; else prediction-powered, and people alone where they read too little for it."""
    strong: str = ""
    weak: str = ""
