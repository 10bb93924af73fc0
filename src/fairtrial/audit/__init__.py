"""How often is the verdict wrong, and who says so: samples, judges, people, citations, agreement, error rates."""

__all__: list[str] = []
