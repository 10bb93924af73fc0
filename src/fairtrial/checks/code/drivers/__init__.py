"""Programs that run in processes of their own beside code that nobody trusts; each file stands alone, as text.

They are handed to another Python with `-c`, so they import nothing of ours and keep to syntax that older versions read.
"""

from importlib.resources import files


def source(name: str) -> str:
    """Return the text of the driver `name`."""
    return files(__name__).joinpath(f"{name}.py").read_text(encoding="utf-8")


__all__ = ["source"]
