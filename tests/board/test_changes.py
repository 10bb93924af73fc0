"""Attacks: a version is kept when something changed and only then; whoever moved is told why, and by what."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from tests.board.worlds import SMALL, attempt, board, handed_in, override, rules, run, screening

from fairtrial.board.changes import Changes, RowChange, changes
from fairtrial.board.document import document_of
from fairtrial.board.result import Board
from fairtrial.board.runs import Run
from fairtrial.board.versions import Version, board_bytes, keep_version, numbers, read_version
from fairtrial.records import FormatError, InputError, Withdrawal

JUDGED = SMALL.replace("checked = []", 'checked = ["contamination"]')
TASKS = {f"t{i}": "pp" for i in range(12)}
WORSE = {f"t{i}": "ff" if i < 9 else "pp" for i in range(12)}
BEST, LAST = run("best", TASKS), run("last", WORSE)


def version(made: Board, number: int, text: str = SMALL) -> Version:
    return Version(number, document_of(made), text)


def between(folder: Path, before: list[Run], after: list[Run], text: str = SMALL, **more: Any) -> Changes:
    first, second = board(folder, before, text), board(folder, after, more.pop("now", text), **more)
    return changes(version(first, 1, text), version(second, 2, text))


def change(found: Changes, label: str) -> RowChange:
    (row,) = (each for each in found.rows if each.label == label)
    return row


def test_the_same_board_is_no_change(tmp_path: Path) -> None:
    found = between(tmp_path, [BEST, LAST], [LAST, BEST])
    assert (found.rows, found.same, found.locked, found.refused) == ((), 2, (), ())


def test_a_row_that_another_pushed_down_says_so(tmp_path: Path) -> None:
    found = between(tmp_path, [LAST], [LAST, BEST])
    assert change(found, "best").fate == "entered"
    moved = change(found, "last")
    assert (moved.fate, moved.rank_before, moved.rank_after) == ("moved", 1, 2)
    assert moved.reasons == ("nothing of its own changed; best entered",)


def test_reruns_and_who_withdrew_are_the_reason(tmp_path: Path) -> None:
    gone = Withdrawal(model="best", rollouts=(BEST.attempts[0].id,), reason="the box died", author="ada")
    again = Run(BEST.who, BEST.where, (*BEST.attempts, attempt("again", "t0", 5, "f")))
    found = between(tmp_path, [BEST, LAST], [again, LAST], withdrawals=(gone,))
    assert change(found, "best").reasons == (
        "other runs count of 1 task (t0)",
        "1 run withdrawn by ada: the box died",
    )


def test_the_same_runs_graded_otherwise_are_told_apart_from_new_runs(tmp_path: Path) -> None:
    regraded = run("best", TASKS | {"t3": "pf"})
    assert change(between(tmp_path, [BEST, LAST], [regraded, LAST]), "best").reasons == (
        "the same runs were graded anew of 1 task (t3)",
    )


def test_a_ruling_is_the_reason_with_its_author(tmp_path: Path) -> None:
    word = override("best", "violation", rules(tmp_path, JUDGED))
    found = between(tmp_path, [BEST, LAST], [BEST, LAST], JUDGED, rulings=(word,),
                    submissions=(handed_in("best", "last"),))  # fmt: skip
    reasons = change(found, "best").reasons
    assert "contamination: not judged before, violation now, override by ada: looked" in reasons
    assert any(reason.startswith("scored by the runs of last, before by its own runs") for reason in reasons)


def test_other_rules_are_shown_as_a_difference_of_the_files(tmp_path: Path) -> None:
    first, second = SMALL, SMALL.replace('version = "1"', 'version = "2"')
    found = changes(
        version(board(tmp_path, [BEST], first), 1, first), version(board(tmp_path, [BEST], second), 2, second)
    )
    assert '-version = "1"' in found.rules_diff
    assert '+version = "2"' in found.rules_diff
    assert found.rules_before != found.rules_after


def test_runs_a_task_and_tasks_of_the_lock_are_told(tmp_path: Path) -> None:
    three = SMALL.replace("runs_per_task = 2", "runs_per_task = 3")
    more = run("best", dict.fromkeys([*TASKS, "new"], "ppp"))
    found = changes(version(board(tmp_path, [BEST]), 1), version(board(tmp_path, [more], three), 2, three))
    assert found.locked == ("track books: runs_per_task was 2, is 3", "track books: 1 task (new) new")


def test_who_is_refused_now_and_who_no_longer(tmp_path: Path) -> None:
    odd = run("odd", TASKS, settings="t")
    found = between(tmp_path, [BEST, LAST], [BEST, LAST, odd])
    assert [line.split(":")[0] for line in found.refused] == ["odd is refused"]
    found = between(tmp_path, [BEST, LAST, odd], [BEST, LAST])
    assert found.refused[0].startswith("odd is no longer refused for this: settings")


def test_a_row_that_left_is_told(tmp_path: Path) -> None:
    found = between(tmp_path, [BEST, LAST], [BEST])
    assert change(found, "last").fate == "left"


def test_versions_are_kept_once_and_in_order(tmp_path: Path) -> None:
    one, two = (document_of(board(tmp_path, runs)) for runs in ([BEST], [BEST, LAST]))
    out = tmp_path / "out"
    told = [keep_version(out, document, b"r") for document in (one, one, two, one)]
    assert [(kept.number, new) for kept, new in told] == [(1, True), (1, False), (2, True), (3, True)]
    assert numbers(out) == [1, 2, 3]
    assert read_version(out, 2).document == two
    kept, new = keep_version(out, one, b"other rules")
    assert (kept.number, new) == (4, True)
    assert sorted(path.name for path in (out / "versions").iterdir()) == ["0001", "0002", "0003", "0004"]


def test_a_version_that_is_not_there_or_damaged_is_named(tmp_path: Path) -> None:
    keep_version(tmp_path, document_of(board(tmp_path, [BEST])), b"r")
    with pytest.raises(InputError, match="no version 7") as caught:
        read_version(tmp_path, 7)
    assert caught.value.hint == "Versions kept: 1."
    for content in (b"{", b'{"schema": "other"}', b"[]", b'{"schema": "fairtrial.board/1"}'):
        (tmp_path / "versions" / "0001" / "board.json").write_bytes(content)
        with pytest.raises(FormatError):
            read_version(tmp_path, 1)


def test_a_second_scaffold_changes_labels_and_no_row(tmp_path: Path) -> None:
    one, two = run("m", TASKS, agent="x"), run("m", WORSE, agent="y")
    found = between(tmp_path, [one], [one, two])
    assert [(row.label, row.fate) for row in found.rows] == [("y/m", "entered")]
    assert found.same == 1


MID = run("mid", {f"t{i}": "ff" if i < 5 else "pp" for i in range(12)})


def reasons(found: Changes, label: str) -> tuple[str, ...]:
    return change(found, label).reasons


def test_why_a_row_left_is_what_became_of_it(tmp_path: Path) -> None:
    assert reasons(between(tmp_path, [BEST, LAST], [BEST]), "last") == ("none of its runs is in the ledgers any more",)
    other = [run(f"x{place}", TASKS, settings="t") for place in range(3)]
    found = between(tmp_path, [BEST, LAST], [BEST, LAST, *other])
    assert reasons(found, "last") == ("its run is refused: settings: got s, wants t",)
    found = between(tmp_path, [BEST, LAST, *other], [BEST, LAST])
    assert reasons(found, "last") == ("its run was refused before: settings: got s, wants t", "accepted")
    found = between(tmp_path, [BEST, LAST], [BEST, LAST], now=SMALL + '[[base]]\nmodel = "last"\n')
    assert reasons(found, "last") == ("last: of the scale below the rows now",)
    assert found.locked == ("scale: last as base models, before none",)


def test_models_that_become_one_row_are_said_to_be_part_of_it(tmp_path: Path) -> None:
    held = [BEST, LAST, MID, run("low", WORSE)]
    handed = (handed_in("best", "last", entrant="ada"), handed_in("mid", "low", entrant="ada"))
    found = between(tmp_path, held, held, submissions=handed)
    assert reasons(found, "best") == ("part of the row ada now",)
    assert reasons(found, "ada")[0] == "its models were rows of their own before: best, mid"


def test_nothing_that_was_not_judged_is_called_clean(tmp_path: Path) -> None:
    found = between(tmp_path, [LAST], [LAST, BEST], JUDGED)
    assert reasons(found, "best") == ("not judged: not judged by contamination",)
    found = between(tmp_path, [BEST, LAST], [BEST, LAST], now=JUDGED)
    assert reasons(found, "best") == ("accepted before, not judged now: not judged by contamination",)


@pytest.mark.parametrize("sizes", [(1, 4), (6, 4)])
def test_other_clusters_are_the_reason_of_another_interval(tmp_path: Path, sizes: tuple[int, int]) -> None:
    first, second = (
        [run(each.who.model, tasks, clusters={f"t{i}": f"c{i // size}" for i in range(12)})
         for each, tasks in ((BEST, TASKS), (LAST, WORSE))]
        for size in sizes
    )  # fmt: skip
    found = between(tmp_path, first, second)
    assert "its tasks are clustered otherwise" in found.locked[0]
    assert reasons(found, "last") == found.locked


def test_another_seed_is_told(tmp_path: Path) -> None:
    made = board(tmp_path, [BEST, LAST])
    other = replace(made, options=replace(made.options, seed=7))
    assert changes(version(made, 1), version(other, 2)).locked == ("ranks: seed was 0, is 7",)


def test_who_moved_for_others_is_told_so_although_something_of_its_own_changed(tmp_path: Path) -> None:
    found = between(tmp_path, [LAST], [LAST, BEST], submissions=(handed_in("last"),))
    assert reasons(found, "last") == ("it was handed in", "its score is the same; best entered")


def test_what_is_shown_of_a_row_and_changed_is_told(tmp_path: Path) -> None:
    """No version is made of which the page of changes tells nothing."""
    dear = run("best", TASKS, cost_usd=0.5)
    assert reasons(between(tmp_path, [BEST, LAST], [dear, LAST]), "best") == (
        "other tokens or money are in the records",
    )
    found = between(tmp_path, [BEST, LAST], [BEST, LAST], JUDGED, screenings=(screening("best", holds=True),))
    assert reasons(found, "best") == ("other checks speak of it",)


def test_a_base_that_another_hand_in_names_is_told(tmp_path: Path) -> None:
    first, again = handed_in("best", "last"), handed_in("best", "mid", recorded_at="2026-01-05")
    made = [board(tmp_path, [BEST, LAST, MID], submissions=handed) for handed in ((first,), (first, again))]
    found = changes(version(made[0], 1), version(made[1], 2))
    assert reasons(found, "best") == ("it was handed in anew, made from mid, before from last",)


@pytest.mark.parametrize(
    ("edit", "field"),
    [
        (lambda kept: kept["rows"][0].pop("key"), "rows[0].key"),
        (lambda kept: kept["rows"][1].update(score=None), "rows[1].score"),
        (lambda kept: kept["rows"][1].update(rank="1"), "rows[1].rank"),
        (lambda kept: kept["rows"].append(kept["rows"][0]), "rows"),
        (lambda kept: kept["locked"].pop("tracks"), "locked.tracks"),
        (lambda kept: kept.update(refused=[7]), "refused[0]"),
    ],
)
def test_a_version_that_was_edited_by_hand_is_an_error_with_its_place(tmp_path: Path, edit: Any, field: str) -> None:
    document = document_of(board(tmp_path, [BEST, LAST]))
    keep_version(tmp_path, document, b"r")
    kept = orjson.loads(board_bytes(document))
    edit(kept)
    (tmp_path / "versions" / "0001" / "board.json").write_bytes(orjson.dumps(kept))
    with pytest.raises(FormatError) as caught:
        read_version(tmp_path, 1)
    assert caught.value.field == field


def test_a_version_that_lacks_a_file_is_damaged_and_not_absent(tmp_path: Path) -> None:
    keep_version(tmp_path, document_of(board(tmp_path, [BEST])), b"r")
    (tmp_path / "versions" / "0001" / "rules.toml").unlink()
    with pytest.raises(FormatError, match="is missing"):
        read_version(tmp_path, 1)
