"""Charts as images of their own: SVG with every place in pixels, every color and font written out, on white.

The layout is that of the page (filings.web.charts). A chart file carries its title, unit, legend and source, because no
page stands around it.
"""

import re
import textwrap
from base64 import b64encode
from collections.abc import Iterator
from html import escape

from django.utils.text import slugify

from filings.web.charts import SHAPES, Chart

WIDTH, RIGHT = 960, 28
LEFT = {"s": 56, "m": 76, "l": 104}
# How much higher than on the page the plot is.
STRETCH = 1.5
LINE, SIZE = 22, 13
LETTERS = 92
FONT = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"
# The light colors of app.css: an image has no dark theme.
SURFACE, TEXT, MUTED, RULE, AXIS = "#ffffff", "#17191c", "#555b64", "#dcdcd5", "#80868f"
SERIES = ("#174a84", "#b8560a", "#1d7a5a", "#7a3fa8", "#a8215f", "#636b00", "#0a7a94", "#7a5c42")
QUIET, WARN, WARN_SOFT = "#5c82b3", "#7d4e00", "#fbf3e0"
DASHES = ("", "7 3", "2 3", "9 3 2 3")
BROKEN = "Dashed line: the years on its two sides are not on the same basis."
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# What a file name may have of a title.
LONGEST_NAME = 80


def svg(chart: Chart, title: str, unit: str = "", source: str = "") -> str:
    """A chart of full size as an SVG document. title: what it shows. unit: of its values. source: where they are from."""
    titles = textwrap.wrap(title, LETTERS) or [""]
    head = 20 + LINE * len(titles) + (LINE if unit else 0) + 8
    # On the page the unit stands above the plot inside the layout; here it has its own line.
    image = _Image(chart, head + LINE - chart.top * STRETCH)
    bottom = image.y(chart.height)
    legend = list(image.legend(bottom + 22))
    foot = bottom + 20 + (LINE * len(legend) + 8 if legend else 0)
    notes = [*([BROKEN] if chart.breaks else []), *textwrap.wrap(source, 130)]
    height = foot + 18 * len(notes) + 14
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" viewBox="0 0 {WIDTH} {height:g}" '
        f'role="img" font-family="{FONT}" font-size="{SIZE}">',
        f"<title>{_said(title)}</title>",
        f'<rect width="{WIDTH}" height="{height:g}" fill="{SURFACE}"/>',
        *(_text(20, 32 + LINE * at, line, size=17, weight=600) for at, line in enumerate(titles)),
        *([_text(20, 32 + LINE * len(titles), unit, color=MUTED)] if unit else []),
        *image.plot(),
        *(piece for row in legend for piece in row),
        *(_text(20, foot + 18 * at + 10, line, color=MUTED, size=12) for at, line in enumerate(notes)),
        "</svg>",
    ]
    return "\n".join(parts)


def data_address(image: str) -> str:
    """The image inside an address, which a link saves as a file without a request."""
    return f"data:image/svg+xml;base64,{b64encode(image.encode()).decode()}"


def name_of(title: str) -> str:
    """The name of a chart's file, without its ending."""
    return slugify(title)[:LONGEST_NAME].strip("-_") or "chart"


class _Image:
    """One chart, its layout `top` pixels from the top."""

    def __init__(self, chart: Chart, top: float) -> None:
        self.chart, self.top = chart, top
        self.left = LEFT[chart.gutter]
        self.width = WIDTH - self.left - RIGHT

    def x(self, percent: float) -> float:
        return round(self.left + percent * self.width / 100, 2)

    def y(self, pixels: float) -> float:
        return round(self.top + pixels * STRETCH, 2)

    def plot(self) -> Iterator[str]:
        """Grid, marks, axis and words."""
        chart, right = self.chart, WIDTH - RIGHT
        for tick in chart.ticks:
            yield _line(self.left, self.y(tick.y), right, self.y(tick.y), RULE)
            yield _text(self.left - 10, self.y(tick.y) + 4, tick.text, anchor="end", color=MUTED)
        for label in chart.labels:
            yield _text(self.x(label.x), self.y(label.y), label.text, anchor="middle", color=MUTED)
        for one in chart.segments:
            dash = DASHES[(one.series - 1) % len(DASHES)]
            color = SERIES[one.series - 1]
            yield _line(self.x(one.x1), self.y(one.y1), self.x(one.x2), self.y(one.y2), color, width=2.5, dash=dash)
        yield from self.marks()
        yield _line(self.left, self.y(chart.base), right, self.y(chart.base), AXIS)
        for place in chart.breaks:
            yield _line(self.x(place), self.y(chart.top), self.x(place), self.y(chart.bottom), MUTED, dash="4 4")
        for value in chart.values:
            if value.until is None:
                bold = 600 if value.asked else 400
                yield _text(self.x(value.x), self.y(value.y), value.text, anchor=value.anchor, weight=bold)

    def marks(self) -> Iterator[str]:
        for mark in self.chart.marks:
            color = SERIES[mark.series - 1]
            if self.chart.kind == "lines":
                yield _sign(self.x(mark.x), self.y(mark.y), mark.series, color)
                continue
            place = f'x="{self.x(mark.x)}" y="{self.y(mark.y)}"'
            size = f'width="{mark.width * self.width / 100:.2f}" height="{mark.height * STRETCH:.2f}"'
            edge = ""
            if self.chart.kind == "stacked":
                edge = f' stroke="{SURFACE}" stroke-width="1.5"'
            elif mark.point.differs:
                color, edge = WARN_SOFT, f' stroke="{WARN}" stroke-width="2" stroke-dasharray="5 3"'
            elif mark.quiet:
                color = QUIET
            yield f'<rect {place} {size} fill="{color}"{edge}><title>{_said(mark.title)}</title></rect>'
            if self.chart.kind == "stacked" and mark.middle:
                yield _sign(self.x(mark.middle[0]), self.y(mark.middle[1]), mark.series, SURFACE)

    def legend(self, top: float) -> Iterator[list[str]]:
        """The rows of the legend, the first at `top`."""
        row: list[str] = []
        x, y = 20.0, top
        for key in self.chart.keys:
            wide = 56 + 7.2 * len(key.name)
            if row and x + wide > WIDTH - 20:
                yield row
                row, x, y = [], 20.0, y + LINE
            color = SERIES[key.series - 1]
            if self.chart.kind == "lines":
                dash = DASHES[(key.series - 1) % len(DASHES)]
                row += [_line(x, y, x + 30, y, color, width=2.5, dash=dash), _sign(x + 15, y, key.series, color)]
            else:
                row += [
                    f'<rect x="{x + 6}" y="{y - 8}" width="18" height="16" fill="{color}"/>',
                    _sign(x + 15, y, key.series, SURFACE),
                ]
            row.append(_text(x + 38, y + 4, key.name))
            x += wide
        if row:
            yield row


def _said(text: str) -> str:
    return escape(_UNWRITABLE.sub("\ufffd", text))


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", color: str = TEXT, size: int = SIZE, weight: int = 400
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{color}" font-size="{size}" font-weight="{weight}">'
        f"{_said(text)}</text>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, color: str, *, width: float = 1, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{color}" stroke-width="{width:g}"{dashed}/>'


def _sign(x: float, y: float, series: int, color: str) -> str:
    """The shape of a series, its middle at a place."""
    path = f'<path d="{SHAPES[series - 1]}" fill="{color}" stroke="{SURFACE}" stroke-width="1"/>'
    return f'<g transform="translate({x:g} {y:g})">{path}</g>'
