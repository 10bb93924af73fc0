"""Graders run in processes of their own: what one completion does reaches neither fairtrial nor the next completion."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.prove.text import Box, GraderCase, Harness, Place, Plain, look_at, read_target
from fairtrial.prove.text.harness import Call, Round
from fairtrial.records import GraderError, InputError
from fairtrial.sandbox import default

SOURCE = """
import builtins, math, os, signal, socket, sys, time

import beside

seen = []


def grade(completion, answer):
    seen.append(completion)
    print("grading", completion)
    sys.stderr.write("@fairtrial " + completion)
    if completion == "exits": sys.exit(0)
    if completion == "leaves": os._exit(0)
    if completion == "hangs": time.sleep(60)
    if completion == "dies": os.kill(os.getpid(), signal.SIGKILL)
    if completion == "nan": return math.nan
    if completion == "raises": raise ValueError("no \\udc80")
    if completion == "forks": os.fork()
    if completion == "poisons": builtins.len = lambda _: 0; seen.extend("x" * 50)
    if completion == "reads": return float(os.path.exists(beside.SECRET))
    if completion == "calls": return float(socket.socket().connect_ex(("192.0.2.1", 9)) != 101)
    if completion == "hashes": return (hash("a") % 1000) / 1000
    if completion == "counts": return float(len(seen))
    return float(completion == answer)


def needs(completion, tolerance, other, more): return 1.0
"""
CASES = (GraderCase(id="a", prompt="6 * 7?", answer="42"),)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "rewards.py").write_text(SOURCE)
    (tmp_path / "secret.txt").write_text("not the grader's")
    (tmp_path / "code" / "beside.py").write_text(f"SECRET = {str(tmp_path / 'secret.txt')!r}\n")
    return tmp_path / "code"


def harness_of(folder: Path, path: str = "grade", *, boxed: bool = False) -> Harness:
    target, interpreter = read_target(f"{folder}/rewards.py:{path}", folder), look_at("")
    place: Place = Plain(interpreter=interpreter, target=target)
    if boxed:
        place = Box(sandbox=default()[0], interpreter=interpreter, target=target)
    return Harness(target=target, place=place, call_seconds=2.0, workers=1)


def grade(harness: Harness, *completions: str, how: Round | None = None) -> list[float | str | None]:
    calls = [Call(case=0, completion=one) for one in completions]
    return [one.ungraded or one.score for one in harness.grade(CASES, calls, how or Round(), lambda _: None)]


def test_what_keeps_a_completion_from_being_graded_is_its_reason_and_nobody_elses(folder: Path) -> None:
    words = ("42", "exits", "leaves", "dies", "hangs", "nan", "raises", "41")
    reasons = [1.0, "ended the process", "ended the process", "killed", "timeout", "not finite", "raised", 0.0]
    assert grade(harness_of(folder), *words) == reasons
    assert grade(harness_of(folder), *words, how=Round(shared=True)) == reasons


def test_a_copy_that_a_grader_forks_answers_nothing_and_holds_nothing_up(folder: Path) -> None:
    for how in (Round(), Round(shared=True)):
        assert grade(harness_of(folder), "42", "forks", "42 ", "41", how=how) == [1.0, 0.0, 0.0, 0.0]


def test_what_a_grader_raises_can_be_written_to_a_file(folder: Path) -> None:
    [graded] = harness_of(folder).grade(CASES, [Call(case=0, completion="raises")], Round(), lambda _: None)
    assert graded.detail.encode().endswith(b"no \\udc80")


def test_apart_nothing_is_left_behind_and_in_company_it_is(folder: Path) -> None:
    harness = harness_of(folder)
    assert grade(harness, "poisons", "counts") == [0.0, 1.0]
    assert grade(harness, "poisons", "counts", how=Round(shared=True))[1] == 0.0


def test_hash_seeds_are_the_rounds_own(folder: Path) -> None:
    harness = harness_of(folder)
    first, again, other = (grade(harness, "hashes", how=Round(hash_seed=seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_in_a_box_a_grader_sees_its_own_folder_and_no_network(folder: Path) -> None:
    if not default()[0].capability().isolated:
        pytest.skip("bubblewrap does not work here")
    assert grade(harness_of(folder), "reads") == [1.0]
    assert grade(harness_of(folder, boxed=True), "42", "reads", "calls", "dies") == [1.0, 0.0, 0.0, "killed"]


def test_a_grader_that_only_its_owner_may_read_is_still_run_in_a_box(folder: Path) -> None:
    if not default()[0].capability().isolated:
        pytest.skip("bubblewrap does not work here")
    folder.chmod(0o700)
    (folder / "rewards.py").chmod(0o600)
    assert grade(harness_of(folder, boxed=True), "42") == [1.0]


@pytest.mark.parametrize(
    ("source", "path", "error", "said"),
    [("x = 1", "grade", InputError, "no `grade`"), ("raise OSError('disk')", "grade", GraderError, "OSError: disk"),
     ("import nowhere_to_be_found", "grade", GraderError, "nowhere_to_be_found"),
     ("def", "grade", GraderError, "SyntaxError"),
     ("import os; os._exit(3)", "grade", GraderError, "ended while it was loaded"),
     (SOURCE, "needs", GraderError, "asks for `more`")],
)  # fmt: skip
def test_a_grader_that_cannot_be_used_is_said_at_once(
    folder: Path, source: str, path: str, error: type[Exception], said: str
) -> None:
    (folder / "rewards.py").write_text(source)
    with pytest.raises(error, match=said):
        harness_of(folder, path).load(CASES)


def test_a_file_within_a_package_is_imported_as_its_module(tmp_path: Path) -> None:
    package = tmp_path / "rewarding"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "inner.py").write_text("ONE = 1.0\n")
    (package / "outer.py").write_text("from .inner import ONE\ndef grade(completion): return ONE\n")
    target = read_target("rewarding/outer.py:grade", tmp_path)
    assert (target.module, target.folders) == ("rewarding.outer", (tmp_path,))
    harness = Harness(target=target, place=Plain(interpreter=look_at(""), target=target))
    assert grade(harness, "x") == [1.0]


@pytest.mark.parametrize("name", ["rewards", "rewards.py", ":grade", "no such module:f", "missing.py:grade"])
def test_what_names_no_grader_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError):
        read_target(name, tmp_path)
