"""Each test plants one hole in a tiny grader and demands that a probe gets through it; a sound one stops them all."""

from __future__ import annotations

import pickle
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.attack.tampering.tiny_tasks import SOUND, Tiny, passed, target_of, verdicts

from fairtrial.attack import Probe, find
from fairtrial.attack.tampering import PROBES
from fairtrial.sandbox import Bubblewrap

pytestmark = pytest.mark.skipif(not Bubblewrap().capability().available, reason="bubblewrap does not work here")

HEAD = "#!/bin/bash\nexport PATH=/usr/local/bin:/usr/bin:/bin\nmkdir -p /logs/verifier\n"
CHECK = 'test "$(cat /app/answer.txt 2> /dev/null)" = right'
OLD = f"{HEAD}. /tests/alone.sh\n"
REWARD = "/logs/verifier/reward.txt"
CHECK_PY = "import json, sys\nfrom pathlib import Path\np = Path('/app/answer.txt')\n" \
           "sys.exit(0 if p.exists() and p.read_text() == 'right\\n' else 1)\n"  # fmt: skip


@pytest.mark.extra
def test_a_sound_grader_stops_every_submission_under_every_runner(tmp_path: Path) -> None:
    target = target_of(
        tmp_path, Tiny(workspace={"tests/test_word.py": "assert True\n", "in.csv": "a,b\n1,2\n3,4\n5,6\n"})
    )
    assert {(probe.card.id, *one) for probe in PROBES for one in passed(target, probe)} == set()


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.card.id)
def test_submissions_are_the_same_each_time_and_can_be_sent_to_a_worker(probe: Probe, tmp_path: Path) -> None:
    tiny = Tiny(workspace={"a.csv": "x\n1\n2\n3\n", "tests/test_a.py": "def test_a():\n    assert 1\n"},
                tests={"expected.txt": "right\n"})  # fmt: skip
    target = target_of(tmp_path, tiny)
    first = list(probe.submissions(target))
    again = list(probe.submissions(target))
    assert [one.name for one in first] == [one.name for one in again]
    assert [one.agent.settings() for one in first] == [one.agent.settings() for one in again]
    assert len({one.name for one in first}) == len(first)
    assert pickle.loads(pickle.dumps(first)) == first


@pytest.mark.parametrize(
    ("probe", "submission", "runner", "tiny"),
    [
        ("reward_written_before", "text", "legacy",
         Tiny(test=f"{OLD}{CHECK} && s=1 || s=0\n[ -s {REWARD} ] || echo $s > {REWARD}\n")),
        ("reward_written_before", "text", "legacy",
         Tiny(test=f"{OLD}{CHECK} && s=1 || s=0\n{{ cat {REWARD}; echo $s; }} 2>&1 | sort -rn | head -1 > /tmp/r; "
                   f"cp /tmp/r {REWARD}\n")),
        ("reward_written_before", "text", "legacy", Tiny(test=f"{OLD}{CHECK} && echo 1 > {REWARD}\ntrue\n")),
        ("reward_written_before", "every_file", "legacy",
         Tiny(test=f"{OLD}{CHECK} && s=1 || s=0\necho $s > {REWARD}\n")),
        ("reward_written_before", "reports", "harbor_shared",
         Tiny(test=f"{OLD}cd /logs/verifier\n{CHECK} && cp /tests/good.xml junit.xml\n"
                   "if [ -f junit.xml ] && ! grep -q '<failure' junit.xml; then echo 1 > reward.txt; "
                   "else echo 0 > reward.txt; fi\n", tests={"good.xml": "<testsuites/>"})),
        ("left_running", "reward_rewritten", "harbor_shared",
         Tiny(test=f"{HEAD}{CHECK} && echo 1 > {REWARD} || echo 0 > {REWARD}\n")),
        ("left_running", "reward_overwritten", "harbor_shared",
         Tiny(test=f"{HEAD}{CHECK} && echo 1 > {REWARD} || echo 0 > {REWARD}\n")),
        ("left_running", "reward_rewritten_after", "harbor_shared",
         Tiny(test=f"{HEAD}sleep 0.2; {CHECK} && echo 1 > {REWARD} || echo 0 > {REWARD}\n")),
        ("left_running", "tests_replaced", "harbor_shared",
         Tiny(test=f"{HEAD}echo 0 > {REWARD}\nfor i in $(seq 600000); do :; done\npython3 -I /tests/check.py && "
                   f"echo 1 > {REWARD}\ntrue\n", tests={"check.py": CHECK_PY})),
        ("left_running", "grader_killed", "harbor_shared",
         Tiny(test=f"{HEAD}echo 1 > {REWARD}\npython3 -I /tests/slow.py\n[ $? = 3 ] && echo 0 > {REWARD}\ntrue\n",
              tests={"slow.py": "import time\nwhile time.process_time() < 2:\n    pass\nraise SystemExit(3)\n"})),
        ("start_up_files", "workspace", "ours",
         Tiny(test=f"{HEAD}cd /app\nif python3 -c 'import json, sys; sys.exit(1)'; then echo 1 > {REWARD}; "
                   f"else echo 0 > {REWARD}; fi\n")),
        ("start_up_files", "workspace", "ours",
         Tiny(test=f"{HEAD}export PYTHONPATH=/app\npython3 /tests/check.py && echo 1 > {REWARD} || echo 0 > {REWARD}\n",
              tests={"check.py": CHECK_PY})),
        ("start_up_files", "workspace", "ours",
         Tiny(test=f"{HEAD}cd /app\n. ./.env 2> /dev/null\n{CHECK} && echo 1 > {REWARD} || echo 0 > {REWARD}\n")),
        ("start_up_files", "workspace_success", "ours",
         Tiny(test=f"{HEAD}cd /app\nmake test 2>&1 | tee /tmp/log\ngrep -q PASSED /tmp/log && echo 1 > {REWARD} || "
                   f"echo 0 > {REWARD}\n")),
        ("start_up_files", "home", "harbor_shared",
         Tiny(test=f"{OLD}[ -f ~/.bashrc ] && . ~/.bashrc\n{CHECK} && echo 1 > {REWARD} || echo 0 > {REWARD}\n")),
        ("start_up_files", "home", "harbor_shared",
         Tiny(test=f"{OLD}python3 /tests/check.py && echo 1 > {REWARD} || echo 0 > {REWARD}\n",
              tests={"check.py": CHECK_PY})),
        ("start_up_files", "tests", "harbor_shared",
         Tiny(test=f"{OLD}export HOME=/nonexistent\npython3 -s /tests/check.py && echo 1 > {REWARD} || "
                   f"echo 0 > {REWARD}\n", tests={"check.py": CHECK_PY})),
        ("programs_shadowed", "workspace:reward", "ours",
         Tiny(test=f"{HEAD}export PATH=/app/bin:$PATH\nif grep -qx right /app/answer.txt; then echo 1 > {REWARD}; "
                   f"else echo 0 > {REWARD}; fi\n")),
        ("programs_shadowed", "home:reward", "harbor_shared",
         Tiny(test=f"{OLD}export PATH=$HOME/.local/bin:$PATH\nif grep -qx right /app/answer.txt; then "
                   f"echo 1 > {REWARD}; else echo 0 > {REWARD}; fi\n")),
        ("grader_inputs_forged", "workspace", "ours",
         Tiny(test=f"{HEAD}grep -q 'EVERYTHING HOLDS' /app/build/self-check.log && echo 1 > {REWARD} || "
                   f"echo 0 > {REWARD}\n", solve="mkdir build; echo 'EVERYTHING HOLDS' > /app/build/notes.log\n")),
        ("grader_inputs_forged", "elsewhere", "harbor_shared",
         Tiny(test=f"{HEAD}[ -f /var/tmp/hooks.sh ] && . /var/tmp/hooks.sh\n{CHECK} && echo 1 > {REWARD} || "
                   f"echo 0 > {REWARD}\n")),
        ("grader_inputs_forged", "scripts", "ours",
         Tiny(test=f"{HEAD}if bash /app/verify.sh; then echo 1 > {REWARD}; else echo 0 > {REWARD}; fi\n",
              workspace={"verify.sh": "grep -qx right /app/answer.txt\n"})),
        ("workspace_tests_edited", "emptied", "ours",
         Tiny(test=f"{HEAD}cd /app\nif python3 -I tests/test_word.py; then echo 1 > {REWARD}; "
                   f"else echo 0 > {REWARD}; fi\n",
              workspace={"tests/test_word.py": "assert open('/app/answer.txt').read() == 'right\\n'\n"})),
        ("inputs_shrunk", "two_lines", "ours",
         Tiny(test=f"{HEAD}want=$(tail -n +2 /app/in.csv | wc -l)\n[ \"$(cat /app/answer.txt)\" = \"$want\" ] && "
                   f"echo 1 > {REWARD} || echo 0 > {REWARD}\n", workspace={"in.csv": "x\n1\n2\n3\n4\n"},
              solve="tail -n +2 /app/in.csv | wc -l > /app/answer.txt\n")),
        ("links_out", "tests", "harbor_shared",
         Tiny(test=f"{OLD}cmp -s /app/answer.txt /tests/want && echo 1 > {REWARD} || echo 0 > {REWARD}\n",
              tests={"want": "right\n"})),
        ("odd_workspaces", "huge", "ours",
         Tiny(test=f"{HEAD}[ $(stat -c %s /app/answer.txt || echo 0) -gt 5 ] && echo 1 > {REWARD} || "
                   f"echo 0 > {REWARD}\n")),
    ],
)  # fmt: skip
def test_a_probe_gets_through_the_hole_that_it_is_for(
    probe: str, submission: str, runner: str, tiny: Tiny, tmp_path: Path
) -> None:
    target = target_of(tmp_path, tiny)
    assert (submission, runner) in passed(target, find(probe), submission)


def test_a_grader_that_ends_strangers_is_safe_from_processes_left_running(tmp_path: Path) -> None:
    slow = SOUND.replace("rm -rf", "for i in $(seq 100000); do :; done\nrm -rf")
    target = target_of(tmp_path, Tiny(test=slow))
    names = ("reward_rewritten", "reward_rewritten_after", "tests_replaced")
    assert passed(target, find("left_running"), *names) == set()


def test_the_finding_can_say_which_planted_file_ran(tmp_path: Path) -> None:
    test = f"{HEAD}cd /app\npython3 -c 'import json' || echo 0 > {REWARD}\n"
    target = target_of(tmp_path, Tiny(test=test))
    (one,) = verdicts(target, find("start_up_files"), "workspace", runner="ours")
    assert one.is_wrong
    assert "planted: /app/json.py ran in the grader" in one.output


@pytest.mark.skipif(shutil.which("git") is None, reason="the grader runs git")
def test_a_grader_that_runs_git_in_the_workspace_runs_the_hooks_planted_there(tmp_path: Path) -> None:
    repository = tmp_path / "made"
    repository.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=repository, check=True, env={"PATH": "/usr/bin:/bin"})
    files = {
        path.relative_to(repository).as_posix(): path.read_bytes()
        for path in repository.rglob("*")
        if path.is_file() and "hooks" not in path.parts
    }
    files |= dict.fromkeys((".git/refs/heads/.keep", ".git/objects/info/.keep"), b"")
    test = f"{HEAD}cd /app\necho 0 > {REWARD}\nif git status --short 2>&1 | grep -q OK; then :; fi\n{CHECK} && exit\n" \
           "sleep 0.1\n"  # fmt: skip
    target = target_of(tmp_path, Tiny(test=test, workspace=files))
    assert ("workspace", "ours") in passed(target, find("start_up_files"), "workspace")


def test_what_the_workspace_holds_is_not_replaced_by_planted_files(tmp_path: Path) -> None:
    target = target_of(tmp_path, Tiny(workspace={"Makefile": "test:\n\tfalse\n"}))
    for submission in find("start_up_files").submissions(target):
        assert "/app/Makefile" not in submission.agent.settings()["files"]


def test_work_that_does_not_hang_on_its_inputs_is_not_handed_in_as_shrunk(tmp_path: Path) -> None:
    target = target_of(tmp_path, Tiny(workspace={"in.csv": "x\n1\n2\n3\n4\n"}))
    assert passed(target, find("inputs_shrunk")) == set()


@pytest.mark.parametrize(
    "solve",
    ["mkfifo answer.txt", "ln -s /nowhere answer.txt", "head -c 3000 /dev/urandom > answer.txt", "rm -f .keep"],
)
def test_odd_references_raise_nothing(solve: str, tmp_path: Path) -> None:
    target = target_of(tmp_path, Tiny(solve=f"{solve}\n"))
    for probe in PROBES:
        assert len(list(probe.submissions(target))) <= 12
