"""Read from a ledger, and from files beside it, what an estimate is made from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from fairtrial.audit.estimating.estimate import Material
from fairtrial.audit.estimating.matching import Roster
from fairtrial.audit.estimating.reviews_file import read_reviews
from fairtrial.audit.estimating.sample_file import read_sample
from fairtrial.audit.sampling import Population, design_of, read_units, sample_named
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_reviews, all_samples
from fairtrial.records import InputError, Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where reviews and the sample are, and which part of the ledger is asked for."""

    reviews: Path | None = None
    """JSONL; None: the reviews in the ledger."""
    sample: str = ""
    """File, id, name or `last`; `none`: there is no sample. Empty: none beside a file of reviews, else the last one."""
    population: Population = field(default_factory=Population)


def read_material(ledger: Ledger, sources: Sources) -> Material:
    """Return the material. Raise InputError or FormatError for what cannot be read, or is not there."""
    everything = read_units(ledger, Population(ungraded=True))
    wanted = sources.population
    part = Population(suite=wanted.suite, models=wanted.models, tasks=wanted.tasks, ungraded=True)
    units = list(everything.units if part == Population(ungraded=True) else read_units(ledger, part).units)
    roster = Roster.of(everything.units)
    sample, name = _sample(ledger, sources, roster)
    if sources.reviews is not None:
        reviews = read_reviews(sources.reviews, roster)
    else:
        reviews = all_reviews(ledger)
        if not reviews:
            raise InputError("holds no review", path=ledger.path,
                             hint="`audit judge` and `serve` make some; --reviews reads a file of them.")  # fmt: skip
    parts = [one for one in (wanted, _population(sample)) if one != Population()]
    units = [unit for unit in units if all(one.holds(unit) for one in parts)]
    is_part = part != Population(ungraded=True)
    told = tuple(one.document() for one in parts)
    return Material(units=units, reviews=reviews, sample=sample, sample_id=name, is_part=is_part, parts=told)


def _population(sample: Sample | None) -> Population:
    """Return what the sample was drawn to speak for; everything where it does not say."""
    if sample is None or not sample.settings:
        return Population()
    return replace(Population.of(design_of(sample).population), ungraded=False)


def _sample(ledger: Ledger, sources: Sources, roster: Roster) -> tuple[Sample | None, str]:
    """Return the sample and its id."""
    named = sources.sample
    if named == "none" or (not named and (sources.reviews is not None or not all_samples(ledger))):
        return None, ""
    path = Path(named)
    if named and (path.is_file() or path.suffix == ".json" or "/" in named):
        sample = read_sample(path, roster)
        return sample, sample.name
    sample = sample_named(ledger, named or "last")
    return sample, sample.id
