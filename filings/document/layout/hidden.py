"""Finds elements that CSS makes invisible: without extent, clipped, off the page, transparent."""

import math
import re
from collections.abc import Mapping

from filings.document.layout.colors import FAINT, share
from filings.document.layout.lengths import length, number

SMALLEST = 1.4  # points below which text is a speck
THIN = 1.6  # points of a clipping box up to which it shows nothing of its text
WIDTH = 720.0  # points of a typical window
BESIDE = 75.0  # points left of its place, or above it, from which text is off the page
FAR = 2_250.0  # the same to the right, where a page may be wide
TINY = 0.05  # of its size

# Cells and rows grow with their text, whatever their height.
GROWING = frozenset({"table", "tbody", "thead", "tfoot", "tr", "td", "th"})
CLIPPING = frozenset({"hidden", "clip", "scroll", "auto"})
EXTENTS = (
    "width",
    "height",
    "max-width",
    "max-height",
    "block-size",
    "inline-size",
    "max-block-size",
    "max-inline-size",
)
FUNCTION = re.compile(r"([a-z][a-z0-9-]*+)\(((?:[^()]++|\([^()]*+\))*+)\)")
SEPARATOR = re.compile(r"[\s,]+(?![^()]*\))")
LONGEST = 1_000  # characters of a value that are read: shapes have many points, but none that hides needs more


def is_gone(said: Mapping[str, str], tag: str, size: float) -> bool:
    """Whether nothing of an element and its content is visible. `said` are its declarations, `size` in points."""
    if not said:
        return False
    if said.get("display") == "none" or said.get("content-visibility") == "hidden":
        return True
    if (strength := share(said.get("opacity", ""))) is not None and strength <= FAINT:
        return True
    clips = said.get("overflow-x") in CLIPPING or said.get("overflow-y") in CLIPPING
    if clips and tag not in GROWING and any(_points(said, name, size, WIDTH) <= THIN for name in EXTENTS):
        return True
    if _is_beside(said, size, clips) or _is_scaled_away(said):
        return True
    if "translate" in said and _moves_away("translate", said["translate"].split(), size):
        return True
    return any(
        test(name, parts, size) for one, test in FUNCTIONS.items() for name, parts in _functions(said.get(one, ""))
    )


def leading(text: str, size: float, block: bool, around: float | None) -> float | None:
    """The line height in points, where it is set: of a block, or a larger one inside."""
    if not text:
        return around
    factor = number(text)
    height = factor * size if factor is not None else length(text, size)
    # "inherit" apart, what is no length is "normal".
    if height is None:
        return around if text in {"inherit", "unset"} else None
    return height if block or height >= SMALLEST else around


def _points(said: Mapping[str, str], name: str, size: float, whole: float, default: float = math.inf) -> float:
    found = length(said.get(name, ""), size, whole)
    return default if found is None else found


def _is_beside(said: Mapping[str, str], size: float, clips: bool) -> bool:
    """Whether an element is moved off the page, counting what its own padding and margin return."""
    moved = {name: _points(said, name, size, WIDTH, 0.0) for name in MOVING if name in said}
    if not moved:
        return False
    inward = max(moved.get("padding-left", 0.0), 0.0)
    margin, indent = moved.get("margin-left", 0.0), moved.get("text-indent", 0.0)
    if min(moved.get("left", 0.0), moved.get("top", 0.0), margin + inward, moved.get("margin-top", 0.0)) <= -BESIDE:
        return True
    if indent + inward + margin <= -BESIDE or moved.get("right", 0.0) <= -WIDTH or moved.get("bottom", 0.0) <= -WIDTH:
        return True
    return max(moved.get("left", 0.0), indent, margin) >= FAR or (clips and indent >= WIDTH / 2)


MOVING = ("left", "top", "right", "bottom", "margin-left", "margin-top", "padding-left", "text-indent")


def _is_scaled_away(said: Mapping[str, str]) -> bool:
    scales = [number(part) for part in said.get("scale", "").split()[:2]]
    zoom = share(said.get("zoom", ""))
    return any(scale is not None and abs(scale) <= TINY for scale in scales) or (zoom is not None and zoom <= TINY)


def _functions(value: str) -> list[tuple[str, list[str]]]:
    return [
        (name, [part for part in SEPARATOR.split(inner.strip()) if part])
        for name, inner in FUNCTION.findall(value[:LONGEST])
    ]


def _fades(name: str, parts: list[str], size: float) -> bool:
    text = parts[0].removeprefix("opacity=") if parts else ""
    value = share(text) if name in {"opacity", "alpha"} else None
    return value is not None and value <= FAINT


def _cuts_away(name: str, parts: list[str], size: float) -> bool:
    """clip-path, and the older clip: empty shapes."""
    if name in {"circle", "ellipse"}:
        radii = parts[: parts.index("at")] if "at" in parts else parts
        return any(length(radius, size, 100.0) == 0 for radius in radii)
    if name == "polygon":
        points = [length(part, size, 100.0) for part in parts if part not in {"evenodd", "nonzero"}]
        if None in points or len(points) % 2:
            return False
        known = [point for point in points if point is not None]
        xs, ys = known[::2], known[1::2]
        area = sum(
            x * after - before * y
            for x, y, before, after in zip(xs, ys, [*xs[1:], *xs[:1]], [*ys[1:], *ys[:1]], strict=True)
        )
        return abs(area) < THIN
    if "round" in parts:
        parts = parts[: parts.index("round")]
    sides = [length(part, size, 100.0) for part in parts]
    if None in sides or not sides:
        return False
    found = [side for side in sides if side is not None]
    if name == "inset":
        top, right, bottom, left = (4 * found)[:4] if len(found) in {1, 2, 4} else [*found, found[1]][:4]
        return top + bottom >= 100 or left + right >= 100
    if name == "rect" and len(found) == 4:
        return found[2] - found[0] <= THIN or found[1] - found[3] <= THIN
    return name == "xywh" and len(found) == 4 and min(found[2:]) <= THIN


def _moves_away(name: str, parts: list[str], size: float) -> bool:
    """transform and translate: scaled to nothing, turned on edge, or moved off the page."""
    if name in {"rotatex", "rotatey"}:
        return bool(parts) and _is_on_edge(parts[0])
    if name.startswith("translate"):
        moved = [length(part, size, 100.0) or 0.0 for part in parts[:2]]
        return bool(moved) and (min(moved) <= -BESIDE or max(moved) >= FAR)
    factors = [number(part) for part in parts]
    if None in factors:
        return False
    found = [factor for factor in factors if factor is not None]
    if name == "matrix" and len(found) == 6:
        a, b, c, d, x, y = found
        return abs(a * d - b * c) <= TINY * TINY or 0.75 * min(x, y) <= -BESIDE or 0.75 * max(x, y) >= FAR
    return name.startswith("scale") and name != "scalez" and any(abs(factor) <= TINY for factor in found[:2])


def _is_on_edge(angle: str) -> bool:
    for unit, whole in (("deg", 360.0), ("grad", 400.0), ("rad", 2 * math.pi), ("turn", 1.0)):
        value = number(angle.removesuffix(unit)) if angle.endswith(unit) else None
        if value is not None:
            return abs(math.cos(2 * math.pi * value / whole)) <= TINY
    return False


FUNCTIONS = {"filter": _fades, "clip": _cuts_away, "clip-path": _cuts_away, "transform": _moves_away}
