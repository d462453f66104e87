"""Every operator and constant of ``tools/facts/``, changed one at a time.

A change that alters no fact at all changes nothing.  One that does must be
told by a sentence that is bound to the fact, or by a test.
"""

import ast
import re
import signal
import sys
import types
from functools import cache, partial
from pathlib import Path

import numpy as np

from tools.mutation.operators import changed, variants
from tools.mutation.running import Outcome, Task, ask, change_module

SECONDS = 20  # for one section's facts
KIND = "operators and constants of facts"


def tasks(root):
    """One task a section."""
    return [
        Task("facts", path.stem, partial(section, path.relative_to(root)))
        for path in sorted(root.glob("tools/facts/section*.py"))
    ]


def section(path):
    """Change everything in one section's facts."""
    from scripts import experiments
    from tools import facts, prose
    from tools.notebooks import ROOT

    for name in ("score_spread", "winner_share", "slope_totals", "law_cases"):
        setattr(experiments, name, cache(getattr(experiments, name)))  # the slow ones
    known = facts.facts()
    pieces = [pair for file in prose.prose_files(ROOT) for pair in prose.pieces(file)]
    bound = {}
    for where, text in pieces:
        for body in re.findall(r"<!--\s*=(.*?)-->", text, re.S):
            for binding in body.split(";"):
                bound.setdefault(re.split(r"[.:]", binding.strip())[0], {})[where] = text
    source = path.read_text(encoding="utf-8")
    found, mine = [], computed(source, path)
    others = [other for other in facts.SECTIONS if not other.__name__.endswith(f".{path.stem}")]
    rest = {name for other in others for name in other.facts()}
    signal.signal(signal.SIGALRM, _late)
    for number, (function, line, change, _) in enumerate(variants(ast.parse(source))):
        place = f"{path}:{line} {function}"
        tree = changed(source, number)
        signal.alarm(SECONDS)
        try:
            got = computed(tree, path)
        except Exception as error:
            found.append((number, Outcome(KIND, place, change, f"{type(error).__name__} when computed")))
            continue
        finally:
            signal.alarm(0)
        moved = [name for name in {*mine, *got} if not same(mine.get(name), got.get(name))]
        if not moved:
            continue
        change = f"{change.partition('  in  ')[0]}, which moves {', '.join(moved)}"
        said = told(moved, got, known, rest, bound, prose)
        found.append((number, Outcome(KIND, place, change, said)))
    # The few that no sentence tells: ask the tests, each in its turn.
    return [one if one.killed_by else asked(one, path, changed(source, n)) for n, one in found]


def _late(*_):
    raise TimeoutError


def computed(code, path):
    """The facts of one section, from a source or a tree."""
    module = types.ModuleType(f"tools.facts.{path.stem}")
    exec(compile(code, str(path), "exec"), module.__dict__)
    return {name: np.asarray(value) for name, value in module.facts().items()}


def same(one, other):
    """Whether two facts are the same number or grid."""
    if one is None or other is None:
        return False
    if one.shape != other.shape or one.dtype.kind != other.dtype.kind or one.dtype == object:
        return False
    return np.allclose(one, other, rtol=1e-9, atol=1e-12)  # the order of additions is no matter


def told(moved, got, known, rest, bound, prose):
    """The first thing that tells: two sections that differ, no number, or a sentence."""
    for name in moved:
        if name not in got:
            continue
        if got[name].dtype == object or not np.isfinite(got[name]).all():
            return f"fact {name} is no finite number"
        if name in rest and not np.array_equal(got[name], known[name]):
            return f"fact {name} has two values"
    changed_facts = {**known, **got}
    for name in moved:
        for where, text in bound.get(name, {}).items():
            if problems := prose.check_numerals(text, where, changed_facts):
                return str(problems[0]).splitlines()[0]
    return worked_again(moved, changed_facts)


def worked_again(moved, known):
    """The first test of the facts themselves that is red when handed other facts."""
    import test_facts
    import test_facts_in_words

    calls = [(test_facts.test_value, (name, known)) for name in moved if name in test_facts.PRINTED]
    names = [name for name in dir(test_facts_in_words) if name.startswith("test_")]
    calls += [(getattr(test_facts_in_words, name), (known,)) for name in names]
    for test, given in calls:
        try:
            test(*given)
        except Exception as error:
            return f"{test.__module__}.py::{test.__name__} ({type(error).__name__})"
    return ""


def asked(one, path, tree):
    """The outcome after those tests were asked that `worked_again` has not run."""
    for name in [n for n in sys.modules if n.startswith(("scripts", "test_"))]:
        del sys.modules[name]
    sys.meta_path[:] = [finder for finder in sys.meta_path if not hasattr(finder, "code")]
    change_module(path, tree)
    number = re.sub(r"\D", "", Path(path).stem)
    own = "tests/unit/test_program.py" if number == "9" else f"tests/unit/test_draw_section{number}.py"
    for selection in (["tests/unit/test_facts.py"], [own]):
        code, witness = ask(*selection)
        if code in (1, 2):
            return Outcome(one.kind, one.place, one.change, f"{witness.seen} ({witness.error})")
        if code:
            return Outcome(one.kind, one.place, one.change, trouble=f"pytest ended with {code}")
    return one
