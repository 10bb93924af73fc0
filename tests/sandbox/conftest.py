"""Environments and boxes for the tests of the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairtrial.records import Environment, Instruction
from fairtrial.sandbox import Bubblewrap, Command, Completed, Sandbox
from fairtrial.sandbox.protocol import Box

Shell = Callable[..., Completed]


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAIRTRIAL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def bubblewrap() -> Bubblewrap:
    sandbox = Bubblewrap()
    capability = sandbox.capability()
    if not capability.available:
        pytest.skip(f"bubblewrap does not work here: {capability.why}")
    return sandbox


@pytest.fixture
def world(tmp_path: Path) -> Callable[..., Environment]:
    """Make an environment from Dockerfile lines and files of its context."""

    def make(*lines: str, files: dict[str, str] | None = None, **more: object) -> Environment:
        context = tmp_path / "environment"
        context.mkdir(exist_ok=True)
        for name, text in (files or {}).items():
            (context / name).parent.mkdir(parents=True, exist_ok=True)
            (context / name).write_text(text)
        steps = []
        for number, line in enumerate(("FROM debian:12", *lines), 1):
            keyword, _, value = line.partition(" ")
            steps.append(Instruction(keyword, value, number))
        return Environment(context=context, instructions=tuple(steps), **more)  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def plain_box_opener(bubblewrap: Bubblewrap) -> Callable[..., Box]:
    def open_box(**more: object) -> Box:
        return bubblewrap.open(bubblewrap.prepare(Environment()), **more)  # type: ignore[arg-type]

    return open_box


@pytest.fixture(params=[False, True], ids=["each-run", "live"])
def box(request: pytest.FixtureRequest, plain_box_opener: Callable[..., Box]) -> Iterator[Box]:
    with plain_box_opener(live=request.param) as opened:
        yield opened


@pytest.fixture
def shell(box: Box) -> Shell:
    def run(script: str, **more: object) -> Completed:
        return box.run(Command(("sh", "-c", script), **more))  # type: ignore[arg-type]

    return run


def lay_out(sandbox: Sandbox, environment: Environment) -> Box:
    return sandbox.open(sandbox.prepare(environment))


@pytest.fixture
def laid_out(bubblewrap: Bubblewrap) -> Callable[[Environment], Box]:
    return lambda environment: lay_out(bubblewrap, environment)
