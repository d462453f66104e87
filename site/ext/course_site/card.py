"""The picture that stands beside a link to the course: 1,200 by 630 points, in the light theme."""

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from scripts.draw import style
from scripts.draw.canvas import STYLE
from tools.cells import draw_picture

WIDTH, HEIGHT, DPI = 1200, 630, 100
PICTURE = "cube-arrows"


def draw_card(title: str) -> Figure:
    """Set the title of the course over the picture that it begins with."""
    picture = draw_picture(PICTURE)
    with matplotlib.rc_context(STYLE):
        canvas = FigureCanvasAgg(picture)
        picture.set_dpi(1.72 * DPI)
        canvas.draw()
        drawn = np.asarray(canvas.buffer_rgba())[int(0.4 * 1.72 * DPI) :]  # without its own title
        card = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, facecolor=style.COLOURS["paper"])
        FigureCanvasAgg(card)
        card.figimage(drawn, (WIDTH - drawn.shape[1]) // 2, 24, origin="upper")
        card.text(0.125, 0.84, title, size=40, weight="bold", color=style.COLOURS["ink"])
        return card
