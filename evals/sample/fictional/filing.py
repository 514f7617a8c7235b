"""The files of the fictional issuers as EDGAR would hold them: containers, filing lists, facts, tickers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from evals.sample.fictional import ISSUERS
from evals.sample.fictional.cover import cover, hidden
from evals.sample.fictional.document import Document, encoded
from evals.sample.fictional.figures import Figures, Inconsistent, read_figures
from evals.sample.fictional.imported import imported, manifest
from evals.sample.fictional.inline import Inline, Tagged
from evals.sample.fictional.issuer import Issuer, Report, read_issuer
from evals.sample.fictional.other_filings import other_documents
from evals.sample.fictional.source import read_source
from filings.edgar.registrant_names import FIRST_FICTIONAL_CIK as FIRST_CIK

__all__ = ["FIRST_CIK", "Inconsistent", "Issuer", "files", "issuers"]

MAIN, EXHIBIT = "10-k.txt", "EX-13"


def issuers() -> list[Issuer]:
    return [read_issuer(name) for name in ISSUERS]


@dataclass(frozen=True, slots=True)
class Filed:
    """One filing as lists tell of it. document: the main one's name; year: the fiscal year of the numbers tagged."""

    form: str
    accession: str
    filed: date
    period: date
    document: str
    year: int
    tagged: tuple[Tagged, ...] = ()
    items: str = ""


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
        made[f"{stem}ex13.htm"] = (EXHIBIT, encoded(html))
    header = inline.header(hidden(issuer, report))
    html = inline.head(stem) + header + body
    return {f"{stem}.htm": ("10-K", encoded(html)), **made}, inline.tagged


def container(issuer: Issuer, filing: Filed, made: dict[str, tuple[str, bytes]]) -> bytes:
    """A full submission text."""
    head = (
        f"<SEC-DOCUMENT>{filing.accession}.txt : {filing.filed:%Y%m%d}\n"
        f"<SEC-HEADER>{filing.accession}.hdr.sgml : {filing.filed:%Y%m%d}\n"
        f"<ACCEPTANCE-DATETIME>{filing.filed:%Y%m%d}160000\nACCESSION NUMBER:\t\t{filing.accession}\n"
        f"CONFORMED SUBMISSION TYPE:\t{filing.form}\nPUBLIC DOCUMENT COUNT:\t\t{len(made)}\n"
        f"CONFORMED PERIOD OF REPORT:\t{filing.period:%Y%m%d}\nFILED AS OF DATE:\t\t{filing.filed:%Y%m%d}\n\n"
        f"FILER:\n\n\tCOMPANY DATA:\t\n\t\tCOMPANY CONFORMED NAME:\t\t\t{issuer.name}\n"
        f"\t\tCENTRAL INDEX KEY:\t\t\t{issuer.cik:010d}\n\n</SEC-HEADER>\n"
    ).encode()
    opens, closes = (b"<XBRL>\n", b"</XBRL>\n") if filing.tagged else (b"", b"")
    parts = [
        f"<DOCUMENT>\n<TYPE>{kind}\n<SEQUENCE>{place}\n<FILENAME>{name}\n<DESCRIPTION>{kind}\n<TEXT>\n".encode()
        + opens
        + content
        + closes
        + b"</TEXT>\n</DOCUMENT>\n"
        for place, (name, (kind, content)) in enumerate(made.items(), 1)
    ]
    return head + b"".join(parts) + b"</SEC-DOCUMENT>\n"


def record(issuer: Issuer, filings: Iterable[Filed]) -> dict[str, Any]:
    """A submissions record."""
    newest = sorted(filings, key=lambda filing: filing.filed, reverse=True)
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
                "accessionNumber": [filing.accession for filing in newest],
                "filingDate": [f"{filing.filed}" for filing in newest],
                "reportDate": [f"{filing.period}" for filing in newest],
                "acceptanceDateTime": [f"{filing.filed}T16:00:00.000Z" for filing in newest],
                "form": [filing.form for filing in newest],
                "items": [filing.items for filing in newest],
                "primaryDocument": [filing.document for filing in newest],
            }
        },
    }


def companyfacts(issuer: Issuer, filings: Iterable[Filed]) -> dict[str, Any]:
    """A companyfacts file: the numbers without axes of each report."""
    facts: dict[str, Any] = {}
    for filing in filings:
        rows = {(fact.name, fact.unit, fact.start, fact.end): fact.value for fact in filing.tagged if not fact.axes}
        for (name, unit, start, end), value in sorted(rows.items()):
            taxonomy, _, tag = name.partition(":")
            if taxonomy not in {"us-gaap", "dei", "srt"}:
                continue
            row: dict[str, Any] = {} if start == end else {"start": f"{start}"}
            row |= {"end": f"{end}", "val": _number(value), "accn": filing.accession}
            row |= {"fy": filing.year, "form": filing.form, "filed": f"{filing.filed}"}
            units = facts.setdefault(taxonomy, {}).setdefault(tag, {"units": {}})["units"]
            units.setdefault(unit, []).append(row)
    return {"cik": issuer.cik, "entityName": issuer.name, "facts": facts}


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def files(issuer: Issuer) -> Iterator[tuple[str, bytes | dict[str, Any]]]:
    """(path, content) of every file of one issuer below the sample's folder; a dict is to be written as JSON."""
    filings: list[Filed] = []
    for filing, made in filed(issuer):
        filings.append(filing)
        folder = f"Archives/edgar/data/{issuer.cik}/{filing.accession.replace('-', '')}"
        yield f"{folder}/{filing.accession}.txt", container(issuer, filing, made)
    yield f"api/xbrl/companyfacts/CIK{issuer.cik:010d}.json", companyfacts(issuer, filings)
    yield f"submissions/CIK{issuer.cik:010d}.json", record(issuer, filings)
    for document in issuer.imports:
        yield f"imports/{document.file}", imported(issuer, document)
    if issuer.imports:
        yield f"imports/CIK{issuer.cik:010d}.json", manifest(issuer)


def filed(issuer: Issuer) -> Iterator[tuple[Filed, dict[str, tuple[str, bytes]]]]:
    """Each filing with its documents, annual reports first."""
    figures = read_figures(issuer.folder / "figures.yaml")
    for report in issuer.reports:
        made, tagged = documents(issuer, report)
        first, end = next(iter(made)), figures.ends[report.year]
        yield Filed("10-K", report.accession, report.filed, end, first, report.year, tuple(tagged)), made
    for other in issuer.filings:
        made, tagged = other_documents(issuer, other)
        year = int(other.cover.get("DocumentFiscalYearFocus", 0))
        told = other.form, other.accession, other.filed, other.period, next(iter(made)), year
        yield Filed(*told, tuple(tagged), other.items), made
