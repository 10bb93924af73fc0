"""Where a grader binds to a form that the instruction does not state, so that right work in another form fails."""

from fairtrial.attack.reading.binding.finding import Bound
from fairtrial.attack.reading.binding.read import read_bindings

__all__ = ["Bound", "read_bindings"]
