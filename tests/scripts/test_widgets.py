"""The sliders: what every place draws is what the arithmetic, done again here, gives for it."""

import html
import re
from pathlib import Path

import ipywidgets
import numpy as np
import pytest
import slow
from ipywidgets.embed import dependency_state
from matplotlib.colors import to_rgba
from matplotlib.patches import FancyArrowPatch

from scripts import arm, example, experiments, induction, model, plane, smallworld, twin, widgets
from scripts.draw import style
from scripts.draw.words import quoted, sentences
from scripts.numbers import listing, show, shows
from scripts.widgets import seen
from tools import notebooks

pytestmark = pytest.mark.slow  # draws every frame of every slider
EVERY_SLIDER = pytest.mark.parametrize("name", sorted(widgets.SLIDERS))
NAMES = example.ORDER
MADE = {}


def made(name):
    if name not in MADE:
        MADE[name] = widgets.SLIDERS[name]()
    return MADE[name]


def frames(name):
    return [frame for row in made(name).frames for frame in row]


def drawn(frame):
    """What a frame draws, by gid."""
    return {a.get_gid(): a for a in frame.picture.findobj(lambda a: bool(a.get_gid()))}


def texts(frame, name):
    """What a frame writes under a gid, or under gids that go on from there, in order."""
    return [a.get_text() for gid, a in drawn(frame).items() if f"{gid}:".startswith(f"{name}:")]


def tint(score, full):
    """The colour of a score's cell: its sign, the fainter the smaller."""
    role = "positive" if score >= 0 else "negative"
    return pytest.approx(to_rgba(style.COLOURS[role], min(1, abs(score) / full)))


# ---- every place: numbers worked out here, apart from the course's code -------


def test_lead():
    leads = np.arange(-24, 25) / 4
    firsts = 1 / (1 + np.exp(-leads))
    for frame, lead, share in zip(frames("lead"), leads, firsts, strict=True):
        told = [show(share, ".3f"), show(1 - share, ".3f")]
        assert frame.label == show(lead, "+.2f")
        assert texts(frame, "number:shares") == told
        said = f"Lead {frame.label}: the first key takes {told[0]} of the mix, the second {told[1]}."
        assert frame.picture.alt == said + (" Without a lead the first takes 0.500." if lead else "")
        things = drawn(frame)
        np.testing.assert_allclose(things["line:share"].get_xydata(), np.column_stack([leads, firsts]))
        np.testing.assert_allclose(things["point:share"].get_xydata(), [[lead, share]])
        bars = [things[f"bar:share:{i}"] for i in range(2)]
        np.testing.assert_allclose([bar.get_height() for bar in bars], 1.55 * np.array([share, 1 - share]))
        bottoms = [bar.get_y() + bar.get_height() for bar in bars]
        assert bottoms[0] == pytest.approx(bottoms[1])


def test_angle():
    angles = np.arange(0, 181, 5)
    products = 4 * np.cos(np.radians(angles))
    for frame, angle, product in zip(frames("angle"), angles, products, strict=True):
        assert frame.label == f"{angle}°"
        assert texts(frame, "number:product") == [show(product, "+.2f")]
        said = f"Angle {angle} degrees: the dot product is {show(product, '+.2f')}, of +4.00 at most; "
        assert frame.picture.alt.startswith(said)
        things = drawn(frame)
        curve = things["line:product"].get_xydata()
        np.testing.assert_allclose(curve, np.column_stack([angles, products]), atol=1e-12)
        np.testing.assert_allclose(things["point:product"].get_xydata(), [[angle, product]], atol=1e-12)
        turned = []
        for arrow in frame.picture.findobj(FancyArrowPatch):
            (x0, y0), (x1, y1) = arrow._posA_posB  # the y axis of a sheet points down
            assert np.hypot(x1 - x0, y1 - y0) == pytest.approx(1), "both are one inch long"
            turned.append(np.degrees(np.arctan2(y0 - y1, x1 - x0)))
        assert turned == pytest.approx([0, angle], abs=1e-9)


def test_head_size():
    generator = np.random.default_rng(experiments.SPREAD_SEED)
    others = np.random.default_rng(experiments.WINNER_SEED)
    edges = np.linspace(-96, 96, 97)
    for frame, d in zip(frames("head-size"), 2 ** np.arange(11), strict=True):
        q, k = generator.standard_normal((2000, d)), generator.standard_normal((2000, d))
        scores = np.einsum("ij,ij->i", q, k)
        choices = others.standard_normal((512, d)) @ others.standard_normal((64, d)).T
        things, spreads, winners = drawn(frame), [], []
        for i, (word, divisor) in enumerate((("unscaled", 1), ("scaled", d**0.5))):
            spreads.append((scores / divisor).std())
            raised = np.exp((choices - choices.max(axis=1, keepdims=True)) / divisor)
            winners.append((raised.max(axis=1) / raised.sum(axis=1)).mean())
            counts = np.histogram(scores / divisor, edges)[0]
            bars = {gid: bar for gid, bar in things.items() if gid.startswith(f"bar:{word}:")}
            assert set(bars) == {f"bar:{word}:{b}" for b in np.flatnonzero(counts)}
            for b in np.flatnonzero(counts):
                bar = bars[f"bar:{word}:{b}"]
                assert bar.get_height() == pytest.approx(counts[b] / counts.max())
                assert (bar.get_x(), bar.get_width()) == pytest.approx((edges[b], 2))
            assert things[f"bar:winner:{i}"].get_height() == pytest.approx(1.75 * winners[i])
        assert frame.label == show(d, ",d")
        assert texts(frame, "number:spread") == [f"standard deviation {show(s, '.2f')}" for s in spreads]
        assert texts(frame, "number:winner") == [show(w, ".3f") for w in winners]
        assert frame.picture.alt.startswith(f"Head size {frame.label}: ")


def test_token():
    grids = (example.QUERIES, example.KEYS, example.VALUES)
    _, *run = slow.attention(*(grid.tolist() for grid in grids))
    for name, frame, scores, weights, output in zip(NAMES, frames("token"), *run, strict=True):
        raised = np.exp(scores)
        assert frame.label == name
        assert texts(frame, "label:new") == [f"new “{name}”"]
        assert texts(frame, "number:score") == [show(s, "+.2f") for s in scores]
        assert texts(frame, "number:exponential") == [show(e, ".3f") for e in raised]
        assert texts(frame, "number:total") == [f"sum {show(raised.sum(), '.3f')}"]
        assert texts(frame, "number:output") == [show(o, "+.2f") for o in output]
        assert texts(frame, "number:values") == [show(v, "+.2f") for v in example.VALUES.ravel()]
        things = drawn(frame)
        for row, cell in (("weight", "weight:0:{}"), ("share", "share:{}:0")):
            assert texts(frame, f"number:{row}") == [show(w, ".3f") for w in weights]
            opacities = [things[f"cell:{cell.format(j)}"].get_facecolor()[3] for j in range(4)]
            assert opacities == pytest.approx(weights)
        for j, score in enumerate(scores):
            assert things[f"cell:score:0:{j}"].get_facecolor() == tint(score, 3)
        largest = f"“{NAMES[np.argmax(weights)]}” gets most, {show(max(weights), '.3f')}. "
        assert frame.picture.alt.startswith(f"“{name}” asks: {largest}For {quoted(NAMES)}: scores ")
        assert f"weights {shows(weights, '.3f')}. New vector: {shows(output, '+.2f')}." in frame.picture.alt


def test_heads():
    cuts = [(4, 4, h) for h in (1, 2, 4)] + [(768, 512, h) for h in range(1, 769) if 768 % h == 0]
    for frame, (width, n, h) in zip(frames("heads"), cuts, strict=True):
        scores = show(h * n * n, ",d")
        assert frame.label == f"{h} of {width}"
        assert texts(frame, "number:counts") == [str(h), str(width // h), show(4 * width**2, ",d"), scores]
        assert texts(frame, "number:width") == [f"model dimension {width}"]
        assert texts(frame, "label:3") == [f"scores over all heads, {n} tokens"]
        one = f"as many as with one head. There are {scores} scores for {n} tokens; "
        one += f"with one head there are {show(n * n, ',d')}."
        assert (one in frame.picture.alt) == ("one head" in frame.picture.alt) == (h > 1)
        things = drawn(frame)
        xs, ys = (np.ma.compressed(np.ma.masked_invalid(a)) for a in things["cuts"].get_data())
        assert len(xs) == len(ys) == 2 * (h - 1) and len(set(ys.tolist())) == min(2, 2 * (h - 1))
        # the cuts share out the width evenly, edges included
        np.testing.assert_allclose(xs[::2], 0.3 + 5.2 * np.arange(1, h) / h)
        np.testing.assert_array_equal(xs[::2], xs[1::2])
        cells = {gid: thing for gid, thing in things.items() if gid.startswith("cell:")}
        assert len(cells) == (16 * h if width == 4 else 0)
        for k in range(h if width == 4 else 0):
            q, key = (
                grid[:, k * 4 // h : (k + 1) * 4 // h].tolist() for grid in (example.QUERIES, example.KEYS)
            )
            weights = slow.attention(q, key, [[0.0]] * 4)[2]
            for i, j in np.ndindex(4, 4):
                assert cells[f"cell:head{k}:{i}:{j}"].get_facecolor()[3] == pytest.approx(
                    weights[i][j], abs=1e-9
                )


def test_mask():
    seen = {frame.label: frame for frame in frames("mask")}
    assert len(seen) == 17 == len(frames("mask")) and "nothing" in seen
    scores = np.array(slow.attention(example.QUERIES.tolist(), example.KEYS.tolist(), [[0.0]] * 4)[1])
    for forbidden, frame in seen.items():
        real = np.array([name not in re.split(r", | and ", forbidden) for name in NAMES])
        allowed = np.tril(np.ones((4, 4), bool)) if forbidden == "the future" else np.outer(real, real)
        answered = allowed.any(axis=1)
        raised = np.exp(scores) * allowed
        things, alt = drawn(frame), frame.picture.alt
        assert texts(frame, "number:scores") == [show(s, "+.2f") for s in scores[allowed]]
        for i, j in np.ndindex(4, 4):
            assert (f"forbidden:scores:{i}:{j}" in things) != allowed[i, j]
            if allowed[i, j]:
                color = things[f"cell:scores:{i}:{j}"].get_facecolor()
                assert color == tint(scores[i, j], abs(scores).max())
        for i, name in enumerate(NAMES):
            if not answered[i]:
                assert texts(frame, f"no-answer:weights:{i}") == ["no answer"]
                assert texts(frame, f"none:totals:{i}") == ["none"]
                assert f"number:totals:{i}:0" not in things and f"{name}: no answer." in alt
                continue
            weights = raised[i] / raised[i].sum()
            told = [show(w, ".3f") for w in weights]
            assert texts(frame, f"number:weights:{i}") == told and f"{name}: {listing(told)}." in alt
            assert texts(frame, f"number:totals:{i}") == ["1.000"]
            opacities = [things[f"cell:weights:{i}:{j}"].get_facecolor()[3] for j in range(4)]
            assert opacities == pytest.approx(weights)
        count = {4: "every row has", 0: "no row has"}.get(answered.sum(), f"{answered.sum()} of 4 rows have")
        assert alt.startswith(f"Forbidden: {forbidden}; {count} an answer. Weights on {quoted(NAMES)}. ")
        assert "nan" not in alt and alt.count("no answer") == 4 - answered.sum()


def test_window():
    ns, bars = 2 ** np.arange(2, 18), []
    for width, row in zip((256, 768, 4096), made("window").frames, strict=True):
        steps = {"projections": 4 * ns * width**2, "pairs": 2 * ns**2 * width}
        for i, (frame, n) in enumerate(zip(row, ns, strict=True)):
            share = show(100 * n / (n + 2 * width), ".1f")
            assert [frame.label] == texts(frame, "number:n") == [show(n, ",d")]
            assert texts(frame, "number:share") == [f"{share} per cent"]
            (memory,) = texts(frame, "number:memory")
            number, unit = memory.split()
            size = 12 * n * n * 2 / {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}[unit]
            assert 1 <= size < 1024
            assert number == show(size, ",d" if size == int(size) else ",.1f")
            costs = "more" if n < 2 * width else "less" if n > 2 * width else "the same"
            said = (
                f"{frame.label} tokens at model dimension {show(width, ',d')}: the projections cost {costs}"
            )
            assert frame.picture.alt.startswith(f"{said}, and the pairs take {share} per cent of the work. ")
            assert frame.picture.alt.endswith(f" would take {memory}.")
            things = drawn(frame)
            for word, line in steps.items():
                np.testing.assert_allclose(things[f"line:{word}"].get_xydata(), np.column_stack([ns, line]))
                np.testing.assert_allclose(things[f"point:{word}"].get_xydata(), [(n, line[i])])
            np.testing.assert_array_equal(things["mark"].get_xdata(), [n, n])
            np.testing.assert_array_equal(things["mark"].get_ydata(), [0, 1])
            bar = things["bar:share:0"]
            bars.append((bar.get_width() * (n + 2 * width) / n, bar.get_height()))
    np.testing.assert_allclose(bars, [(1.6, 0.22)] * len(bars))


def test_sentence():
    for frame, sentence in zip(frames("sentence"), plane.SENTENCES, strict=True):
        words = sentence.split()
        table, *matrices, readout = (plane.PARAMETERS[name].tolist() for name in plane.PARAMETERS)
        tokens = [table[plane.WORDS.index(word)] for word in words]
        steps = slow.attention(*(slow.project(tokens, matrix) for matrix in matrices))
        weights, mixture = (step[words.index("cube")] for step in steps[2:])
        landed = np.add(table[0], mixture)
        raised = np.exp(landed @ readout)
        chances = [show(c, ".2f") for c in raised / raised.sum()]
        told = [word for word in words if word != "cube" and word not in plane.FILLERS]
        assert frame.label == (listing(told) or "none")
        assert texts(frame, "number:weights") == [show(w, ".2f") for w in weights]
        assert texts(frame, "number:chances") == [
            f"{s} {c}" for s, c in zip(plane.SENSES, chances, strict=True)
        ]
        place = f"it moves to {shows(landed, '+.2f')}. Chances: "
        assert f"“{sentence}”" in frame.picture.alt and place in frame.picture.alt
    other = widgets.sentence(["a cold cube"], plane.OTHERS[3]).still
    assert other.label == "cold" and "the region of ice" in other.picture.alt


def test_training():
    """Trained again with explicit steps, and what the hand does then read by slow loops."""
    generator = np.random.default_rng(arm.SEED)
    numbers = arm.start(generator)
    at = [int(frame.label.replace(",", "")) for frame in made("training").frames[0]]
    assert at[0] == 0 and at[-1] == arm.STEPS
    kept = {}
    for step in range(at[-1] + 1):
        if step in at:
            kept[step] = {name: grid.tolist() for name, grid in numbers.items()}
        _, found = arm.slopes(numbers, arm.scenes(generator, arm.BATCH))
        numbers |= {name: numbers[name] - arm.RATE * slope for name, slope in found.items()}
    for word, row in zip(arm.THINGS, made("training").frames, strict=True):
        for step, frame in zip(at, row, strict=True):
            model, i = kept[step], arm.THINGS.index(word)
            things = [[*look, *place] for look, place in zip(model["looks"], arm.TABLE.tolist(), strict=True)]
            query = slow.project([model["words"][i]], model["w_query"])
            keys, values = (slow.project(things, model[name]) for name in ("w_key", "w_value"))
            _, _, (weights,), (hand,) = slow.attention(query, keys, values)
            assert texts(frame, "number:weights") == [
                f"{thing} {show(w, '.2f')}" for thing, w in zip(arm.THINGS, weights, strict=True)
            ]
            far = show(arm.distance({name: np.array(grid) for name, grid in model.items()}), ".2f")
            assert frame.picture.alt.startswith(
                f"After {show(step, ',d')} steps the mean distance is {far}. "
            )
            away = show(np.hypot(*np.subtract(hand, arm.TABLE[i])), ".2f")
            assert f"The hand is at {shows(hand, '+.2f')}, {away} from the {word}." in frame.picture.alt
            point = drawn(frame)["point:distance"]
            assert point.get_xdata() == [step] and show(point.get_ydata()[0], ".2f") == far
            shown = [drawn(frame)[f"thing:{i}"].get_xydata()[0], drawn(frame)["hand:"].get_xydata()[0]]
            assert (shown[1] - shown[0]) @ (1, -1) == pytest.approx(
                1.3 * np.subtract(hand, arm.TABLE[i]).sum()
            )


def test_induction():
    """Trained again with explicit steps; the arcs are those of a run of the model then."""
    built = made("induction").frames[0]
    at = [int(frame.label.replace(",", "")) for frame in built]
    letters = induction.numbered("KCAFBHKCAFBH")[None]
    for step, _, numbers in induction.training(induction.SEED):
        if step in at:
            frame = built[at.index(step)]
            share = show(100 * induction.accuracy(numbers), ".0f")
            assert frame.picture.alt.startswith(
                f"After {show(step, ',d')} steps {share} per cent of the letters"
            )
            for side, block in enumerate(model.forward(numbers, letters).blocks):
                weights = block.attended.weights[0, 0]
                arcs = {name: a for name, a in drawn(frame).items() if name.startswith(f"arc:{side}:")}
                assert arcs, step
                for name, arc in arcs.items():
                    i, j = (int(part) for part in name.split(":")[2:])
                    assert arc.get_linewidth() == pytest.approx(5 * weights[i, j])


def test_temperature():
    words = ["the", "cup", "is"]
    tokens = np.array([[smallworld.WORDS.index(word) for word in words]])
    logits = model.forward(smallworld.PARAMETERS, tokens, 2).logits[0, -1]
    order = np.argsort(-logits)
    for few, row in zip((2, 4, 25), made("temperature").frames, strict=True):
        for frame in row:
            raised = np.exp((logits[order[:few]] - logits.max()) / float(frame.label))
            chances = np.zeros(8)
            chances[: min(few, 8)] = (raised / raised.sum())[:8]
            assert texts(frame, "number:chance") == [show(chance, ".3f") for chance in chances]
            widths = [drawn(frame)[f"bar:chance:{i}"].get_width() for i in range(8)]
            np.testing.assert_allclose(widths, 3.9 * chances, atol=1e-9)
            assert f"temperature {frame.label}, " in frame.picture.alt and "“pink” has" in frame.picture.alt


def test_writing():
    begun = smallworld.BEGINNING.split()
    text, without, kept = list(begun), 0, 0
    for k, frame in enumerate(frames("writing")):
        if k:
            tokens = np.array([[smallworld.WORDS.index(word) for word in text]])
            without += len(text) ** 2
            kept += len(text) if k > 1 else len(text) ** 2
            text.append(
                smallworld.WORDS[model.forward(smallworld.PARAMETERS, tokens, 2).logits[0, -1].argmax()]
            )
        assert frame.label == show(k, "d") and frame.picture.alt.endswith(" ".join(text))
        assert texts(frame, "number:pairs") == [f"{show(n, ',d')} pairs" for n in (without, kept)]
        for block in (0, 1):
            assert texts(frame, f"word:{block}") == text
            rows = {int(name.split(":")[2]) for name in drawn(frame) if name.startswith(f"row:{block}:")}
            read = range(len(text) - 1) if k else range(len(text))
            assert rows == set(read if not block or k < 1 else read[-1:])
        widths = [drawn(frame)[f"bar:pairs:{block}"].get_width() for block in (0, 1)]
        if kept:
            assert widths[0] / widths[1] == pytest.approx(without / kept)


def test_rotary():
    for between, row in enumerate(made("rotary").frames):
        scores = set()
        for place, frame in enumerate(row):
            q, k = (
                complex(*arrow) * np.exp(1j * angle)
                for arrow, angle in (((1.5, 0.5), place + between), ((0.6, 1.4), place))
            )
            score = (q * k.conjugate()).real / 2**0.5
            assert texts(frame, "number:ink") == [show(score, "+.2f")]
            assert texts(frame, "number:query") == [shows([q.real, q.imag], "+.2f")]
            assert texts(frame, "number:key") == [shows([k.real, k.imag], "+.2f")]
            arrows = [
                np.diff(drawn(frame)[f"arrow:{role}"]._posA_posB, axis=0)[0] * (1, -1)
                for role in ("query", "key")
            ]
            scale = np.abs(arrows).sum() / np.abs([q.real, q.imag, k.real, k.imag]).sum()
            np.testing.assert_allclose(arrows, scale * np.array([[q.real, q.imag], [k.real, k.imag]]))
            scores.add(show(score, "+.2f"))
        assert len(scores) == 1


@pytest.mark.parametrize(
    "picture", sorted(name[8:] for name in widgets.SLIDERS if name.startswith("trained-"))
)
def test_trained(picture):
    """The same picture twice: with the numbers of the example, and with those of its twin."""
    random, trained = frames(f"trained-{picture}")
    # the picture with random numbers stands near by
    assert made(f"trained-{picture}").still.label == "trained"
    assert (random.label, trained.label) == ("random", "trained")
    for frame, of in ((random, example), (trained, twin)):
        told = "".join(texts(frame, "number:"[:-1]))
        grid = {"cube-arrows": of.WEIGHTS[3], "three-matrices": of.W_VALUE, "qkv-grids": of.VALUES}.get(
            picture, of.WEIGHTS
        )
        if picture == "two-heads":
            grid = np.array([head.weights for head in of.TWO_HEADS.heads])
        if picture == "scaled-scores":
            grid = of.SCORES
        if picture == "mix-values":
            grid = of.OUTPUT[3]
        form = {"three-matrices": "+.1f"}.get(
            picture, ".3f" if picture in ("cube-arrows", "weight-grid", "two-heads") else "+.2f"
        )
        assert all(show(number, form) in told for number in np.ravel(grid))
        assert frame.picture.alt.startswith(f"{frame.label.capitalize()} numbers: ")
    assert "“pick”, 0.983" in frames("trained-weight-grid")[1].picture.alt


def test_a_picture_without_trained_numbers_is_named():
    with pytest.raises(ValueError, match=r"picture must be one of cube-arrows, .*; got 'lead-share'"):
        widgets.trained("lead-share")
    assert widgets.trained("weight-grid").name == "trained-weight-grid"


# ---- what is said -----------------------------------------------------------


@EVERY_SLIDER
def test_what_is_said_at_each_place_is_short_and_of_its_own(name):
    for row in made(name).frames:
        told = [seen(frame.picture.alt) for frame in row]
        news = [sentences(words)[0] for words in told]
        assert len(set(news)) == len(row), "every move is heard"
        assert max(map(len, news)) <= 125
        assert max(map(len, told)) <= 250
        assert not any(re.search(r"[-–]\d|[×÷√∞]", words) for words in told)


def test_a_slider_says_itself_where_nothing_moves():
    data, metadata = made("lead")._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "image/svg+xml", "text/plain"}
    assert data["text/plain"] == made("lead").still.picture.alt
    assert "0.731" in data["text/plain"]
    assert metadata["course"] == {"slider": "lead", "id": "slider-lead"}


# ---- what makes it move -----------------------------------------------------


def test_a_slider_is_one_file_of_its_name():
    files = {path.stem for path in Path(widgets.__file__).parent.glob("[!_]*.py")}
    own = {name: make for name, make in widgets.SLIDERS.items() if not name.startswith("trained-")}
    assert files == {name.replace("-", "_") for name in own}
    for name, make in own.items():
        assert getattr(widgets, name.replace("-", "_")) is make


@EVERY_SLIDER
def test_the_handle_chooses_the_frame(name):
    built = made(name)
    links = [m for m in dependency_state([built]).values() if m["model_name"] == "LinkModel"]
    handles = [c for c in built.children if isinstance(c, ipywidgets.SelectionSlider)]
    # the first handle moves the stack of each row, the second chooses the row
    assert len(links) == len(built.frames) + len(handles) - 1
    assert [(h.description, h.value) for h in handles] == widgets.SLIDERS[name].handles
    for row in built.frames:
        assert [frame.label for frame in row] == list(handles[0].options)
    assert len(set(handles[0].options)) == len(handles[0].options)
    row = built.frames[handles[1].index if len(handles) == 2 else 0]
    assert built.still is row[handles[0].index]


@EVERY_SLIDER
def test_base_and_frame_together_are_the_picture(name):
    """Nothing is lost or doubled by taking pictures apart."""
    under, stack, over = made(name).children[-1].children
    rows = [row.children for row in stack.children] if len(made(name).frames) > 1 else [stack.children]
    own, said = zip(*(page.value.split("<p ") for row in rows for page in row), strict=True)
    under, over = under.value, over.value

    def count(svg, tag):
        return re.sub(r"<defs>.*?</defs>", "", svg, flags=re.S).count(tag)

    for frame, mine, words in list(zip(frames(name), own, said, strict=True))[:: max(1, len(own) // 5)]:
        for tag in ("<use", "<path"):
            together = sum(count(part, tag) for part in (under, mine, over))
            assert together == count(frame.picture.svg(), tag)
        told = re.sub(r'<span class="rest">(.*)</span>', r"\1", words)
        assert told.endswith(f'">{html.escape(frame.picture.alt)}</p>')
        assert (told != words) == (len(frame.picture.alt) > 250), "long words are for those who do not see it"
    assert len(set(own)) == len(own), "every frame differs"
    assert style.COLOURS["ink"] in under + over
    ids = set(re.findall(r' id="([^"]+)"', under))
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', under + over + "".join(own)))
    assert {a or b for a, b in used} <= ids


# ---- values of the reader's own ---------------------------------------------


def test_a_reader_may_bring_other_values():
    (leads,) = widgets.lead([1, 10]).frames
    assert [frame.label for frame in leads] == ["+1.00", "+10.00"]
    assert "Without" not in leads[0].picture.alt, "there is no place without a lead"
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 3, 4))
    token = widgets.token(q, k, v, "abc")
    assert [frame.label for frame in token.frames[0]] == ["a", "b", "c"]
    assert token.still.label == "a", "the first place, where none is called as the start is"
    assert len(widgets.mask(q, k, "abc").frames[0]) == 9
    (frame,) = widgets.head_size([3], seed=1, winner_seed=2).frames[0]
    assert frame.label == "3"
    first, second = widgets.window([10, 20], (64, 128)).frames
    assert [len(first), len(second)] == [2, 2]
    for nothing in (widgets.lead, widgets.angle, widgets.head_size):
        with pytest.raises(ValueError, match="at least one"):
            nothing([])


# ---- what is written about them ---------------------------------------------


def test_teachers_are_told_of_every_slider():
    notes = (notebooks.ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
    table = notes.partition("\n## Which slider when\n")[2].partition("\n## ")[0]
    told = dict(re.findall(r"^\| \*([\w-]+)\* \| section (\d+) \|", table, re.M))
    lacking = sorted(set(widgets.SLIDERS) - set(told))
    assert not lacking, f"the table in docs/teaching.md lacks {listing(lacking)}"
    shown = {}
    for path in notebooks.paths():
        for cell in notebooks.cells(path):
            shown[cell["metadata"].get("slider")] = path.stem.partition("-")[0]
    assert told.items() <= shown.items(), "each is in the section that the table says"
