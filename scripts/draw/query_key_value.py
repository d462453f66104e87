"""Pictures of section 2: query, key and value."""

from scripts.draw.canvas import Canvas, Grid, Names, Picture, Row, picture
from scripts.draw.style import MEASURE, SMALL
from scripts.draw.words import ORDINALS, by_rows, ordinal
from scripts.numbers import show, shows


@picture("one-pair")
def one_pair(
    query: Row, key: Row, score: float, weight: float, value: Row, share: Row, *, asking: str, answering: str
) -> Picture:
    """Draw one pair of tokens: the query of the one that asks, key and value of the one that answers.

    What travels is the `share`, weight times value.
    """
    left, middle, right = 1.3, 2.9, 4.3
    half = len(query) * 0.54 / 2
    sheet = Canvas(4.78, f"“{asking}” asks, “{answering}” answers, and a value travels")

    def vector(row, x, y, name, role, title):
        sheet.grid([row], x - half, y, name=name, role=role, cell=(0.54, 0.36), title=title)

    for x, words in ((left, f"“{asking}” asks"), (right, f"“{answering}” answers")):
        sheet.box(x - 0.7, 0.45, 1.4, 0.36, role="token", fill="token", line=1.4)
        sheet.text(x, 0.68, words, va="baseline")
        sheet.arrow((x, 0.83), (x, 1.0), role="token")
    vector(query, left, 1.28, "query", "query", f"query of “{asking}”")
    vector(key, right, 1.28, "key", "key", f"key of “{answering}”")
    sheet.arrow((left, 1.68), (middle - 0.4, 2.02), role="query", width=1.6)
    sheet.arrow((right, 1.68), (middle + 0.4, 2.02), role="key", width=1.6)

    sheet.box(middle - 0.75, 2.05, 1.5, 0.36, role="ink", line=1.4)
    sheet.text(middle - 0.62, 2.28, "score", ha="left", va="baseline")
    sheet.number(middle + 0.62, 2.28, score, ".3f", ha="right", va="baseline", gid="number:score:0:0")
    sheet.arrow((middle - 0.4, 2.44), (left, 2.83), width=1.6)
    sheet.note(0.2, 2.4, "compared with the\nother three scores", ha="left", va="center")

    sheet.box(left - 0.75, 2.86, 1.5, 0.36, role="ink", line=1.4)
    sheet.box(left - 0.75, 2.86, 1.5, 0.36, role=None, fill="weight", opacity=weight, gid="cell:weight:0:0")
    sheet.text(left - 0.64, 3.09, "weight", ha="left", va="baseline")
    sheet.number(left + 0.64, 3.09, weight, ".3f", ha="right", va="baseline", gid="number:weight:0:0")
    side = right + half + 0.2
    sheet.line([right + 0.7, side, side], [0.63, 0.63, 3.04], role="value", width=1.6)
    sheet.arrow((side, 3.04), (right + half + 0.02, 3.04), role="value", width=1.6)
    vector(value, right, 2.86, "value", "value", f"value of “{answering}”")
    sheet.text((left + 0.75 + right - half) / 2, 3.1, "×", size=15, va="baseline")

    sheet.arrow((left, 3.25), (middle - half - 0.03, 3.7), width=1.6)
    sheet.arrow((right, 3.25), (middle + half + 0.03, 3.7), role="value", width=1.6)
    vector(share, middle, 3.58, "share", "value", "what travels")
    sheet.arrow((middle, 3.97), (middle, 4.24), role="output", width=1.6)
    sheet.box(middle - 1.0, 4.27, 2.0, 0.38, role="output", fill="output", line=1.6)
    sheet.text(middle, 4.51, f"new vector of “{asking}”", va="baseline")
    words = "and what the other\ntokens send joins it"
    sheet.note(middle + 1.12, 4.46, words, ha="left", va="center")
    return sheet.done(
        caption=f"One pair of tokens. The key of “{answering}” decides how much travels; its "
        "value is what travels.",
        alt=f"“{answering}” gets the weight {show(weight, '.3f')} and sends its value times that. Arrows "
        f"lead from top to bottom, “{asking}” at the left, “{answering}” at the right. "
        f"The query of “{asking}” is {shows(query, '+.2f')}. The key of “{answering}” is "
        f"{shows(key, '+.2f')}. They meet in the score {show(score, '.3f')}. Compared with the other "
        f"scores it becomes the weight {show(weight, '.3f')}. The value of “{answering}” comes down "
        f"on a way of its own: {shows(value, '+.2f')}. Weight times value is what travels: "
        f"{shows(share, '+.2f')}. It goes into the new vector of “{asking}”, and what the other tokens "
        "send joins it.",
    )


@picture("three-matrices")
def three_matrices(w_query: Grid, w_key: Grid, w_value: Grid) -> Picture:
    """Draw the three learned matrices, each of shape (model dimension, head size)."""
    cell = (0.42, 0.38)
    sheet = Canvas(1.18 + cell[1] * len(w_query), "Three matrices, shared by every token")
    x, told = 0.46, []
    for k, (role, matrix) in enumerate((("query", w_query), ("key", w_key), ("value", w_value))):
        rows, columns = (ORDINALS[:length] for length in matrix.shape)
        names = {
            "rows": rows if k == 0 else (),
            "columns": columns,
            "row_role": "muted",
            "column_role": "muted",
        }
        how = {"name": f"w-{role}", "role": role, "form": "+.1f", "title": f"{role}: W_{role[0]}"}
        x = sheet.grid(matrix, x, 1.05, cell=cell, size=SMALL, **names, **how).right + 0.12
        lines = by_rows([f"{ordinal(i)} row" for i in range(len(matrix))], matrix, "+.1f")
        told.append(f"{role.capitalize()} matrix W_{role[0]}. {lines}")
    return sheet.done(
        caption="The three matrices of the example: one makes queries, one keys, one values.",
        alt=f"Three matrices side by side, each of {show(len(w_query), 'd')} rows and "
        f"{show(w_query.shape[1], 'd')} columns, with no names but their numbers. {' '.join(told)}",
    )


@picture("query-by-hand")
def query_by_hand(row: Row, matrix: Grid, products: Grid, query: Row, *, token: str) -> Picture:
    """Draw a token's row run down every column of the query matrix: products, and their sums, the query."""
    top, high, wide, entry = 1.18, 0.42, 1.24, 0.46
    bottom = top + high * len(row)
    sheet = Canvas(bottom + 1.06, f"The row of “{token}” runs down each column of W_q")
    start = 0.8
    panels = [start + j * wide for j in range(matrix.shape[1])]
    end = panels[-1] + entry
    sheet.grid(row[:, None], 0.1, top, name="row", role="token", cell=(0.48, high), title=token)
    sheet.brace(start, end, 0.7, up=True, role="query")
    sheet.text((start + end) / 2, 0.52, "columns of the query matrix W_q", role="query", bold=True)
    look = {"role": "query", "column_role": "query", "form": "+.1f", "cell": (entry, high)}
    for j, x in enumerate(panels):
        column, name = matrix[:, j : j + 1], f"w-query-column{j}"
        grid = sheet.grid(column, x, top, name=name, columns=ORDINALS[j : j + 1], **look)
        for i in range(len(row)):
            y = grid.cell(i, 0)[1]
            if j == 0:
                sheet.text(start - 0.11, y, "×", role="muted")
            sheet.text(x + entry + 0.1, y, "=", role="muted")
            sheet.number(x + 1.12, y, products[i, j], "+.2f", ha="right", gid=f"number:products:{i}:{j}")
        sheet.line([x + entry + 0.18, x + 1.13], [bottom + 0.04] * 2)
        total = (x + entry + 0.1, bottom + 0.12, 1.21 - entry - 0.14, 0.38)
        sheet.box(*total, role="query", fill="query", line=1.6, gid=f"cell:query:0:{j}")
        y, gid = bottom + 0.31, f"number:query:0:{j}"
        sheet.number(x + 1.12, y, query[j], "+.2f", ha="right", bold=True, gid=gid)
    sheet.text(0.1, bottom + 0.31, "added up", ha="left", role="muted")
    first, last = panels[0] + entry + 0.14, panels[-1] + 1.21
    sheet.brace(first, last, bottom + 0.67, role="query")
    sheet.text((first + last) / 2, bottom + 0.86, f"the query of “{token}”", role="query", bold=True)
    sums = " ".join(
        f"Down the {ordinal(j)} column: "
        + ", ".join(
            f"{show(a, '+.1f')} times {show(b, '+.1f')} is {show(c, '+.2f')}"
            for a, b, c in zip(row, column, parts, strict=True)
        )
        + f"; together {show(total, '+.2f')}."
        for j, (column, parts, total) in enumerate(zip(matrix.T, products.T, query, strict=True))
    )
    return sheet.done(
        caption=f"Four products and one sum for each column: the "
        f"{matrix.size} products that make the query of “{token}”.",
        alt=f"It gives the query {shows(query, '+.2f')}. The vector of “{token}” stands upright at the "
        f"left. Beside it stand the columns of the query matrix, each with its products at the right "
        f"and their sum below. {sums}",
    )


@picture("qkv-grids")
def qkv_grids(tokens: Grid, queries: Grid, keys: Grid, values: Grid, names: Names) -> Picture:
    """Draw the tokens and the three matrices that are made of them."""
    wide, high = cell = (0.51, 0.34)
    sheet = Canvas(1.65 + 2 * len(names) * high, "One matrix of tokens becomes three")
    xs, ys = (0.52, MEASURE - 0.08 - 4 * wide), (0.72, 1.5 + len(names) * high)

    def grid(values, column, row, title, role):
        how = {"name": title.split()[0], "title": title, "rows": names, "cell": cell, "size": SMALL}
        return sheet.grid(values, xs[column], ys[row], role=role, **how)

    source = grid(tokens, 0, 0, "tokens X", "token")
    query = grid(queries, 1, 0, "queries Q", "query")
    key = grid(keys, 0, 1, "keys K", "key")
    value = grid(values, 1, 1, "values V", "value")
    (x, y), right, bottom = source.middle, source.right, source.bottom
    sheet.arrow((right + 0.06, y), (query.x - 0.56, y), role="query", width=1.6)
    sheet.text((right + query.x - 0.5) / 2, y - 0.12, "× W_q", role="query", va="baseline")
    sheet.arrow((x, bottom + 0.06), (x, key.y - 0.34), role="key", width=1.6)
    sheet.text(x + 0.12, (bottom + key.y - 0.2) / 2, "× W_k", role="key", ha="left", va="baseline")
    sheet.arrow((right + 0.05, bottom + 0.05), (value.x - 0.2, value.y - 0.16), role="value", width=1.6)
    y = (bottom + value.y) / 2 - 0.1
    sheet.text(right + 0.72, y, "× W_v", role="value", ha="left", va="baseline")
    return sheet.done(
        caption="Every token run through the three matrices: a query, a key and a value for each.",
        alt="Top left stand the tokens. Arrows lead from them to the queries at the right, to the keys "
        "below, and to the values below at the right. All four matrices have a row for each token. "
        f"Tokens X. {by_rows(names, tokens, '+.1f')} "
        f"Queries Q, which are X times W_q. {by_rows(names, queries, '+.2f')} "
        f"Keys K, which are X times W_k. {by_rows(names, keys, '+.2f')} "
        f"Values V, which are X times W_v. {by_rows(names, values, '+.2f')}",
    )
