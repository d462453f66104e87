"""The same commit gives the same site, byte for byte.

Two builds differ in little: ipywidgets draws a new identity for every model
each time, a kernel sends what is printed in one piece or in several, and
Sphinx notes where it was run.  (Pictures, fonts and the search
index are made the same where they are made.)
"""

from __future__ import annotations

import re
from pathlib import Path

from myst_nb.core import render
from sphinx.application import Sphinx

from tools.notebooks import join_streams

IDENTITY = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
MODELS = re.compile(r'"([0-9a-f]{32})": ?\{"model_name"')


def name_models(state: str, *others: str) -> list[str]:
    """Name a page's widget models by their place in its widget state.

    Returns the state and the other texts with the new names in them.
    """
    names = {identity: f"model-{count}" for count, identity in enumerate(MODELS.findall(state), start=1)}
    return [IDENTITY.sub(lambda found: names.get(found[0], found[0]), text) for text in (state, *others)]


def forget_where(app: Sphinx, error: Exception | None) -> None:
    """`.buildinfo` serves builds on top of one another, which ours never are."""
    if not error:
        Path(app.outdir, ".buildinfo").unlink(missing_ok=True)


def setup(app: Sphinx) -> None:
    render.coalesce_streams = join_streams  # its own adds a line end to every piece
    app.connect("build-finished", forget_where, priority=900)
