"""The course's pictures for tests: each drawn once, and what is in them by name."""

import functools
import json
from pathlib import Path

from scripts.draw.canvas import Picture
from tools.cells import walk

BOOK = Path(__file__).resolve().parents[1] / "book"


@functools.cache
def _pictures(path):
    """Everything that a notebook draws, by id; its sliders are left out."""
    steps = walk(path, drawing=True, change=lambda _, source: "" if source.startswith("widgets.") else source)
    return {step.value.id: step.value for step in steps if isinstance(step.value, Picture)}


def picture(identity):
    """A picture as its notebook draws it."""
    call = f"draw.{identity.replace('-', '_')}("
    for path in sorted(BOOK.glob("*.ipynb")):
        if any(call in "".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]):
            return _pictures(path)[identity]
    raise ValueError(f"no notebook draws {identity!r}")


def artists(picture):
    """Everything in a picture that has a name, by name; each name once."""
    named = [artist for artist in picture.findobj() if artist.get_gid()]
    found = {artist.get_gid(): artist for artist in named}
    assert len(found) == len(named), "two artists have one name"
    return found
