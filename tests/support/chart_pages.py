"""The site with one page more, which has a chart of each kind."""

from dataclasses import replace
from decimal import Decimal

from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import path, reverse

from diligence.urls import urlpatterns as of_the_site
from filings.web.charts import Point, Series, columns, lines, stacked

PAGE = """{% extends "base.html" %}
{% block content %}<h1>Charts</h1>
<div class="card">
{% include "filings/_chart.html" with chart=small id="small" title="Ten years of Larkspur, from 1 to 10" only %}
{% for chart, id, title in charts %}
  {% include "filings/_chart.html" with chart=chart id=id title=title unit="US$ millions" table="values" only %}
{% endfor %}
<div class="scroll" role="region" aria-label="Table of the values" tabindex="0"><table class="table" id="values"><caption>Values</caption><tbody><tr><th scope="row">2024</th><td><a href="/">1</a></td></tr></tbody></table></div>
</div>{% endblock %}"""
NAMES = ("Larkspur", "Meridian Freight & Logistics", "Ostler", "Pell", "Quill", "Rowan", "Sable", "Tern")


def row(name: str, *values: object, first: int = 2015) -> Series:
    """Values of fiscal years, each of which leads to a page of its own."""
    return Series(
        name,
        tuple(
            Point(
                label=str(first + at),
                value=None if value is None else Decimal(str(value)),
                text="" if value is None else f"{value:,}",
                href="" if value is None else f"{reverse('method')}?{first + at}",
                title=f"{name}, fiscal {first + at}: ${value} million",
            )
            for at, value in enumerate(values)
        ),
    )


def tick(value: Decimal) -> str:
    return f"{value:,f}"


def charts(request: HttpRequest) -> HttpResponse:
    trend = row("Larkspur", 233715, 215639, 229234, 265595, 260174, 274515, 365817, 394328, 383285, 391035)
    last = replace(trend.points[-1], asked=True)
    loss = row("Larkspur", 420, -1310.5, None, 77, 3, first=2020)
    several = [
        row(name, *(None if (at + n) % 9 == 4 else 40 + 9 * n + (at * (n + 3)) % 7 for at in range(10)))
        for n, name in enumerate(NAMES)
    ]
    parts = [
        row(name, *(4 + (at * (n + 2)) % 5 - 6 * (n == 2) for at in range(6)), first=2019)
        for n, name in enumerate(NAMES[:4])
    ]
    shown = [
        (
            columns(replace(trend, points=(*trend.points[:-1], last)), tick),
            "trend",
            "Revenue of Larkspur by fiscal year",
        ),
        (columns(loss, tick), "loss", "Net income of Larkspur by fiscal year"),
        (columns(row("Larkspur", 5, 4, 3), tick), "few", "Dividends of Larkspur by fiscal year"),
        (lines(several, tick), "lines", "Margins of eight companies by fiscal year"),
        (stacked(parts, tick), "parts", "Revenue of Larkspur by segment"),
    ]
    context = {"charts": shown, "small": columns(trend, small=True)}
    return HttpResponse(engines["django"].from_string(PAGE).render(context, request))


urlpatterns = [*of_the_site, path("charts", charts)]
