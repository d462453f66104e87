"""Once the pages are written: their fonts, cut to what they show, and nothing that none asks for.

The book's theme and extensions copy some four megabytes of scripts, styles and
icons that our pages never ask for.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

from course_site import fonts
from course_site.card import draw_card

REFERENCE = re.compile(r"""(?:src|href)="([^"#?]+)|url\(["']?([^"')#?]+)""")


def finish(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    site = Path(app.outdir)
    fonts.write(site)
    remove_unreferenced(site)
    write_front_door(site, app)
    (site / ".nojekyll").touch()  # GitHub Pages would leave out what begins with "_"
    draw_card(app.config.html_title).savefig(site / "_static" / "card.png", metadata={"Software": None})


def remove_unreferenced(site: Path) -> None:
    static = site / "_static"
    wanted = {
        (source.parent / (in_page or in_style)).resolve()
        for source in [*site.rglob("*.html"), *static.glob("*.css")]
        for in_page, in_style in REFERENCE.findall(source.read_text(encoding="utf-8"))
    }
    for path in sorted(static.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.resolve() not in wanted:
            path.unlink()


def write_front_door(site: Path, app: Sphinx) -> None:
    """`index.html`, for whoever opens the folder: Jupyter Book's own is no whole page."""
    config = app.config
    told = {"language": config.language, "title": config.html_title, "first": f"{config.root_doc}.html"}
    page = app.builder.templates.render("front.html", told)
    (site / "index.html").write_text(page + "\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", finish, priority=900)
