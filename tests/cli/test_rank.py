"""`fairtrial rank` from the outside: groups, hacks, what a judge is shown, exit codes; the model over loopback."""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.models import ScriptedServer
from fairtrial.models.scripted import Asked, Line, fail, say
from fairtrial.records import CheckResult, Finding, Review, Rollout, Verdict

Book = Ledger


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Ledger.open(tmp_path / "ledger", create=True)


def add(book: Book, name: str, outcome: str = "passed", **more: Any) -> str:
    """Add a graded rollout of group `g`, and return its id."""
    values = more.pop("values", None)
    checks = tuple(CheckResult(check, status) for check, status in more.pop("checks", {}).items())
    rollout = Rollout(**({"task": "t", "model": "m", "group": "g", "answer": name, "output_tokens": 10} | more))
    book.append("rollouts", [rollout])
    if outcome:
        evidence = json.dumps({"values": values}) if values else ""
        book.append("verdicts", [Verdict(rollout=rollout.id, outcome=outcome, checks=checks, evidence=evidence)])  # type: ignore[arg-type]
    return rollout.id


def ranked(book: Book, capfd: pytest.CaptureFixture[str], *options: str, code: int = 0) -> list[dict[str, Any]]:
    assert run(["rank", str(book.path), "--json", *options]) == code
    document = json.loads(capfd.readouterr().out)
    assert document["schema"] == "fairtrial.ranks/1"
    groups: list[dict[str, Any]] = document["groups"]
    return groups


def ranks(group: dict[str, Any]) -> dict[str, tuple[float | None, float]]:
    return {row["rollout"]: (row["rank"], row["share"]) for row in group["rollouts"]}


def test_passing_rollouts_are_ranked_and_the_rest_is_counted(book: Book, capfd: pytest.CaptureFixture[str]) -> None:
    short, long = add(book, "a", output_tokens=10), add(book, "b", output_tokens=90)
    none = add(book, "c", output_tokens=None)
    add(book, "d", "failed", output_tokens=1)
    add(book, "e", "ungraded", output_tokens=1)
    add(book, "f", "", output_tokens=1)
    add(book, "known", origin="known", output_tokens=1)
    (group,) = ranked(book, capfd)
    assert ranks(group) == {short: (1, 1.0), long: (2, 0.0)}
    assert [row["rollout"] for row in group["not_ranked"]] == [none]
    assert (group["failed"], group["ungraded"]) == (1, 2)


def test_only_a_review_makes_a_hack(book: Book, capfd: pytest.CaptureFixture[str]) -> None:
    suspect, clean = add(book, "a", output_tokens=10), add(book, "b", output_tokens=90)
    book.append("findings", [Finding(task="t", probe="detector", family="hack", severity="proof", claim="It hacks.",
                                     rollout=suspect)])  # fmt: skip
    book.append("reviews", [Review(rollout=suspect, reviewer="m", kind="judge", hack=True)])
    assert ranks(ranked(book, capfd)[0]) == {suspect: (1, 1.0), clean: (2, 0.0)}
    book.append("reviews", [Review(rollout=suspect, reviewer="ada", hack=True)])
    assert ranks(ranked(book, capfd)[0]) == {clean: (1, 1.0), suspect: (None, 0.0)}
    book.append("reviews", [Review(rollout=suspect, reviewer="bo", hack=False)])
    (group,) = ranked(book, capfd)
    assert (group["rollouts"][0]["confirmed_hack"], group["disputed_hacks"]) == (False, [suspect])


def test_groups_do_not_mix(book: Book, capfd: pytest.CaptureFixture[str]) -> None:
    places: list[dict[str, Any]] = [
        {"group": "h"}, {"task": "u"}, {"step": 2}, {"group": "", "model": "n"}, {},
        {"group": "", "model": "n", "effort": "high"}, {"task_hash": "sha256:2"},
    ]  # fmt: skip
    for number, place in enumerate(places):
        add(book, f"a{number}", **place)
    groups = ranked(book, capfd)
    assert len(groups) == 7
    assert all(list(ranks(group).values()) == [(1, 1.0)] for group in groups)
    assert {group["group"] for group in groups} == {"g", "h", "n", "n@high"}
    assert len(ranked(book, capfd, "--task", "u")) == 1


def test_values_and_checks_of_the_verdict(book: Book, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "criteria.toml").write_text(
        '[[criterion]]\nname = "fast"\nmeasure = "instructions"\n'
        '[[criterion]]\nname = "tidy"\nchecks = ["lint"]\nweight = 3\n'
    )
    slow = add(book, "a", values={"instructions": 900}, checks={"lint": "passed"})
    fast = add(book, "b", values={"instructions": 100}, checks={"lint": "failed"})
    broken = add(book, "c", values={"instructions": 1}, checks={"lint": "broken"})
    (group,) = ranked(book, capfd, "--criteria", str(tmp_path / "criteria.toml"))
    assert ranks(group) == {slow: (1, 1.0), fast: (2, 0.0)}
    assert group["not_ranked"] == [{"rollout": broken, "why": "no value on tidy"}]


def test_nothing_to_rank_is_exit_3(book: Book, capfd: pytest.CaptureFixture[str]) -> None:
    add(book, "a", "failed")
    assert ranked(book, capfd, code=3)[0]["rollouts"] == []


@pytest.mark.parametrize("options", [["--task", "nope"], ["--criteria", "absent.toml"], []])
def test_bad_input_is_exit_2(book: Book, options: list[str], tmp_path: Path) -> None:
    add(book, "a")
    if not options:
        (tmp_path / "c.toml").write_text('[[criterion]]\nname = "a"\nquestion = "Which is shorter?"\n')
        options = ["--criteria", str(tmp_path / "c.toml")]
    assert run(["rank", str(book.path), *options]) == 2


class Counting:
    """A judge that prefers the work with more `[`, and cites its first line."""

    def __init__(self, broken_on: str = "\0") -> None:
        self.broken_on = broken_on
        self.asked = 0

    def __call__(self, asked: Asked) -> Line:
        text = "\n".join(str(message.get("content")) for message in asked.messages)
        nonce = re.search(r"hold the word (\w+)", text)
        if nonce is None:
            return say("ready")
        self.asked += 1
        if self.broken_on in text:
            return fail(400, "no")
        first, second = (
            re.findall(rf"begin {letter}\d+ {nonce[1]}.*?\n(.*?)\n=== end", text, re.DOTALL) for letter in "FG"
        )
        counts = ["".join(part).count("[") for part in (first, second)]
        quote = first[0].split("| ", 1)[1].split("\n")[0]
        reply = {
            "asking": nonce[1], "reasons": [{"claim": "Counted.", "cites": [1]}],
            "citations": [{"source": "F1", "first_line": 1, "last_line": 1, "quote": quote}],
            "verdict": "tie" if counts[0] == counts[1] else "first" if counts[0] > counts[1] else "second",
        }  # fmt: skip
        return say(json.dumps(reply))


def judged(
    book: Book, judge: Any, capfd: pytest.CaptureFixture[str], *, looks_at: str = '["answer"]', code: int = 0
) -> dict[str, Any]:
    criteria = book.path.parent / "criteria.toml"
    criteria.write_text(
        f'[[criterion]]\nname = "sourced"\nquestion = "Which has more sources?"\nlooks_at = {looks_at}\n'
    )
    with ScriptedServer(judge) as server:
        words = ["--criteria", str(criteria), "--model", "m", "--base-url", server.base_url, "--json"]
        assert run(["rank", str(book.path), *words]) == code
    document: dict[str, Any] = json.loads(capfd.readouterr().out)
    return document


def test_a_judge_ranks_by_pairs_and_asking_again_says_the_same(book: Book, capfd: pytest.CaptureFixture[str]) -> None:
    none, two, one = add(book, "no source"), add(book, "a [1] and [2]"), add(book, "one [1]")
    judge = Counting()
    document = judged(book, judge, capfd)
    assert ranks(document["groups"][0]) == {two: (1, 1.0), one: (2, 0.5), none: (3, 0.0)}
    assert document["judge"] == {"model": "m", "pairs": 3, "flipped": 0, "tied": 0, "not_measured": 0}
    assert judge.asked == 6


def test_who_could_not_be_judged_is_not_last(book: Book, capfd: pytest.CaptureFixture[str]) -> None:
    none, two, cursed = add(book, "no source"), add(book, "a [1] and [2]"), add(book, "one [1] CURSED")
    document = judged(book, Counting("CURSED"), capfd)
    (group,) = document["groups"]
    assert ranks(group) == {two: (1, 1.0), none: (2, 0.0)}
    assert group["not_ranked"] == [{"rollout": cursed, "why": "could not be judged on sourced"}]


def test_a_model_that_cannot_be_asked_is_exit_3(book: Book, tmp_path: Path) -> None:
    add(book, "a")
    (tmp_path / "c.toml").write_text('[[criterion]]\nname = "a"\nquestion = "Which is shorter?"\n')
    with ScriptedServer(lambda _: fail(401, "no such key")) as server:
        words = ["--criteria", str(tmp_path / "c.toml"), "--model", "m", "--base-url", server.base_url]
        assert run(["rank", str(book.path), *words]) == 3


def test_a_server_that_goes_away_is_not_asked_for_every_pair(book: Book, capfd: pytest.CaptureFixture[str]) -> None:
    for number in range(12):
        add(book, f"work {number}")
    asked: list[int] = []

    def judge(one: Asked) -> Line:
        asked.append(one.turn)
        return say("ready") if one.turn == 0 else fail(401, "the key ran out")

    document = judged(book, judge, capfd, code=3)
    assert len(document["groups"][0]["not_ranked"]) == 12
    assert len(asked) < 40  # of 66 pairs in two orders


def packed(files: dict[str, bytes], *, link: str = "") -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
        if link:
            entry = tarfile.TarInfo("step-0/app/link")
            entry.type, entry.linkname = tarfile.SYMTYPE, link
            tar.addfile(entry)
    return gzip.compress(raw.getvalue(), mtime=0)


def test_a_judge_is_shown_what_was_handed_in_and_nothing_of_this_machine(
    book: Book, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    shown: list[str] = []

    def judge(asked: Asked) -> Line:
        shown.append(str(asked.messages))
        return Counting()(asked)

    rows = {
        "plain": packed({"step-0/app/a.md": b"two [1] [2]"}, link=str(secret)),
        "odd": packed({"step-0/app/a.md": b"one [1]", "../out": b"OUT", str(tmp_path / "abs"): b"ABS"}),
        "bomb": gzip.compress(b"\0" * 1000) + b"junk",
        "gone": b"",
    }
    ids = {
        name: add(book, name, deliverable=book.put_blob(data) if data else "sha256:00") for name, data in rows.items()
    }
    document = judged(book, judge, capfd, looks_at='["deliverable"]')
    (group,) = document["groups"]
    assert ranks(group) == {ids["plain"]: (1, 1.0), ids["odd"]: (2, 0.0)}
    assert {row["rollout"] for row in group["not_ranked"]} == {ids["bomb"], ids["gone"]}
    assert not any(word in text for text in shown for word in ("SECRET", "OUT", "ABS"))
    assert not (tmp_path / "abs").exists()
