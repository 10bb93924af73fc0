"""Tasks x agents -> rollouts: an engine, and the agents null, scripted, submission (oracle) and terminal."""

from fairtrial.run.protocol import Action, Agent, Episode, Situation

__all__ = ["Action", "Agent", "Episode", "Situation"]
