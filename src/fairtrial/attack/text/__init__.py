"""Probes of text graders: reward functions, scorers, any callable that scores a completion."""

from fairtrial.attack.text.protocol import Completion, Messages, TextCase, TextProbe, TextSubmission, text_of

PROBES: tuple[TextProbe, ...] = ()

__all__ = ["PROBES", "Completion", "Messages", "TextCase", "TextProbe", "TextSubmission", "text_of"]
