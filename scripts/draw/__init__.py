"""The pictures of the course: one function each, one module a section.

A drawing takes computed values, draws them, and says in words what it drew.
It computes no attention.
"""

from scripts.draw.pitfalls import *  # noqa: F403
from scripts.draw.section1 import *  # noqa: F403
from scripts.draw.section2 import *  # noqa: F403
from scripts.draw.section3 import *  # noqa: F403
from scripts.draw.section4 import *  # noqa: F403
from scripts.draw.section5 import *  # noqa: F403
from scripts.draw.section6 import *  # noqa: F403
from scripts.draw.section7 import *  # noqa: F403
from scripts.draw.section8 import *  # noqa: F403
from scripts.draw.sliders import *  # noqa: F403
