"""What attention costs: steps, parameters, bytes and pairs.

A *step* is one multiply-and-add: one multiplication followed by one addition.
Counts of floating-point operations (FLOPs) are twice these.
"""

import numpy as np

from scripts.attention import _whole

WIDTH = 768
HEADS = 12
LAYERS = 12
WINDOWS = tuple(2**k for k in range(2, 18))  # numbers of tokens that the slider visits
WIDTHS = (256, WIDTH, 4096)  # and its widths
BYTES_A_NUMBER = 2
MIB = 1024**2
GIB = 1024**3


def projection_steps(n, width=WIDTH):
    """Steps of the four projections: queries, keys, values and output.

    Parameters
    ----------
    n : int
        Number of tokens.
    width : int
        Numbers a token.

    Returns
    -------
    int
        4 n width width.
    """
    n, width = _whole("n", n), _whole("width", width)
    return 4 * n * width * width


def grid_steps(n, width=WIDTH):
    """Steps of the scores and of the mixing, over all heads together.

    Parameters
    ----------
    n : int
        Number of tokens.
    width : int
        Numbers a token.

    Returns
    -------
    int
        2 n n width: n n width for the scores and as many for the mix.  The
        number of heads does not matter, since each works on its share of the
        width.
    """
    n, width = _whole("n", n), _whole("width", width)
    return 2 * n * n * width


def grid_share(n, width=WIDTH):
    """Part of all steps that the grid takes, from 0 to 1.

    Parameters
    ----------
    n, width : int

    Returns
    -------
    float
    """
    grid = grid_steps(n, width)
    return grid / (grid + projection_steps(n, width))


def crossing(width=WIDTH):
    """Number of tokens at which grid and projections cost the same.

    Parameters
    ----------
    width : int

    Returns
    -------
    int
        Twice the width: 2 n n width = 4 n width width.
    """
    return 2 * _whole("width", width)


def grid_numbers(n, heads=1, n_keys=None):
    """How many scores there are: one for each ordered pair, in each head.

    Parameters
    ----------
    n : int
        Number of queries.
    heads : int
    n_keys : int, optional
        As many as queries if not given.

    Returns
    -------
    int
    """
    n_keys = n if n_keys is None else n_keys
    return _whole("n", n) * _whole("n_keys", n_keys) * _whole("heads", heads)


def grid_bytes(n, heads=HEADS, bytes_a_number=BYTES_A_NUMBER):
    """Memory that the score grids of one layer would take if stored whole.

    Parameters
    ----------
    n, heads, bytes_a_number : int

    Returns
    -------
    int
        Bytes.
    """
    return grid_numbers(n, heads) * _whole("bytes_a_number", bytes_a_number)


def parameters(width=WIDTH, heads=HEADS):
    """Numbers in the four matrices of one attention layer.

    Parameters
    ----------
    width : int
    heads : int
        Must divide the width.  Changes nothing: the heads share the matrices.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If heads does not divide the width.
    """
    size = head_size(width, heads)
    projections = 3 * heads * width * size  # each head: three slices of width by size
    output = heads * size * width
    return projections + output


def head_size(width=WIDTH, heads=HEADS):
    """Numbers that one head has of each query.

    Parameters
    ----------
    width, heads : int

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If heads does not divide the width.
    """
    width, heads = _whole("width", width), _whole("heads", heads)
    if width % heads:
        raise ValueError(f"heads must divide the width {width} without remainder; got {heads}")
    return width // heads


def divisors(width=WIDTH):
    """Every number of heads into which a width can be cut.

    Parameters
    ----------
    width : int

    Returns
    -------
    list of int
    """
    width = _whole("width", width)
    return [h for h in range(1, width + 1) if width % h == 0]


# --------------------------------------------------------------------------
# The mixed stream of section 6
# --------------------------------------------------------------------------

STREAM_KINDS = ("picture", "word", "joint", "action")
STREAM_COUNTS = (256, 12, 1, 8)
# Rows ask, columns are looked at, in the order of STREAM_KINDS.
STREAM_ALLOWED = np.array(
    [
        [True, True, False, False],
        [True, True, False, False],
        [True, True, True, False],
        [True, True, True, True],
    ]
)
STREAM_ALLOWED.setflags(write=False)
