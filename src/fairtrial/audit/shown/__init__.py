"""What may be shown elsewhere of the rollouts of a ledger, and the files that show it."""

from fairtrial.audit.shown.export import SCHEMA, export_view
from fairtrial.audit.shown.gathering import Meant, gathered

__all__ = ["SCHEMA", "Meant", "export_view", "gathered"]
