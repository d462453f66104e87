"""The pictures of the course: one function each, one module a subject.

A drawing takes computed values, draws them, and says in words what it drew.
It computes no attention.
"""

from scripts.draw.cost import *  # noqa: F403
from scripts.draw.heads import *  # noqa: F403
from scripts.draw.masks import *  # noqa: F403
from scripts.draw.pitfalls import *  # noqa: F403
from scripts.draw.query_key_value import *  # noqa: F403
from scripts.draw.reading import *  # noqa: F403
from scripts.draw.score import *  # noqa: F403
from scripts.draw.softmax import *  # noqa: F403
from scripts.draw.tokens import *  # noqa: F403
