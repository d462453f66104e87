"""The pictures of the course: one function each, one module a subject.

A drawing takes computed values, draws them, and says in words what it drew.
It computes no attention.
"""

from functools import partial

from scripts import example
from scripts.draw import query_key_value, score, tokens
from scripts.draw.cost import *  # noqa: F403
from scripts.draw.heads import *  # noqa: F403
from scripts.draw.masks import *  # noqa: F403
from scripts.draw.pitfalls import *  # noqa: F403
from scripts.draw.query_key_value import *  # noqa: F403
from scripts.draw.reading import *  # noqa: F403
from scripts.draw.score import *  # noqa: F403
from scripts.draw.softmax import *  # noqa: F403
from scripts.draw.tokens import *  # noqa: F403

# The notebooks call these four without words: they speak of the first and the last token of the example.
_first, _last = example.ORDER[0], example.ORDER[-1]
embedding_blind = partial(tokens.embedding_blind, token=_last, sentences=example.SENTENCES)
one_pair = partial(query_key_value.one_pair, asking=_last, answering=_first)
query_by_hand = partial(query_key_value.query_by_hand, token=_last)
dot_product_by_hand = partial(score.dot_product_by_hand, asking=_last, looked_at=_first)
