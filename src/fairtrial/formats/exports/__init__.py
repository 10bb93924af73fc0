"""Training sets in the forms of trainers: one file a format, each writes rows and reads them back."""

from fairtrial.formats.exports.conversation import conversation, has_pictures, trajectory_of
from fairtrial.formats.exports.protocol import Exporter, File, Written
from fairtrial.formats.exports.registry import find
from fairtrial.formats.exports.rows import Demonstration, Kind, Origin, Pair, Prompt, Question, Row, Turn

__all__ = [
    "Demonstration",
    "Exporter",
    "File",
    "Kind",
    "Origin",
    "Pair",
    "Prompt",
    "Question",
    "Row",
    "Turn",
    "Written",
    "conversation",
    "find",
    "has_pictures",
    "trajectory_of",
]
