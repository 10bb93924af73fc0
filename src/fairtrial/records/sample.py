"""A sample: which rollouts are to be reviewed, and with which probability each of them got in."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from fairtrial.records.identity import record_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """A part of the population from which rollouts are drawn alike."""

    name: str
    population: int
    sampled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One rollout of a sample."""

    rollout: str
    stratum: str
    probability: float
    """With which it came into the sample."""
    readers: int = 0
    """How many people are to read it: 0 a judge alone, 2 on the overlap."""
    reader_probability: float = 0.0
    """With which a person reads it, given that it is in the sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Record one sample. The order of `rows` is the order in which they are read, and tells nothing."""

    KIND: ClassVar[str] = "sample/1"

    seed: int
    by: tuple[str, ...]
    """What it is stratified by: `verdict`, `model`, `suite`, `detector`, ..."""
    strata: tuple[Stratum, ...]
    rows: tuple[Draw, ...]
    name: str = ""
    parent: str = ""
    """Id of the sample that it grew from, all of whose rows it holds."""
    settings: str = ""
    """JSON of what else shaped it."""
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address; the time is not part of it."""
        content = asdict(self)
        del content["recorded_at"]
        return record_id(self.KIND, content)

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | asdict(self)
