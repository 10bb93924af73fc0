"""Our sandbox behind other people's runners: an environment for Harbor, a sandbox for Inspect.

Each module is loaded by the other framework's interpreter, never by fairtrial, and needs that framework installed
beside it. They share `boxes`, which knows neither.
"""

__all__: list[str] = []
