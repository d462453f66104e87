"""The arm: trained again, read by slow loops, and what many of its kind came to."""

import numpy as np
import pytest
import slow

from scripts import arm, gradients
from scripts.exercises import learning

MATRICES = ("w_query", "w_key", "w_value")


def beginning(seed=1, size=2, **how):
    generator = np.random.default_rng(seed)
    return arm.start(generator, size, **how), generator


# ---- training ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", arm.TRAINED)
def test_training_again_gives_what_is_stored(seed):
    again = arm.train(int(seed))
    assert again.keys() == arm.TRAINED[seed].keys()
    for name, grid in again.items():
        np.testing.assert_array_equal(grid, arm.TRAINED[seed][name])
        assert not arm.TRAINED[seed][name].flags.writeable


@pytest.mark.parametrize(("size", "divide"), [(1, True), (2, True), (2, False), (5, False), (16, True)])
def test_gradient_of_every_kind_of_number(size, divide):
    parameters, generator = beginning(size=size)
    tables = arm.scenes(generator, 30)
    _, found = arm.slopes(parameters, tables, divide)
    assert tuple(found) == MATRICES
    for name in MATRICES:
        for _ in range(6):
            place = tuple(int(generator.integers(length)) for length in parameters[name].shape)
            slope = gradients.finite_difference(
                lambda p: arm.slopes(p, tables, divide)[0], parameters, name, place
            )
            assert found[name][place] == pytest.approx(slope, abs=1e-7)


def test_tables_to_train_on():
    tables = arm.scenes(np.random.default_rng(3), 2_000)
    assert (np.sort(tables.things, axis=1) == range(4)).all() and abs(tables.places).max() <= 1
    assert abs(tables.places.mean()) < 0.02 and set(tables.asked) == set(range(4))
    for i in (0, 7):
        word = arm.THINGS[tables.words[i]]
        lies = [arm.THINGS[thing] for thing in tables.things[i]].index(word)
        np.testing.assert_array_equal(tables.targets[i], tables.places[i, lies])
    assert (np.bincount(tables.words) > 400).all()


def test_what_is_frozen_stays_and_a_wrong_name_is_told():
    parameters, generator = beginning()
    before = {name: grid.copy() for name, grid in parameters.items()}
    steps = [step for step, _ in arm.training(parameters, generator, steps=3, frozen=("w_key",))]
    moved = {name for name in before if not np.array_equal(before[name], parameters[name])}
    assert steps == [1, 2, 3] and moved == {"w_query", "w_value"}
    with pytest.raises(ValueError, match="matrices are w_query, w_key, w_value; got w_output"):
        next(arm.training(parameters, generator, frozen=("w_output",)))


def test_what_is_taught_is_shuffled_among_the_tables_of_a_step():
    """Of the hundreds of tables hardly one keeps its own place, and each place is taught somewhere."""
    true, nonsense = (beginning()[0] for _ in range(2))
    losses = [
        next(arm.training(p, np.random.default_rng(4), shuffled=s))[1]
        for p, s in ((true, False), (nonsense, True))
    ]
    assert losses[0] != losses[1]
    assert not np.array_equal(true["w_value"], nonsense["w_value"])
    # a value matrix of zero leaves the hand in the middle: its loss is the same whoever is asked for
    true["w_value"] = np.zeros((6, 2))
    same = [
        next(arm.training(true, np.random.default_rng(4), shuffled=s, rate=0.0))[1] for s in (False, True)
    ]
    assert same[0] == pytest.approx(same[1])


def test_the_film_is_of_the_training_that_is_stored():
    shots = arm.film(at=(0, 10, 30))
    assert [shot.step for shot in shots] == [0, 10, 30]
    for name, grid in arm.START.items():
        np.testing.assert_array_equal(shots[0].parameters[name], grid)
    parameters, generator = beginning(arm.SEED)
    for _ in arm.training(parameters, generator, steps=10):
        pass
    np.testing.assert_array_equal(shots[1].parameters["w_key"], parameters["w_key"])
    assert shots[1].distance == arm.distance(parameters) > shots[2].distance


# ---- one word at one table -------------------------------------------------------


@pytest.mark.parametrize("word", arm.THINGS)
@pytest.mark.parametrize("of", ["START", "PARAMETERS", "STUCK"])
def test_reach_by_explicit_loops(word, of):
    numbers = {name: grid.tolist() for name, grid in getattr(arm, of).items()}
    places = [[0.1, 0.2], [-0.5, 0.9], [0.3, -1.0], [0.0, 0.4]]
    things = [look + place for look, place in zip(numbers["looks"], places, strict=True)]
    query = slow.project([numbers["words"][arm.THINGS.index(word)]], numbers["w_query"])
    keys, values = (slow.project(things, numbers[name]) for name in ("w_key", "w_value"))
    _, scores, weights, outputs = slow.attention(query, keys, values)
    found = arm.reach(word, places, getattr(arm, of))
    steps = (found.query, query), (found.scores, scores), (found.weights, weights), (found.hand, outputs)
    for got, want in steps:
        np.testing.assert_allclose(got, want[0], atol=1e-12)
    np.testing.assert_allclose(found.keys, keys, atol=1e-12)
    np.testing.assert_array_equal(found.places, places)
    assert found.distance == pytest.approx(np.hypot(*np.subtract(outputs[0], places[arm.THINGS.index(word)])))


def test_a_batch_gives_what_one_table_gives():
    tables = arm.scenes(np.random.default_rng(5), 3)
    output = arm.forward(arm.PARAMETERS, tables)[2].output[:, 0]
    for i in range(3):
        places = tables.places[i, np.argsort(tables.things[i])]
        one = arm.reach(arm.THINGS[tables.words[i]], places)
        np.testing.assert_allclose(output[i], one.hand)
        np.testing.assert_array_equal(one.target, tables.targets[i])


def test_what_cannot_be_asked_is_told():
    with pytest.raises(ValueError, match="knows the words cube, ball, cup, box; got 'lamp'"):
        arm.reach("lamp")
    with pytest.raises(ValueError, match=r"place of two numbers; got \(3, 2\)"):
        arm.reach("cube", arm.TABLE[:3])


# ---- what the text says of it ----------------------------------------------------


def test_the_hand_stays_between_the_things():
    """Trained values are the places themselves, so that the mixture lies in their hull."""
    tables = arm.scenes(np.random.default_rng(6), 500)
    kept = arm.forward(arm.PARAMETERS, tables)[2]
    np.testing.assert_array_equal(kept.values[:, 0], tables.places)
    hands = kept.output[:, 0]
    assert (hands <= tables.places.max(axis=1)).all() and (hands >= tables.places.min(axis=1)).all()


def test_where_a_thing_lies_makes_no_difference_to_its_weight():
    """Nor does what it looks like make one to what it hands over."""
    near, far = arm.reach("cup"), arm.reach("cup", -arm.TABLE)
    np.testing.assert_array_equal(near.weights, far.weights)
    np.testing.assert_array_equal(near.values, arm.TABLE)


@pytest.mark.parametrize("case", ["a", "b", "c"])
def test_who_stops_learning_when_what_is_zero(case):
    """Exercise 10.4 by training."""
    parameters, generator = beginning()
    zero, frozen = {"a": ("v", "v"), "b": ("q", "q"), "c": ("qk", "")}[case]
    named = dict(zip("qkv", MATRICES, strict=True))
    for letter in zero:
        parameters[named[letter]] = np.zeros_like(parameters[named[letter]])
    before = {name: grid.copy() for name, grid in parameters.items()}
    held = tuple(named[letter] for letter in frozen)
    for _ in arm.training(parameters, generator, steps=20, frozen=held):
        pass
    changed = "".join(
        letter for letter, name in named.items() if not np.array_equal(before[name], parameters[name])
    )
    assert changed == learning.LEARNS[case]


# ---- what many generators gave ---------------------------------------------------


def test_the_study_is_whole():
    found, few = arm.STUDY, (arm.FEW,)
    assert np.shape(found["distance"]) == np.shape(found["rounded"]) == (arm.GENERATORS,)
    assert np.shape(found["shuffled"]) == few
    assert all(np.shape(found[name]) == (len(arm.SIZES), *few) for name in ("divided", "undivided"))
    assert all(
        np.shape(found[f"rates_{name}"]) == (len(arm.RATES), *few) for name in ("divided", "undivided")
    )
    # the fourth of the five step sizes is the one of the other study
    assert found["rates_divided"][arm.RATES.index(arm.RATE)] == found["divided"][-1]
    for name in ("SEED", "STUCK_SEED"):
        seed = getattr(arm, name)
        assert arm.distance(arm.TRAINED[str(seed)]) == pytest.approx(found["rounded"][seed], abs=5e-4)
    first_stuck = next(seed for seed, far in enumerate(found["distance"]) if far > arm.ARRIVED)
    assert first_stuck == arm.STUCK_SEED


@pytest.mark.parametrize(("size", "divide"), [(4, True), (16, False)])
def test_one_outcome_of_the_study_again(size, divide):
    stored = arm.STUDY["divided" if divide else "undivided"][arm.SIZES.index(size)][0]
    assert arm.outcome(0, size, divide) == pytest.approx(stored, abs=0.002)
    # with steps of no length, for a single step: where it began
    begin = arm.distance(beginning(0, size, seen=0)[0], divide)
    assert arm.outcome(0, size, divide, rate=0.0, steps=1) == begin
    assert begin != arm.distance(beginning(0, size, seen=0)[0], not divide)


def test_a_loss_that_runs_away_is_infinitely_far():
    assert arm.outcome(3, 64, divide=False) == float("inf")


def test_how_it_is_trained_is_passed_on():
    start = gradients.rounded(beginning(2)[0])
    for name, grid in arm.train(2, steps=1, rate=0.0).items():
        np.testing.assert_array_equal(grid, start[name])


@pytest.mark.parametrize("size", [4, 64, 1_024])
def test_queries_and_keys_of_the_study_begin_with_a_variance_of_one(size):
    """So that only the division differs between head sizes, as in section 3."""
    made = [beginning(seed, size, seen=0)[0] for seed in range(60)]
    queries = np.concatenate([p["words"] @ p["w_query"] for p in made])
    keys = np.concatenate([p["looks"] @ p["w_key"][:4] for p in made])
    assert not any(p["w_key"][4:].any() for p in made)
    assert queries.var() == pytest.approx(1, abs=0.2) == keys.var()
