"""Probes are planted, and a fake sandbox acts out graders that they beat, survive, waver on or break."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.prove.worlds import Grade, Said, make_task, sandbox_with, suite_of

from fairtrial.attack import Card, Submission, Target
from fairtrial.attack.card import Family
from fairtrial.prove import ProvenTask, ProveOptions, prove
from fairtrial.run import FilesAgent, InlineEngine
from fairtrial.sandbox import Capability, Command, Completed, FakeSandbox

ANSWER = "/app/answer"


@dataclass(frozen=True)
class Planted:
    """A probe that hands in given words."""

    words: Sequence[str]
    family: Family = "mutant"
    expects: str = "fails"
    severity: str = "proof"
    identifier: str = "planted"
    races: bool = False

    @property
    def card(self) -> Card:
        return Card(id=self.identifier, family=self.family, surface="workspace", submits="a word", sound="fails it",
                    proof="always", classes=())  # fmt: skip

    def submissions(self, target: Target) -> Iterable[Submission]:
        for word in self.words:
            file = target.new_file("answer", word.encode())
            yield Submission(
                name=word, agent=FilesAgent(model=word, files={ANSWER: file}), what=f"the word {word}",
                expects=self.expects, severity=self.severity, why="It is planted.",
                races=self.races,
            )  # type: ignore[arg-type]  # fmt: skip


class Isolating(FakeSandbox):
    """A fake that says it isolates, so that hacks and leaks are tried in it."""

    def capability(self) -> Capability:
        return replace(super().capability(), isolated=True)


def attacked(
    folder: Path, grade: Grade, *probes: Planted, sandbox: type[FakeSandbox] = FakeSandbox, **more: object
) -> ProvenTask:
    options = ProveOptions(repeats=2, concurrency=2, probes=probes, fresh=True, **more)  # type: ignore[arg-type]
    made = sandbox_with(grade)
    suite = suite_of(folder if (folder / "task.toml").exists() else make_task(folder / "word"))
    (task,) = prove(suite, sandbox(made.script), InlineEngine(), options, tool="test", on_tried=lambda _: None)
    return task


def only(right: str) -> Grade:
    return lambda word: Said("1" if word == right else "0")


def test_a_wrong_word_that_passes_is_a_proof_that_was_seen_three_times(tmp_path: Path) -> None:
    task = attacked(tmp_path, lambda word: Said("1" if word in ("right", "righ") else "0"), Planted(["righ", "left"]))
    assert task.proof.status == "refuted"
    (finding,) = task.findings
    assert (finding.family, finding.probe, finding.severity) == ("mutant", "planted:righ", "proof")
    assert finding.claim == "The word righ passes: 3 of 3 gradings. It is planted."
    assert "--only planted:righ" in finding.command
    assert task.mutants == {"graded": 2, "rejected": 1}


def wins(word: str, times: int) -> Grade:
    """Grade as a sound grader that loses its first races with `word`."""
    left = iter([Said("1")] * times)
    return lambda said: next(left, Said("0")) if said == word else Said("1" if said == "right" else "0")


@pytest.mark.parametrize("times", [1, 2])
def test_a_race_that_went_either_way_is_not_measured_and_refutes_nobody(times: int, tmp_path: Path) -> None:
    task = attacked(tmp_path, wins("left", times), Planted(["left", "other"], races=True))
    assert (task.proof.status, task.findings) == ("proven", ())
    (why,) = [why for probe, why in task.proof.not_measured if probe == "planted:left"]
    assert f"passed in {times} of 3 gradings" in why
    (outcome,) = [one for one in task.outcomes if one.probe == "planted:left"]
    assert outcome.verdict == "not measured"
    assert "planted" in task.proof.measured  # the other word was


def test_a_race_that_is_won_each_time_is_a_proof(tmp_path: Path) -> None:
    task = attacked(tmp_path, wins("left", 3), Planted(["left"], races=True))
    assert task.proof.status == "refuted"
    assert "3 of 3 gradings" in task.findings[0].claim


def test_what_does_not_race_is_wrong_if_it_passes_once(tmp_path: Path) -> None:
    task = attacked(tmp_path, wins("left", 1), Planted(["left"]))
    assert task.proof.status == "refuted"
    assert "1 of 3 gradings" in task.findings[0].claim


def test_a_sound_grader_survives_and_says_what_was_measured(tmp_path: Path) -> None:
    task = attacked(tmp_path, only("right"), Planted(["left"]), Planted([], identifier="idle"))
    assert (task.proof.status, task.findings) == ("proven", ())
    assert "planted" in task.proof.measured
    assert "idle" in task.proof.not_applicable


def test_a_lead_refutes_nobody(tmp_path: Path) -> None:
    task = attacked(tmp_path, lambda word: Said("1" if word else "0"), Planted(["left"], severity="lead"))
    assert task.proof.status == "inconclusive" or task.proof.status == "proven"
    assert [finding.severity for finding in task.findings] == ["lead"]


def test_right_work_in_another_form_that_fails_is_a_proof(tmp_path: Path) -> None:
    task = attacked(tmp_path, only("right"), Planted(["RIGHT"], family="equivalent", expects="passes"))
    (finding,) = task.findings
    assert (finding.family, finding.severity) == ("equivalent", "proof")
    assert "fails: 3 of 3 gradings" in finding.claim


def test_survivors_of_one_probe_are_one_finding(tmp_path: Path) -> None:
    words = [f"wrong-{n}" for n in range(6)]
    task = attacked(tmp_path, lambda word: Said("1" if word else "0"), Planted(words))
    (finding,) = task.findings
    assert finding.probe == "planted"
    assert "So do 5 more" in finding.claim


def test_the_reference_itself_is_never_handed_in_as_wrong(tmp_path: Path) -> None:
    task = attacked(tmp_path, only("right"), Planted(["right"]))
    assert task.findings == ()
    assert task.mutants == {"graded": 0, "rejected": 0}


def test_the_same_work_is_graded_once_however_many_probes_hand_it_in(tmp_path: Path) -> None:
    task = attacked(tmp_path, only("right"), Planted(["left"]), Planted(["left"], identifier="other"))
    assert sum(one.family == "mutant" for one in task.outcomes) == 1


def test_a_submission_that_breaks_the_grader_is_a_lead_and_no_failure(tmp_path: Path) -> None:
    grade = lambda word: Said(None if word == "crash" else "1" if word == "right" else "0")  # noqa: E731
    task = attacked(tmp_path, grade, Planted(["crash"]))
    (finding,) = task.findings
    assert (finding.severity, task.proof.status) == ("lead", "proven")
    assert "reward_missing" in finding.claim
    assert any(probe == "planted" for probe, _ in task.proof.not_measured)


def test_where_the_untouched_workspace_passes_nothing_else_is_accused(tmp_path: Path) -> None:
    task = attacked(tmp_path, lambda _: Said("1"), Planted(["left"]))
    assert [finding.family for finding in task.findings] == ["null"]
    assert any(probe == "planted" and "untouched" in why for probe, why in task.proof.not_measured)


@pytest.mark.parametrize(("family", "tried"), [("hack", False), ("leak", False), ("mutant", True)])
def test_what_needs_isolation_is_not_measured_without_it(tmp_path: Path, family: Family, *, tried: bool) -> None:
    task = attacked(tmp_path, only("right"), Planted(["left"], family=family))
    assert ("planted" in task.proof.measured) is tried


def test_a_checks_that_rejects_no_mutant_is_named(tmp_path: Path) -> None:
    def grade(word: str | None) -> Said:
        ok = "passed" if word == "right" else "failed"
        return Said("1" if word == "right" else "0", {"spelled": ok, "present": "passed" if word else "failed"})

    task = attacked(tmp_path, grade, Planted([f"wrong-{n}" for n in range(9)]))
    (finding,) = task.findings
    assert (finding.severity, finding.family) == ("lead", "mutant")
    assert "present" in finding.claim
    assert "spelled" not in finding.claim


def test_only_one_submission_is_tried_where_only_names_it(tmp_path: Path) -> None:
    task = attacked(tmp_path, only("right"), Planted(["left", "up"]), only="planted:up")
    assert [one.probe for one in task.outcomes if one.family == "mutant"] == ["planted:up"]


class Counting:
    """Counts gradings, so that a remembered one is seen not to be made again."""

    def __init__(self) -> None:
        self.seen = 0

    def grade(self, word: str | None) -> Said:
        self.seen += 1
        return only("right")(word)


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], int]:
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    folder = make_task(tmp_path / "word")

    def count(fresh: bool) -> int:
        counting = Counting()
        options = ProveOptions(repeats=2, concurrency=1, probes=(Planted(["left"], family="hack"),), fresh=fresh)
        sandbox = Isolating(sandbox_with(counting.grade).script)
        prove(suite_of(folder), sandbox, InlineEngine(), options, tool="test", on_tried=lambda _: None)
        return counting.seen

    return count


def test_a_known_answer_is_not_computed_twice(counted: Callable[[bool], int]) -> None:
    assert [counted(False), counted(False)] == [5, 0]


def test_fresh_grades_again(counted: Callable[[bool], int]) -> None:
    assert [counted(False), counted(True)] == [5, 5]


def with_oracle(folder: Path) -> Path:
    task = make_task(folder / "word")
    (task / "oracle").mkdir()
    (task / "oracle" / "test.sh").write_text("echo the oracle\n")
    (task / "proof.toml").write_text('oracle = "oracle"\n')
    return task


def judged_by(oracle: Callable[[str | None], bool]) -> FakeSandbox:
    """Return a sandbox whose own grader passes every word, and whose oracle passes what `oracle` says."""
    inner = sandbox_with(lambda word: Said("1" if word else "0")).script
    strict = sandbox_with(lambda word: Said("1" if oracle(word) else "0")).script

    def act(command: Command, root: Path) -> Completed:
        script = root / "tests" / "test.sh"
        is_oracle = script.exists() and script.read_text() == "echo the oracle\n"
        return strict(command, root) if is_oracle else inner(command, root)

    return FakeSandbox(act)


@pytest.mark.parametrize(
    ("oracle", "severities"),
    [
        (lambda word: word == "right", ["proof"]),
        (lambda word: word in ("right", "left"), []),
        (lambda word: word == "left", ["lead"]),
    ],
    ids=["rejects it", "accepts it", "rejects the reference"],
)
def test_an_oracle_decides_what_a_surviving_mutant_is(
    tmp_path: Path, oracle: Callable[[str | None], bool], severities: list[str]
) -> None:
    options = ProveOptions(repeats=2, concurrency=2, probes=(Planted(["left"], severity="lead"),), fresh=True)
    suite = suite_of(with_oracle(tmp_path))
    (task,) = prove(suite, judged_by(oracle), InlineEngine(), options, tool="test", on_tried=lambda _: None)
    assert [finding.severity for finding in task.findings] == severities
