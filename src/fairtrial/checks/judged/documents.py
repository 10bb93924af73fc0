"""The text of documents, so that a judge can read and cite them: PDF, Word, Excel. Read in a process with limits.

Pages, sheets and rows are lines, so that they can be cited. Not read: images, formulas (the values that were saved are
shown), headers and comments of Word documents.
"""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

from fairtrial.checks.limits import limited
from fairtrial.checks.protocol import CheckError

SECONDS = 30.0
MOST_ROWS = 20_000


def document_text(data: bytes, title: str) -> str | None:
    """Return the text of a document, None where `data` is none that is known. Raise WorkError for a damaged one.

    Raise CheckError where its reader is not installed.
    """
    read = _reader(data)
    return None if read is None else str(limited(lambda: read(data), f"`{title}`", seconds=SECONDS))


def _reader(data: bytes) -> Callable[[bytes], str] | None:
    """Return what reads `data`. Its library is loaded here: a forked process should not have to."""
    try:
        if data.startswith(b"%PDF-"):
            import pypdf  # noqa: F401

            return _pdf
        names = _members(data)
        if "word/document.xml" in names:
            import mammoth  # noqa: F401

            return _word
        if "xl/workbook.xml" in names:
            import openpyxl  # noqa: F401

            return _excel
    except ModuleNotFoundError as error:
        raise CheckError(f"a document of this kind needs the package `{error.name}`") from None
    return None


def _members(data: bytes) -> set[str]:
    if not data.startswith(b"PK"):
        return set()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return set(archive.namelist()[:10_000])
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return set()


def _pdf(data: bytes) -> str:
    from pypdf import PdfReader

    logging.disable(logging.CRITICAL)  # it reports each repair of a damaged file
    pages = PdfReader(io.BytesIO(data), strict=False).pages
    return "\n".join(f"[page {number}]\n{page.extract_text()}" for number, page in enumerate(pages, 1))


def _word(data: bytes) -> str:
    import mammoth

    return str(mammoth.extract_raw_text(io.BytesIO(data)).value)


def _excel(data: bytes) -> str:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    return "\n".join(line for sheet in book.worksheets for line in _sheet(sheet))


def _sheet(sheet: Any) -> Iterator[str]:
    yield f"[sheet {sheet.title}]"
    for number, row in enumerate(sheet.iter_rows(), 1):
        if number > MOST_ROWS:
            yield f"[more than {MOST_ROWS} rows]"
            return
        cells = [f"{cell.coordinate}={str(cell.value)!r}" for cell in row if cell.value is not None]
        if cells:
            yield " ".join(cells)
