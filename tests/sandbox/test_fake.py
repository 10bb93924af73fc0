"""The fake runs nothing and behaves as the others do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.records import Environment, SandboxError
from fairtrial.sandbox import Command, Completed, FakeSandbox, Mount

World = Callable[..., Environment]


def test_a_script_answers_commands_and_may_touch_files(world: World, tmp_path: Path) -> None:
    def script(command: Command, root: Path) -> Completed:
        (root / "app/out").write_text(" ".join(command.argv))
        return Completed(exit_code=3, output=(root / "tests/t").read_text(), seconds=0.5)

    (tmp_path / "t").write_text("grade")
    sandbox = FakeSandbox(script)
    prepared = sandbox.prepare(world("RUN make world", "COPY ws/ /app/", files={"ws/a": "a"}))
    with sandbox.open(prepared, [Mount(tmp_path / "t", "/tests/t")]) as box:
        assert box.run(Command(("do", "it"))) == Completed(exit_code=3, output="grade", seconds=0.5)
        taken = box.take(["/app"], tmp_path / "out", 1000)
    assert (taken.folder / "app/out").read_text() == "do it"
    assert sandbox.commands == [Command(("do", "it"))]
    assert sandbox.built == ["make world"]


def test_a_closed_box_refuses(world: World) -> None:
    sandbox = FakeSandbox()
    box = sandbox.open(sandbox.prepare(world()))
    box.close()
    with pytest.raises(SandboxError, match="closed"):
        box.run(Command(("true",)))


def test_it_refuses_what_the_real_ones_refuse(world: World) -> None:
    with pytest.raises(SandboxError, match="one user"):
        FakeSandbox().prepare(world("USER bob"))
