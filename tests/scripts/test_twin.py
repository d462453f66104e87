"""The trained twin: it can be trained again, it is right, and its matrices say what the text reads in them."""

import itertools

import numpy as np
import pytest
import slow

from scripts import gradients, twin
from scripts.attention import self_attention

HEADS = {"twin": 1, "one_head": 1, "two_heads": 2}
MATRICES = ("w_query", "w_key", "w_value")


# ---- training ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", HEADS)
def test_training_again_gives_what_is_stored(name):
    """Exactly, on any machine: a change of the start in its last bit moves no number by a thousandth of its
    distance from a border between two decimals; NumPy in the browser (WebAssembly) gave the same.
    """
    again = twin.train_again(name)
    assert again.keys() == twin.TRAINED[name].keys()
    for key, grid in again.items():
        np.testing.assert_array_equal(grid, twin.TRAINED[name][key])


@pytest.mark.parametrize("name", HEADS)
def test_what_is_stored_is_right_about_every_command_and_has_one_decimal(name):
    model = twin.TRAINED[name]
    assert set(twin.accuracy(model, heads=HEADS[name]).values()) == {1.0}
    for grid in model.values():
        np.testing.assert_array_equal(grid, grid.round(1))
        assert not np.signbit(grid[grid == 0]).any()
        with pytest.raises(ValueError, match="read-only"):
            grid[0, 0] = 1
    assert sum(grid.size for key, grid in model.items() if not key.startswith("read")) == 100


@pytest.mark.parametrize(("heads", "article"), [(1, False), (2, True), (4, True)])
def test_gradient_of_every_kind_of_number(heads, article):
    parameters, commands = twin.start(5, article), twin.COMMANDS[::7]
    _, found = twin.slopes(parameters, commands, heads)
    assert found.keys() == parameters.keys()
    generator = np.random.default_rng(0)
    for name, grid in parameters.items():
        for _ in range(6):
            place = tuple(int(generator.integers(size)) for size in grid.shape)
            slope = gradients.finite_difference(
                lambda p: twin.slopes(p, commands, heads)[0], parameters, name, place
            )
            assert found[name][place] == pytest.approx(slope, abs=1e-7)


def test_each_word_is_asked_for_what_it_lacks():
    asked = twin.questions(np.array([twin.numbered(["pull", "down", "a", "box"])]))
    words, share = asked["read_word"]
    assert [twin.WORDS[i] for i in words[0]] == ["box", "pull", "box", "pull"] and share.tolist() == [1] * 4
    article, share = asked["read_article"]
    assert twin.ARTICLES[article[0, 3]] == "a" and share.tolist() == [0, 0, 0, 1]


def test_all_commands_are_there_once():
    words = {tuple(twin.WORDS[i] for i in command) for command in twin.COMMANDS}
    assert words == set(itertools.product(twin.VERBS, twin.PARTICLES, twin.ARTICLES, twin.THINGS))
    assert len(twin.COMMANDS) == 96 and twin.ORDER in words


def test_an_unknown_word_is_named():
    with pytest.raises(ValueError, match=r"pick, push, .*, box; got drop, glass"):
        twin.numbered(["drop", "the", "glass"])


# ---- the numbers under the names of the example ----------------------------------


def test_every_step_follows_from_the_table_by_explicit_loops():
    rows = [twin.WORDS.index(word) for word in ("pick", "up", "the", "cube")]
    tokens = twin.TABLE[rows].tolist()
    np.testing.assert_array_equal(twin.TOKENS, tokens)
    q, k, v = (slow.project(tokens, twin.TRAINED["twin"][name].tolist()) for name in MATRICES)
    for got, want in zip((twin.QUERIES, twin.KEYS, twin.VALUES), (q, k, v), strict=True):
        np.testing.assert_allclose(got, want, atol=1e-14)
    names = (twin.RAW, twin.SCORES, twin.WEIGHTS, twin.OUTPUT)
    for got, want in zip(names, slow.attention(q, k, v), strict=True):
        np.testing.assert_allclose(got, want, atol=1e-12)
    for array in (twin.TOKENS, twin.QUERIES, twin.RAW, twin.WEIGHTS, twin.OUTPUT, twin.GUESSES):
        assert not array.flags.writeable
    told = [twin.WORDS[i] for i in twin.GUESSES.argmax(axis=1)]
    assert told == ["cube", "pick", "cube", "pick"]
    np.testing.assert_allclose(twin.GUESSES.sum(axis=1), 1)


@pytest.mark.parametrize("name", HEADS)
def test_a_batch_gives_what_the_course_s_own_attention_gives(name):
    model, heads = twin.TRAINED[name], HEADS[name]
    kept = twin.forward(model, twin.COMMANDS[[5, 50]], heads)[1]
    for i, command in enumerate(twin.COMMANDS[[5, 50]]):
        if heads == 1:
            run = self_attention(model["table"][command], *(model[key] for key in MATRICES))
            np.testing.assert_allclose(kept.weights[i, 0], run.weights)
            np.testing.assert_allclose(kept.output[i], run.output)
    drawn = {"one_head": twin.ONE_HEAD, "two_heads": twin.TWO_HEADS}.get(name)
    if drawn:
        np.testing.assert_allclose(twin.own_weights(model, heads), [head.weights for head in drawn.heads])


# ---- what the text reads in them ---------------------------------------------------


def test_one_number_is_left_in_each_of_w_q_and_w_k():
    """A word's second number says how much of a thing it is: things look for verbs, and verbs for things."""
    for matrix, entry in ((twin.W_QUERY, 3.0), (twin.W_KEY, -3.0)):
        assert matrix[1, 0] == entry and np.count_nonzero(matrix) == 1
    second = {word: twin.TABLE[i, 1] for i, word in enumerate(twin.WORDS)}
    least_of_things = min(second[word] for word in twin.THINGS)
    others = [second[word] for word in (*twin.PARTICLES, *twin.ARTICLES)]
    assert least_of_things > max(others) and min(others) > max(second[word] for word in twin.VERBS)
    thing = np.array([second[word] for word in twin.ORDER])
    np.testing.assert_allclose(twin.RAW, -9 * np.outer(thing, thing))
    assert not twin.TABLE[:, 2].any(), "the third number is not used"
    assert len({tuple(twin.TABLE[twin.WORDS.index(word)]) for word in twin.PARTICLES}) == 1
    assert len({tuple(twin.TABLE[twin.WORDS.index(word)]) for word in twin.ARTICLES}) == 1


def test_each_word_looks_at_what_it_has_to_tell():
    assert twin.WEIGHTS.argmax(axis=1).tolist() == list(twin.PARTNER)
    assert twin.WEIGHTS[range(4), twin.PARTNER].round(2).tolist() == [0.98, 0.8, 0.77, 0.98]


def test_one_head_splits_its_row_and_two_share_out_the_work():
    (one,) = (head.weights[3] for head in twin.ONE_HEAD.heads)
    first, second = (head.weights[3] for head in twin.TWO_HEADS.heads)
    assert one[[0, 2]].round(2).tolist() == [0.66, 0.34]
    assert (first[0].round(2), second[2].round(2)) == (1.0, 0.96)


# ---- what many generators gave -------------------------------------------------------


@pytest.mark.slow
def test_the_study_can_be_made_again():
    told = twin.study(one=3, others=1)
    for name, values in told.items():
        for found, stored in zip(values, twin.STUDY[name], strict=False):
            assert np.ravel(found) == pytest.approx(np.ravel(stored), abs=0.02), name


def test_what_is_said_of_the_generators():
    study = {name: np.array(values) for name, values in twin.STUDY.items()}
    assert study["right"].tolist() == [1.0] * 40
    assert [seed for seed, pair in enumerate(study["entries"].tolist()) if pair == [1, 1]] == [twin.SEED]
    assert study["withheld"].tolist() == [1.0] * 20
    assert sorted(study["withheld_pairs"])[:2] == [0.9, 1.0]
    both = study["two_heads"]  # (generators, heads, verb and article)
    apart = [(h[0, 0] > 0.75 and h[1, 1] > 0.75) or (h[1, 0] > 0.75 and h[0, 1] > 0.75) for h in both]
    assert sum(apart) == 8 and apart[twin.TWO_HEADS_SEED]
    median = np.median(study["one_head"][:, 0], axis=0)
    one = twin.ONE_HEAD.heads[0].weights[3, [0, 2]]
    np.testing.assert_allclose(one, median, atol=0.03)


@pytest.mark.parametrize("pairs", [False, True])
def test_what_is_withheld_is_never_trained_on(pairs):
    seen, unseen = twin.withheld(3, pairs)
    assert {tuple(c) for c in seen} | {tuple(c) for c in unseen} == {tuple(c) for c in twin.COMMANDS}
    assert len(seen) + len(unseen) == 96 and len(unseen) == (30 if pairs else 32)
    if pairs:
        met = {(twin.WORDS[c[0]], twin.WORDS[c[3]]) for c in seen}
        assert ("pick", "cube") not in met and len(met) == 11
        assert {verb for verb, _ in met} == set(twin.VERBS) and {thing for _, thing in met} == set(
            twin.THINGS
        )
