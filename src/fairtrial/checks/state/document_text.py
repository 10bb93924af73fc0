"""Check the wording of Word and PDF documents, by the text that a converter finds in them.

Needs `mammoth` for docx, `pypdf` for pdf. Not read: text in images, and of a docx its headers, footers and comments.
"""

from __future__ import annotations

import io
import logging
from typing import Any

from fairtrial.checks.limits import limited
from fairtrial.checks.protocol import Inside, Result
from fairtrial.checks.reading import WorkError, many, named, of_the_work, plain_bytes
from fairtrial.checks.state.values import in_range
from fairtrial.checks.state.wording import Texts, Wording


@of_the_work
def docx_text(
    path: Inside,
    contains: Texts = "",
    lacks: Texts = "",
    regex: Texts = "",
    lacks_regex: Texts = "",
    ignore_case: bool = False,
    ignore_spacing: bool = True,
) -> Result:
    """Check the wording of a Word document's body, tables and notes included. Needs `mammoth`."""
    data = plain_bytes(path)

    def work() -> str:
        import mammoth

        return str(mammoth.extract_raw_text(io.BytesIO(data)).value)

    wording = Wording(contains, lacks, regex, lacks_regex, ignore_case, ignore_spacing)
    return wording.judged(limited(work, named(path)), named(path))


@of_the_work
def pdf_text(
    path: Inside,
    contains: Texts = "",
    lacks: Texts = "",
    regex: Texts = "",
    lacks_regex: Texts = "",
    ignore_case: bool = False,
    ignore_spacing: bool = True,
    page: int = 0,
) -> Result:
    """Check the wording of a PDF: of one `page` from 1, or of all. Needs `pypdf`."""
    pages = _pages(path)
    if page > len(pages):
        raise WorkError(f"{named(path)} has {many(len(pages), 'page')}, and no page {page}")
    text = pages[page - 1] if page > 0 else "\n".join(pages)
    wording = Wording(contains, lacks, regex, lacks_regex, ignore_case, ignore_spacing)
    return wording.judged(text, named(path) + (f", page {page}," if page else ""))


@of_the_work
def pdf_pages(path: Inside, least: int | None = 1, most: int | None = None) -> Result:
    """Check how many pages a PDF has. Needs `pypdf`."""
    return in_range(len(_pages(path)), least, most, f"the number of pages of {named(path)}")


def _pages(path: str) -> list[str]:
    data = plain_bytes(path)

    def work() -> Any:
        from pypdf import PdfReader

        logging.disable(logging.CRITICAL)  # it reports each repair of a damaged file
        return [page.extract_text() for page in PdfReader(io.BytesIO(data), strict=False).pages]

    pages: list[str] = limited(work, named(path))
    return pages
