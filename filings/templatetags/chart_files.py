"""The links under a chart by which it is saved as an image."""

from typing import Any

from django import template

from filings.web import chart_image
from filings.web.charts import Chart

register = template.Library()
SOURCE = "Source: XBRL data of SEC filings."


@register.inclusion_tag("filings/_chart_files.html")
def chart_files(chart: Chart, title: str, unit: str = "", source: str = "") -> dict[str, Any]:
    """Links to the chart as SVG and, drawn by the browser, as PNG."""
    image = chart_image.svg(chart, title, unit, source or SOURCE)
    return {"address": chart_image.data_address(image), "name": chart_image.name_of(title)}
