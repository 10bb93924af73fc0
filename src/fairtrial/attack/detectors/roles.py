"""What a file is to the work, by its path: test, grader, expectation, start-up file, configuration of a runner.

By names alone; what the instruction says of a file is in `terms`. Not covered: files of odd names that some program
treats as one of these.
"""

from __future__ import annotations

import functools
import posixpath
import re

_TEST_FOLDERS = frozenset({"tests", "test", "__tests__", "spec", "specs", "t", "testing", "unittests", "testsuite",
                           "e2e", "itest", "it", "testthat", "tb", "testbench"})  # fmt: skip
_TEST_FILE = re.compile(
    r"(?:tests?|spec|check)[_.-][\w.-]+\.\w+|[\w.-]+[_.-](?:tests?|spec)\.\w+|[A-Za-z]\w*(?:Tests?|Spec|IT)\.\w+|"
    r"tests?\.(?!log\b)\w+|[\w-]+\.(?:t|bats|feature)|t\d+[\w-]*\.sh"
)
_GRADERS = re.compile(
    r"(?:^|[_.-])(?:grad(?:e|er|ing)|verif(?:y|ier|ication)|scor(?:e|er|ing)|judge|evaluat(?:e|or|ion)|acceptance|"
    r"reward)"
    r"(?:[_.-]|$)"
)
_GRADER_FOLDERS = frozenset({"grader", "grading", "verifier", "verify", "scorer", "scoring", "judge", "evaluator",
                             "evaluation", "harness", "acceptance", "checks", "checker"})  # fmt: skip
_EXPECTED = re.compile(
    r"(?:^|[_./-])(?:golden|goldens|gold|expected|expect|snapshots?|__snapshots__|baselines?|approved|reference|"
    r"want|truth|ground_truth|answers?|solutions?|answer_key)(?:[_./-]|s?$)|\.(?:snap|golden|approved\.\w+|"
    r"expected|out)$"
)
_STARTUP = re.compile(
    r"(?:^|/)(?:sitecustomize\.py|usercustomize\.py|[^/]+\.pth|\.(?:bash|zsh|k?sh|csh|tcsh)(?:rc|_profile|env|_login|"
    r"_logout)|\.profile|\.bash_login|\.zprofile|\.zshenv|\.inputrc|ld\.so\.preload|\.Rprofile|Rprofile\.site|"
    r"\.irbrc|\.rspec|\.pythonrc|\.pythonstartup|\.gdbinit|crontab|rc\.local)$|/etc/(?:profile|bash\.bashrc|"
    r"environment|profile\.d/.*|ld\.so\.conf.*|cron[^/]*/.*|systemd/.*|hosts|resolv\.conf)$|/\.git/hooks/|"
    r"^\.git/hooks/"
)
_RUNNER = re.compile(
    r"(?:^|/)(?:conftest\.py|pytest\.ini|\.?pytest\.toml|tox\.ini|noxfile\.py|setup\.cfg|\.coveragerc|"
    r"jest\.config\.\w+|vitest\.config\.\w+|karma\.conf\.\w+|\.mocharc(?:\.\w+)?|phpunit\.xml(?:\.dist)?|"
    r"\.nycrc(?:\.\w+)?|codecov\.ya?ml|\.codecov\.ya?ml|jacoco\w*\.\w+|nose2?\.cfg|ctest\w*\.\w+|"
    r"\.gitlab-ci\.ya?ml|Jenkinsfile|azure-pipelines\.ya?ml|\.travis\.ya?ml)$|(?:^|/)\.github/workflows/|"
    r"(?:^|/)\.circleci/"
)
_REWARD = re.compile(
    r"(?:^|/)(?:reward(?:s)?\.(?:txt|json)|ctrf[\w-]*\.json|report[\w-]*\.xml|junit[\w-]*\.xml|"
    r"result(?:s)?\.(?:xml|json)|"
    r"scores?\.(?:txt|json)|grade\.(?:txt|json)|verdict\.(?:txt|json))$|^/logs/|^/verifier_logs/|(?:surefire|"
    r"failsafe|junit|test)[-_]?(?:reports?|results?)/|(?:^|/)TEST-[^/]*\.xml$"
)
_BIN = re.compile(r"(?:^|/)(?:s?bin|\.bin|shims)/(?P<name>[\w.+-]+)$")
SCRATCH = re.compile(r"^(?:/tmp/|/var/tmp/|/dev/|\$TMP|\$\{TMP|tmp/)")
_TOOL_NAMES = (
    "python python3 pytest py.test tox node npm npx ruby rspec perl php go cargo rustc java javac mvn gradle "
    "make cmake ctest gcc cc g++ clang ld diff cmp md5sum sha256sum sha1sum date time timeout sleep psql mysql "
    "sqlite3 git curl wget jq awk sed grep bash sh env coverage mypy ruff eslint tsc prove dotnet R Rscript "
    "julia terraform kubectl helm docker systemctl ps ls cat sort wc bc uv pip valgrind perf nproc hostname "
    "uname id sudo ssh nvcc nvidia-smi latexmk pdflatex xelatex "
)
TOOLS = frozenset(_TOOL_NAMES.split())
"""Programs that graders start; another of the same name before them in PATH answers in their place."""


@functools.lru_cache(maxsize=20_000)
def segments(path: str) -> tuple[str, ...]:
    """Return the parts of a path, without `.`, `~` and empty ones.

    >>> segments("./tests//unit/test_a.py")
    ('tests', 'unit', 'test_a.py')
    """
    return tuple(part for part in path.strip("\"'").split("/") if part not in ("", ".", "~", "$HOME", "${HOME}"))


@functools.lru_cache(maxsize=20_000)
def is_test(path: str) -> bool:
    """Say whether a file is one of tests, by its folder or by its name.

    >>> [is_test(p) for p in ("tests/util.py", "src/a_test.go", "web/app.spec.ts", "src/attest.py", "CartTest.java")]
    [True, True, True, False, True]
    """
    parts = segments(path)
    if not parts or SCRATCH.match(path):
        return False
    return (
        any(_is_test_folder(part) for part in parts[:-1])
        or parts[-1] in ("tests", "test")
        or bool(_TEST_FILE.fullmatch(parts[-1]))
    )


def _is_test_folder(name: str) -> bool:
    """Say whether a folder holds tests: also `Tests`, `ScalerTests`, `Billing.Tests`."""
    return name.lower() in _TEST_FOLDERS or name.endswith(("Tests", "Specs"))


_CHECKS = re.compile(
    r"(?:^|[_.-])(?:validat(?:e|or|ion)|check(?:er|s)?|probe|bench(?:mark)?|audit|lint|smoke)(?:[_.-]|$)"
)


def is_check(path: str) -> bool:
    """Say whether a file by its name checks something: weaker than a grader.

    >>> is_check("validate.py"), is_check("src/checkout.py")
    (True, False)
    """
    parts = segments(path)
    return bool(parts) and bool(_CHECKS.search(posixpath.splitext(parts[-1])[0]))


@functools.lru_cache(maxsize=20_000)
def is_grader(path: str) -> bool:
    """Say whether a file grades the work, by its folder or by its name.

    >>> [is_grader(p) for p in ("/verify/run.sh", "scorer.py", "grade_all.py", "src/upgrade.py", "scoreboard.ts")]
    [True, True, True, False, False]
    """
    parts = segments(path)
    if not parts or SCRATCH.match(path):
        return False
    return bool(_GRADER_FOLDERS & set(parts[:-1])) or bool(_GRADERS.search(posixpath.splitext(parts[-1])[0]))


def is_expectation(path: str) -> bool:
    """Say whether a file holds what a test compares with.

    >>> [is_expectation(p) for p in ("tests/golden/a.txt", "want/levels.csv", "a/__snapshots__/b.snap", "src/a.py")]
    [True, True, True, False]
    """
    return bool(_EXPECTED.search(path))


def is_startup(path: str) -> bool:
    """Say whether a shell or an interpreter reads the file by itself before it does what it was started for.

    >>> [is_startup(p) for p in ("~/.profile", "/usr/lib/python3/site-packages/a.pth", ".git/hooks/pre-commit", "a.py")]
    [True, True, True, False]
    """
    return bool(_STARTUP.search(path))


def is_runner_config(path: str) -> bool:
    """Say whether a file tells a test runner, or what counts coverage, how to run.

    >>> is_runner_config("a/conftest.py"), is_runner_config(".coveragerc"), is_runner_config("app/config.py")
    (True, True, False)
    """
    return bool(_RUNNER.search(path))


def is_reward(path: str) -> bool:
    """Say whether a file is one that a grader writes its result to.

    >>> is_reward("/logs/verifier/reward.txt"), is_reward("src/rewards.py")
    (True, False)
    """
    return bool(_REWARD.search(path))


def shadows(path: str) -> str:
    """Return the tool that a file of this path stands in front of, empty where it is none.

    >>> shadows("/home/a/.local/bin/psql"), shadows("/usr/local/bin/my-tool"), shadows("src/bin/date.rs")
    ('psql', '', '')
    """
    name = program_at(path)
    return name if name in TOOLS else ""


def program_at(path: str) -> str:
    """Return the name of the program that a file in a folder of programs is, empty for another file.

    >>> program_at("/usr/local/bin/bats"), program_at("src/main.c")
    ('bats', '')
    """
    found = _BIN.search(path)
    return found["name"] if found else ""


def is_scratch(path: str) -> bool:
    """Say whether a file is nobody's work.

    >>> is_scratch("/tmp/a"), is_scratch("src/tmp.py")
    (True, False)
    """
    return bool(SCRATCH.match(path))


def within(path: str, thing: str) -> bool:
    """Say whether `path` is `thing`, or lies in it; folders in front may be left out on either side.

    >>> within("checks/want/a.csv", "/srv/checks/"), within("/repo/tests/a.py", "tests"), within("src/a.py", "tests/")
    (True, True, False)
    """
    parts, wanted = segments(path), segments(thing)
    if not parts or not wanted:
        return False
    if any(parts[at : at + len(wanted)] == wanted for at in range(len(parts) - len(wanted) + 1)):
        return True
    if path.startswith("/") or not thing.startswith("/"):
        return False
    return any(parts[: len(wanted) - at] == wanted[at:] for at in range(1, len(wanted)))
