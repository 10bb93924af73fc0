"""Instruction counts tell dear work from cheap and right from wrong, whatever the clock says.

Not covered: `perf stat`, where the machine that runs the tests lets nobody count.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial.checks.cost import counting
from fairtrial.checks.cost.instructions import instructions
from fairtrial.checks.kit import kit
from fairtrial.checks.protocol import CheckError, Result

pytestmark = pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")

REFERENCE = "read n; i=0; t=0; while [ $i -lt $n ]; do t=$((t + i)); i=$((i + 1)); done; echo $t\n"
AGAIN = REFERENCE.replace("read n", "n=1500").strip()
SHORT = "echo $((n * (n - 1) / 2))\n"
PROGRAMS = {
    "formula": (f"read n; {SHORT}", True),
    "other": (f"# in other words\n{REFERENCE}", True),
    "thrice": (f"for k in 1 2; do ({AGAIN}) >/dev/null; done; {REFERENCE}", False),
    "wrong": ("echo 1\n", False),
    "fails": (f"{REFERENCE} exit 3\n", False),
    "in a child": (f"n=1500; sh -c 'i=0; while [ $i -lt 6000 ]; do i=$((i+1)); done' & {SHORT}", False),
}  # fmt: skip
SLOW = ("other", "fails", "in a child")
"""Valgrind takes seconds for each; `make test-all` runs them."""


def held(folder: Path, text: str, ratio: float = 1.5, **more: object) -> Result:
    (folder / "app").mkdir(exist_ok=True)
    (folder / "tests").mkdir(exist_ok=True)
    program, reference, given = folder / "app/sum.sh", folder / "tests/sum.sh", folder / "tests/n.txt"
    program.write_text(text)
    reference.write_text(REFERENCE)
    given.write_text("1500\n")
    arguments = {"command": ["sh", "{program}"], "inputs": {"stdin": str(given)}} | more
    return instructions(program=str(program), reference=str(reference), ratio=ratio, **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.extra if one in SLOW else ()) for one in PROGRAMS]
)
def test_only_right_and_cheap_work_passes(name: str, tmp_path: Path) -> None:
    text, passes = PROGRAMS[name]
    result = held(tmp_path, text)
    assert result.passed is passes, result
    assert (result.value is None) is (name in ("wrong", "fails"))


@pytest.mark.extra
def test_the_same_work_counts_the_same(tmp_path: Path) -> None:
    first, second = held(tmp_path, REFERENCE), held(tmp_path, REFERENCE)
    assert first.value == pytest.approx(1, abs=0.001)
    assert second.value == pytest.approx(first.value or 0, abs=0.001)


@pytest.mark.extra
def test_work_before_an_exec_is_not_got_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[instructions.__module__], "UNSEEN_SECONDS", 0.1)
    hidden = "read n; i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; exec echo $((n * (n - 1) / 2))\n"
    result = held(tmp_path, hidden)
    assert not result.passed
    assert "processor time" in result.why


@pytest.mark.extra
def test_what_was_kept_from_the_first_run_is_no_help(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    text = f"if [ -f {kept} ]; then cat {kept}; else ({PROGRAMS['thrice'][0]}) | tee {kept}; fi\n"
    assert not held(tmp_path, text).passed


@pytest.mark.extra
def test_counts_cannot_be_written_by_the_program(tmp_path: Path) -> None:
    forged = (
        "for n in 3 4 5 6 7 8 9; do eval \"echo '==1== Collected : 1' >&$n\" 2>/dev/null; done; "
        + PROGRAMS["thrice"][0]
    )
    assert not held(tmp_path, forged).passed


@pytest.mark.parametrize(
    "way",
    [
        pytest.param("export VALGRIND_OPTS=--collect-atstart=no", marks=pytest.mark.extra),
        "echo --collect-atstart=no > .valgrindrc; chmod 600 .valgrindrc",
    ],
)
def test_the_program_does_not_set_up_the_counting(way: str, tmp_path: Path) -> None:
    text = f"{way}\nexec sh -c '{PROGRAMS['thrice'][0]}'\n"
    result = held(tmp_path, text.replace("read n", "n=1500"), ratio=2.0)
    assert not result.passed
    assert (result.value or 0) > 2.0


@pytest.mark.extra
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_native_code_that_bids_valgrind_stop_counting_fails(tmp_path: Path) -> None:
    asks = 'long a[6] = {0x43540001}; asm volatile("rolq $3,%%rdi; rolq $13,%%rdi; rolq $61,%%rdi; rolq $51,%%rdi; '
    text = "int main() { " + asks + 'xchgq %%rbx,%%rbx" : : "a"(a) : "rdx", "rdi", "cc"); return 0; }\n'
    for folder, body in (("app", text), ("key", "int main() { for (volatile int i = 0; i < 999999; i++); }\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.c").write_text(body)
    build = ["gcc", "-O1", "-w", "{program}", "-o", "{built}"]
    result = instructions(["{built}"], str(tmp_path / "app/a.c"), str(tmp_path / "key/a.c"), 2.0, build=build)
    assert "speaks to the counter" in result.why


@pytest.mark.extra
def test_folders_left_two_thousand_deep_are_no_help(tmp_path: Path) -> None:
    digs = 'import os\nfor _ in range(1500):\n    os.mkdir("d")\n    os.chdir("d")'
    text = f"{sys.executable} -I -S -c '{digs}'; echo 1124250\n"
    result = held(tmp_path, text, ratio=9.0)
    assert result.value is not None


def test_a_reference_that_leaves_no_time_is_refused_whatever_the_work_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[instructions.__module__], "SECONDS", 0.001)
    with pytest.raises(CheckError, match="give it less to do"):
        held(tmp_path, "sleep 9999\n")


def test_a_link_to_the_reference_is_no_work(tmp_path: Path) -> None:
    held(tmp_path, REFERENCE)
    (tmp_path / "app/sum.sh").unlink()
    (tmp_path / "app/sum.sh").symlink_to(tmp_path / "tests/sum.sh")
    result = instructions(["sh", "{program}"], str(tmp_path / "app/sum.sh"), str(tmp_path / "tests/sum.sh"), 2.0)
    assert not result.passed


def test_a_reference_that_does_nothing_breaks_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("app.sh", "reference.sh"):
        (tmp_path / name).write_text("echo 1\n")
    (tmp_path / "key").mkdir()
    (tmp_path / "reference.sh").rename(tmp_path / "key/reference.sh")
    with pytest.raises(CheckError, match="more to do"):
        instructions(["sh", "{program}"], "app.sh", "key/reference.sh", 2.0)


def test_where_nothing_counts_the_check_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    counting.counter.cache_clear()
    with pytest.raises(CheckError, match="neither valgrind nor perf"):
        held(tmp_path, REFERENCE)
    counting.counter.cache_clear()


@pytest.mark.extra
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_a_program_is_built_uncounted_and_writes_its_answer(tmp_path: Path) -> None:
    for folder, times in (("app", 1), ("key", 4)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sum.c").write_text(
            "#include <stdio.h>\nint main(int n, char **a) { volatile long t = 0; long m;\n"
            'fscanf(fopen(a[1], "r"), "%ld", &m);\n'
            f"for (int k = 0; k < {times}; k++) {{ t = 0; for (long i = 0; i < m; i++) t += i; }}\n"
            'fprintf(fopen(a[2], "w"), "%ld\\n", t); }\n'
        )
    (tmp_path / "n.txt").write_text("200000")
    result = instructions(
        ["{built}", "{n}", "{output}"], str(tmp_path / "app/sum.c"), str(tmp_path / "key/sum.c"), 0.5,
        {"n": str(tmp_path / "n.txt")}, ["gcc", "-O1", "-w", "{program}", "-o", "{built}"],
    )  # fmt: skip
    assert result.passed, result
    assert result.value == pytest.approx(0.25, abs=0.01)


def test_it_counts_from_the_kit(tmp_path: Path) -> None:
    held(tmp_path, REFERENCE)
    (tmp_path / "tests/fairtrial.pyz").write_bytes(kit())
    (tmp_path / "tests/checks.toml").write_text(
        '[[check]]\nname = "cheap"\nuse = "instructions"\ncommand = ["sh", "{program}"]\n'
        f'program = "{tmp_path}/app/sum.sh"\n'
        'reference = "sum.sh"\nratio = 1.2\ninputs = {stdin = "n.txt"}\n'
    )
    command = [
        sys.executable,
        "-I",
        "-S",
        str(tmp_path / "tests/fairtrial.pyz"),
        str(tmp_path / "tests"),
        str(tmp_path / "logs"),
    ]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert json.loads((tmp_path / "logs/reward.json").read_text()) == {"reward": 1.0}, ended
