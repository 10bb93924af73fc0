"""Attacks at-least-once delivery: answers lost, repeated, late and out of order, jobs done twice, machines gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairtrial.records import InputError
from fairtrial.run import Done, InlineEngine, Lost
from fairtrial.run.cluster.dispatch import MOST_NODES_GONE, dispatch
from fairtrial.run.cluster.fake import FakeCluster
from run.cluster.jobs import Raise, Square, Troubled, ran, rows, write_suite

shares = st.floats(0, 0.6)


class Dealt:
    """The engine that dispatches to a cluster, without ray."""

    def __init__(self, cluster: FakeCluster) -> None:
        self.cluster = cluster

    def map(
        self, jobs: object, *, at_once: int | None = None, cores_each: int | None = None, here: bool = False
    ) -> Iterator[object]:
        del cores_each, here
        return dispatch(jobs, self.cluster, at_once)  # type: ignore[arg-type]


@given(seed=st.integers(0, 2**32), loses=shares, crashes=st.floats(0, 0.3), repeats=shares, count=st.integers(0, 30))
@settings(max_examples=30, deadline=None)
def test_every_job_is_told_once_whatever_the_cluster_does(
    seed: int, loses: float, crashes: float, repeats: float, count: int
) -> None:
    cluster = FakeCluster(seed=seed, loses=loses, crashes=crashes, repeats=repeats)
    ended = list(dispatch([Square(n) for n in range(count)], cluster))
    assert sorted(one.index for one in ended) == list(range(count))
    assert all(one.value == one.index**2 for one in ended if isinstance(one, Done))
    assert all(isinstance(one, Done) for one in ended) or crashes or loses


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_suite(tmp_path_factory.mktemp("suite"))


@pytest.fixture(scope="module")
def alone(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    ledger = tmp_path_factory.mktemp("alone") / "ledger"
    ran(suite, ledger, InlineEngine(), Troubled(), attempts=3)
    return rows(ledger)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_ledger_is_the_one_of_a_single_process(
    seed: int, suite: Path, alone: dict[str, list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    cluster = FakeCluster(seed=seed, loses=0.4, repeats=0.5)
    ledger = tmp_path_factory.mktemp("dealt") / "ledger"
    tally = ran(suite, ledger, Dealt(cluster), Troubled(), attempts=3)  # type: ignore[arg-type]
    assert tally.lost == 0
    assert rows(ledger) == alone
    assert len(rows(ledger)["rollouts"]) == 6


def test_a_job_that_kills_its_workers_is_tried_twice_and_lost() -> None:
    cluster = FakeCluster(crashes=1.0)
    assert list(dispatch([Square(3)], cluster)) == [Lost(0, "the worker died")]
    assert cluster._next == 2


def test_machines_that_go_are_no_sign_against_a_job_until_many_went() -> None:
    cluster = FakeCluster(loses=2.0)
    (lost,) = dispatch([Square(3)], cluster)
    assert lost == Lost(0, "the machine is gone")
    assert cluster._next == MOST_NODES_GONE + 1


def test_an_unforeseen_error_costs_its_job_and_is_not_tried_again() -> None:
    cluster = FakeCluster()
    jobs: list[Callable[[], int]] = [Raise(ValueError("a fault of the job")), Square(3), Raise(SystemExit(3))]
    ended = {one.index: one for one in dispatch(jobs, cluster)}
    assert ended == {0: Lost(0, "ValueError: a fault of the job"), 1: Done(1, 9), 2: Lost(2, "SystemExit: 3")}
    assert cluster._next == 3


def test_what_the_user_must_mend_ends_the_run_and_stops_what_was_sent() -> None:
    cluster = FakeCluster(places=3)
    jobs: list[Callable[[], int]] = [Raise(InputError("mend this"))] * 3
    with pytest.raises(InputError, match="mend this"):
        list(dispatch(jobs, cluster))
    assert len(cluster.forgotten) == 2


def test_a_caller_who_stops_leaves_nothing_running() -> None:
    cluster = FakeCluster(places=4)
    results = dispatch((Square(n) for n in range(100)), cluster)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert len(cluster.forgotten) == 3


def test_jobs_are_drawn_only_as_places_free_up() -> None:
    drawn: list[int] = []

    def endless() -> Iterator[Square]:
        while True:
            drawn.append(len(drawn))
            yield Square(drawn[-1])

    results = dispatch(endless(), FakeCluster(places=4), at_once=2)
    for _ in range(5):
        next(results)
    assert len(drawn) <= 5 + 2
