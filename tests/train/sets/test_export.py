"""Attacks: a card must say what is in the files and how sure the grader is, and nothing that was not measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.formats.atif import AtifStep, ToolCall
from fairtrial.ledger import Ledger
from fairtrial.records import FairtrialError, InputError, Review, Screening, digest
from fairtrial.train.recipe.rows import read_rows
from fairtrial.train.sets import Options, export
from train.sets.ledgers import acted, agent_rollout, ledger_at, put_all, tasks_at, text_rollout


def filled(folder: Path) -> Ledger:
    made = ledger_at(folder)
    put_all(made, [(text_rollout(task, at, f"{task} {word}"), "passed" if at < 2 else "failed")
                   for task in "abc" for at, word in enumerate(("red", "oak door", "blue", "whale"))])  # fmt: skip
    return made


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """Return a ledger that no test adds to."""
    return filled(tmp_path_factory.mktemp("export"))


def made(ledger: Ledger, out: Path, kind: Any = "sft", format_: str = "trl", **options: Any) -> dict[str, Any]:
    return export(ledger, format_, Options(kind=kind, **options), out)


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    return tasks_at(tmp_path, *({"name": name, "family": "f"} for name in "abc"))


@pytest.mark.parametrize(("kind", "format_"), [("sft", "openai"), ("sft", "atif"), ("preferences", "trl"),
                                               ("prompts", "verl")])  # fmt: skip
def test_the_card_names_every_file_by_its_hash_and_origins_name_every_row(
    kind: str, format_: str, ledger: Ledger, tasks: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    card = made(ledger, out, kind, format_, text_tasks=tasks)
    assert card == json.loads((out / "card.json").read_bytes())
    there = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert there - {"card.json", "card.md", "origins.jsonl"} == {file["path"] for file in card["files"]}
    assert all(digest((out / file["path"]).read_bytes()) == file["sha256"] for file in card["files"])
    origins = [json.loads(line) for line in (out / "origins.jsonl").read_text().splitlines()]
    assert len(origins) == card["rows"] == sum(file["rows"] for file in card["files"]) > 0
    assert {one["task"] for one in origins} == {"a", "b", "c"}


def test_the_same_seed_gives_the_same_bytes_and_another_ledger_another_hash(tasks: Path, tmp_path: Path) -> None:
    ledger = filled(tmp_path)
    for name in ("one", "two"):
        made(ledger, tmp_path / name, text_tasks=tasks, per_task=1)
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert one == two
    put_all(ledger, [(text_rollout("a", 9, "more"), "passed")])
    assert made(ledger, tmp_path / "three", text_tasks=tasks)["ledger"] != json.loads(one["card.json"])["ledger"]


def test_what_was_not_measured_is_said_and_never_clean(ledger: Ledger, tasks: Path, tmp_path: Path) -> None:
    card = made(ledger, tmp_path / "out", text_tasks=tasks)
    assert card["grader"]["false_pass_rate"]["value"] is None
    assert card["grader"]["proofs"] == {"not_measured": 3}
    assert card["screenings"] == []
    assert len(card["not_measured"]) == 3
    page = (tmp_path / "out" / "card.md").read_text()
    assert "not measured: nothing was reviewed" in page
    assert all(line in page for line in card["not_measured"])


def test_the_graders_error_rates_are_those_of_reviews(tasks: Path, tmp_path: Path) -> None:
    ledger = filled(tmp_path)
    passes = [text_rollout(task, at, f"{task} {word}") for task in "abc" for at, word in enumerate(("red", "oak door"))]
    ledger.append(
        "reviews", [Review(rollout=one.id, reviewer="ada", satisfied=at > 0) for at, one in enumerate(passes)]
    )
    card = made(ledger, tmp_path / "out", text_tasks=tasks)
    rate = card["grader"]["false_pass_rate"]
    assert (round(rate["value"], 6), rate["n"]) == (round(1 / 6, 6), 6)
    assert rate["low"] < rate["value"] < rate["high"]
    assert card["left_out"]["review_false_pass"] == 1


def test_a_screening_of_the_very_files_is_told_from_others(tasks: Path, tmp_path: Path) -> None:
    ledger = filled(tmp_path)
    card = made(ledger, tmp_path / "one", text_tasks=tasks)
    ledger.append("screenings", [
        Screening(kind="scan", subject="train", subject_hash=subject, holds=holds, summary="s")
        for subject, holds in ((card["files"][0]["sha256"], True), ("sha256:other", None))
    ])  # fmt: skip
    again = made(ledger, tmp_path / "two", text_tasks=tasks)
    assert {(one["of_this_set"], one["holds"]) for one in again["screenings"]} == {(True, True), (False, None)}


def test_a_folder_that_holds_something_is_not_touched(ledger: Ledger, tasks: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        made(ledger, tmp_path / "out", text_tasks=tasks)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine"]


def test_where_no_row_is_left_nothing_is_written_and_the_reasons_are_told(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(FairtrialError, match="no_text 6") as caught:
        made(ledger, tmp_path / "out")
    assert (caught.value.exit_code, (tmp_path / "out").exists()) == (3, False)


@pytest.mark.parametrize(("format_", "kind"), [("atif", "prompts"), ("openai", "prompts"), ("verl", "preferences")])
def test_a_kind_that_a_format_lacks_is_refused(format_: str, kind: str, ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no form for"):
        made(ledger, tmp_path / "out", kind, format_)


@pytest.mark.parametrize("band", [(0.7, 0.02), (0.5, 0.5), (-0.1, 0.5), (0.1, 1.5), (float("nan"), 1.0)])
def test_a_band_that_is_none_is_refused(band: tuple[float, float], ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no band"):
        made(ledger, tmp_path / "out", "prompts", band=band)


TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }} {{ m['content'] }}{% for c in m.get('tool_calls') or [] %}"
    "{% for name, value in c['function']['arguments'].items() %}{{ name }}={{ value }} {% endfor %}{% endfor %}"
    "{% endfor %}{% if add_generation_prompt %}assistant {% endif %}"
)


@pytest.mark.extra
@pytest.mark.filterwarnings("ignore")  # theirs, of their own next version
def test_trls_trainers_take_the_files_as_they_are(ledger: Ledger, tasks: Path, tmp_path: Path) -> None:
    pytest.importorskip("trl")
    from datasets import load_dataset
    from transformers import AutoTokenizer
    from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer

    from fairtrial.train.trainers.training import dataset_of
    from train.tiny import write_model

    agents = ledger_at(tmp_path / "agents")
    other = AtifStep(
        source="agent",
        tool_calls=(ToolCall(tool_call_id="r", function_name="read", arguments={"path": "x", "line": 3}),),
    )
    put_all(agents, [(agent_rollout(agents, "d", *acted("ok", "cat d")), "passed"),
                     (agent_rollout(agents, "e", other, *acted("ok")), "passed")])  # fmt: skip
    made(ledger, tmp_path / "texts", text_tasks=tasks)
    made(ledger, tmp_path / "pairs", "preferences", text_tasks=tasks)
    made(agents, tmp_path / "chats")
    model = str(write_model(tmp_path / "model"))
    words = AutoTokenizer.from_pretrained(model)
    words.chat_template = TEMPLATE
    settings: dict[str, Any] = {
        "max_steps": 1, "use_cpu": True, "bf16": False, "activation_checkpointing": False, "report_to": "none",
        "per_device_train_batch_size": 2, "dataloader_pin_memory": False, "disable_tqdm": True, "save_strategy": "no",
    }  # fmt: skip
    kinds = (("texts", SFTTrainer, SFTConfig), ("chats", SFTTrainer, SFTConfig), ("pairs", DPOTrainer, DPOConfig))
    for name, trainer, config in kinds:
        file, cache = str(tmp_path / name / "train.jsonl"), str(tmp_path / "cache")
        rows = load_dataset("json", data_files=file, split="train", cache_dir=cache)
        chosen = config(output_dir=str(tmp_path / f"{name}-out"), **settings)
        run = trainer(model=model, args=chosen, train_dataset=rows, processing_class=words)
        assert run.train().global_step == 1
    chats = tmp_path / "chats" / "train.jsonl"
    learned = read_rows(chats, "sft")
    assert list(dataset_of(learned)) == list(learned)
