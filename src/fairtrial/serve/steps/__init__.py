"""Steps as pages show them: escaped, hidden characters visible, code and diffs marked, long output folded.

A trajectory is hostile input: nothing of it reaches a page but through `hostile.shown`.
"""

from fairtrial.serve.steps.hostile import shown
from fairtrial.serve.steps.needles import Needle, cited, searched
from fairtrial.serve.steps.shelf import Shelf
from fairtrial.serve.steps.view import Block, StepView, Window, view_of, window

__all__ = ["Block", "Needle", "Shelf", "StepView", "Window", "cited", "searched", "shown", "view_of", "window"]
