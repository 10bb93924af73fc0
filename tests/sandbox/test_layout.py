"""Environments are laid out as a build would, and a hostile Dockerfile or context reaches nothing of the host."""

from __future__ import annotations

import os
import tarfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.records import Environment, SandboxError
from fairtrial.sandbox import Bubblewrap, Command
from fairtrial.sandbox.cache import box_folders, cache_folder
from fairtrial.sandbox.overlay import why_no_overlay
from fairtrial.sandbox.protocol import Box

World = Callable[..., Environment]
LaidOut = Callable[[Environment], Box]


def shell(box: Box, script: str) -> str:
    return box.run(Command(("sh", "-c", script))).output


def test_copies_land_as_docker_lays_them(world: World, laid_out: LaidOut) -> None:
    files = {"ws/a.txt": "a", "ws/sub/b.txt": "b", "one.txt": "1", "two.txt": "2", "sp ace": "s"}
    environment = world(
        "WORKDIR /app",
        "COPY ws/ .",
        "COPY ws /copied",
        "COPY one.txt two.txt /many/",
        "COPY one.txt /renamed",
        "COPY *.txt /globbed/",
        'COPY ["sp ace", "/quoted/"]',
        "COPY one.txt /app/sub",
        files=files,
    )
    with laid_out(environment) as box:
        found = shell(box, "cd / && find app copied many renamed globbed quoted -type f | sort").split("\n")
    assert found[:-1] == [
        "app/a.txt", "app/sub/b.txt", "app/sub/one.txt", "copied/a.txt", "copied/sub/b.txt", "globbed/one.txt",
        "globbed/two.txt", "many/one.txt", "many/two.txt", "quoted/sp ace", "renamed",
    ]  # fmt: skip


def test_read_only_files_of_the_context_can_be_written_in_the_box(world: World, laid_out: LaidOut) -> None:
    environment = world("COPY ws/ /app/", files={"ws/data": "x"})
    assert environment.context
    (environment.context / "ws/data").chmod(0o444)
    with laid_out(environment) as box:
        assert shell(box, "echo y >> data; cat data") == "xy\n"


def test_variables_and_workdir_hold_at_run_time(world: World, laid_out: LaidOut) -> None:
    environment = world("ENV A=1 B='two words'", "WORKDIR /srv/x", workdir="/srv/x", variables=(("C", "3"),))
    with laid_out(environment) as box:
        assert shell(box, 'echo "$A $B $C $PWD"') == "1 two words 3 /srv/x\n"


def test_ignored_files_stay_out(world: World, laid_out: LaidOut) -> None:
    files = {
        ".dockerignore": "**/*.pyc\nsecret\n!keep.pyc\n# no\n",
        "a.py": "",
        "x/b.pyc": "",
        "keep.pyc": "",
        "secret/k": "",
    }
    with laid_out(world("COPY . /app/", files=files)) as box:
        found = shell(box, "find /app -type f | sort").split()
    assert found == ["/app/.dockerignore", "/app/a.py", "/app/keep.pyc"]


def test_what_a_run_writes_is_there(world: World, laid_out: LaidOut) -> None:
    environment = world("RUN mkdir -p /logs/verifier && echo x > /etc/own.conf && echo y > /opt/y", "WORKDIR /app")
    with laid_out(environment) as box:
        assert shell(box, "ls -d /logs/verifier; cat /etc/own.conf /opt/y") == "/logs/verifier\nx\ny\n"


def test_what_a_run_writes_to_system_folders_is_kept_apart_from_the_host(world: World, laid_out: LaidOut) -> None:
    why = why_no_overlay(box_folders()[0])
    if why:
        pytest.skip(why)
    environment = world(
        "RUN echo 'echo tool' > /usr/local/bin/fairtrial-tool && chmod +x /usr/local/bin/fairtrial-tool",
        "COPY extra /usr/local/bin/fairtrial-extra",
        "RUN cat /usr/local/bin/fairtrial-extra > /app-extra && rm /usr/bin/env",
        files={"extra": "extra"},
    )
    with laid_out(environment) as box:
        assert shell(box, "fairtrial-tool; cat /app-extra; ls /usr/bin/env").startswith("tool\nextra")
        assert "No such file" in shell(box, "ls /usr/bin/env")
        assert "Read-only" in shell(box, "touch /usr/local/x")
    assert not Path("/usr/local/bin/fairtrial-tool").exists()
    assert Path("/usr/bin/env").exists()


def test_a_run_that_fails_is_named_with_line_and_output(world: World, bubblewrap: Bubblewrap) -> None:
    with pytest.raises(SandboxError, match="broken here") as caught:
        bubblewrap.prepare(world("WORKDIR /app", "RUN echo broken here; exit 3"))
    assert caught.value.line == 3
    assert "exit code 3" in caught.value.what


def test_what_cannot_be_honoured_stops_before_anything_runs(world: World, bubblewrap: Bubblewrap) -> None:
    environment = world("RUN touch /ran", "RUN apt-get install -y no-such-package")
    assert len(bubblewrap.unsupported(environment)) == 1
    with pytest.raises(SandboxError, match="apt-get install"):
        bubblewrap.prepare(environment)


def test_a_missing_source_is_named(world: World, bubblewrap: Bubblewrap) -> None:
    with pytest.raises(SandboxError, match="no such file") as caught:
        bubblewrap.prepare(world("COPY nothing /app/"))
    assert caught.value.line == 2


@pytest.mark.parametrize("source", ["../secret", "/../secret", "link", "linked/secret"])
def test_a_context_cannot_reach_out(world: World, bubblewrap: Bubblewrap, tmp_path: Path, source: str) -> None:
    (tmp_path / "secret").write_text("secret")
    environment = world(f"COPY {source} /app/")
    assert environment.context
    (environment.context / "link").symlink_to(tmp_path / "secret")
    (environment.context / "linked").symlink_to(tmp_path)
    with pytest.raises(SandboxError, match="context"):
        bubblewrap.prepare(environment)


def test_a_link_made_by_a_run_does_not_lead_a_copy_to_the_host(world: World, laid_out: LaidOut, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    target.chmod(0o777)
    environment = world(f"RUN mkdir -p /app && ln -s {target} /app/out", "COPY x /app/out/x", files={"x": "new"})
    try:
        laid_out(environment).close()
    except SandboxError:
        pass
    assert list(target.iterdir()) == []


def test_links_in_the_context_are_copied_as_links(world: World, laid_out: LaidOut) -> None:
    environment = world("COPY ws/ /app/", files={"ws/real": "x"})
    assert environment.context
    (environment.context / "ws/passwd").symlink_to("/etc/passwd")
    with laid_out(environment) as box:
        assert shell(box, "readlink passwd; cat passwd | head -1") == "/etc/passwd\nroot:x:0:0:root:/root:/bin/bash\n"


def test_an_archive_that_is_added_is_unpacked(world: World, laid_out: LaidOut, tmp_path: Path) -> None:
    (tmp_path / "inner").write_text("inner")
    environment = world("ADD pack.tar.gz /app/")
    assert environment.context
    with tarfile.open(environment.context / "pack.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "inner", "sub/inner")
    with laid_out(environment) as box:
        assert shell(box, "cat sub/inner") == "inner"


def test_boxes_of_one_environment_do_not_share_files(world: World, laid_out: LaidOut) -> None:
    environment = world("COPY ws/ /app/", files={"ws/a": "a"})
    with laid_out(environment) as one:
        shell(one, "echo changed > a; echo x > /etc/hosts; rm /etc/services")
        with laid_out(environment) as other:
            assert (
                shell(other, "cat a; grep -c localhost /etc/hosts; test -e /etc/services && echo there")
                == "a2\nthere\n"
            )


def test_an_environment_is_prepared_once_however_many_ask(world: World, bubblewrap: Bubblewrap) -> None:
    environment = world("RUN head -c 8 /dev/urandom | od -An -tx1 > /once", f"RUN echo {os.urandom(4).hex()}")
    made: list[Path] = []
    threads = [threading.Thread(target=lambda: made.append(bubblewrap.prepare(environment).folder)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4
    assert len(set(made)) == 1
    assert not [path for path in cache_folder().iterdir() if path.name.startswith(f".{made[0].name[:16]}-")]


def test_a_changed_context_is_another_environment(world: World, bubblewrap: Bubblewrap) -> None:
    first = bubblewrap.prepare(world("COPY ws/ /app/", files={"ws/a": "1"})).folder
    second = bubblewrap.prepare(world("COPY ws/ /app/", files={"ws/a": "2"})).folder
    assert first != second


def test_a_folder_that_version_control_lost_is_laid_as_an_empty_one(world: World, bubblewrap: Bubblewrap) -> None:
    with bubblewrap.open(bubblewrap.prepare(world("WORKDIR /app", "COPY workspace/ /app/", "RUN touch built"))) as box:
        assert box.run(Command(("ls", "-A", "/app"))).output.split() == ["built"]


def test_where_the_whole_context_is_gone_no_empty_environment_is_made(world: World, bubblewrap: Bubblewrap) -> None:
    made = world("COPY ws/ /app/", files={"ws/a": "1"})
    assert made.context is not None
    away = made.context.rename(made.context.with_name("away"))
    with pytest.raises(SandboxError, match="no such file"):
        bubblewrap.prepare(made)
    away.rename(made.context)
    with bubblewrap.open(bubblewrap.prepare(made)) as box:
        assert shell(box, "cat /app/a") == "1"
