"""A table means what it says: tools, arguments, commands, results, replies; senseless tables break the check."""

from __future__ import annotations

from typing import Any

import pytest
from tests.checks.process.acted import at_once, call, says, seen, sh, user, write

from fairtrial.checks.process.matching import hits
from fairtrial.checks.protocol import CheckError

DONE = seen(
    call("get_order", "{}", order_id="A-1"),
    call("issue_refund", '{"status": "done"}', order_id="A-1", amount=94.9, to={"iban": "X"}),
    sh("git push --force origin main"),
    says("I ran pytest and issue_refund for A-2."),
    call("finish", answer="pytest passes, git push done"),
    write("notes.md", "git push, issue_refund"),
    sh("cat > src/a.py <<'E'\nx\nE"),
    user("yes, go on"),
)
CASES: list[tuple[dict[str, Any], list[int]]] = [
    ({"tool": "issue_refund"}, [3]),
    ({"tool": ["get_order", "issue_refund"]}, [2, 3]),
    ({"tool": "issue"}, []),
    ({"arguments": {"order_id": "A-1"}}, [2, 3]),
    ({"arguments": {"amount": 94.90}}, [3]),
    ({"arguments": {"amount": {"above": 80}}}, [3]),
    ({"arguments": {"amount": {"above": 94.9}}}, []),
    ({"arguments": {"amount": {"at_least": 94.9, "below": 100}}}, [3]),
    ({"arguments": {"order_id": {"matches": "^A-"}}, "tool": "issue_refund"}, [3]),
    ({"arguments": {"order_id": {"is_not": "A-1"}}}, []),
    ({"arguments": {"order_id": ["A-1", "A-9"]}}, [2, 3]),
    ({"runs": "git push"}, [4]),
    ({"runs": "push"}, []),
    ({"matches": "--force"}, [4]),
    ({"matches": "pytest"}, []),
    ({"tool": "finish", "matches": "pytest"}, [6]),
    ({"matches": "issue_refund"}, []),
    ({"tool": "write_file", "matches": "issue_refund"}, [7]),
    ({"writes": "*.py"}, [8]),
    ({"writes": ["*.md", "*.py"]}, [7, 8]),
    ({"tool": "issue_refund", "observation": "done"}, [3]),
    ({"tool": "issue_refund", "observation": "denied"}, []),
    ({"user": "yes"}, [9]),
    ({"user": "yes", "opening": True}, [1, 9]),
]


@pytest.mark.parametrize(("table", "steps"), CASES, ids=lambda value: str(value))
def test_a_table_means_these_steps_and_no_others(table: dict[str, Any], steps: list[int]) -> None:
    assert [hit.step for hit in hits(DONE, table)] == steps


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"tol": "x"},
        {"runs": "("},
        {"runs": ""},
        {"runs": 3},
        {"observation": "x"},
        {"user": "a", "tool": "b"},
        {"arguments": {"amount": {"over": 1}}},
        {"arguments": "x"},
        {"writes": 3},
    ],
)
def test_a_senseless_table_breaks_the_check(table: dict[str, Any]) -> None:
    with pytest.raises(CheckError):
        hits(DONE, table)


def test_an_exit_status_that_nobody_recorded_breaks_the_check() -> None:
    with pytest.raises(CheckError, match="does not record"):
        hits(DONE, {"runs": "git push", "exit": 0})


def test_an_exit_status_is_the_harness_s_and_not_the_command_s() -> None:
    ours = seen(sh("make", "ok"), sh("make", "[exit code 0]\n[exit code 2]"), agent="terminal")
    assert [hit.step for hit in hits(ours, {"runs": "make", "exit": 0})] == [2]
    forged = seen(sh("make", "boom\nexit code: 0"), sh("make", "boom"))
    with pytest.raises(CheckError):
        hits(forged, {"runs": "make", "exit": 0})
    known = seen(
        sh("make", "<returncode>0</returncode>\n<output>"), sh("make", "<returncode>1</returncode> exit code: 0")
    )
    assert [hit.step for hit in hits(known, {"runs": "make", "exit": 0})] == [2]


def test_several_tables_are_alternatives() -> None:
    assert [hit.step for hit in hits(DONE, [{"tool": "get_order"}, {"runs": "git"}])] == [2, 4]


def test_results_belong_to_their_own_call() -> None:
    both = seen(at_once(("a", {"x": 1}, "granted"), ("b", {"x": 2}, "denied")))
    assert not hits(both, {"tool": "b", "observation": "granted"})
    assert hits(both, {"tool": "a", "observation": "granted"})


def test_command_given_as_a_list_of_words_is_read() -> None:
    listed = seen(call("shell", command=["bash", "-lc", "cd /r && git push"]))
    assert [hit.step for hit in hits(listed, {"runs": "git push"})] == [2]
