"""What attention costs: steps, parameters, bytes and pairs.

A *step* is one multiply-and-add (MAC): one multiplication followed by one
addition.  Counts of floating-point operations (FLOPs) are twice these.  The
width is d_model, the number of entries of a token; `n` is the number of tokens,
the context length.  Counts must be whole numbers of at least 1; whatever else
is given raises a ValueError that says so.
"""

import numpy as np

from scripts.attention import whole_number

WIDTH = 768
HEADS = 12
LAYERS = 12
WINDOWS = tuple(2**k for k in range(2, 18))  # numbers of tokens that the slider visits
WIDTHS = (256, WIDTH, 4096)  # and its widths
BYTES_A_NUMBER = 2
MIB = 1024**2
GIB = 1024**3


def projection_steps(n: int, width: int = WIDTH) -> int:
    """Steps of the four projections, of queries, keys, values and output: 4 n width width."""
    n, width = whole_number("n", n), whole_number("width", width)
    return 4 * n * width * width


def grid_steps(n: int, width: int = WIDTH) -> int:
    """Steps of the scores and of the weighted sums, over all heads together: 2 n n width.

    That is n n width for the scores and as many for the mix.  The number of
    heads does not matter, since each works on its share of the width.
    """
    n, width = whole_number("n", n), whole_number("width", width)
    return 2 * n * n * width


def grid_share(n: int, width: int = WIDTH) -> float:
    """Part of all steps that the grid takes, from 0 to 1."""
    grid = grid_steps(n, width)
    return grid / (grid + projection_steps(n, width))


def crossing(width: int = WIDTH) -> int:
    """Number of tokens at which grid and projections cost the same: 2 n n width = 4 n width width."""
    return 2 * whole_number("width", width)


def grid_numbers(n: int, heads: int = 1, n_keys: int | None = None) -> int:
    """How many scores there are: one for each query with each key, in each head.

    There are as many keys as queries, n, unless `n_keys` is given.
    """
    n_keys = n if n_keys is None else n_keys
    return whole_number("n", n) * whole_number("n_keys", n_keys) * whole_number("heads", heads)


def writing_pairs(given: int, written: int, *, cache: bool = False) -> int:
    """Pairs of query and key in one head, while so many words are written after those that are given.

    Without the cache each word takes a run over the whole text before it; with it, only the first does,
    and every other word asks once.
    """
    lengths = range(whole_number("given", given), given + written)
    return sum(grid_numbers(1 if cache and n > given else n, n_keys=n) for n in lengths)


def grid_bytes(n: int, heads: int = HEADS, bytes_a_number: int = BYTES_A_NUMBER) -> int:
    """Bytes that the score grids of one layer would take if stored whole."""
    return grid_numbers(n, heads) * whole_number("bytes_a_number", bytes_a_number)


def parameters(width: int = WIDTH, heads: int = HEADS) -> int:
    """Numbers in the four matrices of one layer; `heads` must divide the width and changes nothing."""
    size = head_size(width, heads)
    projections = 3 * heads * width * size  # each head: three slices of width by size
    output = heads * size * width
    return projections + output


def model_parameters(
    vocabulary: int, context: int, layers: int = LAYERS, width: int = WIDTH, inside: int | None = None
) -> dict[str, int]:
    """Numbers in a whole model like GPT-2, by part; the last layer's readout is the table once more.

    Parameters
    ----------
    vocabulary, context : int
        Rows of the embedding table and of the table of positions.
    layers, width : int
    inside : int, optional
        Numbers between the two matrices of the feed-forward part; four times the width if not given.
    """
    counts = {"vocabulary": vocabulary, "context": context, "layers": layers, "width": width}
    vocabulary, context, layers, width = (whole_number(name, count) for name, count in counts.items())
    inside = 4 * width if inside is None else whole_number("inside", inside)
    return {
        "embedding table": vocabulary * width,
        "positions": context * width,
        "attention": layers * (4 * width * width + 4 * width),
        "feed-forward": layers * (2 * width * inside + inside + width),
        "layer norm": (2 * layers + 1) * 2 * width,
    }


def head_size(width: int = WIDTH, heads: int = HEADS) -> int:
    """Numbers that one head has of each query (d_k); ValueError if heads does not divide the width."""
    width, heads = whole_number("width", width), whole_number("heads", heads)
    if width % heads:
        raise ValueError(f"heads must divide the width {width} without remainder; got {heads}")
    return width // heads


def divisors(width: int = WIDTH) -> list[int]:
    """Every number of heads into which a width can be cut."""
    width = whole_number("width", width)
    return [h for h in range(1, width + 1) if width % h == 0]


# --------------------------------------------------------------------------
# The mixed stream of section 6
# --------------------------------------------------------------------------

STREAM_KINDS = ("image", "text", "state", "action")
STREAM_COUNTS = (256, 12, 1, 8)
# Rows ask, columns are attended to, in the order of STREAM_KINDS.
STREAM_ALLOWED = np.array(
    [
        [True, True, False, False],
        [True, True, False, False],
        [True, True, True, False],
        [True, True, True, True],
    ]
)
STREAM_ALLOWED.setflags(write=False)
