"""Changes of operators and constants that change nothing that could be told, each with its reason.

By file, function and change, as `operators.variants` words them.  One that is
no longer made is reported, so that the list cannot outlive the code.
"""

SAME = {}
