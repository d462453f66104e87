"""matplotlib's back end on the page: figures are drawn as SVG, and shown when a cell ends."""

from matplotlib.backends.backend_svg import FigureCanvasSVG as FigureCanvas  # noqa: F401
from runner import show_open_figures


def show(*args, **kwargs):
    show_open_figures()
