"""Recipes: what a file may not say, with line and field; what is written back reads as the same object."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.records import FormatError
from fairtrial.train.recipe import Credit, Evaluation, Recipe, Sampling, Stage, Tasks, Watch
from fairtrial.train.recipe.reading import for_seed, read_recipe
from fairtrial.train.recipe.schema import Price, Resolved
from fairtrial.train.recipe.writing import placeless_toml, recipe_toml

WHOLE = """
name = "m"
base = "models/base-{seed}"
seeds = [3, 4]
[tasks]
train = "tasks/train.jsonl"
held_out = "../held_out.jsonl"
[[stages]]
method = "sft"
data = "sets/sft.jsonl"
[[stages]]
method = "grpo"
steps = 3
[stages.credit]
gar = true
[price]
usd_per_hour = 2.5
"""


def written(folder: Path, text: str = WHOLE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_paths_lie_beside_the_file_and_a_seed_is_filled_in(tmp_path: Path) -> None:
    recipe = read_recipe(written(tmp_path / "a")).recipe
    assert recipe.base == str(tmp_path / "a/models/base-{seed}")
    assert recipe.tasks.held_out == str(tmp_path / "held_out.jsonl")
    assert for_seed(recipe, 4).base == str(tmp_path / "a/models/base-4")


def test_what_is_written_elsewhere_reads_as_the_same_object(tmp_path: Path) -> None:
    recipe = read_recipe(written(tmp_path / "a")).recipe
    again = written(tmp_path / "b/c", recipe_toml(recipe, tmp_path / "b/c"))
    assert read_recipe(again).recipe == recipe
    assert (
        read_recipe(written(tmp_path / "b/c", recipe_toml(read_recipe(again).recipe, tmp_path / "b/c"))).recipe
        == recipe
    )


def test_the_text_that_a_ledger_keeps_names_no_place(tmp_path: Path) -> None:
    texts = {placeless_toml(read_recipe(written(tmp_path / name)).recipe) for name in ("a", "b")}
    assert len(texts) == 1
    assert str(tmp_path) not in texts.pop()


@settings(max_examples=30)
@given(name=st.text(min_size=1, max_size=40).filter(lambda text: text != "base"), temperature=st.floats(0, 100),
       rate=st.floats(1e-9, 1))  # fmt: skip
def test_any_name_and_number_comes_back(
    name: str, temperature: float, rate: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("any")
    try:
        name.encode()
    except UnicodeEncodeError:
        return
    stage = Stage(method="sft", data="/d", learning_rate=rate)
    recipe = Recipe.model_validate({"name": name, "base": "/b", "stages": [stage.model_dump()],
                                    "evaluation": {"temperature": temperature}})  # fmt: skip
    assert read_recipe(written(folder, recipe_toml(recipe, folder))).recipe == recipe


@pytest.mark.parametrize(
    ("line", "instead", "where", "what"),
    [
        ('name = "m"', "", "field `name`", "missing"),
        ('name = "m"', 'name = "base"', "recipe.toml:2, field `name`", "name of the base"),
        ("seeds = [3, 4]", "seeds = [3, 3]", "recipe.toml:4, field `seeds`", "twice"),
        ("seeds = [3, 4]", "seeds = []", "recipe.toml:4, field `seeds`", "at least 1"),
        ("seeds = [3, 4]", "seed = 3", "recipe.toml:4, field `seed`", "not a key"),
        ('method = "grpo"', 'method = "ppo"', "recipe.toml:12, field `stages[1].method`", "ppo"),
        ("steps = 3", "", "recipe.toml:11, field `stages[1]`", "needs `steps`"),
        ("steps = 3", "steps = 0", "recipe.toml:13, field `stages[1].steps`", "greater"),
        ('data = "sets/sft.jsonl"', "", "field `stages[0]`", "needs `data`"),
        ("gar = true", "gar = 1", "recipe.toml:15, field `stages[1].credit.gar`", "boolean"),
        ("usd_per_hour = 2.5", "usd_per_hour = -1.0", "recipe.toml:17, field `price.usd_per_hour`", "0"),
        ("[price]", "[price", "recipe.toml:16", "not TOML"),
    ],
)
def test_an_error_names_line_and_field(line: str, instead: str, where: str, what: str, tmp_path: Path) -> None:
    assert line in WHOLE
    with pytest.raises(FormatError) as caught:
        read_recipe(written(tmp_path, WHOLE.replace(line, instead)))
    assert where in str(caught.value)
    assert what in str(caught.value)


def test_every_key_is_described_on_the_page() -> None:
    page = (Path(__file__).parents[3] / "docs/train.md").read_text(encoding="utf-8")
    keys = {name for table in (Recipe, Tasks, Stage, Credit, Sampling, Watch, Evaluation, Price, Resolved)
            for name in table.model_fields}  # fmt: skip
    assert {key for key in keys - {"resolved", "credit", "sampling", "tasks", "watch", "evaluation", "price"}
            if f"`{key}`" not in page} == set()  # fmt: skip
