"""Numbers of the text that no cell of its page works out.

The landing page, README and teaching notes have no cells, and some sentences
ask "what if".  What takes more than a short expression has a name here.
"""

__all__ = []
