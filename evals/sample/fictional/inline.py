"""Inline XBRL of a fictional report: tags around what is printed, and the header that declares their contexts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from html import escape
from typing import Any

from evals.sample.fictional.figures import NOTHING, Figures, Line, printed

NAMESPACES = {
    "": "http://www.w3.org/1999/xhtml",
    "ix": "http://www.xbrl.org/2013/inlineXBRL",
    "ixt": "http://www.xbrl.org/inlineXBRL/transformation/2020-02-12",
    "ixt-sec": "http://www.sec.gov/inlineXBRL/transformation/2015-08-31",
    "xbrli": "http://www.xbrl.org/2003/instance",
    "xbrldi": "http://xbrl.org/2006/xbrldi",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "iso4217": "http://www.xbrl.org/2003/iso4217",
    "dei": "http://xbrl.sec.gov/dei/2024",
    "us-gaap": "http://fasb.org/us-gaap/2024",
    "srt": "http://fasb.org/srt/2024",
    "country": "http://xbrl.sec.gov/country/2024",
}
UNITS = {"usd": "iso4217:USD", "shares": "xbrli:shares", "usdPerShare": "iso4217:USD/xbrli:shares"}
Axes = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Tagged:
    """A number that the report tags: what companyfacts repeats where it has no axes. `unit` as there: USD/shares."""

    name: str
    unit: str
    start: date
    end: date
    value: Decimal
    axes: Axes


class Inline:
    """The tags of one filing. Contexts and fact ids are numbered as they come; documents of a filing share them."""

    def __init__(self, figures: Figures, cik: int, year: int, prefix: str) -> None:
        self.figures = figures
        self.cik = cik
        self.year = year
        self.prefix = prefix
        self.contexts: dict[tuple[date, date, Axes], str] = {}
        self.facts = 0
        self.tagged: list[Tagged] = []
        self.context(*self.report)

    @property
    def report(self) -> tuple[date, date]:
        """The fiscal year as a period."""
        return self.figures.period(Line("report"), self.year)

    def context(self, start: date, end: date, axes: Axes = ()) -> str:
        return self.contexts.setdefault((start, end, axes), f"c-{len(self.contexts) + 1}")

    def next_id(self) -> str:
        self.facts += 1
        return f"f-{self.facts}"

    def line(self, key: str, year: int, negated: bool = False) -> str:
        """A line's figure as its table prints it, parentheses outside of the tag; plain where the line has no tag."""
        line, value = self.figures.line(key), self.figures.value(key, year)
        shown = printed(value, line.places)
        if line.tag:
            unit, scale = {"each": ("usdPerShare", 0), "shares": ("shares", self.figures.unit)}.get(
                line.kind, ("shares" if line.kind == "count" else "usd", self.figures.unit)
            )
            decimals = line.places - scale
            start, end = self.figures.period(line, year)
            shown = self.number(line.tag, shown, value, (start, end), unit, scale, decimals, line.axes)
        below = (value > 0) if negated else (value < 0)
        return f"({shown})" if below else shown

    def number(
        self,
        name: str,
        shown: str,
        value: Decimal,
        period: tuple[date, date],
        unit: str = "usd",
        scale: int = 0,
        decimals: int = 0,
        axes: Axes = (),
    ) -> str:
        """An ix:nonFraction. value: in units of 10**scale."""
        dash = shown == NOTHING
        self.tagged.append(
            Tagged(
                name,
                {"usd": "USD", "shares": "shares", "usdPerShare": "USD/shares"}[unit],
                *period,
                value.scaleb(scale),
                axes,
            )
        )
        sign = ' sign="-"' if value < 0 else ""
        return (
            f'<ix:nonFraction unitRef="{unit}" contextRef="{self.context(*period, axes)}" decimals="{decimals}"{sign} '
            f'name="{name}" format="ixt:{"fixed-zero" if dash else "num-dot-decimal"}" scale="{scale}" '
            f'id="{self.next_id()}">{shown}</ix:nonFraction>'
        )

    def text(self, name: str, html: str, form: str = "") -> str:
        """An ix:nonNumeric of the fiscal year around markup."""
        told = f' format="{form}"' if form else ""
        context = self.context(*self.report)
        return (
            f'<ix:nonNumeric contextRef="{context}" name="{name}"{told} id="{self.next_id()}">{html}</ix:nonNumeric>'
        )

    def head(self, title: str) -> str:
        """The document's first lines, up to the body's tag."""
        declared = {**NAMESPACES, self.prefix: f"http://{self.prefix}.example/{self.report[1]:%Y%m%d}"}
        spaces = " ".join(f'xmlns:{name}="{uri}"' if name else f'xmlns="{uri}"' for name, uri in declared.items())
        return (
            "<?xml version='1.0' encoding='ASCII'?>\n<!--A fictional report of a fictional registrant-->\n"
            f'<html {spaces} xml:lang="en-US"><head><title>{escape(title)}</title>'
            '<meta http-equiv="Content-Type" content="text/html"/></head><body>'
        )

    def header(self, hidden: Mapping[str, str], resources: bool = True) -> str:
        """The ix:header, to be made last. hidden: dei tags and texts; resources: contexts and units."""
        texts = "".join(self.text(f"dei:{name}", escape(text)) for name, text in hidden.items())
        declared = ""
        if resources:
            declared = "".join(self._context(key, *told) for told, key in self.contexts.items())
            declared += "".join(_unit(key, measure) for key, measure in UNITS.items())
        inner = (f"<ix:hidden>{texts}</ix:hidden>" if texts else "") + (
            f'<ix:references xml:lang="en-US"><link:schemaRef xmlns:link="http://www.xbrl.org/2003/linkbase" '
            f'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" '
            f'xlink:href="{self.prefix}-{self.report[1]:%Y%m%d}.xsd"/></ix:references>'
            f"<ix:resources>{declared}</ix:resources>"
        )
        return f'<div style="display:none"><ix:header>{inner}</ix:header></div>'

    def _context(self, key: str, start: date, end: date, axes: Axes) -> str:
        members = "".join(
            f'<xbrldi:explicitMember dimension="{axis}">{member}</xbrldi:explicitMember>' for axis, member in axes
        )
        segment = f"<xbrli:segment>{members}</xbrli:segment>" if members else ""
        period = (
            f"<xbrli:instant>{end}</xbrli:instant>"
            if start == end
            else f"<xbrli:startDate>{start}</xbrli:startDate><xbrli:endDate>{end}</xbrli:endDate>"
        )
        return (
            f'<xbrli:context id="{key}"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">'
            f"{self.cik:010d}</xbrli:identifier>{segment}</xbrli:entity><xbrli:period>{period}</xbrli:period>"
            "</xbrli:context>"
        )


class Plain(Inline):
    """Figures as they are printed, for documents that have no tags."""

    def number(self, name: str, shown: str, *args: Any, **named: Any) -> str:
        return shown

    def text(self, name: str, html: str, form: str = "") -> str:
        return html

    def head(self, title: str) -> str:
        return f"<html><head><title>{escape(title)}</title></head><body>"


def _unit(key: str, measure: str) -> str:
    above, _, below = measure.partition("/")
    if not below:
        return f'<xbrli:unit id="{key}"><xbrli:measure>{above}</xbrli:measure></xbrli:unit>'
    return (
        f'<xbrli:unit id="{key}"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>{above}</xbrli:measure>'
        f"</xbrli:unitNumerator><xbrli:unitDenominator><xbrli:measure>{below}</xbrli:measure>"
        "</xbrli:unitDenominator></xbrli:divide></xbrli:unit>"
    )
