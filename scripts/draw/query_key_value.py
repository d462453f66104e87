"""Pictures of section 2: query, key and value."""

from scripts import example
from scripts.draw import style
from scripts.draw.canvas import Canvas, picture
from scripts.draw.words import PLACES, place, rows
from scripts.numbers import show, shows


@picture("one-pair")
def one_pair(query, key, score, weight, value, share, asking=example.ORDER[-1], answering=example.ORDER[0]):
    """Draw one pair of tokens from asking to giving.

    Parameters
    ----------
    query : ndarray of shape (d,)
        Of the asking token.
    key, value : ndarray of shape (d,)
        Of the answering token.
    score, weight : float
        Of this pair.
    share : ndarray of shape (d,)
        What travels: weight times value.
    asking, answering : str

    Returns
    -------
    Picture
    """
    left, middle, right = 1.3, 2.9, 4.3
    cell, d = (0.54, 0.36), len(query)
    half = d * cell[0] / 2
    sheet = Canvas(4.78, f"“{asking}” asks, “{answering}” answers, and a share travels")

    for x, words in ((left, f"“{asking}” asks"), (right, f"“{answering}” answers")):
        sheet.box(x - 0.7, 0.45, 1.4, 0.36, role="token", fill="token", line=1.4)
        sheet.text(x, 0.68, words, va="baseline")
        sheet.arrow((x, 0.83), (x, 1.0), role="token")
    sheet.grid(
        [query], left - half, 1.28, name="query", role="query", cell=cell, title=f"query of “{asking}”"
    )
    sheet.grid([key], right - half, 1.28, name="key", role="key", cell=cell, title=f"key of “{answering}”")
    sheet.arrow((left, 1.68), (middle - 0.4, 2.02), role="query", width=1.6)
    sheet.arrow((right, 1.68), (middle + 0.4, 2.02), role="key", width=1.6)

    sheet.box(middle - 0.75, 2.05, 1.5, 0.36, role="ink", line=1.4)
    sheet.text(middle - 0.62, 2.28, "score", ha="left", va="baseline")
    sheet.number(middle + 0.62, 2.28, score, ".3f", ha="right", va="baseline", gid="number:score:0:0")
    sheet.arrow((middle - 0.4, 2.44), (left, 2.83), width=1.6)
    sheet.text(
        0.2, 2.4, "set beside the other\nthree scores", ha="left", va="center", role="muted", size=style.SMALL
    )

    sheet.box(left - 0.75, 2.86, 1.5, 0.36, role="ink", line=1.4)
    sheet.box(left - 0.75, 2.86, 1.5, 0.36, role=None, fill="weight", opacity=weight, gid="cell:weight:0:0")
    sheet.text(left - 0.64, 3.09, "weight", ha="left", va="baseline")
    sheet.number(left + 0.64, 3.09, weight, ".3f", ha="right", va="baseline", gid="number:weight:0:0")
    side = right + half + 0.2
    sheet.line([right + 0.7, side, side], [0.63, 0.63, 3.04], role="value", width=1.6)
    sheet.arrow((side, 3.04), (right + half + 0.02, 3.04), role="value", width=1.6)
    sheet.grid(
        [value], right - half, 2.86, name="value", role="value", cell=cell, title=f"value of “{answering}”"
    )
    sheet.text((left + 0.75 + right - half) / 2, 3.1, "×", size=15, va="baseline")

    sheet.arrow((left, 3.25), (middle - half - 0.03, 3.7), width=1.6)
    sheet.arrow((right, 3.25), (middle + half + 0.03, 3.7), role="value", width=1.6)
    sheet.grid([share], middle - half, 3.58, name="share", role="value", cell=cell, title="what travels")
    sheet.arrow((middle, 3.97), (middle, 4.24), role="output", width=1.6)
    sheet.box(middle - 1.0, 4.27, 2.0, 0.38, role="output", fill="output", line=1.6)
    sheet.text(middle, 4.51, f"new vector of “{asking}”", va="baseline")
    sheet.text(
        middle + 1.12,
        4.46,
        "and the shares of the\nother tokens join it",
        ha="left",
        va="center",
        role="muted",
        size=style.SMALL,
    )
    return sheet.done(
        caption=f"One pair of tokens. The key of “{answering}” settles the size of the share; its "
        "value is what is shared.",
        alt=f"“{answering}” gets the weight {show(weight, '.3f')} and sends its value times that. Arrows "
        f"lead from top to bottom, “{asking}” at the left, “{answering}” at the right. "
        f"The query of “{asking}” is {shows(query, '+.2f')}. The key of “{answering}” is "
        f"{shows(key, '+.2f')}. They meet in the score {show(score, '.3f')}. Set beside the other "
        f"scores it becomes the weight {show(weight, '.3f')}. The value of “{answering}” comes down "
        f"on a way of its own: {shows(value, '+.2f')}. Weight times value is what travels: "
        f"{shows(share, '+.2f')}. It goes into the new vector of “{asking}”, and the shares of the "
        "other tokens join it.",
    )


@picture("three-matrices")
def three_matrices(w_query, w_key, w_value):
    """Draw the three learned matrices.

    Parameters
    ----------
    w_query, w_key, w_value : ndarray of shape (w, d)

    Returns
    -------
    Picture
    """
    cell = (0.42, 0.38)
    sheet = Canvas(1.18 + cell[1] * len(w_query), "Three matrices, shared by every token")
    x = 0.46
    for name, role, matrix in (
        ("query", "query", w_query),
        ("key", "key", w_key),
        ("value", "value", w_value),
    ):
        grid = sheet.grid(
            matrix,
            x,
            1.05,
            name=f"w-{name}",
            role=role,
            form="+.1f",
            cell=cell,
            size=style.SMALL,
            rows=PLACES[: len(matrix)] if x < 0.5 else (),
            columns=PLACES[: matrix.shape[1]],
            row_role="muted",
            column_role="muted",
            title=f"{name}: W_{name[0]}",
        )
        x = grid.right + 0.12
    return sheet.done(
        caption="The three matrices of the example: one makes queries, one keys, one values.",
        alt=f"Three grids side by side, each of {show(len(w_query), 'd')} rows and "
        f"{show(w_query.shape[1], 'd')} columns, with no names but their numbers. "
        + " ".join(
            f"{name}. " + rows([f"{place(i)} row" for i in range(len(matrix))], matrix, "+.1f")
            for name, matrix in (
                ("Query matrix W_q", w_query),
                ("Key matrix W_k", w_key),
                ("Value matrix W_v", w_value),
            )
        ),
    )


@picture("query-by-hand")
def query_by_hand(row, matrix, products, query, token=example.ORDER[-1]):
    """Draw a token's row run down every column of the query matrix.

    Parameters
    ----------
    row : ndarray of shape (w,)
        The token.
    matrix, products : ndarray of shape (w, d)
        The query matrix, and each of its numbers times the token's number of that row.
    query : ndarray of shape (d,)
        The sums of the columns of `products`.
    token : str

    Returns
    -------
    Picture
    """
    top, high, wide, entry = 1.18, 0.42, 1.24, 0.46
    bottom = top + high * len(row)
    sheet = Canvas(bottom + 1.06, f"The row of “{token}” runs down each column of W_q")
    start = 0.8
    panels = [start + j * wide for j in range(matrix.shape[1])]
    sheet.grid(row[:, None], 0.1, top, name="row", role="token", form="+.1f", cell=(0.48, high), title=token)
    sheet.brace(start, panels[-1] + entry, 0.7, up=True, role="query")
    sheet.text(
        (start + panels[-1] + entry) / 2, 0.52, "columns of the query matrix W_q", role="query", bold=True
    )
    for j, x in enumerate(panels):
        grid = sheet.grid(
            matrix[:, j : j + 1],
            x,
            top,
            name=f"w-query-column{j}",
            role="query",
            form="+.1f",
            cell=(entry, high),
            columns=PLACES[j : j + 1],
            column_role="query",
        )
        for i in range(len(row)):
            y = grid.cell(i, 0)[1]
            if j == 0:
                sheet.text(start - 0.11, y, "×", role="muted")
            sheet.text(x + entry + 0.1, y, "=", role="muted")
            sheet.number(x + 1.12, y, products[i, j], "+.2f", ha="right", gid=f"number:products:{i}:{j}")
        sheet.line([x + entry + 0.18, x + 1.13], [bottom + 0.04] * 2, width=1.2)
        sheet.box(
            x + entry + 0.1,
            bottom + 0.12,
            1.21 - entry - 0.14,
            0.38,
            role="query",
            fill="query",
            line=1.6,
            gid=f"cell:query:0:{j}",
        )
        sheet.number(
            x + 1.12, bottom + 0.31, query[j], "+.2f", ha="right", bold=True, gid=f"number:query:0:{j}"
        )
    sheet.text(0.1, bottom + 0.31, "added up", ha="left", role="muted")
    first, last = panels[0] + entry + 0.14, panels[-1] + 1.21
    sheet.brace(first, last, bottom + 0.67, role="query")
    sheet.text((first + last) / 2, bottom + 0.86, f"the query of “{token}”", role="query", bold=True)
    sums = " ".join(
        f"Down the {place(j)} column: "
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
        f"and their total below. {sums}",
    )


@picture("qkv-grids")
def qkv_grids(tokens, queries, keys, values, names):
    """Draw the tokens and the three grids that are made of them.

    Parameters
    ----------
    tokens : ndarray of shape (n, w)
    queries, keys, values : ndarray of shape (n, d)
    names : sequence of str, length n

    Returns
    -------
    Picture
    """
    n = len(names)
    cell, size = (0.51, 0.34), style.SMALL
    sheet = Canvas(1.65 + 2 * n * cell[1], "One grid of tokens becomes three grids")
    x, y = (0.52, style.MEASURE - 0.08 - 4 * cell[0]), (0.72, 1.5 + n * cell[1])

    def grid(values, column, row, name, role, form, title):
        return sheet.grid(
            values,
            x[column],
            y[row],
            name=name,
            role=role,
            form=form,
            cell=cell,
            size=size,
            rows=names,
            title=title,
        )

    source = grid(tokens, 0, 0, "tokens", "token", "+.1f", "tokens X")
    query = grid(queries, 1, 0, "queries", "query", "+.2f", "queries Q")
    key = grid(keys, 0, 1, "keys", "key", "+.2f", "keys K")
    value = grid(values, 1, 1, "values", "value", "+.2f", "values V")
    sheet.arrow(
        (source.right + 0.06, source.middle[1]), (query.x - 0.56, source.middle[1]), role="query", width=1.6
    )
    sheet.text(
        (source.right + query.x - 0.5) / 2, source.middle[1] - 0.12, "× W_q", role="query", va="baseline"
    )
    sheet.arrow(
        (source.middle[0], source.bottom + 0.06), (source.middle[0], key.y - 0.34), role="key", width=1.6
    )
    sheet.text(
        source.middle[0] + 0.12,
        (source.bottom + key.y - 0.2) / 2,
        "× W_k",
        role="key",
        ha="left",
        va="baseline",
    )
    sheet.arrow(
        (source.right + 0.05, source.bottom + 0.05), (value.x - 0.2, value.y - 0.16), role="value", width=1.6
    )
    sheet.text(
        source.right + 0.72,
        (source.bottom + value.y) / 2 - 0.1,
        "× W_v",
        role="value",
        ha="left",
        va="baseline",
    )
    return sheet.done(
        caption="Every token run through the three matrices: a query, a key and a value for each.",
        alt="Top left stand the tokens. Arrows lead from them to the queries at the right, to the keys "
        "below, and to the values below at the right. All four grids have a row for each token. "
        + " ".join(
            f"{title}. {rows(names, part, form)}"
            for title, part, form in (
                ("Tokens X", tokens, "+.1f"),
                ("Queries Q, which are X times W_q", queries, "+.2f"),
                ("Keys K, which are X times W_k", keys, "+.2f"),
                ("Values V, which are X times W_v", values, "+.2f"),
            )
        ),
    )
