"""Expressions of Python: what they may come to, and the calls that stand in them."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from fairtrial.attack.detectors.python_program import parsed
from fairtrial.contamination.conduct.python_calls import combined
from fairtrial.contamination.conduct.python_scope import DEEPEST, MOST_VISITS, Called, Scope
from fairtrial.contamination.conduct.python_values import (
    HOLE,
    NAMED,
    UNKNOWN,
    Held,
    Made,
    Nothing,
    Table,
    Texts,
    Value,
    formatted,
    joined,
    one_of,
    percented,
    texts_of,
)

MOST_NESTED = 3
MOST_TEXTS_KEPT = 10_000
MOST_OF_A_KEPT_TEXT = 4_000


class Expressions(Scope):
    """Reads expressions."""

    def read(self, tree: ast.Module) -> None:
        """Read a whole program; a reader of statements can."""
        raise NotImplementedError

    def value(self, node: ast.expr) -> Value:
        """Return what an expression may come to, and note the calls in it."""
        self.visits += 1
        if self.visits > MOST_VISITS or self.depth > DEEPEST:
            return UNKNOWN
        self.depth += 1
        found = self.made(node)
        self.depth -= 1
        is_new = isinstance(found, Texts) and not isinstance(node, ast.Name | ast.Attribute)
        if is_new and len(self.texts) < MOST_TEXTS_KEPT:
            self.texts += [(text, node.lineno) for text in texts_of(found) if 3 < len(text) < MOST_OF_A_KEPT_TEXT]
        return found

    def made(self, node: ast.expr) -> Value:
        """Return what an expression may come to."""
        match node:
            case ast.Constant(value=bytes() as raw):
                return Texts((raw.decode("utf-8", "replace"),))
            case ast.Constant(value=constant):
                return Nothing() if constant is None else Texts((str(constant),))
            case ast.Name(id=name):
                if name not in self.names and "." in self.imported.get(name, ""):
                    return Made(self.imported[name], NAMED)
                return self.names.get(name, UNKNOWN)
            case ast.JoinedStr(values=values):
                return joined(self.value(one.value if isinstance(one, ast.FormattedValue) else one) for one in values)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                first, second = self.value(left), self.value(right)
                if isinstance(first, tuple) and isinstance(second, tuple):
                    return (*first, *second)[:1000]
                return joined([first, second])
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                return percented(self.value(left), self.value(right))
            case ast.BoolOp(values=values):
                return one_of([self.value(one) for one in values])
            case ast.IfExp(test=test, body=body, orelse=other):
                truth = self.truth(test)
                return one_of(
                    [self.value(one) for one, is_out in ((body, False), (other, True)) if truth is not is_out]
                )
            case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
                return tuple(self.value(one) for one in elements[:1000])
            case ast.Dict(keys=keys, values=values):
                pairs = [
                    (texts_of(self.value(k)) if k else (), self.value(v)) for k, v in zip(keys, values, strict=True)
                ]
                return Table({key[0] if key else f"*{n}": value for n, (key, value) in enumerate(pairs)})
            case ast.Subscript(value=of, slice=at):
                return self.item(of, at)
            case ast.Attribute(attr=name):
                full = self.dotted(node)
                self.value(node.value)
                if f".{name}" in self.names:
                    return self.names[f".{name}"]
                is_imported = full.partition(".")[0] in self.imported.values() or full == "os.environ"
                return Made(full, NAMED) if is_imported and "(" not in full else self.options.get(name, UNKNOWN)
            case ast.Call():
                return self.call(node)
            case ast.Await(value=value) | ast.NamedExpr(value=value) | ast.Starred(value=value):
                found = self.value(value)
                if isinstance(node, ast.NamedExpr):
                    self.bind(node.target, found)
                return found
            case ast.ListComp(elt=element, generators=loops) | ast.GeneratorExp(elt=element, generators=loops):
                return self.comprehended(element, loops)
            case _:
                return one_of([self.value(one) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)])

    def comprehended(self, element: ast.expr, loops: list[ast.comprehension]) -> Value:
        """Return a comprehension over what is known: item by item where one loop goes over a list."""
        items = self.value(loops[0].iter)
        for loop in loops[1:]:
            self.value(loop.iter)
        if isinstance(items, Texts) and len(items.options) == 1:
            items = tuple(Texts((one,)) for one in items.options[0][:400])
        if not isinstance(items, tuple):
            self.bind(loops[0].target, UNKNOWN)
            return (self.value(element),)
        made: list[Value] = []
        for item in items[:400]:
            self.bind(loops[0].target, item)
            made.append(self.value(element))
        return tuple(made)

    def item(self, of: ast.expr, at: ast.expr) -> Value:
        """Return an entry of a list or dict, a variable of the environment, a text turned around."""
        if self.dotted(of) == "os.environ":
            names = texts_of(self.value(at))
            self.calls.append(Called(name="os.environ.__getitem__", given=(Texts(names),), line=of.lineno))
            return self.variable(names, UNKNOWN)
        held = self.value(of)
        if isinstance(at, ast.Slice):
            back = isinstance(at.step, ast.UnaryOp) and isinstance(held, Texts)
            return Texts(tuple(text[::-1] for text in texts_of(held))) if back else held
        keys = texts_of(self.value(at))
        if isinstance(held, Table):
            return held.entries.get(keys[0], UNKNOWN) if keys else one_of(held.entries.values())
        if isinstance(held, tuple):
            number = int(keys[0]) if keys and re.fullmatch(r"\d{1,6}", keys[0]) else None
            return held[number] if number is not None and number < len(held) else one_of(held)
        if self.dotted(of) == "sys.argv" and keys and keys[0].isdecimal():
            return self.argument(int(keys[0]))
        return UNKNOWN

    def call(self, node: ast.Call) -> Value:
        """Note a call, and return what it gives."""
        name = self.dotted(node.func)
        held = self.value(node.func.value) if isinstance(node.func, ast.Attribute) else UNKNOWN
        given = [self.value(one) for one in node.args]
        named = {one.arg or "**": self.value(one.value) for one in node.keywords}
        if isinstance(spread := named.pop("**", None), Table):
            named |= spread.entries
        called = Called(name=name, given=tuple(given), named=named, line=node.lineno, number=len(self.calls))
        self.calls.append(called)
        self.learn(called)
        function = self.functions.get(name.rpartition(".")[2])
        if function is not None and (isinstance(node.func, ast.Name) or name.startswith("self.")):
            self.pass_on(function, given, named)
            return self.returned(function)
        if name in ("os.getenv", "os.environ.get", "getenv", "environ.get"):
            return self.variable(texts_of(given[0]) if given else (), given[1] if len(given) > 1 else UNKNOWN)
        if name == "open" or called.last == "read_text":
            at = held if called.last == "read_text" else given[0] if given else UNKNOWN
            text = next((t for p in texts_of(at) if (t := self.around.file(p)) is not None), None)
            return UNKNOWN if text is None else Held(text)
        if called.last in ("exec", "eval") and given and self.nested < MOST_NESTED:
            self.inner(texts_of(given[0]), node.lineno)
        if called.last == "format":
            return formatted(held, given, named)
        if called.last == "join" and given and isinstance(held, Texts) and held.options:
            return joined(given[0] if isinstance(given[0], tuple) else [given[0]], held.options[0])
        if called.last in ("import_module", "__import__") and (module := texts_of(given[0]) if given else ()):
            self.imports.append((module[0], node.lineno))
            return Made(module[0], NAMED)
        if name == "getattr" and len(given) > 1 and texts_of(given[1]):
            return Made(f"{self.dotted(node.args[0])}.{texts_of(given[1])[0]}", NAMED)
        if name in self.classes:
            self.names |= {f".{key}": value for key, value in named.items() if value != UNKNOWN}
        found = combined(called, held, given, named)
        return Made(name, called.number) if found is None else found

    def returned(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Value:
        """Return what a function gives back, where its last line says so plainly."""
        last = function.body[-1]
        if not isinstance(last, ast.Return) or last.value is None or self.depth > DEEPEST // 2:
            return UNKNOWN
        if isinstance(last.value, ast.Call | ast.Await) and len(function.body) > 1:
            return UNKNOWN
        return self.value(last.value)

    def inner(self, codes: tuple[str, ...], line: int) -> None:
        """Read program text that is run in turn."""
        for code in codes:
            tree = parsed(code)
            if tree is None:
                continue
            walk = type(self)(replace(self.around, variables=self.variables), nested=self.nested + 1)
            walk.read(tree)
            for one in walk.calls:
                one.line, one.number = line, len(self.calls)
                self.calls.append(one)
            self.imports += [(module, line) for module, _ in walk.imports]
            self.texts += [(text, line) for text, _ in walk.texts]

    def bind(self, target: ast.expr, found: Value) -> None:
        """Let a name, an attribute, an environment variable or an entry of a dict stand for a value."""
        match target:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                if isinstance(found, Made):
                    self.bound.setdefault(found.number, name)
                key = name if isinstance(target, ast.Name) else f".{name}"
                if isinstance(target, ast.Attribute):
                    self.settings[self.dotted(target)] = found
                self.names[key] = one_of([self.names.get(key, UNKNOWN), found]) if self.branches else found
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                same = isinstance(found, tuple) and len(found) == len(elements)
                for number, element in enumerate(elements):
                    self.bind(element, found[number] if same and isinstance(found, tuple) else UNKNOWN)
            case ast.Subscript(value=of, slice=at):
                key_texts, value_texts = texts_of(self.value(at)), texts_of(found)
                if self.dotted(of) == "os.environ" and key_texts and value_texts:
                    self.variables[key_texts[0]] = value_texts[0]
                held = self.value(of)
                if isinstance(held, Table) and key_texts:
                    held.entries[key_texts[0]] = found

    def truth(self, test: ast.expr) -> bool | None:
        """Return what a condition comes to, where one text decides it."""
        match test:
            case ast.Constant(value=value):
                return bool(value)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found = self.truth(operand)
                return None if found is None else not found
            case ast.Compare(left=ast.Name(id="__name__")):
                return True
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as sign], comparators=[right]):
                one, two = texts_of(self.value(left)), texts_of(self.value(right))
                if len(one) != 1 or len(two) != 1 or HOLE in one[0] + two[0]:
                    return None
                return (one == two) is isinstance(sign, ast.Eq)
            case ast.Attribute():
                options = texts_of(self.value(test))
                return options[0] == "True" if options in (("True",), ("False",)) else None
            case _:
                self.value(test)
                return None
