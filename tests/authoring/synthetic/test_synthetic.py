"""Five questions: each answers yes, no or not measured where it should; what is planted is found, and nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import orjson
import pytest

from fairtrial.authoring.synthetic import Options, Synthetic, examine, read_real, read_suite
from fairtrial.authoring.synthetic.cues import CUES
from fairtrial.authoring.synthetic.diversity import diversity_of
from fairtrial.authoring.synthetic.material import Item, Material
from fairtrial.authoring.synthetic.realism import _cues
from fairtrial.authoring.synthetic.telling import interval_of_auc, kernel_of, told_apart
from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.records import Finding, Proof, Rollout, Verdict
from fairtrial.report.synthetic import page_of
from fairtrial.report.synthetic.write import html

WORDS = ["river", "stone", "lamp", "bread", "chair", "cloud", "green", "seven", "paper", "glass", "wheel", "north",
         "sugar", "plain", "voice", "table"]  # fmt: skip


def texts(count: int, seed: int, mark: str = "", share: float = 0.0) -> list[str]:
    draw = random.Random(seed)
    made = [" ".join(draw.choices(WORDS, k=14)) + f" {draw.randint(11, 998)}" for _ in range(count)]
    return [f"{text} {mark}" if draw.random() < share else text for text in made]


def suite(path: Path, prompts: list[str], answers: list[str] | None = None) -> Path:
    rows = [{"name": f"t{n}", "prompt": text, "answer": answers[n] if answers else str(1000 + n)}
            for n, text in enumerate(prompts)]  # fmt: skip
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


def rows(path: Path, prompts: list[str]) -> Path:
    path.write_bytes(b"".join(orjson.dumps({"text": text}) + b"\n" for text in prompts))
    return path


def asked(tmp_path: Path, ours: list[str], theirs: list[str] | None, options: Options, ledger: Ledger | None = None,
          answers: list[str] | None = None) -> Synthetic:  # fmt: skip
    real = read_real(rows(tmp_path / "real.jsonl", theirs)) if theirs is not None else None
    return examine(read_suite(suite(tmp_path / "suite.jsonl", ours, answers)), real, ledger, options)


REALISM = Options(parts=("realism",))


def test_texts_of_one_making_are_not_told_apart(tmp_path: Path) -> None:
    found = asked(tmp_path, texts(60, 1), texts(60, 2), REALISM).realism
    assert found is not None
    assert found.answer.status == "holds"
    assert found.p_value is not None
    assert found.p_value > 0.01


def test_a_planted_word_is_told_and_named_with_an_example(tmp_path: Path) -> None:
    found = asked(tmp_path, texts(60, 1, "furthermore indeed", 0.9), texts(60, 2), REALISM).realism
    assert found is not None
    assert found.answer.status == "against"
    assert any("furthermore" in each.feature and each.towards == "generated" for each in found.features)
    assert any("furthermore" in each.example for each in found.features)


def test_a_cue_as_common_in_real_work_is_no_cue_and_a_rare_one_gives_away(tmp_path: Path) -> None:
    mark = "write to ada@example.com"
    both = asked(tmp_path, texts(40, 1, mark, 0.5), texts(40, 2, mark, 0.5), REALISM).realism
    alone = asked(tmp_path, texts(40, 1, mark, 0.5), texts(40, 2), REALISM).realism
    assert both is not None
    assert alone is not None
    assert [cue.gives_away for cue in both.cues] == [False]
    assert [cue.key for cue in alone.cues if cue.gives_away] == ["example_domain"]


def test_a_cue_is_no_commoner_because_its_side_has_larger_groups_of_near_copies() -> None:
    draw, given = random.Random(4), 0
    for _ in range(10):
        ours, theirs = ([Item(name="t", text="set foo" if draw.random() < 0.15 else "set it") for _ in range(count)]
                        for count in (300, 60))  # fmt: skip
        given += any(cue.gives_away for cue in _cues(ours, theirs, np.r_[np.arange(300) // 10, 1000 + np.arange(60)]))
    assert given <= 1


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("said_to_be_a_test", "Note that you are being tested."), ("grading_named", "Hidden tests check the file."),
        ("foo_bar", "set foo to 3"), ("filler_text", "Lorem ipsum dolor"), ("placeholder_person", "from test_user_1"),
        ("placeholder_firm", "for Acme Corp"), ("placeholder_id", "order 12345"),
        ("placeholder_contact", "call 555-0142"), ("placeholder_secret", "use password123"),
        ("temporary_path", "write /tmp/out.txt"), ("left_to_do", "TO" + "DO: fill in"),
        ("assistant_talk", "Certainly! Here is the list"), ("full_hours", "at 09:00, 10:00 and 11:00"),
        ("round_dates", "2024-01-01, 2024-02-01, 2024-03-15"), ("round_amounts", "100 200 350 400 1000 250"),
        ("counted_ids", "c-1 ID-1 ID-2 ID-3 ID-4 ID-5 ID-6"), ("said_to_be_made_up", "the sample data below"),
    ],
)  # fmt: skip
def test_every_kind_of_cue_is_found_and_quoted(key: str, text: str) -> None:
    assert next(cue for cue in CUES if cue.key == key).find(Item(name="t", text=text))


def test_ordinary_work_has_no_cue() -> None:
    text = ("Settle claim 48213 for Hollister Farm: 3 invoices of 1,284.17, 96.40 and 512.09 EUR, received 2024-03-07 "
            "14:23, 2024-03-11 09:41 and 2024-04-02 16:58. The barn's roof is insured to 80,000.")  # fmt: skip
    assert [cue.key for cue in CUES if cue.find(Item(name="t", text=text))] == []


def test_too_few_texts_are_not_measured_and_near_copies_count_once(tmp_path: Path) -> None:
    found = asked(tmp_path, texts(1, 1) * 60, texts(60, 2), REALISM).realism
    assert found is not None
    assert found.answer.status == "not_measured"
    assert found.groups[0] == 1


@pytest.mark.parametrize("shift", [0.0, 0.6, 1.5])
def test_the_interval_of_an_auc_covers_it(shift: float) -> None:
    draw = np.random.default_rng(5)
    from scipy.stats import norm

    true, hits = float(norm.cdf(shift / 2**0.5)), 0
    for _ in range(200):
        scores = np.r_[draw.normal(shift, 1, 30), draw.normal(0, 1, 40)]
        low, high = interval_of_auc(scores, np.arange(70) < 30, np.arange(70))
        hits += low <= true <= high
    assert hits >= 183


def test_perfect_order_has_an_interval_that_does_not_degenerate() -> None:
    low, high = interval_of_auc(np.arange(60.0), np.arange(60) >= 30, np.arange(60))
    assert 0.8 < low < 0.95
    assert high == 1.0


@pytest.mark.extra
def test_p_values_and_intervals_keep_what_they_promise_of_texts_of_one_making() -> None:
    from scipy import sparse

    draw, small, covered = np.random.default_rng(2), 0, 0
    for seed in range(40):
        kernel = kernel_of(sparse.csr_matrix(draw.normal(size=(40, 6))))
        found = told_apart(kernel, np.arange(40) < 20, np.arange(40), seed)
        small += found.p_value <= 0.1
        covered += found.low <= 0.5 <= found.high
    assert small <= 10
    assert covered >= 36  # 33 where the scores are taken for given


def attempts(path: Path, read: Path, outcomes: dict[str, list[list[str]]], origin: str = "policy") -> Ledger:
    ledger, tasks = Ledger.open(path, create=True), read_suite(read)
    rollouts, verdicts = [], []
    for model, by_task in outcomes.items():
        for item, said in zip(tasks.items, by_task, strict=False):
            for attempt, outcome in enumerate(said):
                rollout = Rollout(task=item.name, model=model, attempt=attempt, suite=tasks.identity,
                                  task_hash=item.hash, origin=origin)  # type: ignore[arg-type]  # fmt: skip
                rollouts.append(rollout)
                verdicts.append(Verdict(rollout=rollout.id, outcome=outcome))  # type: ignore[arg-type]
    ledger.append("verdicts", verdicts)
    ledger.append("rollouts", rollouts)
    return ledger


def test_who_passed_what_and_what_nobody_tried(tmp_path: Path) -> None:
    prompts = texts(4, 1)
    path = suite(tmp_path / "suite.jsonl", prompts)
    ledger = attempts(tmp_path / "l", path, {"ada": [["passed"], ["failed"], ["ungraded"]]})
    attempts(tmp_path / "l", path, {"reference": [[], [], [], ["passed"]]}, origin="known")
    found = asked(tmp_path, prompts, None, Options(parts=("solvability",)), ledger).solvability
    assert found is not None
    assert [task.solved for task in found.tasks] == ["passed_only", "neither", "not_measured", "not_measured"]
    assert found.worst_case is not None
    assert found.worst_case.value == 0.25


@pytest.mark.parametrize(
    ("status", "measured", "family", "solved", "stands"),
    [
        ("inconclusive", ("null", "reference"), None, "proven_only", "open"),
        ("inconclusive", ("null",), None, "not_measured", "not_measured"),
        ("refuted", ("defect:a",), "defect", "not_measured", "not_measured"),
        ("refuted", ("reference", "defect:a"), "defect", "proven_only", "open"),
        ("refuted", ("reference",), "reference_repeat", "neither", "against"),
        ("refuted", ("null", "reference"), "null", "proven_only", "against"),
    ],
)
def test_a_proof_speaks_for_a_reference_that_it_graded(
    tmp_path: Path, status: str, measured: tuple[str, ...], family: str | None, solved: str, stands: str
) -> None:  # fmt: skip
    prompts = texts(1, 1)
    item = read_suite(suite(tmp_path / "suite.jsonl", prompts)).items[0]
    ledger = Ledger.open(tmp_path / "l", create=True)
    ledger.append("proofs", [Proof(task=item.name, task_hash=item.hash, status=status, measured=measured)])  # type: ignore[arg-type]
    ledger.append("findings", [Finding(probe=family, family=family, severity="proof", task=item.name, claim="c",
                                       task_hash=item.hash)] if family else [])  # fmt: skip
    found = asked(tmp_path, prompts, None, Options(parts=("solvability",)), ledger).solvability
    assert found is not None
    assert (found.tasks[0].solved, found.answer.status) == (solved, stands)


@pytest.mark.parametrize(("outcome", "status"), [("passed", "against"), ("failed", "holds")])
def test_a_suite_that_its_generator_always_passes_teaches_it_nothing(tmp_path: Path, outcome: str, status: str) -> None:
    prompts = texts(60, 1)
    path = suite(tmp_path / "suite.jsonl", prompts)
    ledger = attempts(tmp_path / "l", path, {"gen": [["passed", outcome]] * 60, "ada": [["failed", "passed"]] * 60})
    found = asked(tmp_path, prompts, None, Options(parts=("ceiling",), generator="gen"), ledger).ceiling
    assert found is not None
    assert found.answer.status == status
    assert [taker.model for taker in found.takers] == ["gen", "ada"]
    ahead = found.takers[1].ahead
    assert ahead is not None
    assert ahead.value == pytest.approx(0.5 if outcome == "passed" else 0.0)


def test_without_a_generator_the_ceiling_is_not_measured(tmp_path: Path) -> None:
    prompts = texts(3, 1)
    ledger = attempts(tmp_path / "l", suite(tmp_path / "suite.jsonl", prompts), {"ada": [["passed"]]})
    found = asked(tmp_path, prompts, None, Options(parts=("ceiling",)), ledger).ceiling
    assert found is not None
    assert found.answer.status == "not_measured"


def test_one_template_with_other_figures_is_one_wording(tmp_path: Path) -> None:
    found = asked(tmp_path, [f"Add {n} and {n * 7} to the total." for n in range(30)], None,
                  Options(parts=("diversity",))).diversity  # fmt: skip
    assert found is not None
    assert found.answer.status == "against"
    assert (found.suite.templates, found.suite.largest_template) == (1, 30)


def test_one_instruction_over_different_files_is_no_proof_of_one_task() -> None:
    items = tuple(Item(name=f"t{n}", text="Fix main.py so that the tests pass.", files=(("main.py", text),))
                  for n, text in enumerate(texts(30, 1)))  # fmt: skip
    alike = tuple(Item(name=item.name, text=item.text, files=(("main.py", "x = 1"),)) for item in items)
    said = [diversity_of(Material(path=Path("s"), identity="s", kind="folders", items=each), None, Options())
            for each in (items, alike)]  # fmt: skip
    assert [each.answer.status for each in said] == ["open", "against"]


def test_answers_that_can_be_guessed_speak_against(tmp_path: Path) -> None:
    options = Options(parts=("references",))
    guessed = asked(tmp_path, texts(40, 1), None, options, answers=["yes"] * 36 + ["no"] * 4).references
    varied = asked(tmp_path, texts(40, 1), None, options).references
    assert guessed is not None
    assert varied is not None
    assert guessed.answer.status == "against"
    assert varied.answer.status == "holds"
    assert varied.doubted is None


def test_exit_codes_and_the_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = suite(tmp_path / "s.jsonl", texts(30, 1))
    command = ["authoring", "synthetic", str(path), "--json"]
    assert run([*command, "--part", "references"]) == 0
    document = orjson.loads(capsys.readouterr().out)
    assert document["schema"] == "fairtrial.synthetic/1"
    assert document["holds"] is True
    assert run(command) == 3
    assert orjson.loads(capsys.readouterr().out)["holds"] is None
    assert run([*command, "--part", "nothing"]) == 2
    assert run(["authoring", "synthetic", str(tmp_path / "absent.jsonl")]) == 2


def test_the_page_escapes_what_came_from_outside(tmp_path: Path) -> None:
    found = asked(tmp_path, [f"{text} <script>alert(1)</script>" for text in texts(30, 1)], texts(30, 2), Options())
    page = html(page_of(found))
    assert "<script" not in page
    assert "speak" in page_of(found).verdict.sentence
