"""Mistakes that people make, written into the sources one at a time.

Each is a name and one or more replacements of an exact text, which must stand
in its file exactly once: a rewriting of the code cannot silently skip a mistake.
"""

from dataclasses import dataclass
from pathlib import Path

from tools.mutation.running import Task, change_module, judge


def UNIT(name):
    """The test file of that name, in whichever folder it lies."""
    (found,) = Path("tests").glob(f"*/test_{name}.py") or [Path(f"tests/test_{name}.py")]
    return found.as_posix()


ATTENTION = [[UNIT("attention")], [UNIT("draw_section7"), "-k", "running or blocks"]]
MASKS = [[UNIT("attention")], [UNIT("draw_section6")]]
NEIGHBOURS = [[UNIT("draw_section1"), "-k", "neighbour"]]
EXAMPLE = [[UNIT("example")], [UNIT("facts")], [UNIT("draw_section1")], [UNIT("prose")]]
EXPERIMENTS = [[UNIT("experiments")], [UNIT("facts")], [UNIT("draw_section3")]]
COST = [[UNIT("example")], [UNIT("facts")], [UNIT("draw_section6")], [UNIT("prose")]]
SHOW = [[UNIT("facts")], [UNIT("pictures"), "-k", "grid or bad_drawing"]]
PROSE = [[UNIT("prose"), "-k", "not prose_is_in_step and not the_course"]]
NOTEBOOKS = [[UNIT("notebooks"), "-k", "cell or unstable"]]
PROOF = [[UNIT("program"), "-k", "loops_and_numpy or differences"]]
FRAMES = "tests/unit/test_widgets.py::test_{}".format


@dataclass(frozen=True)
class Mistake:
    """One mistake: what it is, its file, its replacements, and the tests that must tell."""

    name: str
    file: str
    replaced: tuple
    selections: list


def mistakes():
    """Every mistake of the table below."""
    return [
        Mistake(name, f"scripts/{file}.py", tuple(pairs), selections)
        for file, selections, group in TABLE
        for name, *pairs in group
    ]


def tasks(root, chosen=None):
    """One task a mistake."""
    found = []
    for mistake in chosen or mistakes():

        def work(mistake=mistake):
            def prepare():
                text = replaced(mistake, (root / mistake.file).read_text(encoding="utf-8"))
                change_module(mistake.file, text)

            change = "; ".join(f"{old.strip()!r} -> {new.strip()!r}" for old, new in mistake.replaced)
            place = f"{mistake.file}: {mistake.name}"
            return [judge("known mistakes", place, change, mistake.selections, prepare)]

        found.append(Task("known mistakes", f"{mistake.file}: {mistake.name}", work, one=True))
    return found


def replaced(mistake, text):
    """The text with the mistake in it.

    Raises
    ------
    ValueError
        If what is to be replaced does not stand there exactly once.
    """
    for old, new in mistake.replaced:
        if text.count(old) != 1:
            raise ValueError(f"{old!r} stands {text.count(old)} times in {mistake.file}")
        text = text.replace(old, new)
    return text


SCALED = "scores = _scaled(raw, np.shape(queries)[1])  # (n_q, n_k)"
SOFTMAXED = "weights = softmax(scores, mask, no_answer=no_answer)  # (n_q, n_k)"
SPLIT = "return pieces.transpose(1, 0, 2)  # (heads, n, size): one grid a head"
JOIN = "return pieces.transpose(1, 0, 2).reshape(n, heads * size)  # (n, heads * size)"
RUNS = "attention(q, k, v, mask) for q, k, v in pieces"
ASK = "queries = project(asking, w_query)"
KEY = "keys = project(read, w_key)"
VALUE = "values = project(read, w_value)"
HIDE = "    if mask is not None:\n        scores = np.where(allowed, scores, -np.inf)\n"
LARGEST = "largest = np.where(empty, 0.0, scores.max(axis=1))[:, None]"
TOTALS = "totals = raised.sum(axis=1, keepdims=True)"
CAUSAL = "return np.arange(n_keys)[None, :] <= own_place"
PADDING = "return rows[:, None] & columns[None, :]"
BLOCKS = "return allowed.repeat(counts, axis=0).repeat(counts, axis=1)"
NEIGHBOUR = "before * np.eye(n, k=-1) + itself * np.eye(n) + after * np.eye(n, k=1)"
RUNNING = "largest = np.maximum(before.largest, scores.max(axis=1, keepdims=True))"
ASKING = "asking = _scaled(queries[rows], queries.shape[1])"
DRAWN = "    generator = np.random.default_rng(seed)\n"
ONE_MORE = DRAWN + "    generator.standard_normal()\n"
SPREAD_TAIL = '    sizes = np.array([_whole("sizes", size) for size in sizes])\n    raw ='
SPREAD_HEAD = DRAWN + SPREAD_TAIL
WINNER_HEAD = DRAWN + '    sizes = np.array([_whole("sizes", size) for size in sizes])\n    n_queries'
SLOPE_HEAD = DRAWN + '    sizes = [_whole("sizes", size) for size in sizes]\n'


def more(head):
    """The head of a function with one more number drawn at its start."""
    return head.replace(DRAWN, ONE_MORE)


TABLE = [
    ("attention", ATTENTION, [
        # ---- scores
        ("no scaling", ("return raw / np.sqrt(head_size)", "return raw")),
        ("divided by the head size, not its root", ("raw / np.sqrt(head_size)", "raw / head_size")),
        ("multiplied by the root", ("raw / np.sqrt(head_size)", "raw * np.sqrt(head_size)")),
        ("scaled twice", ("raw / np.sqrt(head_size)", "raw / np.sqrt(head_size) ** 2")),
        ("number of queries for head size", (SCALED, "scores = _scaled(raw, len(queries))")),
        ("number of keys for head size", (SCALED, "scores = _scaled(raw, len(keys))")),
        ("value size for head size", (SCALED, "scores = _scaled(raw, np.shape(values)[1])")),
        ("number of queries for head size, scores alone",
         ("return _scaled(raw_scores(queries, keys), np.shape(queries)[1])",
          "return _scaled(raw_scores(queries, keys), len(queries))")),
        ("width for head size in every head",
         (RUNS, "attention(q / np.sqrt(heads), k, v, mask) for q, k, v in pieces")),
        ("scaling after softmax",
         (SOFTMAXED, "weights = softmax(raw, mask, no_answer=no_answer) / np.sqrt(np.shape(queries)[1])")),
        ("softmax of the raw scores",
         (SOFTMAXED, "weights = softmax(raw, mask, no_answer=no_answer)")),
        ("raw scores told as scaled",
         ("return Attention(raw, scores, weights, output)", "return Attention(raw, raw, weights, output)")),
        ("query and key exchanged", ("raw = raw_scores(queries, keys)", "raw = raw_scores(keys, queries)")),
        ("grid of scores turned over", ("return queries @ keys.T", "return keys @ queries.T")),
        ("matrix of a projection turned over", ("return tokens @ matrix", "return tokens @ matrix.T")),
        # ---- softmax and the mix
        ("softmax down the columns", (TOTALS, "totals = raised.sum(axis=0, keepdims=True)")),
        ("softmax over the whole grid", (TOTALS, "totals = raised.sum(keepdims=True)")),
        ("totals lie along the wrong axis", (TOTALS, "totals = raised.sum(axis=1)")),
        ("no largest score subtracted", ("np.exp(scores - largest)", "np.exp(scores)")),
        ("largest score of the whole grid", ("scores.max(axis=1))[:, None]", "scores.max())")),
        ("largest score of the column", ("scores.max(axis=1))[:, None]", "scores.max(axis=0))[None, :]")),
        ("largest score along the wrong axis", ("scores.max(axis=1))[:, None]", "scores.max(axis=1))")),
        ("smallest score subtracted", (LARGEST, LARGEST.replace(".max(", ".min("))),
        ("powers of two", ("raised = np.exp(scores - largest)", "raised = np.exp2(scores - largest)")),
        ("weights not divided", ("return raised, totals, raised / totals", "return raised, totals, raised")),
        ("mix of the keys", ("output = mix(weights, values)", "output = mix(weights, keys)")),
        ("weights turned over in the mix", ("output = shares @ values", "output = shares.T @ values")),
        # ---- masks
        ("mask inverted", (HIDE, HIDE.replace("(allowed,", "(~allowed,"))),
        ("mask ignored", (HIDE, "")),
        ("mask after softmax, not renormalised",
         (HIDE, ""), ("return raised, totals, raised / totals",
                      "return raised, totals, np.where(allowed, raised / totals, 0.0)")),
        ("mask before the powers, as zeros", (HIDE, HIDE.replace("-np.inf", "0.0"))),
        ("mask by subtracting a million million", (HIDE, HIDE.replace("-np.inf", "-1e12"))),
        ("largest score looked for among the forbidden", (HIDE, ""),
         ("raised = np.exp(scores - largest)",
          "raised = np.where(allowed, np.exp(scores - largest), 0.0)")),
        ("mask turned over", (HIDE, HIDE.replace("(allowed,", "(allowed.T,"))),
        ("nothing to look at passes unnoticed",
         ('if empty.any() and no_answer == "raise":', "if False:")),
        ("nothing to look at gives zeros",
         ("np.ma.array(weights, mask=hidden)", "weights")),
        ("a mixture without an answer gives zeros",
         ("return np.ma.array(output, mask=np.broadcast_to(empty[:, None], output.shape))",
          "return output")),
        ("mask lost on the way to self-attention",
         ("return cross_attention(tokens, tokens, w_query, w_key, w_value, mask,",
          "return cross_attention(tokens, tokens, w_query, w_key, w_value, None,")),
        ("mask lost in cross-attention",
         ("return attention(queries, keys, values, mask, no_answer=no_answer)",
          "return attention(queries, keys, values, no_answer=no_answer)")),
        ("mask lost on the way to the heads", (RUNS, RUNS.replace(", mask)", ")"))),
        ("mask given to the first head only",
         (RUNS, "attention(q, k, v, mask if i == 0 else None) for i, (q, k, v) in enumerate(pieces)")),
        ("numbers taken for a mask", ("if allowed.dtype != bool:", "if False:")),
        ("mask of another shape accepted", ("if allowed.shape != shape:", "if False:")),
        ("NaN let in", ("if not np.isfinite(grid).all():", "if False:")),
        # ---- heads
        ("heads cut by rows",
         (SPLIT, "return np.reshape(vectors, (heads, n, width // heads))")),
        ("reshape for transpose in the join", (JOIN, "return pieces.reshape(n, heads * size)")),
        ("reshape for transpose in both, which undo each other",
         (SPLIT, "return np.reshape(vectors, (heads, n, width // heads))"),
         (JOIN, "return pieces.reshape(n, heads * size)")),
        ("every second column to the second head",
         ("pieces = vectors.reshape(n, heads, width // heads)",
          "pieces = vectors.reshape(n, width // heads, heads).swapaxes(1, 2)")),
        ("heads cut in the wrong order", (SPLIT, SPLIT.replace("(1, 0, 2)", "(1, 0, 2)[::-1]"))),
        ("heads joined in the wrong order",
         ("join_heads([run.output for run in runs])", "join_heads([run.output for run in runs[::-1]])")),
        ("numbers of the heads interleaved in the join",
         (JOIN, "return pieces.transpose(1, 2, 0).reshape(n, heads * size)")),
        ("heads averaged", ("joined = join_heads([run.output for run in runs])",
                            "joined = np.tile(np.mean([run.output for run in runs], axis=0), heads)")),
        ("output projection omitted",
         ("output = joined if output_matrix is None else project(joined, output_matrix)",
          "output = joined")),
        ("output projection turned over",
         ("project(joined, output_matrix)", "project(joined, np.transpose(output_matrix))")),
        ("heads share the first piece of the queries",
         (RUNS, "attention(q0, k, v, mask) for q0, (_, k, v) in "
                "((split_heads(queries, heads)[0], piece) for piece in pieces)")),
        # ---- where queries, keys and values come from
        ("queries from the matrix of the keys", (ASK, "queries = project(asking, w_key)")),
        ("keys from the matrix of the queries", (KEY, "keys = project(read, w_query)")),
        ("query and key matrices exchanged",
         (ASK, "queries = project(asking, w_key)"), (KEY, "keys = project(read, w_query)")),
        ("values from the matrix of the keys", (VALUE, "values = project(read, w_key)")),
        ("value and key matrices exchanged",
         (KEY, "keys = project(read, w_value)"), (VALUE, "values = project(read, w_key)")),
        ("values not projected", (VALUE, "values = np.asarray(read, float)")),
        ("values from the asking side", (VALUE, "values = project(asking, w_value)")),
        ("keys from the asking side", (KEY, "keys = project(asking, w_key)")),
        ("queries from the side that is read", (ASK, "queries = project(read, w_query)")),
        ("values for queries in the heads",
         ("split_heads(queries, heads),  # each", "split_heads(keys, heads),  # each")),
        ("keys for values in the heads",
         ("split_heads(values, heads),  # each", "split_heads(keys, heads),  # each")),
    ]),
    ("attention", MASKS, [
        ("causal mask hides the token itself", (CAUSAL, CAUSAL.replace("<=", "<"))),
        ("causal mask shows the next token", (CAUSAL, CAUSAL.replace("own_place", "own_place + 1"))),
        ("causal mask the wrong way round", (CAUSAL, CAUSAL.replace("<=", ">="))),
        ("causal mask inverted", (CAUSAL, CAUSAL.replace("<=", ">"))),
        ("causal mask from the top left", (" + (n_keys - n_queries)  # (n_q, 1)", "")),
        ("causal mask shifted the wrong way", ("+ (n_keys - n_queries)  # (n_q, 1)", "- (n_keys - n_queries)")),
        ("padding by key only", (PADDING, "return np.ones_like(rows)[:, None] & columns[None, :]")),
        ("padding by query only", (PADDING, "return rows[:, None] & np.ones_like(columns)[None, :]")),
        ("padding where either is real", (PADDING, PADDING.replace("&", "|"))),
        ("padding inverted", (PADDING, "return ~(rows[:, None] & columns[None, :])")),
        ("block mask turned over", (BLOCKS, BLOCKS.replace("allowed.", "allowed.T."))),
        ("block mask spread over rows only", (BLOCKS, "return allowed.repeat(counts, axis=0)")),
        ("masks merged by either", ("np.logical_and.reduce", "np.logical_or.reduce")),
        ("only the first mask kept", ("for mask in masks])", "for mask in masks[:1]])")),
    ]),
    ("attention", ATTENTION, [
        # ---- blocks
        ("blocks: total not scaled down", ("before.total * shrink +", "before.total +")),
        ("blocks: mix not scaled down", ("mixed = before.mixed * shrink", "mixed = before.mixed * 1.0")),
        ("blocks: total scaled up", ("before.total * shrink +", "before.total / np.maximum(shrink, 1e-9) +")),
        ("blocks: no running maximum", (RUNNING, "largest = scores.max(axis=1, keepdims=True)")),
        ("blocks: no maximum at all",
         ("anchor = np.where(np.isfinite(largest), largest, 0.0)", "anchor = np.zeros_like(largest)")),
        ("blocks: minus infinity minus itself",
         ("anchor = np.where(np.isfinite(largest), largest, 0.0)", "anchor = largest")),
        ("blocks: maximum down the columns",
         (RUNNING, RUNNING.replace("axis=1", "axis=0"))),
        ("blocks: wrong divisor",
         ("output[rows] = running.mixed / running.total", "output[rows] = running.mixed / len(keys)")),
        ("blocks: not divided", ("running.mixed / running.total", "running.mixed")),
        ("blocks: divided in every block",
         ("return RunningSoftmax(largest, shrink, total, mixed)",
          "return RunningSoftmax(largest, shrink, total, mixed / total)")),
        ("blocks: no scaling", (ASKING, "asking = queries[rows]")),
        ("blocks: number of queries for head size", (ASKING, "asking = _scaled(queries[rows], len(queries))")),
        ("blocks: block size for head size", (ASKING, "asking = _scaled(queries[rows], block)")),
        ("blocks: mask ignored", ("            if allowed is not None:\n", "            if False:\n")),
        ("blocks: mask inverted", ("np.where(allowed[rows, columns],", "np.where(~allowed[rows, columns],")),
        ("blocks: mask of the first block",
         ("np.where(allowed[rows, columns],",
          "np.where(allowed[rows, : len(keys[columns])],")),
        ("blocks: only the first keys",
         ("for left in range(0, len(keys), block):", "for left in range(0, block, block):")),
        ("blocks: last key left out",
         ("for left in range(0, len(keys), block):", "for left in range(0, len(keys) - 1, block):")),
        ("blocks: values of the first block",
         ("_take_block(running, scores, values[columns])",
          "_take_block(running, scores, values[: len(keys[columns])])")),
        ("blocks: only the last block counts",
         ("running = _take_block(running, scores, values[columns])",
          "running = _take_block(_nothing_yet(len(asking), values.shape[1]), scores, values[columns])")),
        ("blocks: the scores that were given are overwritten", (".copy(), values[columns]", ", values[columns]")),
        ("blocks: a query without a key passes unnoticed",
         ("if allowed is not None and not allowed.any(axis=1).all():", "if False:")),
    ]),
    ("attention", NEIGHBOURS, [
        ("before and after exchanged", (NEIGHBOUR, NEIGHBOUR.replace("k=-1", "k=+1", 1).replace(
            "after * np.eye(n, k=1)", "after * np.eye(n, k=-1)"))),
        ("itself left out", (NEIGHBOUR, NEIGHBOUR.replace(" + itself * np.eye(n)", ""))),
        ("before used for after", (NEIGHBOUR, NEIGHBOUR.replace("after *", "before *"))),
        ("second neighbours", (NEIGHBOUR, NEIGHBOUR.replace("k=1", "k=2"))),
    ]),
    ("example", EXAMPLE, [
        ("another seed", ("\nSEED = 28", "\nSEED = 29")),
        ("another seed for the robots", ("ROBOT_SEED = 55", "ROBOT_SEED = 56")),
        ("the robots from the seed of the words", ("default_rng(ROBOT_SEED)", "default_rng(SEED)")),
        ("one draw too many", ("default_rng(seed)\n", "default_rng(seed)\n    generator.normal()\n")),
        ("one draw too many before the output matrix",
         ("    return tokens, w_query, w_key, w_value, _rounded",
          "    generator.normal()\n    return tokens, w_query, w_key, w_value, _rounded")),
        ("one draw too many for the robots",
         ("ROBOT_TOKENS = _frozen(_rounded(np.random.default_rng(ROBOT_SEED), 0.9, (2, 4)))",
          "_generator = np.random.default_rng(ROBOT_SEED)\n_generator.normal()\n"
          "ROBOT_TOKENS = _frozen(_rounded(_generator, 0.9, (2, 4)))")),
        ("rounding left out",
         ("np.round(generator.normal(0, spread, shape), 1) + 0.0", "generator.normal(0, spread, shape)")),
        ("rounded to two decimals", ("spread, shape), 1) + 0.0", "spread, shape), 2) + 0.0")),
        ("negative zeros kept", ("spread, shape), 1) + 0.0", "spread, shape), 1)")),
        ("another spread of tokens", ("tokens = _rounded(generator, 0.9,", "tokens = _rounded(generator, 0.8,")),
        ("another spread of the robots", ("0.9, (2, 4)", "0.6, (2, 4)")),
        ("another spread of the query matrix",
         ("w_query = _rounded(generator, 0.6", "w_query = _rounded(generator, 0.7")),
        ("another spread of the output matrix",
         ("w_value, _rounded(generator, 0.6, (4, 4))", "w_value, _rounded(generator, 0.5, (4, 4))")),
        ("output matrix drawn first",
         ("    tokens = _rounded", "    w_output = _rounded(generator, 0.6, (4, 4))\n    tokens = _rounded"),
         ("w_value, _rounded(generator, 0.6, (4, 4))", "w_value, w_output")),
        ("key matrix drawn before the query matrix",
         ("return tokens, w_query, w_key, w_value, _r", "return tokens, w_key, w_query, w_value, _r")),
        ("query and key matrices exchanged",
         ("QUERIES = _frozen(project(TOKENS, W_QUERY))", "QUERIES = _frozen(project(TOKENS, W_KEY))"),
         ("KEYS = _frozen(project(TOKENS, W_KEY))", "KEYS = _frozen(project(TOKENS, W_QUERY))")),
        ("values from the key matrix", ("project(TOKENS, W_VALUE)", "project(TOKENS, W_KEY)")),
        ("queries and keys exchanged", ("attention(QUERIES, KEYS, VALUES)\nRAW", "attention(KEYS, QUERIES, VALUES)\nRAW")),
        ("keys mixed", ("attention(QUERIES, KEYS, VALUES)\nRAW", "attention(QUERIES, KEYS, KEYS)\nRAW")),
        ("one head for two", ("\nHEADS = 2", "\nHEADS = 1")),
        ("four heads for two", ("\nHEADS = 2", "\nHEADS = 4")),
        ("no output projection", ("VALUES, HEADS, W_OUTPUT)", "VALUES, HEADS)")),
        ("the words ask the robots",
         ("cross_attention(ROBOT_TOKENS, TOKENS, W", "cross_attention(TOKENS, ROBOT_TOKENS, W")),
        ("numbers that can be changed by accident", ("array.setflags(write=False)", "pass")),
        ("another kernel", ("KERNEL = (0.25, 0.5, 0.25)", "KERNEL = (0.25, 0.6, 0.15)")),
    ]),
    ("experiments", EXPERIMENTS, [
        ("another seed for the spread", ("SPREAD_SEED = 36036", "SPREAD_SEED = 36037")),
        ("another seed for the winner", ("WINNER_SEED = 1798", "WINNER_SEED = 1799")),
        ("another head size", ("(4, 16, 64, 256, 1024)", "(4, 16, 64, 256, 1023)")),
        ("another number of pairs", ("sizes=HEAD_SIZES, pairs=2000", "sizes=HEAD_SIZES, pairs=1999")),
        ("spread: one draw too many", (SPREAD_HEAD, more(SPREAD_HEAD))),
        ("winner: one draw too many", (WINNER_HEAD, more(WINNER_HEAD))),
        ("slopes: one draw too many", (SLOPE_HEAD, more(SLOPE_HEAD))),
        ("spread: a generator a size",
         ("score_samples(size, pairs, generator).std()",
          "score_samples(size, pairs, np.random.default_rng(seed)).std()")),
        ("spread: keys before queries",
         ("    queries = generator.standard_normal((pairs, size))  # (pairs, d)\n"
          "    keys = generator.standard_normal((pairs, size))  # (pairs, d)\n",
          "    both = generator.standard_normal((pairs, 2 * size))\n"
          "    queries, keys = both[:, :size], both[:, size:]\n")),
        ("spread: one key for all", ("return (queries * keys).sum(axis=1)", "return queries @ keys[0]")),
        ("spread: down the columns", ("(queries * keys).sum(axis=1)", "(queries * keys).sum(axis=0)")),
        ("spread: variance", ("generator).std() for", "generator).var() for")),
        ("spread: divided by one less", ("generator).std() for", "generator).std(ddof=1) for")),
        ("spread: divided by the head size", ("raw / np.sqrt(sizes))", "raw / sizes)")),
        ("spread: not divided", ("raw, raw / np.sqrt(sizes))", "raw, raw)")),
        ("winner: another number of keys",
         ('def winner_share(seed=WINNER_SEED, sizes=HEAD_SIZES, n_queries=512, n_keys=64)',
          'def winner_share(seed=WINNER_SEED, sizes=HEAD_SIZES, n_queries=512, n_keys=65)')),
        ("winner: another number of queries",
         ('def winner_share(seed=WINNER_SEED, sizes=HEAD_SIZES, n_queries=512, n_keys=64)',
          'def winner_share(seed=WINNER_SEED, sizes=HEAD_SIZES, n_queries=511, n_keys=64)')),
        ("winner: smallest weight", ("raw.append(softmax(scores).max(", "raw.append(softmax(scores).min(")),
        ("winner: of a key among the queries",
         ("raw.append(softmax(scores).max(axis=1)", "raw.append(softmax(scores.T).max(axis=1)")),
        ("winner: the largest of all",
         ("softmax(scores).max(axis=1).mean()", "softmax(scores).max(axis=1).max()")),
        ("winner: scaled by the head size", ("softmax(scores / np.sqrt(size))", "softmax(scores / size)")),
        ("winner: raw and scaled exchanged",
         ("Winner(sizes, np.array(raw), np.array(scaled))", "Winner(sizes, np.array(scaled), np.array(raw))")),
        ("slopes: w times w", ("(w * (1 - w))", "(w * w)")),
        ("slopes: mean for total", ("(w * (1 - w)).sum(axis=1)", "(w * (1 - w)).mean(axis=1)")),
        ("slopes: raw and scaled exchanged", ("(raw, raw / np.sqrt(size))]", "(raw / np.sqrt(size), raw)]")),
        ("law: entries not doubled", ("2 * q * 2 * k", "2 * q * k")),
        ("law: no number repeated", ("q[:, :1] * k[:, :1] * np.ones(size)", "q * k")),
        ("law: another key", ("np.ones(size), q * q]", "np.ones(size), q * k]")),
        ("law: variance", ("scores.std(axis=1)])", "scores.var(axis=1)])")),
    ]),
    ("cost", COST, [
        ("three projections", ("return 4 * n * width * width", "return 3 * n * width * width")),
        ("projections: wrong power of the width", ("return 4 * n * width * width", "return 4 * n * width")),
        ("projections: wrong power of the tokens",
         ("return 4 * n * width * width", "return 4 * n * n * width * width")),
        ("projections: counted as FLOPs", ("return 4 * n * width * width", "return 8 * n * width * width")),
        ("grid: mix forgotten", ("return 2 * n * n * width", "return n * n * width")),
        ("grid: wrong power of the tokens", ("return 2 * n * n * width", "return 2 * n * width")),
        ("grid: cubed tokens", ("return 2 * n * n * width", "return 2 * n**3 * width")),
        ("grid: wrong power of the width", ("return 2 * n * n * width", "return 2 * n * n * width**2")),
        ("grid: half, as if causal", ("return 2 * n * n * width", "return n * (n + 1) * width")),
        ("grid: counted as FLOPs", ("return 2 * n * n * width", "return 4 * n * n * width")),
        ("share: of the projections", ("return grid / (grid + p", "return grid / (p")),
        ("share: inverted", ("return grid / (grid + projection_steps(n, width))",
                             "return 1 - grid / (grid + projection_steps(n, width))")),
        ("crossing at the width", ('return 2 * _whole("width", width)', 'return _whole("width", width)')),
        ("crossing at the width squared",
         ('return 2 * _whole("width", width)', 'return _whole("width", width) ** 2')),
        ("grid: heads forgotten", (' * _whole("heads", heads)\n\n\ndef grid_bytes', "\n\n\ndef grid_bytes")),
        ("grid: keys forgotten", ("n_keys = n if n_keys is None else n_keys", "n_keys = n")),
        ("grid: unordered pairs", ('return _whole("n", n) * _w', 'return _whole("n", n) // 2 * _w')),
        ("bytes: heads forgotten", ("return grid_numbers(n, heads) * _w", "return grid_numbers(n) * _w")),
        ("bytes: bytes forgotten",
         ('grid_numbers(n, heads) * _whole("bytes_a_number", bytes_a_number)', "grid_numbers(n, heads)")),
        ("four bytes a number", ("BYTES_A_NUMBER = 2", "BYTES_A_NUMBER = 4")),
        ("parameters: values forgotten", ("projections = 3 * heads", "projections = 2 * heads")),
        ("parameters: output forgotten", ("return projections + output", "return projections")),
        ("parameters: of one head", ("projections = 3 * heads * width * size", "projections = 3 * width * size")),
        ("parameters: grow with heads", ("output = heads * size * width", "output = heads * width * width")),
        ("head size: number of heads", ("return width // heads", "return heads")),
        ("head size: width", ("return width // heads", "return width")),
        ("divisors: one left out", ("range(1, width + 1)", "range(1, width)")),
        ("divisors: all", (" if width % h == 0]", "]")),
        ("decimal megabytes", ("MIB = 1024**2", "MIB = 1000**2")),
        ("decimal gigabytes", ("GIB = 1024**3", "GIB = 1000**3")),
        ("another width", ("\nWIDTH = 768", "\nWIDTH = 756")),
        ("another number of heads", ("\nHEADS = 12", "\nHEADS = 6")),
        ("another number of layers", ("\nLAYERS = 12", "\nLAYERS = 11")),
        ("another stream", ("(256, 12, 1, 8)", "(256, 12, 1, 7)")),
        ("stream turned over", ("STREAM_ALLOWED.setflags", "STREAM_ALLOWED = STREAM_ALLOWED.T\nSTREAM_ALLOWED.setflags")),
        ("stream: a picture sees the joint",
         ("    [\n        [True, True, False, False],\n        [True, True, False, False],\n        [True, True, T",
          "    [\n        [True, True, True, False],\n        [True, True, False, False],\n        [True, True, T")),
        ("stream: the joint does not see itself",
         ("[True, True, True, False]", "[True, True, False, False]")),
        ("stream: an action does not see actions", ("[True, True, True, True]", "[True, True, True, False]")),
    ]),
    ("show", SHOW, [
        ("a hyphen for a minus", ('return text.replace("-", MINUS)', "return text")),
        ("no minus at all", ('return text.replace("-", MINUS)', 'return text.replace("-", "")')),
        ("a negative zero", ('text = text.lstrip("+-")', "pass")),
        ("a sign on zero", ('text.lstrip("+-")', 'text.lstrip("-")')),
        ("NaN written as a number", ("or not np.isfinite(value):", "or False:")),
        ("fractions written as whole numbers", ("if value != int(value):", "if False:")),
        ("digits cut off", ("text = format(value, form)", 'text = format(value, form)[:-1] + "0"')),
    ]),
    ("prose", PROSE, [
        ("unbound numerals accepted", ("    unbound(pending)\n    return problems", "    return problems")),
        ("unbound numerals before a marker accepted", ("        unbound(pending[:cut])\n", "")),
        ("differing numerals accepted", ("printed != should:", "False:")),
        ("the last digit not compared", ("printed != should:", "printed[:-1] != should[:-1]:")),
        ("signs not compared",
         ('sign = (match["sign"] or "").replace("-", MINUS)', 'sign = ""')),
        ("any reason accepted", ("if reason not in REASONS:", "if False:")),
        ("one reason for any number of numerals",
         ('[("", None)] * int(count or 1)', '[("", None)] * len(pending)')),
        ("missing numerals accepted", ("if len(wanted) > len(pending):", "if False:")),
        ("unknown facts accepted", ("        raise ValueError(f\"no fact is called {identity!r}\")", "        return []")),
        ("fractions without a form accepted",
         ("if not np.issubdtype(value.dtype, np.integer):", "if False:")),
        ("a line that hides its text accepted",
         ("if not plain[line_start : marker.start()].strip() and", "if False and")),
        ("formulas not read", ("COMMAND.sub(_keep_length, SCRIPT.sub(_keep_length, formula[0]))",
                               "_keep_length(formula)")),
        ("numbers in formulas not read", ('    text = text.replace("{,}", ",")\n    for pattern in BLANK',
                                         '    for pattern in BLANK')),
        ("the place of a fact ignored", ("value = value[int(step)]", "value = value[0]")),
        ("no equation found false", ('if relation == "=" and a != b:', "if False:")),
        ("no near equation found false", ('elif relation != "=":', "elif False:")),
        ("equality taken for nearness", ('if relation == "=" and a != b:', 'if relation == "=" and abs(a - b) > 1:')),
        ("nearness ten times as wide", ("terms * _unit(right) / 2", "10 * terms * _unit(right)")),
        ("equations outside formulas not read", ("for plain in PLAIN_EQUATION.finditer(rest):", "for plain in ():")),
        ("later lines of a formula not read",
         ("parts[0] = before", "continue")),
        ("minus not read as minus", ('"/", text).replace(MINUS, "-")', '"/", text)')),
        ("roots not read", ('text = re.sub(r"\\\\sqrt\\{([^{}]*)\\}", r"sqrt(\\1)", text)', "pass")),
        ("powers read as products", ('r"**(\\1)"', 'r"*(\\1)"')),
    ]),
    ("notebooks", NOTEBOOKS, [
        ("cells never run accepted", ('if cell["execution_count"] != count:', "if False:")),
        ("cleared outputs accepted", ('if not cell["outputs"]:', "if False:")),
        ("skipped cells accepted", ("    if told:\n", "    if False:\n")),
        ("errors accepted", ('if output["output_type"] == "error" or', "if")),
        ("unstable outputs accepted", ("if found := pattern.search(_text(output)):", "if found := None:")),
        ("pictures not looked at", ('if SVG in output.get("data", {}) and "slider" not in cell["metadata"]:', "if False:")),
        ("another alternative text accepted",
         (' or alt != "".join(output["data"]["text/plain"]):', ":")),
        ("a picture without a file accepted", ("    if not stored.exists():\n        yield f\"its picture has no file {stored.name}\"\n    elif", "    if stored.exists() and")),
        ("another picture accepted",
         ('elif stored.read_text(encoding="utf-8") != "".join(output["data"][SVG]):', "elif False:")),
        ("a picture without a name accepted", ('if not name.startswith("fig-"):', 'if False:')),
    ]),
    ("proof", PROOF, [
        ("no scaling", ("            fit = fit / math.sqrt(len(query))\n", "")),
        ("mask ignored", ("scores.append(fit if may else -math.inf)", "scores.append(fit)")),
        ("not divided", ("[number / sum(raised) for number in raised]", "raised")),
        ("keys from the value matrix", ("keys = _multiply_by_loops(read.tolist(), w_key)",
                                        "keys = _multiply_by_loops(read.tolist(), w_value)")),
        ("differences not looked for", ("float(np.abs(other[name] - step).max())", "0.0")),
    ]),
    ("gallery", [[UNIT("draw_section1")]], [
        ("the vector of another token", ("draw.embedding_blind(example.TOKENS[3])", "draw.embedding_blind(example.TOKENS[2])")),
        ("the weights of another token", ("draw.cube_arrows(example.WEIGHTS[3]", "draw.cube_arrows(example.WEIGHTS[2]")),
    ]),
    ("gallery", [[UNIT("draw_section2")]], [
        ("the query of another token", ("            example.QUERIES[3],\n            example.KEYS[0],", "            example.QUERIES[2],\n            example.KEYS[0],")),
    ]),
    ("gallery", [[UNIT("draw_section6")]], [
        ("causal mask inverted", ("softmax(scores, causal), causal, names", "softmax(scores, causal), ~causal, names")),
        ("weights of the words for those of the robots",
         ("example.WEIGHTS, example.CROSS.weights, names, example.ROBOT", "example.WEIGHTS, example.WEIGHTS[:2], names, example.ROBOT")),
    ]),
    ("widgets", [[FRAMES("angle")]], [
        ("a vector that turns the wrong way", ("[np.cos(np.radians(angles)), np.sin", "[np.sin(np.radians(angles)), np.sin")),
    ]),
    ("widgets", [[FRAMES("head_size")]], [
        ("a generator a size", ("raw = experiments.score_samples(size, 2000, generator)",
                                "raw = experiments.score_samples(size, 2000, np.random.default_rng(seed))")),
        ("divided by the head size", ("scaled = raw / np.sqrt(size)", "scaled = raw / size")),
    ]),
    ("widgets", [[FRAMES("lead")]], [
        ("steps of a half", ("np.arange(-6, 6.01, 0.25)", "np.arange(-6, 6.01, 0.5)")),
        ("the other key's share first", ("draw.slider_lead(leads, shares[:, 0], x, s)",
                                         "draw.slider_lead(leads, shares[:, 0], x, s[::-1])")),
    ]),
    ("widgets", [[FRAMES("token")]], [
        ("queries and keys exchanged", ("run = attention(queries, keys, values)", "run = attention(keys, queries, values)")),
        ("the row of another token", ("raised[i], run.weights[i], np", "raised[i], run.weights[i - 1], np")),
    ]),
    ("widgets", [[FRAMES("heads")]], [
        ("scores of one head", ("[cost.grid_numbers(tokens, count)]", "[cost.grid_numbers(tokens)]")),
        ("one head more", ("multi_head_attention(queries, keys, values, count).heads", "multi_head_attention(queries, keys, values, 1).heads")),
    ]),
    ("widgets", [[FRAMES("mask")]], [
        ("mask inverted", ("np.array([i not in gone", "np.array([i in gone")),
        ("no causal pattern", ('("the future", causal_mask(n))', '("the future", causal_mask(n).T)')),
    ]),
    ("widgets", [[FRAMES("window")]], [
        ("another width", ("def window(ns=cost.WINDOWS, widths=cost.WIDTHS)", "def window(ns=cost.WINDOWS, widths=(256, 768, 4095))")),
        ("share of another length", ("cost.grid_share(n, width), memory", "cost.grid_share(n), memory")),
        ("memory of one head", ("memory(cost.grid_bytes(n))", "memory(cost.grid_bytes(n, 1))")),
    ]),
]  # fmt: skip
