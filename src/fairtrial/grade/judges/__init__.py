"""A language model as grader: its definition (JUDGE.toml), what it is asked, and how its verdict is read."""

from fairtrial.grade.judges.asking import Judged, ask_judge
from fairtrial.grade.judges.definition import Judge, Shown, rendered
from fairtrial.grade.judges.judge_toml import read_judge
from fairtrial.grade.judges.reading import read_verdict

__all__ = ["Judge", "Judged", "Shown", "ask_judge", "read_judge", "read_verdict", "rendered"]
