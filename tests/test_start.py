"""Start-up stays light: what is heavy is imported by the verb that needs it.

Times are measured in bench/; here it is what was loaded, which does not depend on the machine.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ["altair", "duckdb", "numpy", "openai", "pandas", "pyarrow", "pydantic_ai", "scipy", "typer", "vl_convert"]

STARTS = {
    "import fairtrial": "import fairtrial",
    "fairtrial --help": "from fairtrial.cli.main import run; run(['--help'])",
    "fairtrial --version": "from fairtrial.cli.main import run; run(['--version'])",
    "a wrong verb": "from fairtrial.cli.main import run; run(['no-such-verb'])",
}


@pytest.mark.parametrize("start", STARTS)
def test_start_loads_nothing_heavy(start: str) -> None:
    code = f"import json, sys\n{STARTS[start]}\nprint(json.dumps(sorted({{m.split('.')[0] for m in sys.modules}})))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(ended.stdout.splitlines()[-1]))
    assert "fairtrial" in loaded
    assert not loaded.intersection(HEAVY)
