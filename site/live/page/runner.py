"""Runs the cells of a page, in the reader's browser, without IPython.

`worker.mjs` calls `run` for each cell; what a cell says and shows goes back
through `send`, as soon as there is something.  All cells of a page live in one
module, `__main__`, whose names are the dictionary `SPACE`.
"""

import ast
import base64
import builtins
import importlib.abc
import importlib.machinery
import io
import itertools
import json
import linecache
import pprint
import re
import sys
import time
import traceback
import types

MAIN = types.ModuleType("__main__")  # where pickle and unittest look names up
SPACE = MAIN.__dict__
LONGEST = 200_000  # characters that one cell may print, or its last value show
MOST = 1_000  # entries of a list that are written out, as in Jupyter
AT_ONCE = 100  # lines of a cell that are sent as they come; after them
PAUSE = 0.05  # seconds for which text is collected before it is sent
SVG = "image/svg+xml"

# Set by worker.mjs: send(kind, json), and a way to fetch packages while Python waits.
send = None
fetch_packages = None

runs = {}  # cell -> how often it was run, so that tracebacks quote the right text
captured = []  # stack of `Captured`, while Output widgets collect
kept = {}  # the builtins as they were, for a cell that has broken one


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
            captured[-1].show({"output_type": "stream", "name": self.name, "text": text})
            return len(text)
        room = LONGEST - self.length
        self.length += len(text)
        if self.length > LONGEST:
            if room > 0:
                self.waiting.append(text[:room])
            raise RuntimeError(f"stopped: a cell may print {LONGEST:,} characters; the rest was left out")
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


class More:
    """Stands for the entries that are left out."""

    def __repr__(self):
        return "..."


def in_short(value):
    """A value of which no list, at any depth, has more than `MOST` entries; after them an ellipsis."""
    if type(value) in (list, tuple, set, frozenset):
        first = [in_short(entry) for entry in itertools.islice(value, MOST)]
        return type(value)([*first, More()] if len(value) > MOST else first)
    if type(value) is dict:
        first = {key: in_short(entry) for key, entry in itertools.islice(value.items(), MOST)}
        return {**first, More(): More()} if len(value) > MOST else first
    return value


def in_words(value):
    """The text of a value, cut where it is longer than anybody reads."""
    if isinstance(value, str | bytes) and len(value) > LONGEST:
        total, value = len(value), value[:LONGEST]
    else:
        total = 0
    plain = isinstance(value, list | dict | tuple | set) and type(value).__repr__ is not object.__repr__
    text = pprint.pformat(in_short(value), sort_dicts=False) if plain else repr(value)
    if total or len(text) > LONGEST:
        return f"{text[:LONGEST]} …\n(cut: only the first {LONGEST:,} of {total or len(text):,} characters are shown)"
    return text


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
        data["text/plain"] = in_words(value)
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
            captured[-1].show({"output_type": "display_data", "data": data, "metadata": metadata})
        else:
            emit("display", data=data, metadata=metadata)


def clear_output(wait=False):
    if captured:
        captured[-1].clear(wait)
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
    vars(builtins).update(kept)
    SPACE["display"] = display
    try:
        # pictures stand in the page anyway; the line is left, so that numbers of lines stay
        tree = parsed(re.sub(r"^%matplotlib\b.*$", "", source, flags=re.M), name)
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


JUPYTER = (
    (r"^\s*%", "Lines that begin with % are commands to Jupyter, and unknown to Python"),
    (r"^\s*!", "Lines that begin with ! are commands to a computer's shell, and a page has none"),
    (r"^\s*\?|^\s*[\w.]+\?+\s*$", "The question mark is Jupyter's; in Python, write help(name)"),
)


def parsed(source, name):
    """The syntax tree of a cell; what only Jupyter understands is told in a sentence."""
    try:
        return ast.parse(source, name)
    except SyntaxError as error:
        lines = source.splitlines()
        line = lines[error.lineno - 1] if error.lineno and error.lineno <= len(lines) else ""
        for pattern, told in JUPYTER:
            if re.search(pattern, line):
                raise Unknown(f"{told}. (JupyterLite, linked at the head of the page, has them.)") from None
        raise


class Unknown(Exception):
    """What a reader has typed is not for Python; the message says it all."""


def begin_again():
    """Forget what cells have made, as if none had run."""
    SPACE.clear()
    SPACE.update({"__name__": "__main__", "__builtins__": builtins, "__doc__": None})


def only_shows(tree):
    """Whether later cells can do without this one: it is one expression, such as a picture."""
    return len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr)


def report(error):
    """Send a traceback that begins in the reader's own code, with a sentence where that does not say enough."""
    if isinstance(error, Unknown):
        emit("error", name="SyntaxError", message=str(error), text=str(error))
        return
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
    text = "".join(told.format())
    for kind, pattern, sentence in EXPLAINED:
        if isinstance(error, kind) and re.search(pattern, str(error)):
            text += f"{sentence}\n"
    if captured:
        captured[-1].show({"output_type": "stream", "name": "stderr", "text": text})
    else:
        emit("error", name=type(error).__name__, message=message, text=text)


EXPLAINED = (
    (
        ModuleNotFoundError,
        "",
        "Pages have NumPy, Matplotlib, ipywidgets and the course's own scripts; no other package can be added.",
    ),
    (SyntaxError, "'await' outside", "A cell of a page cannot wait: `await` is for functions only."),
    (RuntimeError, "start new thread", "A page has a single thread."),
    (SystemExit, "", "Nothing was ended: Python goes on, and so can you."),
)


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
    sys.modules["__main__"] = MAIN
    begin_again()
    stand_in_for_ipython()
    sys.meta_path.append(OnDemand({"ipywidgets", "traitlets", "comm"}))
    builtins.input = no_input
    kept.update(vars(builtins))


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
            return {kind: self.data, "text/plain": str(self.data)}

        return type(name, (), {"__init__": __init__, "_repr_mimebundle_": bundle})

    class Shell:
        """Enough of IPython's shell for ipywidgets to tell of errors; Matplotlib takes it for none."""

        def __bool__(self):
            return False

        def showtraceback(self, *_, **__):
            report(sys.exc_info()[1])

    shell = Shell()

    def get_ipython():
        return shell

    class Image:
        """A picture out of bytes or a file, as PNG."""

        def __init__(self, data=None, filename=None, **_):
            if data is None:
                with open(filename, "rb") as file:
                    data = file.read()
            self.data = data

        def _repr_png_(self):
            return self.data

    def missing(name):
        raise ImportError(f"IPython.display.{name} is not in the cells of a page; JupyterLite has it")

    class InteractiveShell:
        @staticmethod
        def initialized():
            return False

    module("IPython", get_ipython=get_ipython, version_info=(9, 0), __version__="9.0")
    module("IPython.core")
    module("IPython.core.getipython", get_ipython=get_ipython)
    module("IPython.core.interactiveshell", InteractiveShell=InteractiveShell)
    kinds = {"HTML": "text/html", "SVG": SVG, "Markdown": "text/markdown"}
    kinds |= {"Latex": "text/latex", "Math": "text/latex", "Code": "text/plain", "Pretty": "text/plain"}
    classes = {name: shown_as(name, kind) for name, kind in kinds.items()} | {"Image": Image}
    shown = {"display": display, "clear_output": clear_output, "__getattr__": missing}
    module("IPython.display", **shown, **classes)
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


class Captured:
    """What is shown inside one Output widget, and whether it takes the place of what stood there."""

    def __init__(self, standing):
        self.shown, self.clear_first = list(standing), False

    def show(self, output):
        if self.clear_first:
            self.shown, self.clear_first = [], False
        last = self.shown[-1] if self.shown else {}
        if output["output_type"] == "stream" and last.get("name") == output["name"]:
            self.shown[-1] = {**last, "text": last["text"] + output["text"]}
        else:
            self.shown.append(output)

    def clear(self, wait=False):
        """Take away what is shown: at once, or when something new comes."""
        if wait:
            self.clear_first = True
        else:
            self.shown = []


def change_output(Output):
    def enter(self):
        captured.append(Captured(self.outputs))

    def leave(self, kind, error, trace):
        if error is not None:
            report(error)
        self.outputs = tuple(captured.pop().shown)
        return error is not None

    def clear(self, wait=False):
        if captured:
            captured[-1].clear(wait)
        else:
            self.outputs = ()

    Output.__enter__, Output.__exit__, Output.clear_output = enter, leave, clear


def on_comm(text):
    """A slider on the page was moved."""
    message = json.loads(text)
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = OUT, ERR
    for stream in (OUT, ERR):
        stream.begin()
    try:
        # not by way of the manager, which would write errors into a log that nobody sees
        if comm := widgets_side and widgets_side.comms.get(message["comm_id"]):
            handle = comm.handle_msg if message["msg_type"] == "comm_msg" else comm.handle_close
            handle({"content": message, "buffers": []})
            if handle == comm.handle_close:
                del widgets_side.comms[message["comm_id"]]
        show_open_figures()
    except BaseException as error:
        report(error)
    finally:
        for stream in (OUT, ERR):
            stream.flush()
        sys.stdout, sys.stderr = streams
