"""A weak and a sound Python grader for every rule that reads how a verdict comes about."""

from __future__ import annotations

from attack.reading.graders import Pair, python

PAIRS: tuple[Pair, ...] = (
    python(
        "imports_agent_code",
        """\
sys.path.append("/app")
import accrual
assert accrual.f(1) == 2
""",
        """\
p = subprocess.run(["python3", "/app/x.py"], capture_output=True, text=True)
assert p.stdout == "2"
""",
        "import accrual",
    ),
    python(
        "imports_agent_code",
        """\
import importlib.util
s = importlib.util.spec_from_file_location("m", "/app/m.py")
""",
        """\
import importlib
m = importlib.import_module("csv")
""",
        "spec_from_file_location",
    ),
    python(
        "agent_folder_on_path",
        """\
sys.path.insert(0, os.getcwd())
""",
        """\
sys.path.insert(0, "/tests")
""",
        "sys.path",
    ),
    python(
        "evaluates_agent_text",
        """\
text = Path("/app/memo.md").read_text()
value = eval(text)
""",
        """\
text = Path("/app/memo.md").read_text()
value = eval('1 + 1')
""",
        "eval(",
    ),
    python(
        "loads_objects",
        """\
import pickle
x = pickle.load(open("/app/m.pkl", "rb"))
""",
        """\
import pickle
x = pickle.load(open("/tests/m.pkl", "rb"))
""",
        "pickle.load(",
    ),
    python(
        "loads_objects",
        """\
import yaml
x = yaml.load(open("/app/c.yml"))
""",
        """\
import yaml
x = yaml.load(open("/app/c.yml"), Loader=yaml.SafeLoader)
""",
        "yaml.load(",
    ),
    python(
        "exit_status_is_verdict",
        """\
p = subprocess.run(["python3", "/app/x.py"])
assert p.returncode == 0
""",
        """\
p = subprocess.run(["python3", "/app/x.py"], capture_output=True, text=True)
assert p.returncode == 0 and p.stdout == "2"
""",
        "returncode",
    ),
    python(
        "reward_kept",
        """\
R = "/logs/verifier/reward.txt"
open("/logs/verifier/reward.txt", "a").write("1")
""",
        """\
open("/logs/verifier/reward.txt", "w").write("1")
""",
        '"a"',
    ),
    python(
        "exception_passes",
        """\
got = json.loads(Path("/app/out.json").read_text())
def near():
    try:
        return got['a'] == 1
    except KeyError:
        return True
""",
        """\
got = json.loads(Path("/app/out.json").read_text())
def near():
    try:
        return got['a'] == 1
    except KeyError:
        return False
""",
        "return True",
    ),
    python(
        "exception_passes",
        """\
def f():
    try:
        g()
    except ValueError:
        return True
""",
        """\
def f():
    try:
        g()
        return False
    except ValueError:
        return True
""",
        "return True",
    ),
    python(
        "default_passes",
        """\
got = json.loads(Path("/app/out.json").read_text())
ok = True
try:
    if got['a'] != 1:
        ok = False
except Exception:
    pass
""",
        """\
got = json.loads(Path("/app/out.json").read_text())
ok = True
try:
    if got['a'] != 1:
        ok = False
except Exception:
    ok = False
""",
        "except",
    ),
    python(
        "missing_passes",
        """\
def f(p=Path('/app/a')):
    if not Path('/app/a').exists():
        return True
    return p.read_text() == 'x'
""",
        """\
def f(p=Path('/app/a')):
    if not Path('/app/a').exists():
        return False
    return p.read_text() == 'x'
""",
        "return True",
    ),
    python(
        "all_of_nothing",
        """\
got = json.loads(Path("/app/out.json").read_text())
assert all(row['qty'] >= 0 for row in got)
""",
        """\
got = json.loads(Path("/app/out.json").read_text())
assert len(got) == 3 and all(row['qty'] >= 0 for row in got)
""",
        "all(",
    ),
    python(
        "marker_lines",
        """\
p = subprocess.run(["python3", "/app/x.py"], capture_output=True, text=True)
assert 'ALL TESTS PASSED' in p.stdout
""",
        """\
p = subprocess.run(["python3", "/app/x.py"], capture_output=True, text=True)
assert p.stdout.strip() == '42'
""",
        "PASSED",
    ),
    python(
        "report_in_reach",
        """\
import xml.etree.ElementTree as ET
root = ET.parse('/app/report.xml')
bad = root.find('testsuite').get('failures')
""",
        """\
import xml.etree.ElementTree as ET
root = ET.parse('/logs/verifier/report.xml')
bad = root.find('testsuite').get('failures')
""",
        "ET.parse",
    ),
    python(
        "counts_failures",
        """\
got = json.loads(Path("/app/out.json").read_text())
assert got['summary']['failed'] == 0
""",
        """\
got = json.loads(Path("/app/out.json").read_text())
assert got['summary']['failed'] == 0 and got['summary']['tests'] == 7
""",
        "failed",
    ),
    python(
        "clock_decides",
        """\
def t():
    t0 = time.perf_counter()
    subprocess.run(['python3', '/app/x.py'])
    return time.perf_counter() - t0
assert t() < 0.5
""",
        """\
t0 = time.time()
spent = int((time.time() - t0) * 1000)
print(spent)
""",
        "assert t()",
    ),
    python(
        "chance_decides",
        """\
for n in random.sample(range(9), 2):
    print(n)
""",
        """\
random.seed(7)
for n in random.sample(range(9), 2):
    print(n)
""",
        "sample",
    ),
    python(
        "network_decides",
        """\
import requests
r = requests.get('https://rates.example/today')
""",
        """\
import requests
r = requests.get('http://localhost:8080/health')
""",
        "requests.get",
    ),
    python(
        "nothing_run_passes",
        """\
p = subprocess.run(['pytest', '/tests/t.py'])
ok = p.returncode in (0, 5)
""",
        """\
p = subprocess.run(['pytest', '/tests/t.py'])
ok = p.returncode in (0,)
""",
        "(0, 5)",
    ),
    python(
        "left_running",
        """\
p = subprocess.Popen(['python3', '/app/server.py'])
""",
        """\
p = subprocess.Popen(['python3', '/app/server.py'])
p.kill()
p.wait()
""",
        "Popen",
    ),
    python(
        "expected_in_workspace",
        """\
want = json.load(open('/app/expected.json'))
""",
        """\
want = json.load(open('/tests/expected.json'))
""",
        "expected.json",
        {"environment/workspace/expected.json": "{}"},
    ),
    python(
        "visible_cases_alone",
        """\
def out(s):
    return subprocess.run(['python3', '/app/x.py', s], capture_output=True).stdout
assert out('12-7') == b'a' and out('13-8') == b'b'
""",
        """\
def out(s):
    return subprocess.run(['python3', '/app/x.py', s], capture_output=True).stdout
assert out('12-7') == b'a' and out('99-9') == b'b'
""",
        "12-7",
        {"instruction.md": "`12-7` gives a, `13-8` gives b.\n"},
    ),
    python(
        "proof_holes",
        """\
ok = subprocess.run(['lean', '/app/p.lean']).returncode == 0
""",
        """\
ok = 'sorry' not in Path('/app/p.lean').read_text() and subprocess.run(['lean', '/app/p.lean']).returncode == 0
""",
        "'lean'",
    ),
    python(
        "one_database",
        """\
import sqlite3
q = Path('/app/q.sql').read_text()
db = sqlite3.connect('/tests/a.db')
assert db.execute(q).fetchall() == [(1,)]
""",
        """\
import sqlite3
q = Path('/app/q.sql').read_text()
for db in ('a', 'b'):
    assert sqlite3.connect(f'/tests/{db}').execute(q).fetchall()
""",
        "execute",
    ),
)
