"""The checks of the rules, run on one submission: training set, usage, look-up, identity, edits."""

from fairtrial.rules.checking.checks import SCHEMA, check_submission, document_of, exit_status
from fairtrial.rules.checking.keeping import keep
from fairtrial.rules.checking.result import Checked, Finding

__all__ = ["SCHEMA", "Checked", "Finding", "check_submission", "document_of", "exit_status", "keep"]
