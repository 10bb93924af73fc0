"""The page of a watched run: the answer first, each reason with it; what was not measured is said, names escaped."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from starlette.testclient import TestClient
from tests.train.watch.runs import Run, watch

from fairtrial.report.watch import html, page_of, write
from fairtrial.report.watch.panels import MOST_POINTS, figures_of
from fairtrial.serve.watching import WatchSite, watch_application
from fairtrial.train.watch import Watched


@pytest.fixture(scope="module")
def stopped() -> Watched:
    run = Run({"sort": 0.6}, references=(4, 4), groups=8, size=4)
    steps = [run.step(number) for number in range(1, 16)] + [run.step(number, rate=0.0) for number in range(16, 20)]
    return replace(watch(steps)[0].watched(), model="<b>sorter</b>", seed=4)


def test_the_answer_and_its_reason_are_on_the_page(stopped: Watched) -> None:
    text = html(page_of([stopped], "runs/\x1b[31m"))
    assert "\x1b" not in text
    assert "One outage in 17 steps; 1 run paused, 2 steps left out of every claim." in text
    assert "known right answers passed" in text
    assert "<b>sorter</b>" not in text
    assert "&lt;b&gt;sorter&lt;/b&gt;" in text.replace("<wbr>", "")
    assert "nobody looked" in text
    assert "<script" not in text


def test_what_was_written_is_what_was_said(stopped: Watched, tmp_path: Path) -> None:
    made = write(page_of([stopped]), [stopped], tmp_path)
    document = orjson.loads(made["json"].read_bytes())
    assert document["schema"] == "fairtrial.watch/1"
    assert document["runs"][0]["left_out_steps"] == [16, 17]
    assert "One outage" in made["md"].read_text(encoding="utf-8")


def test_a_run_that_sampled_nothing_is_said_to_have_nothing_to_watch(stopped: Watched) -> None:
    empty = replace(stopped, steps=(), alarms=(), paused="", left_out_steps=())
    assert "there is nothing to watch" in page_of([empty]).verdict.sentence


def test_a_long_run_is_drawn_in_few_points(stopped: Watched) -> None:
    steps = tuple(replace(stopped.steps[0], step=number) for number in range(1, 2001))
    panels = [panel for figure in figures_of(replace(stopped, steps=steps), "k") for panel in figure.panels]
    assert panels
    assert all(len(series.points) <= MOST_POINTS for panel in panels for series in panel.series)


def test_the_live_page_wants_its_token_and_says_when_nothing_is_new(
    stopped: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = WatchSite(hosts=frozenset({"127.0.0.1:1"}))
    said = [stopped]
    app = watch_application(lambda: said, tmp_path, site)
    with TestClient(app, base_url="http://127.0.0.1:1") as client:
        assert client.get("/").status_code == 401
        entered = client.get(f"/enter?token={site.reader.token}")
        assert entered.status_code == 200
        assert "One outage" in entered.text
        again = client.get("/", headers={"If-None-Match": entered.headers["ETag"]})
        assert again.status_code == 304
        said[0] = replace(stopped, alarms=(), paused="", left_out_steps=())
        assert client.get("/", headers={"If-None-Match": entered.headers["ETag"]}).status_code == 304
        (tmp_path / "steps.jsonl").write_text("{}\n")
        monkeypatch.setattr(time, "monotonic", lambda: 1e9)
        fresh = client.get("/", headers={"If-None-Match": entered.headers["ETag"]})
        assert fresh.status_code == 200
        assert "No alarm in 17 steps" in fresh.text
        assert client.get("/static/watch.js").status_code == 200
