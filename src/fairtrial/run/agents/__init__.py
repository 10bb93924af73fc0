"""The agents that come with fairtrial: one file each. What an agent is, `run.protocol` says."""
