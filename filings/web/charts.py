"""Computes the layout of charts, which templates/filings/_chart.html draws in SVG.

Drawn on the server: the pages' policy forbids inline styles and scripts, and charts must work without JavaScript, on
paper, and in shared links. Horizontal positions are percent and vertical ones pixels, so that columns grow with the
page while letters keep their size. Nothing here knows what a value means: the caller brings all words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext

from filings.web.chart_scale import FILLED, PRECISION, Places, Scale

SERIES = 8
_LETTER, _BETWEEN = 6.6, 6
# A lower part has no room for its series' shape.
_SHAPED = 12
# A longer value over the last column would exceed the chart.
_ALONE = 9
# The plot's width in pixels on a phone of 320, from 30rem and from 40rem of the chart's own width; app.css has the same
# steps.
_WIDTHS = (200, 420, 580)
_GUTTERS = ((4, "s"), (7, "m"))
# Circle, square, triangles, diamond, cross, bar, star: series are distinguishable without color.
SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-3.5-3.5h7v7h-7z",
    "M0-5L4.7 3.5h-9.4z",
    "M0-5.2L5.2 0L0 5.2L-5.2 0z",
    "M0 5L4.7-3.5h-9.4z",
    "M-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",
    "M-5-2.2h10v4.4h-10z",
    "M0-5.5L1.6-1.6L5.5 0L1.6 1.6L0 5.5L-1.6 1.6L-5.5 0L-1.6-1.6z",
)

Words = Callable[[Decimal], str]


@dataclass(frozen=True, slots=True)
class Point:
    """One value.

    label: its place on the axis, such as a year. value: None for a gap. text: the value in words. href leads to the
    value's page; title describes it. asked: the one the page is about. differs: drawn to stand out, which the title
    must also say. breaks: a line parts it from the one before, with which it cannot be compared.
    """

    label: str
    value: Decimal | None
    text: str = ""
    href: str = ""
    title: str = ""
    asked: bool = False
    differs: bool = False
    breaks: bool = False

    @property
    def known(self) -> Decimal | None:
        return self.value if self.value is not None and self.value.is_finite() else None


@dataclass(frozen=True, slots=True)
class Series:
    """Values under one name, oldest first. All series of a chart have the same labels in the same order."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A grid line, y pixels from the top."""

    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """Words of the chart at x percent.

    since: the smallest width step with room for them. anchor: which part of them is at x: start, middle or end. until:
    the step at which others replace them.
    """

    x: float
    y: float
    text: str
    since: int
    asked: bool = False
    anchor: str = "middle"
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """One drawn value: a column, a part of one (x, y: its upper left corner), or a point of a line (its middle).

    quiet: another column is the one to look at.
    """

    x: float
    y: float
    width: float
    height: float
    series: int
    name: str
    point: Point
    quiet: bool = False

    @property
    def shape(self) -> str:
        return SHAPES[self.series - 1]

    @property
    def middle(self) -> tuple[float, float] | None:
        """The position of a part's shape; None where there is no room for it."""
        if self.height < _SHAPED:
            return None
        return round(self.x + self.width / 2, 2), round(self.y + self.height / 2, 1)

    @property
    def place(self) -> float:
        """The width of a column's place, with the space beside it."""
        return round(self.width / FILLED, 2)

    @property
    def left(self) -> float:
        """Where that place begins."""
        return round(self.x - (self.place - self.width) / 2, 2)

    @property
    def title(self) -> str:
        return self.point.title or ": ".join(filter(None, (self.name, self.point.label, self.point.text)))


@dataclass(frozen=True, slots=True)
class Segment:
    """A line between two neighbouring points of a series."""

    x1: float
    y1: float
    x2: float
    y2: float
    series: int


@dataclass(frozen=True, slots=True)
class Key:
    """A series' entry in the legend."""

    name: str
    series: int

    @property
    def shape(self) -> str:
        return SHAPES[self.series - 1]


@dataclass(frozen=True, slots=True)
class Chart:
    """A complete chart layout.

    height, top and bottom (of the plot) and base (its zero line) in pixels, the rest in percent. count: places on the
    axis. gutter: the room for tick labels. breaks: where lines part values that cannot be compared.
    """

    kind: str
    height: float
    top: float
    bottom: float
    base: float
    count: int
    ticks: tuple[Tick, ...] = ()
    labels: tuple[Label, ...] = ()
    values: tuple[Label, ...] = ()
    marks: tuple[Mark, ...] = ()
    segments: tuple[Segment, ...] = ()
    keys: tuple[Key, ...] = ()
    breaks: tuple[float, ...] = ()

    @property
    def plot(self) -> float:
        return self.bottom - self.top

    @property
    def gutter(self) -> str:
        longest = max((len(tick.text) for tick in self.ticks), default=0)
        return next((name for letters, name in _GUTTERS if longest <= letters), "l")

    @property
    def reach(self) -> int:
        """The pointing distance of a line's point, in pixels: close lines must not cover each other."""
        return 12 if len(self.keys) <= 3 else 6

    @property
    def size(self) -> str:
        """The maximum width: three columns over a whole page would be walls."""
        return "few" if self.count <= 4 else "some" if self.count <= 8 else "many"


def columns(series: Series, tick: Words | None = None, *, small: bool = False) -> Chart | None:
    """A column a value, up or down from zero. None for fewer than two values.

    tick: formats a value on the axis; without it the axis has no labels. The asked column stands out. small: 40 pixels
    high, without words; the last column stands out where none is asked.
    """
    known = [value for point in series.points if (value := point.known) is not None]
    if len(known) < 2:
        return None
    scale = Scale.over([*known, Decimal(0)], small=small, under=True)
    places = Places(len(series.points))
    loud = [point for point in series.points if point.asked] or (series.points[-1:] if small else series.points)
    marks = []
    for at, point in enumerate(series.points):
        if point.known is not None:
            upper, lower = scale.stretch(Decimal(0), point.known)
            marks.append(Mark(*places.column(at, upper, lower), 1, "", point, quiet=point not in loud))
    labels = [point.label for point in series.points]
    return replace(
        _empty("small" if small else "columns", scale, len(labels)),
        ticks=() if small else _ticks(scale, tick),
        labels=() if small else _labels(labels, places, scale),
        values=() if small else _values(series.points, places, scale),
        marks=tuple(marks),
        breaks=_breaks([series]),
    )


def lines(series: Sequence[Series], tick: Words | None = None) -> Chart | None:
    """A line a series, up to eight; a gap in the data is a gap in the line. None where no series has two values.

    Zero is on the axis unless all values are far from it. Raises ValueError for series with other labels, or too many.
    """
    labels = _common_labels(series)
    known = [[value for point in one.points if (value := point.known) is not None] for one in series]
    if max(map(len, known), default=0) < 2:
        return None
    every = [value for values in known for value in values]
    far = min(every) > max(every) / 2 if min(every) > 0 else max(every) < min(every) / 2
    scale = Scale.over(every if far and min(every) != max(every) else [*every, Decimal(0)])
    places = Places(len(labels))
    marks, segments = [], []
    for number, one in enumerate(series, start=1):
        before: Mark | None = None
        for at, point in enumerate(one.points):
            if point.known is None:
                before = None
                continue
            mark = Mark(places.middle(at), scale.y(point.known), 0, 0, number, one.name, point)
            if before and not point.breaks:
                segments.append(Segment(before.x, before.y, mark.x, mark.y, number))
            marks.append(mark)
            before = mark
    return replace(
        _empty("lines", scale, len(labels)),
        ticks=_ticks(scale, tick),
        labels=_labels(labels, places, scale),
        marks=tuple(marks),
        segments=tuple(segments),
        keys=_keys(series),
        breaks=_breaks(series) if len(series) == 1 else (),
    )


def stacked(series: Sequence[Series], tick: Words | None = None) -> Chart | None:
    """Stacked columns of up to eight parts, the first lowest; negative ones hang below zero.

    None where fewer than two places have a part. Raises ValueError for series with other labels, or too many.
    """
    labels = _common_labels(series)
    with localcontext(prec=PRECISION):
        spans: list[tuple[int, int, Point, Decimal, Decimal]] = []
        for at in range(len(labels)):
            above = below = Decimal(0)
            for number, one in enumerate(series, start=1):
                value = one.points[at].known
                if value is None:
                    continue
                start = below if value < 0 else above
                spans.append((at, number, one.points[at], start, start + value))
                above, below = (above, below + value) if value < 0 else (above + value, below)
    if len({at for at, *_ in spans}) < 2:
        return None
    scale = Scale.over([Decimal(0), *(end for *_, end in spans)])
    places = Places(len(labels))
    marks = [
        Mark(*places.column(at, *scale.stretch(start, end)), number, series[number - 1].name, point)
        for at, number, point, start, end in spans
    ]
    return replace(
        _empty("stacked", scale, len(labels)),
        ticks=_ticks(scale, tick),
        labels=_labels(labels, places, scale),
        marks=tuple(marks),
        keys=_keys(series),
        breaks=_breaks(series),
    )


def _breaks(series: Sequence[Series]) -> tuple[float, ...]:
    """Where a value cannot be compared with the one before it, in percent: between the two places."""
    count = len(series[0].points)
    found = {at for one in series for at, point in enumerate(one.points) if at and point.breaks}
    return tuple(round(100 * at / count, 2) for at in sorted(found))


def _empty(kind: str, scale: Scale, count: int) -> Chart:
    """An empty chart with a scale."""
    return Chart(kind, scale.height, scale.top, scale.bottom, scale.base, count)


def _ticks(scale: Scale, words: Words | None) -> tuple[Tick, ...]:
    return tuple(Tick(scale.y(value), words(value) if words else "") for value in scale.at)


def _labels(labels: Sequence[str], places: Places, scale: Scale) -> tuple[Label, ...]:
    """The axis labels. Without room for all, every second, fourth or eighth is shown, including the last."""
    longest = max(map(len, labels)) * _LETTER + _BETWEEN
    every = [next((k for k in (1, 2, 4) if longest <= k * width / len(labels)), 8) for width in _WIDTHS]
    found = []
    for at, text in enumerate(labels):
        since = next((step for step, k in enumerate(every) if (len(labels) - 1 - at) % k == 0), None)
        if since is not None:
            found.append(Label(places.middle(at), scale.height - 6, text, since))
    return tuple(found)


def _values(points: Sequence[Point], places: Places, scale: Scale) -> tuple[Label, ...]:
    """Values at the columns' ends: all where there is room, else only the last of those asked, or of all."""
    longest = max(len(point.text) for point in points) * _LETTER + _BETWEEN
    room = next((step for step, width in enumerate(_WIDTHS) if longest <= width / len(points)), None)
    chosen = next((point for point in reversed(points) if point.asked), points[-1])
    found = []
    for at, point in enumerate(points):
        since = 0 if point is chosen and len(point.text) <= _ALONE else room
        if since is None or not point.text:
            continue
        value = point.known or Decimal(0)
        y = scale.y(value) + 13 if value < 0 else scale.y(value) - 5
        own = Label(places.middle(at), round(y, 1), point.text, since, point.asked)
        # A label wider than its column is aligned inward at the edges, if it stands alone.
        wide = len(point.text) * _LETTER > _WIDTHS[0] / len(points)
        edges = {0: (0.0, "start"), len(points) - 1: (100.0, "end")}
        if since == room or not wide or at not in edges:
            found.append(own)
            continue
        x, anchor = edges[at]
        found.append(replace(own, x=x, anchor=anchor, until=room))
        if room is not None:
            found.append(replace(own, since=room))
    return tuple(found)


def _common_labels(series: Sequence[Series]) -> list[str]:
    if len(series) > SERIES:
        raise ValueError(f"A chart has room for {SERIES} series, and {len(series)} are given.")
    labels = [point.label for point in series[0].points] if series else []
    for one in series:
        if [point.label for point in one.points] != labels:
            raise ValueError(f"{one.name} has other labels than {series[0].name}.")
    return labels


def _keys(series: Sequence[Series]) -> tuple[Key, ...]:
    return tuple(Key(one.name, number) for number, one in enumerate(series, start=1))
