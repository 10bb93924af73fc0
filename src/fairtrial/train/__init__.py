"""Train on it, and say what it was worth: sets out of a ledger, recipes, credit, a watch, lift and its price.

Nothing here imports torch but `trainers`, which is loaded only where a model is trained or sampled.
"""
