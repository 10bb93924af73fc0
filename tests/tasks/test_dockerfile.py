"""Dockerfiles become instructions with their lines; what is malformed is named."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import FormatError
from fairtrial.tasks.dockerfile import parse_dockerfile, world_of


def brief(text: str) -> list[tuple[str, str, int]]:
    return [(item.keyword, item.value, item.line) for item in parse_dockerfile(text)]


def test_continuations_skip_comments_and_empty_lines() -> None:
    text = "FROM a\nRUN one && \\\n# why\n\n    two \\\n    three\nUSER x\n"
    assert brief(text) == [("FROM", "a", 1), ("RUN", "one &&     two     three", 2), ("USER", "x", 7)]


def test_keywords_come_in_any_case_and_tabs_part_them() -> None:
    assert brief("from a\nWorkDir\t/x\n") == [("FROM", "a", 1), ("WORKDIR", "/x", 2)]


def test_an_escape_directive_changes_the_continuation() -> None:
    assert brief("# escape=`\nFROM a\nRUN dir C:\\ `\n  now\n")[1] == ("RUN", "dir C:\\   now", 3)


def test_a_later_comment_is_no_directive() -> None:
    assert brief("FROM a\n# escape=`\nRUN x \\\n y\n")[1] == ("RUN", "x  y", 3)


def test_heredocs_are_attached() -> None:
    text = "FROM a\nRUN <<EOF\necho $x\n\nEOF\nCOPY <<-'A' <<B /to/\n\tone\n\tA\ntwo\nB\nENV k=v\n"
    items = parse_dockerfile(text)
    assert [item.heredoc for item in items] == [(), ("echo $x\n\n",), ("one\n", "two\n"), ()]
    assert items[-1].line == 11


def test_the_json_form_stays_text() -> None:
    assert brief('FROM a\nCMD ["x", "y z"]\n')[1] == ("CMD", '["x", "y z"]', 2)


def test_windows_line_ends_and_a_byte_order_mark_are_taken() -> None:
    assert brief("FROM a\r\nRUN b\r\n") == [("FROM", "a", 1), ("RUN", "b", 2)]


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("FROM a\nRUNN x\n", 2, "RUNN"),
        ("FROM a\nRUN\n", 2, "nothing"),
        ("FROM a\nRUN <<EOF\nx\n", 2, "EOF"),
        ("RUN x\nFROM a\n", 1, "before FROM"),
        ("# escape=x\nFROM a\n", 1, "escape"),
        ("", None, "no FROM"),
    ],
)
def test_what_is_malformed_is_named_with_its_line(text: str, line: int | None, word: str) -> None:
    with pytest.raises(FormatError, match=word) as caught:
        parse_dockerfile(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "workdir"),
    [
        ("FROM a\nWORKDIR /srv\nWORKDIR app\n", "/srv/app"),
        ("FROM a\nWORKDIR /x/../y/\n", "/y"),
        ("FROM a\nENV BASE=/opt\nWORKDIR $BASE/w\n", "/opt/w"),
        ("FROM a\nCOPY x /app/\n", "/app"),
        ('FROM a\nCOPY ["x", "/app"]\n', "/app"),
        ("FROM a\nCOPY x /apple/\n", "/"),
        ("FROM a\n", "/"),
        ("FROM a AS b\nWORKDIR /b\nFROM c\nCOPY --from=b /b /app\n", "/app"),
    ],
)
def test_the_workdir_is_where_work_happens(text: str, workdir: str) -> None:
    assert world_of(parse_dockerfile(text)).workdir == workdir


def test_variables_follow_env_and_arg() -> None:
    text = (
        'ARG V=1\nARG W=2\nFROM a\nARG V\nARG X="x y"\nENV A=$V B="b $X" C=\'c\'\nENV OLD the rest\n'
        "ENV PATH=/opt:$PATH D=${W:-none} E=${A:+set}\n"
    )
    assert world_of(parse_dockerfile(text)).variables == {
        "A": "1",
        "B": "b x y",
        "C": "c",
        "OLD": "the rest",
        "PATH": "/opt:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "D": "none",
        "E": "set",
    }


@pytest.mark.parametrize("line", ['ENV a="b', "ENV a", "ENV a=1 b"])
def test_a_malformed_variable_names_its_line(line: str) -> None:
    with pytest.raises(FormatError) as caught:
        world_of(parse_dockerfile(f"FROM a\n{line}\n"))
    assert caught.value.line == 2


@given(st.text(alphabet="FROMRUN \\\n#<E\"'=$\t", max_size=60))
def test_no_text_breaks_the_parser(text: str) -> None:
    with suppress(FormatError):
        assert world_of(parse_dockerfile("FROM a\n" + text)).workdir.startswith("/")
