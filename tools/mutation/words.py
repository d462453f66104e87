"""Numerals: of the prose, of captions and alternative texts, and of stored outputs.

Nothing here relies on what the checks themselves take for a numeral.  Every
run of digits in a text is changed; where the checks stay green, the place must
be one of those in `STANDS`, by rules of this module's own.
"""

import copy
import json
import re
from functools import partial
from pathlib import Path

from tools.mutation.running import Outcome, Task, ask

DIGITS = re.compile(r"\d+")
# Where a run of digits may change without a check going red, and why.
STANDS = {
    "code": re.compile(r"^(```+|~~~+).*?^\1[ \t]*$|(?<!`)(`+)(?!`).+?(?<!`)\2(?!`)", re.S | re.M),
    "link": re.compile(r"\]\([^)\s]*\)|<https?://[^>]*>"),
    "section number": re.compile(r"[Ss]ections?\s+\d+(?:(?:,\s+|\s+(?:and|to|or)\s+)\d+)*"),
    "index in a formula": re.compile(r"[_^](?:\{-?\d+\}|\d)"),
    "exercise number": re.compile(r"[Ee]xercises?\s+\d+\.\d+(?:\s+and\s+\d+\.\d+)?"),
    "within a word": re.compile(r"(?<=[^\W\d_])\d+"),
    "comment": re.compile(r"<!--(?!\s*[=~]).*?-->", re.S),
}
MARKER = re.compile(r"<!--\s*([=~])(.*?)-->", re.S)
EXEMPT = re.compile(r"\s*(\d*)\s*(.*?)\s*", re.S)


def tasks(root):
    """One task a file of prose, and one a notebook."""
    files = [
        root / "README.md",
        *sorted(root.glob("docs/teaching.md")),
        *sorted(root.glob("book/*.md")),
        *sorted(root.glob("book/*.ipynb")),
    ]
    found = [Task("prose", path.name, partial(prose, path.relative_to(root))) for path in files]
    for path in sorted(root.glob("book/*.ipynb")):
        relative = path.relative_to(root)
        found.append(Task("stored words", path.name, partial(stored_words, relative)))
        found.append(Task("stored outputs", path.name, partial(stored_outputs, relative)))
    return found


def next_up(digits):
    """One more in the last place, with as many digits where that is possible."""
    return f"{int(digits) + 1:0{len(digits)}d}"


def changed_at(text, match, to=None):
    """The text with one run of digits changed."""
    return text[: match.start()] + (to or next_up(match[0])) + text[match.end() :]


def around(text, match):
    """A few words about a place."""
    return re.sub(r"\s+", " ", text[max(0, match.start() - 40) : match.end() + 20]).strip()


# --------------------------------------------------------------------------
# Prose
# --------------------------------------------------------------------------


def prose(path):
    """Change every numeral, insert unbound ones, and falsify every printed equation."""
    from tools.prose import pieces

    found = []
    for where, text in pieces(Path(path)):
        before = problems(text)
        if before:
            return [Outcome("prose", where, "", trouble=f"red before any change: {before[0]}")]
        found += numerals(where, text) + markers(where, text) + insertions(where, text)
        found += equations(where, text)
    return found


def problems(text):
    """What the prose check says of a text."""
    from tools.prose import check_equations, check_numerals

    return check_numerals(text) + check_equations(text)[0]


def first(found):
    """The first line of the first problem, or nothing."""
    return str(found[0]).splitlines()[0] if found else ""


def numerals(where, text):
    """Change every run of digits by one in its last place."""
    marked = [span.span() for span in MARKER.finditer(text)]
    standing = {
        name: [m.span() for m in pattern.finditer(MARKER.sub(lambda m: " " * len(m[0]), text))]
        for name, pattern in STANDS.items()
    }
    exempt = exempted(text)
    found = []
    for match in DIGITS.finditer(text):
        place = match.start()
        if any(a <= place < b for a, b in marked):
            continue
        reason = next((n for n, s in standing.items() if any(a <= place < b for a, b in s)), "")
        if not reason and any(a <= place < b for a, b in exempt):
            reason = "marked with a reason"
        killed = first(problems(changed_at(text, match)))
        if killed or not reason:
            change = f"{match[0]} to {next_up(match[0])}: {around(text, match)}"
            found.append(Outcome("numerals of the prose", where, change, killed))
        else:
            found.append(Outcome(f"left alone: {reason}", where, match[0], "written exception"))
    return found


def exempted(text):
    """Spans of the numerals that a marker lets stand for a written reason."""
    spans, shown = [], text
    for name in ("code", "link"):
        shown = STANDS[name].sub(lambda m: " " * len(m[0]), shown)
    for marker in MARKER.finditer(shown):
        if marker[1] == "~":
            count = int(EXEMPT.fullmatch(marker[2])[1] or 1)
            before = list(re.finditer(r"(?<!\w)\d[\d,.]*", shown[: marker.start()]))
            spans += [m.span() for m in before[-count:]]
    return spans


def markers(where, text):
    """Take away every marker: its numerals must then be told of as unbound."""
    code = [m.span() for m in STANDS["code"].finditer(text)]
    found = []
    for marker in MARKER.finditer(text):
        if not any(a <= marker.start() < b for a, b in code):
            without = text[: marker.start()] + text[marker.end() :]
            found.append(Outcome("markers taken away", where, marker[0], first(problems(without))))
    return found


def insertions(where, text):
    """Put a numeral that is bound to nothing at the end of every line that a reader sees."""
    hidden = [m.span() for name in ("code", "comment") for m in STANDS[name].finditer(text)]
    found = []
    for line in re.finditer(r"[^\n]+", text):
        if any(a < line.end() <= b for a, b in hidden) or re.fullmatch(r"[\s|:-]+", line[0]):
            continue
        put = text[: line.end()] + " 417" + text[line.end() :]
        found.append(Outcome("unbound numerals", where, f"417 after {line[0][-40:]!r}", first(problems(put))))
    return found


RELATION = re.compile(r"=|\\approx(?![a-z])|≈")
SIDE = re.compile(r"[^=≈$\n]*?(?=\\\\|\\approx|\\end|[=≈$\n]|<!--|$)")


def equations(where, text):
    """Change the last digit of every result that is recomputed from the digits as printed.

    Where ``=`` stands, the digits alone must tell; where ``≈`` stands, one unit
    in the last place may be rounding, and the bound numeral tells.
    """
    from tools.prose import check_equations

    text = text.replace("{,}", ",")
    count = check_equations(text)[1]
    marked = [marker.span() for marker in MARKER.finditer(text)]
    found = []
    for relation in RELATION.finditer(text):
        side = SIDE.match(text, relation.end())
        digits = list(DIGITS.finditer(text, side.start(), side.end()))
        if not digits or any(a <= relation.start() < b for a, b in marked):
            continue
        last = digits[-1]
        if check_equations(changed_at(text, last, "x"))[1] >= count:
            continue  # no arithmetic on both sides: the numeral is bound, and changed elsewhere
        wrong = changed_at(text, last, last[0][:-1] + str((int(last[0][-1]) + 1) % 10))
        said = check_equations(wrong)[0] if relation[0] == "=" else problems(wrong)
        change = text[max(0, relation.start() - 40) : last.end()]
        found.append(Outcome("printed equations", where, change, first(said)))
    return found


# --------------------------------------------------------------------------
# What notebooks store
# --------------------------------------------------------------------------


def stored_words(path):
    """Change every numeral of captions and alternative texts."""
    from tools import notebooks

    book = json.loads(path.read_text(encoding="utf-8"))
    found, count = [], 0
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        described = cell["metadata"].get("mystnb")
        if not described:
            continue
        if said := list(notebooks._check_cell(cell, count)):
            return [Outcome("stored words", path.name, "", trouble=f"red before any change: {said[0]}")]
        for kind, part, key in (("captions", "figure", "caption"), ("alternative texts", "image", "alt")):
            text = described.get(part, {}).get(key, "")
            for match in DIGITS.finditer(text):
                spoilt = copy.deepcopy(cell)
                spoilt["metadata"]["mystnb"][part][key] = changed_at(text, match)
                said = [*notebooks._check_cell(spoilt, count), *wrong_words(spoilt)]
                change = f"{match[0]} to {next_up(match[0])}: {around(text, match)}"
                found.append(Outcome(kind, f"{path.name} cell {cell['id']}", change, first(said)))
    return found


DRAWN = {}


def wrong_words(cell):
    """What ``test_pictures`` holds against a caption, and ``test_notebooks`` against a slider."""
    from tools.gallery import draw_picture

    described = cell["metadata"]["mystnb"]
    if "figure" not in described:
        if described["image"]["alt"] not in ("".join(o["data"]["text/plain"]) for o in cell["outputs"]):
            yield "test_notebooks: the alternative text is not the slider's own"
        return
    identity = described["figure"]["name"].removeprefix("fig-")
    if identity not in DRAWN:
        DRAWN[identity] = draw_picture(identity).caption
    if described["figure"]["caption"] != DRAWN[identity]:
        yield "test_pictures: the caption is not the picture's own"


class Comparison:
    """A pytest plug-in that lets nbval compare stored outputs with changed ones.

    That running the notebook gives what is stored is what ``make test`` shows;
    here no kernel is needed, since only the comparison itself is on trial.
    """

    def __init__(self):
        self.found = []

    def pytest_collection_finish(self, session):
        for item in session.items:
            self.cell(item)

    def cell(self, item):
        place = f"{Path(item.fspath).name} cell {item.cell.id}"
        stored = item.cell.outputs
        compared = item.options["check"] and not item.options["skip"]
        item.format_output_compare = lambda *_: None
        if not compared or not item.compare_outputs(stored, stored):
            self.found.append(Outcome("stored outputs", place, "", trouble="is not compared"))
            return
        for i, output in enumerate(stored):
            texts = [("text", output)] if "text" in output else []
            texts += [(kind, output.data) for kind in output.get("data", {})]
            for kind, holder in texts:
                runs = list(DIGITS.finditer(holder[kind]))
                if kind.startswith("image/"):  # the digits of a drawing are many and alike
                    runs = runs[len(runs) // 2 :][:1]
                for match in runs:
                    spoilt = copy.deepcopy(stored)
                    part = spoilt[i] if kind == "text" else spoilt[i].data
                    part[kind] = changed_at(holder[kind], match)
                    red = not item.compare_outputs(stored, spoilt)
                    change = f"{kind}: {match[0]} to {next_up(match[0])}"
                    self.found.append(Outcome("stored outputs", place, change, "nbval" if red else ""))


def stored_outputs(path):
    """Change the numerals of every stored output."""
    comparison = Comparison()
    code, _ = ask("-p", "nbval.plugin", "--nbval", "--collect-only", str(path), plugins=[comparison])
    if code or not comparison.found:
        return [Outcome("stored outputs", path.name, "", trouble=f"pytest ended with {code}")]
    return comparison.found
