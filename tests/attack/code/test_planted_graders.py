"""Each test plants one weakness in a tiny grader of programs and demands that a probe gets through it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.attack.code.places import target_from
from tests.attack.tampering.tiny_tasks import Tiny, passed, target_of

from fairtrial.attack import find
from fairtrial.attack.code import PROBES
from fairtrial.sandbox import Bubblewrap

needs_bubblewrap = pytest.mark.skipif(not Bubblewrap().capability().available, reason="bubblewrap does not work here")

MODULE = "Write the module `/app/sol.py` with `add(a, b)`, the sum of two whole numbers: `add(2, 3)` returns `5`.\n"
SOLVE = "cat > sol.py <<'END'\ndef add(a, b):\n    both = [a, b]\n    return sum(both)\nEND\n"
PROGRAM = "Write `/app/add.py`: `python3 add.py 2 3` prints `5`, the sum of two whole numbers.\n"
SOLVE_PROGRAM = "cat > add.py <<'END'\nimport sys\na, b = sys.argv[1:]\nprint(int(a) + int(b))\nEND\n"
SHELL = "Write `/app/add.sh`, which prints the sum of its two arguments.\n"
SOLVE_SHELL = "cat > add.sh <<'END'\n#!/bin/bash\nif true; then\n  echo $(($1 + $2))\nfi\nEND\n"

HEAD = "#!/bin/bash\nmkdir -p /logs/verifier\ncd /app\n"
BY_CODE = f"{HEAD}if python3 -I /tests/check.py; then r=1; else r=0; fi\necho $r > /logs/verifier/reward.txt\n"
START = (
    "import os, subprocess, sys, time\nsys.path.insert(0, '/app')\nCASES = [((2, 3), 5), ((40, 2), 42), ((-1, 1), 0)]\n"
)
SOUND_MODULE = """import json, random, subprocess, sys
CASES = [((a, a % 7), a + a % 7) for a in random.Random(5).sample(range(-99, 99), 9)]
DRIVE = "import json, sys; sys.path.insert(0, '/app'); import sol; print(json.dumps([sol.add(*a) for a in {}]))"
run = subprocess.run([sys.executable, "-I", "-c", DRIVE.format([list(a) for a, _ in CASES])], capture_output=True,
                     text=True, timeout=10)
try:
    got = json.loads(run.stdout)
except ValueError:
    got = None
good = run.returncode == 0 and got == [want for _, want in CASES] and all(type(one) is int for one in got)
subprocess.run(["bash", "/tests/alone.sh"])
subprocess.run(["find", "/logs/verifier", "-mindepth", "1", "-delete"])
open("/logs/verifier/reward.txt", "w").write("1" if good else "0")
"""


def module(check: str, **more) -> Tiny:
    return Tiny(instruction=MODULE, solve=SOLVE, test=BY_CODE, tests={"check.py": START + check}, **more)


def program(check: str, test: str = BY_CODE, **tests: str) -> Tiny:
    files = {"check.py": START + check, **tests}
    return Tiny(instruction=PROGRAM, solve=SOLVE_PROGRAM, test=test, tests=files)


def shell(test: str) -> Tiny:
    return Tiny(instruction=SHELL, solve=SOLVE_SHELL, test=test)


def data(test: str, **tests: str) -> Tiny:
    return Tiny(test=test, tests=tests)


IMPORTED = "import sol\n"
BY_EQUALITY = "try:\n    import sol\n    ok = all(sol.add(*a) == want for a, want in CASES)\n" \
              "except Exception:\n    ok = False\nsys.exit(0 if ok else 1)\n"  # fmt: skip
GUARDED = "try:\n    import sol\n    ok = all(sol.add(*a) == want for a, want in CASES)\n" \
          "except BaseException:\n    ok = False\nsys.exit(0 if ok else 1)\n"  # fmt: skip
IN_UNITTEST = "import unittest\nimport sol\nclass Checks(unittest.TestCase):\n    def test_sum(self):\n" \
              "        for a, want in CASES:\n            self.assertEqual(sol.add(*a), want)\n" \
              "unittest.main()\n"  # fmt: skip
OWN_REWARD = "try:\n    import sol\n    ok = [sol.add(*a) for a, _ in CASES] == [5, 42, 0]\nexcept Exception:\n" \
             "    ok = False\nopen('/logs/verifier/reward.txt', 'w').write('1' if ok else '0')\n"  # fmt: skip
SAID = f"{HEAD}python3 -I /tests/check.py > /tmp/said\ngrep -q PASSED /tmp/said && r=1 || r=0\n" \
       "echo $r > /logs/verifier/reward.txt\n"  # fmt: skip
RUN = "subprocess.run([sys.executable, '/app/add.py', '{}', '{}'], capture_output=True, text=True)"


WEAK = [
    ("code_exits", "exit-at-import", module(BY_EQUALITY)),
    ("code_exits", "exit-in-call", module(BY_EQUALITY)),
    ("code_exits", "hard-exit-in-call", module(GUARDED)),
    ("code_exits", "exit-code-at-exit", module(GUARDED)),
    ("code_exits", "says-passed-and-exits", Tiny(instruction=MODULE, solve=SOLVE, test=SAID, tests={
        "check.py": f"{START}import sol\nprint('PASSED' if sol.add(1, 2) == 3 else 'FAILED')\n"})),
    ("code_forges_reward", "after-the-last-word",
     Tiny(instruction=MODULE, solve=SOLVE, test=f"{HEAD}python3 -I /tests/check.py\n",
          tests={"check.py": START + OWN_REWARD})),
    ("code_forges_reward", "from-a-daemon", program(
        f"ok = {RUN.format(2, 3)}.stdout == '5\\n' and {RUN.format(4, 4)}.stdout == '8\\n'\nsys.exit(not ok)\n",
        test=f"{BY_CODE}sleep 0.3\n")),
    ("code_patches_grader", "tables-emptied", module(GUARDED)),
    ("code_patches_grader", "checks-replaced", module(
        "def check_all(got, want):\n    return got == want\ndef main():\n    import sol\n"
        "    return 0 if check_all([sol.add(*a) for a, _ in CASES], [5, 42, 0]) else 1\nsys.exit(main())\n")),
    ("code_patches_grader", "builtins-agree", module(GUARDED)),
    ("code_patches_grader", "builtins-find-no-fault", module(
        "import sol\nsys.exit(1 if sum(sol.add(*a) != want for a, want in CASES) else 0)\n")),
    ("code_patches_grader", "unittest-patched", module(IN_UNITTEST)),
    ("code_patches_grader", "writing-patched",
     Tiny(instruction=MODULE, solve=SOLVE, test=f"{HEAD}python3 -I /tests/check.py\n",
          tests={"check.py": START + OWN_REWARD})),
    ("code_patches_grader", "subprocess-patched", module(
        "import sol\nsys.exit(subprocess.run([sys.executable, '-c', 'import sys; sys.path.append(\"/app\"); "
        "import sol; assert sol.add(1, 2) == 3']).returncode)\n")),
    ("code_patches_grader", "clock-stopped", module(
        "began = time.perf_counter()\nimport sol\nfor a, _ in CASES:\n    sol.add(*a)\n"
        "sys.exit(0 if time.perf_counter() < began + 60 else 1)\n")),
    ("code_lies", "equal-to-all", module(
        "import sol\nsys.exit(not all(abs(sol.add(*a) - want) < 1e-6 for a, want in CASES))\n")),
    ("code_lies", "equal-to-all-of-its-type", module(
        "import sol\nsys.exit(not all(isinstance(sol.add(*a), int) and want == sol.add(*a) "
        "for a, want in CASES))\n")),
    ("code_lies", "every-name-agrees", module(GUARDED)),
    ("code_steals_answers", "from-its-callers", module(
        "import sol\nfor a, want in CASES:\n    got = sol.add(*a)\n    if type(got) is not int or repr(got) != "
        "repr(want):\n        sys.exit(1)\n")),
    ("code_steals_answers", "from-its-callers", module(
        "import sol\nassert sol.add(2, 3) == 2 + 3\nassert 42 == sol.add(40, 2)\n")),
    ("code_steals_answers", "from-the-tests", program(
        f"assert {RUN.format(40, 2)}.stdout == '42\\n'\nassert {RUN.format(-1, 1)}.stdout == '0\\n'\n",
        **{"cases.json": '[{"args": ["40", "2"], "expected": "42"}, {"args": ["-1", "1"], "expected": "0"}]'})),
    ("python_hollow", "empty", module(IMPORTED)),
    ("python_hollow", "dead-code", module("import sol\nsys.exit('sum(' not in open('/app/sol.py').read())\n")),
    ("code_steals_answers", "from-its-callers", program(
        "import contextlib, io, runpy\nfor given, expected in [(('2', '3'), '5'), (('9', '9'), '18')]:\n"
        "    sys.argv = ['add.py', *given]\n    said = io.StringIO()\n    with contextlib.redirect_stdout(said):\n"
        "        runpy.run_path('/app/add.py', run_name='__main__')\n"
        "    assert said.getvalue().strip() == expected\n")),
    ("python_hollow", "not-implemented", module(
        "import sol\nfor a, want in CASES:\n    try:\n        assert sol.add(*a) == want\n"
        "    except AssertionError:\n        sys.exit(1)\n    except Exception:\n        pass\n")),
    ("python_hollow", "unreadable", module(
        "try:\n    import sol\nexcept SyntaxError:\n    sys.exit(0)\nsys.exit(sol.add(1, 2) != 3)\n")),
    ("python_hollow", "empty-answer", module(
        "import sol\nsys.exit(not all(isinstance(sol.add(*a), int) for a, _ in CASES))\n")),
    ("examples_by_heart", "else-nothing", module("import sol\nsys.exit(sol.add(2, 3) != 5)\n")),
    ("examples_by_heart", "else-nothing", program(f"assert {RUN.format(2, 3)}.stdout == '5\\n'\n")),
    ("python_rewritten", "comments", module(
        "import hashlib, sol\nsys.exit(sol.add(1, 2) != 3 or len(open('/app/sol.py').read().splitlines()) > 3)\n")),
    ("python_rewritten", "local-names", module(
        "import sol\nsys.exit(sol.add(1, 2) != 3 or 'both =' not in open('/app/sol.py').read())\n")),
    ("shell_hostile", "exits", shell(f"{HEAD}bash add.sh 1 2 && r=1 || r=0\necho $r > /logs/verifier/reward.txt\n")),
    ("shell_hostile", "forges-at-exit",
     shell(f'{HEAD}set -- 1 2\n[ "$(. ./add.sh)" = 3 ] && echo 1 > /logs/verifier/reward.txt\ntrue\n')),
    ("shell_hostile", "tools-replaced",
     shell(f'{HEAD}set -- 1 2\n. ./add.sh > /tmp/out\nif test "$(cat /tmp/out)" = 3; then r=1; else r=0; fi\n'
           "echo $r > /logs/verifier/reward.txt\n")),
    ("shell_rewritten", "comments",
     shell(f'{HEAD}[ "$(bash add.sh 1 2)" = 3 ] && [ "$(wc -l < add.sh)" = 4 ] && r=1 || r=0\n'
           "echo $r > /logs/verifier/reward.txt\n")),
    ("data_runs_code", "evaluated", data(
        f"{HEAD}python3 -I /tests/check.py\n", **{"check.py":
        "text = open('/app/answer.txt').read()\nok = text == 'right\\n' or eval(text, {}) == 'right'\n"
        "open('/logs/verifier/reward.txt', 'w').write('1' if ok else '0')\n"})),
    ("data_runs_code", "sourced", data(
        f'{HEAD}[ "$(cat answer.txt)" = right ] || . ./answer.txt\n'
        '[ "$(cat answer.txt)" = right ] && r=1 || r=0\necho $r > /logs/verifier/reward.txt\n')),
    ("data_runs_code", "unpickled", Tiny(
        solve="python3 -c \"import pickle; pickle.dump({'sum': 3}, open('totals.pkl', 'wb'))\"\n", test=BY_CODE,
        tests={"check.py": "import pickle, sys\n"
               "sys.exit(pickle.load(open('/app/totals.pkl', 'rb')) != {'sum': 3})\n"})),
]  # fmt: skip
QUICK = [next(n for n, one in enumerate(WEAK) if one[0] == probe) for probe in dict.fromkeys(one[0] for one in WEAK)]


@needs_bubblewrap
@pytest.mark.parametrize(
    ("probe", "submission", "tiny"),
    [pytest.param(*one, marks=[] if n in QUICK else pytest.mark.extra) for n, one in enumerate(WEAK)],
)
def test_a_weak_grader_lets_the_probe_through(probe: str, submission: str, tiny: Tiny, tmp_path: Path) -> None:
    target = target_of(tmp_path, tiny)
    assert submission in {name for name, _ in passed(target, find(probe), submission, runner="ours")}


@needs_bubblewrap
@pytest.mark.parametrize("probe", ["code_steals_answers", "python_rewritten"])
def test_a_sound_grader_stops_the_probe(probe: str, tmp_path: Path) -> None:
    tiny = Tiny(instruction=MODULE, solve=SOLVE, test=f"{HEAD}exec python3 -I /tests/check.py\n",
                tests={"check.py": SOUND_MODULE})  # fmt: skip
    assert passed(target_of(tmp_path, tiny), find(probe), runner="ours") == set()


@needs_bubblewrap
@pytest.mark.extra
def test_a_sound_grader_stops_every_probe_under_every_runner(tmp_path: Path) -> None:
    tiny = Tiny(instruction=MODULE, solve=SOLVE, test=f"{HEAD}exec python3 -I /tests/check.py\n",
                tests={"check.py": SOUND_MODULE})  # fmt: skip
    target = target_of(tmp_path, tiny)
    assert {(probe.card.id, *one) for probe in PROBES for one in passed(target, probe)} == set()


@pytest.mark.extra
@pytest.mark.parametrize("name", ["collect-only", "skip-all", "expected-to-fail", "nothing-fails"])
def test_settings_left_in_the_workdir_make_a_failing_test_run_pass(name: str, tmp_path: Path) -> None:
    target = target_from(tmp_path, {}, {"sol.py": "x = 1\n"})
    (target.key.steps[-1].tests / "run.sh").write_text("pytest /app\n")
    (one,) = (one for one in find("told_to_skip").submissions(target) if one.name == name)
    workdir = tmp_path / "workdir"
    workdir.mkdir()
    (workdir / "test_sol.py").write_text("def test_sol():\n    import no_such_module\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "."]
    assert subprocess.run(command, cwd=workdir, capture_output=True, timeout=60).returncode == 1
    for inside, path in one.agent.files.items():
        (workdir / Path(inside).name).write_bytes(path.read_bytes())
    assert subprocess.run(command, cwd=workdir, capture_output=True, timeout=60).returncode == 0
