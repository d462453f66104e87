"""What holds of every picture: colours, type, words, and the file that is kept of it."""

import itertools
import re

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.text import Text

from scripts import draw, example
from scripts.draw import style
from scripts.draw.canvas import PICTURES, Canvas
from tools.gallery import draw_picture, gallery
from tools.notebooks import FIGURES, captions, pictures_shown

IDS = [
    "embedding-blind",
    "four-tokens",
    "cube-arrows",
    "before-after",
    "convolution",
    "one-pair",
    "three-matrices",
    "query-by-hand",
    "qkv-grids",
    "dot-product-by-hand",
    "dot-product-angle",
    "raw-scores",
    "scaled-scores",
    "score-spread",
    "winner-share",
    "softmax-table",
    "lead-share",
    "weight-grid",
    "mix-values",
    "as-matrices",
    "real-sizes",
    "cut-query",
    "two-heads",
    "join",
    "head-counts",
    "self-cross",
    "padding-mask",
    "masked-row",
    "causal-mask",
    "mixed-stream",
    "grids-grow",
    "cost-crossing",
    "grid-share",
    "grid-memory",
    "blockwise",
    "reading-map",
]
EVERY = list(gallery())  # a picture that is added is tested like the others

SHARED = {}


def drawn(identity):
    """The picture and its SVG, drawn once for all tests."""
    if identity not in SHARED:
        picture = draw_picture(identity)
        SHARED[identity] = picture, picture.svg()
    return SHARED[identity]


def test_every_picture_of_the_course_is_drawn_and_shown():
    assert set(gallery()) == {name for name in PICTURES if not name.startswith("slider-")}
    assert set(IDS) <= set(gallery())
    shown = pictures_shown()
    assert set(shown) == set(gallery())
    assert len(shown) == len(set(shown)), "a picture is numbered once"
    assert [name for name in shown if name in IDS] == IDS, "pictures come in the order of the course"


@pytest.mark.checked
@pytest.mark.parametrize("identity", EVERY)
def test_the_stored_file_is_what_is_drawn_today(identity):
    assert (FIGURES / f"{identity}.svg").read_text(encoding="utf-8") == drawn(identity)[1]


@pytest.mark.checked
def test_stored_captions_are_the_pictures_own():
    for identity, caption in captions().items():
        assert caption == drawn(identity)[0].caption, identity


def test_no_file_is_left_over():
    assert {path.stem for path in FIGURES.glob("*.svg")} == set(gallery())


@pytest.mark.parametrize("identity", EVERY)
def test_only_reserved_colours_are_used(identity):
    # the stored file is what is drawn today: another test sees to that
    stored = (FIGURES / f"{identity}.svg").read_text(encoding="utf-8")
    used = set(re.findall(r"#[0-9a-fA-F]{6}\b", stored))
    assert used <= set(style.COLOURS.values()), used - set(style.COLOURS.values())


@pytest.mark.slow
@pytest.mark.parametrize("identity", EVERY)
def test_words_say_what_is_shown(identity):
    picture, svg = drawn(identity)
    assert 20 <= len(picture.caption) <= 330
    assert 60 <= len(picture.alt) <= 1800
    assert picture.caption.endswith(".") and picture.alt.endswith(".")
    assert "nan" not in picture.alt.lower().split()
    assert f'aria-label="{picture.alt[:20]}'.replace("'", "&#x27;") in svg.replace("&quot;", '"')
    assert picture.get_figwidth() == style.MEASURE


@pytest.mark.slow
@pytest.mark.parametrize("identity", EVERY)
def test_text_is_large_enough_and_stands_clear(identity):
    """No text is too small, leaves the sheet, or lies on another text."""
    picture, _ = drawn(identity)
    FigureCanvasAgg(picture)
    picture.set_dpi(72)
    renderer = picture.canvas.get_renderer()
    sheet = picture.bbox
    boxes, unseen = [], _ticks_never_drawn(picture)
    for text in picture.findobj(Text):
        if not text.get_text().strip() or not text.get_visible():
            continue
        assert text.get_fontsize() >= style.SMALL, f"{text.get_text()!r} is too small"
        box = text.get_window_extent(renderer)
        if box.width == 0 or text in unseen:
            continue
        inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= sheet.x1 + 1 and box.y1 <= sheet.y1 + 1
        assert inside, f"{text.get_text()!r} leaves the sheet"
        boxes.append((box, text.get_text()))
    for (a, word_a), (b, word_b) in itertools.combinations(boxes, 2):
        width = min(a.x1, b.x1) - max(a.x0, b.x0)
        height = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert not (width > 1.5 and height > 2.5), f"{word_a!r} lies on {word_b!r}"


def _ticks_never_drawn(picture):
    """Tick labels of axes that are off, and those outside their axes' range."""
    unseen = set()
    for axes in picture.axes:
        for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not axes.axison or not min(limits) <= tick.get_loc() <= max(limits):
                    unseen |= {tick.label1, tick.label2}
    return unseen


@pytest.mark.slow
@pytest.mark.parametrize("identity", EVERY)
def test_the_same_picture_twice_is_the_same_file(identity):
    if identity in IDS[::6]:  # every sixth: the stored files test the rest
        assert draw_picture(identity).svg() == drawn(identity)[1]


# ---- the atoms --------------------------------------------------------------


def test_a_grid_draws_what_it_is_given():
    sheet = Canvas(2.0)
    values = np.array([[0.1, -0.25], [0.5, 1.0]])
    sheet.grid(values, 1, 0.5, name="w", form=".2f", fill="tint", rows="ab", columns="cd")
    texts = {t.get_gid(): t.get_text() for t in sheet.axes.texts if t.get_gid()}
    assert texts["number:w:0:1"] == "−0.25" and texts["number:w:1:1"] == "1.00"
    sheet = Canvas(2.0)
    sheet.grid(values, 1, 0.5, name="s", fill="score", limit=0.5)
    cells = {p.get_gid(): p.get_facecolor() for p in sheet.axes.patches if p.get_gid()}
    assert to_hex(cells["cell:s:0:1"]) == style.COLOURS["negative"]
    assert cells["cell:s:0:1"][3] == 0.5 and cells["cell:s:1:1"][3] == 1.0
    assert to_hex(cells["cell:s:0:0"]) == style.COLOURS["positive"]


def test_a_row_without_an_answer_shows_no_number():
    sheet = Canvas(2.0)
    values = np.ma.array([[0.1, 0.9], [0.0, 0.0]], mask=[[0, 0], [1, 1]])
    sheet.grid(values, 1, 0.5, name="w", form=".2f", fill="weight")
    texts = [t.get_text() for t in sheet.axes.texts]
    assert texts.count("no answer") == 1 and "0.00" not in texts


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s: s.grid([1, 2], 0, 0, name="x"), "two axes"),
        (lambda s: s.grid([[1.0]], 0, 0, name="x", fill="score"), "needs limit"),
        (lambda s: s.grid([[1.0]], 0, 0, name="x", fill="rainbow"), "fill must be"),
        (lambda s: s.grid([[np.nan]], 0, 0, name="x"), "finite number"),
        (lambda s: draw_picture("no-such"), "no picture is called"),
    ],
)
def test_bad_drawing_is_named(call, said):
    with pytest.raises(ValueError, match=said):
        call(Canvas(1.0))


def test_a_picture_shows_itself_in_a_notebook():
    picture = draw.weight_grid(example.WEIGHTS, example.ORDER)
    data, metadata = picture._repr_mimebundle_()
    assert data["text/plain"] == picture.alt
    assert data["image/svg+xml"].startswith("<svg ")
    assert metadata["course"]["id"] == "weight-grid"
    assert "style type" not in data["image/svg+xml"], "matplotlib's page-wide style is gone"
    assert matplotlib.rcParams["svg.hashsalt"] is None, "drawing leaves the settings alone"
