"""Every numeral of the text changed, every marker taken away, an unbound numeral put into every line.

Nothing here relies on what the check itself takes for a numeral.  Every run of
digits in a text is changed; where the check stays green, the place must be one
of those in `STANDS`, by rules of this module's own.
"""

import functools
import re
from pathlib import Path

from tools.mutation.running import Outcome, Task

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


def tasks(root: Path) -> list[Task]:
    """One task a file of prose."""
    from tools.prose import prose_files

    return [Task("text", path.name, functools.partial(text_of, path)) for path in prose_files(root)]


def text_of(path):
    """Change every numeral, insert unbound ones, and falsify every printed equation."""
    from tools.prose import check_equations, check_numerals, pieces

    found = []
    for where, text, names in pieces(path):

        def problems(text, names=names):
            return check_numerals(text, "text", names) + check_equations(text)[0]

        if before := first(problems(text)):
            return [Outcome("text", where, "", trouble=f"red before any change: {before}")]
        for change in (numerals, markers, insertions, equations):
            found += change(where, text, problems)
    return found


def first(found):
    """The first line of the first problem, or nothing."""
    return str(found[0]).splitlines()[0] if found else ""


def next_up(digits):
    """One more in the last place, with as many digits where that is possible."""
    return f"{int(digits) + 1:0{len(digits)}d}"


def changed_at(text, match, to=None):
    """The text with one run of digits changed."""
    return text[: match.start()] + (next_up(match[0]) if to is None else to) + text[match.end() :]


def around(text, match):
    """A few words about a place."""
    return re.sub(r"\s+", " ", text[max(0, match.start() - 40) : match.end() + 20]).strip()


def spans(pattern, text):
    """Where a pattern stands in a text."""
    return [match.span() for match in pattern.finditer(text)]


def within(place, spans):
    """Whether a place is in one of some spans."""
    return any(start <= place < end for start, end in spans)


def blanked(match):
    return " " * len(match[0])


def numerals(where, text, problems):
    """Change every run of digits by one in its last place."""
    plain = MARKER.sub(blanked, text)
    standing = {reason: spans(pattern, plain) for reason, pattern in STANDS.items()}
    standing["marked with a reason"] = exempted(text)
    for match in DIGITS.finditer(plain):
        killed = first(problems(changed_at(text, match)))
        reason = next((name for name, found in standing.items() if within(match.start(), found)), "")
        if killed or not reason:
            change = f"{match[0]} to {next_up(match[0])}: {around(text, match)}"
            yield Outcome("numerals of the text", where, change, killed)
        else:
            yield Outcome(f"left alone: {reason}", where, match[0], "written exception")


def exempted(text):
    """Spans of the numerals that a marker lets stand for a written reason."""
    found, shown = [], text
    for name in ("code", "link"):
        shown = STANDS[name].sub(blanked, shown)
    for marker in MARKER.finditer(shown):
        if marker[1] == "~":
            count = int(EXEMPT.fullmatch(marker[2])[1] or 1)
            found += spans(re.compile(r"(?<!\w)\d[\d,.]*"), shown[: marker.start()])[-count:]
    return found


def markers(where, text, problems):
    """Take away every marker: its numerals must then be told of as unbound."""
    code = spans(STANDS["code"], MARKER.sub(blanked, text))
    for marker in MARKER.finditer(text):
        if not within(marker.start(), code):
            yield Outcome(
                "markers taken away", where, marker[0], first(problems(changed_at(text, marker, "")))
            )


def insertions(where, text, problems):
    """Put a numeral that is bound to nothing at the end of every line that a reader sees."""
    hidden = [span for name in ("code", "comment") for span in spans(STANDS[name], text)]
    for line in re.finditer(r"[^\n]+", text):
        if any(a < line.end() <= b for a, b in hidden) or re.fullmatch(r"[\s|:-]+", line[0]):
            continue
        put = text[: line.end()] + " 417" + text[line.end() :]
        yield Outcome("unbound numerals", where, f"417 after {line[0][-40:]!r}", first(problems(put)))


RELATION = re.compile(r"=|\\approx(?![a-z])|≈")
SIDE = re.compile(r"[^=≈$\n]*?(?=\\\\|\\approx|\\end|[=≈$\n]|<!--|$)")


def equations(where, text, problems):
    """Change the last digit of every result that is recomputed from the digits as printed.

    Where ``=`` stands, the digits alone must tell; where ``≈`` stands, one unit
    in the last place may be rounding, and the bound numeral tells.
    """
    from tools.prose import check_equations

    text = text.replace("{,}", ",")
    count = check_equations(text)[1]
    marked = spans(MARKER, text)
    for relation in RELATION.finditer(text):
        side = SIDE.match(text, relation.end())
        digits = list(DIGITS.finditer(text, side.start(), side.end()))
        if not digits or within(relation.start(), marked):
            continue
        last = digits[-1]
        if check_equations(changed_at(text, last, "x"))[1] >= count:
            continue  # no arithmetic on both sides: the numeral is bound, and changed elsewhere
        wrong = changed_at(text, last, last[0][:-1] + str((int(last[0][-1]) + 1) % 10))
        said = check_equations(wrong)[0] if relation[0] == "=" else problems(wrong)
        change = text[max(0, relation.start() - 40) : last.end()]
        yield Outcome("printed equations", where, change, first(said))
