"""The chosen frame of a slider, for paper and for pages without a script.

A slider's output holds a widget, a picture of one frame and that picture in
words (`scripts/widgets/_slider.py`).  myst-nb shows the first of an output's forms and
drops the rest; here the picture is kept behind the widget, with a sentence
that says where it moves.  The style sheet shows it where the widget cannot be.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

WIDGET = "application/vnd.jupyter.widget-view+json"
SVG = "image/svg+xml"
NOTE = "One place of a slider. On the website, with scripts allowed, it moves."
WITHOUT_SCRIPT = (
    "One place of a slider. This site was built without the script that moves it; in the notebook it moves."
)


class KeepStill(SphinxPostTransform):
    """Put the picture of a slider's output behind its widget."""

    default_priority = 3  # before myst-nb chooses among the forms of an output

    def run(self, **_: Any) -> None:
        for bundle in list(self.document.findall(nodes.container)):
            if bundle.get("nb_element") != "mime_bundle":
                continue
            forms = {form.get("mime_type"): form for form in bundle.children}
            if WIDGET not in forms or SVG not in forms:
                continue
            still = nodes.container("", classes=["slider-still"])
            for image in forms[SVG].findall(nodes.image):
                picture = image.deepcopy()
                picture["alt"] = forms["text/plain"].astext().strip()
                still += picture
            still += nodes.paragraph("", NOTE if self.app.course_sliders else WITHOUT_SCRIPT)
            bundle.parent.insert(bundle.parent.index(bundle) + 1, still)


def setup(app: Sphinx) -> None:
    app.add_post_transform(KeepStill)
