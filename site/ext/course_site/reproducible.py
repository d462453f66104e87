"""The same commit gives the same site, byte for byte.

Two builds differ in little: ipywidgets draws a new identity for every model
each time, a kernel sends what is printed in one piece or in several, and
Sphinx notes where it was run.  (Pictures, fonts and the search
index are made the same where they are made.)
"""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

from myst_nb.core import render
from sphinx.application import Sphinx

IDENTITY = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
MODELS = re.compile(r'"([0-9a-f]{32})": ?\{"model_name"')


def name_models(state: str, *others: str) -> list[str]:
    """Name a page's widget models by their place in its widget state.

    Returns the state and the other texts with the new names in them.
    """
    names = {identity: f"model-{count}" for count, identity in enumerate(MODELS.findall(state), start=1)}
    return [IDENTITY.sub(lambda found: names.get(found[0], found[0]), text) for text in (state, *others)]


def join_streams(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join what one cell printed, in whatever pieces the kernel sent it.

    In place of myst-nb's own function, which adds a line end to every piece.
    """
    joined: list[dict[str, Any]] = []
    for output in outputs:
        stream = output["output_type"] == "stream"
        known = [o for o in joined if stream and o["output_type"] == "stream" and o["name"] == output["name"]]
        if known:
            known[0]["text"] += output["text"]
        else:
            joined.append(copy.copy(output))  # the notebook itself is stored as it ran
    return joined


def forget_where(app: Sphinx, error: Exception | None) -> None:
    """`.buildinfo` serves builds on top of one another, which ours never are."""
    if not error:
        Path(app.outdir, ".buildinfo").unlink(missing_ok=True)


def setup(app: Sphinx) -> None:
    render.coalesce_streams = join_streams
    app.connect("build-finished", forget_where, priority=900)
