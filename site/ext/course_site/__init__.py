"""Sphinx extension of the course: what Jupyter Book does not do by itself.

* `maths`       formulas become MathML while the book is built: no script, no host to ask
* `pictures`    SVG pictures are written into the page, in colours that follow the theme
* `sliders`     one frame of each slider, for paper and for pages without a script
* `references`  numbers of figures that prose gives by hand are checked
* `map`         the whole mechanism in one small picture
* `pages`       what the templates are told, and pages without what they do not use
* `assets`      fonts cut to what is used (`fonts`), and no file that no page asks for
* `reproducible` what would differ from one build to the next
* `search`      the text of every section, for the search page
* `ways`        folds, and the three ways through: what each leaves out, how long it takes
* `vendor`      the widget manager, for sliders
"""

from __future__ import annotations

import logging
import os
import re
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

from . import assets, map, maths, pages, pictures, references, reproducible, search, sliders, vendor, ways

# They keep no state while reading, but do not say so; Sphinx would then read
# (and run) one notebook at a time.
READ_SAFE = ("sphinx_multitoc_numbering", "sphinx_jupyterbook_latex")


def read_in_parallel(app: Sphinx, *_: Any) -> None:
    for name in READ_SAFE:
        if name in app.extensions:
            app.extensions[name].parallel_read_safe = True


def read_only_contents(app: Sphinx, config: Config) -> None:
    """Read what `_toc.yml` names and nothing else.

    Jupyter Book's `only_build_toc_files` looks for the rest by a pattern that holds the
    path of the checkout: with a bracket in it, nothing is found.
    """
    names = (re.sub(r"([*?\[])", r"[\1]", name) for name in config.external_site_map)
    config.include_patterns = sorted(pattern for name in names for pattern in (name, f"{name}.*"))


def setup(app: Sphinx) -> dict[str, Any]:
    # A build says what is wrong, not how each kernel started and each glyph was kept.
    for talker in ("fontTools", "traitlets"):
        logging.getLogger(talker).setLevel(logging.WARNING)
    # Jupyter Book's command has no -j.
    app.parallel = max(app.parallel, min(4, os.cpu_count() or 1))
    app.connect("config-inited", read_only_contents, priority=950)  # after `_toc.yml` has been read
    app.connect("env-before-read-docs", read_in_parallel)
    for module in (maths, pictures, sliders, references, pages, ways, map, assets, reproducible, search, vendor):
        module.setup(app)
    return {"version": "1.0", "parallel_read_safe": True, "parallel_write_safe": True}
