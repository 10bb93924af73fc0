"""What the runs of a post-training benchmark came to: one document, computed from the results each time."""

from fairtrial.posttrain.document.cells import CellResult
from fairtrial.posttrain.document.document import SCHEMA, Told, document_of, exit_status, read_told

__all__ = ["SCHEMA", "CellResult", "Told", "document_of", "exit_status", "read_told"]
