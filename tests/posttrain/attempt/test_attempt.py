"""What an agent finds in its box, what it does not, how its work ends, and what is taken of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from random import Random

import pytest
from tests.posttrain.attempt.conftest import HANDS_IN, RULES, Lab, lines, log, safetensors

import fairtrial
from fairtrial.posttrain.attempt import attempt, check_sandbox
from fairtrial.posttrain.attempt.compiled import lay_out_compiled
from fairtrial.posttrain.bench import read_bench
from fairtrial.records import InputError
from fairtrial.rules.text import rules_text
from fairtrial.sandbox import FakeSandbox, Local

SECRET = "sk-live-4f9a8b7c6d5e4f3a2b1c"


def test_agent_finds_what_it_is_told_of(lab: Lab) -> None:
    lab.files = lab.path / "mine"
    lab.files.mkdir()
    (lab.files / "train.py").write_text("x = 1\n")
    bench = lab.bench()
    done, folder = lab.run("pwd; ls; ls /base_model /agent evaluator; cat RULES.md > copy.md", bench)
    assert done.stop == "finished"
    assert log(folder).split() == [
        "/workspace", "RULES.md", "TASK.md", "eval.jsonl", "evaluator", "/agent:", "train.py", "/base_model:",
        "config.json", "model.safetensors", "evaluator:", "evaluate.py", "items.jsonl",
    ]  # fmt: skip
    assert (folder.workspace / "copy.md").read_text() == rules_text(bench.rules)
    assert "`tiny` lies at `/base_model`" in (folder.workspace / "TASK.md").read_text()


@pytest.mark.parametrize("place", ["/base_model/config.json", "/base_model/new", "/usr/x", "/agent/x"])
def test_what_is_shown_cannot_be_written(lab: Lab, place: str) -> None:
    lab.files = lab.path / "mine"
    lab.files.mkdir()
    done, _ = lab.run(f"echo x > {place}")
    assert done.stop == "agent_error"
    assert (lab.path / "base/config.json").read_text() == "{}"


def test_no_credential_of_the_host_is_in_reach(lab: Lab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("PLAIN_NAME", SECRET)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".netrc").write_text(f"machine models.example password {SECRET}")
    monkeypatch.setenv("HOME", str(home))
    search = (
        f"echo start; env | grep -c {SECRET[3:]}; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n' |"
        f" grep -v grep | grep -c {SECRET[3:]}; ls {home} {tmp_path} 2>&1;"
        f" grep -rls {SECRET[3:]} /workspace /root /tmp /home /etc /var /run /opt /srv /dev/shm /base_model | wc -l"
    )
    _, folder = lab.run(search)
    said = log(folder)
    assert said.startswith("start\n0\n")
    assert said.rstrip().endswith("0")
    assert said.count("No such file or directory") == 2


def test_decoys_and_hidden_items_are_nowhere(lab: Lab) -> None:
    _, folder = lab.run("grep -rlsE 'decoy-item|hidden-item' / --exclude-dir=proc --exclude-dir=usr | grep -v environ")
    assert log(folder) == ""


def test_evaluator_that_holds_hidden_files_is_refused(lab: Lab) -> None:
    lab.bench()
    path = lab.path / "BENCH.toml"
    path.write_text(path.read_text().replace('hidden = "hidden"', 'hidden = "evaluator"'))
    with pytest.raises(InputError, match="which agents must not see"):
        lab.run("true", read_bench(path))


def test_a_sandbox_that_cannot_be_looked_into_is_refused(lab: Lab) -> None:
    for sandbox in (Local(), FakeSandbox()):
        with pytest.raises(InputError, match="posttrain cannot run an agent"):
            check_sandbox(sandbox)
        with pytest.raises(InputError, match="posttrain cannot run an agent"):
            attempt(lab.bench(), lab.cell("true"), lab.folder(), sandbox, lab.said.append)


def test_agent_files_that_are_no_folder_are_refused(lab: Lab) -> None:
    lab.files = lab.path / "nowhere"
    with pytest.raises(InputError, match="no folder to show at /agent"):
        lab.run("true")


def test_only_what_cannot_be_executed_is_taken_of_a_model(lab: Lab) -> None:
    odd = "cd final_model; touch a.bin b.pt m.py optimizer.pkl; ln -s /etc/passwd tokenizer.json; mkdir sub; mkfifo p"
    done, folder = lab.run(f"{HANDS_IN}; {odd}; echo '{{}}' > tokenizer_config.json; echo t > chat_template.jinja")
    assert done.has_model
    assert sorted(path.name for path in folder.model.iterdir()) == [
        "chat_template.jinja", "config.json", "model.safetensors", "tokenizer_config.json",
    ]  # fmt: skip
    left = {path.rpartition("/")[2] for path, _ in done.left_out}
    assert {"a.bin", "b.pt", "m.py", "optimizer.pkl", "tokenizer.json", "sub", "p"} <= left
    assert done.model_hash.startswith("sha256:")
    assert not (folder.workspace / "final_model").exists()


def test_weights_beside_the_model_are_not_evaluated(lab: Lab) -> None:
    done, folder = lab.run(f"{HANDS_IN}; cp final_model/model.safetensors final_model/zz.safetensors")
    assert done.has_model
    assert not (folder.model / "zz.safetensors").exists()
    assert ("/workspace/final_model/zz.safetensors",
            "lies beside the weights of the model and is none of them") in done.left_out  # fmt: skip


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("true", "there is no folder"),
        ("mkdir final_model", "holds no config.json"),
        ("mkdir final_model; cp /base_model/config.json final_model; echo x > final_model/m.bin", "no weights"),
        ("mkdir final_model; cp /base_model/config.json final_model; echo x > final_model/m.safetensors",
         "m.safetensors is no file of safetensors"),
        ("ln -s /base_model final_model", "is a link"),
        (f"{HANDS_IN}; cd final_model; mv model.safetensors a.safetensors; cp a.safetensors b.safetensors",
         "is held by another file of the folder too"),
        (f"{HANDS_IN}; echo '{{}}' > final_model/model.safetensors.index.json", "has no `weight_map`"),
        (f"{HANDS_IN}; head -c 40000000 /dev/zero > final_model/b.safetensors", "was not taken: over the cap"),
    ],
)  # fmt: skip
def test_no_model_is_told_with_why(lab: Lab, command: str, why: str) -> None:
    done, folder = lab.run(command, lab.bench(budget="handed_in_mb = 16"))
    assert not done.has_model
    assert why in done.why_no_model
    assert not folder.model.exists()
    assert not done.model_hash


@pytest.mark.extra
def test_same_model_has_the_same_hash(lab: Lab) -> None:
    first, _ = lab.run(HANDS_IN)
    again, _ = lab.run(f"{HANDS_IN}; touch final_model/*")
    assert first.model_hash == again.model_hash


def test_declared_set_usage_and_trajectory_are_taken(lab: Lab) -> None:
    done, folder = lab.run(
        "printf 'data/a.jsonl\\n# no\\n/workspace/b.jsonl\\n/tmp/c.jsonl\\ndata/a.jsonl\\n' > training_set.txt;"
        'echo \'{"input_tokens": 5, "output_tokens": -1, "usd": 0.25}\' > usage.json; echo "{}" > trajectory.json;'
        "mkdir data; echo 1 > data/a.jsonl; mkdir __pycache__; touch __pycache__/x; head -c 99 /dev/zero > big.pt"
    )
    assert done.declared == ("data/a.jsonl", "b.jsonl", "/tmp/c.jsonl")
    assert (done.input_tokens, done.output_tokens, done.cost_usd) == (5, None, 0.25)
    assert (folder.path / "trajectory.json").read_text() == "{}\n"
    assert (folder.workspace / "data/a.jsonl").read_text() == "1\n"
    assert ("/workspace/__pycache__", "a cache") in done.left_out
    assert ("/workspace/big.pt", "weights beside the final model") in done.left_out


def test_evaluator_is_taken_as_it_was_left(lab: Lab) -> None:
    _, folder = lab.run("echo 'print(100)' > evaluator/evaluate.py; touch evaluator/sitecustomize.py")
    assert (folder.evaluator / "evaluate.py").read_text() == "print(100)\n"
    assert (folder.evaluator / "sitecustomize.py").exists()
    assert (lab.path / "evaluator/evaluate.py").read_text() == "print(1)\n"


def test_end_of_time_keeps_what_is_there_and_ends_all_processes(lab: Lab) -> None:
    mark = f"3{os.getpid()}{time.time_ns() % 10_000}"
    begun = time.monotonic()
    done, folder = lab.run(
        f"{HANDS_IN}; (setsid sleep {mark} &); (while true; do date >> ticks.txt; sleep 0.05; done) & sleep {mark}",
        lab.bench(minutes=0.02),
    )
    assert done.stop == "agent_timeout"
    assert done.has_model
    assert time.monotonic() - begun < 20
    ticks = (folder.workspace / "ticks.txt").read_text()
    assert ticks
    found = subprocess.run(["pgrep", "-f", f"sleep {mark}"], capture_output=True, check=False)
    assert not found.stdout


@pytest.mark.extra
def test_processor_time_of_all_processes_together_is_limited(lab: Lab) -> None:
    spin = "(while true; do :; done) &"
    done, _ = lab.run(f"{HANDS_IN}; {spin} {spin} {spin} wait", lab.bench(budget="cpu_minutes = 0.02"))
    assert done.stop == "cpu_limit"
    assert done.has_model
    assert done.cpu_seconds is not None
    assert 1.2 <= done.cpu_seconds < 10


@pytest.mark.extra
def test_processor_time_of_what_ended_is_counted(lab: Lab) -> None:
    spin = "import time\nwhile time.process_time() < 0.2: pass"
    done, _ = lab.run(f"for i in 1 2 3 4; do python3 -c '{spin}'; done")
    assert done.cpu_seconds is not None
    assert 0.6 < done.cpu_seconds < 10


def test_what_an_attempt_left_before_is_cleared(lab: Lab) -> None:
    folder = lab.folder()
    for name in ("model", "workspace", "written"):
        (folder.path / name).mkdir(parents=True)
        (folder.path / name / "old.jsonl").write_text("old")
    (folder.path / "network.jsonl").write_text("half a li")
    (folder.path / "run.json").write_text("not ours")
    lab.run("true")
    assert not list(folder.path.rglob("old.jsonl"))
    assert lines(folder.path / "network.jsonl") == []
    assert (folder.path / "run.json").read_text() == "not ours"


def test_a_file_of_the_rules_never_changes_the_evaluator(lab: Lab) -> None:
    rules = RULES.replace('"eval.jsonl"', '"evaluator/items.jsonl"')
    _, folder = lab.run("true", lab.bench(rules=rules))
    assert sorted(path.name for path in folder.evaluator.iterdir()) == ["evaluate.py", "items.jsonl"]
    bench = lab.bench(rules=rules.replace("items.jsonl", "more.jsonl"))
    (lab.path / "evaluator/more.jsonl").mkdir()
    with pytest.raises(InputError, match="would then differ"):
        lab.run("true", bench)


@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.extra)])
def test_who_is_killed_takes_the_box_along(lab: Lab, how: signal.Signals) -> None:
    mark = f"4{os.getpid()}{time.time_ns() % 10_000}"
    lab.bench()
    script = textwrap.dedent(f"""
        from pathlib import Path
        from tests.posttrain.attempt.conftest import Lab
        lab = Lab(Path({str(lab.path)!r}))
        lab.run("(setsid sleep {mark} &); echo begun > begun.txt; sleep {mark}")
    """)
    with subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[3], stderr=subprocess.PIPE) as one:
        _wait(lambda: _runs(mark))
        one.send_signal(how)
        one.wait(30)
    _wait(lambda: not _runs(mark))
    assert not _runs(mark)
    done, _ = lab.run(HANDS_IN)
    assert done.has_model


def _runs(mark: str) -> bool:
    found = subprocess.run(["pgrep", "-f", f"^sleep {mark}"], capture_output=True, check=False)
    return bool(found.stdout)


def _wait(holds: object) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end and not holds():  # type: ignore[operator]
        time.sleep(0.05)


def test_python_of_the_host_comes_first(lab: Lab) -> None:
    _, folder = lab.run("which python; python -c 'import numpy, fairtrial; print(numpy.sum([1, 2]))'",
                        lab.bench(python=True))  # fmt: skip
    assert log(folder).split() == [str(Path(sys.prefix) / "bin/python"), "3"]


def test_compiled_loops_lie_where_numba_looks_for_them(tmp_path: Path) -> None:
    caching = pytest.importorskip("numba.core.caching")
    if not lay_out_compiled(tmp_path / "compiled"):
        pytest.skip("nothing of fairtrial is compiled on this machine yet")
    named = {caching._CacheLocator.get_suitable_cache_subpath(str(path)) for path in
             Path(fairtrial.__file__).parent.rglob("*.py")}  # fmt: skip
    assert {path.name for path in (tmp_path / "compiled").iterdir()} <= named


def test_mounts_and_variables_of_the_bench(lab: Lab) -> None:
    (lab.path / "hub").mkdir()
    (lab.path / "hub/a.txt").write_text("a")
    (lab.path / "elsewhere.safetensors").write_bytes(safetensors())
    (lab.path / "hub/link.safetensors").symlink_to("../elsewhere.safetensors")
    bench = lab.bench(world='mounts = ["hub:/hub"]\nvariables = { MODE = "fast" }')
    _, folder = lab.run("ls /hub; wc -c < /hub/link.safetensors; echo $MODE; echo x > /hub/a.txt", bench)
    said = log(folder).split()
    assert said[:4] == ["a.txt", "link.safetensors", str(len(safetensors())), "fast"]
    assert (lab.path / "hub/a.txt").read_text() == "a"


@pytest.mark.parametrize("mount", ["hub", "hub:", "nowhere:/x", "hub:/", "hub:x"])
def test_mounts_that_are_none_are_refused(lab: Lab, mount: str) -> None:
    (lab.path / "hub").mkdir()
    with pytest.raises(InputError) as refused:
        lab.run("true", lab.bench(world=f'mounts = ["{mount}"]'))
    assert refused.value.field == "world.mounts.0"


@pytest.mark.extra
def test_the_decontamination_command_runs_as_the_rules_name_it(lab: Lab) -> None:
    random = Random(3)
    words = ["".join(random.choices("abcdefghklmnoprstuvw", k=6)) for _ in range(200)]
    rows = [" ".join(random.choices(words, k=40)) for _ in range(70)]
    rules = RULES.replace('against = ["eval.jsonl"]', 'against = ["eval.jsonl"]\ncontrol = ["control.jsonl"]')
    bench = lab.bench(minutes=4, python=True, rules=rules)
    for name, texts in (("control.jsonl", rows[:60]), ("eval.jsonl", rows[60:])):
        (lab.path / name).write_text("".join(f'{{"question": "{text}"}}\n' for text in texts))
    command = "grep '^fairtrial contamination' RULES.md | sed 's/TRAIN/train.jsonl/' > run.sh; cat run.sh; sh run.sh"
    _, folder = lab.run(f"tail -n 3 eval.jsonl > train.jsonl; {command}; echo code $?", bench)
    assert "fairtrial contamination scan train.jsonl --against eval.jsonl --control control.jsonl" in log(folder)
    assert "Traceback" not in log(folder)
    assert "code 1" in log(folder), log(folder)


@pytest.mark.extra
def test_deep_and_odd_trees_are_bounded(lab: Lab) -> None:
    deep = "import os\nfor n in range(1200): os.mkdir('d'); os.chdir('d'); open('x.jsonl', 'w').write(str(n))"
    odd = "ln -s . loop; ln -s /etc etc; mkdir shut; echo x > shut/a.txt; chmod 000 shut; touch .cache"
    done, folder = lab.run(f'{HANDS_IN}; {odd}; printf x > "$(printf \'a\\377.pt\')"; python3 -c "{deep}"')
    assert done.has_model
    assert (folder.workspace / "d/d/d/x.jsonl").read_text() == "2"
    left = dict(done.left_out)
    assert left["/workspace/a\\xff.pt"] == "weights beside the final model"
    assert "too deep" in left.values()
    assert done.document()
