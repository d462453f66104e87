"""Made and tested, and not yet shown: the text of a notebook about them is still to be written.

Whoever writes it takes the name out here; from then on the tests ask where it is shown.
"""

from scripts import draw, plane

WOODEN, ICE = plane.SENTENCES[:2]
PICTURES = {
    "cube-carried": lambda: draw.cube_carried([plane.read(WOODEN), plane.read(ICE)]),
    "cube-moves": lambda: draw.cube_moves(plane.read(WOODEN)),
    "equally-right": lambda: draw.equally_right(
        [plane.read(WOODEN, head) for head in plane.HEADS.values()], [str(seed) for seed in plane.HEADS]
    ),
}
SLIDERS = {
    "sentence",
    *("trained-cube-arrows", "trained-three-matrices", "trained-qkv-grids", "trained-scaled-scores"),
    *("trained-weight-grid", "trained-mix-values"),
}
EXERCISES = {"1.5", "1.6"}
