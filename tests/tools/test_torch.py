"""The third way to the same numbers: PyTorch.

Nothing in the course needs it.  Where it is missing these tests are skipped;
to run them: ``make torch``.
"""

import contextlib
import functools
import io
import re

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed; the course does not need it (make torch brings it)"
)

from scripts import example, gradients, model  # noqa: E402
from scripts.attention import attention, causal_mask  # noqa: E402
from tools import crosscheck, notebooks  # noqa: E402

CLOSE = 1e-6
CASES = crosscheck.cases()
scaled_dot_product_attention = torch.nn.functional.scaled_dot_product_attention


@pytest.fixture
def grids():
    """Queries, keys and values of the running example as tensors."""
    return [crosscheck.tensor(array) for array in (example.QUERIES, example.KEYS, example.VALUES)]


@pytest.fixture
def tokens():
    return crosscheck.tensor(example.TOKENS)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("name", CASES)
def test_one_call_agrees_in_every_step(name, dtype):
    ours = crosscheck.numpy_steps(*CASES[name])
    found = crosscheck.differences(ours, crosscheck.torch_steps(*CASES[name], dtype=dtype))
    assert set(found) == set(crosscheck.STEPS)
    for step, much in found.items():  # about seven digits: there larger numbers are rounded more coarsely
        coarse = max(1, np.abs(ours[step]).max()) if dtype is torch.float32 else 1
        assert much < CLOSE * coarse, step


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_one_layer_agrees_in_every_step(name, heads):
    ours, theirs = (
        work(*CASES[name], heads=heads) for work in (crosscheck.numpy_head_steps, crosscheck.torch_head_steps)
    )
    found = crosscheck.differences(ours, theirs)
    assert set(found) == {"weights", "joined", "output"}
    assert max(found.values()) < CLOSE


@pytest.mark.parametrize(("heads", "divide"), [(1, True), (2, True), (3, False)])
@pytest.mark.parametrize("mask", [None, causal_mask(5)], ids=["all", "causal"])
def test_gradients_agree_with_autograd(heads, divide, mask):
    draw = np.random.default_rng(heads).normal
    rows, d_output = draw(size=(3, 4, 5, 6)), draw(size=(4, 5, 6))
    kept = gradients.attend(*rows, heads=heads, mask=mask, divide=divide)
    theirs = [torch.tensor(row, requires_grad=True) for row in rows]
    cut = (row.reshape(4, 5, heads, -1).transpose(1, 2) for row in theirs)
    allowed = None if mask is None else torch.tensor(mask)
    mixed = scaled_dot_product_attention(*cut, attn_mask=allowed, scale=None if divide else 1.0)
    mixed.transpose(1, 2).reshape(4, 5, 6).backward(torch.tensor(d_output))
    for ours, row in zip(gradients.attend_backward(d_output, kept), theirs, strict=True):
        np.testing.assert_allclose(ours, row.grad, atol=CLOSE)


def a_model_of_theirs(parameters, heads):
    """The whole model with PyTorch's own parts, and its parameters as tensors that gradients flow to."""
    theirs = {name: torch.tensor(grid, requires_grad=True) for name, grid in parameters.items()}
    normed = functools.partial(torch.nn.functional.layer_norm, eps=model.EPSILON)

    def cut(rows):
        return rows.unflatten(-1, (heads, -1)).transpose(1, 2)

    def run(tokens):
        n, stream = tokens.shape[1], torch.nn.functional.embedding(tokens, theirs["table"])
        stream = stream + theirs["positions"][:n]
        width = stream.shape[-1:]
        for i in range(2):
            own = {name[2:]: grid for name, grid in theirs.items() if name.startswith(f"{i}.")}
            rows = normed(stream, width, own["gain_1"], own["shift_1"])
            parts = (cut(rows @ own[name]) for name in ("w_query", "w_key", "w_value"))
            mixed = scaled_dot_product_attention(*parts, is_causal=True).transpose(1, 2).flatten(-2)
            stream = stream + mixed @ own["w_output"]
            rows = normed(stream, width, own["gain_2"], own["shift_2"])
            inside = torch.nn.functional.linear(rows, own["w_in"].T, own["b_in"]).relu()
            stream = stream + torch.nn.functional.linear(inside, own["w_out"].T, own["b_out"])
        return normed(stream, width, theirs["gain"], theirs["shift"]) @ theirs["read"]

    return run, theirs


@pytest.mark.parametrize("heads", [1, 2])
def test_a_whole_model_and_its_gradient_agree(heads):
    rng = np.random.default_rng(heads)
    parameters = model.start(rng, vocabulary=9, width=8, layers=2, most=6, hidden=12, norm=True)
    parameters = {name: grid + rng.normal(0, 0.1, grid.shape) for name, grid in parameters.items()}
    tokens, targets = rng.integers(0, 9, (2, 3, 6))
    run, theirs = a_model_of_theirs(parameters, heads)
    logits = run(torch.tensor(tokens))
    np.testing.assert_allclose(model.forward(parameters, tokens, heads).logits, logits.detach(), atol=CLOSE)
    loss, found = model.slopes(parameters, tokens, targets, heads)
    their_loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.tensor(targets).flatten())
    their_loss.backward()
    assert loss == pytest.approx(their_loss.item(), abs=CLOSE)
    for name, grid in found.items():
        np.testing.assert_allclose(grid, theirs[name].grad, atol=CLOSE, err_msg=name)


# ---- Masks -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "may"), [("attn_mask", causal_mask(4)), ("key_padding_mask", np.arange(4) < 3)]
)
def test_boolean_masks_have_opposite_meanings(grids, tokens, kind, may):
    may = crosscheck.tensor(may)
    layer = crosscheck.torch_layer(heads=1, output_matrix=np.eye(4))
    call = scaled_dot_product_attention(*grids, attn_mask=may.expand(4, 4))
    turned, as_it_is = (layer(tokens, tokens, tokens, **{kind: mask})[0] for mask in (~may, may))
    assert torch.allclose(call, turned, atol=CLOSE)
    assert not torch.allclose(call[:3], as_it_is[:3], atol=0.1)


@pytest.mark.parametrize("turned_round", [False, True])
def test_changing_a_later_token_finds_a_mask_turned_round(tokens, turned_round):
    forbidden = crosscheck.tensor(~causal_mask(4))
    changed = tokens.clone()
    changed[-1] += 1
    layer, mask = crosscheck.torch_layer(), ~forbidden if turned_round else forbidden
    before, after = (layer(x, x, x, attn_mask=mask)[0][:3] for x in (tokens, changed))
    assert torch.equal(before, after) is not turned_round


def test_a_query_with_nothing_to_look_at_has_several_answers(grids, tokens):
    mask = np.ones((4, 4), dtype=bool)
    mask[3] = False
    with pytest.raises(ValueError, match="query 3"):
        attention(example.QUERIES, example.KEYS, example.VALUES, mask)
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 5):
        pytest.skip("before version 2.5 the one call gave NaN here")
    assert torch.all(scaled_dot_product_attention(*grids, attn_mask=crosscheck.tensor(mask))[3] == 0)
    layer, forbidden = crosscheck.torch_layer(), crosscheck.tensor(~mask)
    with torch.no_grad():
        with_weights, _ = layer(tokens, tokens, tokens, attn_mask=forbidden)
        without, _ = layer(tokens, tokens, tokens, attn_mask=forbidden, need_weights=False)
    assert torch.isnan(with_weights[3]).all()
    assert torch.all(without[3] == 0)
    assert torch.allclose(with_weights[:3], without[:3], atol=CLOSE)


def test_causal_by_name_counts_from_the_top_left(grids):
    queries, keys, values = grids
    named = scaled_dot_product_attention(queries, keys, values, is_causal=True)
    ours = attention(example.QUERIES, example.KEYS, example.VALUES, causal_mask(4)).output
    assert np.abs(named.numpy() - ours).max() < CLOSE
    # The last two tokens go on reading a text of four: each sees all that came before it.
    named = scaled_dot_product_attention(queries[2:], keys, values, is_causal=True).numpy()
    assert np.abs(named - ours[2:]).max() > 0.1


# ---- What the notebook shows -------------------------------------------------


def pieces():
    """Yield (kind, text) of the notebook: cells that run, code that is only shown, its output."""
    fence = re.compile(r"^```(python not-run|text)\n(.*?)^```$", flags=re.M | re.S)
    for cell in notebooks.cells(notebooks.BOOK / "9-in-python.ipynb"):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            yield "cell", source
        else:
            yield from fence.findall(source)


@pytest.mark.published_example
def test_shown_code_runs_and_prints_what_stands_under_it():
    names, printed, compared = {"__name__": "notebook"}, None, 0
    for kind, text in pieces():
        if kind == "text":
            assert printed == text
            compared += 1
            continue
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            exec(compile(text, "section 9", "exec"), names)
        printed = told.getvalue()
    assert compared == 5


def test_single_matrices_put_in_without_turning_fit_but_are_wrong(tokens):
    layer = crosscheck.torch_layer()
    right = crosscheck.torch_head_steps(*CASES["self"])["output"]
    with torch.no_grad():
        layer.in_proj_weight.copy_(crosscheck.tensor(np.vstack(crosscheck.MATRICES)))
        wrong, _ = layer(tokens, tokens, tokens)
    assert np.abs(wrong.numpy() - right).max() > 0.1
