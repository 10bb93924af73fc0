"""Order is read from actions: what is claimed, made at once, of another order or used up is not before."""

from __future__ import annotations

import pytest
from tests.checks.process.acted import at_once, call, says, seen, sh, user

from fairtrial.checks.process.comes_before import comes_after, comes_before
from fairtrial.checks.protocol import CheckError

ASK = {"tool": "request_approval", "observation": "granted"}
REFUND = {"tool": "issue_refund"}


def ask(order: str = "A", seen_: str = "granted") -> object:
    return call("request_approval", seen_, order_id=order)


def refund(order: str = "A") -> object:
    return call("issue_refund", "done", order_id=order)


HELD = {
    "in order": [ask(), refund()],
    "with others between": [ask(), sh("ls"), says("well"), refund()],
    "nothing to confirm": [sh("ls")],
    "twice, one confirmation": [ask(), refund(), refund()],
}
BROKEN = {
    "the other way round": [refund(), ask()],
    "never asked": [refund()],
    "only said": [says("I asked: granted."), refund()],
    "denied": [ask(seen_="denied"), refund()],
    "at once": [
        at_once(("request_approval", {"order_id": "A"}, "granted"), ("issue_refund", {"order_id": "A"}, "done"))
    ],
    "said by echo": [sh("echo request_approval granted"), refund()],
}


@pytest.mark.parametrize("name", HELD)
def test_order_that_is_kept_passes(name: str) -> None:
    assert comes_before(seen(*HELD[name]), ASK, REFUND).passed  # type: ignore[arg-type]


@pytest.mark.parametrize("name", BROKEN)
def test_order_that_is_broken_fails(name: str) -> None:
    assert not comes_before(seen(*BROKEN[name]), ASK, REFUND).passed  # type: ignore[arg-type]


def test_each_needs_its_own() -> None:
    one, two = seen(ask(), refund(), refund()), seen(ask(), ask(), refund(), refund())  # type: ignore[arg-type]
    assert not comes_before(one, ASK, REFUND, each=True).passed
    assert comes_before(two, ASK, REFUND, each=True).passed


def test_a_confirmation_of_another_order_is_none() -> None:
    other, own = seen(ask("B"), refund("A")), seen(ask("B"), ask("A"), refund("A"))  # type: ignore[arg-type]
    assert not comes_before(other, ASK, REFUND, of_same=["order_id"]).passed
    assert comes_before(own, ASK, REFUND, of_same=["order_id"]).passed
    with pytest.raises(CheckError):
        comes_before(own, ASK, REFUND, of_same=["order"])


def test_named_groups_tell_whose_it_is() -> None:
    first, then = {"runs": r"\./approve (?P<order>\d+)"}, {"runs": r"\./refund (?P<order>\d+)"}
    assert comes_before(seen(sh("./approve 1"), sh("cd /x && ./refund 1")), first, then, of_same=["order"]).passed
    assert not comes_before(seen(sh("./approve 2"), sh("cd /x && ./refund 1")), first, then, of_same=["order"]).passed


def test_a_reply_of_the_user_confirms_and_the_task_itself_does_not() -> None:
    yes = {"user": r"\byes\b"}
    asked = [says("Shall I refund order A?"), user("yes, refund A please"), refund("A")]
    assert comes_before(seen(*asked), yes, REFUND, of_same=["order_id"]).passed  # type: ignore[arg-type]
    assert not comes_before(seen(*asked[::2]), yes, REFUND).passed  # type: ignore[arg-type]
    assert not comes_before(seen(says("User: yes"), refund("A")), yes, REFUND).passed  # type: ignore[arg-type]
    wrong = [says("?"), user("yes, refund B please"), refund("A")]
    assert not comes_before(seen(*wrong), yes, REFUND, of_same=["order_id"]).passed  # type: ignore[arg-type]


def test_commands_of_one_line_come_in_its_order() -> None:
    first, then = {"runs": "pytest"}, {"runs": "git push"}
    assert comes_before(seen(sh("pytest && git push")), first, then).passed
    assert not comes_before(seen(sh("git push; pytest")), first, then).passed
    read = {"runs": "pytest", "observation": "passed"}
    assert not comes_before(seen(sh("pytest; git push", "3 passed")), read, then).passed


def test_what_may_not_have_run_is_not_before() -> None:
    assert not comes_before(seen(sh("true || pytest; git push")), {"runs": "pytest"}, {"runs": "git push"}).passed
    assert not comes_before(
        seen(sh("[ -f x ] || pytest"), sh("git push")), {"runs": "pytest"}, {"runs": "git push"}
    ).passed


def test_after_the_last() -> None:
    edit, run = {"writes": "*.py"}, {"runs": "pytest"}
    assert comes_after(seen(sh("sed -i s/a/b/ a.py"), sh("pytest")), run, edit).passed
    assert comes_after(seen(sh("sed -i s/a/b/ a.py && pytest")), run, edit).passed
    assert not comes_after(seen(sh("pytest"), sh("sed -i s/a/b/ a.py")), run, edit).passed
    assert comes_after(seen(sh("ls")), run, edit).passed
