"""The locked leaderboard: who leads on equal terms, with the rule breakers out, and what changed since."""
