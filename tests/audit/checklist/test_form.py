"""Forms: what is written can be read back whatever tasks are called, and what does not fit is named with its line."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairtrial.audit.checklist import (
    Checklist,
    Population,
    TaskRef,
    blank_form,
    find_checklist,
    inspections_of,
    read_checklist,
    read_form,
)
from fairtrial.records import FormatError, InputError

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(
    lambda name: name == name.strip()
)
REVIEW = find_checklist("review")


def benchmark(*names: str) -> Population:
    return Population(suite="s@1", tasks=tuple(TaskRef(name, f"sha256:{number}") for number, name in enumerate(names)))


def write(path: Path, population: Population, checklist: Checklist = REVIEW) -> str:
    path.write_bytes(blank_form(checklist, population, population.tasks, 7, path.suffix))
    return path.read_bytes().decode()  # as it is: the ends of lines are part of a cell


@pytest.mark.parametrize("suffix", [".toml", ".csv", ".jsonl"])
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(NAMES, min_size=1, max_size=3, unique=True))
def test_a_form_asks_every_question_of_every_task_and_is_read_back(
    tmp_path: Path, suffix: str, names: list[str]
) -> None:
    path, population = tmp_path / f"form{suffix}", benchmark(*names)
    blank = write(path, population)
    asked = len(REVIEW.about("benchmark")) + len(names) * len(REVIEW.about("task"))
    nothing = read_form(path, REVIEW, population, "ada", "now")
    assert (nothing.inspections, nothing.unanswered, nothing.n, nothing.seed) == ((), asked, len(names), 7)
    path.write_bytes(fill(blank, suffix).encode())
    filled = read_form(path, REVIEW, population, "ada", "now")
    assert filled.unanswered == 0
    assert {(one.task, one.item) for one in filled.inspections} == {
        ("", item.id) for item in REVIEW.about("benchmark")
    } | {(name, item.id) for name in names for item in REVIEW.about("task")}
    assert {one.task_hash for one in filled.inspections if one.task} == {task.hash for task in population.tasks}
    assert {one.answer for one in filled.inspections} == {"holds"}


def fill(blank: str, suffix: str) -> str:
    """Answer every question of a blank form with `holds`, as a person or a program would."""
    if suffix == ".toml":
        return blank.replace('answer = ""', 'answer = "holds"')
    if suffix == ".jsonl":
        rows = [json.loads(line) for line in blank.split("\n") if line]
        return "\n".join(json.dumps(row | {"answer": "holds"}) for row in rows)
    table = list(csv.DictReader(io.StringIO(blank, newline="")))
    text = io.StringIO()
    writer = csv.DictWriter(text, table[0].keys())
    writer.writeheader()
    writer.writerows(row | {"answer": "holds"} for row in table)
    return text.getvalue()


def test_what_a_person_writes_comes_through(tmp_path: Path) -> None:
    path = tmp_path / "form.toml"
    path.write_text("""reviewer = "ada"
[[answer]]
task = "a"
item = "right-work-passes"
answer = "fails"
at_scale = true
citations = ["[instruction] round to cents", ""]
note = " whole euros fail "
rollout = "r1"
[[answer]]
item = "equal-terms"
answer = "fails"
at_scale = "no"
reviewer = "bo"
""")
    one, other = read_form(path, REVIEW, benchmark("a"), "", "now").inspections
    assert (one.reviewer, one.at_scale, one.citations, one.note, one.rollout) == (
        "ada", True, ("[instruction] round to cents",), "whole euros fail", "r1")  # fmt: skip
    assert (other.reviewer, other.at_scale, other.task, other.suite) == ("bo", False, "", "s@1")


def test_an_answer_that_a_spreadsheet_capitalised_is_understood(tmp_path: Path) -> None:
    path = tmp_path / "form.csv"
    path.write_text("task,item,answer,reviewer\na,can-be-done,Holds ,ada\na,no-way-around,Not applicable,ada\n")
    assert [one.answer for one in read_form(path, REVIEW, benchmark("a"), "", "now").inspections] == [
        "holds", "not_applicable"]  # fmt: skip


def test_a_form_that_is_read_twice_says_nothing_new_and_a_changed_mind_does(tmp_path: Path) -> None:
    path, population = tmp_path / "form.jsonl", benchmark("a")
    row = {"item": "can-be-done", "task": "a", "answer": "holds", "reviewer": "ada"}
    path.write_text(json.dumps(row))
    first = read_form(path, REVIEW, population, "", "1").inspections
    assert inspections_of(read_form(path, REVIEW, population, "", "2"), first) == ()
    moved = Population(suite="s@2", tasks=population.tasks)
    assert inspections_of(read_form(path, REVIEW, moved, "", "2"), first) == ()
    path.write_text(json.dumps(row | {"answer": "fails"}))
    (changed,) = inspections_of(read_form(path, REVIEW, population, "", "3"), first)
    assert changed.answer == "fails"


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"item": "no-such"}, "item"),
        ({"answer": "yes"}, "answer"),
        ({"task": "zz"}, "task"),
        ({"task": ""}, "task"),
        ({"item": "equal-terms"}, "task"),
        ({"item": "equal-terms", "task": "", "answer": "fails"}, "at_scale"),
        ({"at_scale": "yes"}, "at_scale"),
        ({"at_scale": "perhaps"}, "at_scale"),
        ({"reviewer": " "}, "reviewer"),
        ({"checklist": "review@000000000000"}, "checklist"),
        ({"suite": "other@1"}, "suite"),
        ({"answr": "holds"}, "answr"),
        ({"note": 3}, "note"),
        ({"citations": [1]}, "citations"),
        ({"n": "many"}, "n"),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path: Path, row: dict[str, object], field: str) -> None:
    path = tmp_path / "form.jsonl"
    good = {"item": "can-be-done", "task": "a", "answer": "holds", "reviewer": "ada"}
    path.write_text("\n" + json.dumps(good | row) + "\n")
    with pytest.raises(FormatError) as caught:
        read_form(path, REVIEW, benchmark("a"), "", "now")
    assert (caught.value.field, caught.value.line) == (field, 2)


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("f.jsonl", '{"item": \n', 1),
        ("f.jsonl", "3\n", 1),
        ("f.csv", "item,task\na\n", 2),
        ("f.toml", "[[answer]]\nitem = \n", 2),
        ("f.toml", "answer = 3\n", 1),
        ("f.txt", "", None),
        ("f.csv", "", None),
        ("f.csv", "item,task\n", None),
        ("f.toml", 'reviewer = "ada"\n', None),
    ],
)
def test_a_file_that_is_no_form_is_refused(tmp_path: Path, name: str, text: str, line: int | None) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError) as caught:
        read_form(tmp_path / name, REVIEW, benchmark("a"), "", "now")
    assert caught.value.line == line


def test_an_answer_given_twice_in_one_form_is_refused(tmp_path: Path) -> None:
    row = json.dumps({"item": "can-be-done", "task": "a", "answer": "holds", "reviewer": "ada"})
    (tmp_path / "f.jsonl").write_text(f"{row}\n{row}\n")
    with pytest.raises(FormatError, match="twice, first at line 1"):
        read_form(tmp_path / "f.jsonl", REVIEW, benchmark("a"), "", "now")


def test_the_checklist_of_the_paper_has_each_of_its_items_once() -> None:
    abc = find_checklist("abc")
    wanted = [f"T.{n}" for n in range(1, 11)] + [f"R.{n}" for n in range(1, 14)]
    wanted += [f"O.{kind}.{n}" for kind, most in zip("abcdefghi", (2, 3, 2, 2, 3, 2, 3, 2, 1), strict=True)
               for n in range(1, most + 1)]  # fmt: skip
    assert sorted(item.see for item in abc.items) == sorted(wanted)
    assert all(item.question.endswith("?") for name in ("abc", "review") for item in find_checklist(name).items)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "checklist"),
        ('[checklist]\nname = "a b"\n[[item]]\nid = "x"\nsection = "scoring"\nquestion = "?"\n', "name"),
        ('[checklist]\nname = "a"\n[[item]]\nid = "x"\nsection = "style"\nquestion = "?"\n', "section"),
        (
            '[checklist]\nname = "a"\n[[item]]\nid = "x"\nsection = "scoring"\nquestion = "?"\nseverity = "note"\n',
            "decide",
        ),
        ('[checklist]\nname = "a"\n' + '[[item]]\nid = "x"\nsection = "scoring"\nquestion = "?"\n' * 2, "twice"),
    ],
)
def test_a_checklist_that_cannot_decide_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_checklist(path)
    with pytest.raises(InputError, match="neither"):
        find_checklist(str(tmp_path / "none.toml"))


def test_only_what_is_asked_is_in_the_identity_of_a_checklist(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    text = '[checklist]\nname = "a"\n[[item]]\nid = "x"\nsection = "scoring"\nquestion = "Is it?"\n'
    path.write_text(text)
    first = read_checklist(path).identity
    path.write_text("# a word\n" + text.replace("Is it?", "Is   it?"))
    assert read_checklist(path).identity == first
    path.write_text(text.replace("Is it?", "Was it?"))
    assert read_checklist(path).identity != first


def test_a_toml_form_is_toml_for_every_reader(tmp_path: Path) -> None:
    blank = write(tmp_path / "form.toml", benchmark('a"b\\\n\x7f\u2028#', "ö"))
    read = tomllib.loads(blank)
    assert [one["task"] for one in read["answer"] if one.get("item") == "can-be-done"] == ['a"b\\\n\x7f\u2028#', "ö"]
