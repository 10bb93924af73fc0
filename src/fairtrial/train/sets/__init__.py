"""Training sets out of a ledger: demonstrations, preference pairs, prompts; each with a card."""
