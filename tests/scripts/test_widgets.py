"""The sliders: every frame's printed numbers are what the arithmetic gives for its value."""

import re

import ipywidgets
import numpy as np
import pytest
import slow
from ipywidgets.embed import dependency_state
from matplotlib.colors import to_rgba
from matplotlib.patches import FancyArrowPatch

from scripts import cost, example, experiments, widgets
from scripts.draw import style
from scripts.draw.layers import take_apart
from scripts.numbers import show

pytestmark = pytest.mark.slow  # draws every frame of every slider
MADE = {}


def made(name):
    if name not in MADE:
        MADE[name] = widgets.SLIDERS[name]()
    return MADE[name]


def frames(name):
    return [frame for row in made(name).frames for frame in row]


def drawn(frame, name, form):
    """Compare texts drawn under ``number:name:i:j`` with numbers, and return how many."""
    numbers = np.ma.asarray(frame.numbers[name])
    texts = {t.get_gid(): t.get_text() for a in frame.picture.axes for t in a.texts if t.get_gid()}
    count = 0
    for i, j in np.ndindex(numbers.shape):
        text = texts.get(f"number:{name}:{i}:{j}")
        if numbers[i, j] is np.ma.masked:
            assert text is None
            continue
        assert re.sub(r"^spread ", "", text) == show(numbers[i, j], form)
        count += 1
    return count


def artists(frame):
    """What a frame draws, by gid."""
    return {a.get_gid(): a for a in frame.picture.findobj(lambda a: bool(a.get_gid()))}


# ---- the grid of every slider: numbers worked out here, apart from the course's code -------


def test_lead():
    seen = frames("lead")
    leads = [frame.numbers["lead"] for frame in seen]
    assert leads[0] == -6 and leads[-1] == 6 and np.allclose(np.diff(leads), 0.25)
    for frame, x in zip(seen, leads, strict=True):
        share = 1 / (1 + np.exp(-x))
        np.testing.assert_allclose(frame.numbers["shares"], [[share, 1 - share]], rtol=1e-12)
        assert drawn(frame, "shares", ".3f") == 2
        assert f"takes {show(share, '.3f')} of the mix" in frame.picture.alt
        assert frame.label == show(x, "+.2f")
        assert frame.picture.alt.startswith(f"Lead {show(x, '+.2f')}: ")
        assert f"the second {show(1 - share, '.3f')}" in frame.picture.alt
        seen_here = artists(frame)
        curve = 1 / (1 + np.exp(-np.array(leads)))
        np.testing.assert_allclose(seen_here["line:share"].get_xydata(), np.column_stack([leads, curve]))
        np.testing.assert_allclose(seen_here["point:share"].get_xydata(), [[x, share]])
        bars = [seen_here[f"bar:share:{i}"] for i in range(2)]
        heights = [bar.get_height() for bar in bars]
        np.testing.assert_allclose(heights, np.array([share, 1 - share]) * sum(heights))
        np.testing.assert_allclose(sum(heights), 1.55)
        assert bars[0].get_y() + heights[0] == pytest.approx(bars[1].get_y() + heights[1])


def test_angle():
    seen = frames("angle")
    assert [f.numbers["angle"] for f in seen] == list(range(0, 181, 5))
    for frame in seen:
        want = 4 * np.cos(np.radians(frame.numbers["angle"]))
        assert frame.numbers["product"] == pytest.approx(want, abs=1e-12)
        texts = {t.get_gid(): t.get_text() for t in frame.picture.axes[0].texts}
        assert texts["number:product:0:0"] == show(want, "+.2f") in frame.picture.alt
        assert frame.picture.alt.startswith(f"Angle {frame.numbers['angle']:g} degrees: ")
        seen_here = artists(frame)
        curve = np.array([(a, 4 * np.cos(np.radians(a))) for a in range(0, 181, 5)])
        np.testing.assert_allclose(seen_here["line:product"].get_xydata(), curve, atol=1e-12)
        here = [[frame.numbers["angle"], want]]
        np.testing.assert_allclose(seen_here["point:product"].get_xydata(), here, atol=1e-12)
        arrows = sorted(frame.picture.findobj(FancyArrowPatch), key=lambda arrow: arrow.get_gid() or "")
        turned = []
        for arrow in arrows:  # both one inch long; the y axis of a sheet points down
            (x0, y0), (x1, y1) = arrow._posA_posB
            assert np.hypot(x1 - x0, y1 - y0) == pytest.approx(1)
            turned.append(np.degrees(np.arctan2(y0 - y1, x1 - x0)))
        assert turned == pytest.approx([0, frame.numbers["angle"]], abs=1e-9)


def test_head_size():
    seen = frames("head-size")
    sizes = [frame.numbers["size"] for frame in seen]
    assert sizes == [2**k for k in range(11)]
    generator = np.random.default_rng(experiments.SPREAD_SEED)
    shares = np.random.default_rng(experiments.WINNER_SEED)
    for frame, d in zip(seen, sizes, strict=True):
        q, k = generator.standard_normal((2000, d)), generator.standard_normal((2000, d))
        spread = np.einsum("ij,ij->i", q, k).std()
        np.testing.assert_allclose(frame.numbers["spread"][:, 0], [spread, spread / d**0.5], rtol=1e-12)
        assert spread == pytest.approx(d**0.5, rel=0.12), "the law of the square root"
        scores = shares.standard_normal((512, d)) @ shares.standard_normal((64, d)).T
        for i, s in enumerate((scores, scores / d**0.5)):
            raised = np.exp(s - s.max(axis=1, keepdims=True))
            winner = (raised.max(axis=1) / raised.sum(axis=1)).mean()
            assert frame.numbers["winner"][0, i] == pytest.approx(winner, rel=1e-12)
        assert drawn(frame, "spread", ".2f") == 2 and drawn(frame, "winner", ".3f") == 2
        seen_here = artists(frame)
        assert frame.picture.alt.startswith(f"Head size {d:,d}: ")
        raw, edges = np.einsum("ij,ij->i", q, k), np.linspace(-96, 96, 97)
        for word, values in (("as they are", raw), ("divided", raw / d**0.5)):
            parts = np.histogram(values, edges)[0]
            bars = {gid: bar for gid, bar in seen_here.items() if gid.startswith(f"bar:{word}:")}
            assert set(bars) == {f"bar:{word}:{b}" for b in np.flatnonzero(parts)}
            for b in np.flatnonzero(parts):
                bar = bars[f"bar:{word}:{b}"]
                assert bar.get_height() == pytest.approx(parts[b] / parts.max())
                assert (bar.get_x(), bar.get_width()) == pytest.approx((edges[b], 2))
        for i in range(2):
            bar = seen_here[f"bar:winner:{i}"]
            assert bar.get_height() == pytest.approx(1.75 * frame.numbers["winner"][0, i])


def test_token():
    _, scores, weights, outputs = slow.attention(
        *(a.tolist() for a in (example.QUERIES, example.KEYS, example.VALUES))
    )
    for i, frame in enumerate(frames("token")):
        np.testing.assert_allclose(frame.numbers["weights"], [weights[i]], rtol=1e-12)
        np.testing.assert_allclose(frame.numbers["output"], [outputs[i]], rtol=1e-12)
        np.testing.assert_allclose(frame.numbers["raised"], np.exp([scores[i]]), rtol=1e-12)
        texts = {t.get_gid(): t.get_text() for t in frame.picture.axes[0].texts}
        for j in range(4):
            assert texts[f"number:weight:0:{j}"] == show(weights[i][j], ".3f")
            assert texts[f"number:score:0:{j}"] == show(scores[i][j], "+.2f")
            assert texts[f"number:e to it:0:{j}"] == show(np.exp(scores[i][j]), ".3f")
        assert drawn(frame, "output", "+.2f") == 4
        assert frame.label == example.ORDER[i]
        seen_here = artists(frame)
        assert seen_here["label:new"].get_text() == f"new “{example.ORDER[i]}”"
        assert frame.picture.alt.startswith(f"“{example.ORDER[i]}” asks: ")
        assert texts["number:total:0:0"] == f"total {show(np.exp(scores[i]).sum(), '.3f')}"
        for j in range(4):
            assert texts[f"number:share:{j}:0"] == show(weights[i][j], ".3f")
            for name in (f"weight:0:{j}", f"share:{j}:0"):
                assert seen_here[f"cell:{name}"].get_facecolor()[3] == pytest.approx(weights[i][j])
            role = "positive" if scores[i][j] >= 0 else "negative"
            want = to_rgba(style.COLOURS[role], min(1, abs(scores[i][j]) / 3))
            assert seen_here[f"cell:score:0:{j}"].get_facecolor() == pytest.approx(want)
            for c in range(4):
                assert texts[f"number:values:{j}:{c}"] == show(example.VALUES[j, c], "+.2f")


def test_heads():
    seen = frames("heads")
    small, real = seen[:3], seen[3:]
    assert [f.numbers["counts"][0, 0] for f in small] == [1, 2, 4]
    divisors = [h for h in range(1, 769) if 768 % h == 0]
    assert [f.numbers["counts"][0, 0] for f in real] == divisors
    for frame in seen:
        width, n = (4, 4) if frame in small else (768, 512)
        h = int(frame.numbers["counts"][0, 0])
        assert frame.numbers["counts"][:, 0].tolist() == [h, width // h, 4 * width**2, h * n * n]
        assert drawn(frame, "counts", ",d") == 4
        seen_here = artists(frame)
        assert seen_here["number:width:0:0"].get_text() == f"width {show(width, ',d')}"
        assert seen_here["label:3"].get_text() == f"scores over all heads, {n} tokens"
        one_head = f"as many as with one head. There are {show(h * n * n, ',d')} scores for {n} tokens; "
        one_head += f"with one head there are {show(n * n, ',d')}."
        assert (one_head in frame.picture.alt) == (h > 1)
        xs, ys = (np.ma.compressed(np.ma.masked_invalid(a)) for a in seen_here["cuts"].get_data())
        assert len(xs) == len(ys) == 2 * (h - 1) and len(set(ys.tolist())) == min(2, 2 * (h - 1))
        if h > 1:  # the cuts share out the width evenly, edges included
            np.testing.assert_allclose(xs[::2], 0.3 + 5.2 * np.arange(1, h) / h)
            np.testing.assert_array_equal(xs[::2], xs[1::2])
    for frame, h in zip(small, (1, 2, 4), strict=True):
        size = 4 // h
        cells = {p.get_gid(): p.get_facecolor()[3] for p in frame.picture.axes[0].patches if p.get_gid()}
        for k in range(h):
            cut = slice(k * size, (k + 1) * size)
            weights = slow.attention(
                example.QUERIES[:, cut].tolist(), example.KEYS[:, cut].tolist(), [[0.0]] * 4
            )[2]
            for i, j in np.ndindex(4, 4):
                assert cells[f"cell:head{k}:{i}:{j}"] == pytest.approx(weights[i][j], abs=1e-9)


def test_mask():
    seen = frames("mask")
    assert len(seen) == 17 and len({frame.label for frame in seen}) == 17
    scores = np.array(slow.attention(example.QUERIES.tolist(), example.KEYS.tolist(), [[0.0]] * 4)[1])
    for frame in seen:
        if frame.label == "the future":
            allowed = np.tril(np.ones((4, 4), bool))
        else:
            real = np.array([name not in re.split(r", | and ", frame.label) for name in example.ORDER])
            allowed = np.outer(real, real)
        np.testing.assert_array_equal(frame.numbers["allowed"], allowed)
        seen_here = artists(frame)
        for i, j in np.ndindex(4, 4):
            assert (f"forbidden:scores:{i}:{j}" in seen_here) != allowed[i, j]
            if allowed[i, j]:
                assert seen_here[f"number:scores:{i}:{j}"].get_text() == show(scores[i, j], "+.2f")
                tint = seen_here[f"cell:scores:{i}:{j}"].get_facecolor()
                role = "positive" if scores[i, j] >= 0 else "negative"
                want = to_rgba(style.COLOURS[role], abs(scores[i, j]) / abs(scores).max())
                assert tint == pytest.approx(want)
        weights = np.ma.asarray(frame.numbers["weights"])
        texts = [t.get_text() for t in frame.picture.axes[0].texts]
        assert texts.count("no answer") == (~allowed.any(axis=1)).sum()
        assert "nan" not in " ".join(texts).lower()
        for i in range(4):
            if not allowed[i].any():
                assert np.ma.getmaskarray(weights)[i].all()
                assert f"{example.ORDER[i]}: no answer" in frame.picture.alt
                continue
            raised = np.exp(scores[i]) * allowed[i]
            np.testing.assert_allclose(weights[i], raised / raised.sum(), rtol=1e-12)
            assert seen_here[f"number:totals:{i}:0"].get_text() == "1.000"
            for j in range(4):
                assert seen_here[f"cell:weights:{i}:{j}"].get_facecolor()[3] == pytest.approx(weights[i, j])
        drawn(frame, "weights", ".3f")


def test_window():
    rows, bars = made("window").frames, []
    assert len(rows) == 3
    for width, row in zip((256, 768, 4096), rows, strict=True):
        assert [frame.numbers["n"] for frame in row] == [2**k for k in range(2, 18)]
        for frame in row:
            n = frame.numbers["n"]
            share = 100 * n / (n + 2 * width)
            assert frame.numbers["share"] == pytest.approx(share, rel=1e-12)
            texts = {t.get_gid(): t.get_text() for t in frame.picture.axes[0].texts}
            assert texts["number:share:0:0"] == f"{show(share, '.1f')} per cent"
            assert texts["number:n:0:0"] == show(n, ",d")
            number, unit = texts["number:memory:0:0"].split()
            factor = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}[unit]
            size = 12 * n * n * 2 / factor
            assert 1 <= size < 1024 or unit in ("bytes", "GiB")
            assert number == show(size, ",d" if size == int(size) else ",.1f")
            assert f"at width {show(width, ',d')}:" in frame.picture.alt
            seen_here = artists(frame)
            ns = np.array([2**k for k in range(2, 18)])
            for word, steps in (("projections", 4 * ns * width**2), ("grid", 2 * ns**2 * width)):
                line, point = (seen_here[f"{kind}:{word}"] for kind in ("line", "point"))
                np.testing.assert_allclose(line.get_xydata(), np.column_stack([ns, steps]))
                np.testing.assert_allclose(point.get_xydata(), [(n, steps[ns == n][0])])
            np.testing.assert_array_equal(seen_here["mark"].get_xdata(), [n, n])
            np.testing.assert_array_equal(seen_here["mark"].get_ydata(), [0, 1])
            bars.append((seen_here["bar:share:0"].get_width() / share, seen_here["bar:share:0"].get_height()))
    np.testing.assert_allclose(bars, [bars[0]] * len(bars))


# ---- what makes it move -----------------------------------------------------


@pytest.mark.parametrize("name", widgets.SLIDERS)
def test_the_handle_chooses_the_frame(name):
    built = made(name)
    state = dependency_state([built])
    links = [s["state"] for s in state.values() if s["model_name"] == "LinkModel"]
    handles = [c for c in built.children if isinstance(c, ipywidgets.SelectionSlider)]
    assert len(links) == (len(built.frames) + 1 if len(handles) == 2 else 1)
    assert handles[0].description
    assert list(handles[0].options) == [frame.label for frame in built.frames[0]]
    assert len(set(handles[0].options)) == len(handles[0].options)
    row = built.frames[handles[1].index if len(handles) == 2 else 0]
    assert built.still is row[handles[0].index]


@pytest.mark.parametrize("name", widgets.SLIDERS)
def test_base_and_frame_together_are_the_picture(name):
    """Nothing is lost or doubled by taking pictures apart."""
    seen = frames(name)
    under, over, own = take_apart([frame.picture for frame in seen], "p-")

    def count(svg, tag):
        return re.sub(r"<defs>.*?</defs>", "", svg, flags=re.S).count(tag)

    for frame, mine in list(zip(seen, own, strict=True))[:: max(1, len(seen) // 5)]:
        for tag in ("<use", "<path"):
            together = sum(count(part, tag) for part in (under, mine, over))
            assert together == count(frame.picture.svg(), tag)
    assert len(set(own)) == len(own), "every frame differs"
    assert style.COLOURS["ink"] in under + over
    ids = set(re.findall(r' id="([^"]+)"', under))
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', under + over + "".join(own)))
    assert {a or b for a, b in used} <= ids


def test_a_slider_says_itself_where_nothing_moves():
    data, metadata = made("lead")._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "image/svg+xml", "text/plain"}
    assert data["text/plain"] == made("lead").still.picture.alt
    assert "0.731" in data["text/plain"]
    assert metadata["course"] == {"slider": "lead", "id": "slider-lead"}


# ---- values of the reader's own ---------------------------------------------


def test_a_reader_may_bring_other_values():
    built = widgets.lead([0, 10])
    assert [f.label for f in built.frames[0]] == ["0.00", "+10.00"]
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 3, 4))
    assert [f.label for f in widgets.token(q, k, v, "abc").frames[0]] == ["a", "b", "c"]
    assert len(widgets.mask(q, k, "abc").frames[0]) == 9
    assert widgets.head_size([3], seed=1, winner_seed=2).frames[0][0].numbers["size"] == 3
    assert len(widgets.window([10, 20], (64, 128)).frames) == 2
    with pytest.raises(ValueError, match="at least one"):
        widgets.lead([])


@pytest.mark.parametrize(
    ("size", "said"),
    [(384, "384 bytes"), (1536, "1.5 KiB"), (6 * cost.MIB, "6 MiB"), (24 * cost.GIB, "24 GiB")],
)
def test_memory_in_words(size, said):
    assert widgets.memory(size) == said
