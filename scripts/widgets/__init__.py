"""The sliders of the course: one file each.

Each is an ipywidgets slider linked in the browser to a stack of pictures that
are drawn beforehand, so that it moves with no kernel and no network, and is
the same in JupyterLab.  A file holds a generator, which takes its numbers from
``attention``, ``experiments`` and ``cost``, and a function that draws them for
one place of the handle.

With a kernel every slider takes values of the reader's own: ``lead([0, 10])``,
``mask(X @ W_q, X @ W_k)``, ``head_size(seed=1)``, and so on.
"""

import importlib
import pkgutil

from scripts.widgets._slider import SLIDERS, Frame, Slider, seen
from scripts.widgets._trained import trained

__all__ = ["SLIDERS", "Frame", "Slider", "seen", "trained"]

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_file.name}")
# `widgets.lead` is the slider, not the file that holds it.
globals().update({_slider.__name__: _slider for _slider in SLIDERS.values()})
