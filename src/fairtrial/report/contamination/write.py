"""Write the page of a scan to a folder: scan.html and scan.md, each whole or not at all."""

from __future__ import annotations

from pathlib import Path

from fairtrial.records import InputError
from fairtrial.report.contamination.data import ScanPage
from fairtrial.report.contamination.html import html
from fairtrial.report.contamination.markdown import markdown
from fairtrial.report.write import put


def write(page: ScanPage, folder: Path) -> dict[str, Path]:
    """Write the two files into `folder`, made if absent; return their paths by kind. Raise InputError on failure."""
    made = {"html": html(page), "md": markdown(page)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return {
            kind: put(folder / f"scan.{kind}", text.encode("utf-8", errors="replace")) for kind, text in made.items()
        }
    except OSError as error:
        raise InputError(
            f"could not write the page of the scan: {error.strerror or error}", path=folder,
            hint="Name another folder with --out.",
        ) from error  # fmt: skip
