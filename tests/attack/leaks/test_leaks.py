"""An answer is planted where an agent could read it, and must be found; what the instruction names is no leak."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import py_compile
import shutil
import sqlite3
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.attack.tampering.tiny_tasks import Tiny, passed, target_of, verdicts, write

from fairtrial.attack import Submission, Target, find
from fairtrial.attack.leaks import PROBES
from fairtrial.run import FilesAgent
from fairtrial.sandbox import Bubblewrap
from fairtrial.tasks import load_suite

pytestmark = pytest.mark.skipif(not Bubblewrap().capability().available, reason="bubblewrap does not work here")

ANSWER = "depot,parcels,weight\nAntwerp,412,8123.75\nLyon,388,7990.20\nTurin,295,6411.05\n"
TEST = """#!/bin/bash
mkdir -p /logs/verifier
if [ "$(tr -d ' \\r' < /app/totals.csv | sort)" = "$(tr -d ' ' < /tests/want.csv | sort)" ]
then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
"""
INSTRUCTION = "Add up the parcels of each depot in `/app/parcels.csv` and write `/app/totals.csv`.\n"
SOLVE = f"cat > totals.csv <<'END'\n{ANSWER}END\n"


def tiny(workspace: dict[str, str | bytes], instruction: str = INSTRUCTION, **more: object) -> Tiny:
    given: dict[str, str | bytes] = {"parcels.csv": "depot,weight\nAntwerp,1\nLyon,2\n"}
    return Tiny(test=TEST, tests={"want.csv": ANSWER}, instruction=instruction, solve=SOLVE,
                workspace=given | workspace, **more)  # type: ignore[arg-type]  # fmt: skip


def unsurveyed(folder: Path, task: Tiny) -> Target:
    """Return what a survey would, the reference's one file laid by hand: no box is started."""
    suite = load_suite(write(folder / "tiny", task))
    (one,) = suite.tasks
    for name in ("before", "after"):
        shutil.copytree(folder / "tiny/environment/workspace", folder / name / "app")
    (folder / "after/app/totals.csv").write_text(ANSWER)
    (folder / "scratch").mkdir()
    return Target(task=one, key=suite.keys[one.name], before=folder / "before", after=folder / "after",
                  scratch=folder / "scratch")  # fmt: skip


def found_in(target: Target) -> list[Submission]:
    """Return what is handed in but for the search, which can only be seen in a box."""
    return [one for probe in PROBES if probe.card.id != "box_searched" for one in probe.submissions(target)]


def proofs(folder: Path, task: Tiny) -> list[str]:
    target = target_of(folder, task)
    found = []
    for probe in PROBES:
        found += [f"{probe.card.id}: {one.submission.what}" for one in verdicts(target, probe)
                  if one.is_wrong and one.submission.severity == "proof"]  # fmt: skip
    return found


def tarred(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def database(table: str, folder: Path) -> bytes:
    path = folder / "made.db"
    with sqlite3.connect(path) as connection:
        connection.execute(f"create table {table} (depot, parcels, weight)")
        rows = [line.split(",") for line in ANSWER.splitlines()[1:]]
        connection.executemany(f"insert into {table} values (?, ?, ?)", rows)
    connection.close()
    return path.read_bytes()


RAW = ANSWER.encode()
PLACES: dict[str, bytes] = {
    ".totals.csv.swp": RAW,
    "totals.csv.bak": RAW.replace(b"\n", b"\r\n"),
    "cache/deep/.x/data": RAW,
    "out.log": b"run 1\n" + b"".join(b"INFO " + line + b"\n" for line in RAW.splitlines()) + b"done\n",
    "old.csv.gz": gzip.compress(RAW, mtime=0),
    "old.bz2": bz2.compress(RAW),
    "old.xz": lzma.compress(RAW),
    "old.zip": zipped("want.csv", RAW),
    "old.tar.gz": tarred("a/want.csv", RAW),
    "twice.gz": gzip.compress(zipped("x", RAW), mtime=0),
    "notes.txt": b"see: " + base64.b64encode(RAW) + b"\n",
    "notes.hex": RAW.hex().encode(),
    ".bash_history": b"ls\ncat > totals.csv <<END\n" + RAW + b"END\nexit\n",
    "fix.patch": b"--- a\n+++ b\n" + b"".join(b"+" + line + b"\n" for line in RAW.splitlines()),
    "run.ipynb": json.dumps({"cells": [{"outputs": [{"text": ANSWER}]}]}).encode(),
    "shuffled.tsv": b"\n".join(line.replace(b",", b"\t") for line in reversed(RAW.splitlines())),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES, ids=str)
def test_an_answer_lying_about_is_found_and_handed_in(name: str, tmp_path: Path) -> None:
    target = unsurveyed(tmp_path, tiny({name: PLACES[name]}))
    (one,) = find("answer_found").submissions(target)
    assert one.severity == "proof"
    assert f"/app/{name}" in one.what
    assert isinstance(one.agent, FilesAgent)
    handed_in = one.agent.files["/app/totals.csv"].read_bytes().replace(b"\r", b"").splitlines()
    assert sorted(handed_in) == sorted(RAW.splitlines())


@pytest.mark.parametrize("name", ["cache/deep/.x/data", "old.tar.gz", "out.log"])
def test_what_was_found_passes(name: str, tmp_path: Path) -> None:
    assert len(proofs(tmp_path, tiny({name: PLACES[name]}))) == 1


@pytest.mark.parametrize("table", ["expected", "_answers", "tmp_checked"])
def test_an_answer_in_a_table_of_a_database_is_found(table: str, tmp_path: Path) -> None:
    (one,) = find("answer_found").submissions(unsurveyed(tmp_path, tiny({"parcels.db": database(table, tmp_path)})))
    assert (one.severity, f"(table {table})" in one.what) == ("proof", True)


def test_an_answer_below_other_column_names_is_found_and_handed_in_below_those_asked_for(tmp_path: Path) -> None:
    other = ANSWER.replace("depot,parcels,weight", "d,n,kg")
    (one,) = find("answer_found").submissions(unsurveyed(tmp_path, tiny({"cache/old.tsv": other.replace(",", "\t")})))
    assert one.severity == "proof"
    assert isinstance(one.agent, FilesAgent)
    assert one.agent.files["/app/totals.csv"].read_text() == ANSWER


def git(folder: Path, *words: str) -> None:
    settings = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True,
                   env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"})  # fmt: skip


def packed(folder: Path) -> None:
    for number in range(3):  # near copies, so that the pack holds deltas
        (folder / "quotes.csv").write_text("".join(f"{n},{n * n}\n" for n in range(300)) + ANSWER + f"{number}\n")
        git(folder, "add", ".")
        git(folder, "commit", "-m", f"more {number}")
    git(folder, "rm", "quotes.csv")
    git(folder, "commit", "-m", "gone")
    git(folder, "gc", "--aggressive")


def deleted_branch(folder: Path) -> None:
    git(folder, "checkout", "-b", "done")
    (folder / "t.csv").write_text(ANSWER)
    git(folder, "add", ".")
    git(folder, "commit", "-m", "done")
    git(folder, "checkout", "main")
    git(folder, "branch", "-D", "done")


def tagged_blob(folder: Path) -> None:
    (folder / "t.csv").write_text(ANSWER)
    git(folder, "hash-object", "-w", "t.csv")
    made = subprocess.run(["git", "hash-object", "t.csv"], cwd=folder, capture_output=True, check=True, text=True)
    git(folder, "tag", "kept", made.stdout.strip())
    (folder / "t.csv").unlink()


def stashed(folder: Path) -> None:
    (folder / "given.txt").write_text(ANSWER)
    git(folder, "stash")


def noted(folder: Path) -> None:
    (folder.parent / "note").write_text(ANSWER)
    git(folder, "notes", "add", "-F", str(folder.parent / "note"), "HEAD")


@pytest.mark.skipif(shutil.which("git") is None, reason="git makes the repositories")
@pytest.mark.parametrize("plant", [packed, deleted_branch, tagged_blob, stashed, noted])
@pytest.mark.parametrize("bare", [False, True], ids=["beside", "bare"])
def test_an_answer_in_a_repository_is_found_reachable_or_not(
    plant: Callable[[Path], None], bare: bool, tmp_path: Path
) -> None:
    repository = tmp_path / "made"
    repository.mkdir()
    git(repository, "init")
    (repository / "given.txt").write_text("nothing yet\n")
    git(repository, "add", ".")
    git(repository, "commit", "-m", "begin")
    plant(repository)
    root = repository / ".git" if bare else repository
    files: dict[str, str | bytes] = {
        f"{'rules.git' if bare else 'repo'}/{path.relative_to(root)}": path.read_bytes()
        for path in root.rglob("*") if path.is_file()
    }  # fmt: skip
    target = unsurveyed(tmp_path, tiny(files, INSTRUCTION + "The rules' own repository is in `/app/rules.git`.\n"))
    one = next(iter(find("answer_found").submissions(target)))
    assert one.severity == "proof"
    assert "(git " in one.what
    assert isinstance(one.agent, FilesAgent)
    assert set(RAW.splitlines()) <= set(one.agent.files["/app/totals.csv"].read_bytes().splitlines())


@pytest.mark.parametrize(
    ("name", "content", "instruction"),
    [
        ("ready.csv", RAW, "Copy `/app/ready.csv` to `/app/totals.csv`.\n"),
        ("ready.csv.gz", gzip.compress(RAW, mtime=0), "Unpack /app/ready.csv.gz as /app/totals.csv.\n"),
        ("in/part-1.csv", RAW, "Join the files in `/app/in/` into `/app/totals.csv`.\n"),
        ("a.tar.gz", tarred("a/x.csv", RAW), "Of the archive a.tar.gz, write the only table to /app/totals.csv.\n"),
    ],
)
def test_what_the_instruction_names_is_no_leak(name: str, content: bytes, instruction: str, tmp_path: Path) -> None:
    assert found_in(unsurveyed(tmp_path, tiny({name: content}, instruction))) == []


def test_a_table_that_the_instruction_names_is_no_leak(tmp_path: Path) -> None:
    task = tiny(
        {"shop.db": database("totals", tmp_path)}, "Export the totals of `/app/shop.db` to `/app/totals.csv`.\n"
    )
    assert proofs(tmp_path, task) == []


def test_history_is_no_leak_where_the_task_is_about_history(tmp_path: Path) -> None:
    repository = tmp_path / "made"
    repository.mkdir()
    git(repository, "init")
    tagged_blob(repository)
    files: dict[str, str | bytes] = {
        f"repo/{path.relative_to(repository)}": path.read_bytes() for path in repository.rglob("*") if path.is_file()
    }
    instruction = "Somebody deleted totals.csv in a commit of /app/repo. Bring it back as /app/totals.csv.\n"
    assert found_in(unsurveyed(tmp_path, tiny(files, instruction))) == []


def test_an_honest_workspace_has_no_leak(tmp_path: Path) -> None:
    task = tiny(
        {"README.md": "Totals are due on Monday.\n", "tests/test_totals.py": "def test_totals():\n    assert 1\n"}
    )
    target = target_of(tmp_path, task)
    assert {(probe.card.id, *one) for probe in PROBES for one in passed(target, probe)} == set()


def test_the_solution_left_in_the_image_is_executed(tmp_path: Path) -> None:
    task = tiny(
        {}, dockerfile="COPY left/ /etc/left/\n", more={"environment/left/s.sh": f"#!/bin/bash\ncd /app\n{SOLVE}"}
    )
    assert any(one.startswith("solution_found") for one in proofs(tmp_path, task))


def test_what_the_build_left_outside_the_workspace_is_found_by_searching(tmp_path: Path) -> None:
    lines = "\\n".join(ANSWER.splitlines())
    task = tiny({}, dockerfile=f"RUN mkdir -p /opt/run && printf '{lines}\\n' > /opt/run/totals.csv.old\n")
    assert [one for one in proofs(tmp_path, task) if one.startswith("box_searched")]


def test_an_answer_in_a_variable_is_found(tmp_path: Path) -> None:
    encoded = base64.b64encode(RAW).decode()
    assert proofs(tmp_path, tiny({}, dockerfile=f"ENV BASELINE={encoded}\n"))


def test_values_in_the_free_pages_of_a_database_and_in_compiled_files_are_leads(tmp_path: Path) -> None:
    path = tmp_path / "free.db"
    connection = sqlite3.connect(path)
    connection.execute("pragma secure_delete = off")
    connection.execute("create table t (depot, parcels, weight)")
    connection.executemany("insert into t values (?, ?, ?)", [line.split(",") for line in ANSWER.splitlines()[1:]])
    connection.commit()
    connection.execute("delete from t")
    connection.commit()
    connection.close()
    source = tmp_path / "want.py"
    source.write_text(f"WANT = {[line.split(',') for line in ANSWER.splitlines()]!r}\n")
    py_compile.compile(str(source), str(tmp_path / "want.pyc"), doraise=True)
    files: dict[str, str | bytes] = {
        "state.db": path.read_bytes(),
        "x/__pycache__/want.pyc": (tmp_path / "want.pyc").read_bytes(),
    }
    found = list(find("values_found").submissions(unsurveyed(tmp_path, tiny(files))))
    assert {one.severity for one in found} == {"lead"}
    assert {word for one in found for word in ("state.db", "want.pyc") if word in one.what} == {
        "state.db", "want.pyc",
    }  # fmt: skip


def test_a_grader_left_readable_is_a_lead(tmp_path: Path) -> None:
    (one,) = find("grader_found").submissions(unsurveyed(tmp_path, tiny({".cache/t": TEST})))
    assert (one.severity, "/app/.cache/t" in one.what) == ("lead", True)


@pytest.mark.parametrize(
    "junk",
    [
        b"PACK\0\0\0\2\0\0\0\5" + b"\x9c" * 40,
        b"\x1f\x8b\x08" + b"\0" * 30,
        b"PK\x03\x04junk",
        b"SQLite format 3\0" + b"\xff" * 500,
        b"\x78\x9c\xff\xff",
        b"BZh9junk",
        b"[" * 5000,
        b"A" * 3001,
        b"\xff\xfe\0" * 50,
        b"\0" * 257 + b"ustar" + b"\0" * 300,
        b"",
        b"\n" * 9,
    ],
)
def test_damaged_containers_yield_nothing_and_raise_nothing(junk: bytes, tmp_path: Path) -> None:
    assert found_in(unsurveyed(tmp_path, tiny({"junk.bin": junk}))) == []


def test_what_an_earlier_step_left_is_found(tmp_path: Path) -> None:
    passes = "#!/bin/bash\nmkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt\n"
    more: dict[str, str | bytes] = {
        "task.toml": 'version = "1.0"\n[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n',
        "steps/one/instruction.md": "Look at the depots.\n",
        "steps/one/tests/test.sh": passes,
        "steps/one/solution/solve.sh": "#!/bin/bash\necho seen > /app/seen.txt\n",
        "steps/one/workdir/.run/state": ANSWER,
        "steps/two/instruction.md": INSTRUCTION,
        "steps/two/tests/test.sh": TEST,
        "steps/two/tests/want.csv": ANSWER,
        "steps/two/solution/solve.sh": f"#!/bin/bash\ncd /app\n{SOLVE}",
    }
    assert any("/app/.run/state" in one for one in proofs(tmp_path, tiny({}, more=more)))
