"""Sampling: each row draws for itself, from the model's own distribution, and ends where the model ends."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records import InputError
from fairtrial.tasks.text import Message
from train import tiny

pytestmark = pytest.mark.extra
PROMPTS = [f"sort {number}=" for number in (*tiny.NUMBERS, "1")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch")
    return tiny.write_model(tmp_path_factory.mktemp("tiny") / "model")


def _sampled(folder: Path, batch_size: int = 256) -> Any:
    from fairtrial.train.trainers.sampling import SampledModel

    return SampledModel.load(folder, cuda=False, batch_size=batch_size)


def test_a_row_comes_out_the_same_whoever_shares_its_batch(folder: Path) -> None:
    together = _sampled(folder).complete_each(PROMPTS, range(len(PROMPTS)), temperature=1.0, max_new_tokens=6)
    apart = _sampled(folder, 2).complete_each(PROMPTS, range(len(PROMPTS)), temperature=1.0, max_new_tokens=6)
    assert together == apart
    assert len({one.text for one in together}) > len(PROMPTS) // 2


def test_one_seed_gives_rows_seeds_of_their_own(folder: Path) -> None:
    model = _sampled(folder)
    same = ["sort 4193="] * 8
    first, again, other = (model.complete(same, seed=s, temperature=1.0, max_new_tokens=6) for s in (1, 1, 2))
    assert first == again != other
    assert len({one.text for one in first}) > 4


def test_tokens_are_drawn_as_often_as_the_model_says(folder: Path) -> None:
    import torch

    model, count, temperature = _sampled(folder, 4000), 4000, 0.7
    drawn = model.complete_each(["rev 12="] * count, range(count), temperature=temperature, max_new_tokens=1)
    with torch.inference_mode():
        logits = model.model(**model.tokenizer("rev 12=", return_tensors="pt", return_token_type_ids=False)).logits
    chances = torch.softmax(logits[0, -1].double() / temperature, dim=-1).tolist()
    special = sum(chances[:3])
    seen = Counter(one.text for one in drawn)
    expected = {tiny.CHARACTERS[i]: chance for i, chance in enumerate(chances[3:])} | {"": special}
    chi_square = sum((seen[text] - count * p) ** 2 / (count * p) for text, p in expected.items())
    assert chi_square < 80  # 38 degrees of freedom: 1 in 10,000 lies above 79


def test_temperature_zero_takes_the_likeliest_whatever_the_seed(folder: Path) -> None:
    model = _sampled(folder)
    one, two = (model.complete(PROMPTS, seed=s, temperature=0.0, max_new_tokens=4) for s in (1, 2))
    assert one == two


def test_tokens_are_counted_to_the_end_and_a_cut_is_said(folder: Path) -> None:
    drawn = _sampled(folder).complete(["sort 4193="] * 64, seed=0, temperature=1.0, max_new_tokens=20)
    assert {one.input_tokens for one in drawn} == {10}
    assert any(one.finished for one in drawn)
    assert all(one.tokens == 20 for one in drawn if not one.finished)
    assert all(len(one.text) == one.tokens - 1 for one in drawn if one.finished and one.tokens < 4)


def test_messages_without_a_chat_template_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="no chat template"):
        _sampled(folder).complete([(Message("user", "hi"),)], seed=0, temperature=1.0, max_new_tokens=2)


def test_what_is_no_model_is_refused_in_words(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    with pytest.raises(InputError, match="cannot be loaded"):
        _sampled(tiny.fake_model(tmp_path / "fake"))
