"""A rules file: errors that name line and field, defaults that make a tiny file whole, one hash over what is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.records import FormatError
from fairtrial.rules import BenchmarkRules, read_rules

TINY = '[benchmark]\nname = "ledgers"\nversion = "1.0"\nruns_per_task = 4\n'
EXAMPLE = Path(__file__).resolve().parents[2] / "examples/rules/rules.toml"


def read(tmp_path: Path, text: str) -> BenchmarkRules:
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return read_rules(path)


def test_three_keys_are_a_whole_file(tmp_path: Path) -> None:
    rules = read(tmp_path, TINY)
    assert [(track.name, track.runs_per_task) for track in rules.tracks] == [("ledgers", 4)]
    assert rules.toml.benchmark.checked == ["contamination", "usage", "lookup", "identity"]
    assert rules.toml.judges.runs == 3
    assert rules.name == f"ledgers@1.0#{rules.hash}"


@pytest.mark.parametrize(
    ("text", "line", "field", "what"),
    [
        (f"{TINY}[contamination]\nfrp = 0.1\n", 6, "contamination.frp", "is not a key"),
        (f"{TINY}[[track]]\nname = 'a'\nweigth = 1\n", 7, "track[0].weigth", "is not a key"),
        (f"{TINY}[contamination]\nfpr = 0.7\n", 6, "contamination.fpr", "less than 0.5"),
        (f"{TINY}[penalty]\nflagged = 'nothing'\n", 6, "penalty.flagged", "base_score"),
        (TINY.replace("4", "0"), 4, "benchmark.runs_per_task", "greater"),
        (TINY.replace("4", "true"), 4, "benchmark.runs_per_task", "integer"),
        (TINY.replace('"1.0"', '"1#0"'), 3, "benchmark.version", "one word"),
        (TINY.replace('"ledgers"', '"two words"'), 2, "benchmark.name", "one word"),
        ('[benchmark]\nname = "a"\nruns_per_task = 1\n', 1, "benchmark.version", "is missing"),
        ('[benchmark]\nname = "a"\nversion = "1"\n', 1, "benchmark.runs_per_task", "is missing"),
        (f"{TINY}[usage]\nforbidden = ['  ']\n", 6, "usage.forbidden[0]", "blank"),
        (f"{TINY}[[track]]\nname = 'a'\n[[track]]\nname = 'a'\n", 8, "track[1].name", "named twice"),
        (f"{TINY}[[base]]\nmodel = 'a'\n[[base]]\nmodel = 'a'\n", 8, "base[1].model", "named twice"),
        (f"{TINY}[[track]]\nname = 'a'\nweight = 1\n[[track]]\nname = 'b'\n", 8, "track[1].weight", "every track"),
        (f"{TINY}[[track]]\nname = 'a'\nweight = inf\n", 7, "track[0].weight", "finite"),
        (f"{TINY}[judges]\nruns = 0\n", 6, "judges.runs", "greater"),
        (f"{TINY}[benchmark]\n", 5, None, "is not TOML"),
        (TINY.replace("4", "9" * 30), 4, "benchmark.runs_per_task", "less than"),
        (TINY + 'checked = ["usage", "usage"]\n', 5, "benchmark.checked", "each rule once"),
        (TINY.replace("ledgers", "a\\u001b[31m"), 2, "benchmark.name", "U\\+001B"),
        (f'{TINY}[usage]\nforbidden = ["a \\u202e b"]\n', 6, "usage.forbidden", "U\\+202E"),
        (f'{TINY}[[track]]\nname = "a"\nagainst = ["a\\u0000b"]\n', 7, "track[0].against", "U\\+0000"),
        (f"{TINY}[contamination]\nfpr = 1e-300\n", 6, "contamination.fpr", "0.00001"),
        (f"{TINY}[credentials]\npass_env = ['A=B']\n", 6, "credentials.pass_env", "environment variable"),
        (f"{TINY}[credentials]\npass_env = ['OPENAI_API_KEY']\n", 6, "credentials.pass_env", "like a credential"),
        (f"{TINY}[[base]]\nmodel = 'a'\ninstruct = 'a'\n", 7, "base[0].instruct", "the base itself"),
    ],
)
def test_what_does_not_fit_is_told_with_line_and_field(
    tmp_path: Path, text: str, line: int, field: str | None, what: str
) -> None:
    with pytest.raises(FormatError, match=what) as found:
        read(tmp_path, text)
    assert found.value.line == line
    assert (found.value.field or "").startswith(
        (field or "").split("[0]")[0] if field and "[0]" in field else field or ""
    )


def test_a_track_without_runs_is_told_where_the_benchmark_names_none(tmp_path: Path) -> None:
    text = '[benchmark]\nname = "a"\nversion = "1"\n[[track]]\nname = "x"\nruns_per_task = 2\n[[track]]\nname = "y"\n'
    with pytest.raises(FormatError) as found:
        read(tmp_path, text)
    assert (found.value.line, found.value.field) == (7, "track[1].runs_per_task")


@pytest.mark.parametrize(
    "same",
    [
        f"# a comment\n{TINY}",
        '[benchmark]\nruns_per_task = 4\nversion = "1.0"\nname = "ledgers"\n',
        f"{TINY}[judges]\nruns = 3\n",
        f"{TINY}[contamination]\nfpr = 0.01\n[penalty]\nflagged = 'base_score'\n",
        TINY.replace("\n", "\r\n"),
        f"\ufeff{TINY}",
    ],
)
def test_what_says_the_same_has_the_same_hash(tmp_path: Path, same: str) -> None:
    assert read(tmp_path, same).name == read(tmp_path, TINY).name


@pytest.mark.parametrize(
    "other",
    [
        TINY.replace("4", "5"),
        f"{TINY}[judges]\nruns = 5\n",
        f"{TINY}[usage]\nallowed_hosts = ['a.example']\n",
        f"{TINY}[contamination]\nforbidden = ['everything.']\n",
        f"{TINY}[[track]]\nname = 'a'\nagainst = ['x.jsonl']\n",
        TINY + 'checked = ["usage"]\n',
    ],
)
def test_what_says_something_else_has_another_hash(tmp_path: Path, other: str) -> None:
    assert read(tmp_path, other).hash != read(tmp_path, TINY).hash


def test_the_hash_of_a_version_of_the_schema_does_not_move(tmp_path: Path) -> None:
    """Rulings are kept under this name: a change here voids them all."""
    assert read(tmp_path, TINY).name == "ledgers@1.0#fc777cab1d7eff33"


def test_a_path_stays_as_it_is_written(tmp_path: Path) -> None:
    rules = read(tmp_path, f"{TINY}[[track]]\nname = 'a'\nagainst = ['two  blanks.jsonl', '~nobody-here/x']\n")
    assert [rules.beside(path).name for path in rules.tracks[0].against] == ["two  blanks.jsonl", "x"]


def test_a_title_is_one_line(tmp_path: Path) -> None:
    assert read(tmp_path, f'{TINY}title = "A\\n## B"\n').toml.benchmark.title == "A ## B"


def test_the_example_is_read() -> None:
    rules = read_rules(EXAMPLE)
    assert rules.toml.benchmark.name == "ledgers"
    assert all(rules.beside(path).exists() for track in rules.tracks for path in (*track.against, *track.control))
