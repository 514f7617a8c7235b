"""Charts: what is laid out where."""

import math
from dataclasses import fields, is_dataclass
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.web.chart_scale import steps
from filings.web.charts import Chart, Point, Series, columns, lines, stacked

HUGE = Decimal(10) ** 15
VALUES = st.one_of(
    st.none(),
    st.decimals(-HUGE, HUGE, allow_nan=False, places=6),
    st.sampled_from([Decimal(0), Decimal("1E-12"), -HUGE, HUGE, Decimal("NaN"), Decimal("Infinity"), Decimal("0E+9")]),
)
ROWS = st.integers(1, 12).flatmap(
    lambda count: st.lists(st.lists(VALUES, min_size=count, max_size=count), min_size=1, max_size=8)
)


def row(*values: object, name: str = "Larkspur", asked: int | None = None, text: str = "{}") -> Series:
    """Values of the years from 2015 on."""
    return Series(
        name,
        tuple(
            Point(
                str(2015 + at),
                None if value is None else Decimal(str(value)),
                text.format(value),
                f"/facts/{at}",
                asked=at == asked,
            )
            for at, value in enumerate(values)
        ),
    )


def numbers(laid_out: object) -> list[float]:
    """Every place of a layout, without the values themselves."""
    if isinstance(laid_out, float | int):
        return [float(laid_out)]
    if isinstance(laid_out, tuple):
        return [number for one in laid_out for number in numbers(one)]
    if is_dataclass(laid_out) and not isinstance(laid_out, Point):
        return [number for field in fields(laid_out) for number in numbers(getattr(laid_out, field.name))]
    return []


def inside(chart: Chart) -> bool:
    """Whether all of a chart lies within its edges, to a tenth of a pixel."""
    return (
        all(math.isfinite(number) for number in numbers(chart))
        and all(-0.1 <= one.x <= one.x + one.width <= 100.1 for one in chart.marks)
        and all(0 <= one.y <= one.y + one.height <= chart.height for one in chart.marks)
        and all(chart.top <= tick.y <= chart.bottom for tick in chart.ticks)
        and all(0 <= label.x <= 100 and 0 <= label.y <= chart.height for label in (*chart.labels, *chart.values))
        and chart.top <= chart.base <= chart.bottom <= chart.height
    )


def ends(chart: Chart) -> list[float]:
    """How high each column reaches, from its zero line: up is positive."""
    return [chart.base - one.y if one.y < chart.base else -one.height for one in chart.marks]


@given(ROWS, st.booleans())
def test_columns_of_any_values_stay_inside_and_keep_their_order(rows: list[list[Decimal | None]], small: bool) -> None:
    series = Series("", tuple(Point(str(at), value) for at, value in enumerate(rows[0])))
    known = [point.known for point in series.points if point.known is not None]
    chart = columns(series, str, small=small)
    if len(known) < 2:
        assert chart is None
        return
    assert chart is not None
    assert inside(chart)
    assert [one.point.known for one in chart.marks] == known
    assert [one.x for one in chart.marks] == sorted(one.x for one in chart.marks)
    reached = ends(chart)
    # A pixel is the least that a value has, so what is nearly nothing may look alike.
    assert all(a <= b + 1 for (_, a), (_, b) in pairwise(sorted(zip(known, reached, strict=True))))
    assert all(
        (value > 0) == (end > 0) and (value < 0) == (end < 0) for value, end in zip(known, reached, strict=True)
    )


@given(ROWS)
def test_lines_of_any_values_stay_inside_and_join_neighbours_only(rows: list[list[Decimal | None]]) -> None:
    series = [
        Series(str(n), tuple(Point(str(at), value) for at, value in enumerate(values)))
        for n, values in enumerate(rows)
    ]
    known = [[point.known is not None for point in one.points] for one in series]
    chart = lines(series, str)
    if max(map(sum, known)) < 2:
        assert chart is None
        return
    assert chart is not None
    assert inside(chart)
    assert len(chart.marks) == sum(map(sum, known))
    assert len(chart.segments) == sum(a and b for one in known for a, b in pairwise(one))
    for one in chart.marks:
        assert all((one.y <= other.y) >= (one.point.known > other.point.known) for other in chart.marks)  # type: ignore[operator]


@given(ROWS)
def test_stacked_parts_of_any_values_stay_inside_and_do_not_cover_each_other(rows: list[list[Decimal | None]]) -> None:
    series = [
        Series(str(n), tuple(Point(str(at), value) for at, value in enumerate(values)))
        for n, values in enumerate(rows)
    ]
    chart = stacked(series, str)
    places = [at for at in range(len(rows[0])) if any(one.points[at].known is not None for one in series)]
    if len(places) < 2:
        assert chart is None
        return
    assert chart is not None
    assert inside(chart)
    for one in chart.marks:
        above = [other for other in chart.marks if other.x == one.x and other.series > one.series]
        same = [other for other in above if (other.point.known or 0) > 0 and (one.point.known or 0) > 0]
        # A part of less than a pixel is drawn as one.
        assert all(other.y + other.height <= one.y + 1.1 for other in same)


def test_a_part_has_the_shape_of_its_series_in_its_middle_where_there_is_room() -> None:
    chart = stacked([row(90, 90), row(1, 30)], str)
    assert chart is not None
    large, small = (next(one for one in chart.marks if one.series == number) for number in (1, 2))
    assert small.middle is None
    assert large.middle == (round(large.x + large.width / 2, 2), round(large.y + large.height / 2, 1))
    assert [one.shape for one in (large, small)] == [key.shape for key in chart.keys]


@given(st.decimals(-HUGE, HUGE, places=6), st.decimals("0.000001", HUGE, places=6))
def test_steps_are_round_few_and_around_what_they_are_of(low: Decimal, span: Decimal) -> None:
    found = steps(low, low + span)
    assert found[0] <= low
    assert found[-1] >= low + span
    assert 2 <= len(found) <= 6
    (step,) = {b - a for a, b in pairwise(found)}
    assert step.normalize().as_tuple().digits in {(1,), (2,), (5,)}


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        ("0", "391035", "0 100000 200000 300000 400000"),
        ("-1310.5", "420", "-1500 -1000 -500 0 500"),
        ("0", "0.465", "0.0 0.2 0.4 0.6"),
        ("0", "3", "0 1 2 3"),
    ],
)
def test_steps_are_those_a_person_would_choose(low: str, high: str, expected: str) -> None:
    assert [*map(Decimal, expected.split())] == [*steps(Decimal(low), Decimal(high))]


def test_a_loss_hangs_from_the_zero_line_which_is_always_there() -> None:
    chart = columns(row(420, -1310.5, 77), str)
    assert chart is not None
    first, loss, last = chart.marks
    assert first.y + first.height == loss.y == last.y + last.height == chart.base
    assert "0" in {tick.text for tick in chart.ticks}
    above = columns(row(1000, 1001), str)
    assert above is not None
    assert above.base == above.bottom


def test_lines_that_lie_far_from_zero_are_not_pressed_together() -> None:
    far, near = lines([row(40, 41, 42)], str), lines([row(4, 41, 42)], str)
    assert far is not None
    assert near is not None
    assert "0" not in {tick.text for tick in far.ticks}
    assert "0" in {tick.text for tick in near.ticks}


def test_the_asked_column_stands_out_and_of_small_ones_the_last() -> None:
    asked, small, plain = columns(row(1, 2, 3, asked=1)), columns(row(1, 2, 3), small=True), columns(row(1, 2, 3))
    for chart, loud in ((asked, [False, True, False]), (small, [False, False, True]), (plain, [True] * 3)):
        assert chart is not None
        assert [not one.quiet for one in chart.marks] == loud


def test_small_columns_have_no_words() -> None:
    chart = columns(row(1, 2), str, small=True)
    assert chart is not None
    assert (chart.ticks, chart.labels, chart.values, chart.height) == ((), (), (), 40)


def test_where_there_is_no_room_every_second_year_is_named_the_last_among_them() -> None:
    chart = columns(row(*range(10)), str)
    assert chart is not None
    on_a_phone = [label.text for label in chart.labels if label.since == 0]
    assert on_a_phone == ["2016", "2018", "2020", "2022", "2024"]
    assert [label.text for label in chart.labels] == [str(year) for year in range(2015, 2025)]


def test_values_stand_on_their_columns_where_all_have_room_else_that_of_the_asked_one() -> None:
    short, long = columns(row(1, 2, 3)), columns(row(*range(10), asked=4, text="{},000,000"))
    assert short is not None
    assert long is not None
    assert [value.since for value in short.values] == [0, 0, 0]
    assert [(value.text, value.since) for value in long.values] == [("4,000,000", 0)]


def test_a_value_wider_than_its_column_leans_inwards_at_the_edges() -> None:
    for asked, expected in ((0, (0, "start")), (4, (45, "middle")), (9, (100, "end"))):
        chart = columns(row(*range(10), asked=asked, text="{},000,000"))
        assert chart is not None
        assert [(value.x, value.anchor) for value in chart.values] == [expected]


def test_where_all_values_have_room_those_at_the_edges_stand_on_their_columns_too() -> None:
    chart = columns(row(*range(10), asked=9, text="{},000"))
    assert chart is not None
    first, *_, leaning, last = chart.values
    assert (first.x, first.anchor, first.since, first.until) == (5, "middle", 1, None)
    assert (leaning.x, leaning.anchor, leaning.since, leaning.until) == (100, "end", 0, 1)
    assert (last.x, last.anchor, last.since, last.until) == (95, "middle", 1, None)


def test_series_of_other_years_or_too_many_are_refused() -> None:
    with pytest.raises(ValueError, match="other labels"):
        lines([row(1, 2), row(1, 2, 3)])
    with pytest.raises(ValueError, match="room for 8"):
        stacked([row(1, 2)] * 9)


def test_nothing_is_drawn_of_nothing() -> None:
    assert columns(row()) is None
    assert columns(row(1, None)) is None
    assert lines([]) is None
    assert lines([row(1, None), row(None, 2)]) is None
    assert stacked([]) is None
    assert stacked([row(1, None), row(2, None)]) is None
