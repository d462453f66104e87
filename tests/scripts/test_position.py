"""Position and the block: sines, turns, the race, and every number of one block by loops."""

import math

import numpy as np
import pytest
import slow

from scripts import cost, example, one_block, position


@pytest.mark.parametrize(("n", "width"), [(4, 4), (1, 2), (50, 6)])
def test_sines_one_by_one(n, width):
    found = position.sines(n, width)
    assert found.shape == (n, width)
    for place in range(n):
        for pair in range(width // 2):
            angle = place / 10_000 ** (2 * pair / width)
            assert found[place, 2 * pair] == pytest.approx(math.sin(angle))
            assert found[place, 2 * pair + 1] == pytest.approx(math.cos(angle))


def test_a_score_depends_on_the_distance_alone():
    draw = np.random.default_rng(0).normal
    q, k = draw(size=(1, 6)), draw(size=(1, 6))

    def score(m, n):
        return (position.turned(q, [m]) @ position.turned(k, [n]).T).item()

    for shift in (1, 7, -3, 0.5):
        assert score(5 + shift, 2 + shift) == pytest.approx(score(5, 2))
    assert abs(score(5, 2) - score(5, 3)) > 0.01
    np.testing.assert_array_equal(position.turned(q, [0]), q)
    assert np.linalg.norm(position.turned(q, [9])) == pytest.approx(np.linalg.norm(q))
    np.testing.assert_allclose(position.turned([[1.0, 0.0]], [math.pi / 2]), [[0, 1]], atol=1e-15)
    # the second of two pairs turns a hundred times more slowly
    slow_turn = position.turned([[0, 0, 1, 0], [0, 0, 0, 1]], [100 * math.pi / 2, 100 * math.pi])
    np.testing.assert_allclose(slow_turn, [[0, 0, 0, 1], [0, 0, 0, -1]], atol=1e-12)


def test_what_has_no_place_is_refused():
    with pytest.raises(ValueError, match="width must be even; got 3"):
        position.sines(4, 3)
    with pytest.raises(
        ValueError, match=r"each row needs a place; got rows of shape \(2, 4\), places of \(3,\)"
    ):
        position.turned(np.ones((2, 4)), [0, 1, 2])
    with pytest.raises(ValueError, match=r"got rows of shape \(2,\), places of \(2,\)"):
        position.turned([1.0, 2.0], [0, 1])


def test_races():
    words = [[position.RACE_WORDS[i] for i in race] for race in position.RACES]
    assert len({tuple(race) for race in words}) == 24
    for first, second, question, answer in words:
        assert first != second and answer == {"first": first, "last": second}[question]


@pytest.mark.parametrize("seed", range(3))
def test_position_is_what_the_race_is_won_by(seed):
    assert position.accuracy(position.train(True, seed)) == 1
    assert position.accuracy(position.train(False, seed)) == 0.5
    assert position.accuracy(position.train(True, seed, steps=0)) < 0.5


def test_every_number_of_the_block_by_loops():
    own = {name: grid.tolist() for name, grid in one_block.PARAMETERS.items()}
    for name in ("w_in", "b_in", "w_out", "b_out"):
        np.testing.assert_array_equal(one_block.PARAMETERS[name], one_block.PARAMETERS[name].round(1))
        assert not np.signbit(one_block.PARAMETERS[name][one_block.PARAMETERS[name] == 0]).any()
        assert not one_block.PARAMETERS[name].flags.writeable
    assert one_block.PARAMETERS["b_out"].shape == (4,)
    stream = example.TOKENS.tolist()

    def norm(row):
        mean = sum(row) / 4
        return [(x - mean) / math.sqrt(sum((x - mean) ** 2 for x in row) / 4 + 1e-5) for x in row]

    asked = [norm(row) for row in stream]
    rows = [slow.project(asked, own[name]) for name in ("w_query", "w_key", "w_value")]
    mixed = [[] for _ in stream]
    for h in range(2):
        cut = [[row[2 * h : 2 * h + 2] for row in part] for part in rows]
        for row, piece in zip(mixed, slow.attention(*cut, np.tril(np.ones((4, 4))))[3], strict=True):
            row += piece
    middle = np.add(stream, slow.project(mixed, own["w_output"]))
    inside = np.add(slow.project([norm(row) for row in middle.tolist()], own["w_in"]), own["b_in"])
    bent = [[max(0.0, x) for x in row] for row in inside.tolist()]
    after = middle + slow.project(bent, own["w_out"]) + own["b_out"]
    np.testing.assert_allclose(one_block.BLOCK.middle[0], middle)
    np.testing.assert_allclose(one_block.BLOCK.after[0], after)


def test_gpt_2_small_is_counted_to_the_last_number():
    """124,439,808 is what its published weights hold."""
    parts = cost.model_parameters(50_257, 1_024)
    assert sum(parts.values()) == 124_439_808
    assert parts["attention"] == 12 * (cost.parameters() + 4 * 768)
    small = cost.model_parameters(10, 3, layers=2, width=4, inside=5)
    assert small == {
        "embedding table": 40,
        "positions": 12,
        "attention": 2 * (64 + 16),
        "feed-forward": 2 * (20 + 5 + 20 + 4),
        "layer norm": 5 * 8,
    }
    with pytest.raises(ValueError, match="vocabulary must be a whole number of at least 1; got 0"):
        cost.model_parameters(0, 3)


@pytest.mark.parametrize(("given", "written"), [(1, 1), (5, 3), (8, 20), (4, 0)])
def test_pairs_of_writing_one_by_one(given, written):
    without = with_cache = 0
    for step in range(written):
        n = given + step
        without += n * n
        with_cache += n * n if step == 0 else n
    assert cost.writing_pairs(given, written) == without
    assert cost.writing_pairs(given, written, cache=True) == with_cache
