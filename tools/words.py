"""How long the course is: words, sentences and minutes of each section, by the way one goes through it.

The *main line* is what stands open on a page.  Beside it there are folds, whose
headings end in ``<!-- fold -->`` and which a reader opens or passes by.  The path
of *ninety minutes* leaves out, of the main line, what stands under a heading that
ends in ``<!-- beyond -->``.  Exercises and self-tests are counted apart.

A word is what has a letter or a digit in it and stands between spaces, in the prose of
a Markdown cell; code, displayed formulas and invisible comments have none.  A
formula or a name in code within a sentence is one word.

Only the standard library is used: the command needs no environment.
"""

import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools import language, notebooks

SECTIONS = range(1, 10)  # those that the limits are about; pages stand after them
MOST_WORDS = {"main": 16_000, "quick": 10_000}  # in all nine sections
SENTENCE = (14, 19)  # between these lies the mean length of a section's sentences, in words
CLIPPED, RUN = 8, 4  # words of a sentence that is short, and how many such may follow one another

# Minutes are those of a reader who follows, and does not only skim.
WORDS_A_MINUTE = 180
SECONDS = {"picture": 20, "slider": 40, "code": 8, "formula": 5}

HEADING = re.compile(r"^(#{1,6}) +(.*?)(?P<marks>(?:\s*<!--\s*(?:fold|beyond)\s*-->)*)\s*$")
FENCE = re.compile(r"^(?P<f>```+|~~~+).*?^(?P=f)[ \t]*$", re.S | re.M)
UNSEEN = re.compile(r"<!--(?!\s*(?:fold|beyond)\s*-->).*?-->", re.S)  # comments but for the marks of headings
DETAILS = re.compile(r"<details.*?</details>", re.S)
DISPLAYED = re.compile(r"\$\$.+?\$\$", re.S)
IN_LINE = re.compile(r"(?P<t>`+)(?!`).+?(?<!`)(?P=t)(?!`)|(?<![\\$])\$[^$\n]+?\$")
IMAGE = re.compile(r"!\[[^]]*\]\([^)]*\)")
LINK = re.compile(r"\[((?:[^]\[]|\[[^]]*\])*)\]\([^)\s]*\)")
LABEL = re.compile(r"^\s*\*\*[^*]+[.?!:]\*\*\s+")  # "**Aside.** …" begins with no sentence
BULLET = re.compile(r"^(?:[-*+]|\d+\.)\s+")
# A sentence ends before a capital letter, a quotation or a formula, or where its paragraph does.
END = re.compile(r"""(?:(?<=[.?!])|(?<=[.?!]["”’)*_])|(?<=[.?!]["”’)*_]{2}))\s+(?=["“(*_]*[A-Z0-9§−+])""")
SET_APART = re.compile(rf"(?:{language.EXERCISE}|{language.QUIZ})\b")


@dataclass
class Part:
    """What stands open, folded or apart on a page: its words, the lengths of its sentences, and what it shows."""

    words: int = 0
    sentences: list[int] = field(default_factory=list)
    shown: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SECONDS, 0))

    def __add__(self, other: "Part") -> "Part":
        shown = {kind: self.shown[kind] + other.shown[kind] for kind in SECONDS}
        return Part(self.words + other.words, self.sentences + other.sentences, shown)

    @property
    def run(self) -> int:
        """How many short sentences follow one another, at most."""
        clipped = "".join("#" if length <= CLIPPED else " " for length in self.sentences)
        return max(map(len, clipped.split()), default=0)

    @property
    def minutes(self) -> float:
        """How long it takes to read: the words at a steady pace, and a while for each thing to look at."""
        looking = sum(SECONDS[kind] * count for kind, count in self.shown.items())
        return self.words / WORDS_A_MINUTE + looking / 60


@dataclass
class Page:
    """A page's parts.  `core` is what the path of ninety minutes reads."""

    name: str
    core: Part
    beyond: Part
    folds: Part
    exercises: Part

    @property
    def number(self) -> int:
        return int(self.name.split("-")[0])

    @property
    def main(self) -> Part:
        """What stands open on the page."""
        return self.core + self.beyond

    @property
    def everything(self) -> Part:
        """The main line with every fold open, without exercises."""
        return self.main + self.folds


def read(path: Path) -> Page:
    """Count what stands on a page."""
    return count(path.stem, notebooks.cells(path))


def count(name: str, cells: list[dict]) -> Page:
    """Count what stands in a notebook's cells."""
    page = Page(name, Part(), Part(), Part(), Part())
    for where, kind, content in walk(cells):
        part = getattr(page, where)
        if kind == "text":
            part.words += len(words(content))
            part.sentences += [len(words(sentence)) for sentence in sentences(content)]
            part.shown["formula"] += len(DISPLAYED.findall(content))
        else:
            part.shown[kind] += 1
    return page


def walk(cells: list[dict]) -> Iterator[tuple[str, str, str]]:
    """Say of every piece of a notebook in which part of the page it stands, what it is, and what is in it."""
    marked: list[tuple[int, str]] = []  # headings above that have something to say of their part
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            yield _where(marked), _shown(cell), source
            continue
        piece: list[str] = []
        fenced = ""
        for line in UNSEEN.sub("", source).splitlines():
            fence = re.match(r"```+|~~~+", line)
            if fence and not fenced:
                fenced = fence[0]
            elif fence and line.startswith(fenced):
                fenced = ""
            heading = None if fenced else HEADING.match(line)
            if heading:
                yield _where(marked), "text", "\n".join(piece)
                piece = []
                level = len(heading[1])
                marked = [(above, mark) for above, mark in marked if above < level]
                marks = re.findall(r"fold|beyond", heading["marks"])
                if SET_APART.match(heading[2]):
                    marks.append("exercises")
                marked += [(level, mark) for mark in marks]
                line = heading[2]
            piece.append(line)
            if heading:  # no sentence of what follows
                piece.append("")
        yield _where(marked), "text", "\n".join(piece)


def _where(marked: list[tuple[int, str]]) -> str:
    """The part of a page that stands under these headings."""
    marks = {mark for _, mark in marked}
    for mark, part in (("exercises", "exercises"), ("fold", "folds"), ("beyond", "beyond")):
        if mark in marks:
            return part
    return "core"


def _shown(cell: dict) -> str:
    metadata = cell["metadata"]
    if "slider" in metadata:
        return "slider"
    return "picture" if "figure" in metadata.get("mystnb", {}) else "code"


def plain(text: str) -> str:
    """Prose as it is read: without code and formulas on lines of their own, images, and answers that are closed."""
    for pattern in (FENCE, DETAILS, DISPLAYED, IMAGE):
        text = pattern.sub("\n\n", text)
    return LINK.sub(r"\1", IN_LINE.sub("X", text))


def words(text: str) -> list[str]:
    """The words of a piece of Markdown."""
    return [word for word in re.split(r"[\s|—–]+", plain(text)) if re.search(r"\w", word)]


def sentences(text: str) -> list[str]:
    """The sentences of a piece of Markdown; headings and tables have none."""
    found = []
    for paragraph in re.split(r"\n\s*\n", plain(text)):
        lines = [re.sub(r"^(?:>\s*)+", "", line).strip() for line in paragraph.splitlines()]
        blocks = [""]
        for line in lines:
            if line.startswith("|"):
                continue
            if BULLET.match(line) or not line:
                blocks.append("")
            blocks[-1] += " " + BULLET.sub("", line)
        for block in (LABEL.sub("", block) for block in blocks):
            # What has no stop at its end leads to a formula or a list, or is a heading.
            if re.search(r"[.?!:,;][\"”’*_)]*\s*$", block):
                found += [sentence.strip() for sentence in END.split(block) if re.search(r"\w", sentence)]
    return found


def report() -> str:
    """Lay out, in a table, how long each page is."""
    pages = [read(path) for path in notebooks.paths()]
    nine = [page for page in pages if page.number in SECTIONS]
    rows = [
        "             ---------- words ----------   - words a sentence -   ------ minutes ------",
        "    page     main   quick   folds   tasks   mean  spread  short   quick    main     all",
        *(_row(f"{page.number}", [page]) for page in nine),
        _row(f"{SECTIONS[0]} to {SECTIONS[-1]}", nine),
        f"    most   {MOST_WORDS['main']:>6,}  {MOST_WORDS['quick']:>6,} {'':>18}{SENTENCE[0]}–{SENTENCE[1]} {'':>10} {RUN:>2}",
        *(_row(f"{page.number}", [page]) for page in pages if page not in nine),
        "",
        "main: what stands open; quick: of that, the path of ninety minutes; folds: what a click opens;",
        f"tasks: exercises and self-tests; short: sentences of at most {CLIPPED} words one after another.",
        f"A minute has {WORDS_A_MINUTE} words; a picture takes {SECONDS['picture']} s, a slider {SECONDS['slider']}, "
        f"a cell {SECONDS['code']}, a formula {SECONDS['formula']}.  Without tasks.",
    ]
    return "\n".join(rows)


def _row(name: str, pages: list[Page]) -> str:
    core, main, folds, tasks = (
        sum((getattr(page, part) for page in pages), Part())
        for part in ("core", "main", "folds", "exercises")
    )
    mean, spread = statistics.mean(main.sentences), statistics.pstdev(main.sentences)
    return (
        f"{name:>8}   {main.words:>6,}  {core.words:>6,}  {folds.words:>6,}  {tasks.words:>6,}"
        f"  {mean:>5.1f}  {spread:>6.1f}  {main.run:>5}"
        f"   {core.minutes:>5.0f}   {main.minutes:>5.0f}   {(main + folds).minutes:>5.0f}"
    )
