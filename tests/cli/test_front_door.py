"""The front door: the list of verbs, exit codes, and no traceback whatever happens behind it.

What a verb does is tested in its own file.
"""

from __future__ import annotations

import importlib
import json
import sys
from types import ModuleType
from typing import Any

import pytest
import typer

from fairtrial.cli.main import VERBS, Verb, run, usage
from fairtrial.cli.output import print_document
from fairtrial.records import InputError, SandboxError


def verb_that_raises(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install a verb whose command raises `error`, and return its name."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

    @app.command()
    def fall() -> None:
        raise error

    module = ModuleType("verb_that_raises")
    module.app = app  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(VERBS, "fall", Verb(module.__name__, "Fall"))
    return "fall"


@pytest.mark.parametrize("flag", ["--help", "-h", "help"])
def test_help_lists_every_verb_and_the_exit_codes(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([flag]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert all(f"  {name} " in shown.out and verb.summary in shown.out for name, verb in VERBS.items())
    assert "0 holds, 1 does not hold, 2 bad input, 3 could not be measured" in " ".join(shown.out.split())


def test_no_verb_shows_the_list_and_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert usage() == capsys.readouterr().out


def test_unknown_verb_is_named_and_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prooove", "x"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "prooove" in shown.err


def test_unknown_option_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sql", "--no-such-option"]) == 2
    shown = capsys.readouterr()
    assert "no-such-option" in shown.err
    assert "Traceback" not in shown.err


def test_user_error_shows_place_and_hint_without_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FAIRTRIAL_DEBUG", raising=False)
    error = InputError("is not a number", path="rows.jsonl", line=3, field="score", hint="Write 0.5.")
    assert run([verb_that_raises(error, monkeypatch)]) == 2
    assert capsys.readouterr().err == "error: rows.jsonl:3, field `score`: is not a number\n  Write 0.5.\n"


def test_what_could_not_be_measured_exits_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FAIRTRIAL_DEBUG", raising=False)
    assert run([verb_that_raises(SandboxError("died"), monkeypatch)]) == 3
    assert capsys.readouterr().err == "error: died\n"


def test_internal_error_is_a_message_not_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FAIRTRIAL_DEBUG", raising=False)
    assert run([verb_that_raises(ZeroDivisionError("by zero"), monkeypatch)]) == 3
    shown = capsys.readouterr()
    assert "ZeroDivisionError: by zero" in shown.err
    assert "FAIRTRIAL_DEBUG=1" in shown.err
    assert "Traceback" not in shown.err + shown.out


@pytest.mark.parametrize("error", [ZeroDivisionError("by zero"), InputError("wrong")])
def test_debug_lets_the_traceback_through(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_DEBUG", "1")
    with pytest.raises(type(error)):
        run([verb_that_raises(error, monkeypatch)])


def test_interrupt_says_that_what_was_done_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([verb_that_raises(KeyboardInterrupt(), monkeypatch)]) == 130
    assert "kept" in capsys.readouterr().err


@pytest.mark.parametrize("name", VERBS)
def test_verb_loads_takes_json_and_explains_each_option(name: str) -> None:
    module = importlib.import_module(VERBS[name].module)
    commands: list[Any] = [module.command(each) for each in getattr(module, "SUBCOMMANDS", ())]
    commands = commands or [typer.main.get_command(module.app)]
    for each in commands:
        assert each.help, f"{name} has no help"
        assert any("--json" in parameter.opts for parameter in each.params), f"{name} has no --json"
        unexplained = [p.name for p in each.params if not getattr(p, "help", "") and "--help" not in p.opts]
        assert unexplained == [], f"{name}: no help for {unexplained}"


@pytest.mark.parametrize("name", VERBS)
def test_verb_shows_its_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    assert "--json" in capsys.readouterr().out


def test_a_document_that_quotes_the_oddest_work_is_json_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    odd = {"schema": "s/1", "evidence": ["\ud800", 10**30]}
    print_document(odd)
    assert json.loads(capsys.readouterr().out) == odd
