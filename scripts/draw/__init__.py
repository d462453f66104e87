"""The pictures of the course: one function each, one module a subject.

A drawing takes computed values, draws them, and says in words what it drew.
It computes no attention.  A module that is added here is found by itself, and
what it draws under ``@picture("weight-bar")`` is ``draw.weight_bar``.
"""

import importlib
import pkgutil
from functools import partial

from scripts import example
from scripts.draw.canvas import PICTURES

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_file.name}")
globals().update({_id.replace("-", "_"): _draw for _id, _draw in PICTURES.items()})

# The notebooks call these four without words: they speak of the first and the last token of the example.
_first, _last = example.ORDER[0], example.ORDER[-1]
embedding_blind = partial(PICTURES["embedding-blind"], token=_last, sentences=example.SENTENCES)
one_pair = partial(PICTURES["one-pair"], asking=_last, answering=_first)
query_by_hand = partial(PICTURES["query-by-hand"], token=_last)
dot_product_by_hand = partial(PICTURES["dot-product-by-hand"], asking=_last, looked_at=_first)
