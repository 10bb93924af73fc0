"""What this host has already need not be fetched; what it lacks, or has in another version, must be."""

from __future__ import annotations

import importlib.metadata
import shutil

import pytest

from fairtrial.records import Environment, Instruction
from fairtrial.sandbox.installed import without_installed
from fairtrial.sandbox.plan import Run, plan

pytestmark = pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="this host has no dpkg")


def rest(script: str) -> str:
    return without_installed(script)[0]


@pytest.mark.parametrize(
    "script",
    [
        "apt-get update && apt-get install -y coreutils && rm -rf /var/lib/apt/lists/*",
        "DEBIAN_FRONTEND=noninteractive apt-get update -qq; apt install -y --no-install-recommends coreutils tar",
        "apt-get update && \\\n    apt-get install -y \\\n    coreutils \\\n    && apt-get clean",
    ],
)
def test_installed_packages_are_not_asked_for_again(script: str) -> None:
    assert not {"apt-get", "apt"} & set(rest(script).split())


@pytest.mark.parametrize(
    "script",
    [
        "apt-get update && apt-get install -y coreutils no-such-package",
        "apt-get update && apt-get install -y coreutils=0.1",
        "apt-get update",
        "apt-get install -y ./coreutils.deb",
        "apt-get install -y $PACKAGES",
        "echo 'x && apt-get install -y coreutils && y'",
        "apt-get install -y coreutils | tee log",
        "pip install no-such-distribution",
        "pip install -r requirements.txt",
        "pip install --target /x pip",
        "cat <<END\napt-get install -y coreutils\nEND",
    ],
)
def test_everything_else_is_left_as_it_is(script: str) -> None:
    assert rest(script) == script


def test_what_stands_beside_is_kept_in_order() -> None:
    script = (
        "mkdir /a && apt-get update && apt-get install -y coreutils && echo done > /a/x; rm -rf /var/lib/apt/lists/*"
    )
    assert rest(script).split("&&")[0] == "mkdir /a "
    assert "echo done > /a/x" in rest(script)


def test_a_plan_says_what_the_host_stands_for() -> None:
    value = "apt-get update && apt-get install -y coreutils && touch /app/x"
    environment = Environment(instructions=(Instruction("FROM", "debian:12", 1), Instruction("RUN", value, 2)))
    made = plan(environment)
    assert made.problems == []
    assert [step.argv[-1] for step in made.steps if isinstance(step, Run)] == [": && : && touch /app/x"]
    assert any("Dockerfile:2" in note and "coreutils" in note for note in made.notes)


def test_a_distribution_counts_where_the_boxes_python_has_it() -> None:
    try:
        importlib.metadata.version("pip")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("there is no pip here")
    assert rest("pip install pip==0.0.1") == "pip install pip==0.0.1"
