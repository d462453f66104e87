"""``python -m tools COMMAND``: what ``make`` offers, for machines with ``make`` and without.

And what those are made of: every fact as JSON, every picture, the comparison
of the prose with both.  Nothing but the standard library is imported before
there is an environment that holds the rest.
"""

import argparse
import gc
import hashlib
import json
import os
import sys
from importlib import metadata
from pathlib import Path

from tools import tasks
from tools.notebooks import FIGURES, ROOT


def print_facts(_):
    """Print every bound number of the text at full precision, as one JSON object, by place."""
    from tools import prose

    print(json.dumps(prose.bound_numbers(prose.prose_files(ROOT)), indent=1, ensure_ascii=False))
    return 0


def draw_figures(options):
    """Draw pictures into a folder."""
    from tools.gallery import draw_picture, gallery

    for name in options.ids:
        if name not in gallery():
            raise tasks.TaskError(f"tools/gallery.py has no picture {name}")
    options.out.mkdir(parents=True, exist_ok=True)
    for identity in options.ids or gallery():
        path = options.out / f"{identity}.svg"
        path.write_text(draw_picture(identity).svg(), encoding="utf-8", newline="\n")
    return 0


def stale_figures():
    """Return what is wrong with figures/ and with the stored captions, as sentences."""
    from tools.gallery import draw_picture, gallery
    from tools.notebooks import captions

    stored_captions = captions()

    makers = gallery()
    stored = {path.stem for path in FIGURES.glob("*.svg")}
    problems = [f"figures/{name}.svg belongs to no picture" for name in sorted(stored - set(makers))]
    for name in makers:
        path = FIGURES / f"{name}.svg"
        if not path.exists():
            problems.append(f"figures/{name}.svg is missing: run make figures")
            continue
        picture = draw_picture(name)
        if path.read_text(encoding="utf-8") != picture.svg():
            problems.append(f"figures/{name}.svg is not what is drawn today: run make figures")
        if stored_captions.get(name, picture.caption) != picture.caption:
            problems.append(f"the stored caption of {name} is not today's: run make refresh")
    return problems


def drawing_key():
    """Return a hash of all that the stored pictures depend on, and of the pictures themselves."""
    from tools.notebooks import captions

    key = hashlib.sha256(json.dumps([sys.version, captions()]).encode())
    for package in ("matplotlib", "numpy"):
        key.update(metadata.version(package).encode())
    parts = (path for path in (ROOT / "scripts").rglob("*") if path.suffix in {".py", ".json", ".mplstyle"})
    for path in sorted([*parts, *FIGURES.glob("*.svg")]):
        key.update(path.relative_to(ROOT).as_posix().encode())
        key.update(path.read_bytes())
    return key.hexdigest()


def stale_figures_since():
    """Return what `stale_figures` does; look only if something changed since nothing was wrong."""
    note = tasks.BUILD / "drawn-as-stored.txt"
    key = drawing_key()
    if note.exists() and note.read_text(encoding="utf-8") == key:
        return []
    problems = stale_figures()
    if not problems:
        note.parent.mkdir(exist_ok=True)
        note.write_text(key, encoding="utf-8")
    return problems


def _count(number, what):
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def compare(options):
    """Compare prose, pictures and stored outputs with the arithmetic."""
    from tools import notebooks, prose

    gc.set_threshold(200_000)  # figures are full of cycles: look for them less often

    files = [Path(name) for name in options.files] or prose.prose_files(ROOT)
    for path in files:
        if not path.exists():
            raise tasks.TaskError(f"there is no file {path}")
    if options.fix:
        changed = sum(prose.fix_file(path) for path in files)
        print(f"digits written anew in {_count(changed, 'piece')} of prose")
    problems, numerals, equations = [], 0, 0
    for path in files:
        found = prose.check_file(path)
        problems += found[0]
        numerals += found[1]
        equations += found[2]
    if not options.files:
        problems += stale_figures_since() if options.quick else stale_figures()
        problems += prose.written_for()
        for path in notebooks.paths():
            problems += notebooks.check_notebook(path)
    for problem in problems:
        print(problem)
    print(
        f"{_count(len(problems), 'problem')}; {_count(numerals, 'numeral')} and "
        f"{_count(equations, 'equation')} read in {_count(len(files), 'file')}"
    )
    gc.freeze()  # the process ends: nobody need sort out the figures
    return 1 if problems else 0


def refresh(options):
    """Draw the figures, run notebooks and store what they print."""
    from tools import notebooks

    try:
        notebooks.paths(options.names)
    except ValueError as error:
        raise tasks.TaskError(str(error)) from error
    notebooks.copy_example()
    if not options.names:
        draw_figures(argparse.Namespace(out=FIGURES, ids=[]))
    try:
        stored = notebooks.refresh(options.names)
    except notebooks.CellError as error:
        raise tasks.TaskError(str(error)) from error
    for path in stored:
        print(f"stored {path.relative_to(ROOT)}")
    return 0


INNER = {"facts": print_facts, "figures": draw_figures, "compare": compare, "refresh": refresh}


def build_parser():
    """Everything that can stand behind ``python -m tools``."""
    parser = argparse.ArgumentParser(prog="python -m tools", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run in [*tasks.TASKS.items(), *INNER.items()]:
        about = (run.__doc__ or "").partition("\n")[0]
        command = commands.add_parser(name, help=about, description=about)
        command.set_defaults(name=name, run=run)
        if name == "figures":
            command.add_argument("--out", type=Path, default=FIGURES)
            command.add_argument("ids", nargs="*", metavar="ID")
        elif name == "compare":
            command.add_argument("files", nargs="*", metavar="FILE", help="check the prose of these only")
            command.add_argument(
                "--quick",
                action="store_true",
                help="draw the pictures only if a script or a stored picture changed",
            )
            command.add_argument("--fix", action="store_true", help="write the right digits into the prose")
        elif name == "refresh":
            command.add_argument("names", nargs="*", metavar="NOTEBOOK")
    return parser


def main(arguments=None):
    """Run one command and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    options = build_parser().parse_args(arguments)
    try:
        if options.name in tasks.TASKS:
            return options.run() or 0
        if not tasks.runs_here():
            # by an interpreter without the packages: hand on to one that has them
            tasks.run(tasks.python(), "-m", "tools", *arguments)
            return 0
        os.environ.update(tasks.environment())  # for the notebooks' kernels
        return options.run(options)
    except tasks.TaskError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
