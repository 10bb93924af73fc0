"""Attacks: verl's reward must say what our grader says, alone where it can, and never 0 where it could not be computed.

FAIRTRIAL_VERL names an interpreter that holds verl (0.9.1); without it, the test of verl's own loaders is skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.compare import KINDS
from fairtrial.formats.exports import Demonstration, Origin, Question, Turn, find, verl_reward
from fairtrial.grade.text import grade_text
from fairtrial.tasks.text import EXACT, TextKey

PARTS = ("whole", "first_line", "last_line", "first_word")
ALONE = "import sys; sys.path = [p for p in sys.path if 'site-packages' not in p and p]; exec(open({path!r}).read()); "


@given(
    st.sampled_from((EXACT, *KINDS)), st.sampled_from(PARTS),
    st.text("0123456789.,$%ab \n", max_size=9), st.text("0123456789.,$%ab \n", max_size=9), st.booleans(),
)  # fmt: skip
@settings(max_examples=25)
def test_the_reward_file_agrees_with_the_grader(kind: str, part: str, answer: str, said: str, same: bool) -> None:
    completion = answer if same else said
    key = TextKey(answer=answer, kind=kind, part=part)  # type: ignore[arg-type]
    ours = grade_text(key, completion).score
    assert verl_reward.compute_score("s", completion, answer, {"kind": kind, "part": part}) == ours


def alone(path: Path, call: str) -> subprocess.CompletedProcess[str]:
    script = ALONE.format(path=str(path)) + f"print(compute_score({call}))"
    return subprocess.run([sys.executable, "-S", "-I", "-c", script], capture_output=True, text=True, check=False)


def test_the_reward_file_stands_alone_and_says_what_it_lacks(tmp_path: Path) -> None:
    find("verl").write([Question(prompt="q", answer="7")], tmp_path)
    assert alone(tmp_path / "reward.py", "'s', ' 7', '7'").stdout == "1.0\n"
    broken = alone(tmp_path / "reward.py", "'s', '7', '7', {'kind': 'number'}")
    assert broken.returncode
    assert "install fairtrial where the reward is computed" in broken.stderr


@pytest.mark.extra
def test_verls_own_loaders_read_the_export_and_its_reward(tmp_path: Path) -> None:
    interpreter = os.environ.get("FAIRTRIAL_VERL")
    if not interpreter:
        pytest.skip("FAIRTRIAL_VERL names no interpreter that holds verl")
    for name in ("prompts", "sft"):
        (tmp_path / name).mkdir()
    asked = [
        Question(prompt=f"sort {n}=", answer=str(n), rate=0.5, graded=8, origin=Origin(suite="s")) for n in (21, 31)
    ]
    find("verl").write(asked, tmp_path / "prompts")
    said = Demonstration(prompt=(Turn(role="user", content="q"),), reply=(Turn(role="assistant", content="four"),))
    find("verl").write([said], tmp_path / "sft")
    script = Path(__file__).with_name("verl_loads.py")
    ended = subprocess.run([interpreter, str(script), str(tmp_path)], capture_output=True, text=True, check=False,
                           env=os.environ | {"OMP_NUM_THREADS": "1"}, timeout=110)  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout.splitlines()[-1])
    assert [row[0]["content"] for row in found["prompts"]] == ["sort 21=", "sort 31="]
    assert (found["right"], found["wrong"]) == ([1.0, 1.0], [0.0, 0.0])
    assert found["chats"][0] >= len("four")
