"""Keep prose and arithmetic in step.

Readers see plain numerals.  Behind the text that holds them stands an
invisible marker with the expressions that give them, in reading order::

    takes 0.683<!-- =weights[3, 0]:.3f --> of the first token

An expression is Python over the names that the notebook's own cells above the
sentence have made; ``_`` is what the nearest of those cells shows.  What no
cell computes may name the modules of ``scripts`` and whatever
``tools/quantities.py`` holds, as may files without cells.  After the colon
stands one of Python's number formats; a whole number needs none.  An array
stands for all its numbers.

A claim in words can be bound as well: ``<!-- ?hidden[:, 3].max() == 0 -->``
behind a sentence must be true there, and stands for no numeral.

``<!-- ~reason -->`` or ``<!-- ~2 reason -->`` lets one or two numerals stand
unbound, for one of `REASONS`.  Not counted as numerals of the prose are code,
the targets of links, the numbers of sections and exercises, and pure-number
sub- and superscripts in formulas.

`check_numerals` finds numerals without a marker and digits that differ from
what the expressions give, `fix` writes the right ones, `check_equations` finds
printed equations that are not true as printed.
"""

import ast
import functools
import importlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation
from pathlib import Path

import numpy as np

from scripts import example
from scripts.draw.canvas import Picture
from scripts.numbers import MINUS, show
from tools import cells, notebooks
from tools.language import EXERCISE, JOIN, SECTION

REASONS = {
    "definition": "the number is part of what a word means, such as the 100 in per cent",
    "hypothetical": "a supposed number from which nothing is computed",
    "name": "part of a name, such as GPT-2 or Python 3",
    "year": "a year or a date",
    "unit": "part of a unit or of a rounding rule",
}

# The example that the sentences are about.  Whoever changes the example changes
# this last, when they are rewritten.
WRITTEN_FOR = {"ORDER": ("pick", "up", "the", "cube"), "SEED": 28}

SHORT = 3  # letters of a word that other sentences have too

MARKER = re.compile(r"<!--\s*(?P<kind>[=~?])(?P<body>.*?)-->", re.S)
NUMERAL = re.compile(
    r"(?<![\w.])(?:(?<![\w)}\]])(?P<sign>[+\-−])(?=\d))?"
    r"(?P<digits>\d+(?:(?:,|\{,\})\d{3})*(?:\.\d+)?)"
)
# What holds no numeral of the prose, blanked before anything is read.
BLANK = [
    re.compile(r"^(?P<f>```+|~~~+).*?^(?P=f)[ \t]*$", re.S | re.M),  # fenced code
    re.compile(r"(?P<t>`+)(?!`).+?(?<!`)(?P=t)(?!`)", re.S),  # code in a line
    re.compile(r"\]\([^)\s]*\)"),  # the target of a link or an image
    re.compile(r"<https?://[^>]*>"),
    re.compile(r"^---\n.*?^---$", re.S | re.M),  # front matter
    re.compile(rf"(?:{SECTION})\s+\d+(?:(?:,\s+|\s+(?:{JOIN})\s+)\d+)*"),
    re.compile(rf"(?:{EXERCISE})\s+\d+\.\d+(?:\s+(?:{JOIN})\s+\d+\.\d+)?"),
]
COMMENT = re.compile(r"<!--(?!\s*[=~?]).*?-->", re.S)
SCRIPT = re.compile(r"[_^](?:\{-?\d+\}|\d)")
COMMAND = re.compile(r"\\[A-Za-z]+")
MATHS = re.compile(r"\$\$(?P<block>.+?)\$\$|(?<![\\$])\$(?P<line>[^$\n]+?)\$", re.S)


@dataclass(frozen=True)
class Problem:
    """Something in the prose that the arithmetic does not bear out."""

    where: str
    sentence: str
    message: str

    def __str__(self):
        return f"{self.where}: {self.message}\n    … {self.sentence}"


# --------------------------------------------------------------------------
# Numerals against what the cells compute
# --------------------------------------------------------------------------


def _keep_length(match):
    return re.sub(r"[^\n]", " ", match[0])


def _blanked(text, maths=True):
    """Blank what holds no numerals of the prose, keeping every place where it was.

    With `maths`, sub- and superscripts of formulas and the names of their
    commands go too: a digit may follow ``\\times`` at once.
    """
    for pattern in BLANK:
        text = pattern.sub(_keep_length, text)
    text = COMMENT.sub(_keep_length, text)
    if not maths:
        return text
    return MATHS.sub(lambda formula: COMMAND.sub(_keep_length, SCRIPT.sub(_keep_length, formula[0])), text)


def _sentence(text, place):
    """The words around a place, without markers, for a message."""
    stops = (". ", "\n\n", "\n|")
    starts = [text.rfind(stop, 0, place) + len(stop) for stop in stops if stop in text[:place]]
    ends = [text.find(stop, place) for stop in stops if stop in text[place:]]
    words = MARKER.sub("", text[max(starts, default=0) : min(ends, default=len(text))])
    return re.sub(r"\s+", " ", words).strip()[:160]


def _parts(binding):
    """Split ``expression:form``: the colon of a slice stands in brackets, and is none."""
    depth = 0
    for place, letter in enumerate(binding):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == ":" and not depth:
            return binding[:place].strip(), binding[place + 1 :].strip()
    return binding.strip(), ""


# Modules of scripts that any marker may name.
SUBJECTS = (
    *("arm", "attention", "cost", "example", "exercises", "experiments", "induction", "measure"),
    *("one_block", "pitfalls", "plane", "smallworld", "twin"),
)


@functools.cache
def known_everywhere():
    """Return the names that an expression may use where no cell has made them."""
    from tools import quantities

    names = {name: importlib.import_module(f"scripts.{name}") for name in SUBJECTS}
    return names | {name: value for name, value in vars(quantities).items() if name[0] != "_"}


@dataclass(frozen=True)
class Bound:
    """One expression of a marker, and what it gives."""

    expression: str
    form: str
    value: np.ndarray
    printed: list[str]  # each of its numbers as it is to be printed


def evaluate(binding: str, names: dict) -> Bound:
    """Work out one binding of a marker, such as ``weights[3, 0]:.3f``; `names` add to `known_everywhere`.

    An expression that fails or gives no finite numbers is a `ValueError`, and so are
    fractions without a form.
    """
    expression, form = _parts(binding)
    try:
        value = np.asarray(eval(expression, known_everywhere() | names))
    except Exception as error:
        raise ValueError(f"{expression!r} fails: {type(error).__name__}: {error}") from error
    if value.dtype.kind not in "iuf":
        raise ValueError(f"{expression!r} gives no numbers, but {value!r}")
    if not form:
        if value.dtype.kind == "f":
            raise ValueError(f"{expression!r} has fractions: the marker must say how it is rounded")
        form = "d"
    return Bound(expression, form, value, [show(number, form) for number in value.ravel()])


@dataclass
class Numerals:
    """What `read_numerals` found in a piece of text."""

    problems: list
    bound: list
    wrong: list  # (start, end, what should stand there)


def read_numerals(text: str, where: str, names: dict) -> Numerals:
    """Compare every numeral of Markdown with what it is bound to, in the names of the cells above."""
    plain = _blanked(text)
    found, pending = Numerals([], [], []), []

    def report(place, message):
        found.problems.append(Problem(where, _sentence(text, place), message))

    def unbound(numerals):
        for numeral in numerals:
            report(numeral.start(), f"{_printed(numeral)} is bound to nothing")

    inside = {}  # numerals within a marker are its own
    for marker in MARKER.finditer(plain):
        inside.update(dict.fromkeys(range(*marker.span())))
        before = plain[: marker.start()].rpartition("\n")[-1]
        after = plain[marker.end() :].partition("\n")[0]
        if not before.strip() and MARKER.sub("", after).strip():
            report(marker.start(), "a line may not begin with a marker: the rest would not be shown")
    events = [*MARKER.finditer(plain)]
    events += [m for m in NUMERAL.finditer(plain) if m.start("digits") not in inside]
    for match in sorted(events, key=lambda event: event.start()):
        if match.re is NUMERAL:
            pending.append(match)
            continue
        if match["kind"] == "?":
            claim = text[slice(*match.span("body"))].strip()
            if trouble := _untrue(claim, names):
                report(match.start(), trouble)
            continue
        marker = text[slice(*match.span())]  # an expression may hold what is blanked in prose
        if match["kind"] == "~":
            count, reason = re.fullmatch(r"\s*(\d*)\s*(.*?)\s*", match["body"], re.S).groups()
            if reason not in REASONS:
                report(
                    match.start(), f"{reason!r} is no reason to stand unbound; there are {sorted(REASONS)}"
                )
            wanted = [("", None)] * int(count or 1)
        else:
            try:
                bound = [evaluate(one, names) for one in MARKER.fullmatch(marker)["body"].split(";")]
            except ValueError as error:
                report(match.start(), f"marker {marker}: {error}")
                pending = []
                continue
            found.bound += bound
            wanted = [(one.expression, printed) for one in bound for printed in one.printed]
        if len(wanted) > len(pending):
            report(
                match.start(),
                f"marker {marker} binds {len(wanted)} numerals, but {len(pending)} stand before it",
            )
            pending = []
            continue
        cut = len(pending) - len(wanted)
        unbound(pending[:cut])
        for numeral, (expression, should) in zip(pending[cut:], wanted, strict=True):
            if should is not None and _printed(numeral) != should:
                report(numeral.start(), f"printed {_printed(numeral)}, computed {should} ({expression})")
                if "{,}" in numeral["digits"]:
                    should = should.replace(",", "{,}")
                if "-" in (numeral["sign"] or ""):
                    should = should.replace(MINUS, "-")
                found.wrong.append((*numeral.span(), should))
        pending = []
    unbound(pending)
    return found


def _printed(numeral):
    return (numeral["sign"] or "").replace("-", MINUS) + numeral["digits"].replace("{,}", ",")


def _untrue(claim, names):
    """Return what is wrong with a claim, nothing if it is true."""
    try:
        return "" if eval(claim, known_everywhere() | names) else f"no longer true: {claim}"
    except Exception as error:
        return f"claim {claim!r} fails: {type(error).__name__}: {error}"


def check_numerals(text, where, names):
    """Return the problems that `read_numerals` finds."""
    return read_numerals(text, where, names).problems


def fix(text, names):
    """Return a piece of Markdown with the right digits in place of wrong ones."""
    for start, end, should in reversed(read_numerals(text, "", names).wrong):
        text = text[:start] + should + text[end:]
    return text


# --------------------------------------------------------------------------
# Printed equations, recomputed from the digits as printed
# --------------------------------------------------------------------------

RELATION = re.compile(r"(=|\\approx|≈)")
OPERATORS = {
    ast.Add: Decimal.__add__,
    ast.Sub: Decimal.__sub__,
    ast.Mult: Decimal.__mul__,
    ast.Div: Decimal.__truediv__,
    ast.Pow: Decimal.__pow__,
}
FRACTION = re.compile(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}")
PLAIN_EQUATION = re.compile(r"[\d(+\-−][\d.,+\-−×·÷/() ]*(?:[=≈][\d.,+\-−×·÷/() ]*\d[\d.,]* *)+")


def _side(latex):
    """Return the Decimal that one side of a printed equation stands for, or None."""
    text = latex.replace("{,}", "")
    text = re.sub(r"\\text\{[^{}]*\}|\\(?:left|right|quad|qquad|,|;|!|:)|[&~]", " ", text)
    while (flat := FRACTION.sub(r"((\1)/(\2))", text)) != text:  # fractions within fractions
        text = flat
    text = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", text)
    text = re.sub(r"(?<![A-Za-z])e\^\{([^{}]*)\}", r"exp(\1)", text)
    text = re.sub(r"\^\{?(-?\d+)\}?", r"**(\1)", text)
    text = re.sub(r"\\(?:times|cdot)(?![a-z])|[×·]", "*", text)
    text = re.sub(r"\\div(?![a-z])|÷", "/", text).replace(MINUS, "-")
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = text.strip().rstrip(".,;").strip()
    if not re.fullmatch(r"(?:[\d.+\-*/() ]|sqrt|exp)+", text):
        return None
    try:
        return _evaluate(ast.parse(text, mode="eval").body, text)
    except (SyntaxError, InvalidOperation, DivisionByZero):
        return None


def _evaluate(node, text):
    match node:
        case ast.Constant():
            return Decimal(ast.get_source_segment(text, node))  # the digits, not a float
        case ast.UnaryOp(operand=operand, op=sign):
            value = _evaluate(operand, text)
            return -value if isinstance(sign, ast.USub) else value
        case ast.BinOp(left=left, op=operator, right=right):
            return OPERATORS[type(operator)](_evaluate(left, text), _evaluate(right, text))
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return getattr(_evaluate(argument, text), name)()
    raise SyntaxError("not arithmetic")


def _unit(latex):
    """One unit in the last place that the digits of a side show."""
    return Decimal(1).scaleb(-max(len(places) for places in re.findall(r"\d+\.?(\d*)", latex)))


def _equations(text):
    """Yield (left, relation, right) for every printed relation between two sides."""
    bare = MARKER.sub(_keep_length, _blanked(text, maths=False))
    rest = bare
    for maths in MATHS.finditer(bare):
        rest = rest[: maths.start()] + _keep_length(maths) + rest[maths.end() :]
        body = maths["block"] or maths["line"]
        body = re.sub(r"\\(?:begin|end)\{[^}]*\}", "", body)
        before = ""
        for row in re.split(r"\\\\(?:\[[^\]]*\])?", body):
            parts = RELATION.split(row)
            if not parts[0].replace("&", "").strip():
                parts[0] = before
            for left, relation, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
                yield left, relation, right
            before = parts[-1]
    for plain in PLAIN_EQUATION.finditer(rest):
        parts = RELATION.split(plain[0])
        for left, relation, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
            yield left, relation, right


def check_equations(text: str, where: str = "text") -> tuple[list[Problem], int]:
    """Recompute every printed equation from its printed digits; return problems, and how many there were.

    ``=`` must be exactly true.  ``≈`` must hold to half a unit in the last
    place shown, for each number that was rounded.
    """
    problems, count = [], 0
    for left, relation, right in _equations(text):
        a, b = _side(left), _side(right)
        if a is None or b is None:
            continue
        count += 1
        printed = re.sub(r"\s+", " ", f"{left.strip()} {relation} {right.strip()}")
        if relation == "=" and a != b:
            told = f"the printed digits give {a.normalize():f}, not {b.normalize():f}"
            problems.append(Problem(where, printed, f"not true as printed: {told}"))
        elif relation != "=":
            terms = len(re.findall(r"\d+(?:\.\d+)?", left)) + 1
            if abs(a - b) > terms * _unit(right) / 2:
                told = f"the printed digits give {a:.6f}"
                problems.append(Problem(where, printed, f"not even nearly true: {told}"))
    return problems, count


# --------------------------------------------------------------------------
# Words
# --------------------------------------------------------------------------


def check_words(text: str, where: str = "text", order: Sequence[str] = example.ORDER) -> list[Problem]:
    """Find what is said about words that the example no longer has.

    Read are what stands between quotation marks and what fills a cell of a table.
    The last word, a thing, is looked for everywhere: "the cube" stands without
    marks too.  Short words such as "the" count only in quotations of the example.
    """
    written = WRITTEN_FOR["ORDER"]
    gone = [word for word in written if word not in order]
    plain = MARKER.sub(_keep_length, _blanked(text, maths=False))
    found = []  # (place, word)
    for quoted in re.finditer(r'["“]([^"“”\n]*)["”]', plain):
        words = [(quoted.start(1) + word.start(), word[0]) for word in re.finditer(r"\w+", quoted[1])]
        ours = {word for _, word in words} <= set(written)
        found += [(at, word) for at, word in words if word in gone and (ours or len(word) > SHORT)]
    for cell in re.finditer(r"(?<=\|)[ \t]*(\w+)[ \t]*(?=\|)", plain):
        found += [(cell.start(1), word) for word in gone if word == cell[1]]
    if written[-1] in gone:
        found += [(m.start(), written[-1]) for m in re.finditer(rf"\b{written[-1]}s?\b", plain)]
    sentences = {}
    for place, word in sorted(found):
        said = sentences.setdefault(_sentence(text, place), [])
        if word not in said:
            said.append(word)
    return [
        Problem(where, sentence, f"no longer in the example: {', '.join(words)}")
        for sentence, words in sentences.items()
    ]


def written_for():
    """Say what is left to do when every sentence is about another example."""
    now = {"ORDER": example.ORDER, "SEED": example.SEED}
    if now == WRITTEN_FOR:
        return []
    return [f"tools/prose.py: the text is written for {WRITTEN_FOR}; change that when it is for {now}"]


# --------------------------------------------------------------------------
# Whole files
# --------------------------------------------------------------------------


def named(path):
    """Name a file as messages do."""
    path = Path(path)
    return "/".join(path.parts[-2:]) if path.parent.name in ("book", "docs") else path.name


def _steps(path, **how):
    """Walk through a file: the cells of a notebook, which are run on the way, or all of it as one."""
    path = Path(path)
    if path.suffix == ".ipynb":
        for step in cells.walk(path, **how):
            yield f"{named(path)} cell {step.cell['id']}", step
    else:
        yield (
            named(path),
            cells.Step({"cell_type": "markdown", "source": path.read_text(encoding="utf-8")}, {}),
        )


def pieces(path, **how):
    """Yield the prose of a file: where it stands, Markdown, and what the cells above have made.

    More arguments are those of `cells.walk`.
    """
    for where, step in _steps(path, **how):
        if step.cell["cell_type"] == "markdown":
            yield where, "".join(step.cell["source"]), step.names


def prose_files(root):
    """Every file of the course whose prose is checked."""
    root = Path(root)
    sections = sorted(root.glob("book/*.ipynb"), key=lambda p: int(p.name.split("-")[0]))
    notes = [path for name in ("method", "teaching") if (path := root / "docs" / f"{name}.md").exists()]
    return [root / "README.md", *notes, *sorted(root.glob("book/*.md")), *sections]


def check_file(path, **how) -> tuple[list[Problem], int, int]:
    """Check the numerals, the equations and the words of a file, and the words of pictures that are drawn.

    More arguments are those of `cells.walk`.  Returned are the problems, and how many
    numerals and equations were read.
    """
    problems, numerals, equations = [], 0, 0
    try:
        for where, step in _steps(path, **how):
            text = "".join(step.cell["source"])
            if step.cell["cell_type"] != "markdown":
                problems += _check_picture(step, where)
                continue
            wrong, count = check_equations(text, where)
            problems += check_numerals(text, where, step.names) + check_words(text, where) + wrong
            equations += count
            numerals += sum(1 for _ in NUMERAL.finditer(MARKER.sub(_keep_length, _blanked(text))))
    except cells.CellError as error:
        problems.append(Problem(named(path), str(error), "a cell does not run"))
    return problems, numerals, equations


def _check_picture(step, where):
    """Compare the words that are stored with a picture with those of the one that was drawn just now."""
    picture, stored = step.value, step.cell.get("metadata", {}).get("mystnb", {})
    if not isinstance(picture, Picture):
        return []
    words = {
        "caption": (stored.get("figure", {}).get("caption"), picture.caption),
        "alternative text": (stored.get("image", {}).get("alt"), picture.alt),
    }
    return [
        Problem(where, today, f"the stored {what} of {picture.id} is not today's: run make refresh")
        for what, (kept, today) in words.items()
        if kept != today
    ]


def bound_numbers(paths):
    """Return every bound number by the place where it stands, ready for JSON."""
    found = {}
    for path in paths:
        for where, text, names in pieces(path):
            for bound in read_numerals(text, where, names).bound:
                number = {"expression": bound.expression, "value": bound.value.tolist()}
                found.setdefault(where, []).append(number | {"printed": bound.printed})
    return found


def fix_file(path):
    """Write the right digits into a file, and return how many pieces of prose changed."""
    path = Path(path)
    if path.suffix != ".ipynb":
        text = path.read_text(encoding="utf-8")
        path.write_text(right := fix(text, {}), encoding="utf-8", newline="\n")
        return int(right != text)
    right = {}
    for step in cells.walk(path):
        if step.cell["cell_type"] == "markdown":
            text = "".join(step.cell["source"])
            if (fixed := fix(text, step.names)) != text:
                right[step.cell["id"]] = fixed
    if right:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if cell["id"] in right:
                cell["source"] = right[cell["id"]].splitlines(True)
        notebooks.write(path, notebook)
    return len(right)
