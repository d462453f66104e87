"""The checks are checked: change one thing at a time, and see that a check goes red.

``python -m tools mutate`` runs all of it; ``--only WORD`` runs what has the
word in its kind or place, ``--list`` names what would run, ``--jobs N`` sets
how many processes work side by side.  Linux or macOS: it forks.

What is changed, and what must tell:

=====================  ======================================================
words.py               every run of digits in README, landing page and
                       notebooks by one in its last place; every marker taken
                       away; an unbound numeral put at the end of every line;
                       the last digit of every equation; every numeral of
                       captions, alternative texts and stored outputs
sources.py             mistakes that people make, as exact replacements
operators.py           every operator and constant of the arithmetic and of
                       the program of section 9, off the syntax tree; those
                       that change nothing are in equivalents.py, with reasons
facts.py               every operator and constant of ``tools/facts/``; the
                       sentences bound to what it changes must tell
pictures.py            every value that is handed to a drawing, and something
                       of every kind that is drawn
=====================  ======================================================

Everything happens in a copy of the tree, one process a change.  Stored outputs
are compared by nbval's own comparison without a kernel: that the notebooks
still print what they store is for ``make test`` to show.

A survivor is a missing test.  So is a change that could not be made: both end
the run with code 1.
"""

import sys
import time
from collections import Counter
from pathlib import Path

from tools.mutation import facts, operators, pictures, sources, words
from tools.mutation.running import copy_of, run, warm_up

ROOT = Path(__file__).resolve().parents[2]

UNIT = sources.UNIT
PROSE = [UNIT("prose"), "-k", "prose_is_in_step"]
PLAN = {
    "scripts/attention.py": [
        *sources.ATTENTION,
        [UNIT("example"), "-k", "follows"],
        [UNIT("draw_section6")],
        *sources.NEIGHBOURS,
        PROSE,
    ],
    "scripts/cost.py": [*sources.COST[:3], [sources.FRAMES("window")], PROSE],
    "scripts/example.py": [*sources.EXAMPLE, PROSE],
    "scripts/experiments.py": [[UNIT("experiments")], [UNIT("example"), "-k", "sizes"], [UNIT("facts")]],
    "scripts/numbers.py": sources.SHOW,
}


def all_tasks(root):
    """Every task of the run, by kind."""
    return [
        *words.tasks(root),
        *sources.tasks(root),
        *operators.tasks(root, PLAN),
        *operators.program_tasks(root),
        *facts.tasks(root),
        *pictures.tasks(root),
    ]


def report(outcomes, seconds):
    """Print killed of total by kind, and return how many survived."""
    total, killed, aside = Counter(), Counter(), Counter()
    for one in outcomes:
        if one.kind.startswith("left alone"):
            aside[one.kind] += 1
            continue
        total[one.kind] += 1
        killed[one.kind] += bool(one.killed_by) and not one.trouble
    by_file = Counter(one.kind for one in outcomes if one.killed_by.startswith("figures/"))
    for kind in total:
        told = f", {by_file[kind]} of them by the stored picture alone" if by_file[kind] else ""
        print(f"{killed[kind]:6d} of {total[kind]:5d}  {kind}{told}, {USED[kind]:.0f} s of work")
    print(f"{sum(killed.values()):6d} of {sum(total.values()):5d}  killed in {seconds:.0f} s")
    if aside:
        print(
            "not numerals of the prose, by rule: "
            + ", ".join(f"{count} {kind.partition(': ')[2]}" for kind, count in sorted(aside.items()))
        )
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
