"""The checks are checked: change one thing at a time, and see that a check goes red.

``make mutate`` runs all of it; ``python -m tools.mutation --only WORD`` runs
what has the word in its kind or place, ``--list`` names what would run,
``--jobs N`` sets how many processes work side by side.  Linux or macOS: it forks.

============  ================================================================
`words`       The text: every run of digits by one in its last place, every
              marker taken away, an unbound numeral put at the end of every
              line, the last digit of every printed equation.
`cells`       The notebooks: every operator of every code cell, together with
              what the cell stores.  No comparison of outputs can tell; a
              sentence has to.
`modules`     The code: every operator, constant, argument and index of the
              arithmetic, the example, the pitfalls, the text check and the
              program of section 9, off the syntax tree.  The tests have to tell.
============  ================================================================

What may change without being told is in `equivalents`, each with its reason.
Drawings are not changed: every picture is stored, and compared letter by letter.

Everything happens in a copy of the tree, one process a task (`running`).  What
is changed of a source, and how, is in `operators`.  A survivor is a missing
test or an unbound sentence.  So is a change that could not be made: both end
the run with code 1.
"""

import sys
import time
from collections import Counter
from pathlib import Path

from tools.mutation.running import copy_of, run, warm_up

ROOT = Path(__file__).resolve().parents[2]


def all_tasks(root):
    """Every task of the run, by kind."""
    from tools.mutation import cells, modules, words

    return [*cells.tasks(root), *words.tasks(root), *modules.tasks(root)]


def report(outcomes, seconds):
    """Print killed of total by kind, and return how many survived."""
    total, killed, aside = Counter(), Counter(), Counter()
    for one in outcomes:
        if one.kind.startswith("left alone"):
            aside[one.kind] += 1
            continue
        total[one.kind] += 1
        killed[one.kind] += bool(one.killed_by) and not one.trouble
    for kind in total:
        print(f"{killed[kind]:6d} of {total[kind]:5d}  {kind}, {USED[kind]:.0f} s of work")
    print(f"{sum(killed.values()):6d} of {sum(total.values()):5d}  killed in {seconds:.0f} s")
    for kind, count in sorted(aside.items()):
        print(f"{count:6d} {kind}")
    return sum(total.values()) - sum(killed.values())


USED = Counter()  # seconds of processor time by kind


def tell(outcomes, seconds):
    """Print at once what survived, and what could not be tried."""
    USED[outcomes[0].kind if outcomes else ""] += seconds
    for one in outcomes:
        if one.trouble or not one.killed_by:
            print(f"{'TROUBLE' if one.trouble else 'SURVIVED'}  {one.kind}: {one.place}: {one.change}")
            if one.trouble:
                print("    " + one.trouble.strip().replace("\n", "\n    "))
            sys.stdout.flush()


def main(only=(), jobs=2, listed=False, root=ROOT):
    """Change everything, print what survived, and return an exit code."""
    start = time.perf_counter()
    with copy_of(root) as copy:
        tasks = [
            task
            for task in all_tasks(copy)
            if not only or any(word in f"{task.kind}: {task.place}" for word in only)
        ]
        if listed:
            print("\n".join(f"{task.kind}: {task.place}" for task in tasks))
            return 0
        warm_up()
        outcomes = run(tasks, copy, jobs, tell)
    if not outcomes:
        print("nothing was changed")
        return 1
    return 1 if report(outcomes, time.perf_counter() - start) else 0
