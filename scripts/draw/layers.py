"""Many pictures of one slider as one base and the parts that change.

A slider shows tens of pictures that are nearly the same.  Here they are taken
apart: what stands in all of them is kept once, in a layer under and a layer
over the rest, and each frame holds only what is its own.  Colours become CSS
variables with the light colour as fallback, so that the frames follow the
site's theme and still look right where there is none.
"""

import re
import xml.etree.ElementTree as ET

from scripts.draw import style

SVG = "http://www.w3.org/2000/svg"
XLINK = "{http://www.w3.org/1999/xlink}href"
ET.register_namespace("", SVG)

VARIABLES = {colour.lower(): f"var(--{role},{colour})" for role, colour in style.COLOURS.items()}
COLOUR = re.compile(r"#[0-9a-f]{6}\b", re.I)
LONG = re.compile(r"-?\d+\.\d{3,}")


def themed(svg):
    """Replace reserved colours by CSS variables."""
    return COLOUR.sub(lambda m: VARIABLES.get(m[0].lower(), m[0]), svg)


def _shorter(text):
    """Two decimals of a point are more than a screen can show."""
    return LONG.sub(lambda m: f"{float(m[0]):.2f}".rstrip("0").rstrip("."), text)


def _clean(element, prefix, kept):
    """Strip an element of what the page does not need; move definitions into `kept`."""
    for parent in list(element.iter()):
        for child in list(parent):
            if child.tag == f"{{{SVG}}}defs":
                for definition in child:
                    name = definition.get("id")
                    if name not in kept:
                        definition.set("id", prefix + name)
                        _numbers(definition)
                        kept[name] = ET.tostring(definition, encoding="unicode")
                parent.remove(child)
    for node in element.iter():
        node.attrib.pop("id", None)
        node.text = node.tail = None
        if XLINK in node.attrib:
            node.set("href", "#" + prefix + node.attrib.pop(XLINK)[1:])
        for name in ("clip-path", "style", "fill"):  # where a definition may be named
            if value := node.get(name):
                node.set(name, value.replace("url(#", f"url(#{prefix}"))
        _numbers(node)


def _numbers(node):
    for name in ("d", "x", "y", "width", "height"):
        if value := node.get(name):
            node.set(name, re.sub(r"\s*\n\s*", " ", _shorter(value)).strip())
    transform = node.get("transform", "")
    if "translate" in transform:
        cut = re.sub(r"translate\([^)]*\)", lambda m: _shorter(m[0]), transform)
        node.set("transform", cut)


def _text(element):
    text = ET.tostring(element, encoding="unicode")
    return themed(text.replace(f' xmlns="{SVG}"', ""))


def take_apart(pictures, prefix):
    """Split pictures of one size into what they share and what each has of its own.

    Parameters
    ----------
    pictures : sequence of Picture
        All drawn by one function on one sheet.
    prefix : str
        Put before every id, so that several sliders can stand on a page.

    Returns
    -------
    under : str
        An SVG element with everything shared that lies below what changes, and
        all definitions.
    over : str
        An SVG element with everything shared that lies above something of its own axes
        that changes.
    frames : list of str
        An SVG element for each picture, with what is its own.

    Raises
    ------
    ValueError
        If there is no picture, or they differ in size or in their number of axes.
    """
    if not pictures:
        raise ValueError("a slider needs at least one picture; got none")
    kept, drawn, sizes = {}, [], set()
    for picture in pictures:
        root = ET.fromstring(picture.svg())
        sizes.add(root.get("viewBox"))
        _clean(root, prefix, kept)
        figure = next(root.iter(f"{{{SVG}}}g"))
        # The children of the figure and of its axes are the artists, in drawing order.
        drawn.append([[_text(part) for part in (group if _is_axes(group) else [group])] for group in figure])
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
    definitions = "".join(themed(text.replace(f' xmlns="{SVG}"', "")) for _, text in sorted(kept.items()))
    layers = [head + "".join(parts) + "</svg>" for parts in (over, *own)]
    under = f"{head}<defs>{definitions}</defs>{''.join(under)}</svg>"
    return under, layers[0], layers[1:]


def _is_axes(element):
    """Whether a group is one of matplotlib's axes: a group of groups."""
    groups = [child for child in element if child.tag == f"{{{SVG}}}g"]
    return len(groups) == len(element) and any(len(group) for group in groups)
