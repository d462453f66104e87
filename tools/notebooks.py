"""Run the notebooks, store what they print, and see that nothing is left uncompared."""

import asyncio
import copy
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
FIGURES = ROOT / "figures"
TIMEOUT = 120  # seconds a cell
AT_ONCE = 2  # notebooks that run side by side

KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
SVG = "image/svg+xml"
WIDGET = "application/vnd.jupyter.widget-view+json"

# What would make an output differ between machines, days or versions of NumPy.
UNSTABLE = {
    "an address in memory": re.compile(r"0x[0-9a-f]{6,}"),
    "a path": re.compile(r"(?<![\w/<:.])/(?:home|root|tmp|usr|work|Users|var|opt)/|[A-Z]:\\\\"),
    "a date": re.compile(r"\b20\d\d-\d\d-\d\d\b"),
    "the name of a type": re.compile(r"\bnp\.(?:float|int|bool)\w*\("),
    "a warning": re.compile(r"\b\w*Warning\b"),
    "NaN": re.compile(r"\b(?:nan|NaN)\b"),
}
SKIPS = ("NBVAL_SKIP", "NBVAL_IGNORE_OUTPUT", "NBVAL_RAISES_EXCEPTION", "PYTEST_VALIDATE_IGNORE")


class CellError(Exception):
    """What a cell that failed said, and in which notebook."""


def paths(names=()):
    """Paths of the named notebooks, or of all, in the order of the course."""
    found = sorted(BOOK.glob("[0-9]*.ipynb"), key=lambda path: int(path.name.split("-")[0]))
    if not names:
        return found
    wanted = {Path(name).stem for name in names}
    missing = wanted - {path.stem for path in found}
    if missing:
        raise ValueError(f"no notebook is called {', '.join(sorted(missing))}")
    return [path for path in found if path.stem in wanted]


def cells(path) -> list[dict]:
    """Cells of a notebook as it is stored."""
    return json.loads(Path(path).read_text(encoding="utf-8"))["cells"]


def markdown(path) -> list[str]:
    """Prose of a notebook, cell by cell."""
    return ["".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "markdown"]


def write(path, notebook) -> bool:
    """Store a notebook in the form that all have; return whether that is a change."""
    text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    if changed := text != path.read_text(encoding="utf-8"):
        path.write_text(text, encoding="utf-8", newline="\n")
    return changed


# --------------------------------------------------------------------------
# Run and store
# --------------------------------------------------------------------------


async def _execute(path, limit):
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT,
        kernel_name="python3",
        store_widget_state=False,
        record_timing=False,
        resources={"metadata": {"path": str(BOOK)}},
    )
    async with limit:
        try:
            await client.async_execute()
        except CellExecutionError as error:
            raise CellError(f"book/{path.name} does not run to its end.  {error}") from None
    for cell in notebook.cells:
        if cell.cell_type == "code":
            _settle(cell)
        else:
            cell.metadata = {}
        # line by line, as Jupyter stores it: a change of one sentence is one line of a diff
        cell.source = cell.source.splitlines(True)
    notebook.metadata = nbformat.from_dict(KERNEL)
    changed = write(path, notebook)
    for picture in _pictures(path, notebook.cells):
        (FIGURES / f"{picture.id}.svg").write_text(picture.svg, encoding="utf-8", newline="\n")
    return path, changed


def _settle(cell):
    """Keep of a cell that ran what will be the same tomorrow; caption its picture."""
    tags = cell.metadata.get("tags", [])
    cell.metadata = {"tags": tags} if tags else {}
    cell.outputs = join_streams(cell.outputs)
    for output in cell.outputs:
        if WIDGET in output.get("data", {}):
            # The identity of a widget is new each time; the page makes its own when it is built.
            del output.data[WIDGET]
        note = output.get("metadata", {}).pop("course", None)
        if note and "slider" in note:
            cell.metadata["slider"] = note["slider"]
            cell.metadata["mystnb"] = {"image": {"alt": output.data["text/plain"]}}
        elif note and SVG in output.data:
            cell.metadata["mystnb"] = {
                "figure": {"caption": note["caption"], "name": f"fig-{note['id']}"},
                "image": {"alt": output.data["text/plain"]},
            }
        for kind, value in output.get("data", {}).items():
            if isinstance(value, str):
                output.data[kind] = value.splitlines(True)
        if "text" in output:
            output.text = output.text.splitlines(True)


def join_streams(outputs: list) -> list:
    """Join what one cell printed, in whatever pieces the kernel sent it."""
    joined = []
    for output in outputs:
        stream = output["output_type"] == "stream"
        known = [o for o in joined if stream and o["output_type"] == "stream" and o["name"] == output["name"]]
        if known:
            known[0]["text"] += output["text"]
        else:
            joined.append(copy.copy(output))  # what is given stays as it is
    return joined


def copy_example():
    """Give the program that stands alone, and the cell that shows it, the example of the day."""
    from scripts import example

    order = "[" + ", ".join(f'"{word}"' for word in example.ORDER) + "]"

    def copied(source):
        source = re.sub(r"^ORDER = \[.*\]$", f"ORDER = {order}", source, count=1, flags=re.M)
        return re.sub(r"default_rng\(\d+\)", f"default_rng({example.SEED})", source, count=1)

    program = BOOK / "attention_by_hand.py"
    before = program.read_text(encoding="utf-8")
    if (after := copied(before)) != before:
        program.write_text(after, encoding="utf-8", newline="\n")
    for path in paths():
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code" and re.search(r"^ORDER = \[", source, flags=re.M):
                cell["source"] = copied(source).splitlines(True)
        write(path, notebook)


async def _execute_all(chosen):
    limit = asyncio.Semaphore(AT_ONCE)
    return await asyncio.gather(*(_execute(path, limit) for path in chosen))


def refresh(names=()):
    """Execute notebooks (all if none is named), store their outputs, write their pictures into figures/.

    Returned are the paths of those whose stored form changed.
    """
    done = asyncio.run(_execute_all(paths(names)))
    for path in _left_over():
        path.unlink()
    return [path for path, changed in done if changed]


# --------------------------------------------------------------------------
# Look at what is stored, without running anything
# --------------------------------------------------------------------------


@dataclass(frozen=True)
class Stored:
    """What a notebook stores of a picture."""

    id: str
    path: Path  # of the notebook
    caption: str
    alt: str
    svg: str


def stored_pictures():
    """Return what is stored of every picture, in the order of the course."""
    return [picture for path in paths() for picture in _pictures(path, cells(path))]


def _pictures(path, stored):
    for cell in stored:
        described = cell["metadata"].get("mystnb", {})
        if figure := described.get("figure"):
            svg = (part for output in cell["outputs"] for part in output.get("data", {}).get(SVG, ()))
            identity = figure["name"].removeprefix("fig-")
            yield Stored(identity, path, figure["caption"], described["image"]["alt"], "".join(svg))


def _left_over():
    """Return the files in figures/ that no notebook shows."""
    return sorted(set(FIGURES.glob("*.svg")) - {FIGURES / f"{one.id}.svg" for one in stored_pictures()})


def check_figures():
    """Return what is wrong with figures/ as a whole, as sentences."""
    problems = [f"figures/{path.name} belongs to no picture: run make refresh" for path in _left_over()]
    shown = Counter(picture.id for picture in stored_pictures())
    return problems + [f"{name} is shown {count} times" for name, count in shown.items() if count > 1]


def _text(output):
    """All that an output holds, as one text, pictures left out."""
    data = output.get("data", {})
    parts = ["".join(output.get("text", []))]
    parts += ["".join(value) for kind, value in data.items() if kind != SVG and kind != WIDGET]
    return "\n".join(parts)


def check_notebook(path):
    """Return what is wrong with a stored notebook, as sentences.

    A notebook that nbval would pass without comparing anything is wrong: cells
    never run, cleared, or told to be skipped; outputs that cannot be the same
    on another machine; pictures whose caption, alternative text or file is not
    the one that goes with them.
    """
    stored, problems = cells(path), []
    identities = [cell.get("id") for cell in stored]
    if None in identities or len(set(identities)) < len(identities):
        problems.append(f"{path.name}: cells need ids of their own")
    if any(isinstance(cell["source"], str) for cell in stored):
        problems.append(f"{path.name}: is not stored line by line: run make refresh")
    if json.loads(path.read_text(encoding="utf-8"))["metadata"] != KERNEL:
        problems.append(f"{path.name}: is as a notebook program saves it: run make refresh")
    for count, cell in enumerate((cell for cell in stored if cell["cell_type"] == "code"), start=1):
        where = f"{path.name} cell {cell.get('id')}"
        problems += [f"{where}: {trouble}" for trouble in _check_cell(cell, count)]
    return problems


def _check_cell(cell, count):
    source = "".join(cell["source"])
    if cell["execution_count"] != count:
        yield f"execution count is {cell['execution_count']}, not {count}: run make refresh"
    if not cell["outputs"]:
        yield "has no output that could be compared"
    told = [skip for skip in SKIPS if skip in source]
    told += [tag for tag in cell["metadata"].get("tags", []) if "nbval" in tag or "raises" in tag]
    if told:
        yield f"is not compared ({', '.join(told)})"
    for output in cell["outputs"]:
        if output["output_type"] == "error" or output.get("name") == "stderr":
            yield f"stores an error or a warning: {_text(output)[:80]!r}"
        for what, pattern in UNSTABLE.items():
            if found := pattern.search(_text(output)):
                yield f"stores {what}: {found[0]!r}"
        if SVG in output.get("data", {}) and "slider" not in cell["metadata"]:
            yield from _check_picture(cell, output)


def _check_picture(cell, output):
    described = cell["metadata"].get("mystnb", {})
    name = described.get("figure", {}).get("name", "")
    alt = described.get("image", {}).get("alt", "")
    if not name.startswith("fig-"):
        yield "its picture has no name: run make refresh"
        return
    if not described["figure"].get("caption") or alt != "".join(output["data"]["text/plain"]):
        yield "caption or alternative text is not the picture's own: run make refresh"
    stored = FIGURES / f"{name.removeprefix('fig-')}.svg"
    if not stored.exists():
        yield f"its picture has no file {stored.name}: run make refresh"
    elif stored.read_text(encoding="utf-8") != "".join(output["data"][SVG]):
        yield f"its picture is not the one in figures/{stored.name}: run make refresh"
