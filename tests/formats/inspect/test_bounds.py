"""A log of any size is read in the memory of a few samples, and more is given than is held."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial.formats import Options, inspect
from formats.inspect.written import DEFLATE, PEAK, ZSTD, write_bulk

MOST_KIB = 500_000_000 // 1024
READ = (
    PEAK
    + """
import json, sys
from pathlib import Path
from fairtrial.formats import Options, inspect
rows, largest, before, shares = 0, 0, peak(), []
for batch in inspect.read(Path(sys.argv[1]), Options()):
    rows += batch.rollouts.num_rows
    largest = max(largest, sum(map(len, batch.blobs)))
    shares.append(batch.done)
print(json.dumps([rows, largest, peak(), shares]))
"""
)


@pytest.mark.extra
@pytest.mark.parametrize(("method", "megabytes"), [(ZSTD, 60), (DEFLATE, 30)])
def test_memory_is_bounded_whatever_the_size_of_the_log(tmp_path: Path, method: int, megabytes: int) -> None:
    path = tmp_path / "a.eval"
    count, inside = write_bulk(path, megabytes * 1_000_000, method)
    assert path.stat().st_size >= megabytes * 1_000_000
    assert inside > 100_000_000
    done = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, check=True, timeout=100)
    rows, largest, kib, shares = json.loads(done.stdout)
    assert rows == count
    assert kib < MOST_KIB
    assert largest < 40_000_000
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_bulk_is_what_it_says(tmp_path: Path) -> None:
    count, inside = write_bulk(tmp_path / "a.eval", 300_000, kinds=2, turns=3)
    batches = list(inspect.read(tmp_path / "a.eval", Options()))
    assert sum(batch.rollouts.num_rows for batch in batches) == count
    assert not [skip for batch in batches for skip in batch.skipped]
    assert inside > (tmp_path / "a.eval").stat().st_size
