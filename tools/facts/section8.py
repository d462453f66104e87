"""Facts of section 8."""

from scripts import cost

# Of the largest model that Brown and others (2020) describe, in their table of sizes.
LARGE_WIDTH = 12288
LARGE_HEADS = 96
# The pictures that Dosovitskiy and others (2021) begin with.
PICTURE_SIDE = 224
PATCH_SIDE = 16


def facts():
    """Return the section's numbers by id."""
    wide = 4 * cost.WIDTH  # the usual inner width of a feed-forward network
    feed_forward = 2 * cost.WIDTH * wide
    block = cost.parameters() + feed_forward
    kept = 2 * cost.WIDTH * cost.LAYERS  # a key and a value in every layer
    patches = (PICTURE_SIDE // PATCH_SIDE) ** 2
    return {
        "width": cost.WIDTH,
        "four-matrices": cost.parameters(),
        "gpt-heads": cost.HEADS,
        "gpt-layers": cost.LAYERS,
        "usual-size": cost.head_size(),
        "feed-forward-width": wide,
        "feed-forward-parameters": feed_forward,
        "block-parameters": block,
        "stack-parameters": cost.LAYERS * block,
        "stack-parameters-millions": cost.LAYERS * block / 1e6,
        "feed-forward-matrices": feed_forward // (cost.WIDTH * wide),
        "kept-a-layer": kept // (cost.WIDTH * cost.LAYERS),
        "kept-numbers": kept,
        "kept-bytes": kept * cost.BYTES_A_NUMBER,
        "picture-side": PICTURE_SIDE,
        "patch-side": PATCH_SIDE,
        "patches-a-side": PICTURE_SIDE // PATCH_SIDE,
        "patches": patches,
        "patch-pairs": cost.grid_numbers(patches),
        "patches-double": 4 * patches,
        "patch-pairs-double": cost.grid_numbers(4 * patches),
        "large-width": LARGE_WIDTH,
        "large-heads": LARGE_HEADS,
        "large-head-size": cost.head_size(LARGE_WIDTH, LARGE_HEADS),
        "large-four-matrices": cost.parameters(LARGE_WIDTH, LARGE_HEADS),
    }
