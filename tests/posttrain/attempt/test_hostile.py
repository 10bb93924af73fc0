"""An agent that wants out of sight: it blinds the recorder, fills what it writes to, or breaks what is taken."""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
import time
from pathlib import Path

import orjson
import pytest
from tests.posttrain.attempt.conftest import HANDS_IN, RULES, Lab, lines, log
from tests.posttrain.attempt.test_tunnel import hello

from fairtrial.posttrain.attempt import below, recorded
from fairtrial.posttrain.attempt import lines as attempt_lines
from fairtrial.posttrain.attempt.below import folders_below, open_file_in, open_folder_below
from fairtrial.posttrain.attempt.lines import Lines
from fairtrial.posttrain.attempt.proxy import Allowing, Proxy, request_log, serving
from fairtrial.posttrain.attempt.proxy.request_log import Request, RequestLog, now
from fairtrial.posttrain.attempt.recorder import files, kept, processes
from fairtrial.posttrain.bench import read_bench
from fairtrial.records import InputError
from fairtrial.sandbox.deliverable import take


def argvs(lab: Lab) -> list[list[str]]:
    return [row["argv"] for row in lines(lab.folder().path / "processes.jsonl")]  # type: ignore[misc]


def test_idle_connections_are_turned_away_at_the_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 2)
    listening, path = socket.create_server(("127.0.0.1", 0), backlog=64), tmp_path / "network.jsonl"
    with Proxy(listening, Allowing.of([], {}), path):
        held = [socket.create_connection(listening.getsockname(), timeout=10) for _ in range(12)]
        answers = [one.recv(100) for one in held[2:]]
        for one in held:
            one.close()
    assert all(answer.startswith(b"HTTP/1.1 503") for answer in answers)
    assert len([row for row in lines(path) if "at once" in str(row["why"])]) == 10


def test_a_tunnel_whose_client_names_no_host_is_refused(tmp_path: Path) -> None:
    whole = hello("b.example")
    at = whole.index(b"b.example") - 9  # ends before the extensions: the name is in a second record
    nameless = hello(None)
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_server(("127.0.0.1", 0)) as listening:
        allowing = Allowing.of(["a.example"], {"a.example": f"127.0.0.1:{server.getsockname()[1]}"})
        path = tmp_path / "network.jsonl"
        with Proxy(listening.dup(), allowing, path):
            for first in (nameless, _split(whole, at)):
                with socket.create_connection(listening.getsockname(), timeout=10) as client:
                    client.sendall(b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
                    assert client.recv(1000).startswith(b"HTTP/1.1 200")
                    client.sendall(first)
                    assert client.recv(1000) == b""
    assert [row["allowed"] for row in lines(path)] == [False, False]


def _split(record: bytes, at: int) -> bytes:
    """Return a record of TLS as two, the first of which ends before the extensions begin."""
    body = record[5:]
    sizes = 4 + 2 + 32
    session = sizes + 1 + body[sizes]
    suites = session + 2 + int.from_bytes(body[session : session + 2], "big")
    end = suites + 1 + body[suites]
    assert end < at
    halves = (body[:end], body[end:])
    return b"".join(record[:3] + len(half).to_bytes(2, "big") + half for half in halves)


@pytest.mark.parametrize("host", ["*.pages.example", "models.example:8080"])
def test_a_route_of_more_than_one_host_is_refused(host: str) -> None:
    with pytest.raises(InputError, match="no single host"):
        Allowing.of(["models.example"], {host: "127.0.0.1:8080"})


def test_a_program_is_not_hidden_by_the_name_of_an_entry(lab: Lab) -> None:
    lab.run("exec bash -c \"exec -a nsenter python3 -c 'import time; time.sleep(0.3) # worked'\"")
    assert any("# worked" in words[-1] for words in argvs(lab))


def test_a_box_that_seems_not_to_be_entered_is_the_agents_doing(lab: Lab) -> None:
    done, _ = lab.run("echo 'env: no such thing'; sleep 0.3; exit 125")
    assert (done.stop, done.exit_code) == ("agent_error", 125)
    assert done.processes


def test_processor_time_is_limited_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    class Box:
        first, group, stops = os.getpid(), None, 0

        def stop_all(self) -> None:
            self.stops += 1

    monkeypatch.setattr(processes, "members_of", lambda _: [])
    box = Box()
    looking = processes.Processes(box, -1.0)  # type: ignore[arg-type]
    looking._look()
    looking._look()
    assert box.stops == 2
    assert looking.is_over_cpu


def test_what_a_process_is_without_arguments_is_told() -> None:
    assert processes._nameless(os.getpid()) == (f"[no arguments: {Path('/proc/self/exe').readlink()}]",)
    assert sum(map(len, processes._cut(("a" * 200, "b" * 200, "c")))) == processes.SHORT_ARGV + 1


def test_what_is_shut_for_its_owner_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shut").mkdir()
    (tmp_path / "shut/a.jsonl").write_text("a")
    (tmp_path / "shut/a.jsonl").chmod(0o200)
    (tmp_path / "shut").chmod(0o300)
    real = os.open

    def as_user(name: str | bytes, flags: int, *more: int, dir_fd: int | None = None) -> int:
        """Open as one who is no root: by the mode of what is opened."""
        if not flags & os.O_PATH and not os.stat(name, dir_fd=dir_fd).st_mode & 0o400:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(name, flags, *more, dir_fd=dir_fd)

    root = real(tmp_path, below.FOLDER)
    monkeypatch.setattr(below.os, "open", as_user)
    folder = open_folder_below(root, b"shut")
    opened = open_file_in(folder, b"a.jsonl")
    assert opened is not None
    assert os.read(opened, 9) == b"a"
    for one in (root, folder, opened):
        os.close(one)


def test_folders_that_are_too_many_or_too_deep_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a/b/c/d").mkdir(parents=True)
    root, told = os.open(tmp_path, below.FOLDER), []
    assert len(list(folders_below(root, b"", 5, lambda: told.append("all")))) == 5
    assert not told
    list(folders_below(root, b"", 3, lambda: told.append("many")))
    monkeypatch.setattr(below, "MOST_DEPTH", 1)
    list(folders_below(root, b"", 9, lambda: told.append("deep")))
    assert told == ["many", "deep"]
    os.close(root)


def test_lines_wait_for_room_on_a_full_disk_or_are_lost_whole_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, real = Lines(tmp_path / "x.jsonl"), os.write
    written.add(b'{"a": 1}\n')
    room = [4]

    def full(file: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        size, room[0] = real(file, data[: room[0]]), 0
        return size

    monkeypatch.setattr(attempt_lines, "MOST_WAITING", 20)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        for number in (2, 3, 4):
            written.add(b'{"a": %d}\n' % number)
    written.add(b"{}\n" * 9)
    assert written.lost == 2
    written.close()
    assert [row["a"] for row in lines(tmp_path / "x.jsonl")] == [1, 2, 3]
    again = Lines(tmp_path / "y.jsonl")
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        again.add(b'{"a": 2}\n')
        again.close()
    assert (again.lost, (tmp_path / "y.jsonl").read_bytes()) == (1, b"")


def test_a_flood_of_requests_leaves_room_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_log, "MOST_OF_ONE", 5)
    log_of = RequestLog(tmp_path / "network.jsonl")
    for number in range(20):
        log_of.add(Request(began=now(), host=f"{number}.example", method="G" * 60_000))
        log_of.add(Request(began=now(), host="a.example", allowed=True))
    log_of.add(Request(began=now(), host="models.example", allowed=True))
    log_of.close()
    rows = lines(tmp_path / "network.jsonl")
    assert [row["host"] for row in rows][-1] == "models.example"
    assert (len(rows), log_of.requests, log_of.left_out) == (11, 41, 30)
    assert max(len(str(row["method"])) for row in rows) == request_log.MOST_METHOD


def test_a_flood_of_programs_hides_no_request(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "MOST_STEPS", 20)
    folder = lab.folder().path
    folder.mkdir(parents=True)
    many = [{"time": f"1{at:03}", "argv": ["true", str(at)], "pid": 1, "parent": 1, "seconds": 0} for at in range(99)]
    (folder / "processes.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in many))
    flood = [Request(began=now(), host="data.example", path=f"/{at}", allowed=True).row() for at in range(99)]
    last = Request(began=now(), host="models.example", path="/v1", allowed=True, method="GET").row()
    (folder / "network.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in (*flood, last)))
    assert recorded.write_recorded(folder, lab.cell("true")) == 99 + 100 - 20
    written = json.loads((folder / "recorded.json").read_text())
    assert len(written["steps"]) == 20
    assert "http://models.example/v1" in json.dumps(written)
    assert '"command": "true 0"' in json.dumps(written)


@pytest.mark.parametrize("where", ["base/secret.jsonl", "mine/secret.jsonl"])
def test_decoys_below_what_is_shown_are_refused(lab: Lab, where: str) -> None:
    lab.files = lab.path / "mine"
    lab.files.mkdir()
    lab.bench(rules=RULES.replace("decoys.jsonl", where))
    (lab.path / where).parent.mkdir(exist_ok=True)
    (lab.path / where).write_text('{"q": "decoy-item"}\n')
    with pytest.raises(InputError, match="which agents must not see"):
        lab.run("true", read_bench(lab.path / "BENCH.toml"))


def test_hidden_files_below_the_shown_python_are_refused(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = lab.bench(python=True)
    monkeypatch.setattr(sys, "prefix", str(lab.path))
    with pytest.raises(InputError, match="which agents must not see"):
        lab.run("true", bench)


def test_names_too_long_and_folders_that_are_shut_do_not_break_what_is_taken(lab: Lab) -> None:
    deep = "import os\nfor n in range(20): os.mkdir('d' * 250); os.chdir('d' * 250)\nopen('x.pt', 'w').write('x')"
    done, folder = lab.run(
        f'{HANDS_IN}; mkdir shut; echo x > shut/w.pt; chmod 500 shut; python3 -c "{deep}"; chmod 000 /workspace'
    )
    assert done.stop == "finished"
    assert done.has_model
    assert ("/workspace/shut/w.pt", "weights beside the final model") in done.left_out
    assert len(list(folder.workspace.rglob("d*"))) < 20


def test_holes_of_a_file_stay_holes(tmp_path: Path) -> None:
    (tmp_path / "box").mkdir()
    with (tmp_path / "box/a.safetensors").open("wb") as file:
        file.write(b"begin")
        file.seek(64 << 20)
        file.write(b"end")
        file.truncate(96 << 20)
    taken = take(tmp_path / "box", ["/a.safetensors"], tmp_path / "out", 1 << 30)
    made = tmp_path / "out/a.safetensors"
    assert made.read_bytes() == (tmp_path / "box/a.safetensors").read_bytes()
    assert taken.size == 96 << 20
    assert made.stat().st_blocks * 512 < 8 << 20


def test_paths_without_end_are_forgotten_but_not_what_was_laid_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_PATHS", 3)
    monkeypatch.setattr(kept, "MOST_COPIES", 4)
    (tmp_path / "written").mkdir()
    for name in "abcdef":
        (tmp_path / name).write_text(name)
    opened = {name: os.open(tmp_path / name, os.O_RDONLY) for name in "abcdef"}
    copies = kept.Kept(tmp_path / "written", tmp_path / "writes.jsonl")
    copies.forget(b"a", opened["a"])
    for name in "bcdefa":
        copies.take(name.encode(), opened[name])
    copies.close()
    assert [row["path"] for row in lines(tmp_path / "writes.jsonl")] == ["/b", "/c", "/d", "/e", "/f"]
    assert len(list((tmp_path / "written").iterdir())) == 4
    assert copies.passed == {"the first 4 copies of written files are kept": 1}
    assert len(copies._paths) == 3
    for one in opened.values():
        os.close(one)


def test_what_found_no_room_is_copied_once_there_is_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "written").mkdir()
    (tmp_path / "a.jsonl").write_text("row")
    opened = os.open(tmp_path / "a.jsonl", os.O_RDONLY)
    copies = kept.Kept(tmp_path / "written", tmp_path / "writes.jsonl")
    with monkeypatch.context() as patch:
        patch.setattr(kept.hashlib, "sha256", lambda: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
        with pytest.raises(OSError, match="full"):
            copies.take(b"a.jsonl", opened)
    copies.take(b"a.jsonl", opened, is_last=True)
    copies.close()
    os.close(opened)
    assert [bool(row["digest"]) for row in lines(tmp_path / "writes.jsonl")] == [True]


def test_versions_that_were_written_over_before_they_were_copied_are_told(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = kept.Kept.take

    def slowly(self: kept.Kept, path: bytes, opened: int, *, is_last: bool = False) -> None:
        time.sleep(0 if is_last else 0.15)
        taken(self, path, opened, is_last=is_last)

    monkeypatch.setattr(kept.Kept, "take", slowly)
    done, _ = lab.run("echo other > b.csv; for n in 1 2 3 4; do sleep 0.02; echo $n$n > a.csv; done")
    assert any(one.startswith(files.CHANGED) for one in done.not_recorded)


@pytest.mark.extra
def test_connections_without_end_do_not_blind_the_recorder(lab: Lab) -> None:
    flood = (
        "import os, socket, time\nfull, told = os.pipe()\nfor _ in range(3):\n  if not os.fork():\n    held = []\n"
        "    for _ in range(400):\n"
        "      one = socket.socket(); one.settimeout(9); one.connect(('127.0.0.1', 3128)); held.append(one)\n"
        "    os.write(told, b'.'); time.sleep(2); os._exit(0)\n"
        "os.close(told)\nwhile os.read(full, 1): pass\nopen('rows.jsonl', 'w').write('flooded')\n"
        "os.system('sleep 0.31')"
    )
    begun = time.monotonic()
    done, folder = lab.run(f'python3 -c "{flood}"')
    assert ["sleep", "0.31"] in argvs(lab)
    assert done.refused_requests > 100
    assert any(row["path"] == "/workspace/rows.jsonl" and row["digest"] for row in lines(folder.path / "writes.jsonl"))
    assert time.monotonic() - begun < 60, log(folder)
