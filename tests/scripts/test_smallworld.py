"""The small world: its stories, its answers, which heads give them, and how it writes."""

import numpy as np
import pytest

from scripts import gradients, model, smallworld

PARAMETERS = smallworld.PARAMETERS


def told(row):
    return [smallworld.WORDS[i] for i in row]


@pytest.mark.parametrize("never_shown", [False, True])
@pytest.mark.parametrize("things", [2, 3, 4])
def test_stories(things, never_shown):
    held_back = {(smallworld.COLOURS[c], smallworld.THINGS[t]) for c, t in smallworld.NEVER_SHOWN}
    assert len(held_back) == 8
    for row in smallworld.stories(np.random.default_rng(1), things, 150, never_shown):
        words = told(row)
        pairs = [(words[5 * i + 3], words[5 * i + 1]) for i in range(things)]
        assert len({c for c, _ in pairs}) == len({t for _, t in pairs}) == things
        name, takes, the, thing, stop, it, is_, colour, end = words[5 * things :]
        assert name in smallworld.NAMES and [takes, the, stop, it, is_, end] == [
            "takes",
            "the",
            ".",
            "it",
            "is",
            ".",
        ]
        assert (colour, thing) in pairs
        if never_shown:
            assert (colour, thing) in held_back
        else:
            assert not held_back & set(pairs)


def test_words_are_numbered_and_others_refused():
    assert told(smallworld.numbered("the cup is green .")) == ["the", "cup", "is", "green", "."]
    with pytest.raises(ValueError, match=r"1 to 29 of the words the is .*; got 'lamp', 'shines'"):
        smallworld.numbered("the lamp shines")
    for text, count in (("", 0), ("the " * 30, 30)):
        with pytest.raises(ValueError, match=f"got {count} words"):
            smallworld.numbered(text)


@pytest.mark.thorough
def test_training_again_gives_what_is_stored():
    """Up to a few of the 127 steps in which numbers are stored: last bits differ by machine."""
    again = smallworld.train()
    for key, grid in again.items():
        np.testing.assert_allclose(grid, PARAMETERS[key], atol=6 * abs(grid).max() / 127)
    assert smallworld.accuracy(again) == smallworld.accuracy(again, True) == 1


@pytest.mark.slow
def test_a_few_steps_lead_down():
    """The same start, and the same texts, as the one that is stored."""
    losses = [loss for _, loss, _ in smallworld.training(smallworld.SEED, 60)]
    assert np.mean(losses[-5:]) < 0.6 * np.mean(losses[:5])


def test_last_colours_are_counted():
    right = []
    generator = np.random.default_rng(99)
    for things in (2, 3, 4):
        for row in smallworld.stories(generator, things, 20, True):
            logits = model.forward(PARAMETERS, row[None, :-2], 2, handed={smallworld.KNOWS: 0.0}).logits
            right.append(logits[0, -1].argmax() == row[-2])
    found = smallworld.accuracy(PARAMETERS, True, {smallworld.KNOWS: 0.0}, count=20)
    assert found == pytest.approx(np.mean(right)) and 0 < found < 1


def test_two_heads_of_four_do_the_work():
    assert smallworld.accuracy(PARAMETERS) == smallworld.accuracy(PARAMETERS, True) == 1
    off = {head: smallworld.accuracy(PARAMETERS, handed={head: 0.0}) for head in np.ndindex(2, 2)}
    assert off[smallworld.KNOWS] < 0.5 and off[smallworld.FINDS] < 0.5
    assert all(
        share > 0.99 for head, share in off.items() if head not in (smallworld.KNOWS, smallworld.FINDS)
    )


@pytest.mark.parametrize("colour", [c for c in smallworld.COLOURS if c not in ("green", "black")])
def test_a_colour_comes_through_the_head_that_finds(colour):
    """Whatever the head says of another story is what the model says of this one; the other head has no say."""
    other = smallworld.read(smallworld.STORY.replace("green", colour))
    layer, head = smallworld.FINDS
    for which, answer in ((head, colour), (1 - head, "green")):
        rows = other.blocks[layer].joined[..., 12 * which : 12 * which + 12]
        run = smallworld.read(smallworld.STORY, handed={(layer, which): rows})
        assert smallworld.likeliest(smallworld.chances(run), 1)[0][0] == answer


def test_who_attends_to_what():
    run = smallworld.read(smallworld.STORY)
    knows, finds = (
        run.blocks[layer].attended.weights[0, head] for layer, head in (smallworld.KNOWS, smallworld.FINDS)
    )
    assert [knows[i].argmax() for i in (3, 8, 16)] == [1, 6, 13] and finds[16].argmax() == 3


def test_chances_and_the_likeliest():
    run = smallworld.read("the cup is")
    np.testing.assert_allclose(smallworld.chances(run, 2), gradients.softmax(run.logits[0, -1] / 2))
    assert np.count_nonzero(smallworld.chances(run, 1, 3)) == 3
    found = smallworld.likeliest(np.array([0.1, 0.5, 0.1, 0.3] + 21 * [0.0]), 3)
    assert found == [("is", 0.5), ("takes", 0.3), ("the", 0.1)]


def test_writing_on():
    for cache in (True, False):
        words = [word for word, _ in smallworld.write("the", 40, cache=cache)]
        assert len(words) == smallworld.LONGEST, "one more than can be read"
        assert len(list(smallworld.write("the", 3))) == 3
        text = "the"
        for word in words[:12]:
            assert word == smallworld.likeliest(smallworld.chances(smallworld.read(text)), 1)[0][0]
            text += f" {word}"
    past = smallworld.read("the cup is")
    np.testing.assert_allclose(
        smallworld.read("green .", past=past).logits[0, -1],
        smallworld.read("the cup is green .").logits[0, -1],
    )


def test_the_study_is_whole():
    shown, new = (np.array(smallworld.STUDY[name]) for name in ("shown", "never_shown"))
    assert shown.shape == new.shape == (smallworld.GENERATORS,)
    assert shown[smallworld.SEED] == new[smallworld.SEED] == 1
