"""How usage and look-ups are told: the certainty, the place, the quote, the hosts of the rules, and what stays open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.contamination.conduct.leads import CERTAINTIES, Lead, Leads, gathered
from fairtrial.contamination.lookup import BenchmarkNames, lookups_of
from fairtrial.contamination.usage import ExternalHosts, usage_of
from fairtrial.records import InputError

KEY = "sk-proj-Q9w8E7r6T5y4U3i2O1p0"
GEN = "from openai import OpenAI\nc = OpenAI({})\nprint(c.chat.completions.create(model='m', messages=[]))\n"


def trajectory(folder: Path, *calls: tuple[str, str], instruction: str = "Train.") -> Path:
    steps: list[dict[str, Any]] = [{"step_id": 1, "source": "user", "message": instruction}]
    for number, (command, output) in enumerate(calls, 2):
        call = {"tool_call_id": "c", "function_name": "bash", "arguments": {"command": command}}
        steps.append({"step_id": number, "source": "agent", "message": "", "tool_calls": [call],
                      "observation": {"results": [{"source_call_id": "c", "content": output}]}})  # fmt: skip
    whole = {"schema_version": "ATIF-v1.8", "session_id": "s", "agent": {"name": "a", "version": "1"}, "steps": steps}
    (folder / "t.json").write_text(json.dumps(whole))
    return folder / "t.json"


def only(path: Path, hosts: ExternalHosts | None = None) -> Lead:
    found = [one for one in usage_of([path], hosts or ExternalHosts()).findings if one.kind == "model_api"]
    assert len(found) == 1, found
    return found[0]


def test_a_program_written_and_run_later_is_a_call_at_the_step_that_runs_it(tmp_path: Path) -> None:
    lead = only(trajectory(tmp_path, (f"cat > g.py <<'P'\n{GEN.format('')}P", ""), ("ls", ""), ("python g.py", "hi")))
    assert (lead.certainty, lead.host, lead.step, lead.place) == ("call", "api.openai.com", 4, "step 4 call 1")
    assert "OpenAI()" in lead.quote


def test_what_was_refused_or_unreachable_is_an_attempt(tmp_path: Path) -> None:
    refused = trajectory(tmp_path, ("curl https://api.openai.com/v1/models", '{"error": "Incorrect API key provided"}'))
    assert (only(refused).certainty, "was refused" in only(refused).claim) == ("attempt", True)
    gone = trajectory(
        tmp_path, ("curl https://api.openai.com/v1/models", "curl: (6) Could not resolve host: api.openai.com")
    )
    assert {one.certainty for one in usage_of([gone], ExternalHosts()).findings} == {"attempt"}


def test_a_program_that_is_left_and_never_run_is_told_as_written_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "g.py").write_text("# data\n\n" + GEN.format(""))
    lead = only(tmp_path)
    assert (lead.certainty, lead.step, lead.line) == ("written", None, 4)


def test_an_import_that_nothing_calls_is_a_mention_and_holds(tmp_path: Path) -> None:
    path = trajectory(tmp_path, ("python -c 'import openai; print(1)'", "1"))
    assert only(path).certainty == "mention"
    assert usage_of([path], ExternalHosts()).holds is True


@pytest.mark.parametrize(
    ("url", "hosts", "holds"),
    [
        ("http://localhost:8000/v1", ExternalHosts(), True),
        ("http://10.1.2.3:8000/v1", ExternalHosts(), True),
        ("https://lab.example.org/v1", ExternalHosts(), None),
        ("https://lab.example.org/v1", ExternalHosts(("default", "*.example.org")), False),
        ("https://lab.example.org/v1", ExternalHosts(allowed=("lab.example.org",)), True),
        ("https://api.openai.com/v1", ExternalHosts(allowed=("api.openai.com",)), True),
        ("https://api.groq.com/v1", ExternalHosts(("api.openai.com",)), None),
    ],
)
def test_the_rules_say_which_hosts_are_external(
    tmp_path: Path, url: str, hosts: ExternalHosts, holds: bool | None
) -> None:
    given = f"base_url={url!r}"
    path = trajectory(tmp_path, (f"python - <<'P'\n{GEN.format(given)}P", "hi"))
    found = usage_of([path], hosts)
    assert found.holds is holds
    assert bool(found.not_measured) is (holds is None)


def test_keys_are_masked_wherever_they_stand(tmp_path: Path) -> None:
    path = trajectory(tmp_path, (f"curl https://api.openai.com/v1/models -H 'Authorization: Bearer {KEY}'", "{}"),
                      (f"export OPENAI_API_KEY={KEY}", ""), ("env", f"OPENAI_API_KEY={KEY}"))  # fmt: skip
    found = usage_of([path], ExternalHosts())
    assert KEY[8:] not in json.dumps([one.row() for one in found.findings])
    assert {one.kind for one in found.findings} == {"model_api", "key", "credential_read"}


def test_a_list_of_the_environment_without_keys_is_harmless(tmp_path: Path) -> None:
    found = usage_of([trajectory(tmp_path, ("env | sort", "HOME=/root\nPATH=/bin"))], ExternalHosts())
    assert [one.certainty for one in found.findings] == ["harmless"]
    assert found.holds is True


def test_what_cannot_be_read_is_named_and_not_clean(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"schema_version": "ATIF-v1.8", "steps": 3}')
    (tmp_path / "ok.sh").write_text("ls\n")
    found = usage_of([tmp_path], ExternalHosts())
    assert [one.path for one in found.unreadable] == [str(tmp_path / "bad.json")]
    assert found.holds is None
    with pytest.raises(InputError):
        usage_of([tmp_path / "nothing"], ExternalHosts())


def test_a_transcript_in_another_format_is_not_told_as_clean(tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_text(
        '[{"role": "assistant", "tool_calls": [{"function": {"arguments": "curl x"}}]}]'
    )
    found = usage_of([tmp_path], ExternalHosts())
    assert (found.holds, len(found.unreadable)) == (None, 1)


def test_nothing_to_read_and_nothing_to_look_for_are_not_clean(tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(b"\x00")
    found = usage_of([tmp_path], ExternalHosts())
    assert (found.holds, found.left_out, bool(found.not_measured)) == (None, 1, True)
    (tmp_path / "a.sh").write_text("ls\n")
    assert lookups_of([tmp_path], BenchmarkNames()).holds is None


def test_a_found_page_is_incidental_until_it_is_opened(tmp_path: Path) -> None:
    names = BenchmarkNames(repository=("github.com/ada/FigBench",))
    results = "1. https://github.com/ada/FigBench"
    path = trajectory(tmp_path, ("curl 'https://duckduckgo.com/html/?q=lora'", results))
    found = lookups_of([path], names)
    assert ([one.certainty for one in found.findings], found.holds) == (["incidental"], True)
    path = trajectory(tmp_path, ("curl 'https://duckduckgo.com/html/?q=lora'", results),
                      ("curl -L https://github.com/ada/figbench.git", "page"))  # fmt: skip
    found = lookups_of([path], names)
    assert [(one.certainty, one.step) for one in found.findings] == [("call", 3), ("incidental", 2)]
    assert found.holds is False


def test_the_instruction_may_name_the_benchmark(tmp_path: Path) -> None:
    path = trajectory(tmp_path, ("ls", "a"), instruction="FigBench, https://github.com/ada/FigBench")
    names = BenchmarkNames(repository=("github.com/ada/FigBench",), names=("FigBench",))
    assert lookups_of([path], names).findings == ()


def test_the_same_again_counts_up_and_the_surest_comes_first() -> None:
    def lead(certainty: Any, step: int) -> Lead:
        return Lead(kind="k", certainty=certainty, path="p", claim="", quote="", host="h", step=step)

    kept = gathered([lead("incidental", 2), lead("incidental", 3), lead("call", 5), lead("mention", 1)])
    assert [(one.certainty, one.times) for one in kept] == [("call", 1), ("incidental", 2)]
    assert Leads(read=("p",), findings=kept).holds is False
    assert next(iter(CERTAINTIES)) == "call"


def test_the_same_files_give_the_same_findings_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "b.sh").write_text("curl https://api.groq.com/v1\n")
    (tmp_path / "a.py").write_text(GEN.format(""))
    one = usage_of([tmp_path / "a.py", tmp_path / "b.sh"], ExternalHosts())
    assert one == usage_of([tmp_path / "b.sh", tmp_path / "a.py"], ExternalHosts())
