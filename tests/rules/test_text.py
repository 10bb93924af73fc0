"""Agent and judges get one set of rules and one command: every sentence and the same bytes, whatever the file says."""

from __future__ import annotations

import shlex
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fairtrial.cli.contamination import command
from fairtrial.records import canonical_json
from fairtrial.rules import BenchmarkRules, read_rules
from fairtrial.rules.command import command_of, commands_of
from fairtrial.rules.prompts import judge_instructions, words_of
from fairtrial.rules.schema import RULES, RulesToml
from fairtrial.rules.text import rules_text, sentences_of

SCAN = command("scan")
EXAMPLE = Path(__file__).resolve().parents[2] / "examples/rules/rules.toml"

sentences = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1).filter(str.strip)
)
paths = st.lists(st.text("ab c'\"$;{}.jsonl-", min_size=1).filter(str.strip), max_size=2)


@st.composite
def rules_files(draw: st.DrawFn) -> BenchmarkRules:
    words = {"allowed": draw(sentences), "forbidden": draw(sentences)}
    toml = RulesToml.model_validate({
        "benchmark": {"name": "b", "version": "1", "runs_per_task": 1, "names": draw(sentences),
                      "checked": draw(st.lists(st.sampled_from(RULES), unique=True, min_size=1))},
        "track": [{"name": "t", "against": draw(paths), "control": draw(paths), "decoys": ["secret-decoys.jsonl"]}],
        "contamination": words | {"fpr": draw(st.floats(0.0001, 0.4))},
        "usage": words | {"external_hosts": draw(sentences), "allowed_hosts": draw(sentences)},
        "lookup": words, "identity": words,
        "judges": {"runs": draw(st.integers(1, 5)), "seed": draw(st.sampled_from([0, 7]))},
        "penalty": {"flagged": draw(st.sampled_from(["base_score", "removed"]))},
    })  # fmt: skip
    return BenchmarkRules(Path("rules.toml"), toml, canonical_json(toml.model_dump())[:4].hex())


@settings(max_examples=30)
@given(rules_files())
def test_every_sentence_that_agents_read_is_in_each_judges_prompt(rules: BenchmarkRules) -> None:
    text = rules_text(rules)
    for rule in rules.toml.benchmark.checked:
        prompt = judge_instructions(rules, rule, "nonce")
        assert text in prompt
        assert all(one in text and one in prompt for one in sentences_of(rules))


@settings(max_examples=30)
@given(rules_files())
def test_the_command_is_the_same_bytes_for_agent_and_judge(rules: BenchmarkRules) -> None:
    if "contamination" not in rules.toml.benchmark.checked:
        return
    (command,) = commands_of(rules)
    assert f"\n{command}\n" in rules_text(rules)
    assert all(f"\n{command}\n" in judge_instructions(rules, rule, "n") for rule in rules.toml.benchmark.checked)
    words = shlex.split(command)
    assert words[:4] == ["fairtrial", "contamination", "scan", "TRAIN"]
    assert float(words[words.index("--fpr") + 1]) == rules.toml.contamination.fpr
    assert ("--seed" in words) is bool(rules.toml.judges.seed)


@settings(max_examples=30)
@given(rules_files())
def test_the_command_is_taken_as_it_is_printed(rules: BenchmarkRules) -> None:
    """By the program itself: each path under its option, none for an option of its own."""
    track = rules.tracks[0]
    words = shlex.split(command_of(rules, track))[3:]
    taken = SCAN.make_context("scan", list(words)).params
    assert [str(path) for path in taken["train"]] == ["TRAIN"]
    assert [Path(path) for path in track.against or ["EVAL"]] == list(taken["against"])
    assert [Path(path) for path in track.control or ([] if track.against else ["CONTROL"])] == list(
        taken["control"] or []
    )
    assert (taken["fpr"], taken["seed"]) == (rules.toml.contamination.fpr, rules.toml.judges.seed)


def test_a_shell_finds_the_home_folder_of_a_path() -> None:
    rules = read_rules(EXAMPLE)
    track = rules.tracks[0].model_copy(update={"against": ["~/a b.jsonl"]})
    assert " --against ~/'a b.jsonl' " in command_of(rules, track)


@settings(max_examples=30)
@given(rules_files())
def test_what_the_file_allows_and_forbids_is_read_by_the_agent(rules: BenchmarkRules) -> None:
    text = rules_text(rules)
    for rule in rules.toml.benchmark.checked:
        section = getattr(rules.toml, rule)
        assert all(f"- Allowed: {one}" in text for one in section.allowed)
        assert all(f"- Not allowed: {one}" in text for one in section.forbidden)


@settings(max_examples=30)
@given(rules_files())
def test_nobody_is_told_of_decoys(rules: BenchmarkRules) -> None:
    """Items that a submission knows are no decoys. What a file says in words of its own is its author's."""
    assume("decoy" not in str(rules.toml.model_dump(exclude={"track"})))
    assert "decoy" not in rules_text(rules)


def test_the_example_names_its_files_in_the_command() -> None:
    rules = read_rules(EXAMPLE)
    expected = "fairtrial contamination scan TRAIN --against accounts.jsonl --control control.jsonl --fpr 0.01"
    assert command_of(rules, rules.tracks[0]) == expected


def test_text_names_version_hash_and_what_happens_to_a_violation() -> None:
    rules = read_rules(EXAMPLE)
    text = rules_text(rules)
    assert f"`{rules.name}`" in text
    assert "scored as its base model" in text
    removed = rules.toml.model_copy(update={"penalty": rules.toml.penalty.model_copy(update={"flagged": "removed"})})
    assert "is removed, and shown so" in rules_text(BenchmarkRules(rules.path, removed, rules.hash))


def test_each_rule_has_a_prompt_of_its_own() -> None:
    rules = read_rules(EXAMPLE)
    assert len({judge_instructions(rules, rule, "n") for rule in RULES}) == len(RULES)
    assert len({words_of(rule) for rule in RULES}) == len(RULES)
