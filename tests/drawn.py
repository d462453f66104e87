"""What is in a picture, by name, and whether its text can be read."""

import itertools

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from scripts.draw import style


def artists(picture):
    """Everything in a picture that has a name, by name; each name once."""
    named = [artist for artist in picture.findobj() if artist.get_gid()]
    found = {artist.get_gid(): artist for artist in named}
    assert len(found) == len(named), "two artists have one name"
    return found


def assert_legible(picture):
    """No text is too small, leaves the sheet, or lies on another text."""
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
