"""The third way to the same numbers: PyTorch.

Nothing in the course needs it.  Where it is missing these tests are skipped;
to run them: ``make torch``.
"""

import contextlib
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed; the course does not need it (make torch brings it)"
)

from scripts import example  # noqa: E402
from scripts.attention import attention, causal_mask, split_heads  # noqa: E402
from tools import crosscheck  # noqa: E402

NOTEBOOK = Path(__file__).resolve().parents[2] / "book" / "9-in-python.ipynb"
CLOSE = 1e-6
CASES = crosscheck.cases()
STEPS = {"queries", "keys", "values", "raw", "scores", "weights", "output"}
scaled_dot_product_attention = torch.nn.functional.scaled_dot_product_attention


@pytest.fixture
def grids():
    """Queries, keys and values of the running example as tensors."""
    return [crosscheck.tensor(array) for array in (example.QUERIES, example.KEYS, example.VALUES)]


@pytest.mark.parametrize("name", CASES)
def test_one_call_agrees_in_every_step(name):
    found = crosscheck.differences(crosscheck.numpy_steps(*CASES[name]), crosscheck.torch_steps(*CASES[name]))
    assert set(found) == STEPS
    assert max(found.values()) < CLOSE


@pytest.mark.parametrize("name", CASES)
def test_one_call_agrees_in_single_precision(name):
    ours = crosscheck.numpy_steps(*CASES[name])
    found = crosscheck.differences(ours, crosscheck.torch_steps(*CASES[name], dtype=torch.float32))
    for step, much in found.items():  # about seven digits: larger numbers are rounded more coarsely
        assert much < CLOSE * max(1, np.abs(ours[step]).max()), step


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_one_layer_agrees_in_every_step(name, heads):
    found = crosscheck.differences(
        crosscheck.numpy_head_steps(*CASES[name], heads=heads),
        crosscheck.torch_head_steps(*CASES[name], heads=heads),
    )
    assert set(found) == {"weights", "joined", "output"}
    assert max(found.values()) < CLOSE


@pytest.mark.parametrize("name", CASES)
def test_heads_are_cut_alike(name):
    together = crosscheck.torch_heads_by_hand(*CASES[name])
    joined = crosscheck.numpy_head_steps(*CASES[name])["joined"]
    assert np.abs(together - split_heads(joined, example.HEADS)).max() < CLOSE


def test_the_running_example_itself():
    steps = crosscheck.torch_steps(*CASES["self"])
    layer = crosscheck.torch_head_steps(*CASES["self"])
    for ours, theirs in (
        (example.WEIGHTS, steps["weights"]),
        (example.OUTPUT, steps["output"]),
        (example.TWO_HEADS.joined, layer["joined"]),
        (example.TWO_HEADS.output, layer["output"]),
        (example.CROSS.weights, crosscheck.torch_steps(*CASES["cross"])["weights"]),
    ):
        assert np.abs(ours - theirs).max() < CLOSE


# --------------------------------------------------------------------------
# Masks
# --------------------------------------------------------------------------


def test_boolean_masks_have_opposite_meanings(grids):
    causal = crosscheck.tensor(causal_mask(4))
    layer = crosscheck.torch_layer(heads=1, output_matrix=np.eye(4))
    tokens = crosscheck.tensor(example.TOKENS)
    call = scaled_dot_product_attention(*grids, attn_mask=causal)
    turned, _ = layer(tokens, tokens, tokens, attn_mask=~causal)
    as_it_is, _ = layer(tokens, tokens, tokens, attn_mask=causal)
    assert torch.allclose(call, turned, atol=CLOSE)
    assert not torch.allclose(call[:3], as_it_is[:3], atol=0.1)


def test_padding_masks_have_opposite_meanings(grids):
    real = torch.tensor([True, True, True, False])
    layer = crosscheck.torch_layer(heads=1, output_matrix=np.eye(4))
    tokens = crosscheck.tensor(example.TOKENS)
    call = scaled_dot_product_attention(*grids, attn_mask=real.expand(4, 4))
    padded, _ = layer(tokens, tokens, tokens, key_padding_mask=~real)
    assert torch.allclose(call, padded, atol=CLOSE)


@pytest.mark.parametrize("turned_round", [False, True])
def test_changing_a_later_token_finds_a_mask_turned_round(turned_round):
    forbidden = crosscheck.tensor(~causal_mask(4))
    mask = ~forbidden if turned_round else forbidden
    tokens = crosscheck.tensor(example.TOKENS)
    changed = tokens.clone()
    changed[-1] += 1
    layer = crosscheck.torch_layer()
    before, after = (layer(x, x, x, attn_mask=mask)[0][:3] for x in (tokens, changed))
    assert torch.equal(before, after) is not turned_round


def test_a_query_with_nothing_to_look_at_has_several_answers(grids):
    mask = np.ones((4, 4), dtype=bool)
    mask[3] = False
    with pytest.raises(ValueError, match="query 3"):
        attention(example.QUERIES, example.KEYS, example.VALUES, mask)
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 5):
        pytest.skip("before version 2.5 the one call gave NaN here")
    assert torch.all(scaled_dot_product_attention(*grids, attn_mask=crosscheck.tensor(mask))[3] == 0)
    layer, tokens = crosscheck.torch_layer(), crosscheck.tensor(example.TOKENS)
    forbidden = crosscheck.tensor(~mask)
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


# --------------------------------------------------------------------------
# What the notebook shows
# --------------------------------------------------------------------------


def pieces():
    """Yield (kind, text) of the notebook: cells that run, code that is only shown, its output."""
    fence = re.compile(r"^```(python not-run|text)\n(.*?)^```$", flags=re.M | re.S)
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
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
            exec(compile(text, NOTEBOOK.name, "exec"), names)
        printed = told.getvalue()
    assert compared == 5


def test_single_matrices_put_in_without_turning_fit_but_are_wrong():
    layer = crosscheck.torch_layer()
    right = crosscheck.torch_head_steps(*CASES["self"])["output"]
    tokens = crosscheck.tensor(example.TOKENS)
    with torch.no_grad():
        layer.in_proj_weight.copy_(crosscheck.tensor(np.vstack(crosscheck.MATRICES)))
        wrong, _ = layer(tokens, tokens, tokens)
    assert np.abs(wrong.numpy() - right).max() > 0.1
