"""CSS colors (CSS Color Module Level 4), and whether text of one is visible on another."""

import colorsys
import re
from typing import NamedTuple

from filings.document.layout.lengths import number

# The color names of CSS with six hex digits, its system colors last, as browsers show them.
NAMES = (
    "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 "
    "black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 "
    "cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc "
    "crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 "
    "darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f "
    "darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f "
    "darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 "
    "deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 "
    "floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 "
    "goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 "
    "indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 "
    "lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff "
    "lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 "
    "lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 "
    "lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff "
    "maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db "
    "mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc "
    "mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 "
    "navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 "
    "orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 "
    "papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 "
    "rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 "
    "sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb "
    "slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 "
    "tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 "
    "white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32 canvas ffffff canvastext 000000 "
    "window ffffff windowtext 000000 field ffffff fieldtext 000000 linktext 0000ee"
)
HEX = re.compile(r"[0-9a-f]{3,8}")
FUNCTION = re.compile(r"(rgba?|hsla?|hwb)\(([^()]*)\)")
LIKE = 16  # of 255 in each of red, green and blue: smaller differences are invisible on paper or screen
FAINT = 0.06  # opacity up to which nothing is visible


class Color(NamedTuple):
    """Red, green and blue, 0 to 255, and alpha, 0 to 1."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0


BLACK, WHITE, LINK = Color(0, 0, 0), Color(255, 255, 255), Color(0, 0, 238)
CLEAR = Color(0, 0, 0, 0)


def color(text: str) -> Color | None:
    """The color of a value in lower case; None where it is unknown."""
    if text == "transparent":
        return CLEAR
    if text in NAMED:
        return NAMED[text]
    if text.startswith("#"):
        return of_hex(text[1:])
    found = FUNCTION.fullmatch(text) if len(text) < 100 else None
    if not found:
        return None
    parts = found[2].replace(",", " ").replace("/", " ").split()
    if len(parts) not in (3, 4):
        return None
    alpha = share(parts[3]) if len(parts) == 4 else 1.0
    if found[1].startswith("rgb"):
        channels = [255 * share(part) if part.endswith("%") else number(part) for part in parts[:3]]
    else:
        hue = number(parts[0].removesuffix("deg"))
        first, second = share(parts[1]), share(parts[2])
        if None in (hue, first, second):
            return None
        channels = [255 * part for part in _of_hue(found[1], hue, first, second)]
    if alpha is None or None in channels:
        return None
    return Color(*(min(max(channel, 0), 255) for channel in channels), min(max(alpha, 0), 1))


def of_hex(digits: str) -> Color | None:
    """The colour of 3, 4, 6 or 8 hex digits."""
    if not HEX.fullmatch(digits) or len(digits) not in (3, 4, 6, 8):
        return None
    if len(digits) < 6:
        digits = "".join(2 * digit for digit in digits)
    red, green, blue, *alpha = bytes.fromhex(digits)
    return Color(red, green, blue, alpha[0] / 255 if alpha else 1.0)


def of_attribute(text: str) -> str:
    """The color of an attribute such as bgcolor, as CSS writes it; hex digits may stand alone there."""
    name = text.strip().lower()
    if color(name) is not None:
        return name
    return f"#{name}" if of_hex(name) else "var(unknown)"


NAMED = {name: found for name, digits in re.findall(r"(\S+) (\S+)", NAMES) if (found := of_hex(digits))}


def _of_hue(model: str, hue: float, first: float, second: float) -> tuple[float, float, float]:
    turn = hue / 360 % 1
    if model != "hwb":
        return colorsys.hls_to_rgb(turn, second, first)
    pure = colorsys.hls_to_rgb(turn, 0.5, 1)
    whole = max(first + second, 1)
    white, black = first / whole, second / whole
    red, green, blue = (part * (1 - white - black) + white for part in pure)
    return red, green, blue


def share(text: str) -> float | None:
    """A percentage, or a number between 0 and 1, as a share of 1."""
    found = number(text.removesuffix("%"))
    return found / 100 if found is not None and text.endswith("%") else found


def over(front: Color, ground: Color) -> Color:
    """The visible color of one over an opaque one."""
    red, green, blue = (
        front.alpha * one + (1 - front.alpha) * other for one, other in zip(front[:3], ground[:3], strict=True)
    )
    return Color(red, green, blue)


def is_seen(ink: Color | None, ground: Color | None) -> bool:
    """Whether text of one color is visible on its background; true where either is unknown."""
    if ink is not None and ink.alpha <= FAINT:
        return False
    if ink is None or ground is None:
        return True
    return any(abs(one - other) >= LIKE for one, other in zip(over(ink, ground)[:3], ground[:3], strict=True))
