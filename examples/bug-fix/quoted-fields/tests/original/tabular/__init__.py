"""Read and write the comma-separated lists that our suppliers exchange."""

from tabular.reading import read_rows, split_line
from tabular.writing import join_fields

__all__ = ["join_fields", "read_rows", "split_line"]
