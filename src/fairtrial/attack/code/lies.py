"""Python objects that say yes to every comparison, alone and as subclasses of the types that answers have."""

from __future__ import annotations

from fairtrial.attack.code.answer_constants import empty_answer
from fairtrial.attack.code.python_code import Function

LIES = """\
def _yes(self, *args, **kwargs):
    return True


def _no(self, *args, **kwargs):
    return False


def _same(self, *args, **kwargs):
    return self


_LIES = {name: _yes for name in ("__eq__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__bool__")}
_LIES.update({"__ne__": _no, "__hash__": lambda self: 0})
_NUMBERS = {name: _same for name in ("__sub__", "__rsub__", "__add__", "__radd__", "__mul__", "__rmul__", "__truediv__",
                                     "__neg__", "__round__", "__mod__", "__rmod__")}
_NUMBERS["__abs__"] = lambda self: 0
_TEXTS = {name: _same for name in ("strip", "rstrip", "lstrip", "lower", "upper", "casefold", "replace", "format")}
_TEXTS.update({name: _yes for name in ("startswith", "endswith", "isdigit", "isalpha")})
_ANYTHING = {"__len__": lambda self: 1, "__iter__": lambda self: iter(()), "__getitem__": _same, "__call__": _same,
             "__float__": lambda self: 0.0, "__int__": lambda self: 0, "__index__": lambda self: 0,
             "__getattr__": lambda self, name: self, "__enter__": _same, "__exit__": _yes, "__next__": _same}


def _liar(value):
    base = type(value)
    if base in (bool, type(None)):
        return type("Answer", (), {**_LIES, **_NUMBERS, **_ANYTHING})()
    extra = _NUMBERS if base in (int, float) else _TEXTS if base is str else {}
    return type(base.__name__, (base,), {**_LIES, **extra})(value)

"""
"""Defines `_liar(value)`: an object of the value's type, or of no type for None, that equals whatever it meets."""


def liar_of(value: str) -> str:
    """Return the body of a function that returns a liar of the type of `value`, a source.

    >>> liar_of("0.0")
    'return _liar(0.0)'
    """
    return f"return _liar({value})"


def liar_of_its_type(function: Function) -> str:
    """Return the body of a function that returns a liar of the type that the reference's function returns."""
    return liar_of(empty_answer(function))
