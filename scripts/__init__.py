"""Every number and every picture of the attention course.

Data runs one way: ``example`` and ``experiments`` use ``attention``; ``facts``
and ``draw`` use those; the notebooks use them all.  Nothing points back.
"""
