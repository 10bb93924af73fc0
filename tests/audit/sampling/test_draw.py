"""Samples: probabilities that are what they say, growth that keeps every row, and shares that both verdicts get."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.audit.sampling import Design, Unit, draw, grow
from fairtrial.audit.sampling.allocation import Part, allocate
from fairtrial.audit.sampling.draw import design_of
from fairtrial.audit.sampling.frame import Frame, stratum_name
from fairtrial.records import Draw, FormatError, InputError, Sample


def units_of(
    passed: int, failed: int, *, tasks: int = 3, models: int = 1, start: int = 0, lead: str = ""
) -> list[Unit]:
    outcomes = ["passed"] * passed + ["failed"] * failed
    return [
        Unit(rollout=f"{start + i:04d}", task=f"t{i % tasks}", model=f"m{i % models}", attempt=i, outcome=outcome,
             lead=lead if i % 4 == 0 else "") for i, outcome in enumerate(outcomes)
    ]  # fmt: skip


def weighted(sample: Sample, values: dict[str, float]) -> float:
    return math.fsum(values[row.rollout] / row.probability for row in sample.rows)


def agreeing(counts: Counter[str], probability: dict[str, float], samples: int) -> bool:
    """Say whether each row came in as often as its probability says, within 4.5 standard errors."""
    return all(abs(counts[name] - samples * p) <= 4.5 * math.sqrt(samples * p * (1 - p)) + 1e-9
               for name, p in probability.items())  # fmt: skip


populations = st.builds(
    units_of, st.integers(2, 40), st.integers(2, 40), tasks=st.integers(1, 9), models=st.integers(1, 4),
    lead=st.sampled_from(["", "suspected"]),
)  # fmt: skip


@given(populations, st.integers(0, 99), st.data())
@settings(max_examples=60)
def test_probabilities_are_drawn_over_population_and_growth_keeps_every_row(
    units: list[Unit], seed: int, data: st.DataObject
) -> None:
    n = data.draw(st.integers(8, len(units))) if len(units) >= 8 else len(units)
    by = data.draw(st.sampled_from([("verdict",), ("verdict", "model"), ("verdict", "detector"), ("model",), ()]))
    found = draw(units, Design(n=n, seed=seed, by=by))
    check(found.sample, units, n)
    if n < len(units):
        more = data.draw(st.integers(n + 1, len(units)))
        larger = grow(found.sample, Frame.decoded(found.frame.encoded()), units, more)
        check(larger.sample, units, more)
        old, new = found.sample.rows, larger.sample.rows[:n]
        assert [(row.rollout, row.stratum, row.readers) for row in old] == [
            (row.rollout, row.stratum, row.readers) for row in new
        ]
        assert (larger.sample.parent, larger.joined) == (found.sample.id, 0)


def check(sample: Sample, units: Sequence[Unit], n: int) -> None:
    assert len({row.rollout for row in sample.rows}) == len(sample.rows) == n
    assert {row.rollout for row in sample.rows} <= {unit.rollout for unit in units}
    drawn = Counter(row.stratum for row in sample.rows)
    strata = {one.name: one for one in sample.strata}
    assert drawn == {name: one.sampled for name, one in strata.items()}
    assert all(row.probability == drawn[row.stratum] / strata[row.stratum].population for row in sample.rows)
    assert sum(one.population for one in sample.strata) == len(units)
    assert math.isclose(weighted(sample, {unit.rollout: 1.0 for unit in units}), len(units))
    assert all(one.sampled >= min(2, one.population) for one in sample.strata)


@pytest.mark.extra
def test_over_seeds_each_rollout_comes_in_as_often_as_its_probability_says() -> None:
    units = units_of(7, 9, tasks=4, models=2, lead="suspected")
    values = {unit.rollout: float(i % 5) for i, unit in enumerate(units)}
    counts, totals, samples = Counter[str](), [], 700
    for seed in range(samples):
        sample = draw(units, Design(n=11, seed=seed, by=("verdict", "detector"))).sample
        probability = {row.rollout: row.probability for row in sample.rows}
        counts.update(list(probability))
        totals.append(weighted(sample, values))
    strata = {one.name: one.sampled / one.population for one in sample.strata}
    cells = {unit.rollout: stratum_name({"verdict": unit.outcome, "detector": unit.lead or "none"}) for unit in units}
    assert agreeing(counts, {name: strata[cell] for name, cell in cells.items()}, samples)
    assert len(set(strata.values())) > 1
    spread = math.sqrt(sum((x - sum(totals) / samples) ** 2 for x in totals)) / samples
    assert abs(sum(totals) / samples - sum(values.values())) < 4 * spread


@pytest.mark.extra
def test_a_sample_that_grew_with_its_population_has_the_probabilities_it_states() -> None:
    old, new = units_of(6, 6, tasks=3), units_of(3, 5, tasks=2, start=100)
    counts, samples = Counter[str](), 500
    stated: dict[str, float] = {}
    for seed in range(samples):
        first = draw(old, Design(n=6, seed=seed, by=("verdict",)))
        second = grow(first.sample, first.frame, [*old, *new], 13)
        assert second.joined == len(new)
        third = grow(second.sample, second.frame, [*old, *new], 15)
        assert third.sample.rows[:13] == tuple(
            Draw(**{**as_dict(row), "probability": now.probability})
            for row, now in zip(second.sample.rows, third.sample.rows[:13], strict=True)
        )
        counts.update(row.rollout for row in third.sample.rows)
        stated |= {row.rollout: row.probability for row in third.sample.rows}
        strata = {one.name: (one.population, one.sampled) for one in third.sample.strata}
    assert set(strata) == {"verdict=passed", "verdict=failed", "verdict=passed, joined=2", "verdict=failed, joined=2"}
    assert sum(population for population, _ in strata.values()) == 20
    assert agreeing(counts, stated, samples)
    assert set(stated) == {unit.rollout for unit in [*old, *new]}


def as_dict(row: Draw) -> dict[str, object]:
    return {name: getattr(row, name) for name in ("rollout", "stratum", "probability", "readers", "reader_probability")}


def test_both_verdicts_get_as_many_draws_and_what_one_lacks_the_other_gets() -> None:
    sample = draw(units_of(84, 116, tasks=50), Design(n=60)).sample
    assert {one.name: one.sampled for one in sample.strata} == {
        "verdict=failed, model=m0": 30,
        "verdict=passed, model=m0": 30,
    }
    sample = draw(units_of(5, 195), Design(n=60, by=("verdict",))).sample
    assert {one.name: one.sampled for one in sample.strata} == {"verdict=failed": 55, "verdict=passed": 5}


def test_a_sample_touches_nearly_as_many_tasks_as_it_can() -> None:
    units = units_of(120, 0, tasks=40)
    for seed in range(20):
        rows = {row.rollout for row in draw(units, Design(n=30, seed=seed)).sample.rows}
        assert len({unit.task for unit in units if unit.rollout in rows}) >= 27  # at random 21 of 40


def test_the_order_of_rows_tells_nothing_of_their_verdicts() -> None:
    """Runs of equal verdicts are as many as in a random order: 31 of 60 on average, 3.8 standard deviation."""
    runs = []
    for seed in range(40):
        strata = [row.stratum for row in draw(units_of(84, 116), Design(n=60, seed=seed, by=("verdict",))).sample.rows]
        runs.append(1 + sum(a != b for a, b in pairwise(strata)))
    assert abs(sum(runs) / 40 - 31) < 4 * 3.8 / math.sqrt(40)


def test_too_many_strata_are_given_up_from_the_last_and_said() -> None:
    found = draw(units_of(100, 100, models=30), Design(n=40, by=("verdict", "model")))
    assert {one.name for one in found.sample.strata} == {"verdict=failed", "verdict=passed"}
    assert found.frame.merged == ("failed: model", "passed: model")
    models = {unit.rollout: unit.model for unit in units_of(100, 100, models=30)}
    assert len({models[row.rollout] for row in found.sample.rows}) >= 20
    assert not draw(units_of(100, 100, models=3), Design(n=40, by=("verdict", "model"))).frame.merged


def test_people_read_the_share_that_was_asked_for_and_two_the_overlap() -> None:
    counts, samples = Counter[str](), 200
    for seed in range(samples):
        rows = draw(units_of(20, 20), Design(n=40, seed=seed, by=("verdict",), people=0.5, overlap=0.25)).sample.rows
        assert abs(sum(row.readers > 0 for row in rows) - 20) <= 2
        assert abs(sum(row.readers > 1 for row in rows) - 10) <= 3
        assert {row.reader_probability for row in rows} == {0.5}
        counts.update(row.rollout for row in rows if row.readers)
    assert agreeing(counts, {unit.rollout: 0.5 for unit in units_of(20, 20)}, samples)


def test_the_same_seed_draws_the_same_rows_and_another_seed_others() -> None:
    units = units_of(30, 30)
    one, same, other = (draw(list(order), Design(n=20, seed=seed)) for order, seed in
                        ((units, 1), (units[::-1], 1), (units, 2)))  # fmt: skip
    assert one.sample == same.sample
    assert one.sample.id == same.sample.id != other.sample.id
    assert {row.rollout for row in one.sample.rows} != {row.rollout for row in other.sample.rows}


@pytest.mark.parametrize(
    ("n", "by", "overlap", "word"),
    [
        (61, ("verdict",), 0.2, "--n 60 reads all"),
        (3, ("verdict",), 0.2, "too few"),
        (10, ("verdict", "colour"), 0.2, "colour"),
        (10, ("verdict", "verdict"), 0.2, "twice"),
        (10, ("verdict",), 1.5, "overlap"),
    ],
)
def test_what_cannot_be_drawn_is_refused(n: int, by: tuple[str, ...], overlap: float, word: str) -> None:
    with pytest.raises(InputError, match=word):
        draw(units_of(30, 30), Design(n=n, by=by, overlap=overlap))


def test_a_sample_cannot_grow_backwards_or_from_nothing() -> None:
    found = draw(units_of(30, 30), Design(n=20))
    with pytest.raises(InputError, match="20 rows already"):
        grow(found.sample, found.frame, units_of(30, 30), 20)
    with pytest.raises(InputError, match="does not say how"):
        design_of(Sample(seed=0, by=(), strata=(), rows=()))
    with pytest.raises(FormatError):
        Frame.decoded(b'{"schema": "fairtrial.frame/1"}')


def test_names_that_could_be_another_stratum_are_quoted() -> None:
    odd = [stratum_name({"verdict": "passed", "model": model}) for model in ("a, suite=b", 'a"', "a\nb", "a=b")]
    assert all('model="' in name and name.isprintable() for name in odd)
    assert stratum_name({"verdict": "passed", "model": "a", "suite": "b"}) not in odd


@given(
    st.lists(st.tuples(st.sampled_from("pf"), st.integers(1, 30), st.integers(0, 30)), min_size=1, max_size=8),
    st.data(),
)
def test_draws_add_up_between_floors_and_caps(rows: list[tuple[str, int, int]], data: st.DataObject) -> None:
    parts = [Part(name=str(i), kind=kind, weight=float(size), population=size, kept=min(kept, size))
             for i, (kind, size, kept) in enumerate(rows)]  # fmt: skip
    n = data.draw(st.integers(sum(part.floor for part in parts), sum(part.population for part in parts)))
    counts = allocate(n, parts)
    assert sum(counts.values()) == n
    assert all(part.floor <= counts[part.name] <= part.population for part in parts)
