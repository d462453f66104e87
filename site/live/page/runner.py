"""Runs the cells of a page, in the reader's browser, without IPython.

`worker.mjs` calls `run` for each cell; what a cell says and shows goes back
through `send`, as soon as there is something.  Shared state is the dictionary
`SPACE`, the module in which all cells of a page live.
"""

import ast
import base64
import builtins
import importlib.abc
import importlib.machinery
import io
import json
import linecache
import pprint
import re
import sys
import time
import traceback
import types

SPACE = {"__name__": "__main__", "__builtins__": builtins}
LONGEST = 200_000  # characters that one cell may print
AT_ONCE = 100  # lines of a cell that are sent as they come; after them
PAUSE = 0.05  # seconds for which text is collected before it is sent
SVG = "image/svg+xml"

# Set by worker.mjs: send(kind, json), and a way to fetch packages while Python waits.
send = None
fetch_packages = None

runs = {}  # cell -> how often it was run, so that tracebacks quote the right text
captured = []  # stack of lists, while Output widgets collect


def emit(kind, **content):
    """Tell the page something; text that waits goes first."""
    for stream in (OUT, ERR):
        stream.flush()
    send(kind, json.dumps(content))


class Stream(io.TextIOBase):
    """Text for the page: sent in portions, and not without end."""

    def __init__(self, name):
        self.name = name
        self.begin()

    def begin(self):
        self.waiting, self.length, self.lines, self.sent_at = [], 0, 0, time.monotonic()

    def writable(self):
        return True

    def write(self, text):
        if captured:
            captured[-1].append({"output_type": "stream", "name": self.name, "text": text})
            return len(text)
        self.length += len(text)
        if self.length > LONGEST:
            raise RuntimeError(f"stopped: a cell may print {LONGEST:,} characters, and this one goes on")
        self.waiting.append(text)
        self.lines += text.count("\n")
        line_ends = text.endswith("\n") and self.lines <= AT_ONCE
        if line_ends or time.monotonic() - self.sent_at > PAUSE:
            self.flush()
        return len(text)

    def flush(self):
        text, self.waiting = "".join(self.waiting), []
        self.sent_at = time.monotonic()
        if text:
            send("stream", json.dumps({"name": self.name, "text": text}))


OUT, ERR = Stream("stdout"), Stream("stderr")


# --------------------------------------------------------------------------
# What a value looks like
# --------------------------------------------------------------------------

REPRESENTATIONS = {
    "_repr_html_": "text/html",
    "_repr_svg_": SVG,
    "_repr_markdown_": "text/markdown",
    "_repr_latex_": "text/latex",
    "_repr_png_": "image/png",
}


def represent(value):
    """Return (data, metadata) of a value, as Jupyter would."""
    data, metadata = {}, {}
    if not isinstance(value, type):
        if callable(bundle := getattr(value, "_repr_mimebundle_", None)):
            made = bundle() or {}
            made, notes = made if isinstance(made, tuple) else (made, {})
            data.update(made)
            metadata.update(notes)
            if "course" in notes:  # a picture of ours: read out as on the published page
                from scripts.draw.words import opening

                first, rest = opening(data["text/plain"])
                metadata["course"] = {**notes["course"], "opening": first, "rest": rest}
        for method, kind in REPRESENTATIONS.items():
            if kind not in data and callable(show := getattr(value, method, None)):
                shown = show()
                if isinstance(shown, bytes):
                    shown = base64.b64encode(shown).decode()
                if shown is not None:
                    data[kind] = shown
    if SVG not in data and is_figure(value):
        data[SVG] = svg_of(value)
    if SVG in data:
        # its own style sheet would apply to the whole page
        data[SVG] = re.sub(r"<style\b.*?</style>", "", data[SVG], flags=re.DOTALL)
    if "text/plain" not in data:
        plain = isinstance(value, list | dict | tuple | set) and type(value).__repr__ is not object.__repr__
        data["text/plain"] = pprint.pformat(value, sort_dicts=False) if plain else repr(value)
    return data, metadata


def is_figure(value):
    module = sys.modules.get("matplotlib.figure")
    return module is not None and isinstance(value, module.Figure)


def svg_of(figure):
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def display(*values, raw=False, **_):
    """Show values, in place of IPython's function of that name."""
    for value in values:
        data, metadata = (value, {}) if raw else represent(value)
        if captured:
            captured[-1].append({"output_type": "display_data", "data": data, "metadata": metadata})
        else:
            emit("display", data=data, metadata=metadata)


def clear_output(wait=False):
    if captured:
        captured[-1].clear()
    else:
        emit("clear")


def show_open_figures():
    """What `plt.plot` and the like have drawn, as plt.show does."""
    if plt := sys.modules.get("matplotlib.pyplot"):
        for number in plt.get_fignums():
            display(plt.figure(number))
        plt.close("all")


# --------------------------------------------------------------------------
# Running a cell
# --------------------------------------------------------------------------


def run(cell, source, only_if_needed=False):
    """Run the text of a cell; return whether it "worked", "failed" or was "skipped"."""
    runs[cell] = runs.get(cell, 0) + 1
    name = f"cell {cell}" if runs[cell] == 1 else f"cell {cell}, run {runs[cell]}"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = OUT, ERR
    for stream in (OUT, ERR):
        stream.begin()
    captured.clear()
    SPACE["display"] = display
    try:
        tree = ast.parse(source, name)
        if only_if_needed and only_shows(tree):
            return "skipped"
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), SPACE)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), SPACE)
            if value is not None and not source.rstrip().endswith(";"):
                SPACE["_"] = value
                if is_figure(value) and (plt := sys.modules.get("matplotlib.pyplot")):
                    plt.close(value)  # or it would be shown twice
                display(value)
        show_open_figures()
    except BaseException as error:
        if plt := sys.modules.get("matplotlib.pyplot"):
            plt.close("all")
        report(error)
        return "failed"
    else:
        return "worked"
    finally:
        for stream in (OUT, ERR):
            stream.flush()
        sys.stdout, sys.stderr = streams


def only_shows(tree):
    """Whether later cells can do without this one: it is one expression, such as a picture."""
    return len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr)


def report(error):
    """Send a traceback that begins in the reader's own code."""
    told = traceback.TracebackException.from_exception(error)
    step = told
    while step is not None:
        step.stack = traceback.StackSummary.from_list(
            [
                frame
                for frame in step.stack
                if frame.filename != __file__
                and "/_pyodide/" not in frame.filename
                and not (isinstance(error, SyntaxError) and frame.filename.endswith("/ast.py"))
            ]
        )
        step = step.__cause__ or (None if step.__suppress_context__ else step.__context__)
    message = "".join(told.format_exception_only()).strip()
    emit("error", name=type(error).__name__, message=message, text="".join(told.format()))


# --------------------------------------------------------------------------
# Packages that are fetched when they are first imported
# --------------------------------------------------------------------------


class OnDemand(importlib.abc.MetaPathFinder):
    """Stands last in line, and so is asked only for what is not there."""

    def __init__(self, names):
        self.names = set(names)

    def find_spec(self, name, path=None, target=None):
        if name not in self.names:
            return None
        fetch_packages()
        self.names.clear()
        importlib.invalidate_caches()
        if name == "ipywidgets":
            connect_widgets()
        return importlib.machinery.PathFinder.find_spec(name, path, target)


def start():
    """Called once, when Python is ready."""
    stand_in_for_ipython()
    sys.meta_path.append(OnDemand({"ipywidgets", "traitlets", "comm"}))
    builtins.input = no_input


def no_input(prompt=""):
    raise RuntimeError("input() is not available here: write the value into the cell")


def stand_in_for_ipython():
    """The few names of IPython that notebooks and ipywidgets use, without its 3 MB."""

    def module(name, **names):
        made = types.ModuleType(name)
        made.__dict__.update(names)
        made.__path__ = []
        sys.modules[name] = made
        return made

    def shown_as(name, kind):
        def __init__(self, data="", **_):
            self.data = data

        def bundle(self, **_):
            return {kind: self.data, "text/plain": f"<{name}>"}

        return type(name, (), {"__init__": __init__, "_repr_mimebundle_": bundle})

    def get_ipython():
        return None

    class InteractiveShell:
        @staticmethod
        def initialized():
            return False

    module("IPython", get_ipython=get_ipython, version_info=(9, 0), __version__="9.0")
    module("IPython.core")
    module("IPython.core.getipython", get_ipython=get_ipython)
    module("IPython.core.interactiveshell", InteractiveShell=InteractiveShell)
    kinds = {"HTML": "text/html", "SVG": SVG, "Markdown": "text/markdown", "Latex": "text/latex"}
    classes = {name: shown_as(name, kind) for name, kind in kinds.items()}
    module("IPython.display", display=display, clear_output=clear_output, **classes)
    sys.modules["IPython"].display = sys.modules["IPython.display"]
    sys.modules["IPython"].core = sys.modules["IPython.core"]


# --------------------------------------------------------------------------
# Sliders that call Python
# --------------------------------------------------------------------------

widgets_side = None  # the manager of open comms, once ipywidgets is there


def connect_widgets():
    """Let ipywidgets talk to the page (bridge.mjs) instead of to a kernel's front end."""
    global widgets_side
    import comm
    from comm.base_comm import BaseComm, CommManager

    class PageComm(BaseComm):
        def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **_):
            emit(
                "comm",
                msg_type=msg_type,
                comm_id=self.comm_id,
                target_name=getattr(self, "target_name", None),
                data=data or {},
                metadata=metadata or {},
            )

    widgets_side = CommManager()
    comm.create_comm = lambda *args, **kwargs: PageComm(*args, **kwargs)
    comm.get_comm_manager = lambda: widgets_side
    sys.meta_path.insert(0, OutputHook())


class OutputHook(importlib.abc.MetaPathFinder):
    """Teach the Output widget, as soon as it is there, to collect what is shown inside it."""

    NAME = "ipywidgets.widgets.widget_output"

    def find_spec(self, name, path=None, target=None):
        if name != self.NAME:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        load = spec.loader.exec_module

        def load_and_change(module):
            load(module)
            change_output(module.Output)

        spec.loader.exec_module = load_and_change
        return spec


def change_output(Output):
    def enter(self):
        captured.append([])

    def leave(self, kind, error, trace):
        shown = captured.pop()
        if error is not None:
            text = "".join(traceback.format_exception_only(error))
            shown.append({"output_type": "stream", "name": "stderr", "text": text})
        self.outputs = (*self.outputs, *shown)
        return error is not None

    def clear(self, *_, **__):
        self.outputs = ()
        if captured:
            captured[-1].clear()

    Output.__enter__, Output.__exit__, Output.clear_output = enter, leave, clear


def on_comm(text):
    """A slider on the page was moved."""
    message = json.loads(text)
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = OUT, ERR
    for stream in (OUT, ERR):
        stream.begin()
    try:
        handler = {"comm_msg": widgets_side.comm_msg, "comm_close": widgets_side.comm_close}
        handler[message["msg_type"]](None, None, {"content": message, "buffers": []})
        show_open_figures()
    except BaseException as error:
        report(error)
    finally:
        for stream in (OUT, ERR):
            stream.flush()
        sys.stdout, sys.stderr = streams
