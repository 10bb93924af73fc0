"""A rewardkit folder is read without being run: every criterion is translated or named.

What rewardkit 0.2.3 itself makes of these folders was recorded by running it on the same files.
"""

from __future__ import annotations

import inspect
import json
import sqlite3
import tomllib
from pathlib import Path

import pytest

from fairtrial.checks import Rules, in_box, read_checks
from fairtrial.checks.registry import BOX, OUTSIDE, catalogue
from fairtrial.checks.rewardkit import Translation, read_rewardkit
from fairtrial.checks.rewardkit.criteria import SIGNATURES, TRANSLATIONS
from fairtrial.grade.rules_file import read_rules
from fairtrial.records.errors import FormatError

FILES = """
import json
from pathlib import Path
import rewardkit as rk
from rewardkit import criteria

ORACLE = json.loads((Path(__file__).resolve().parent.parent / "oracle.json").read_text())
OUT = "out.txt"
rk.file_exists(OUT, weight=2.0)
rk.file_not_exists("old.txt")
rk.file_contains(OUT, ORACLE["word"], name="word")
rk.file_contains_regex(OUT, r"^hel+o$")
rk.file_contains_regex(OUT, r"(?m)^two$")
rk.file_matches("answer.txt", "  42 ")
criteria.files_equal("a.txt", "b.txt")
for name in ["a.txt", "b.txt", "zzz.txt"]:
    rk.file_exists(name)
[rk.file_contains(f"{n}.txt", n.upper()) for n in ("a", "b")]
rk.file_exists("sub")
rk.file_contains(OUT, "nothing of it", weight=0.5)
"""
DATA = """
import rewardkit
rewardkit.csv_cell_equals("t.csv", 0, "n", "1")
rewardkit.csv_cell_equals("t.csv", 1, 0, "ann")
rewardkit.csv_cell_equals("t.csv", 5, 0, "ann")
rewardkit.json_key_equals("j.json", "a", {"b": [1, None]})
rewardkit.json_path_equals("j.json", "a.b.0", 1)
rewardkit.json_path_equals("j.json", "a.b.-1", None)
rewardkit.json_path_equals("j.json", "a.c", 1)
rewardkit.sqlite_query_equals("d.db", "SELECT count(*) FROM t", 2)
rewardkit.sqlite_query_equals("d.db", "SELECT x FROM t ORDER BY x", None)
rewardkit.sqlite_query_equals("none.db", "SELECT 1", 1)
rewardkit.command_succeeds("test -f out.txt")
rewardkit.command_succeeds("exit 3")
rewardkit.command_output_contains("cat out.txt", "two")
rewardkit.command_output_matches("echo hi", "hi")
rewardkit.command_output_matches("pwd", "/x", cwd="sub")
rewardkit.command_output_matches_regex("cat a.txt; echo z >&2", "^A$", timeout=5)
"""
DEEP = 'import rewardkit as rk\nrk.file_exists("a.txt", weight=5)\nrk.file_exists("nope.txt")\n'
THERE = {
    "data/checks": [1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1],
    "data/deep/all": [1, 0],
    "files/checks": [1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0],
}
"""Component -> what rewardkit gives each of its criteria, in order."""


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def workspace(folder: Path) -> Path:
    write(folder, {"out.txt": "hello\ntwo\n", "answer.txt": "42\n", "a.txt": "A\n", "b.txt": "A\n", "sub/x": "",
                   "t.csv": "name,n\nann,1\n", "j.json": '{"a": {"b": [1, null]}}'})  # fmt: skip
    connection = sqlite3.connect(folder / "d.db")
    connection.executescript("CREATE TABLE t (x); INSERT INTO t VALUES (NULL), (3)")
    connection.close()
    return folder


def graded(translation: Translation, folder: Path) -> tuple[dict[str, bool], float | None]:
    """Return whether each check passes, and the reward."""
    write(folder, {"checks.toml": translation.checks, "grading.toml": translation.grading})
    read_rules(folder / "grading.toml")
    report = in_box(read_checks(folder / "checks.toml"))
    assert not report.broken
    reward = report.reward(Rules.of(tomllib.loads(translation.grading)))
    return {name: result.passed for name, result in report.results.items()}, reward


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    scoring = '[scoring.all]\naggregation = "all-pass"\n'
    files = {"files/checks.py": FILES, "data/checks.py": DATA, "data/deep/all.py": DEEP}
    return write(tmp_path / "rewardkit", files | {"data/deep/reward.toml": scoring, "oracle.json": '{"word": "hello"}'})


@pytest.mark.parametrize(
    ("top", "reward"),
    [
        ('[[reward]]\nname = "reward"\nweights = { files = 3.0, data = 1.0 }\n', 0.6549),
        ('[[reward]]\nname = "reward"\naggregation = "all-pass"\n', 0.0),
        ("", (0.3438 + 0.7586) / 2),
    ],
)
def test_each_criterion_and_the_reward_are_what_rewardkit_gives(
    top: str, reward: float, kit: Path, tmp_path: Path
) -> None:
    if top:
        write(kit, {"reward.toml": top})
    app = workspace(tmp_path / "app")
    translation = read_rewardkit(kit, str(app))
    passed, given = graded(translation, tmp_path / "ours")
    found = {one: [int(p) for name, p in passed.items() if name.startswith(f"{one}:")] for one in THERE}
    assert found == THERE
    assert given == pytest.approx(reward, abs=2e-4)
    assert translation.untranslated == ()


def test_all_criteria_of_rewardkit_have_a_counterpart() -> None:
    assert set(SIGNATURES) == set(TRANSLATIONS)
    assert len(SIGNATURES) == 23


def test_what_is_declared_is_a_check_with_those_parameters(tmp_path: Path) -> None:
    numbers = ("min_count", "max_turns", "width", "height", "row", "col", "timeout", "status")
    arguments = dict.fromkeys(numbers, "1")
    lines = ["import rewardkit as rk"]
    for name, parameters in SIGNATURES.items():
        lines.append(f"rk.{name}({', '.join(arguments.get(one, repr(one)) for one in parameters)})")
    translation = read_rewardkit(write(tmp_path, {"checks.py": "\n".join(lines)}))
    assert translation.untranslated == ()
    declared = tomllib.loads(translation.checks)["check"]
    assert len(declared) == len(SIGNATURES)
    known = catalogue(BOX + OUTSIDE)
    for one in declared:
        assert set(one) - {"name", "use"} <= set(inspect.signature(known[one["use"]]).parameters)


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("@rk.criterion\ndef mine(workspace):\n    return True\n", "`mine`"),
        ("@rk.criterion(shared=True)\ndef mine(workspace):\n    return True\nrk.mine()\n", "`mine`"),
        ("@rk.criterion\ndef mine(workspace, n):\n    return n\nrk.mine(n=3, weight=2)\n", "`mine`"),
        ("@rk.criterion\ndef file_exists(workspace, path):\n    return False\nrk.file_exists('a')\n", "`file_exists`"),
        ("rk.scalar('a', 3)\n", "no such criterion"),
        ("import os\nrk.file_exists(os.environ['X'])\n", "not known"),
        ("for n in open('/etc/passwd'):\n    rk.file_exists(n)\n", "not known"),
        ("def add(n):\n    rk.file_exists(n)\nadd('a')\n", "`add` registers it"),
        ("import sys\nif sys.argv:\n    rk.file_exists('a')\n", "condition"),
        ("try:\n    rk.file_exists('a')\nexcept ValueError:\n    pass\n", "conditions"),
        ("rk.file_exists(**{'path': 'a'})\n", "not known"),
        ("rk.file_exists('a', 'b', 'c')\n", "3 arguments"),
        ("rk.file_exists(name='x')\n", "lacks the argument 'path'"),
        ("rk.file_exists('a', colour=1)\n", "no argument `colour`"),
        ("rk.file_exists('x' * 10**9)\n", "not known"),
        ("a = [rk.file_exists(n) for n in unknown]\n", "not known"),
        ("from pathlib import Path\nrk.file_contains('a', Path('/etc/hostname').read_text())\n", "not known"),
    ],
)
def test_what_cannot_be_translated_is_named_with_its_place(code: str, named: str, tmp_path: Path) -> None:
    found = read_rewardkit(write(tmp_path, {"checks.py": f"import rewardkit as rk\n{code}"}))
    assert len(found.untranslated) == 1
    assert found.untranslated[0].startswith("checks.py:")
    assert named in found.untranslated[0]
    assert found.checks == ""


def test_no_code_of_the_folder_is_run(tmp_path: Path) -> None:
    code = f"import rewardkit as rk\nopen({str(tmp_path / 'ran')!r}, 'w').write('x')\nrk.file_exists('a')\n"
    found = read_rewardkit(write(tmp_path / "kit", {"checks.py": code}))
    assert "file_exists" in found.checks
    assert not (tmp_path / "ran").exists()


def test_shares_and_other_aggregations_are_told(tmp_path: Path) -> None:
    files = {"a.py": "import rewardkit as rk\nrk.diff_ratio('a', 'b')\nrk.file_exists('c', isolated=True)\n",
             "reward.toml": '[scoring.a]\naggregation = "any_pass"\n'}  # fmt: skip
    told = "\n".join(read_rewardkit(write(tmp_path, files)).differs)
    assert "`any-pass` has no counterpart" in told
    assert "gives a share between 0 and 1" in told
    assert "copy of the workspace" in told


def test_a_judge_becomes_questions_and_grades_are_named(tmp_path: Path) -> None:
    toml = """
[judge]
judge = "some/model"
files = ["out.txt", "/logs/x"]
samples = 5
weight = 3.0
[scoring]
aggregation = "required-pass"
[[criterion]]
description = "Is it polite?"
name = "polite"
[[criterion]]
description = "How good is it?"
type = "likert"
[[criterion]]
description = "Does it insult?"
negate = true
[[criterion]]
description = "Is it short?"
annotations = { importance = "optional" }
"""
    found = read_rewardkit(write(tmp_path, {"quality.toml": toml}))
    checks = tomllib.loads(found.checks)["check"]
    assert [one["name"] for one in checks] == ["quality:polite", "quality:Does it insult?", "quality:Is it short?"]
    assert checks[0]["artifacts"] == ["/app/out.txt", "/logs/x"]
    assert checks[0]["votes"] == 5
    assert checks[1]["passes_on"] == "no"
    assert [one["role"] for one in tomllib.loads(found.grading)["check"] if "role" in one] == ["quality"]
    assert len(found.untranslated) == 1
    assert "likert" in found.untranslated[0]


@pytest.mark.parametrize("files", [{"a.py": "def ("}, {"a.toml": "["}, {"a.toml": "[[criterion]]\nname = 'x'\n"}])
def test_a_broken_file_is_said_with_its_path(files: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=next(iter(files))):
        read_rewardkit(write(tmp_path, files))


def test_names_are_told_apart_and_any_text_survives(tmp_path: Path) -> None:
    text = 'quote " back \\ tab \t del \x7f ünï\n'
    code = f"import rewardkit as rk\nrk.file_contains('a', {text!r})\nrk.file_contains('a', {text!r})\n"
    checks = tomllib.loads(read_rewardkit(write(tmp_path, {"c.py": code})).checks)["check"]
    assert [one["contains"] for one in checks] == [text, text]
    assert [one["name"] for one in checks] == ["c:file_contains:a", "c:file_contains:a #2"]
    assert json.dumps(checks)


@pytest.mark.parametrize(
    "text",
    ['judge = "a"\n[[criterion]]\ndescription = "x"\n', '[judge]\nweight = []\n[[criterion]]\ndescription = "x"\n',
     '[judge]\n[[criterion]]\ndescription = "x"\n[scoring]\nthreshold = "a"\n', "scoring = 1\n", "reward = [1]\n",
     "x = " + "[" * 3000, '[scoring]\nc = "a"\n', '[[reward]]\nweights = 3\n'],
)  # fmt: skip
def test_values_of_other_types_are_refused_by_folder(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"reward.toml": text, "c.py": 'import rewardkit as rk\nrk.file_exists("a")\n'})
    with pytest.raises(FormatError):
        read_rewardkit(tmp_path)


@pytest.mark.parametrize(
    "told", ['files = 1', 'samples = "a"', "samples = nan", 'guard = 1\nsamples = {}', 'files = [1]']
)  # fmt: skip
def test_a_judge_of_other_types_is_named_and_not_translated(told: str, tmp_path: Path) -> None:
    write(tmp_path, {"j.toml": f'[judge]\n{told}\n[[criterion]]\ndescription = "x"\n'})
    found = read_rewardkit(tmp_path)
    assert (found.checks, len(found.untranslated)) == ("", 1)


@pytest.mark.parametrize("value", ["...", 'b"x"', "1j"])
def test_a_value_that_toml_cannot_say_is_named_and_not_translated(value: str, tmp_path: Path) -> None:
    write(tmp_path, {"c.py": f'import rewardkit as rk\nrk.json_key_equals("a.json", "k", {value})\n'})
    found = read_rewardkit(tmp_path)
    assert (found.checks, len(found.untranslated)) == ("", 1)
