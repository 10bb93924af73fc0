"""`fairtrial attack --list`: every probe is shown with what it covers, as text and as JSON; filters and errors."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from fairtrial.attack import cards
from fairtrial.cli.main import run


def document(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run(["attack", "--list", "--json", *arguments]) == 0
    read: dict[str, Any] = orjson.loads(capfd.readouterr().out)
    return read


def test_the_document_holds_every_probe_and_class(capfd: pytest.CaptureFixture[str]) -> None:
    read = document([], capfd)
    assert read["schema"] == "fairtrial.catalogue/1"
    assert read["version"].startswith("sha256:")
    assert [probe["id"] for probe in read["probes"]] == [card.id for card in cards()]
    assert set(read["probes"][0]) == {"id", "family", "surface", "submits", "sound", "proof", "classes", "version"}
    assert len(read["classes"]) == 48
    assert all(set(one) == {"id", "title", "probes", "why_not"} for one in read["classes"])
    assert [one["id"] for one in read["classes"] if not one["probes"] and not one["why_not"]] == []


def test_one_class_shows_only_what_covers_it(capfd: pytest.CaptureFixture[str]) -> None:
    read = document(["--class", "bgw-111"], capfd)
    assert [one["id"] for one in read["classes"]] == ["BGW-111"]
    assert read["classes"][0]["probes"] == [probe["id"] for probe in read["probes"]]
    assert all("BGW-111" in probe["classes"] for probe in read["probes"])


@pytest.mark.parametrize("surface", ["workspace", "text", "judge"])
def test_one_surface_shows_only_its_probes(surface: str, capfd: pytest.CaptureFixture[str]) -> None:
    read = document(["--surface", surface], capfd)
    assert {probe["surface"] for probe in read["probes"]} == {surface}
    known = {probe["id"] for probe in read["probes"]}
    assert {name for one in read["classes"] for name in one["probes"]} <= known


def test_a_version_does_not_hang_on_the_filter(capfd: pytest.CaptureFixture[str]) -> None:
    assert document(["--surface", "text"], capfd)["version"] == document([], capfd)["version"]


def test_the_page_names_every_probe(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert run(["attack", "--list"]) == 0
    page = capfd.readouterr().out
    assert [card.id for card in cards() if f"  {card.id}  " not in page] == []
    assert "BGW-138" in page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "there is nothing to do"),
        (["--list", "--class", "BGW-7"], "there is no class `BGW-7`"),
        (["--list", "--surface", "moon"], "there is no surface `moon`"),
    ],
)
def test_what_there_is_not_is_an_input_error(
    arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["attack", *arguments]) == 2
    shown = capfd.readouterr()
    assert said in shown.err
    assert shown.out == ""
