"""``python -m tools COMMAND``: what ``make`` offers, for machines with ``make`` and without.

And what those are made of: every fact as JSON, the notebooks' own run, the
comparison of the prose with both.  Nothing but the standard library is
imported before there is an environment that holds the rest.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from tools import messages, tasks
from tools.environment import (
    environment,
    listen_to_signals,
    need_room,
    prepare_output,
    python,
    run,
    runs_here,
    writable,
)
from tools.messages import TaskError
from tools.notebooks import ROOT

MEGABYTES = 20  # of all notebooks and pictures


def print_facts(_):
    """Print every bound number of the text at full precision, as one JSON object, by place."""
    from tools import prose

    print(json.dumps(prose.bound_numbers(prose.prose_files(ROOT)), indent=1, ensure_ascii=False))
    return 0


def _count(number, what):
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def compare(options):
    """Compare prose with the arithmetic, and look over what the notebooks store."""
    from tools import notebooks, prose

    files = [Path(name) for name in options.files] or prose.prose_files(ROOT)
    for path in files:
        if not path.exists():
            raise TaskError(f"there is no file {path}")
    if options.fix:
        changed = sum(prose.fix_file(path) for path in files)
        print(f"digits written anew in {_count(changed, 'piece')} of prose")
    problems, numerals, equations = [], 0, 0
    for path in files:
        found = prose.check_file(path, drawing=True, sliders=False)
        problems += found[0]
        numerals += found[1]
        equations += found[2]
    if not options.files:
        problems += prose.written_for()
        problems += notebooks.check_figures()
        for path in notebooks.paths():
            problems += notebooks.check_notebook(path)
    for problem in problems:
        print(problem)
    print(
        f"{_count(len(problems), 'problem')}; {_count(numerals, 'numeral')} and "
        f"{_count(equations, 'equation')} read in {_count(len(files), 'file')}"
    )
    return 1 if problems else 0


def refresh(options):
    """Run notebooks, store what they print, and write their pictures into figures/."""
    from tools import notebooks

    try:
        notebooks.paths(options.names)
    except ValueError as error:
        raise TaskError(str(error)) from error
    need_room(MEGABYTES)
    for folder in (notebooks.BOOK, notebooks.FIGURES):
        if not writable(folder):
            raise TaskError(messages.READ_ONLY.format(folder=folder))
    notebooks.copy_example()
    try:
        stored = notebooks.refresh(options.names)
    except notebooks.CellError as error:
        raise TaskError(str(error)) from error
    for path in stored:
        print(f"stored {path.relative_to(ROOT)}")
    return 0


INNER = {"facts": print_facts, "compare": compare, "refresh": refresh}


def build_parser():
    """Everything that can stand behind ``python -m tools``."""
    parser = argparse.ArgumentParser(prog="python -m tools", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, action in [*tasks.TASKS.items(), *INNER.items()]:
        about = (action.__doc__ or "").partition("\n")[0]
        command = commands.add_parser(name, help=about, description=about)
        command.set_defaults(name=name, run=action)
        if name == "compare":
            command.add_argument("files", nargs="*", metavar="FILE", help="check the prose of these only")
            command.add_argument("--fix", action="store_true", help="write the right digits into the prose")
        elif name == "refresh":
            command.add_argument("names", nargs="*", metavar="NOTEBOOK")
    return parser


def main(arguments=None):
    """Run one command and return its exit code."""
    prepare_output()
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    options = build_parser().parse_args(arguments)
    try:
        if options.name in tasks.TASKS:
            return options.run() or 0
        if not runs_here():
            # by an interpreter without the packages: hand on to one that has them
            run(python(), "-m", "tools", *arguments)
            return 0
        found = environment()  # for the notebooks' kernels
        os.environ.clear()
        os.environ.update(found)
        return options.run(options)
    except TaskError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        if error.errno not in messages.OF_THE_DISK:
            raise
        print(messages.of_the_disk(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    listen_to_signals()
    sys.exit(main())
