"""Composing: the chosen model, what stands under `not measured`, proofs of other contents, and the same bytes again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.report.fixed import fixed_measurement
from tests.report.suites import SUITE, context, fill, findings, measured, proofs

from fairtrial.cli.main import VERBS
from fairtrial.ledger import Ledger
from fairtrial.ledger.observed import FAILED, PASSED, Cells, Observed, Subject
from fairtrial.measure import measure
from fairtrial.records import InputError, Proof, Rollout, Sample, Verdict
from fairtrial.report import SCHEMA, build, json_bytes, write
from fairtrial.report.gather import has_rollouts, nothing_measured, read_context, read_findings, read_proofs


def test_the_same_records_give_the_same_bytes() -> None:
    made = [json_bytes(build(fixed_measurement(), proofs(), findings(), context())) for _ in range(2)]
    assert made[0] == made[1]


def test_a_measured_suite_builds_and_is_written(tmp_path: Path) -> None:
    report = build(measured(), proofs(), findings(), context())
    paths = write(report, tmp_path / "deep" / "folder")
    assert sorted(path.name for path in paths.values()) == ["report.html", "report.json", "report.md"]
    assert sorted(p.name for p in (tmp_path / "deep" / "folder").iterdir()) == sorted(p.name for p in paths.values())
    assert report.document()["schema"] == SCHEMA


def test_writing_onto_a_file_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x")
    with pytest.raises(InputError, match="--out"):
        write(build(nothing_measured(16, 0), (), (), context()), tmp_path / "taken")


def test_the_chosen_model_is_the_named_one_or_has_the_fullest_band() -> None:
    chosen = build(fixed_measurement(), (), (), context()).verdict.side[0].text
    named = build(fixed_measurement(), (), (), context(model="scripted:weak")).verdict.side[0].text
    assert (chosen, named) == ("scripted:strong", "scripted:weak")
    with pytest.raises(InputError, match="scripted:weak"):
        build(fixed_measurement(), (), (), context(model="absent"))


def test_what_was_not_done_is_not_measured_with_a_reason_and_a_command_that_exists() -> None:
    report = build(nothing_measured(16, 0), (), (), context())
    named = {scope.what for scope in report.not_measured}
    assert {"graders", "difficulty and gradient", "contamination", "lift", "false passes and false fails"} <= named
    assert all(scope.why for scope in report.not_measured)
    commands = [scope.command.split() for scope in report.not_measured if scope.command]
    assert commands
    assert all(words[0] == "fairtrial" and words[1] in VERBS for words in commands), "a command that does not exist"
    empties = [block.empty for section in report.sections for block in section.blocks if block.empty is not None]
    assert len(empties) >= 7
    assert all(empty.command.startswith("fairtrial ") for empty in empties)


def test_a_model_without_a_verdict_is_reported_without_numbers() -> None:
    plain = fixed_measurement()
    nothing = replace(plain.models[1].pass_rate, value=None, low=None, high=None, n=0)
    empty = replace(plain.models[1], tasks=0, graded=0, passes=0, ungraded=24, pass_rate=nothing)
    report = build(replace(plain, models=(plain.models[0], empty)), (), (), context())
    table = next(t for s in report.sections if s.key == "difficulty" for b in s.blocks for t in b.tables)
    assert table.rows[1].cells[1].text == "not measured"


def test_the_last_proof_stands_and_findings_on_other_contents_do_not(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    fill(ledger)
    later = Proof(
        task="bugfix-rounding",
        status="proven",
        suite=SUITE,
        task_hash="sha256:mended",
        sandbox="local",
        recorded_at="2026-11-30T00:00:00Z",
    )
    ledger.append("proofs", [later])
    held = {proof.task: proof.status for proof in read_proofs(ledger)}
    assert held["bugfix-rounding"] == "proven"
    assert len(held) == 6
    assert [finding.task for finding in read_findings(ledger, read_proofs(ledger))] == ["report-csv"]


def test_a_reward_that_differs_from_grading_toml_is_a_lead_of_its_task(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    lie = '{"reward_differs": "the grader wrote 1, its grading.toml makes 0.5"}'
    for attempt, (origin, evidence) in enumerate([("policy", lie), ("policy", ""), ("policy", "{"), ("known", lie)]):
        rollout = Rollout(task="t", model="m", attempt=attempt, origin=origin)  # type: ignore[arg-type]
        ledger.append("rollouts", [rollout])
        ledger.append("verdicts", [Verdict(rollout=rollout.id, outcome="failed", score=0.5, evidence=evidence)])
    (finding,) = read_findings(ledger, ())
    assert (finding.severity, finding.task) == ("lead", "t")
    assert "1 of 3 verdicts" in finding.claim
    assert "wrote 1" in finding.claim


def test_the_context_is_read_from_the_ledger(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    assert not has_rollouts(ledger)
    fill(ledger)
    assert has_rollouts(ledger)
    found = read_context(ledger, read_proofs(ledger))
    assert (found.suite, found.suite_path, found.measured_at, found.isolated) == (
        SUITE,
        "/suites/desk",
        "2026-11-29",
        True,
    )
    assert found.scripted == ("scripted:strong", "scripted:weak")
    assert [(source.name, source.rows) for source in found.sources] == [
        ("rollouts", 96),
        ("verdicts", 96),
        ("proofs", 6),
        ("findings", 2),
    ]


def test_proofs_round_trip_through_the_ledger(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    ledger.append("proofs", proofs())
    ledger.append("findings", findings())
    assert {proof.id for proof in read_proofs(ledger)} == {proof.id for proof in proofs()}
    assert {finding.id for finding in read_findings(ledger, ())} == {finding.id for finding in findings()}


def claims_of(*rows: tuple[str, int, bool]) -> tuple[str, str]:
    """Return the sentence of the verdict and all claims, for (task, attempt, passed) of one model."""
    tasks, task = np.unique([row[0] for row in rows], return_inverse=True)
    none = np.zeros(len(rows), dtype=np.int64)
    outcome = np.array([PASSED if row[2] else FAILED for row in rows])
    cells = Cells(subject=none, task=task, outcome=outcome, reason=none, stop=none,
                  count=none + 1, spend=np.zeros((len(rows), 9)))  # fmt: skip
    seen = Observed(suites=("",), subjects=(Subject(label="m", name="m", effort="", agent=""),),
                    tasks=tuple(tasks.tolist()), cluster=np.arange(len(tasks)), reasons=("",), stops=("",),
                    cells=cells)  # fmt: skip
    report = build(measure(seen), (), (), context())
    statements = [row.statement for row in report.verdict.rows]
    blocks = [block.claim for section in report.sections for block in section.blocks]
    return report.verdict.sentence, " | ".join((*statements, *blocks))


def test_one_attempt_a_task_makes_no_claim_on_the_band() -> None:
    sentence, claims = claims_of(("a", 0, True), ("b", 0, False), ("c", 0, True))
    assert "the training band of m is not measured" in sentence
    assert "Which tasks lie in the training band was not measured" in claims
    assert "m passes 2 of 3 tasks at one attempt each" in claims
    assert "never or always" not in claims


def test_the_one_task_outside_the_band_is_not_said_to_lie_in_it() -> None:
    _, claims = claims_of(("a", 0, True), ("a", 1, True))
    assert "The one task does not lie in the training band" in claims


def test_what_could_not_be_looked_for_is_not_measured() -> None:
    _, claims = claims_of(("a", 0, True), ("a", 1, False))
    assert "Whether failures came in runs was not measured" in claims
    assert "Suspects were not measured" in claims
    assert "No task stood out" not in claims
    assert "No run of failures" not in claims


@pytest.mark.parametrize(
    ("measured_probes", "claim"),
    [
        (("null", "reference"), "No probe was run, so no finding could be raised"),
        (("null", "reference", "left_running"), "No probe raised a finding"),
    ],
)
def test_known_candidates_alone_are_no_search_for_findings(measured_probes: tuple[str, ...], claim: str) -> None:
    graded = tuple(replace(proof, measured=measured_probes, status="proven") for proof in proofs())
    plain = replace(nothing_measured(16, 0), never_passed=())
    report = build(plain, graded, (), context())
    (block,) = next(section for section in report.sections if section.key == "findings").blocks
    assert block.claim == claim


def test_the_command_that_leads_to_reviews_is_the_next_step(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    fill(ledger)

    def told() -> set[str]:
        report = build(nothing_measured(16, 0), (), (), read_context(ledger, ()))
        claims = {scope.command for scope in report.not_measured if scope.what.startswith("false passes")}
        blocks = [block for section in report.sections if section.key in ("audit", "examples")
                  for block in section.blocks]  # fmt: skip
        return claims | {block.empty.command for block in blocks if block.empty}

    assert told() == {f"fairtrial audit sample {ledger.path} --n 60"}
    ledger.append("samples", [Sample(seed=0, by=("verdict",), rows=(), strata=())])
    assert told() == {f"fairtrial serve {ledger.path} --reviewer NAME"}
