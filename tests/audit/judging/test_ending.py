"""Attacks: a judge that refuses, is cut or cannot be reached; a budget that ends; work that is taken up again."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fairtrial.audit.judging.many import GIVEN_UP
from fairtrial.cli.main import run
from fairtrial.formats.atif import AtifStep
from fairtrial.formats.atif_content import Picture
from fairtrial.models import ScriptedServer
from fairtrial.models.scripted import Asked, Line, call, cut, fail, hang_up, refuse, say, slowly
from fairtrial.records import Draw, Sample, Verdict
from fairtrial.sandbox import default
from fairtrial.tasks import load_task

from .judging_world import World, answering_first, honest, nonce_of, opinion, saying, stage_of, text_of, world

pytestmark = pytest.mark.extra


@pytest.fixture
def court(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    return world(tmp_path)


def documents(capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capfd.readouterr().out)
    assert found["schema"] == "fairtrial.judged/1"
    return found


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (refuse("I will not judge that."), "refused"),
        (cut('{"asking": "'), "truncated_reply"),
        (fail(400, "too long", code="context_length_exceeded"), "truncated_context"),
        (fail(400, "no such thing"), "model_rejected"),
        (say("no object at all"), "unparsed"),
        (call("run"), "no_reply"),
        (say('<tool_call>{"name": "run"}</tool_call>'), "calls_unread"),
    ],
)
def test_what_gives_no_reply_is_ungraded_with_its_reason(
    court: World, capfd: pytest.CaptureFixture[str], line: Line, reason: str
) -> None:
    court.add()
    court.judge(lambda _: line, "--json", "--max-turns", "2", code=3)
    document = documents(capfd)
    assert document["counts"]["ungraded"] == 1
    assert document["ungraded_reasons"] == {reason: 1}
    assert court.reviews() == ()


def test_a_blind_answer_is_kept_when_the_second_pass_breaks_and_only_that_is_made_up(court: World) -> None:
    court.add()
    court.judge(lambda one: refuse("No.") if stage_of(one) == "informed" else honest(one))
    assert [one.stage for one in court.reviews()] == ["blind"]
    asked = court.judge(honest)
    assert [stage_of(one) for one in asked] == ["informed"]
    assert [one.stage for one in court.reviews()] == ["blind", "informed"]
    assert court.judge(honest) == []


def test_a_new_verdict_is_judged_anew_and_the_blind_answer_stays(court: World) -> None:
    rollout = court.add()
    court.judge(honest)
    later = Verdict(rollout=rollout, outcome="failed", score=0.0, grader="other", recorded_at="2030-01-01T00:00:00Z")
    court.book.append("verdicts", [later])
    asked = court.judge(lambda one: saying(opinion(one, label="false_fail")))
    assert [stage_of(one) for one in asked] == ["informed"]
    assert sorted(one.label for one in court.reviews()) == ["", "false_fail", "true_pass"]


def test_other_settings_or_no_resume_judge_again(court: World) -> None:
    court.add()
    court.judge(honest)
    assert len(court.judge(honest, "--temperature", "0.5")) == 2
    assert len(court.judge(honest, "--no-resume")) == 2
    assert len(court.judge(honest, key=False)) == 2


def test_a_budget_that_ends_leaves_the_rest_not_reached(court: World, capfd: pytest.CaptureFixture[str]) -> None:
    for attempt in range(6):
        court.add(attempt=attempt)
    options = ("--json", "--concurrency", "1", "--price", "1,1", "--max-usd", "0.008")
    court.judge(honest, *options)
    document = documents(capfd)
    counts, reasons = document["counts"], document["ungraded_reasons"]
    assert 0 < counts["judged"] < 6
    assert reasons["over_budget"] == 1
    assert reasons["not_reached"] >= 3
    assert 0 < document["spent"]["cost_usd"] <= 0.008
    court.judge(honest)
    assert len([one for one in court.reviews() if one.stage == "informed"]) == 6


def test_a_server_that_is_gone_ends_the_work(court: World, capfd: pytest.CaptureFixture[str]) -> None:
    for attempt in range(GIVEN_UP + 3):
        court.add(attempt=attempt)
    asked = court.judge(lambda _: fail(401, "who are you"), "--json", "--concurrency", "1", code=3)
    assert len(asked) == GIVEN_UP  # the word of the start still comes back, so it is not given up at once
    assert documents(capfd)["ungraded_reasons"] == {"model_unauthorized": GIVEN_UP, "not_reached": 3}


def test_repeats_are_reviewers_of_their_own_and_their_steadiness_is_told(
    court: World, capfd: pytest.CaptureFixture[str]
) -> None:
    court.add()
    court.add(attempt=1)
    answers = iter(["yes", "yes", "no", "yes"])

    def wavering(asked: Asked) -> Line:
        if stage_of(asked) == "blind":
            return saying(opinion(asked, next(answers)))
        return saying(opinion(asked, "yes" if "satisfied: yes" in text_of(asked) else "no"))

    court.judge(wavering, "--json", "--repeats", "2", "--concurrency", "1")
    assert documents(capfd)["steady"] == {"repeated": 2, "same": 1}
    assert {one.reviewer for one in court.reviews()} == {"any", "any#2"}


def test_a_task_that_moved_is_refused_by_name_and_the_others_are_judged(
    court: World, capfd: pytest.CaptureFixture[str]
) -> None:
    court.add(task_hash="sha256:" + "0" * 64)
    court.add(attempt=1)
    court.add(attempt=2, task_hash="a checksum of another tool")
    court.judge(honest, "--json")
    document, said = documents_and_words(capfd)
    assert (document["counts"]["refused"], document["counts"]["judged"]) == (1, 2)
    assert "the task total has changed since it was run" in said
    by_name = [row for row in document["rollouts"] if any("found by the task's name" in one for one in row["notes"])]
    assert len(by_name) == 1


def documents_and_words(capfd: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    captured = capfd.readouterr()
    return json.loads(captured.out), captured.err


def test_without_a_key_it_says_so(court: World, capfd: pytest.CaptureFixture[str]) -> None:
    court.add()
    asked = court.judge(honest, "--json", key=False)
    document, said = documents_and_words(capfd)
    assert document["counts"]["without_key"] == 1
    assert "judged by the instruction alone" in said
    assert "there is no key" in text_of(asked[0])
    assert "tests/test.sh" not in text_of(asked[0])
    assert "/key" not in text_of(asked[0])
    assert "there is no key" in court.reviews()[0].note


def test_a_sample_names_its_rollouts_and_stands_in_the_reviews(court: World, tmp_path: Path) -> None:
    chosen, other = court.add(), court.add(attempt=1)
    rows = (Draw(rollout=chosen, stratum="passed", probability=0.5),)
    sample = Sample(seed=0, by=("verdict",), strata=(), rows=rows)
    court.book.append("samples", [sample])
    court.judge(honest, "--sample", "last")
    assert {(one.rollout, one.sample) for one in court.reviews()} == {(chosen, sample.id)}
    named = tmp_path / "rollouts.txt"
    named.write_text(f"{other}\n")
    court.judge(honest, "--sample", str(named))
    assert {one.rollout for one in court.reviews()} == {chosen, other}
    named.write_text(json.dumps({"schema": "fairtrial.sample/1", "id": sample.id, "rows": [{"rollout": chosen}]}))
    assert court.judge(honest, "--sample", str(named)) == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "a judge needs a language model"),
        (("--model", "m", "--task", "none"), "has no rollouts of the task `none`"),
        (("--model", "m", "--sample", "last"), "no sample was drawn"),
        (("--model", "m", "--max-usd", "1"), "a budget in USD needs the model's prices"),
        (("--model", "m", "--suite-path", "nowhere"), "is not a folder"),
    ],
)
def test_bad_input_is_told(
    court: World, capfd: pytest.CaptureFixture[str], options: tuple[str, ...], told: str
) -> None:
    court.add()
    assert run(["audit", "judge", str(court.book.path), *options]) == 2
    captured = capfd.readouterr()
    assert told in captured.err
    assert "Traceback" not in captured.err


def test_ungraded_rollouts_are_left_out_unless_named(court: World, capfd: pytest.CaptureFixture[str]) -> None:
    graded, ungraded = court.add(), court.add("", attempt=1)
    court.judge(honest, "--json")
    assert documents(capfd)["left_out"] == {"ungraded": 1}
    assert {one.rollout for one in court.reviews()} == {graded}
    named = court.folder / "named"
    named.write_text(ungraded)
    court.judge(honest, "--sample", str(named))
    assert [one.stage for one in court.reviews() if one.rollout == ungraded] == ["blind"]


def test_commands_run_on_a_copy_of_what_was_handed_in_with_the_key_beside_it(court: World) -> None:
    court.add(total="41")

    def running(asked: Asked) -> Line:
        if stage_of(asked) == "informed":
            return honest(asked)
        ran = [str(m["content"]) for m in asked.messages if m["role"] == "tool"]
        if not ran:
            return call(
                "run", command="cat /app/total.txt; cat /key/tests/test.sh; echo 43 >/app/total.txt; echo x >/key/x"
            )
        assert f"=== {nonce_of(asked)} run" in ran[0]
        assert "| 41" in ran[0]
        assert "grep -qx 42" in ran[0]
        assert "/key/x" in ran[0]  # the shell says that it may not
        cited = [{"claim": "It says 41.", "citations": [{"place": "artifact /app/total.txt", "quote": "41"}]}]
        return saying(opinion(asked, claims=cited))

    if not default()[0].capability().isolated:
        pytest.skip("no sandbox here isolates")
    court.judge(running)
    assert not (court.suite / "total" / "x").exists()
    assert next(one for one in court.reviews() if one.stage == "blind").void == ""


def test_where_nothing_isolates_the_judge_is_given_no_shell(court: World) -> None:
    court.add()
    asked = court.judge(honest, "--sandbox", "local")
    assert {tool["function"]["name"] for tool in asked[0].body["tools"]} == {
        "read_steps", "search", "list_files", "read_file"}  # fmt: skip


def test_a_model_that_takes_no_images_is_told_the_option(court: World, capfd: pytest.CaptureFixture[str]) -> None:
    shot = Picture(media_type="image/png", path=court.book.put_blob(b"\x89PNG\r\n\x1a\n"))
    court.add(steps=(AtifStep(source="user", message="See.", pictures=(shot,)),))
    court.judge(lambda _: fail(400, "no images"), code=3)
    assert "needs --no-images" in capfd.readouterr().out


def test_work_that_does_not_fit_the_servers_context_is_read_in_more_parts_and_not_lost(court: World) -> None:
    lines = "\n".join(f"line-{number}" for number in range(2000))
    court.add(steps=(AtifStep(source="user", message=lines),))

    def small(asked: Asked) -> Line:
        is_too_much = len(text_of(asked)) > 24_000
        return fail(400, "the request exceeds the available context size") if is_too_much else honest(asked)

    asked = court.judge(small, "--context-tokens", "16000")
    taken = "".join(text_of(one) for one in asked if stage_of(one) == "notes" and len(text_of(one)) <= 24_000)
    assert [number for number in range(2000) if f"line-{number}\\n" not in taken.replace('"', "\\n")] == []
    blind, informed = sorted(court.reviews(), key=lambda one: one.stage)
    assert "room for 16000 tokens in one conversation: the server took 8000" in blind.note
    assert informed.label == "true_pass"


def test_a_task_that_is_moved_away_meanwhile_is_ungraded_and_the_others_go_on(
    court: World, capfd: pytest.CaptureFixture[str]
) -> None:
    court.add()
    other = court.suite / "other"
    shutil.copytree(court.suite / "total", other)
    (other / "instruction.md").write_text("Another task.\n")
    court.add(task="other", task_hash=load_task(other)[0].hash)

    def moving(asked: Asked) -> Line:
        if (court.suite / "total").exists():
            shutil.move(court.suite / "total", court.folder / "elsewhere")
        if "Another task" in text_of(asked):
            return honest(asked)
        looked = any(m["role"] == "tool" for m in asked.messages)
        return honest(asked) if looked else call("read_file", place="key tests/test.sh")

    court.judge(moving, "--concurrency", "1", "--json")
    assert documents(capfd)["ungraded_reasons"] == {"key_gone": 1}
    assert {one.stage for one in court.reviews()} == {"blind", "informed"}


def test_where_nothing_fits_the_first_reason_stays(court: World, capfd: pytest.CaptureFixture[str]) -> None:
    court.add(steps=(AtifStep(source="user", message="x" * 50_000),))
    court.judge(lambda _: fail(400, "prompt is too long: 9 tokens > 8 maximum"), "--json", code=3)
    assert documents(capfd)["ungraded_reasons"] == {"truncated_context": 1}


@pytest.mark.parametrize("takes", [1, 3])
def test_a_server_that_takes_few_images_is_shown_few_at_a_time_and_all_of_them(court: World, takes: int) -> None:
    shots = [Picture(media_type="image/png", path=court.book.put_blob(b"\x89PNG\r\n\x1a\n%d" % n)) for n in range(8)]
    court.add(steps=tuple(AtifStep(source="user", message=f"{n}", pictures=(shot,)) for n, shot in enumerate(shots)))
    seen: set[str] = set()

    def few(asked: Asked) -> Line:
        images = [part["image_url"]["url"] for message in asked.messages if isinstance(message["content"], list)
                  for part in message["content"] if part["type"] == "image_url"]  # fmt: skip
        if len(images) > takes:
            return fail(400, f"At most {takes} image(s) may be provided in one prompt.")
        seen.update(images)
        return honest(asked)

    court.judge(few)
    assert len(seen) == len(shots)
    assert f"more than {takes if takes == 1 else 2} images in one message" in court.reviews()[0].note


def test_ctrl_c_keeps_what_is_done(court: World) -> None:
    for attempt in range(6):
        court.add(attempt=attempt)

    def slow(asked: Asked) -> Line:
        return slowly(honest(asked), 0.4)

    with ScriptedServer(answering_first(slow)) as server:
        options = ["--model", "any", "--base-url", server.base_url, "--concurrency", "1"]
        words = [sys.executable, "-c", "from fairtrial.cli.main import main; main()", "audit", "judge"]
        with subprocess.Popen([*words, str(court.book.path), *options], stderr=subprocess.PIPE, text=True) as process:
            while len(server.asked) < 6 and process.poll() is None:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=30)
        assert process.returncode == 130
        assert "what was done is kept" in said
        assert re.search(r"\d of 6 were through; \d+ calls, \d+ tokens in, \d+ out", said)
        done = [one for one in court.reviews() if one.stage == "informed"]
        assert 2 <= len(done) < 6


def test_ctrl_c_does_not_wait_for_a_server_that_is_gone(court: World) -> None:
    court.add()
    with ScriptedServer(answering_first(lambda _: hang_up())) as server:
        words = [sys.executable, "-c", "from fairtrial.cli.main import main; main()", "audit", "judge"]
        options = ["--model", "any", "--base-url", server.base_url]
        with subprocess.Popen([*words, str(court.book.path), *options], stderr=subprocess.PIPE, text=True) as process:
            while len(server.asked) < 5 and process.poll() is None:
                time.sleep(0.05)
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        assert process.returncode == 130
        assert time.monotonic() - began < 30  # the last try would come after two minutes
