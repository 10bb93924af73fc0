"""Odd deliverables (binary, empty, huge, broken, nested, links) give no error, and equal targets give equal probes."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.attack.artifacts.bad_graders import ERASED, ROUTES
from tests.attack.artifacts.desks import handed_in, target_of

from fairtrial.attack.artifacts import PROBES
from fairtrial.attack.artifacts.reading import read

ODD: dict[str, bytes] = {
    "empty.json": b"",
    "blank.csv": b"\n\n",
    "binary.json": bytes(range(256)),
    "latin.csv": b"a,b\ncaf\xe9,1\n",
    "sixteen.json": '{"a": 1}'.encode("utf-16"),
    "mark.json": b"\xef\xbb\xbf[1, 2]",
    "surrogate.json": b'{"a": "\\ud800", "b": NaN}',
    "deep.json": b"[" * 5000 + b"]" * 5000,
    "twice.json": b'{"a": 1, "a": 2}',
    "scalar.json": b"3",
    "lines.jsonl": b'{"a": 1}\n\n{"a": 2}\n',
    "broken.jsonl": b'{"a": 1}\n{"a": \n',
    "quotes.csv": b'a,b\n"x\ny,1\n',
    "ragged.csv": b"a,b,c\n1\n1,2,3,4\n",
    "headless.csv": b"1,2\n3,4\n",
    "fake.db": b"SQLite format 3\0" + b"\xff" * 500,
    "huge.txt": b"word " * 900_000,
    "script.sql": b"INSERT INTO a VALUES(1,'x''y'); -- 'no'\n",
    "settings.yaml": b"a: 1\nb: 'two'\nc:\n  - d: 2024-02-30\n",
    "page.md": b"# A\n<b>x</b> [y](z.html)\n",
    "unnamed": b"\x7fELF\x00\x01",
    "dates.csv": b"day\n0000-00-00\n9999-12-31\n",
    "numbers.json": b"[1e999, -0, 0.0, 123456789012345678901234567890, 1E-7]",
}


@pytest.mark.parametrize("name", ODD)
def test_no_probe_stumbles_over_an_odd_file(tmp_path: Path, name: str) -> None:
    target = target_of(tmp_path, f"Write every `{name}` exactly.", {"in.csv": b"a,b\n1,2\n"}, {name: ODD[name]})
    for probe in PROBES:
        for submission in probe.submissions(target):
            if submission.expects == "fails":
                assert handed_in(target, submission) != {"in.csv": b"a,b\n1,2\n", name: ODD[name]}


def test_links_and_removed_files_are_passed_over(tmp_path: Path) -> None:
    target = target_of(tmp_path, "Write `b.csv`.", {"a.csv": b"x,y\n1,2\n"}, {"b.csv": b"x,y\n3,4\n"})
    (target.after / "app" / "a.csv").unlink()
    (target.after / "app" / "c.csv").symlink_to("/etc/passwd")
    names = {submission.name for probe in PROBES for submission in probe.submissions(target)}
    assert any(name.startswith("app/b.csv") for name in names)
    assert not any("c.csv" in name for name in names)


def test_a_task_without_a_reference_gives_no_occasion(tmp_path: Path) -> None:
    target = target_of(tmp_path, "Write `b.csv`.", {"a.csv": b"x\n1\n"}, {})
    assert [submission for probe in PROBES for submission in probe.submissions(target)] == []


@pytest.mark.parametrize("desk", [ROUTES, ERASED], ids=["csv", "sqlite"])
def test_equal_targets_give_equal_submissions_that_can_travel(tmp_path: Path, desk: object) -> None:
    assert isinstance(desk, type(ROUTES))
    made = []
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        target = target_of(tmp_path / place, desk.instruction, desk.before, desk.after)
        made.append([
            (probe.card.id, one.name, one.what, sorted(handed_in(target, one).items()))
            for probe in PROBES for one in probe.submissions(target)
            if pickle.loads(pickle.dumps(one)) == one
        ])  # fmt: skip
    assert made[0] == made[1]
    assert len({entry[:2] for entry in made[0]}) == len(made[0]) > 40


def test_a_probe_makes_no_more_than_it_may(tmp_path: Path) -> None:
    target = target_of(tmp_path, ROUTES.instruction, ROUTES.before, ROUTES.after, most=2)
    assert all(len(list(probe.submissions(target))) <= 2 for probe in PROBES)


SUFFIXES = (".json", ".jsonl", ".csv", ".tsv", ".md", ".txt", ".sql", ".yaml", ".db", "")
anything: Callable[[str], bool] = bool


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace"))),
       st.sampled_from(SUFFIXES))  # fmt: skip
def test_what_is_read_is_written_back_byte_for_byte(content: bytes, suffix: str) -> None:
    document = read(f"/app/x{suffix}", content, None, anything)
    if document is None or document.form == "sqlite":
        return
    assert document.write({}) == content
    if document.rows and document.form != "jsonl" and b"\n\n" not in content and b"\r" not in content:
        again = document.rearranged(list(document.rows))
        assert again is not None
        assert again.split() == content.split() or document.form == "json"
