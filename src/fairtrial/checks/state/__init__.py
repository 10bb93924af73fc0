"""What the work left behind: databases, files, documents, images, services; and that nothing else changed."""

from collections.abc import Mapping

from fairtrial.checks.protocol import Check
from fairtrial.checks.state.answers import answer_equals, answers_equal
from fairtrial.checks.state.commands import command_output, command_succeeds
from fairtrial.checks.state.csv_cells import csv_cell, csv_rows
from fairtrial.checks.state.data_files import json_unchanged, json_value, toml_value, yaml_value
from fairtrial.checks.state.document_text import docx_text, pdf_pages, pdf_text
from fairtrial.checks.state.files import file_absent, file_equals, file_exists, file_lines, file_similar, file_text
from fairtrial.checks.state.folders import files_unchanged, folder_lists
from fairtrial.checks.state.http_responses import http_response
from fairtrial.checks.state.images import image_is, image_similar
from fairtrial.checks.state.postgres_checks import postgres_changes, postgres_rows
from fairtrial.checks.state.sqlite_changes import sqlite_changes
from fairtrial.checks.state.sqlite_checks import sqlite_cell, sqlite_count, sqlite_rows, sqlite_schema
from fairtrial.checks.state.workflows import workflow
from fairtrial.checks.state.xlsx_cells import xlsx_cell

_ALL: tuple[Check, ...] = (
    answer_equals, answers_equal,
    command_output, command_succeeds, csv_cell, csv_rows, docx_text, file_absent, file_equals, file_exists, file_lines,
    file_similar, file_text, files_unchanged, folder_lists, http_response, image_is, image_similar, json_unchanged,
    json_value, pdf_pages, pdf_text, postgres_changes, postgres_rows, sqlite_cell, sqlite_changes, sqlite_count,
    sqlite_rows, sqlite_schema, toml_value, workflow, xlsx_cell, yaml_value,
)  # fmt: skip
CHECKS: Mapping[str, Check] = {check.__name__: check for check in _ALL}

__all__ = ["CHECKS"]
