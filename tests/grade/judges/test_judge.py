"""JUDGE.toml says what is wrong with it; verdicts are read strictly; responses cannot reach the template."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.grade.judges import Judge, Shown, read_judge, read_verdict, rendered
from fairtrial.models import Said
from fairtrial.records import FormatError

HEAD = 'prompt = "{response}"\nscale = [0, 10]\npass_at = 7\ngap = 1\n'


def read(folder: Path, text: str) -> Judge:
    (folder / "j.toml").write_text(text)
    return read_judge(folder / "j.toml")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("scale = [0, 1]\n", "prompt"),
        ('prompt = "x"\nscale = [0, 1]\npass_at = 1\ngap = 1\n', "prompt"),
        ('prompt = "{response}"\n', "scale"),
        ('prompt = "{response}"\nscale = [1, 0]\n', "scale"),
        ('prompt = "{response}"\nscale = [0, 10]\ngap = 1\n', "pass_at"),
        ('prompt = "{response}"\nscale = [0, 10]\npass_at = 7\n', "gap"),
        ('prompt = "{response}"\nlabels = { yes = 1 }\n', "labels"),
        (HEAD + 'verdict_pattern = "("\n', "verdict_pattern"),
        (HEAD + 'verdict_pattern = "x"\n', "verdict_pattern"),
        (HEAD + 'paraphrases = ["no place"]\n', "paraphrases[0]"),
        (HEAD + "vots = 2\n", "vots"),
        ('form = "pairwise"\nprompt = "{first}"\n', "prompt"),
        ('prompt_file = "absent.md"\nscale = [0, 1]\npass_at = 1\ngap = 1\n', "prompt_file"),
    ],
)
def test_what_is_wrong_with_a_judge_is_named(text: str, field: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text)
    assert caught.value.field == field


def test_a_prompt_may_lie_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "ask.md").write_text("Say: {response}")
    judge = read(tmp_path, 'prompt_file = "ask.md"\nlabels = { yes = 1, no = 0 }\n')
    assert (judge.template, judge.gap, judge.pass_at, judge.field) == ("Say: {response}", 1, 1, "verdict")


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('{"score": 7}', 7.0),
        ('First {"score": 3}, then {"score": "8.5"}.', 8.5),
        ('{"reasons": {"score": 1}}', None),
        ('{"score": true}', None),
        ('{"score": NaN}', None),
        ('{"score": 11}', None),
        ('{"score": 7', None),
        ("{" * 5000, None),
        ("seven", None),
        ("", None),
    ],
)
def test_only_a_number_on_the_scale_is_a_score(reply: str, value: float | None) -> None:
    assert read_verdict(Judge(name="j", template="", high=10), reply) == value


def test_labels_preferences_and_patterns_are_read() -> None:
    labels = Judge(name="j", template="", labels=(("yes", 1.0), ("no", 0.0)), field="verdict")
    assert read_verdict(labels, '{"verdict": " YES "}') == 1
    assert read_verdict(labels, '{"verdict": "maybe"}') is None
    pair = Judge(name="j", template="", form="pairwise", field="verdict")
    assert [read_verdict(pair, f'{{"verdict": "{word}"}}') for word in ("A", "b", "tie", "C")] == [1, -1, 0, None]
    assert read_verdict(Judge(name="j", template="", high=10, pattern=r"Score:\s*(\d+)"), "Score: 3. Score: 9") == 9


def test_a_response_cannot_fill_in_the_template() -> None:
    judge = Judge(name="j", template="{prompt}|{response}|{reference}", system="Rubric: {rubric}", rubric=("a", "b"))
    asked = rendered(judge, Shown(prompt="{reference}", response="{rubric}{reference}", reference="secret"))
    assert asked.messages == (Said(text="{reference}|{rubric}{reference}|secret"),)
    assert asked.instructions == "Rubric: 1. a\n2. b"
