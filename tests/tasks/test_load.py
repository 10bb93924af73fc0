"""Task folders become task and key, or an error that names file, line and field."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.tasks.task_folders import FILES, make_task, write

from fairtrial.records import FormatError, InputError
from fairtrial.tasks import find_tasks, load_suite, load_task

ZOO = Path(__file__).resolve().parents[3] / "shared" / "zoo"


def error_of(path: Path) -> FormatError:
    with pytest.raises(FormatError) as caught:
        load_task(path)
    return caught.value


def test_a_sound_folder_gives_both_halves(tmp_path: Path) -> None:
    task, key = load_task(make_task(tmp_path / "sum"))
    assert (task.name, key.task) == ("sum", "sum")
    assert task.instruction == FILES["instruction.md"]
    assert task.environment.workdir == "/app"
    assert task.environment.limits.memory_mb == 256
    assert [(c.name, c.kind, c.fails) for c in key.candidates] == [
        ("five", "defect", ("answer",)),
        ("padded", "alternative", ()),
        ("forged", "hack", ()),
    ]
    assert key.steps[0].solution == tmp_path / "sum" / "solution"


def test_the_public_half_names_no_path_to_the_key(tmp_path: Path) -> None:
    task, key = load_task(make_task(tmp_path / "sum"))
    for private in (key.path / "tests", key.path / "solution", key.path / "candidates"):
        assert str(private) not in repr(task)


def test_a_syntax_error_names_its_line(tmp_path: Path) -> None:
    error = error_of(make_task(tmp_path / "t", {"task.toml": 'version = "1.0"\n\n[agent\n'}))
    assert (Path(error.path or "").name, error.line) == ("task.toml", 3)


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        ('version = "1.0"\n[agent]\ntimeout_sec = "long"\n', 3, "agent.timeout_sec"),
        ("[agent]\ntimeout_sec = -1\n", 2, "agent.timeout_sec"),
        ("[agent]\ntimeout_sec = inf\n", 2, "agent.timeout_sec"),
        ("[verifier]\ntimeout_sec = true\n", 2, "verifier.timeout_sec"),
        ('[environment]\n\nmemory = "2 elephants"\n', 3, "environment.memory"),
        ("[environment]\nmemory_mb = 0\n", 2, "environment.memory_mb"),
        ('[verifier]\nenvironment_mode = "shared-ish"\n', 2, "verifier.environment_mode"),
        ('multi_step_reward_strategy = "best"\n', 1, "multi_step_reward_strategy"),
        ('schema_version = "2.0"\n', 1, "schema_version"),
        ('[[steps]]\nname = "one"\n[[steps]]\nname = "../two"\n', 4, "steps[1].name"),
        ('environment = "none"\n', 1, "environment"),
    ],
)
def test_a_wrong_setting_names_its_line_and_field(tmp_path: Path, text: str, line: int, field: str) -> None:
    error = error_of(make_task(tmp_path / "t", {"task.toml": text}))
    assert (Path(error.path or "").name, error.line, error.field) == ("task.toml", line, field)


def test_unknown_keys_of_task_toml_are_passed_over(tmp_path: Path) -> None:
    text = 'version = "1.0"\nnew = 1\n[environment]\ngpus = 2\n[later]\nx = {y = 1}\n'
    assert load_task(make_task(tmp_path / "t", {"task.toml": text}))[0].name == "t"


def test_sizes_may_be_text(tmp_path: Path) -> None:
    text = '[environment]\nmemory = "2G"\nstorage = "512M"\n'
    limits = load_task(make_task(tmp_path / "t", {"task.toml": text}))[0].environment.limits
    assert (limits.memory_mb, limits.file_mb) == (2048, 512)


@pytest.mark.parametrize("name", ["tests/test.sh", "instruction.md", "environment/Dockerfile"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    error = error_of(make_task(tmp_path / "t", {name: None}))
    assert (error.path or "").endswith(name)
    assert error.what == "is missing"


def test_an_image_stands_in_for_a_dockerfile(tmp_path: Path) -> None:
    settings = '[environment]\ndocker_image = "registry/x:1"\n'
    task, _ = load_task(make_task(tmp_path / "t", {"environment/Dockerfile": None, "task.toml": settings}))
    assert (task.environment.image, task.environment.instructions) == ("registry/x:1", ())


def test_a_missing_reference_is_allowed(tmp_path: Path) -> None:
    assert load_task(make_task(tmp_path / "t", {"solution/solve.sh": None}))[1].steps[0].solution is None


@pytest.mark.parametrize(
    ("proof", "line", "field", "word"),
    [
        (
            '[[candidate]]\nname = "x"\nkind = "bug"\nsolve = "candidates/five/solve.sh"\n',
            3,
            "candidate[0].kind",
            "bug",
        ),
        ('[[candidate]]\nname = "x"\nkind = "hack"\n', 1, "candidate[0].solve", "missing"),
        (
            '[[candidate]]\nname = "x"\nkind = "hack"\nsolve = "candidates/six/solve.sh"\n',
            4,
            "candidate[0].solve",
            "exist",
        ),
        ('[[candidate]]\nname = "x"\nkind = "hack"\nsolve = "../else/solve.sh"\n', 4, "candidate[0].solve", "leaves"),
        ('[[candidate]]\nname = "x"\nkind = "hack"\nsolve = "/etc/passwd"\n', 4, "candidate[0].solve", "leaves"),
        ('[[candidate]]\nname = "x"\nkind = "hack"\nsolve = "task.toml"\n', 4, "candidate[0].solve", "folder"),
        (
            '[[candidate]]\nname = "x"\nkind = "hack"\nsolve = "candidates/five/solve.sh"\nfails = ["a"]\n',
            5,
            "candidate[0].fails",
            "defect",
        ),
        ('live = "yes"\n', 1, "live", "yes"),
    ],
)
def test_a_wrong_candidate_names_its_line(tmp_path: Path, proof: str, line: int, field: str, word: str) -> None:
    error = error_of(make_task(tmp_path / "t", {"proof.toml": proof}))
    assert (Path(error.path or "").name, error.line, error.field) == ("proof.toml", line, field)
    assert word in error.what


def test_an_unknown_key_of_proof_toml_is_an_error_with_a_guess(tmp_path: Path) -> None:
    proof = FILES["proof.toml"].replace("fails", "fail")
    error = error_of(make_task(tmp_path / "t", {"proof.toml": proof}))
    assert (error.line, error.field, error.hint) == (5, "candidate[0].fail", "Did you mean `fails`?")


def test_two_candidates_of_one_name_are_refused(tmp_path: Path) -> None:
    proof = FILES["proof.toml"].replace('"padded"', '"five"', 1)
    error = error_of(make_task(tmp_path / "t", {"proof.toml": proof}))
    assert (error.line, error.hint) == (8, "The other is at line 2.")


@pytest.mark.parametrize("inside", ["environment/workspace/key", "tests/key", "solution/key", "instruction.md"])
def test_a_link_out_of_the_task_is_refused_by_name(tmp_path: Path, inside: str) -> None:
    path = make_task(tmp_path / "t", {inside: None})
    write(tmp_path / "secret", "s")
    (path / inside).symlink_to(os.path.relpath(tmp_path / "secret", (path / inside).parent))
    error = error_of(path)
    assert (error.path or "").endswith(inside)
    assert "leads out" in error.what


def test_a_link_from_the_environment_to_the_tests_is_refused(tmp_path: Path) -> None:
    path = make_task(tmp_path / "t")
    (path / "environment" / "workspace" / "peek").symlink_to("../../tests/test.sh")
    assert "leads out of environment/" in error_of(path).what


def test_a_pipe_in_a_task_is_refused(tmp_path: Path) -> None:
    path = make_task(tmp_path / "t")
    os.mkfifo(path / "tests" / "pipe")
    assert "neither a file" in error_of(path).what


def test_steps_are_read_in_their_order(tmp_path: Path) -> None:
    changed: dict[str, str | None] = {
        "task.toml": (
            'multi_step_reward_strategy = "final"\n[verifier]\ntimeout_sec = 9\n[[steps]]\nname = "second"\n'
            'min_reward = 0.5\n[steps.agent]\ntimeout_sec = 7\n[[steps]]\nname = "first"\n'
        ),
        "instruction.md": None,
        "steps/second/instruction.md": "Two.\n",
        "steps/second/tests/test.sh": "echo 1\n",
        "steps/second/workdir/more.txt": "m\n",
        "steps/first/instruction.md": "One.\n",
        "steps/first/solution/solve.sh": "true\n",
    }
    task, key = load_task(make_task(tmp_path / "t", changed))
    assert [(step.name, step.agent_seconds) for step in task.steps] == [("second", 7), ("first", 600)]
    assert task.steps[0].workdir == tmp_path / "t" / "steps" / "second" / "workdir"
    assert [(step.min_reward, step.verifier_seconds) for step in key.steps] == [(0.5, 9), (None, 9)]
    assert key.steps[1].tests == tmp_path / "t" / "tests", "a step without tests is graded by the task's"
    assert key.reward_strategy == "final"


def test_a_suite_is_found_one_folder_down(tmp_path: Path) -> None:
    make_task(tmp_path / "s" / "b")
    make_task(tmp_path / "s" / "group" / "a")
    make_task(tmp_path / "s" / "group" / "deeper" / "c")
    write(tmp_path / "s" / "notes" / "x.md", "no task")
    suite = load_suite(tmp_path / "s")
    assert [task.name for task in suite.tasks] == ["a", "b"]
    assert all(task.suite == suite.identity for task in suite.tasks)
    assert suite.identity.startswith("s@")


RULES = '[[check]]\nname = "sum"\n'


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({}, None),
        ({"grading.toml": RULES}, "grading.toml"),
        ({"tests/grading.toml": RULES}, "tests/grading.toml"),
        ({"grading.toml": RULES, "tests/grading.toml": RULES}, "grading.toml"),
    ],
)
def test_grading_toml_may_lie_at_the_root_or_in_tests(
    tmp_path: Path, files: dict[str, str | None], wanted: str | None
) -> None:
    _, key = load_task(make_task(tmp_path / "t", files))
    assert key.grading == (tmp_path / "t" / wanted if wanted else None)


def test_two_grading_tomls_that_differ_are_refused_by_name(tmp_path: Path) -> None:
    path = make_task(tmp_path / "t", {"grading.toml": RULES, "tests/grading.toml": RULES + "weight = 2\n"})
    with pytest.raises(InputError, match=r"t/grading\.toml: says other rules than .*tests/grading\.toml"):
        load_task(path)


def test_a_folder_without_tasks_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no task"):
        find_tasks(tmp_path)
    with pytest.raises(InputError, match="is not a folder"):
        find_tasks(tmp_path / "absent")


def test_two_tasks_of_one_name_are_refused(tmp_path: Path) -> None:
    named = {"task.toml": '[task]\nname = "same"\n'}
    make_task(tmp_path / "s" / "a", named)
    make_task(tmp_path / "s" / "b", named)
    with pytest.raises(InputError, match="two tasks are named `same`"):
        load_suite(tmp_path / "s")


def test_a_network_is_asked_for_by_name(tmp_path: Path) -> None:
    asked = {
        "": False,
        "allow_internet = true\n": True,
        'network_mode = "no-network"\n': False,
        'network_mode = "public"\n': True,
    }
    for number, (line, wanted) in enumerate(asked.items()):
        task, _ = load_task(make_task(tmp_path / str(number), {"task.toml": f"[environment]\n{line}"}))
        assert task.environment.allow_internet is wanted, line


def test_every_zoo_task_loads() -> None:
    if not ZOO.is_dir():
        pytest.skip("../shared/zoo is not here")
    suite = load_suite(ZOO)
    assert len(suite.tasks) == len(list(ZOO.glob("*/*/task.toml"))) > 20
    assert all(key.candidates for key in suite.keys.values())


def test_only_some_tasks_are_a_suite_of_their_own(tmp_path: Path) -> None:
    for name in ("a", "b"):
        make_task(tmp_path / name)
    whole, part = load_suite(tmp_path), load_suite(tmp_path, ["b"])
    assert [task.name for task in part.tasks] == ["b"] == list(part.keys)
    assert part.hash != whole.hash
    assert part.tasks[0].suite == part.identity
    with pytest.raises(InputError, match="no task `c`"):
        load_suite(tmp_path, ["c"])
