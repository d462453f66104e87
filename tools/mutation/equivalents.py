"""Changes of operators and constants that change nothing that could be told, each with its reason.

By file, function and change, as `operators.variants` words them.  One that is
no longer made is reported, so that the list cannot outlive the code.
"""

ATTENTION = "scripts/attention.py"
LARGEST = "largest = np.where(empty, 0.0, scores.max(axis=1))[:, None]"
SHARES = "shares = _grid('weights', np.ma.filled(weights, 0.0))"
PIECES = (
    "pieces = zip(split_heads(queries, heads), split_heads(keys, heads), split_heads(values, heads), "
    "strict=True)"
)
NOTHING = (
    "return RunningSoftmax(np.full((n_queries, 1), -np.inf), np.zeros((n_queries, 1)), "
    "np.zeros((n_queries, 1)), np"
)
ANCHOR = "anchor = np.where(np.isfinite(largest), largest, 0.0)"
NEIGHBOURS = "before, itself, after = _grid('before, itself and after', [[before, itself, after]])[0]"

EXPERIMENTS = "scripts/experiments.py"
CASES = "cases = [q * k, 2 * q * 2 * k, q[:, :1] * k[:, :1] * np.ones(size), q * q]"
REPEATED = "q[:, :1] * k[:, :1]"
COST = "scripts/cost.py"
DIVISORS = "return [h for h in range(1, width + 1) if width % h == 0]"
PROGRAM = "book/attention_by_hand.py"
DRAW = "return rng.normal(0, spread, (4, 4)).round(1) + 0.0"

SAME = {
    (
        ATTENTION,
        "softmax_steps",
        f"0.0 -> 1.0  in  {LARGEST}",
    ): "a row without a key raises nothing, whatever is subtracted: e to minus infinity is 0",
    (ATTENTION, "softmax_steps", f"0.0 -> -1.0  in  {LARGEST}"): "as above",
    (
        ATTENTION,
        "softmax_steps",
        "1.0 -> 2.0  in  weights = raised / np.where(empty[:, None], 1.0, totals)",
    ): "zero divided by anything, in a row that is masked",
    (ATTENTION, "mix", f"0.0 -> 1.0  in  {SHARES}"): "lies under the mask of the result",
    (ATTENTION, "mix", f"0.0 -> -1.0  in  {SHARES}"): "lies under the mask of the result",
    (
        ATTENTION,
        "multi_head_attention",
        f"True -> False  in  {PIECES}",
    ): "all three are cut into the same number of pieces one line before",
    (ATTENTION, "_nothing_yet", f"1 -> 2  in  {NOTHING} (2)"): "nothing reads the first shrink",
    (ATTENTION, "_nothing_yet", f"1 -> 0  in  {NOTHING} (2)"): "nothing reads the first shrink",
    (
        ATTENTION,
        "_take_block",
        f"0.0 -> 1.0  in  {ANCHOR}",
    ): "a query that has met no key raises nothing, whatever is subtracted",
    (ATTENTION, "_take_block", f"0.0 -> -1.0  in  {ANCHOR}"): "as above",
    (ATTENTION, "neighbour_weights", f"0 -> -1  in  {NEIGHBOURS}"): "the grid has one row",
    (
        EXPERIMENTS,
        "law_cases",
        f"{REPEATED} * np.ones(size) -> {REPEATED} / np.ones(size)  in  {CASES}",
    ): "times one is by one",
    (COST, "divisors", f"1 -> 2  in  {DIVISORS} (2)"): "one more than a width never divides it",
    (
        PROGRAM,
        "draw",
        f"{DRAW[7:]} -> {DRAW[7:-5]}- 0.0  in  {DRAW}",
    ): "it prints no token, and a negative zero changes no total",
    (
        PROGRAM,
        "show",
        "True -> False  in  for name, row in zip(ORDER, grid, strict=True):",
    ): "every grid has a row for each word",
    (
        PROGRAM,
        "module",
        "True -> False  in  heads = zip(*halves, strict=True)",
    ): "all three are cut in half one line before",
}
