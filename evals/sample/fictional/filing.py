"""The files of the fictional issuers as EDGAR would hold them: containers, filing lists, facts, tickers."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from evals.sample.fictional import ISSUERS
from evals.sample.fictional.cover import cover, hidden
from evals.sample.fictional.document import Document
from evals.sample.fictional.figures import Figures, Inconsistent, read_figures
from evals.sample.fictional.inline import Inline, Tagged
from evals.sample.fictional.issuer import Issuer, Report, read_issuer
from evals.sample.fictional.source import read_source
from filings.edgar.registrant_names import FIRST_FICTIONAL_CIK as FIRST_CIK

__all__ = ["FIRST_CIK", "Inconsistent", "Issuer", "files", "issuers"]

MAIN, EXHIBIT = "10-k.txt", "EX-13"


def issuers() -> list[Issuer]:
    return [read_issuer(name) for name in ISSUERS]


def documents(issuer: Issuer, report: Report) -> tuple[dict[str, tuple[str, bytes]], list[Tagged]]:
    """({filename: (type, content)} in sequence, the numbers tagged). Raises Inconsistent.

    Laid out twice: the first time tells on which page each heading stands.
    """
    figures = read_figures(issuer.folder / "figures.yaml")
    figures.check([report.year - back for back in range(3)])
    anchors: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for _ in range(2):
        made, tagged = _documents(issuer, report, figures, anchors)
    return made, tagged


def _documents(
    issuer: Issuer, report: Report, figures: Figures, anchors: tuple[dict[str, int], dict[str, int]]
) -> tuple[dict[str, tuple[str, bytes]], list[Tagged]]:
    inline = Inline(figures, issuer.cik, report.year, issuer.prefix)
    stem = f"{issuer.prefix}-{inline.report[1]:%Y%m%d}"
    main = Document(inline, issuer.layout, report.accession, *anchors)
    body = main.body(read_source(issuer.folder / MAIN, report.year, issuer.years), cover(issuer, report, inline))
    made: dict[str, tuple[str, bytes]] = {}
    if issuer.exhibit:
        exhibit = Document(inline, issuer.exhibit_layout or issuer.layout, f"{report.accession}-13", anchors[1])
        pages = exhibit.body(read_source(issuer.folder / issuer.exhibit, report.year, issuer.years))
        # Contexts and units of a document set are declared once, in its main document.
        html = inline.head(f"EX-13 {stem}") + inline.header({}, resources=False) + pages
        made[f"{stem}ex13.htm"] = (EXHIBIT, _encoded(html))
    header = inline.header(hidden(issuer, report))
    html = inline.head(stem) + header + body
    return {f"{stem}.htm": ("10-K", _encoded(html)), **made}, inline.tagged


def _encoded(html: str) -> bytes:
    return f"{html}</body></html>\n".encode("ascii", "xmlcharrefreplace")


def container(issuer: Issuer, report: Report, made: dict[str, tuple[str, bytes]]) -> bytes:
    """A full submission text."""
    figures = read_figures(issuer.folder / "figures.yaml")
    head = (
        f"<SEC-DOCUMENT>{report.accession}.txt : {report.filed:%Y%m%d}\n"
        f"<SEC-HEADER>{report.accession}.hdr.sgml : {report.filed:%Y%m%d}\n"
        f"<ACCEPTANCE-DATETIME>{report.filed:%Y%m%d}160000\nACCESSION NUMBER:\t\t{report.accession}\n"
        f"CONFORMED SUBMISSION TYPE:\t10-K\nPUBLIC DOCUMENT COUNT:\t\t{len(made)}\n"
        f"CONFORMED PERIOD OF REPORT:\t{figures.ends[report.year]:%Y%m%d}\nFILED AS OF DATE:\t\t{report.filed:%Y%m%d}\n\n"
        f"FILER:\n\n\tCOMPANY DATA:\t\n\t\tCOMPANY CONFORMED NAME:\t\t\t{issuer.name}\n"
        f"\t\tCENTRAL INDEX KEY:\t\t\t{issuer.cik:010d}\n\n</SEC-HEADER>\n"
    ).encode()
    parts = [
        f"<DOCUMENT>\n<TYPE>{kind}\n<SEQUENCE>{place}\n<FILENAME>{name}\n<DESCRIPTION>{kind}\n<TEXT>\n<XBRL>\n".encode()
        + content
        + b"</XBRL>\n</TEXT>\n</DOCUMENT>\n"
        for place, (name, (kind, content)) in enumerate(made.items(), 1)
    ]
    return head + b"".join(parts) + b"</SEC-DOCUMENT>\n"


def record(issuer: Issuer, files: dict[str, str]) -> dict[str, Any]:
    """A submissions record. files: the name of the main document by accession."""
    figures = read_figures(issuer.folder / "figures.yaml")
    newest = sorted(issuer.reports, key=lambda report: report.filed, reverse=True)
    return {
        "cik": f"{issuer.cik:010d}",
        "name": issuer.name,
        "entityType": "operating",
        "sic": issuer.sic,
        "sicDescription": issuer.sic_description,
        "tickers": [issuer.ticker],
        "exchanges": [issuer.exchange],
        "fiscalYearEnd": issuer.year_end,
        "stateOfIncorporation": issuer.state,
        "stateOfIncorporationDescription": issuer.state,
        "formerNames": [],
        "filings": {
            "recent": {
                "accessionNumber": [report.accession for report in newest],
                "filingDate": [f"{report.filed}" for report in newest],
                "reportDate": [f"{figures.ends[report.year]}" for report in newest],
                "acceptanceDateTime": [f"{report.filed}T16:00:00.000Z" for report in newest],
                "form": ["10-K" for _ in newest],
                "primaryDocument": [files[report.accession] for report in newest],
            }
        },
    }


def companyfacts(issuer: Issuer, tagged: dict[int, list[Tagged]]) -> dict[str, Any]:
    """A companyfacts file: the numbers without axes of each report. tagged: by fiscal year."""
    facts: dict[str, Any] = {}
    for report in issuer.reports:
        rows = {
            (fact.name, fact.unit, fact.start, fact.end): fact.value for fact in tagged[report.year] if not fact.axes
        }
        for (name, unit, start, end), value in sorted(rows.items()):
            taxonomy, _, tag = name.partition(":")
            if taxonomy not in {"us-gaap", "dei", "srt"}:
                continue
            row: dict[str, Any] = {} if start == end else {"start": f"{start}"}
            row |= {"end": f"{end}", "val": _number(value), "accn": report.accession}
            row |= {"fy": report.year, "form": "10-K", "filed": f"{report.filed}"}
            units = facts.setdefault(taxonomy, {}).setdefault(tag, {"units": {}})["units"]
            units.setdefault(unit, []).append(row)
    return {"cik": issuer.cik, "entityName": issuer.name, "facts": facts}


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def files(issuer: Issuer) -> Iterator[tuple[str, bytes | dict[str, Any]]]:
    """(path, content) of every file of one issuer below the sample's folder; a dict is to be written as JSON."""
    tagged: dict[int, list[Tagged]] = {}
    names: dict[str, str] = {}
    for report in issuer.reports:
        made, tagged[report.year] = documents(issuer, report)
        names[report.accession] = next(iter(made))
        folder = f"Archives/edgar/data/{issuer.cik}/{report.accession.replace('-', '')}"
        yield f"{folder}/{report.accession}.txt", container(issuer, report, made)
    yield f"api/xbrl/companyfacts/CIK{issuer.cik:010d}.json", companyfacts(issuer, tagged)
    yield f"submissions/CIK{issuer.cik:010d}.json", record(issuer, names)
