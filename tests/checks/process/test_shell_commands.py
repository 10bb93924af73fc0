"""A command counts where a shell would run it, however it is wrapped, and nowhere else. Nothing hangs or raises."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.checks.process.shell_commands import Ran, commands_of
from fairtrial.checks.process.shell_session import Session
from fairtrial.checks.process.shell_syntax import forms

RUN = [
    "pytest",
    "cd /r && pytest -q",
    "bash -lc 'cd /r; pytest'",
    'sh -c "pytest -x"',
    "eval pytest",
    "echo pytest | sh",
    "timeout 60 pytest",
    "sudo -u app env A=1 pytest",
    "python3 -m pytest",
    "uv run pytest",
    "coverage run -m pytest",
    "X=1 pytest",
    "(cd a; pytest)",
    "{ pytest; }",
    "if pytest; then ls; fi",
    "for i in 1 2; do pytest; done",
    "pytest | tail -1",
    "pytest || true",
    "true && pytest",
    "f() { pytest; }; f",
    "T=pytest; $T -q",
    "T='pytest -q'; $T",
    "x=$(pytest)",
    "cat <<E | bash\npytest\nE",
    "bash <<'E'\npytest\nE",
    "bash <<< 'pytest'",
    "cat > t.sh <<'E'\npytest\nE\nbash t.sh",
    "printf 'pytest\\n' > t.sh; chmod +x t.sh; ./t.sh",
    "ls | xargs pytest",
    "find . -name 't*' -exec pytest {} +",
    "py''test",
    "! pytest",
    "pytest &",
    "while pytest; do ls; done",
    "nohup pytest > log 2>&1 &",
    "p\\ytest",
    "/usr/bin/pytest",
    "time pytest",
]
NOT_RUN = [
    "# pytest",
    "ls # pytest",
    "echo pytest",
    "echo 'x; pytest'",
    "printf '%s' pytest",
    "cat > f <<'E'\npytest\nE",
    "grep pytest f",
    "false && pytest",
    "true || pytest",
    "exit 0; pytest",
    "f() { pytest; }",
    "which pytest",
    "pip install pytest",
    "ls pytest",
    "if false; then pytest; fi",
    'echo "$(ls)" pytest',
    "bash -c '# pytest'",
    "cat > t.sh <<'E'\npytest\nE",
    "echo x > pytest",
    "git commit -m 'ran pytest'",
    "bash -c 'exit 1; pytest'",
]


def runs(line: str, files: Session | None = None) -> list[Ran]:
    return [
        ran
        for ran in commands_of(line, files or Session())
        if any(form.startswith("pytest") for form in forms(ran.words))
    ]


@pytest.mark.parametrize("line", RUN)
def test_what_a_shell_would_run_is_run(line: str) -> None:
    assert runs(line), commands_of(line, Session())


@pytest.mark.parametrize("line", NOT_RUN)
def test_what_it_would_not_run_is_not(line: str) -> None:
    assert not runs(line), commands_of(line, Session())


@pytest.mark.parametrize(
    "line", ["false || pytest", "if x; then pytest; fi", "case a in a) pytest;; esac", "x || { pytest; }"]
)
def test_what_something_else_decides_about_is_not_certain(line: str) -> None:
    assert [ran.is_certain for ran in runs(line)] == [False]


def test_a_script_written_before_is_read_where_it_is_run() -> None:
    files = Session()
    assert not runs("mkdir -p /a && cat > /a/run.sh <<'E'\npytest\nE", files)
    assert runs("cd /a && sh run.sh", files)
    files.put("tool.py", "issue_refund()")
    assert "issue_refund" in commands_of("python3 ./tool.py", files)[0].text


def test_what_is_only_printed_or_commented_is_no_text_of_a_command() -> None:
    for line in ("echo refund", "ls # refund", "bash -c 'ls # refund'", "cat > f <<E\nrefund\nE"):
        assert not any("refund" in ran.text for ran in commands_of(line, Session())), line
    for line in ("python - <<E\nrefund()\nE", "psql -c 'refund'", "echo refund | sqlite3 db", "ls > refund"):
        assert any("refund" in ran.text for ran in commands_of(line, Session())), line


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("pytest", True),
        ("ls; pytest", True),
        ("cd a && pytest", True),
        ("pytest; ls", False),
        ("pytest || true", False),
        ("pytest | tail", False),
        ("! pytest", False),
        ("x=$(pytest)", False),
    ],
)
def test_the_status_of_a_line_is_its_last_command_s(line: str, whole: bool) -> None:
    assert [ran.is_whole for ran in runs(line)] == [whole]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("pytest", True),
        ("pytest 2>/dev/null", True),
        ("pytest > log", False),
        ("pytest &> log", False),
        ("pytest > log 2>&1; cat log", False),
        ("x=$(pytest)", False),
        ("pytest | tail -1", True),
    ],
)
def test_output_that_goes_elsewhere_is_not_shown(line: str, shown: bool) -> None:
    assert [ran.is_shown for ran in runs(line)] == [shown]


@pytest.mark.parametrize(
    "line",
    [
        "(" * 5000,
        "{ " * 5000,
        "$(" * 3000,
        '"$(' * 2000,
        "if a; then " * 2000,
        "a && " * 20_000 + "b",
        "'" * 9999,
        "a | " * 5000 + "b",
        "\x00\ud800",
        "".join(f"{{{given}{chr(point)}\n" for given in ("", "1", "1..") for point in range(0x100, 0x110000, 0x99)),
        "bash -c " * 500,
        "f() { f; }; f",
        "f() { g; }; g() { f; }; f",
        "<<E " * 500,
    ],
)
def test_hostile_lines_are_read_to_an_end(line: str) -> None:
    commands_of(line, Session())


@pytest.mark.parametrize("word", ["é", "'é'", "中", "Eé"])
def test_a_here_document_ends_at_a_word_that_is_no_ascii(word: str) -> None:
    end = word.strip("'")
    found = commands_of(f"cat <<{word}\nx\n{end}\nrm -rf y\n", Session())
    assert ("rm", "-rf", "y") in [one.words for one in found]


def test_a_script_that_runs_itself_is_read_to_an_end() -> None:
    began = time.monotonic()
    commands_of("cat > a.sh <<'E'\nsh a.sh; sh a.sh; sh a.sh\nE\nsh a.sh", Session())
    assert time.monotonic() - began < 60  # three to the eighth power, not without end


@given(st.text(alphabet="abc '\"$(){}<>|&;\n#\\=E!`", max_size=80))
def test_no_line_raises(line: str) -> None:
    commands_of(line, Session())
