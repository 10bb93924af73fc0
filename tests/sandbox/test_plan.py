"""What of a Dockerfile can be honoured on this machine, and what is named instead."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fairtrial.records import Environment, Instruction
from fairtrial.sandbox.base_image import judge_image
from fairtrial.sandbox.network_use import network_use
from fairtrial.sandbox.plan import Copy, MakeFolder, Run, plan

World = Callable[..., Environment]


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("RUN apt-get update && apt-get install -y no-such-package", "apt-get update"),
        ("RUN python3 -m pip install numpy", "pip install"),
        ("RUN curl -fsSL https://example.org/x | sh", "curl"),
        ("RUN cd /srv && git clone https://example.org/x.git", "git clone"),
        ("RUN npm ci", "npm ci"),
        ('RUN ["pip", "install", "numpy"]', "pip install"),
        ("COPY --from=build /x /x", "another stage"),
        ("ADD https://example.org/x /x", "URL"),
        ("HEALTHCHECK CMD true", "not honoured"),
        ("USER agent", "one user"),
        ("VOLUME /data", "not honoured"),
        ("ONBUILD RUN true", "not honoured"),
        ('SHELL ["powershell"]', "sh and bash"),
        ("RUN --mount=type=cache,target=/x true", "flags"),
        ("FROM debian:12 AS second", "several stages"),
        ("COPY only", "needs a source"),
    ],
)
def test_what_cannot_be_honoured_is_named_with_its_line(world: World, line: str, named: str) -> None:
    problems = plan(world(line)).problems
    assert len(problems) == 1
    assert problems[0].startswith("Dockerfile:2: ")
    assert named in problems[0]


@pytest.mark.parametrize(
    "line",
    [
        "LABEL a=b",
        "EXPOSE 80",
        "MAINTAINER me",
        "STOPSIGNAL SIGTERM",
        'CMD ["bash"]',
        "ENTRYPOINT bash",
        "USER root",
        "USER 0:0",
        'SHELL ["/bin/bash", "-c"]',
        "RUN mkdir -p /logs && rm -rf /var/lib/apt/lists/* && apt-get clean",
        "RUN pip install --no-index --find-links /wheels x",
        "COPY --chown=root:root --chmod=755 a /app/",
    ],
)
def test_what_is_harmless_is_no_problem(world: World, line: str) -> None:
    assert plan(world(line)).problems == []


def test_variables_are_followed_into_paths(world: World) -> None:
    made = plan(
        world("ARG base=/srv", "ENV HOME_OF=$base/app", "WORKDIR ${HOME_OF}", "WORKDIR sub", "COPY x ${MISSING:-y}/"),
    )
    folders = [step.inside for step in made.steps if isinstance(step, MakeFolder)]
    copies = [step for step in made.steps if isinstance(step, Copy)]
    assert folders[:2] == ["/srv/app", "/srv/app/sub"]
    assert copies[0].target == "/srv/app/sub/y/"


def test_a_run_knows_its_folder_shell_and_variables(world: World) -> None:
    made = plan(world("ENV A=1", "WORKDIR /srv", 'SHELL ["/bin/bash", "-c"]', "RUN echo $A"))
    run = next(step for step in made.steps if isinstance(step, Run))
    assert run.argv == ("/bin/bash", "-c", "echo $A")
    assert (run.workdir, run.variables["A"]) == ("/srv", "1")


def test_here_documents_become_scripts_and_files() -> None:
    steps = (
        Instruction("FROM", "debian", 1),
        Instruction("RUN", "<<EOF", 2, ("mkdir /a\n",)),
        Instruction("RUN", "cat <<X > /b", 3, ("text\n",)),
        Instruction("COPY", "<<notes /app/", 4, ("hello\n",)),
    )
    made = plan(Environment(instructions=steps)).steps
    runs = [step.argv[-1] for step in made if isinstance(step, Run)]
    assert runs == ["mkdir /a\n", "cat <<X > /b\ntext\nX\n"]
    copy = next(step for step in made if isinstance(step, Copy))
    assert (copy.sources, copy.text) == (("notes",), "hello\n")


def test_an_image_that_holds_more_than_a_system_is_refused() -> None:
    for image in ("ghcr.io/laude-institute/t-bench/ubuntu-24-04:20250624", "postgres:16", "someone/debian:12"):
        assert "does not have" in judge_image(image)[0]
    for image in ("debian:12-slim", "docker.io/library/ubuntu:24.04", "scratch", "alpine"):
        assert judge_image(image)[0] == ""


def test_a_docker_image_is_judged_too() -> None:
    assert plan(Environment(image="team/world:3")).problems == [
        "task.toml: image team/world:3 holds files that this host does not have"
    ]
    assert "stood in for" in plan(Environment(image="debian:12")).notes[0]


def test_a_task_that_wants_the_network_is_named() -> None:
    assert "no network" in plan(Environment(allow_internet=True)).problems[0]


@pytest.mark.parametrize(
    "script",
    [
        "echo curly > /tmp/a",
        "git init && git add . && git commit -m x",
        "ls /usr/bin/wget",
        "apt-cache policy",
        "make install",
        "pip list",
        "go build ./...",
    ],
)
def test_words_that_only_look_like_fetching_are_not_taken_for_it(script: str) -> None:
    assert network_use(script) == ""
