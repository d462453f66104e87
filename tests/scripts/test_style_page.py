"""The style page says what the code does, and roles can be told apart by every eye."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from scripts.draw import style
from scripts.draw.canvas import PICTURES
from tools.cells import draw_picture

EVERY = [
    i for i in PICTURES if not i.startswith("slider-") and i != "reading-map"
]  # there: small signs of ideas
PAGE = (Path(__file__).parents[2] / "docs" / "style.md").read_text(encoding="utf-8")

# Linear RGB as eyes see it that lack one kind of cone, at full severity:
# Machado, Oliveira and Fernandes 2009, doi:10.1109/TVCG.2009.113.
EYES = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
    "grey": [[0.2126, 0.7152, 0.0722]] * 3,
}
SEEN = ("token", "query", "key", "value", "output")  # may stand side by side in one picture
# So alike, in some theme and to some eye, that only a label tells them apart; in grey, all.
LABELLED = {
    "protanopia": {("query", "output"), ("key", "value")},
    "deuteranopia": {("query", "output"), ("key", "value")},
    "tritanopia": {("query", "value")},
}


def linear(colour):
    parts = np.array(to_rgb(colour))
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """CIE L*a*b* of linear RGB."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.clip(to_xyz @ rgb, 0, None) / (0.9505, 1, 1.089)
    f = [t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def seen(colour, eye):
    return lab(np.clip(np.array(EYES[eye]) @ linear(colour), 0, 1))


def contrast(one, other):
    """Contrast of two linear colours, as WCAG 2 defines it."""
    low, high = sorted(0.05 + np.array(EYES["grey"][0]) @ colour for colour in (one, other))
    return high / low


def over(colour, ground, opacity):
    return linear(opacity * np.array(to_rgb(colour)) + (1 - opacity) * np.array(to_rgb(ground)))


def test_the_page_s_colours_are_those_of_the_code():
    rows = re.findall(r"^\| ([\w-]+) \| `(#\w{6})` \| `(#\w{6})` \|", PAGE, flags=re.M)
    assert {role: (light, dark) for role, light, dark in rows} == style.PALETTE


def test_the_page_s_sizes_are_those_of_the_code():
    rows = re.findall(r"^\| `([A-Z]+)` \| ([\d.]+) \|", PAGE, flags=re.M)
    assert {name: getattr(style, name) for name, _ in rows} == {name: float(size) for name, size in rows}
    assert f"{style.MEASURE} inches" in PAGE


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_the_sign_of_a_score_is_told_apart_by_every_eye(theme):
    """Signs are printed too; and the two hues stay far apart without red or green."""
    positive, negative = (style.PALETTE[role][theme] for role in ("positive", "negative"))
    for eye in ("protanopia", "deuteranopia"):
        assert np.linalg.norm(seen(positive, eye) - seen(negative, eye)) >= 30, eye


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("eye", ["protanopia", "deuteranopia", "tritanopia"])
def test_roles_are_told_apart_by_every_eye_or_by_their_labels(eye, theme):
    for pair in itertools.combinations(SEEN, 2):
        one, other = (seen(style.PALETTE[role][theme], eye) for role in pair)
        assert np.linalg.norm(one - other) >= 12 or pair in LABELLED[eye], (pair, np.linalg.norm(one - other))


@pytest.mark.slow
@pytest.mark.parametrize("identity", EVERY)
def test_what_has_a_role_s_colour_is_labelled(identity):
    """Whatever is framed or drawn in a role has a text in that colour, or one that lies in it."""
    drawn = draw_picture(identity)
    FigureCanvasAgg(drawn)
    texts = [text for text in drawn.findobj(Text) if text.get_text().strip()]
    written = {to_hex(text.get_color()) for text in texts}
    for patch in drawn.findobj(Rectangle):
        colour = to_hex(patch.get_edgecolor())
        if colour not in {style.COLOURS[role] for role in SEEN} or colour in written:
            continue
        frame = patch.get_window_extent()
        inside = [frame.contains(*text.get_window_extent().p0) for text in texts]
        assert any(inside), f"a frame in {colour} has no label"


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("role", ["weight", "positive", "negative"])
def test_a_map_runs_one_way_in_grey(role, theme):
    """In grey a deeper cell is a larger number: the map's lightness never turns."""
    paper, full = (linear(style.PALETTE[name][theme]) for name in ("paper", role))
    steps = [lab(np.array(EYES["grey"]) @ ((1 - t) * paper + t * full))[0] for t in np.linspace(0, 1, 11)]
    assert all(np.diff(steps) < 0) or all(np.diff(steps) > 0)
    assert abs(steps[-1] - steps[0]) >= 20


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_stands_out(theme):
    """At any opacity, also where no picture of the course has it; the browser measures what is there."""
    colour = {role: pair[theme] for role, pair in style.PALETTE.items()}
    ink, paper = colour["ink"], colour["paper"]
    for role in ("ink", "muted", *SEEN):
        assert contrast(linear(colour[role]), linear(paper)) >= 4.5, role
    fills = [
        (role, opacity) for role in ("weight", "positive", "negative") for opacity in np.linspace(0, 1, 21)
    ]
    for role, opacity in [*fills, *((role, style.TINT) for role in SEEN)]:
        assert contrast(linear(ink), over(colour[role], paper, opacity)) >= 4.5, (role, opacity)


def test_reserved_colours_differ():
    for theme in zip(*style.PALETTE.values(), strict=True):
        assert len({to_hex(colour) for colour in theme}) == len(style.PALETTE)
