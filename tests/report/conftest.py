"""Settings of the report's tests: a busy machine must not fail a property for being slow."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("unhurried", deadline=None, max_examples=40)
settings.load_profile("unhurried")
