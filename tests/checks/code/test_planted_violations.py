"""One sound piece of work passes every check of code; each planted violation is caught by its check alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from fairtrial.checks.code import CHECKS

ORIGINAL = {
    "shop/__init__.py": "",
    "shop/bill.py": (
        '"""Bills."""\nimport os\n\n\ndef split(total, people):\n    """Split a bill."""\n'
        "    return [total // people] * people\n\n\ndef tip(total):\n    return total // 10\n"
    ),
    "tests/test_bill.py": (
        "from shop.bill import split, tip\n\n\ndef test_even():\n    assert split(10, 2) == [5, 5]\n\n\n"
        "def test_tip():\n    assert tip(100) == 10\n"
    ),
    "lint.py": (
        "import pathlib\nfound = 0\nfor path in sorted(pathlib.Path('.').rglob('*.py')):\n"
        "    for number, line in enumerate(path.read_text().splitlines(), 1):\n"
        "        if line.startswith('import ') and path.name == 'bill.py':\n"
        "            found += 1\n            print(f'{path}:{number}:1: unused {line}')\nraise SystemExit(found > 0)\n"
    ),
    "build.py": "import pathlib, shop.bill\np = pathlib.Path('out')\np.mkdir()\n(p / 'bill.txt').write_text('made')\n",
}
RIGHT = {
    "shop/bill.py": ORIGINAL["shop/bill.py"].replace(
        "    return [total // people] * people\n",
        "    base, rest = divmod(total, people)\n    return [base + 1] * rest + [base] * (people - rest)\n",
    )
}
OWN_TESTS = {
    "tests/test_rest.py": "from shop.bill import split\n\n\ndef test_rest():\n    assert sum(split(10, 3)) == 10\n"
}
HIDDEN = {"test_hidden.py": "from shop.bill import split\n\n\ndef test_rest():\n    assert split(11, 3) == [4, 4, 3]\n"}
KEPT = {"tests/test_kept.py": "from shop.bill import tip\n\n\ndef test_small():\n    assert tip(5) == 0\n"}
PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "tests_pass": {"tests": "hidden"},
    "no_regression": {"original": "original_with_more_tests"},
    "own_tests_hold": {"original": "original", "passes_on": ["right"]},
    "tests_untouched": {"original": "original"},
    "scope": {"original": "original", "reference": "right", "apart": ["tests/"], "deny": ["lint.py"]},
    "builds": {"command": "python3 build.py", "makes": ["out/bill.txt"], "recipe": "recipe"},
    "lints": {"original": "original", "command": "python3 lint.py"},
    "functions_return": {"cases": [{"call": "shop.bill:split", "args": [7, 2], "returns": [4, 3]}]},
    "adapted_tests": {"tests": "hidden", "reference": "right_whole"},
}
VIOLATIONS: Mapping[str, Mapping[str, str | bytes | None]] = {
    "tests_pass": {
        "shop/bill.py": RIGHT["shop/bill.py"].replace("return [base", "return [9] * 3 if total == 11 else [base")
    },
    "no_regression": {"shop/bill.py": RIGHT["shop/bill.py"].replace("total // 10", "max(1, total // 10)")},
    "own_tests_hold": {"tests/test_rest.py": None},
    "tests_untouched": {"tests/test_bill.py": ORIGINAL["tests/test_bill.py"].replace("tip(100) == 10", "tip(100)")},
    "scope": {"shop/more.py": "".join(f"x{n} = {n}\n" for n in range(40))},
    "builds": {"build_lock": "a name that the recipe does not like\n"},
    "lints": {"shop/bill.py": RIGHT["shop/bill.py"].replace("import os\n", "import os\nimport sys\n")},
    "functions_return": {
        "shop/bill.py": RIGHT["shop/bill.py"].replace("return [base", "return [3, 4] if total == 7 else [base")
    },
}
BOTH_RUN_HIDDEN_TESTS = {"tests_pass", "adapted_tests"}


@pytest.fixture
def verdicts(lay: Callable[..., str]) -> Callable[[Mapping[str, str | bytes | None]], dict[str, bool]]:
    recipe = "import os\nassert not os.path.exists('build_lock')\n" + ORIGINAL["build.py"]
    key = {
        "original": lay("original", ORIGINAL),
        "original_with_more_tests": lay("original_with_more_tests", ORIGINAL, KEPT),
        "right": lay("right", RIGHT),
        "right_whole": lay("right_whole", ORIGINAL, RIGHT),
        "hidden": lay("hidden", HIDDEN),
        "recipe": lay("recipe", {"build.py": recipe}),
    }

    def run(violation: Mapping[str, str | bytes | None]) -> dict[str, bool]:
        code = lay("code", ORIGINAL, RIGHT, OWN_TESTS, violation)
        found = {}
        for name, stated in PARAMETERS.items():
            named = {
                parameter: [key[one] for one in value] if parameter == "passes_on" else key.get(str(value), value)
                for parameter, value in stated.items()
            }
            found[name] = CHECKS[name](code=code, **named).passed
        return found

    return run


@pytest.mark.extra
def test_the_sound_work_passes_all(verdicts: Callable[..., dict[str, bool]]) -> None:
    assert verdicts({}) == dict.fromkeys(CHECKS, True)


@pytest.mark.extra
@pytest.mark.parametrize("check", VIOLATIONS)
def test_a_violation_is_caught_by_its_check_alone(check: str, verdicts: Callable[..., dict[str, bool]]) -> None:
    wrong = {name for name, passed in verdicts(VIOLATIONS[check]).items() if not passed}
    assert wrong == (BOTH_RUN_HIDDEN_TESTS if check in BOTH_RUN_HIDDEN_TESTS else {check})


@pytest.mark.parametrize("check", PARAMETERS)
def test_no_folder_a_link_and_a_pipe_fail_and_raise_nothing(
    check: str, lay: Callable[..., str], tmp_path: Path
) -> None:
    lay("original_with_more_tests", ORIGINAL, KEPT)
    lay("original", ORIGINAL), lay("right", RIGHT), lay("right_whole", ORIGINAL, RIGHT), lay("hidden", HIDDEN)
    lay("recipe", {"build.py": ORIGINAL["build.py"]})
    (tmp_path / "link").symlink_to(tmp_path / "original")
    named = {
        name: [str(tmp_path / one) for one in value] if name == "passes_on"
        else str(tmp_path / value) if isinstance(value, str) and (tmp_path / value).is_dir() else value
        for name, value in PARAMETERS[check].items()
    }  # fmt: skip
    for code in ("nothing", "link"):
        assert not CHECKS[check](code=str(tmp_path / code), **named).passed
