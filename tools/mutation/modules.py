"""The arithmetic, the example, the checks' own code and the program of section 9: every operator changed."""

import ast
import functools
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.mutation.operators import changed, variants
from tools.mutation.running import Outcome, Task, ask, change_module, equivalents, outdated

PROGRAM = "book/attention_by_hand.py"
WIDGETS = "tests/scripts/test_widgets.py"


@dataclass(frozen=True)
class Plan:
    """What is changed, and the tests that must tell, the likeliest first.

    Attributes
    ----------
    file : str
    tests : sequence of str
        What pytest is called with, one call after the other.
    text : bool
        Ask the sentences of the course too.
    only : str
        A pattern: functions whose name does not hold it are left alone.
    constants : bool
        Change numbers too.  Those of a probe may be any.
    """

    file: str
    tests: Sequence[str]
    text: bool = False
    only: str = ""
    constants: bool = True


PLANS = [
    Plan(
        "scripts/attention.py",
        [
            "tests/scripts/test_attention.py",
            "tests/scripts/test_example.py tests/scripts/test_draw_values.py tests/scripts/test_measure.py",
        ],
        text=True,
    ),
    Plan("scripts/cost.py", ["tests/scripts/test_example.py", f"{WIDGETS}::test_window"], text=True),
    Plan("scripts/example.py", ["tests/scripts/test_example.py"], text=True),
    Plan("scripts/experiments.py", ["tests/scripts/test_experiments.py"], text=True),
    Plan(
        "scripts/numbers.py",
        ["tests/scripts/test_numbers.py", "tests/tools/test_prose.py -k 'not prose_is_in_step'"],
    ),
    Plan(
        "scripts/pitfalls.py",
        ["tests/scripts/test_pitfalls.py", "tests/scripts/test_exercises.py"],
        text=True,
        constants=False,
    ),
    Plan(
        "scripts/gradients.py",
        ["tests/scripts/test_gradients.py", "tests/scripts/test_arm.py -m 'not slow'"],
        text=True,
        constants=False,
    ),
    *(
        # what many generators gave is made again by `make thorough` alone
        Plan(f"scripts/{name}.py", [tests], text=True, only="^(?!study|main)", constants=False)
        for name in ("arm", "induction", "model", "one_block", "plane", "position", "smallworld", "twin")
        for tests in [f"tests/scripts/test_{'position' if name == 'one_block' else name}.py"]
    ),
    *(
        Plan(f"scripts/widgets/{name}.py", [f"{WIDGETS}::test_{name}", WIDGETS], only=name, constants=False)
        for name in ("angle", "head_size", "heads", "lead", "mask", "token", "window")
    ),
    Plan("tools/quantities.py", [], text=True, constants=False),
    Plan(
        "tools/prose.py",
        ["tests/tools/test_prose.py -k 'not prose_is_in_step'"],
        text=True,
        only="numerals|evaluate|_parts|_side|_unit|equations|_check_picture|fix$",
    ),
    Plan("tools/notebooks.py", ["tests/tools/test_notebooks.py -m 'not slow'"], only="check"),
    Plan(PROGRAM, ["tests/tools/test_program.py -k 'program_prints or program_attends'"]),
]


def tasks(root: Path, plans: Sequence[Plan] = PLANS) -> list[Task]:
    """One task a change, in every file of the plans."""
    found = []
    for plan in plans:
        source = (root / plan.file).read_text(encoding="utf-8")
        same, kind = equivalents(plan.file), f"operators of {plan.file}"
        changes = variants(ast.parse(source))
        for number, one in enumerate(changes):
            skipped = not re.search(plan.only, one.function) or (one.constant and not plan.constants)
            if not skipped and one.change not in same.get(one.function, {}):
                work = functools.partial(judge, kind, plan, source, number, one)
                found.append(Task(kind, f"{plan.file}:{one.line} {one.function}", work, one=True))
        if left := outdated(kind, plan.file, {(one.function, one.change) for one in changes}):
            found.append(Task(kind, plan.file, lambda left=left: left))
    return found


def judge(kind, plan, source, number, variant):
    """Make one change and ask the tests."""
    tree, plugins = changed(source, number), []
    if plan.file == PROGRAM:
        path = Path(tempfile.mkdtemp()) / "program.py"
        path.write_text(ast.unparse(tree), encoding="utf-8")
        plugins = [Elsewhere(path)]
    else:
        change_module(plan.file, tree)
    killed_by, trouble = ask(plan.tests, plugins)
    if plan.text and not killed_by and not trouble:
        killed_by = said_by_the_text()
    if plugins:
        shutil.rmtree(path.parent)
    told = variant.change
    if variant.context != told.partition(" -> ")[0]:
        told += f"   in   {variant.context}"
    return [Outcome(kind, f"{plan.file}:{variant.line} {variant.function}", told, killed_by, trouble)]


def said_by_the_text():
    """The first problem of any sentence of the course, or nothing."""
    from tools import notebooks, prose

    found = (problem for path in prose.prose_files(notebooks.ROOT) for problem in prose.check_file(path)[0])
    return next((str(problem).splitlines()[0] for problem in found), "")


class Elsewhere:
    """A pytest plug-in that hands ``test_program`` another program."""

    def __init__(self, path):
        self.path = path

    def pytest_collection_modifyitems(self, items):
        for item in items:
            item.module.PROGRAM = self.path
