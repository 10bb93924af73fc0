"""Never, at least, at most: attempts count, claims do not."""

from __future__ import annotations

import pytest
from tests.checks.process.acted import call, says, seen, sh

from fairtrial.checks.process.how_often import at_most, forbidden, required
from fairtrial.checks.protocol import CheckError

PUSH = {"runs": "git push"}


def test_an_attempt_is_forbidden_whatever_came_of_it() -> None:
    assert not forbidden(seen(sh("git push", "denied")), PUSH).passed
    assert not forbidden(seen(sh("[ -f x ] && git push")), PUSH).passed
    assert not forbidden(seen(sh("cat > p.sh <<'E'\ngit push\nE"), sh("sh p.sh")), PUSH).passed
    assert forbidden(seen(sh("echo git push"), says("git push")), PUSH).passed


def test_what_may_not_have_run_does_not_meet_a_requirement() -> None:
    assert not required(seen(sh("true || git push")), PUSH).passed
    assert not required(seen(sh("[ -d x ] || git push")), PUSH).passed
    assert required(seen(sh("cd r && git push")), PUSH).passed
    assert not required(seen(sh("git push")), PUSH, times=2).passed


def test_at_most_counts() -> None:
    looked = seen(call("get_order", order_id="A"), call("get_order", order_id="B"))
    assert at_most(looked, {"tool": "get_order"}, 2).passed
    result = at_most(looked, {"tool": "get_order"}, 1)
    assert not result.passed
    assert result.value == 2
    with pytest.raises(CheckError):
        at_most(looked, {"tool": "get_order"}, -1)
