"""`fairtrial serve`: links that work, the same after a restart; Ctrl-C is no failure; what is wrong is told first."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.records import Draw, Rollout, Sample, Stratum
from fairtrial.serve.listening import hosts_of

MAIN = "from fairtrial.cli.main import main; main()"


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    made = Ledger.open(tmp_path / "ledger", create=True)
    made.append("rollouts", [Rollout(task="t", model="m")])
    return made


@contextmanager
def served(
    ledger: Ledger, *options: str, started: Callable[[], object] | None = None
) -> Iterator[tuple[dict[str, Any], subprocess.Popen[str]]]:
    """Run the verb as its users do, and give the document that it prints."""
    command = [sys.executable, "-c", MAIN, "serve", str(ledger.path), "--port", "0", "--json", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=started)
    assert process.stdout is not None
    lines: list[str] = []
    try:
        while not lines or lines[-1] != "}\n":
            line = process.stdout.readline()
            assert line, process.stderr.read() if process.stderr else ""
            lines.append(line)
        yield json.loads("".join(lines)), process
    finally:
        process.kill()
        process.communicate()


def opened(link: str) -> str:
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(link, timeout=20) as answer:
        return str(answer.read().decode())


@pytest.mark.extra
def test_links_work_until_it_is_interrupted_and_are_the_same_again(ledger: Ledger) -> None:
    with served(ledger, "--reviewer", "ada", "--adjudicator", "cy") as (document, process):
        assert document["schema"] == "fairtrial.serve/1"
        assert [(link["name"], link["role"]) for link in document["links"]] == [
            ("owner", "owner"), ("ada", "reviewer"), ("cy", "adjudicator")]  # fmt: skip
        assert "What this ledger holds" in opened(document["links"][0]["link"])
        with pytest.raises(urllib.error.HTTPError, match="401"):
            opened(document["address"] + "/rollouts")
        process.send_signal(signal.SIGINT)
        rest, said = process.communicate(timeout=20)
        assert (process.returncode, rest) == (0, "")
        assert "Traceback" not in said
        assert "stopped" in said
    with served(ledger, "--reviewer", "ada") as (again, _):
        tokens = [link["link"].partition("=")[2] for link in again["links"]]
        assert tokens == [link["link"].partition("=")[2] for link in document["links"][:2]]


@pytest.mark.extra
def test_an_interrupt_counts_from_the_links_on_where_a_shell_started_it_in_the_background(ledger: Ledger) -> None:
    with served(ledger, started=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) as (_, process):
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0
        assert "stopped" in said


def failing(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(["serve", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


def test_what_is_wrong_is_told_before_anything_is_served(ledger: Ledger, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(ledger.path)
    assert "no such ledger" in failing(capsys, path + "x")
    assert "named twice" in failing(capsys, path, "--reviewer", "ada", "--adjudicator", "ada")
    assert "has no name" in failing(capsys, path, "--reviewer", " ")
    assert "--name" in failing(capsys, path, "--host", "0.0.0.0", "--port", "0")
    assert "no address of this machine" in failing(capsys, path, "--host", "no.such.host.invalid", "--port", "0")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "--port 0" in failing(capsys, path, "--port", str(taken.getsockname()[1]))


def test_a_sample_is_named_by_its_name_or_the_beginning_of_its_id(
    ledger: Ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "audit sample" in failing(capsys, str(ledger.path), "--sample", "spring")
    stratum = Stratum(name="all", population=1, sampled=1)
    rows = (Draw(rollout="r", stratum="all", probability=1.0),)
    ledger.append("samples", [Sample(seed=seed, by=(), strata=(stratum,), rows=rows, name="spring") for seed in (1, 2)])
    assert "several samples" in failing(capsys, str(ledger.path), "--sample", "spring")
    assert "no sample is called `sprin`" in failing(capsys, str(ledger.path), "--sample", "sprin")


def test_a_link_names_what_a_browser_can_ask_for() -> None:
    assert hosts_of("0.0.0.0", 80, ["Lab.example"])[:2] == ("lab.example", "lab.example:80")
    assert hosts_of("::1", 8321) == ("[::1]:8321",)
    assert "evil.example:80" not in hosts_of("0.0.0.0", 80, ["lab.example"])
