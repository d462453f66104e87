"""``python -m scripts facts | figures | check | refresh``."""

import argparse
import json
import sys
from pathlib import Path

from scripts.notebooks import FIGURES, ROOT


def print_facts(_):
    """Print every fact at full precision, as one JSON object."""
    from scripts.facts import plain

    print(json.dumps(plain(), indent=1))
    return 0


def draw_figures(options):
    """Draw pictures into a folder."""
    from scripts.gallery import draw_picture, gallery

    options.out.mkdir(parents=True, exist_ok=True)
    for identity in options.ids or gallery():
        path = options.out / f"{identity}.svg"
        path.write_text(draw_picture(identity).svg(), encoding="utf-8", newline="\n")
    return 0


def stale_figures():
    """Return what is wrong with figures/, as sentences."""
    from scripts.gallery import draw_picture, gallery

    makers = gallery()
    stored = {path.stem for path in FIGURES.glob("*.svg")}
    problems = [f"figures/{name}.svg belongs to no picture" for name in sorted(stored - set(makers))]
    for name in makers:
        path = FIGURES / f"{name}.svg"
        if not path.exists():
            problems.append(f"figures/{name}.svg is missing: run make figures")
        elif path.read_text(encoding="utf-8") != draw_picture(name).svg():
            problems.append(f"figures/{name}.svg is not what is drawn today: run make figures")
    return problems


def check(options):
    """Compare prose, pictures and stored outputs with the arithmetic."""
    from scripts import notebooks, prose

    files = [Path(name) for name in options.files] or prose.prose_files(ROOT)
    problems, counts = prose.check_files(files)
    if not options.files:
        problems += stale_figures()
        for path in notebooks.paths():
            problems += notebooks.check_notebook(path)
    for problem in problems:
        print(problem)
    print(
        f"{len(problems)} problems; {counts['numerals']} numerals and "
        f"{counts['equations']} equations read in {len(files)} files"
    )
    return 1 if problems else 0


def refresh(options):
    """Draw the figures, run notebooks and store what they print."""
    from scripts import notebooks

    if not options.names:
        draw_figures(argparse.Namespace(out=FIGURES, ids=[]))
    for path in notebooks.refresh(options.names):
        print(f"stored {path.relative_to(ROOT)}")
    return 0


def main(arguments=None):
    """Run one command and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m scripts", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("facts", help=print_facts.__doc__)
    command.set_defaults(run=print_facts)
    command = commands.add_parser("figures", help=draw_figures.__doc__)
    command.add_argument("--out", type=Path, default=FIGURES)
    command.add_argument("ids", nargs="*", metavar="ID")
    command.set_defaults(run=draw_figures)
    command = commands.add_parser("check", help=check.__doc__)
    command.add_argument("files", nargs="*", help="check the prose of these only")
    command.set_defaults(run=check)
    command = commands.add_parser("refresh", help=refresh.__doc__)
    command.add_argument("names", nargs="*", metavar="NOTEBOOK")
    command.set_defaults(run=refresh)
    options = parser.parse_args(arguments)
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
