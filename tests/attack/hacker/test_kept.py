"""Kept attacks: written and read back whole, acted out as they ran, refused where they cannot be followed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from attack.hacker.suites import SOUND, make_task
from fairtrial.attack.hacker.kept import KeptAttack, keep, read_kept
from fairtrial.attack.hacker.prompt import prompt
from fairtrial.attack.hacker.recorded import script
from fairtrial.records import FormatError
from fairtrial.tasks import load_suite

NASTY = "printf '%s' \"it's\" '\\n' > \"a b\"\ncat <<'EOF'\n\"\"\"'''\nEOF"


def attack(name: str = "t-1", *commands: str) -> KeptAttack:
    return KeptAttack(name=name, task="t", attacker="m@high", runner="legacy", severity="lead", rule="unknown",
                      why='Says "so".', commands=(commands or (NASTY, "cd /tmp"),), grader="sha256:0")  # fmt: skip


def test_what_is_kept_is_read_back_and_nothing_is_written_twice(tmp_path: Path) -> None:
    make_task(tmp_path / "t", SOUND)
    tasks = load_suite(tmp_path).tasks
    keep(tmp_path, [attack()], tasks)
    keep(tmp_path, [attack(), attack("t-2", "true")], tasks)
    assert read_kept(tmp_path) == (attack(), attack("t-2", "true"))
    assert (tmp_path / "attacks" / "t-1" / "solve.sh").read_text() == script(attack().commands[0])


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('[[attack]]\nname = "x"\n', "attack[0].task"),
        ('[[attack]]\nname = "../x"\ntask = "t"\nattacker = "m"\ncommands = []\n', "attack[0].name"),
        ('[[attack]]\nname = "x"\ntask = "t"\nattacker = "m"\ncommands = []\n', "attack[0].name"),
        ('[[attack]]\nname = "x"\ntask = "t"\nattacker = "m"\ncommands = []\nruner = "ours"\n', "attack[0].runer"),
    ],
)
def test_an_entry_that_cannot_be_followed_is_named(text: str, field: str, tmp_path: Path) -> None:
    (tmp_path / "attacks").mkdir()
    (tmp_path / "attacks" / "attacks.toml").write_text(text)
    with pytest.raises(FormatError) as caught:
        read_kept(tmp_path)
    assert caught.value.field == field


def test_commands_run_each_in_a_shell_of_its_own_where_the_last_ended(tmp_path: Path) -> None:
    commands = ("mkdir in && cd in", "secret=1", 'echo "$secret$PWD" > here', NASTY, "exit 3", "pwd > after", "if")
    (tmp_path / "solve.sh").write_text(script(commands))
    subprocess.run(["bash", "solve.sh"], cwd=tmp_path, check=False, capture_output=True, timeout=20)
    inside = tmp_path / "in"
    assert (inside / "here").read_text() == f"{inside}\n"
    assert (inside / "a b").read_text() == "it's\\n"
    assert (inside / "after").read_text() == f"{inside}\n"


def test_the_prompt_shows_attacks_on_the_task_first_and_only_some() -> None:
    of_others = [attack(f"o-{number}", f"echo {number}") for number in range(20)]
    said = prompt((), [*of_others, attack("t-1", "echo mine")], "t")
    assert "echo 0" in said
    assert "echo 19" not in said
    assert "{turns}" in said  # left for the terminal agent to fill in
