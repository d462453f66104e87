"""Cells that run where they stand, in the reader's browser, with no server.

* `pins`, `fetch`, `bundle`  what is not ours: fetched once by `python -m course_live`
  (`make book`), checked by hash, kept outside the project
* `wheel`                    our own package for the browser's Python
* `site`                     what a built site needs of both, copied into its folder live/
* `links`                    the buttons that open a notebook elsewhere
* `downloads`                notebooks to take away, with our package

In site/live/ is what the first are made from, and in site/live/page/ the page's own part.
"""

from __future__ import annotations

from typing import Any


def setup(app: Any) -> dict[str, Any]:
    # not at the top: `python -m course_live` needs no Sphinx
    from . import site

    site.setup(app)
    return {"version": "1.0", "parallel_read_safe": True, "parallel_write_safe": True}
