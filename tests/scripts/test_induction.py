"""The two layers that go on with what they have read: task, training, both heads, and what is said of them."""

import numpy as np
import pytest

from scripts import gradients, induction, model

ALL = induction.TRAINED


def test_texts_repeat_themselves_and_say_where_that_can_be_known():
    tokens, share = induction.texts(np.random.default_rng(0), 400)
    periods = set()
    for row, known in zip(tokens, share, strict=True):
        period = next(p for p in range(1, 24) if (row[p:] == row[:-p]).all())
        assert len(set(row[:period])) == period, "no letter twice in a round"
        assert known.tolist() == [0] * period + [1] * (23 - period), (
            "the letter after the first of the second round"
        )
        periods.add(period)
    assert periods == set(range(4, 13)) and set(tokens.ravel()) == set(range(16))


def test_letters_are_numbered_and_others_refused():
    assert induction.numbered("PAB").tolist() == [15, 0, 1]
    for wrong in ("AQ", "", "A" * 25):
        with pytest.raises(ValueError, match="1 to 24 of the letters A to P; got"):
            induction.numbered(wrong)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "layers"), [("one", 1), ("two", 2)])
def test_training_again_gives_what_is_stored(name, layers):
    """Up to two of the 127 steps in which numbers are stored: the last bits of a long training differ by machine."""
    again = induction.train(induction.SEED, layers)
    assert again.keys() == ALL[name].keys()
    for key, grid in again.items():
        np.testing.assert_allclose(grid, ALL[name][key], atol=2 * abs(grid).max() / 127)
    assert induction.accuracy(again) == pytest.approx(induction.accuracy(ALL[name]), abs=0.02)


def test_training_takes_the_steps_that_it_is_told_to():
    steps = [(step, loss) for step, loss, _ in induction.training(3, 1, 2)]
    assert [step for step, _ in steps] == [0, 1, 2] and np.isnan(steps[0][1]) and steps[1][1] > 2
    (short,) = (now for step, _, now in induction.training(3, 1, 0))
    assert len(model.of_layer(short, 0)) == 4 and not model.of_layer(short, 1)


def test_how_long_it_is_trained_is_passed_on():
    *_, (_, _, parameters) = induction.training(5, 1, 3)
    np.testing.assert_array_equal(induction.train(5, 1, 3)["read"], gradients.coarse(parameters)["read"])


def test_accuracy_counts_only_what_can_be_known():
    tokens, share = induction.texts(np.random.default_rng(99), 300)
    right = total = 0
    logits = model.forward(ALL["one"], tokens[:, :-1]).logits
    for i in range(300):
        for j in range(23):
            if share[i, j]:
                total += 1
                right += int(np.argmax(logits[i, j]) == tokens[i, j + 1])
    assert induction.accuracy(ALL["one"]) == pytest.approx(right / total)


def test_both_heads_measured_by_loops():
    tokens, share = induction.texts(np.random.default_rng(99), 20)
    run = model.forward(ALL["two"], tokens[:, :-1])
    first, second = (block.attended.weights[:, 0] for block in run.blocks)
    before = [first[b, i, i - 1] for b in range(20) for i in range(1, 12)]
    assert induction.to_previous(ALL["two"], count=20) == pytest.approx(np.mean(before))
    behind = [
        sum(second[b, i, j] for j in range(1, 23) if tokens[b, j - 1] == tokens[b, i])
        for b in range(20)
        for i in range(23)
        if share[b, i]
    ]
    assert induction.to_continuation(ALL["two"], count=20) == pytest.approx(np.mean(behind))


def test_what_is_read():
    reading = induction.read("ABAB")
    run = model.forward(ALL["two"], np.array([[0, 1, 0, 1]]))
    chances = gradients.softmax(run.logits[0])
    np.testing.assert_allclose(reading.chances, chances)
    assert reading.foretold == "".join("ABCDEFGHIJKLMNOP"[i] for i in chances.argmax(axis=1))
    off = model.forward(ALL["two"], np.array([[0, 1, 0, 1]]), handed={induction.FIRST: 0.0})
    without = induction.read("ABAB", handed={induction.FIRST: 0.0})
    np.testing.assert_array_equal(without.weights[1], off.blocks[1].attended.weights[0, 0])
    for weights, block in zip(reading.weights, run.blocks, strict=True):
        np.testing.assert_array_equal(weights, block.attended.weights[0, 0])


def test_two_heads_do_the_work():
    """Each alone is worth next to nothing; one layer never gets to one half; a changed letter is foretold."""
    assert induction.accuracy(ALL["two"]) > 0.995
    for head in (induction.FIRST, induction.SECOND):
        assert induction.accuracy(ALL["two"], {head: 0.0}) < 0.2
    found = induction.STUDY
    assert min(row[-1] for row in found["two"]) > 0.99
    assert max(max(row) for row in found["one"]) < 0.5 and max(found["one_longer"]) < 0.5
    assert np.shape(found["one"]) == np.shape(found["two"]) == (induction.GENERATORS, len(induction.FILM))
    for letter in "ADEGIJLMNOP":
        assert induction.read(f"KC{letter}FBHKC").foretold[-1] == letter


def test_the_film_is_of_the_training_that_is_stored():
    shots = induction.film(at=(0, 25))
    parameters = next(now for step, _, now in induction.training(induction.SEED) if step == 25)
    np.testing.assert_array_equal(shots[1].parameters["read"], parameters["read"])
    assert [shot.step for shot in shots] == [0, 25]
    assert shots[1].accuracy == induction.accuracy(parameters) > shots[0].accuracy
