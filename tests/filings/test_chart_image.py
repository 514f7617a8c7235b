"""Charts as image files: complete on their own, in light colors, with what the page says around them."""

import re
from base64 import b64decode
from dataclasses import replace

import pytest
from lxml import etree

from filings.web import chart_image
from filings.web.charts import Chart, columns, lines, stacked
from tests.filings.test_charts import row

SVG = "{http://www.w3.org/2000/svg}"


def drawn(chart: Chart | None, title: str = "Larkspur, revenue", **words: str) -> etree._Element:
    assert chart
    return etree.fromstring(chart_image.svg(chart, title, **words).encode())


def texts(image: etree._Element) -> list[str]:
    return [one.text or "" for one in image.iter(f"{SVG}text")]


COLUMNS = columns(row(10, -5, 20), str)
LINES = lines([row(1, 2, 3), row(3, None, 1, name="Foxglove")], str)
STACKED = stacked([row(10, 20, 30), row(30, 20, 10, name="Foxglove")], str)


@pytest.mark.parametrize("chart", [COLUMNS, LINES, STACKED])
def test_an_image_needs_no_style_sheet_and_nothing_beside_it(chart: Chart) -> None:
    image = drawn(chart, unit="US$ millions", source="Source: 10-K filings of Larkspur.")
    text = etree.tostring(image, encoding="unicode")
    assert not re.search(r"%\"|class=|style=|var\(|href", text)
    assert {"Larkspur, revenue", "US$ millions", "Source: 10-K filings of Larkspur."} <= set(texts(image))
    width, height = (float(image.get(name, "0")) for name in ("width", "height"))
    for one in image.iter(f"{SVG}rect", f"{SVG}text"):
        assert 0 <= float(one.get("x", "0")) <= width
        assert 0 <= float(one.get("y", "0")) <= height


def test_every_value_is_a_mark_and_every_series_is_named() -> None:
    assert len(list(drawn(COLUMNS).iter(f"{SVG}rect"))) == 1 + 3
    assert {"Larkspur", "Foxglove"} <= set(texts(drawn(LINES)))
    assert len(list(drawn(LINES).iter(f"{SVG}path"))) == 5 + 2


def test_a_break_is_explained() -> None:
    assert COLUMNS
    assert chart_image.BROKEN in texts(drawn(replace(COLUMNS, breaks=(33.3,))))
    assert chart_image.BROKEN not in texts(drawn(COLUMNS))


def test_a_long_title_takes_two_lines() -> None:
    image = drawn(COLUMNS, "Larkspur " * 15)
    assert float(image.get("height", "0")) > float(drawn(COLUMNS).get("height", "0"))


def test_words_of_others_are_text_and_nothing_else() -> None:
    attack = '<script>alert(1)</script>"\x00&'
    image = drawn(COLUMNS, attack, source=attack)
    assert attack.replace("\x00", "\ufffd") in texts(image)
    assert not list(image.iter(f"{SVG}script"))


def test_the_address_of_an_image_holds_all_of_it() -> None:
    assert COLUMNS
    image = chart_image.svg(COLUMNS, "Larkspur")
    kind, _, content = chart_image.data_address(image).partition(",")
    assert kind == "data:image/svg+xml;base64"
    assert b64decode(content).decode() == image


@pytest.mark.parametrize(
    ("title", "name"), [("Apple, revenue, fiscal 2024", "apple-revenue-fiscal-2024"), ("../..", "chart")]
)
def test_a_file_is_named_for_its_title(title: str, name: str) -> None:
    assert chart_image.name_of(title) == name
