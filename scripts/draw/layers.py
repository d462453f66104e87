"""Many pictures of one slider as one base and the parts that change.

A slider shows tens of pictures that are nearly the same.  Here they are taken
apart: what stands in all of them is kept once, in a layer under and a layer
over the rest, and each frame holds only what is its own.
"""

from collections.abc import Sequence

from scripts.draw.canvas import Picture
from scripts.draw.svg import rename, unparse


def take_apart(pictures: Sequence[Picture], prefix: str) -> tuple[str, str, list[str]]:
    """Split pictures of one size into what they share and what each has of its own.

    Every id gets the prefix, so that several sliders can stand on a page.

    Returns
    -------
    under
        An SVG element with everything shared that lies below what changes, and
        all definitions.
    over
        An SVG element with everything shared that lies above something of its own axes
        that changes.
    frames
        An SVG element for each picture, with what is its own.
    """
    if not pictures:
        raise ValueError("a slider needs at least one picture; got none")
    kept, drawn, sizes = {}, [], set()
    for picture in pictures:
        root = picture.tree()
        rename(root, lambda name: prefix + name)
        sizes.add(root.get("viewBox"))
        definitions, *parts = root
        kept.update((one.get("id"), unparse(one)) for one in definitions)
        # each part is an artist, or, without attributes, the artists of one axes
        groups = [[part] if part.attrib else part for part in parts]
        drawn.append([[unparse(artist) for artist in group] for group in groups])
    if len(sizes) != 1:
        raise ValueError(f"pictures of a slider must have one size; got {sorted(sizes)}")
    if len({len(groups) for groups in drawn}) != 1:
        raise ValueError("pictures of a slider must have as many axes, one as the other")
    under, over, own = [], [], [[] for _ in drawn]
    for groups in zip(*drawn, strict=True):  # one axes, in every picture
        shared = set(groups[0]).intersection(*groups[1:])
        below = 0
        while below < min(map(len, groups)) and len({parts[below] for parts in groups}) == 1:
            below += 1
        under += groups[0][:below]
        over += [part for part in groups[0][below:] if part in shared]
        for mine, parts in zip(own, groups, strict=True):
            mine += [part for part in parts[below:] if part not in shared]
    box = sizes.pop()
    head = f'<svg viewBox="{box}" stroke-linejoin="round" aria-hidden="true">'
    definitions = "".join(text for _, text in sorted(kept.items()))
    layers = [head + "".join(parts) + "</svg>" for parts in (over, *own)]
    under = f"{head}<defs>{definitions}</defs>{''.join(under)}</svg>"
    return under, layers[0], layers[1:]
