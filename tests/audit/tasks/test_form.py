"""Reviews of tasks: forms come back as they were filled, rows that do not fit are named, witnesses make a proof."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fairtrial.audit.tasks import (
    Answer,
    Design,
    TriedDesign,
    blank_form,
    finding_of,
    read_design,
    read_form,
    signoff_of,
)
from fairtrial.audit.tasks.refused import witnesses
from fairtrial.records import FairtrialError, FormatError, Signoff

TASKS = {"a": "sha256:1", 'b"\n#': "sha256:2"}


@pytest.mark.parametrize("suffix", [".toml", ".csv", ".jsonl"])
def test_a_blank_form_says_nothing_and_asks_four_parts_of_each_task(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"form{suffix}"
    path.write_bytes(blank_form("s@1", TASKS, suffix))
    assert read_form(path, "s@1", TASKS) == ((), 8)
    text = path.read_text(encoding="utf-8")
    assert text.count("Is it right, as an expert would do it?") == 2


def test_what_a_person_writes_comes_through(tmp_path: Path) -> None:
    path = tmp_path / "form.toml"
    path.write_text("""reviewer = "ada"
role = "domain expert"
[[answer]]
task = "a"
part = "grader"
holds = "no"
second_design = "sums in another order"
try = "designs/sums"
[[answer]]
task = "a"
part = "world"
holds = "Cannot tell"
[[answer]]
task = "a"
part = "reference"
holds = true
task_hash = "sha256:0"
""")
    grader, world, reference = read_form(path, "s@2", TASKS)[0]
    assert grader == Answer(task="a", task_hash="sha256:1", part="grader", holds=False, reviewer="ada",
                            role="domain expert", second_design="sums in another order",
                            design=tmp_path / "designs/sums")  # fmt: skip
    assert (world.holds, reference.holds, reference.task_hash) == (None, True, "sha256:0")


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"task": "zz"}, "task"),
        ({"part": "tests"}, "part"),
        ({"holds": "maybe"}, "holds"),
        ({"reviewer": ""}, "reviewer"),
        ({"role": ""}, "role"),
        ({"suite": "other@1"}, "suite"),
        ({"second_design": "x", "part": "world"}, "second_design"),
        ({"try": "x"}, "second_design"),
        ({"hold": "yes"}, "hold"),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path: Path, row: dict[str, str], field: str) -> None:
    path = tmp_path / "form.jsonl"
    good = {"task": "a", "part": "grader", "holds": "yes", "reviewer": "ada", "role": "author"}
    path.write_text(json.dumps(good | row))
    with pytest.raises(FormatError) as caught:
        read_form(path, "s@1", TASKS)
    assert (caught.value.field, caught.value.line) == (field, 1)
    path.write_text(f"{json.dumps(good)}\n{json.dumps(good)}")
    with pytest.raises(FormatError, match="twice"):
        read_form(path, "s@1", TASKS)


def tried(tmp_path: Path, passed: int = 0, failed: int = 2, reasons: tuple[str, ...] = ()) -> TriedDesign:
    design = Design(path=tmp_path / "it's", kind="files", hash="sha256:d")
    return TriedDesign(design=design, passed=passed, failed=failed, reasons=reasons, tried=(), sandbox="fake")


def signed(tmp_path: Path, reviewer: str, role: str = "expert", task_hash: str = "h") -> Signoff:
    answer = Answer(task="t", task_hash=task_hash, part="grader", holds=False, reviewer=reviewer, role=role,
                    second_design="other order")  # fmt: skip
    return signoff_of(answer, tried(tmp_path), "s@1", "now")


@pytest.mark.parametrize(
    ("others", "severity"),
    [
        ([], "lead"),
        ([("ada", "expert", "h")], "lead"),  # the same person again
        ([("bo", "expert", "h")], "proof"),
        ([("bo", "", "h")], "lead"),  # in no capacity
        ([("bo", "expert", "old")], "lead"),  # of another content
    ],
)
def test_two_who_call_one_design_correct_make_a_proof_and_one_makes_a_lead(
    tmp_path: Path, others: list[tuple[str, str, str]], severity: str
) -> None:
    held = [signed(tmp_path, *one) for one in others]
    finding = finding_of(signed(tmp_path, "ada"), held, tried(tmp_path), tmp_path / "a task")
    assert finding is not None
    assert finding.severity == severity
    assert finding.command.startswith("fairtrial audit task '")
    assert "it'\"'\"'s" in finding.command
    assert ("bo" in finding.claim) == (severity == "proof")


def test_a_design_that_passes_wavers_or_was_not_graded_makes_no_finding(tmp_path: Path) -> None:
    said = signed(tmp_path, "ada")
    for one in (
        tried(tmp_path, 2, 0),
        tried(tmp_path, 1, 1),
        tried(tmp_path, 0, 2, ("sandbox",)),
        tried(tmp_path, 0, 0),
    ):
        assert one.passes in (True, None)
        assert finding_of(said, [said], one, tmp_path) is None


def test_evidence_that_another_tool_wrote_is_no_witness(tmp_path: Path) -> None:
    for evidence in ("not json", "[]", '{"design": 3}'):
        assert witnesses("sha256:d", [replace(signed(tmp_path, "bo"), evidence=evidence)]) == ()


def test_a_design_is_known_by_what_it_holds(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "app").mkdir(parents=True)
        (tmp_path / name / "app" / "x").write_text("1")
    one, two = (read_design(tmp_path / name) for name in ("one", "two"))
    assert (one.kind, one.hash) == ("files", two.hash)
    (tmp_path / "two" / "solve.sh").write_text("true")
    script = read_design(tmp_path / "two")
    assert script.kind == "script"
    assert script.hash != one.hash
    (tmp_path / "it.patch").write_text("--- a\n")
    assert read_design(tmp_path / "it.patch").kind == "patch"


@pytest.mark.parametrize("name", ["none", "empty", "x.txt", "links"])
def test_what_is_no_design_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.txt").write_text("1")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "x").symlink_to("y")
    with pytest.raises(FairtrialError) as caught:
        read_design(tmp_path / name)
    assert caught.value.exit_code == 2
