"""The emitted folders are tasks: they lint clean, are proven, and do not hand the agent what is right."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from authoring.records.desks import graded, row, simulated, written
from fairtrial.authoring.records.candidates import DECISION_PY
from fairtrial.authoring.records.grading import Case
from fairtrial.authoring.records.making import Made, Options, make
from fairtrial.authoring.records.telling import case_text, history, instruction
from fairtrial.prove import ProveOptions, prove
from fairtrial.records import FormatError, InputError
from fairtrial.run import InlineEngine
from fairtrial.sandbox import Bubblewrap
from fairtrial.tasks import find_tasks, load_suite
from fairtrial.tasks.lint import lint


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("desk")
    declared, _ = simulated(folder, 11, 40)
    return make(declared, Options(out=folder / "tasks"))


def test_every_task_reads_without_error_or_lead(made: Made) -> None:
    linted = lint(made.options.out)
    assert len(linted) == len(made.graded.cases)
    assert [(one.task, problem.what) for one in linted for problem in one.problems] == []


def known(case: Case) -> str:
    return f"{case.graded_by}:{case.reference}:{sorted(case.parameters)}"


def prove_all(made: Made, which: list[int], monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    """Prove tasks on their known candidates, each graded once."""
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(cache / "cache"))
    sandbox = Bubblewrap()
    if not (capability := sandbox.capability()).available:
        pytest.skip(f"bubblewrap does not work here: {capability.why}")
    options = ProveOptions(repeats=1, concurrency=1, known_only=True)
    for at in which:
        place = made.places[at]
        assert place is not None
        (proven,) = prove(load_suite(place), sandbox, InlineEngine(), options, tool="test", on_tried=lambda _: None)
        kind = known(made.graded.cases[at])
        assert [finding.claim for finding in proven.findings] == [], kind
        declared = {line.split('"')[1] for line in (place / "proof.toml").read_text().splitlines() if "name = " in line}
        assert len(declared) >= 4
        assert declared <= {name.split(":")[-1] for name in proven.proof.measured}, kind


@pytest.mark.extra
@pytest.mark.timeout(300)
def test_tasks_by_outcome_and_by_agreement_are_proven(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = {known(case): at for at, case in enumerate(made.graded.cases)}
    assert len(kinds) >= 5
    wanted = ("outcome:approve:['amount']", "agreement:ask:['document']")
    prove_all(made, [kinds[name] for name in wanted], monkeypatch, tmp_path)


ODD = """
[[action.parameter]]
name = "where"
kind = "choice"
choices = ["ward", "home"]

[outcome]
action = "looked"
field = "found"
right = { odd = ["yes", "ask"], bad = ["no"], good = ["yes"] }
parameters = { sum = "worth" }
"""


@pytest.mark.extra
@pytest.mark.timeout(300)
def test_tasks_with_several_right_actions_texts_and_choices_are_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = []
    for at, (action, found) in enumerate([("yes", "odd"), ("no", "odd"), ("yes", "good"), ("yes", ""), ("ask", "")]):
        name = {"case": f"c{at}"}
        rows += [
            row("2026-01-01T08:00:00Z", "cu", "opened", size=at, **name),
            row("2026-01-02T08:00:00Z", "ada", action, sum="-12.5", words="it's so", where="ward", **name),
        ]
        rows += [row("2026-02-01T08:00:00Z", "inv", "looked", found=found, worth="0", **name)] if found else []
    yes = "".join(f'[[action.parameter]]\nname = "{name}"\n{more}\n'
                  for name, more in (("sum", "within = 0.5\nshare = 0.1"), ("words", 'kind = "text"')))  # fmt: skip
    declared = written(tmp_path, rows, ODD, yes=yes)
    made = make(declared, Options(out=tmp_path / "tasks"))
    assert {len(case.right) for case in made.graded.cases} == {1, 2}
    several = next(at for at, case in enumerate(made.graded.cases) if len(case.right) > 1)
    worded = next(at for at, case in enumerate(made.graded.cases) if "words" in case.parameters)
    prove_all(made, [several, worded], monkeypatch, tmp_path)


def test_what_is_shown_does_not_hold_the_key(made: Made) -> None:
    for case, place in zip(made.graded.cases, made.places, strict=True):
        assert place is not None
        shown = (place / "instruction.md").read_text() + (place / "environment/workspace/history.jsonl").read_text()
        assert case.decision.entity not in shown
        assert case.decision.group.removeprefix("group:") not in shown
        assert "adj-" not in shown
        assert "inv-" not in shown


def test_what_is_offered_hangs_on_what_grades_and_never_on_what_is_right(made: Made) -> None:
    offers: dict[str, set[str]] = {}
    for case in made.graded.cases:
        text = instruction(case, made.declared)
        start, end = text.index("Choose one"), text.index("Write your decision")
        offers.setdefault(case.graded_by, set()).add(text[start:end])
    assert {name: len(texts) for name, texts in offers.items()} == {"outcome": 1, "agreement": 1}


def test_the_grader_takes_no_answer_of_all_and_no_other_key(tmp_path: Path) -> None:
    (tmp_path / "decision.py").write_text(DECISION_PY)
    names: dict[str, object] = {}
    exec(compile(DECISION_PY, "decision.py", "exec"), names)
    decides = names["decides"]
    assert callable(decides)
    offered = {"approve": ["amount"], "deny": []}
    answer = tmp_path / "decision.json"
    for text, passed in [
        ('{"action": "approve", "amount": 3}', True),
        ('{"amount": 3, "reason": "so", "action": "approve"}', True),
        ('{"action": "deny"}', False),
        ('{"action": ["approve", "deny"], "amount": 3}', False),
        ('{"action": "approve"}', False),
        ('{"action": "approve", "amount": 3, "also": "deny"}', False),
        ('["approve"]', False),
        ("approve", False),
        ("", False),
        ('{"action": "approve", "amount": 3, "reason": "' + "x" * 5000 + '"}', False),
    ]:
        answer.write_text(text)
        assert decides(str(answer), right=["approve"], offered=offered).passed is passed, text


def test_entities_and_actors_go_by_other_names_unless_asked(tmp_path: Path) -> None:
    rows = [row("2026-01-01T08:00:00Z", "cy", "opened", of="c1", told="by cy", asked="cy"),
            row("2026-01-02T08:00:00Z", "ada", "yes")]  # fmt: skip
    for how, actor, of in (
        ("", "actor-1", None),
        ('actors = "hidden"', None, None),
        ('actors = "shown"\nentities = "shown"', "cy", "c1"),
    ):
        declared = written(tmp_path, rows, f"[task]\n{how}")
        (case,) = graded(declared).cases
        (line,) = history(case, declared)
        assert line.get("actor") == actor
        assert line["fields"]["of"] == (of or f"case-{case.decision.id}")
        assert line["fields"]["asked"] == (actor or "cy")
        assert "opened" in case_text(case, declared)


def test_texts_that_could_break_a_script_or_a_toml_do_not(tmp_path: Path) -> None:
    strange = 'it\'s "odd" $(id) \\ `x`\nDECISION\n\u2028 end'
    rows = [row("2026-01-01T08:00:00Z", "cu", "opened", note=strange),
            row("2026-01-02T08:00:00Z", "ada", "yes", words=strange)]  # fmt: skip
    yes = '[[action.parameter]]\nname = "words"\nkind = "text"'
    declared = written(tmp_path, rows, yes=yes)
    found = make(declared, Options(out=tmp_path / "tasks"))
    assert [problem.what for one in lint(tmp_path / "tasks") for problem in one.problems] == []
    assert found.graded.cases[0].parameters == {"words": strange}
    (place,) = find_tasks(tmp_path / "tasks")
    script = (place / "solution/solve.sh").read_text().replace("/app/", f"{tmp_path}/")
    (tmp_path / "solve.sh").write_text(script)
    subprocess.run(["bash", str(tmp_path / "solve.sh")], check=True)
    assert json.loads((tmp_path / "decision.json").read_text()) == {"action": "yes", "words": strange}


def test_a_folder_that_holds_tasks_is_not_written_over(made: Made) -> None:
    with pytest.raises(InputError, match="there already"):
        make(made.declared, made.options)
    assert len(find_tasks(made.options.out)) == len(made.graded.cases)


def test_names_that_are_numbers_leave_the_numbers_of_fields(tmp_path: Path) -> None:
    rows = [row("2026-01-01T08:00:00Z", "7", "opened", case="1200", children="7", amount="1200", agent="7", owner="cu"),
            row("2026-01-01T09:00:00Z", "cu", "called", case="1200"),
            row("2026-01-02T08:00:00Z", "ada", "yes", case="1200")]  # fmt: skip
    declared = written(tmp_path, rows)
    (case,) = graded(declared).cases
    first, second = history(case, declared)
    assert first["fields"] == {"children": "7", "amount": "1200", "agent": "7", "owner": second["actor"]}
    assert first["actor"] != "7"


def test_a_cut_that_every_unit_straddles_makes_no_tasks(tmp_path: Path) -> None:
    rows = [row("2026-01-01T08:00:00Z", "cu", "opened"), row("2026-01-02T08:00:00Z", "ada", "ask"),
            row("2026-01-04T08:00:00Z", "ada", "yes")]  # fmt: skip
    with pytest.raises(InputError, match="both sides"):
        make(written(tmp_path, rows), Options(out=tmp_path / "tasks", after=datetime(2026, 1, 3, tzinfo=UTC)))
    assert not (tmp_path / "tasks").exists()


def test_a_file_laid_beside_may_not_take_the_place_of_the_history(tmp_path: Path) -> None:
    (tmp_path / "history.jsonl").write_text("{}")
    with pytest.raises(FormatError, match="name of another file"):
        written(tmp_path, [row("2026-01-01T08:00:00Z", "cu", "opened")], '[task]\nfiles = ["history.jsonl"]')


def test_a_blind_draw_is_right_as_often_as_there_are_right_actions(tmp_path: Path) -> None:
    more = '[outcome]\naction = "looked"\nfield = "found"\nright = { odd = ["yes", "ask"], bad = ["no"] }'
    rows = [row("2026-01-01T08:00:00Z", "cu", "opened"), row("2026-01-02T08:00:00Z", "ada", "yes"),
            row("2026-02-01T08:00:00Z", "inv", "looked", found="odd")]  # fmt: skip
    found = make(written(tmp_path, rows, more), Options(out=tmp_path / "tasks"))
    assert found.power["outcome"].guess_rate == pytest.approx(2 / 3)
