"""A training recipe as one typed object: read from TOML, resolved with versions and hashes, written back."""

from fairtrial.train.recipe.schema import SCHEMA, Credit, Evaluation, Recipe, Sampling, Stage, Tasks, Watch

__all__ = ["SCHEMA", "Credit", "Evaluation", "Recipe", "Sampling", "Stage", "Tasks", "Watch"]
