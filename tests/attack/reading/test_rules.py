"""Every rule points at the weak line of a weak grader and leaves its sound twin alone; odd sources do no harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from attack.reading import comparing_pairs, shell_pairs, variant_pairs, verdict_pairs
from attack.reading.graders import START, Pair, sources
from attack.reading.text_pairs import PAIRS as TEXT_PAIRS
from fairtrial.attack.reading import RULES, Hit, confirmed_by, read_grader, read_source, read_sources, source_of
from fairtrial.records import FormatError
from fairtrial.tasks import load_suite

WORKSPACE_PAIRS = (*shell_pairs.PAIRS, *comparing_pairs.PAIRS, *verdict_pairs.PAIRS, *variant_pairs.PAIRS)
ROOT = Path(__file__).resolve().parents[3]
ZOO = ROOT.parent / "shared" / "zoo"


def found(pair: Pair, text: str, folder: Path) -> list[Hit]:
    if pair.file == "reward.py":
        return [hit for hit in read_source(text) if hit.rule == f"static_{pair.rule}"]
    read = sources(folder, pair.file, text, pair.others)
    return [hit for hit in read_sources(read) if hit.rule == f"static_{pair.rule}"]


@pytest.mark.parametrize("pair", [*WORKSPACE_PAIRS, *TEXT_PAIRS], ids=lambda pair: f"{pair.rule}-{pair.mark}")
def test_rule_points_at_the_weak_line_and_not_at_the_sound_twin(pair: Pair, tmp_path: Path) -> None:
    hits = found(pair, pair.weak, tmp_path / "weak")
    assert hits, "not found"
    assert pair.mark in pair.weak.splitlines()[hits[0].line - 1]
    assert hits[0].text == pair.weak.splitlines()[hits[0].line - 1].strip()
    assert found(pair, pair.sound, tmp_path / "sound") == []


def test_every_rule_has_a_weak_and_a_sound_grader() -> None:
    assert {rule.card.id for rule in RULES} == {f"static_{pair.rule}" for pair in (*WORKSPACE_PAIRS, *TEXT_PAIRS)}


def test_every_claim_is_a_sentence(tmp_path: Path) -> None:
    for number, pair in enumerate(WORKSPACE_PAIRS):
        for hit in found(pair, pair.weak, tmp_path / str(number)):
            assert hit.claim.endswith(".")
            assert hit.claim[0].isupper() or hit.claim[0] in "`"


def test_python_in_a_here_document_is_read_with_the_line_of_the_script(tmp_path: Path) -> None:
    script = "export PATH=/bin\ncd /app\npython3 -I - <<'EOF'\nfrom pathlib import Path\ntext = Path('memo.md')\n"
    script += "assert '42' in Path('/app/memo.md').read_text()\nEOF\necho 0 > /logs/verifier/reward.txt\n"
    hits = read_sources(sources(tmp_path, "test.sh", script))
    assert [(hit.rule, hit.file, hit.line) for hit in hits] == [("static_piece_of_text", "tests/test.sh", 6)]


def test_a_program_started_apart_may_run_agent_code(tmp_path: Path) -> None:
    apart = 'import sys\nsys.path.insert(0, "/app")\nimport accrual\nprint(accrual.f(1))\n'
    main = 'import subprocess\nout = subprocess.check_output(["python3", "/tests/drive.py"])\nassert out == b"2"\n'
    read = sources(tmp_path, "check.py", main, {"tests/drive.py": apart})
    assert [hit.rule for hit in read_sources(read)] == []


@pytest.mark.parametrize(
    "text", ["", "\0", "def", "x" * 500_000, "((((" * 5000, "a = " + "1 + " * 20_000 + "1", "\ud83d"]
)
def test_odd_python_is_listed_as_unread_or_holds_nothing(text: str, tmp_path: Path) -> None:
    path = tmp_path / "tests" / "check.py"
    path.parent.mkdir(parents=True)
    read = sources(tmp_path, "odd.py", "x = 1\n")
    path.write_bytes(text.encode(errors="surrogatepass"))
    read = sources(tmp_path, "odd.py", "x = 1\n")
    assert read_sources(read) == ()
    held = {Path(file.name).name for file in read.python}
    assert "check.py" in held | {Path(name).name for name, _ in read.unread}


@pytest.mark.parametrize("text", ["", "if", "[ ", "<<EOF", "$((", "\0\0", "a | | b &&\n||"])
def test_odd_shell_does_no_harm(text: str, tmp_path: Path) -> None:
    read_sources(sources(tmp_path, "test.sh", text + "\n" + START))
    read_sources(sources(tmp_path, "test.sh", text))


def test_a_link_out_of_the_tests_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("assert '4' in open('/app/x').read()\n")
    (tmp_path / "task" / "tests").mkdir(parents=True)
    (tmp_path / "task" / "tests" / "link.py").symlink_to(tmp_path / "secret.py")
    assert read_sources(sources(tmp_path / "task", "check.py", "x = 1\n")) == ()


def test_another_language_is_listed_as_unread(tmp_path: Path) -> None:
    read = sources(tmp_path, "check.js", "process.exit(0)")
    assert [name for name, _ in read.unread] == ["tests/check.js"]


def test_a_text_that_is_no_program_is_refused() -> None:
    with pytest.raises(FormatError, match="cannot be read as Python"):
        source_of("def reward(:", "reward.py")


def test_a_shell_text_is_read_as_shell() -> None:
    hits = read_source("#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n", "grade")
    assert [hit.rule for hit in hits] == ["static_reward_regardless"]


def test_a_proof_confirms_by_probe_and_not_by_the_name_of_a_submission() -> None:
    hit = Hit(rule="r", file="f", line=1, text="", claim="", probes=("null", "reward_written_"))
    assert confirmed_by(hit, ["null", "defect:null", "reward_written_before:x", "python_mutant:null", "nullify"]) == (
        "null", "reward_written_before:x",
    )  # fmt: skip


def test_the_example_suites_give_few_leads() -> None:
    hits = [hit for key in load_suite(ROOT / "examples").keys.values() for hit in read_grader(key)]
    assert len(hits) <= 3


def test_sound_graders_of_the_zoo_give_no_leads_and_broken_ones_do() -> None:
    if not ZOO.is_dir():
        pytest.skip("../shared/zoo is not here")
    sound = load_suite(ZOO / "healthy").keys.values()
    broken = load_suite(ZOO / "broken").keys.values()
    assert sum(len(read_grader(key)) for key in sound) <= 2
    assert sum(bool(read_grader(key)) for key in broken) >= 12
