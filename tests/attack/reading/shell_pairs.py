"""A weak and a sound test.sh for every rule that reads shell."""

from __future__ import annotations

from attack.reading.graders import Pair, shell

PAIRS: tuple[Pair, ...] = (
    shell(
        "evaluates_agent_text",
        """\
source /app/settings.sh
echo 0 > /logs/verifier/reward.txt
""",
        """\
. /tests/fresh.sh
echo 0 > /logs/verifier/reward.txt
""",
        "source",
    ),
    shell(
        "exit_status_is_verdict",
        """\
if python3 -I /tests/check.py; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        """\
echo 0 > /logs/verifier/reward.txt
python3 -I /tests/check.py
""",
        "if python3",
        {"tests/check.py": 'import sys\nsys.path.insert(0, "/app")\nimport accrual\nassert accrual.f(1) == 2\n'},
    ),
    shell(
        "exit_status_is_verdict",
        """\
python3 -I /tests/check.py
if [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        """\
if cmp -s /app/a /tests/a; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        "python3",
        {"tests/check.py": 'import sys\nsys.path.insert(0, "/app")\nimport accrual\nassert accrual.f(1) == 2\n'},
    ),
    shell(
        "exit_status_is_verdict",
        """\
python3 -I /tests/check.py > /tmp/log
passed=$?
grep -qx 'all 5 right' /tmp/log
if [ $passed = 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        """\
python3 -I /tests/check.py > /tmp/log
cmp -s /app/a /tests/a
passed=$?
if [ $passed = 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        "python3",
        {"tests/check.py": 'import sys\nsys.path.insert(0, "/app")\nimport accrual\nassert accrual.f(1) == 2\n'},
    ),
    shell(
        "failure_dropped",
        """\
python3 -I /tests/check.py || true
if [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        """\
echo 0 > /logs/verifier/reward.txt
python3 -I /tests/check.py || true
cat /logs/verifier/reward.txt
""",
        "|| true",
        {"tests/check.py": 'import subprocess\nassert subprocess.check_output(["python3", "/app/x.py"]) == b"2"\n'},
    ),
    shell(
        "reward_regardless",
        """\
python3 -I /tests/check.py
echo 1 > /logs/verifier/reward.txt
""",
        """\
python3 -I /tests/check.py || exit 1
echo 1 > /logs/verifier/reward.txt
""",
        "echo 1",
        {"tests/check.py": 'import subprocess\nassert subprocess.check_output(["python3", "/app/x.py"]) == b"2"\n'},
    ),
    shell(
        "reward_regardless",
        """\
reward=1
diff -q /app/rows.csv /tests/want.csv
echo $reward > /logs/verifier/reward.txt
""",
        """\
reward=0
if diff -q /app/rows.csv /tests/want.csv; then reward=1; fi
echo $reward > /logs/verifier/reward.txt
""",
        "echo $reward",
    ),
    shell(
        "reward_kept",
        """\
[ -s /logs/verifier/reward.txt ] || echo 0 > /logs/verifier/reward.txt
""",
        """\
rm -f /logs/verifier/reward.txt
[ -s /logs/verifier/reward.txt ] || echo 0 > /logs/verifier/reward.txt
""",
        "[ -s",
    ),
    shell(
        "reward_read_back",
        """\
old=$(cat /logs/verifier/reward.txt)
echo "$old" > /logs/verifier/reward.txt
""",
        """\
echo 0 > /logs/verifier/reward.txt
cat /logs/verifier/reward.txt
""",
        "old=",
    ),
    shell(
        "reward_not_reset",
        """\
cmp -s /app/a /tests/a && echo 1 > /logs/verifier/reward.txt
""",
        """\
echo 0 > /logs/verifier/reward.txt
cmp -s /app/a /tests/a && echo 1 > /logs/verifier/reward.txt
""",
        "cmp",
    ),
    shell(
        "reward_in_reach",
        """\
python3 -I /tests/s.py > /tmp/score.txt
cp /tmp/score.txt /logs/verifier/reward.txt
""",
        """\
python3 -I /tests/s.py > /logs/verifier/reward.txt
""",
        "/tmp/score.txt",
    ),
    shell(
        "missing_passes",
        """\
if [ ! -f /app/out ]; then exit 0; fi
echo 1 > /logs/verifier/reward.txt
""",
        """\
echo 0 > /logs/verifier/reward.txt
if [ ! -f /app/out ]; then exit 0; fi
""",
        "exit 0",
    ),
    shell(
        "marker_lines",
        """\
if grep -q 'passed' /tmp/out.log; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        """\
echo 0 > /logs/verifier/reward.txt
""",
        "grep",
    ),
    shell(
        "chance_decides",
        """\
n=$RANDOM
echo 0 > /logs/verifier/reward.txt
""",
        """\
n=7
echo 0 > /logs/verifier/reward.txt
""",
        "RANDOM",
    ),
    shell(
        "network_decides",
        """\
curl -s https://rates.example/today > /tmp/r
echo 0 > /logs/verifier/reward.txt
""",
        """\
curl -s http://127.0.0.1:80/ > /tmp/r
echo 0 > /logs/verifier/reward.txt
""",
        "curl",
    ),
    shell(
        "path_not_fixed",
        """\
python3 -I /tests/check.py
echo 0 > /logs/verifier/reward.txt
""",
        """\
export PATH=/usr/bin:/bin
python3 -I /tests/check.py
echo 0 > /logs/verifier/reward.txt
""",
        "python3",
    ),
    shell(
        "python_not_alone",
        """\
cd /app
python3 -m pytest /tests/test_x.py
echo 0 > /logs/verifier/reward.txt
""",
        """\
cd /app
python3 -I -m pytest /tests/test_x.py
echo 0 > /logs/verifier/reward.txt
""",
        "python3 -m",
    ),
    shell(
        "asserts_off",
        """\
python3 -O /tests/check.py
echo 0 > /logs/verifier/reward.txt
""",
        """\
python3 /tests/check.py
echo 0 > /logs/verifier/reward.txt
""",
        "-O",
        {"tests/check.py": 'import subprocess\nassert subprocess.check_output(["python3", "/app/x.py"]) == b"2"\n'},
    ),
    shell(
        "pytest_in_workdir",
        """\
cd /app
pytest tests
echo 0 > /logs/verifier/reward.txt
""",
        """\
cd /app
pytest /tests/test_outputs.py
echo 0 > /logs/verifier/reward.txt
""",
        "pytest tests",
    ),
    shell(
        "nothing_run_passes",
        """\
pytest /tests/t.py
code=$?
if [ $code -eq 0 ] || [ $code -eq 5 ]; then
  echo 1 > /logs/verifier/reward.txt
fi
""",
        """\
pytest /tests/t.py
code=$?
if [ $code -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; fi
""",
        "-eq 5",
    ),
    shell(
        "words_that_split",
        """\
x=$(cat /app/answer)
if [ $x = 42 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        """\
x=$(cat /app/answer)
if [ "$x" = 42 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        "$x =",
    ),
    shell(
        "pipe_status",
        """\
if pytest /tests/t.py | tee /tmp/log; then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi
""",
        """\
set -o pipefail
if pytest /tests/t.py | tee /tmp/log; then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi
""",
        "tee",
    ),
    shell(
        "partial_grep",
        """\
if grep -q 42 /app/answer.txt; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        """\
if grep -qx 42 /app/answer.txt; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        "grep -q",
    ),
    shell(
        "comparison_dropped",
        """\
diff /app/a /tests/a
echo 1 > /logs/verifier/reward.txt
""",
        """\
if diff /app/a /tests/a; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
""",
        "diff",
    ),
    shell(
        "unpinned_install",
        """\
pip install pytest
echo 0 > /logs/verifier/reward.txt
""",
        """\
pip install pytest==8.3.4
echo 0 > /logs/verifier/reward.txt
""",
        "pip",
    ),
    shell(
        "unpinned_install",
        """\
curl -LsSf https://x.example/install.sh | sh
echo 0 > /logs/verifier/reward.txt
""",
        """\
sh /tests/install.sh
echo 0 > /logs/verifier/reward.txt
""",
        "curl",
    ),
    shell(
        "left_running",
        """\
python3 /app/server.py &
echo 0 > /logs/verifier/reward.txt
""",
        """\
python3 /app/server.py &
kill $!
echo 0 > /logs/verifier/reward.txt
""",
        "server.py &",
    ),
    shell(
        "expected_in_workspace",
        """\
diff /app/out.txt /app/expected.txt && echo 1 > /logs/verifier/reward.txt
""",
        """\
diff /app/out.txt /tests/expected.txt && echo 1 > /logs/verifier/reward.txt
""",
        "expected.txt",
    ),
    shell(
        "proof_holes",
        """\
cd /app && lake build && echo 1 > /logs/verifier/reward.txt
""",
        """\
cd /app && ! grep -rnw sorry . && lake build && echo 1 > /logs/verifier/reward.txt
""",
        "lake",
    ),
)
