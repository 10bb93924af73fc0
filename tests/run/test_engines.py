"""Attacks the door of the engines: unknown names, an address for this machine, ray that is missing or shadowed."""

from __future__ import annotations

import os
import socket
import sys
import types
from pathlib import Path

import pytest

from fairtrial.records import InputError
from fairtrial.run import LocalEngine, find_engine
from fairtrial.run.engine_ray import RayEngine, imported, refuse_shadow, refuse_silence


def test_built_in_engines_come_by_name() -> None:
    local, far = find_engine("local", workers=3), find_engine("ray", workers=2, address="here:1")
    assert isinstance(local, LocalEngine)
    assert local.workers == 3
    assert isinstance(far, RayEngine)
    assert (far.workers, far.address) == (2, "here:1")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="there is no engine `slurm`") as told:
        find_engine("slurm")
    assert "local, ray" in str(told.value)


def test_a_dotted_path_is_taken_from_a_person_alone() -> None:
    with pytest.raises(InputError, match="there is no engine"):
        find_engine("fairtrial.run.engine_ray:RayEngine")
    assert isinstance(find_engine("fairtrial.run.engine_ray:RayEngine", from_person=True), RayEngine)
    with pytest.raises(InputError, match="cannot load"):
        find_engine("fairtrial.nowhere:Engine", from_person=True)
    with pytest.raises(InputError, match="is not an engine"):
        find_engine("fairtrial.run.seeds:__name__", from_person=True)


def test_an_address_for_this_machine_is_refused() -> None:
    with pytest.raises(InputError, match="names a cluster"):
        find_engine("local", address="10.0.0.1:6379")


def test_a_missing_ray_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match="ray cannot be imported") as told:
        imported()
    assert "fairtrial[ray]" in str(told.value)
    assert told.value.exit_code == 2


def test_another_thing_called_ray_is_told_by_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    false = types.ModuleType("ray")
    false.__path__ = [str(tmp_path / "ray")]
    monkeypatch.setitem(sys.modules, "ray", false)
    with pytest.raises(InputError, match="in place of the package ray") as told:
        imported()
    assert str(tmp_path / "ray") in str(told.value)


@pytest.mark.parametrize("name", ["ray.py", "ray/__init__.py"])
def test_a_ray_in_the_working_directory_is_refused_before_anything_starts(name: str, tmp_path: Path) -> None:
    refuse_shadow(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).touch()
    with pytest.raises(InputError, match="would be imported in place"):
        refuse_shadow(tmp_path)


@pytest.mark.parametrize("address", ["ray://first:10001", "first", "first:", ":6379", "first:six"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="is not HOST:PORT"):
        refuse_silence(address)


def test_an_address_where_nothing_listens_is_refused_at_once() -> None:
    refuse_silence("")
    refuse_silence("auto")
    with socket.create_server(("127.0.0.1", 0)) as server:
        refuse_silence(f"127.0.0.1:{server.getsockname()[1]}")
        port = server.getsockname()[1]
    with pytest.raises(InputError, match="no ray cluster answers"):
        refuse_silence(f"127.0.0.1:{port}")


class PlayedRay(types.ModuleType):
    """A ray that notes under which variables it was started, or refuses."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__("ray")
        self.exceptions = types.SimpleNamespace(RayError=LookupError)
        self.error, self.seen = error, dict[str, str]()

    def is_initialized(self) -> bool:
        return False

    def init(self, **_: object) -> None:
        self.seen = {name: value for name, value in os.environ.items() if name.startswith("RAY_")}
        if self.error is not None:
            raise self.error

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def shutdown(self) -> None: ...


@pytest.fixture
def no_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("RAY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.parametrize(("held", "mode"), [("", None), ("file", "token"), ("variable", "token")])
@pytest.mark.usefixtures("no_variables")
def test_a_named_cluster_is_shown_the_token_that_ray_keeps(
    held: str, mode: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if held == "file":
        (tmp_path / ".ray").mkdir()
        (tmp_path / ".ray" / "auth_token").write_text("0" * 64)
    elif held:
        monkeypatch.setenv("RAY_AUTH_TOKEN", "0" * 64)
    played = PlayedRay()
    monkeypatch.setitem(sys.modules, "ray", played)
    before = dict(os.environ)
    with RayEngine(address="auto"):
        pass
    assert played.seen.get("RAY_AUTH_MODE") == mode
    assert dict(os.environ) == before


@pytest.mark.parametrize("kind", [ConnectionError, LookupError])
@pytest.mark.usefixtures("no_variables")
def test_a_cluster_that_refuses_is_told_and_leaves_no_variable(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", PlayedRay(kind("no such token\nand more")))
    before = dict(os.environ)
    with pytest.raises(InputError, match="answers at auto: no such token") as told, RayEngine(address="auto"):
        pass
    assert "must hold the same one" in str(told.value)
    assert dict(os.environ) == before
