"""Boxes in podman or docker; on a machine where neither works, tests that need one skip by name."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.records import Environment, Instruction, Limits, SandboxError
from fairtrial.sandbox import Command, Container, Mount
from fairtrial.sandbox.container import PreparedImage, _run_flags, dockerfile_text
from fairtrial.sandbox.container_box import ContainerBox
from fairtrial.sandbox.container_engine import Engine, engine

IMAGE = "localhost/fairtrial/test-base:1"
PROGRAMS = ("sh", "sleep", "rm", "mkdir", "cat", "id", "ln", "mkfifo", "touch")


def test_a_dockerfile_is_written_from_its_instructions() -> None:
    steps = (Instruction("FROM", "debian", 1), Instruction("RUN", "cat <<EOF > /a", 2, ("one\ntwo\n",)))
    text = dockerfile_text(Environment(instructions=steps))
    assert text == "FROM debian\nRUN cat <<EOF > /a\none\ntwo\nEOF\n"


def test_flags_limit_what_a_container_may_do(tmp_path: Path) -> None:
    environment = Environment(limits=Limits(memory_mb=300, processes=70))
    words = " ".join(_run_flags(environment, [Mount(tmp_path, "/tests")]))
    for wanted in ("--network=none", "--memory 300m", "--pids-limit 70", "--cap-drop ALL", "no-new-privileges"):
        assert wanted in words
    assert f"--volume {tmp_path}:/tests:ro" in words
    assert "SYS_ADMIN" not in words


def test_the_runtime_goes_where_each_program_wants_it() -> None:
    assert Engine("podman", "runc").command("run", "x") == ["podman", "--runtime", "runc", "run", "x"]
    assert Engine("docker", "runc").command("run", "x") == ["docker", "run", "--runtime", "runc", "x"]
    assert Engine("docker", "runc").command("ps") == ["docker", "ps"]


def test_an_environment_without_image_is_refused() -> None:
    assert Container().unsupported(Environment())


def test_without_a_program_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_CONTAINER_ENGINE", "no-such-engine")
    assert not Container().capability().available
    with pytest.raises(SandboxError, match="podman"):
        Container().prepare(Environment(image="debian"))


@pytest.fixture(scope="module")
def base() -> str:
    """Import an image made of a few programs of this machine, so that nothing is fetched."""
    capability = Container().capability()
    one = engine()
    if one is None or not capability.available:
        pytest.skip(f"no container engine works here: {capability.why}")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for path in sorted({path for program in PROGRAMS for path in _with_libraries(program)}):
            archive.add(Path(path).resolve(), arcname=path.lstrip("/"), filter=_readable)
    one.call("import", "-", IMAGE, stdin=packed.getvalue())
    try:
        Container().open(Container().prepare(Environment(image=IMAGE))).close()
    except SandboxError as error:
        pytest.skip(f"no container can be started here: {error.what}")
    return IMAGE


def _readable(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mode = 0o755
    return member


def _with_libraries(program: str) -> list[str]:
    path = shutil.which(program, path="/bin")
    if path is None:
        pytest.skip(f"{program} is not in /bin")
    listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
    return [path, *re.findall(r"(/\S+) \(", listed)]


@pytest.fixture(params=[False, True], ids=["each-run", "live"])
def box(base: str, request: pytest.FixtureRequest) -> Iterator[ContainerBox]:
    container = Container()
    prepared = container.prepare(Environment(image=base, workdir="/app", variables=(("A", "1"),)))
    assert prepared == PreparedImage(prepared.environment, base)
    with container.open(prepared, live=request.param) as opened:
        yield opened


@pytest.mark.extra
def test_commands_files_and_limits_in_a_container(box: ContainerBox, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/x").write_text("x")
    box.put(tmp_path / "in", "/app")
    done = box.run(Command(("/bin/sh", "-c", "echo $A $B; cat x; exit 3"), variables={"B": "2"}))
    assert (done.exit_code, done.output) == (3, "1 2\nx")
    box.run(Command(("/bin/sh", "-c", "ln -s /etc/passwd /app/out; mkfifo /app/pipe; echo y > /app/y")))
    taken = box.take(["/app"], tmp_path / "out", 1 << 20)
    assert sorted(path.name for path in (taken.folder / "app").iterdir()) == ["x", "y"]
    assert {path for path, _ in taken.left_out} == {"/app/out", "/app/pipe"}
    slow = box.run(Command(("/bin/sh", "-c", "sleep 60"), limits=Limits(seconds=1)))
    assert (slow.killed, slow.exit_code) == ("timeout", 124)
    assert box.run(Command(("cat", "/app/y"))).output == "y\n"


@pytest.mark.extra
def test_the_container_is_gone_after_close(box: ContainerBox) -> None:
    one = engine()
    assert one is not None
    name = box._name
    assert name in one.call("ps", "-a", "--format", "{{.Names}}").decode()
    box.close()
    assert name not in one.call("ps", "-a", "--format", "{{.Names}}").decode()


@pytest.mark.extra
def test_a_container_is_given_no_variable_and_no_proxy_of_the_host(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "http_proxy", "OPENAI_API_KEY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://ada:planted-5f1c9e@proxy.example:1")
    container = Container()
    try:
        opened = container.open(container.prepare(Environment(image=base, workdir="/app")))
    except SandboxError as error:
        pytest.skip(f"no container can be started here: {error.what}")
    with opened:
        script = "cat /proc/*/environ /proc/self/environ; export -p; ls -A /root /run"
        assert "planted-5f1c9e" not in opened.run(Command(("/bin/sh", "-c", script))).output


def test_nothing_of_this_process_is_found_in_a_container(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variables, proxies and open files of the process that runs fairtrial; the container sees its own alone."""
    for name in ("OPENAI_API_KEY", "HF_TOKEN", "HTTPS_PROXY", "http_proxy", "SSH_AUTH_SOCK"):
        monkeypatch.setenv(name, "http://ada:planted-7d2e@proxy.example:1")
    hunt = (
        "cat /proc/self/environ /proc/1/environ /proc/1/cmdline /proc/*/mountinfo /root/.netrc /run/secrets/*; "
        "for f in /proc/[0-9]*/fd/*; do [ -f $f ] && cat $f; done"
    )
    with (tmp_path / "held").open("w+") as held:
        held.write("planted-7d2e")
        held.flush()
        os.set_inheritable(held.fileno(), True)
        with Container().open(Container().prepare(Environment(image=base))) as box:
            said = box.run(Command(("sh", "-c", hunt))).output
    assert "PATH=" in said
    assert "planted" not in said


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ('env = ["WANDB_API_KEY=planted-7d2e"]', "WANDB_API_KEY"),
        ('env = ["COLOUR=hf_0123456789abcdefghij"]', "COLOUR"),
        ('volumes = ["{}:/mnt/home:ro"]', "/planted"),
    ],
)
def test_what_the_program_adds_by_its_own_settings_is_refused(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, told: str
) -> None:
    one = engine()
    if one is None or not one.is_podman:
        pytest.skip("settings of podman")
    (tmp_path / "planted").mkdir()
    conf = tmp_path / "containers.conf"
    conf.write_text(f"[containers]\n{settings.format(tmp_path / 'planted')}\n")
    monkeypatch.setenv("CONTAINERS_CONF", str(conf))
    with pytest.raises(SandboxError, match=told) as caught:
        Container().open(Container().prepare(Environment(image=base)))
    assert "7d2e" not in str(caught.value)
    assert "hf_0" not in str(caught.value)


def test_keys_that_a_task_sets_are_its_own(base: str) -> None:
    environment = Environment(image=base, variables=(("API_TOKEN", "made-up-for-the-task"),))
    with Container().open(Container().prepare(environment)) as box:
        assert "API_TOKEN=made-up" in box.run(Command(("sh", "-c", "cat /proc/self/environ"))).output
