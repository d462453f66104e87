"""Facts that sentences tell in words, or that pictures and exercises use: worked here once more."""

import numpy as np
import pytest
import slow

from scripts import cost, example, measure
from scripts.exercises import heads as section5
from scripts.exercises import query_key_value as section2
from scripts.exercises import score as section3
from scripts.exercises import softmax as section4
from tools.facts import facts

TOKENS, OUTPUT = example.TOKENS.tolist(), example.OUTPUT.tolist()
SCORES, WEIGHTS = example.SCORES.tolist(), example.WEIGHTS.tolist()
FILLER = len(TOKENS) - 1


@pytest.fixture(scope="module")
def known():
    return facts()


def gaps(one, other):
    return [abs(a - b) for a, b in zip(one, other, strict=True)]


def test_section_1(known):
    assert known["the-changes-total"] == pytest.approx(sum(gaps(OUTPUT[2], TOKENS[2])))
    assert known["cube-change-sizes"] == pytest.approx(gaps(OUTPUT[3], TOKENS[3]))
    assert known["the-cube-apart-before"] == pytest.approx(sum(gaps(TOKENS[2], TOKENS[3])) / 4)


def test_section_2(known):
    direct = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in TOKENS] for x in TOKENS]
    assert known["direct-leaders"].tolist() == [row.index(max(row)) for row in direct]
    for (i, j), number in np.ndenumerate(section2.MATRIX):
        assert known["query-task-products"][i, j] == section2.TOKEN[i] * number


def test_section_3(known):
    assert known["scaled-smallest"] == min(map(min, SCORES))
    assert known["score-steps"] == sum(len(query) for query in TOKENS for _ in TOKENS)
    assert known["even-share"] * known["winner-keys"] == 1
    size = known["coin-count"]
    assert size == len(TOKENS[0])
    assert known["coin-ways-total"] == 2**size and known["more-coins-ways"] == 2 ** known["more-coins"]
    assert known["coin-shares-total"] == size * known["coin-ways-total"]
    assert known["coin-variance"] == known["coin-spread"] ** 2 == known["coin-extremes"] == size
    assert known["more-coins-spread"] ** 2 == known["more-coins"]
    for total, way, square, share in zip(
        *(known[f"coin-{name}"] for name in ("totals", "ways", "squares", "shares")), strict=True
    ):
        assert square == total * total and share == way * square
    generator = np.random.default_rng(int(known["spread-seed"]))
    q, k = (generator.standard_normal((int(known["spread-pairs"]), 4)) for _ in range(2))
    assert known["product-spread"] == pytest.approx((((q * k) - (q * k).mean()) ** 2).mean() ** 0.5)
    assert known["small-power"] == pytest.approx(np.e ** known["small-exponent"], rel=1e-12)
    # Of 64 numbers: every entry doubled, and a query that is its own key.
    assert known["law-doubled"] == 4 * 8
    assert known["law-same-spread"] ** 2 == pytest.approx(2 * 64)
    assert known["score-task-root"] ** 2 == pytest.approx(len(section3.QUERY))
    (a, b), (c, d) = section3.FLAT
    turn = np.arctan2(d, c) - np.arctan2(b, a)
    assert known["flat-task-angle"] == pytest.approx(abs(np.rad2deg(turn)))


def test_section_4(known):
    assert known["leads"].tolist() == [0, 1, 2, 3, 4]
    assert known["lead-shares"] == pytest.approx([1 / (1 + np.exp(-lead)) for lead in range(5)])
    assert known["lead-1-other"] == pytest.approx(1 / (1 + np.e))
    asks, offers = known["tiny-asks"].tolist(), known["tiny-tokens"].tolist()
    products = [[sum(a * b for a, b in zip(ask, key, strict=True)) for key in offers] for ask in asks]
    _, scores, weights, outputs = slow.attention(asks, offers, offers)
    assert known["tiny-products"].tolist() == products[0][::-1] and products[1] == [0, 0]
    assert known["tiny-score"] == pytest.approx(scores[0][1])
    assert known["tiny-score"] == pytest.approx(products[0][1] / known["tiny-size"] ** 0.5)
    assert known["tiny-raised"] == pytest.approx(np.e ** scores[0][1])
    assert known["tiny-weights"] == pytest.approx(np.array(weights))
    assert known["tiny-output"] == pytest.approx(np.array(outputs))
    printed = [round(number, 3) for number in known["cube-exp"]]
    total = round(float(known["cube-exp-total"]), 3)
    assert known["cube-printed-shares"] == pytest.approx([number / total for number in printed])
    for (i, j), number in np.ndenumerate(example.VALUES):
        assert known["cube-products"][i, j] == WEIGHTS[3][i] * number
    assert known["wiped-cube-others"] == pytest.approx(known["wiped-cube-total"] - known["wiped-cube-exp"][0])
    shares = (section4.RAISED / section4.RAISED.sum()).tolist()
    products = [share * value for share, value in zip(shares, section4.VALUES.tolist(), strict=True)]
    assert known["shares-task-products"] == pytest.approx(products)


def test_section_5(known):
    assert known["count-heads"].tolist() == cost.divisors()[:9]
    assert known["two-head-size"] * example.HEADS == example.TOKENS.shape[1]
    assert known["count-task-matrix"] == section5.WIDTH**2
    # A reshape alone gives a head the whole vectors of half of the tokens, cut in two.
    joined = []
    for h in range(2):
        grids = [
            [row[half : half + 2] for row in grid.tolist()[2 * h : 2 * h + 2] for half in (0, 2)]
            for grid in (example.QUERIES, example.KEYS, example.VALUES)
        ]
        _, _, weights, outputs = slow.attention(*grids)
        assert known["mixed-weights"][h] == pytest.approx(np.array(weights))
        joined += outputs
    assert known["mixed-joined"].ravel() == pytest.approx(np.ravel(joined))


def test_section_6(known):
    names = len(TOKENS)
    assert known["filler-pairs"] == sum(FILLER in (i, j) for i in range(names) for j in range(names))
    real = [[j != FILLER for j in range(names)]] * names
    grids = (example.QUERIES.tolist(), example.KEYS.tolist(), example.VALUES.tolist())
    assert known["flat-first"] == pytest.approx(slow.attention(*grids, real)[2][1])
    # One large number taken from every score of a row leaves nothing of the scores.
    assert known["flat-output"] == pytest.approx(example.VALUES.mean(axis=0))
    both = [j <= i and j != FILLER for i in range(names) for j in range(names)]
    assert known["both-masks-pairs"] == sum(both)
    moved = [*TOKENS[:FILLER], [number + 10 for number in TOKENS[FILLER]]]
    only_filler = [[not may for may in row] for row in real]

    def outputs(tokens):
        made = (slow.project(tokens, w.tolist()) for w in (example.W_QUERY, example.W_KEY, example.W_VALUE))
        return np.array(slow.attention(*made, only_filler)[3][:FILLER])

    assert known["probe-wrong"] == pytest.approx(abs(outputs(moved) - outputs(TOKENS)).max())


def test_section_7(known):
    assert known["doubled-cells"] == 4 * 4 and known["tripled-factor"] == 3 * 3
    lengths = known["cost-lengths"]
    assert (lengths[1:] == lengths[:-1] * known["cost-lengths-growth"]).all()
    n, width = example.TOKENS.shape
    assert known["example-one-projection-steps"] * 4 == known["example-projection-steps"]
    assert known["example-half-grid-steps"] == n * n * width  # the scores alone, or the mix alone
    assert known["share-at-crossing"] == 50
    first, last = (4 * length * cost.WIDTH**2 for length in (int(lengths[0]), int(lengths[-1])))
    grid = 2 * int(lengths[0]) ** 2 * cost.WIDTH
    for name, steps in (("grid", grid), ("projection", first), ("all", grid + first)):
        assert known[f"{name}-millions"] * 10**6 == pytest.approx(steps, rel=1e-12)
    assert known["projection-billions-last"] * 10**9 == pytest.approx(last, rel=1e-12)
    scores, largest = known["running-scores"], known["running-largest"]
    apart = [*(scores[:2] - largest[0]), *(scores[2:] - largest[1])]
    assert known["running-differences"] == pytest.approx(apart)
    run = measure.recorded()
    for way, sizes, seconds in (
        ("full", run.full_bytes, run.full_seconds),
        ("block", run.block_bytes, run.block_seconds),
    ):
        assert known[f"measured-{way}-mib"] * 2**20 == pytest.approx(np.array(sizes))
        assert known[f"measured-{way}-ms"] / 1000 == pytest.approx(np.array(seconds))
    assert known["measured-time-ratio"] == run.full_seconds[-1] / run.block_seconds[-1]
    part = known["layer-task-share"] / known["layer-task-hundred"]
    assert part * known["layer-task-all"] == pytest.approx(known["layer-task-grid"])
    n, d = known["crossing-with-network"], 1  # projections, network and grid of a layer, in widths
    assert 2 * n * n * d == 4 * n * d * d + 8 * n * d * d


def test_sections_8_and_9(known):
    assert known["stack-parameters-millions"] * 1e6 == pytest.approx(known["stack-parameters"], rel=1e-12)
    for name in ("numbers", "answers", "errors", "changes"):
        assert np.shape(known[f"learning-{name}"]) == (4,)
