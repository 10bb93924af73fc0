"""What is written and run is seen from outside, whatever an agent does to hide it; and nothing of the host is."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from tests.posttrain.attempt.conftest import Lab, lines

from fairtrial.posttrain.attempt.recorder import files, kept
from fairtrial.posttrain.attempt.recorder.kept import Kept
from fairtrial.posttrain.folder import RunFolder


def texts(folder: RunFolder) -> set[str]:
    """Return what was kept of all that was written."""
    return {path.read_text("utf-8", "replace") for path in folder.written.iterdir()}


def writes(folder: RunFolder, inside: str) -> list[dict[str, object]]:
    return [row for row in lines(folder.path / "writes.jsonl") if row["path"] == inside]


def test_a_training_set_that_was_deleted_is_kept(lab: Lab) -> None:
    done, folder = lab.run("echo '{\"q\": 1}' > train.jsonl; sleep 0.1; rm train.jsonl")
    assert '{"q": 1}\n' in texts(folder)
    row = writes(folder, "/workspace/train.jsonl")[0]
    assert row["digest"] == "sha256:" + hashlib.sha256(b'{"q": 1}\n').hexdigest()
    assert done.writes >= 1


def test_every_version_of_a_file_is_kept(lab: Lab) -> None:
    script = "for n in 1 2 3; do echo $n > a.csv; sleep 0.1; done; echo 4 > b; mv b a.csv"
    _, folder = lab.run(script)
    assert {"1\n", "2\n", "3\n", "4\n"} <= texts(folder)


@pytest.mark.parametrize("place", ["/tmp/x.jsonl", "/dev/shm/x.jsonl", "/root/.cache/x.jsonl", "/var/tmp/x.jsonl"])
def test_what_is_written_elsewhere_in_the_box_is_kept(lab: Lab, place: str) -> None:
    _, folder = lab.run(f"mkdir -p $(dirname {place}); sleep 0.05; echo rows > {place}; sleep 0.1; rm {place}")
    assert "rows\n" in texts(folder)
    assert [row["digest"] for row in writes(folder, place)] != []


def test_a_new_folder_is_seen_with_what_it_holds(lab: Lab) -> None:
    _, folder = lab.run(
        "mkdir -p a/b/c && echo deep > a/b/c/d.jsonl; mv a z; echo more > z/b/c/e.jsonl; sleep 0.1; rm -r z"
    )
    assert {"deep\n", "more\n"} <= texts(folder)
    assert writes(folder, "/workspace/z/b/c/e.jsonl")


def test_a_file_without_a_name_is_read_while_it_is_open(lab: Lab) -> None:
    _, folder = lab.run("exec 3> hidden.jsonl; sleep 0.1; rm hidden.jsonl; echo unnamed >&3; exec 3>&-; sleep 0.2")
    assert "unnamed\n" in texts(folder)


def test_what_is_still_open_in_the_end_is_kept(lab: Lab) -> None:
    _, folder = lab.run("(exec 3> open.jsonl; echo late >&3; sleep 60) & sleep 0.2")
    assert "late\n" in texts(folder)


def test_weights_are_noted_and_not_copied(lab: Lab) -> None:
    _, folder = lab.run("head -c 5000 /dev/zero > a.safetensors; head -c 4000 /dev/zero > b.dat; echo code > Makefile")
    assert [(row["size"], row["why"]) for row in writes(folder, "/workspace/a.safetensors")] == [
        (5000, "weights or a program")
    ]
    assert [row["why"] for row in writes(folder, "/workspace/b.dat")] == ["neither rows nor code"]
    assert texts(folder) == {"code\n"}


@pytest.mark.extra
def test_links_lead_nowhere_of_the_host(lab: Lab, tmp_path: Path) -> None:
    secret = tmp_path / "secret.jsonl"
    secret.write_text("the host's")
    secret.chmod(0o644)
    script = (
        f"ln -s {secret} a.jsonl; ln -s {tmp_path} d; ln -s /etc/passwd p.txt; mkdir real; sleep 0.1;"
        f" mv real moved; ln -s {tmp_path} real; touch real/secret.jsonl; mkfifo pipe.jsonl;"
        " for n in $(seq 50); do mkdir swap; echo own > swap/secret.jsonl; mv swap gone$n;"
        f" ln -s {tmp_path} swap; rm swap; done; sleep 0.1; true"
    )
    done, folder = lab.run(script)
    assert done.stop in ("finished", "agent_error")
    assert "own\n" in texts(folder)
    assert not [text for text in texts(folder) if "the host's" in text]
    assert secret.read_text() == "the host's"


def test_hostile_names_are_written_down(lab: Lab) -> None:
    script = r"""printf x > "$(printf 'a\nb.jsonl')"; printf y > "$(printf 'c\377.jsonl')"; printf z > '..jsonl'"""
    done, folder = lab.run(f"{script}; touch \"$(printf 'final\\377')\"")
    paths = {str(row["path"]) for row in lines(folder.path / "writes.jsonl")}
    assert {"/workspace/a\nb.jsonl", "/workspace/c\\xff.jsonl", "/workspace/..jsonl"} <= paths
    assert {"x", "y", "z"} <= texts(folder)
    assert done.document()


@pytest.mark.extra
def test_many_small_files_are_all_kept(lab: Lab) -> None:
    script = "for n in $(seq 1500); do echo $n > f$n.jsonl; done; sleep 0.2; rm f*.jsonl"
    _, folder = lab.run(script)
    assert {f"{n}\n" for n in range(1, 1501)} <= texts(folder)


def test_lost_notices_are_told_and_what_is_left_is_kept(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_FOLDERS", 30)
    done, folder = lab.run("for n in $(seq 100); do mkdir d$n; echo $n > d$n/x.jsonl; done")
    assert any("more folders than can be watched" in said for said in done.not_recorded)
    assert "1\n" in texts(folder)


def test_without_notices_files_are_looked_for(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_queue", lambda: None)
    monkeypatch.setattr(files, "WALK_SECONDS", 0.05)
    done, folder = lab.run("echo a > a.jsonl; sleep 0.3; rm a.jsonl; echo b > b.jsonl")
    assert {"a\n", "b\n"} <= texts(folder)
    assert any("could not be had" in said for said in done.not_recorded)


def test_caps_are_told(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_FILE_BYTES", 1000)
    monkeypatch.setattr(kept, "MOST_VERSIONS", 3)
    script = (
        "head -c 2000 /dev/zero | tr '\\0' a > big.jsonl; for n in $(seq 9); do echo $n > v.jsonl; sleep 0.02; done"
    )
    done, folder = lab.run(script)
    assert any("files over" in said for said in done.not_recorded)
    assert any(kept.VERSIONS in said for said in done.not_recorded)
    assert {"1\n", "9\n"} <= texts(folder)
    assert "8\n" not in texts(folder)


def test_a_copy_that_fails_is_told(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Kept, "_copied", full)
    done, _ = lab.run("echo a > a.jsonl")
    assert done.stop == "finished"
    assert any("No space left" in said for said in done.not_recorded)


def test_programs_are_seen_with_their_words(lab: Lab) -> None:
    done, folder = lab.run("sh -c 'exec sleep 0.2' & sleep 0.21; setsid sh -c 'sleep 0.22' & sleep 0.3")
    rows = lines(folder.path / "processes.jsonl")
    argvs = [row["argv"] for row in rows]
    assert argvs[0] == ["/bin/sh", "-c", lab_command(rows)]
    for words in (["sleep", "0.2"], ["sleep", "0.21"], ["sleep", "0.22"]):
        assert words in argvs
    assert not [words for words in argvs if "setpriv" in str(words) or "nsenter" in str(words)]
    seen = next(row for row in rows if row["argv"] == ["sleep", "0.21"])
    assert isinstance(seen["seconds"], float)
    assert 0.1 < seen["seconds"] < 5
    assert done.processes == len(rows)


def lab_command(rows: list[dict[str, object]]) -> str:
    argv = rows[0]["argv"]
    assert isinstance(argv, list)
    return str(argv[2])


def test_a_command_that_ends_at_once_is_listed(lab: Lab) -> None:
    done, folder = lab.run(":")
    assert lines(folder.path / "processes.jsonl")[0]["argv"] == ["/bin/sh", "-c", ":"]
    assert done.processes >= 1


def test_keys_among_words_are_masked(lab: Lab) -> None:
    key = "sk-1234567890abcdefghijklmnop"
    _, folder = lab.run(f"sh -c 'sleep 0.1; : {key}'")
    assert key not in (folder.path / "processes.jsonl").read_text()
    assert key not in (folder.path / "recorded.json").read_text()
