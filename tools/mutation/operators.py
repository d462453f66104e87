"""Every operator, constant, argument and name of a source, changed one at a time.

The changes are read off the syntax tree, so that a line of arithmetic cannot
be written without being tried.  What only words an error message, annotates or
decorates is left out.
"""

import ast
import itertools
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass


def _both_ways(*pairs):
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


COMPARISONS = _both_ways(
    (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn)
)
OPERATIONS = {ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult}
OPERATIONS |= _both_ways((ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.BitAnd, ast.BitOr))
METHODS = _both_ways(
    ("max", "min"),
    ("argmax", "argmin"),
    ("maximum", "minimum"),
    ("any", "all"),
    ("logical_and", "logical_or"),
    ("sum", "mean"),
    ("std", "var"),
    ("exp", "exp2"),
    ("sqrt", "square"),
    ("cos", "sin"),
    ("arccos", "arcsin"),
    ("log2", "log10"),
    ("ones", "zeros"),
    ("tile", "repeat"),
)
LEFT_OUT = (ast.JoinedStr, ast.Import, ast.ImportFrom)
WORDING = {"annotation", "returns", "decorator_list", "type"}  # fields that compute nothing
PLAIN = (ast.Name, ast.Attribute, ast.Subscript)
SYMMETRIC = {"allclose", "array_equal", "maximum", "minimum"}  # their arguments may change places
WHOLE = (ast.FunctionDef, ast.ClassDef, ast.Module)


@dataclass(frozen=True)
class Variant:
    """One change of a source: where it is, what it is in words, and how to make it."""

    function: str
    line: int
    context: str
    change: str
    apply: Callable[[], None]

    @property
    def constant(self):
        """Whether a number or a truth is changed."""
        return re.match(r"[-\d]|True|False", self.change) is not None


def variants(tree):
    """Every change of a syntax tree, in its order; `apply` makes it in that tree."""
    often, found = Counter(), []
    for function, statement, change, apply in _visit(tree, "module", tree):
        often[function, change] += 1
        if (count := often[function, change]) > 1:
            change += f" ({count})"
        found.append(Variant(function, statement.lineno, _words(statement), change, apply))
    return found


def changed(source, number):
    """The syntax tree of a source with one of its `variants` made."""
    tree = ast.parse(source)
    variants(tree)[number].apply()
    return ast.fix_missing_locations(tree)


def _visit(node, function, statement):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        function = node.name
    if isinstance(node, ast.stmt):
        statement = node
    for change, apply in _changes(node):
        yield function, statement, change, apply
    for part, change, apply in _forgotten(node):
        yield function, part if isinstance(part, ast.stmt) else statement, change, apply
    if isinstance(node, ast.Raise) or getattr(getattr(node, "func", None), "id", "") == "isinstance":
        return  # a message, or kinds of numbers
    for field, value in ast.iter_fields(node):
        if field in WORDING:
            continue
        for child in value if isinstance(value, list) else [value]:
            docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not isinstance(child, LEFT_OUT) and not docstring:
                yield from _visit(child, function, statement)


def _changes(node):
    """Yield (change, apply) for all that is changed of one node itself."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield _set(node, ops=[COMPARISONS[type(node.ops[0])]()])
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in OPERATIONS:
        yield _set(node, op=OPERATIONS[type(node.op)]())
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.MatMult, ast.Pow)):
        yield _set(node, left=node.right, right=node.left)
    if isinstance(node, ast.BoolOp):
        yield _set(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield _set(node, value=not node.value)
        elif isinstance(node.value, (int, float)):
            yield _set(node, value=node.value + 1)
            yield _set(node, value=node.value - 1)
    told = (ast.Compare, ast.BoolOp, ast.UnaryOp)  # turned round in their own way
    if isinstance(node, (ast.If, ast.IfExp, ast.While)) and not isinstance(node.test, told):
        yield _set(node, test=ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.Attribute) and node.attr in METHODS:
        yield _set(node, attr=METHODS[node.attr])
    if isinstance(node, ast.Call):
        if getattr(node.func, "attr", "") not in SYMMETRIC:
            yield from _exchanged(node, "args")
        if len(node.args) > 1:
            yield _set(node, args=node.args[:-1])
        for i in range(len(node.keywords)):
            if not isinstance(getattr(node.keywords[i].value, "value", None), bool):  # they are turned round
                yield _set(node, keywords=node.keywords[:i] + node.keywords[i + 1 :])
    if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
        yield from _exchanged(node, "elts")
    if isinstance(node, ast.comprehension) and node.ifs:
        yield _set(node, ifs=[])


def _forgotten(node):
    """Yield (part, change, apply) for all that can be left out of the parts of a node."""
    for field, value in ast.iter_fields(node):
        if field in WORDING:
            continue
        for i, part in enumerate(value if isinstance(value, list) else [value]):
            for less in _less(part):
                new = [*value[:i], less, *value[i + 1 :]] if isinstance(value, list) else less
                yield part, f"{_words(part)} -> {_words(less)}", _setter(node, {field: new})


def _less(node):
    """Yield what may be left of a node when a part of it is forgotten."""
    if isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.BinOp) and not isinstance(node.op, (ast.MatMult, ast.BitOr, ast.Mod)):
        yield node.left
        yield node.right
    elif isinstance(node, ast.BoolOp):
        for i in range(len(node.values)):
            rest = node.values[:i] + node.values[i + 1 :]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        if not isinstance(node.slice, ast.Constant) and getattr(node.value, "id", "") != "NDArray":
            yield node.value
    elif isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield ast.Pass()
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        before = [one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)]
        if node.targets[0].id in before:
            yield ast.Pass()  # the name keeps the value that it had


def _exchanged(node, field):
    """Yield the changes of two neighbours of a list into each other's place."""
    values = getattr(node, field)
    for i, (one, other) in enumerate(itertools.pairwise(values)):
        if isinstance(one, PLAIN) and isinstance(other, PLAIN) and ast.dump(one) != ast.dump(other):
            yield _set(node, **{field: [*values[:i], other, one, *values[i + 2 :]]})


def _set(node, **new):
    """A change of fields of a node, in words and to be made."""
    before = _words(node)
    old = {name: getattr(node, name) for name in new}
    _setter(node, new)()
    after = _words(node)
    _setter(node, old)()
    return f"{before} -> {after}", _setter(node, new)


def _setter(node, fields):
    def apply():
        for name, value in fields.items():
            setattr(node, name, value)

    return apply


def _words(node):
    """A node as code, in one line."""
    if isinstance(node, (ast.If, ast.While)):
        return f"if {ast.unparse(node.test)}"
    if isinstance(node, WHOLE):
        return f"def {getattr(node, 'name', 'module')}"
    return ast.unparse(ast.fix_missing_locations(node)).splitlines()[0][:110]
