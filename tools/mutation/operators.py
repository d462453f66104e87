"""Every operator and constant of a module, changed one at a time.

The changes are read off the syntax tree, so that a line of arithmetic cannot
be written without being tried.  What only words an error message, annotates or
decorates is left out.
"""

import ast
import tempfile
from collections import Counter
from pathlib import Path

from tools.mutation.equivalents import SAME
from tools.mutation.running import Outcome, Task, ask, change_module, judge

COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATIONS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
METHODS = {
    "max": "min",
    "min": "max",
    "any": "all",
    "all": "any",
    "sum": "mean",
    "mean": "sum",
    "std": "var",
    "argmax": "argmin",
    "argmin": "argmax",
    "cumsum": "cumprod",
    "exp": "exp2",
    "maximum": "minimum",
    "sqrt": "square",
    "cos": "sin",
    "arccos": "arcsin",
    "log2": "log10",
    "logical_and": "logical_or",
    "ones": "zeros",
}
LEFT_OUT = (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom)


def variants(tree):
    """Yield (function, line, change, apply) for every change; `apply` makes it in the tree."""
    yield from _visit(tree, "module", tree, "")


def _visit(node, function, statement, line):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        function = node.name
    if isinstance(node, ast.stmt):
        statement, line = node, _words(node)
    for change, apply in _changes(node):
        told = change if change.startswith(line) else f"{change}  in  {line}"
        yield function, statement.lineno, told, apply
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, LEFT_OUT):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue  # a docstring
            yield from _visit(child, function, statement, line)


def _changes(node):
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield _set(node, "ops", [COMPARISONS[type(node.ops[0])]()])
    if isinstance(node, ast.BinOp):
        if type(node.op) in OPERATIONS:
            yield _set(node, "op", OPERATIONS[type(node.op)]())
        if isinstance(node.op, (ast.MatMult, ast.Pow)):
            yield _set(node, "left", node.right, right=node.left)
    if isinstance(node, ast.AugAssign) and type(node.op) in OPERATIONS:
        yield _set(node, "op", OPERATIONS[type(node.op)]())
    if isinstance(node, ast.BoolOp):
        yield _set(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield _set(node, "value", not node.value)
        elif isinstance(node.value, (int, float)):
            yield _set(node, "value", node.value + 1)
            yield _set(node, "value", node.value - 1)
    telling = (ast.Compare, ast.BoolOp, ast.UnaryOp)  # turned round in their own way
    if isinstance(node, (ast.If, ast.IfExp, ast.While)) and not isinstance(node.test, telling):
        yield _set(node, "test", ast.UnaryOp(ast.Not(), node.test))
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.UnaryOp):
            yield _set(node, field, value.operand)
        elif isinstance(value, list):
            for i, one in enumerate(value):
                if isinstance(one, ast.UnaryOp):
                    yield _set(node, field, [*value[:i], one.operand, *value[i + 1 :]])
    if isinstance(node, ast.Attribute) and node.attr in METHODS:
        yield _set(node, "attr", METHODS[node.attr])
    if isinstance(node, ast.Call):
        plain = (ast.Name, ast.Attribute, ast.Subscript)
        for i, (one, other) in enumerate(zip(node.args, node.args[1:], strict=False)):
            if isinstance(one, plain) and isinstance(other, plain) and ast.dump(one) != ast.dump(other):
                yield _set(node, "args", [*node.args[:i], other, one, *node.args[i + 2 :]])
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield f"{_words(node)} left out", lambda: _become(node, ast.Pass())


def _set(node, field, value, **others):
    """A change of one field of a node, in words and to be made."""
    before = _words(node)
    old = {name: getattr(node, name) for name in (field, *others)}
    new = {field: value, **others}
    for name, one in new.items():
        setattr(node, name, one)
    after = _words(node)
    for name, one in old.items():
        setattr(node, name, one)

    def apply():
        for name, one in new.items():
            setattr(node, name, one)

    return f"{before} -> {after}", apply


def _become(node, other):
    """Put another statement in the place of one."""
    node.__class__ = ast.Pass
    node._fields = other._fields


def _words(node):
    """A node as code, in one line."""
    if isinstance(node, (ast.If, ast.While)):
        return f"if {ast.unparse(node.test)}"
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
        return f"def {getattr(node, 'name', 'module')}"
    text = ast.unparse(ast.fix_missing_locations(node)).splitlines()
    return text[0][:110]


def changed(source, number):
    """The syntax tree of a source with one of its `variants` made."""
    tree = ast.parse(source)
    for i, (_, _, _, apply) in enumerate(variants(tree)):
        if i == number:
            found = apply
    found()
    return ast.fix_missing_locations(tree)


def tasks(root, plan):
    """One task a change, in every module of a plan.

    Parameters
    ----------
    root : Path
    plan : dict of str to list
        The file of a module, and the selections of tests that must find its changes.
    """
    found, met = [], set()
    for file, selections in plan.items():
        source = (root / file).read_text(encoding="utf-8")
        often = Counter()
        for number, (function, line, change, _) in enumerate(variants(ast.parse(source))):
            often[function, change] += 1
            if often[function, change] > 1:
                change += f" ({often[function, change]})"
            key = (file, function, change)
            if key in SAME:
                met.add(key)
                continue
            kind = f"operators and constants of {Path(file).stem}"

            def work(
                kind=kind,
                file=file,
                number=number,
                source=source,
                line=line,
                change=change,
                selections=selections,
                function=function,
            ):
                def prepare():
                    change_module(file, changed(source, number))

                return [judge(kind, f"{file}:{line} {function}", change, selections, prepare)]

            found.append(Task(kind, f"{file}:{line}", work, one=True))
    return found + _outdated(plan, met)


def _outdated(files, met):
    """A task that fails for each written reason to which no change belongs today."""
    left = [key for key in sorted(SAME) if key[0] in files and key not in met]
    told = [
        Outcome("equivalents", key[0], " ".join(key[1:]), trouble="is changed nowhere today") for key in left
    ]
    return [Task("equivalents", one.place, lambda one=one: [one]) for one in told]


# --------------------------------------------------------------------------
# The program of section 9, which runs alone
# --------------------------------------------------------------------------

PROGRAM = "book/attention_by_hand.py"
PROGRAM_TESTS = ["tests/unit/test_program.py", "-k", "program_prints or program_attends"]


class Elsewhere:
    """A pytest plug-in that hands ``test_program`` another program."""

    def __init__(self, path):
        self.path = path

    def pytest_collection_modifyitems(self, items):
        for item in items:
            item.module.PROGRAM = self.path


def program_tasks(root):
    """One task for each change of the program that section 9 prints."""
    source = (root / PROGRAM).read_text(encoding="utf-8")
    found, met = [], set()
    kind = "operators and constants of the program"
    for number, (function, line, change, _) in enumerate(variants(ast.parse(source))):
        if (PROGRAM, function, change) in SAME:
            met.add((PROGRAM, function, change))
            continue

        def work(number=number, function=function, line=line, change=change):
            place = f"{PROGRAM}:{line} {function}"
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "program.py"
                path.write_text(ast.unparse(changed(source, number)), encoding="utf-8")
                code, witness = ask(*PROGRAM_TESTS, plugins=[Elsewhere(path)])
            if code not in (0, 1):
                return [Outcome(kind, place, change, trouble=f"pytest ended with {code}")]
            return [Outcome(kind, place, change, f"{witness.seen} ({witness.error})" if code else "")]

        found.append(Task(kind, f"{PROGRAM}:{line}", work, one=True))
    return found + _outdated([PROGRAM], met)
