"""A real HTTP server that answers as EDGAR, and fictional filers to fill it with."""

import email.utils
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.support.local_server import LocalServer, send, trickled

NAMESPACES = (
    'xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" '
    'xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:us-gaap="http://fasb.org/us-gaap/2024" '
    'xmlns:dei="http://xbrl.sec.gov/dei/2024" xmlns:srt="http://fasb.org/srt/2024" '
    'xmlns:xbrldi="http://xbrl.org/2006/xbrldi" xmlns:iso4217="http://www.xbrl.org/2003/iso4217" '
    'xmlns:twi="http://tinywidgets.example/20241231" xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2020-02-12"'
)


class LocalEdgar(LocalServer):
    """Serves `files` by path; `requests` lists (path, status) as they were answered, `times` when they came."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, bytes] = {}
        self.modified: dict[str, int] = {}
        self.requests: list[tuple[str, int]] = []
        self.times: list[float] = []

    def put(self, path: str, content: bytes | dict[str, Any]) -> None:
        """Publish a file, or a new version of it."""
        self.files[path] = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.modified[path] = self.modified.get(path, 1_700_000_000) + 60

    def asked(self, pattern: str) -> list[int]:
        """Statuses of the requests whose path matches."""
        return [status for path, status in self.requests if re.search(pattern, path)]

    def reply(self, handler: BaseHTTPRequestHandler) -> None:
        path = unquote(urlsplit(handler.path).path).lstrip("/")
        with self.lock:
            self.times.append(time.time())
        fault = self.fault(path)
        content = self.files.get(path)
        if fault and fault.status:
            status, body, headers = fault.status, fault.body, fault.headers
        elif "@" not in (handler.headers.get("User-Agent") or ""):
            status, body, headers = 403, b"Undeclared Automated Tool", {}
        elif content is None:
            status, body, headers = 404, b"<Error><Code>NoSuchKey</Code></Error>", {}
        else:
            modified = email.utils.formatdate(self.modified[path], usegmt=True)
            unchanged = handler.headers.get("If-Modified-Since") == modified
            status, body = (304, b"") if unchanged else (200, content)
            headers = {"Last-Modified": modified}
        with self.lock:
            self.requests.append((path, status))
        if fault and fault.trickle:
            head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n" % len(body)
            if fault.trickle == "body":
                handler.wfile.write(head + b"\r\n")
                trickled(handler, body)
            else:
                trickled(handler, head + b"X-Slow: yes\r\n" * 100)
        else:
            send(handler, status, headers, body, fault.truncate if fault else None)


@contextmanager
def local_edgar(settings: Any) -> Iterator[LocalEdgar]:
    """A server that the settings name as EDGAR, with no limit worth waiting for."""
    with LocalEdgar() as server:
        settings.EDGAR_BASE_URL = settings.EDGAR_DATA_URL = server.url
        settings.EDGAR_IDENTITY = "Diligence Tests tests@example.com"
        settings.EDGAR_REQUESTS_PER_SECOND = 1000.0
        yield server


@dataclass
class Report:
    """One 10-K of a fictional filer; amounts in full dollars."""

    period_end: date
    revenue: int = 900_000_000
    assets: int = 500_000_000
    form: str = "10-K"
    days: int = 364
    serial: int = 1
    # HTML after the statements of its document.
    prose: str = ""

    @property
    def filed(self) -> date:
        return self.period_end + timedelta(days=50 + self.serial)


@dataclass
class Other:
    """A filing of another form than 10-K and 10-Q. `documents`: (type, file name, HTML), the filing itself first."""

    form: str
    filed: date
    report_date: date
    documents: list[tuple[str, str, str]]
    items: str = ""
    serial: int = 50


@dataclass
class Filer:
    """A fictional registrant with its filings, published file by file."""

    cik: int = 9_000_000_001
    name: str = "Tiny Widgets Inc."
    symbols: tuple[str, ...] = ("TWIDG",)
    reports: list[Report] = field(default_factory=list)
    others: list[Other] = field(default_factory=list)

    def accession(self, report: Report | Other) -> str:
        return f"{self.cik:010d}-{report.filed:%y}-{report.serial:06d}"

    def publish(self, edgar: LocalEdgar, *, documents: bool = True) -> None:
        """Publish the ticker list, the filing list, the facts, and the containers."""
        edgar.put("files/company_tickers.json", self.tickers())
        edgar.put(f"submissions/CIK{self.cik:010d}.json", self.submissions())
        edgar.put(f"api/xbrl/companyfacts/CIK{self.cik:010d}.json", self.companyfacts())
        for one in (*self.reports, *self.others) if documents else ():
            edgar.put(self.container_path(one), self.container(one))

    def tickers(self) -> dict[str, Any]:
        return {
            str(place): {"cik_str": self.cik, "ticker": symbol, "title": self.name.upper()}
            for place, symbol in enumerate(self.symbols)
        }

    def submissions(self) -> dict[str, Any]:
        newest = sorted((*self.reports, *self.others), key=lambda one: one.filed, reverse=True)
        columns: dict[str, list[Any]] = {
            "accessionNumber": [self.accession(report) for report in newest],
            "filingDate": [str(report.filed) for report in newest],
            "reportDate": [str(of_report(report)) for report in newest],
            "acceptanceDateTime": [f"{report.filed}T10:00:00.000Z" for report in newest],
            "form": [report.form for report in newest],
            "primaryDocument": ["exhibit.htm" for _ in newest],
            "items": [one.items if isinstance(one, Other) else "" for one in newest],
        }
        empty = ("act", "fileNumber", "size", "isXBRL", "isInlineXBRL", "primaryDocDescription")
        columns.update({name: ["" for _ in newest] for name in empty})
        address = dict.fromkeys(
            ("street1", "street2", "city", "stateOrCountryDescription", "stateOrCountry", "zipCode"), ""
        )
        return {
            "cik": f"{self.cik:010d}",
            "name": self.name,
            "entityType": "operating",
            "sic": "3999",
            "sicDescription": "Miscellaneous Manufacturing Industries",
            "tickers": list(self.symbols),
            "exchanges": ["NYSE" for _ in self.symbols],
            "fiscalYearEnd": "1231",
            "stateOfIncorporation": "DE",
            "formerNames": [{"name": "Small Widgets Inc.", "from": "2001-01-01T00:00:00.000Z", "to": None}],
            "insiderTransactionForOwnerExists": 0,
            "insiderTransactionForIssuerExists": 0,
            **dict.fromkeys(("category", "phone", "flags", "ein", "description", "website", "investorWebsite"), ""),
            "stateOfIncorporationDescription": "DE",
            "addresses": {"mailing": address, "business": address},
            "filings": {"recent": columns, "files": []},
        }

    def companyfacts(self) -> dict[str, Any]:
        def rows(amount: str, *, instant: bool) -> list[dict[str, Any]]:
            return [
                {
                    **({} if instant else {"start": str(report.period_end - timedelta(days=report.days))}),
                    "end": str(report.period_end),
                    "val": getattr(report, amount),
                    "accn": self.accession(report),
                    "fy": report.period_end.year,
                    "fp": "FY",
                    "form": report.form,
                    "filed": str(report.filed),
                }
                for report in self.reports
            ]

        return {
            "cik": self.cik,
            "entityName": "A CO-REGISTRANT OF NO INTEREST",
            "facts": {
                "us-gaap": {
                    "Revenues": {"units": {"USD": rows("revenue", instant=False)}},
                    "Assets": {"units": {"USD": rows("assets", instant=True)}},
                    "LiabilitiesAndStockholdersEquity": {"units": {"USD": rows("assets", instant=True)}},
                }
            },
        }

    def container_path(self, report: Report | Other) -> str:
        accession = self.accession(report)
        return f"Archives/edgar/data/{self.cik}/{accession.replace('-', '')}/{accession}.txt"

    def container(self, report: Report | Other) -> bytes:
        """Submission text: of a report an exhibit first, as some filers do, then the report."""
        accession = self.accession(report)
        if isinstance(report, Other):
            documents = report.documents
        else:
            documents = [
                ("EX-99.1", "exhibit.htm", "<html><body><p>An exhibit.</p></body></html>"),
                (report.form, f"twi-{report.period_end:%Y%m%d}.htm", self.document(report)),
            ]
        body = "".join(
            f"<DOCUMENT>\n<TYPE>{kind}\n<SEQUENCE>{place}\n<FILENAME>{name}\n<TEXT>\n{text}\n</TEXT>\n</DOCUMENT>\n"
            for place, (kind, name, text) in enumerate(documents, 1)
        )
        return (
            f"<SEC-DOCUMENT>{accession}.txt : {report.filed:%Y%m%d}\n<SEC-HEADER>{accession}.hdr.sgml : "
            f"{report.filed:%Y%m%d}\n<ACCEPTANCE-DATETIME>{report.filed:%Y%m%d}100000\n"
            f"ACCESSION NUMBER:\t\t{accession}\nCONFORMED SUBMISSION TYPE:\t{report.form}\n"
            f"PUBLIC DOCUMENT COUNT:\t\t{len(documents)}\nCONFORMED PERIOD OF REPORT:\t{of_report(report):%Y%m%d}\n"
            f"FILED AS OF DATE:\t\t{report.filed:%Y%m%d}\n\nFILER:\n\n\tCOMPANY DATA:\t\n"
            f"\t\tCOMPANY CONFORMED NAME:\t\t\t{self.name}\n\t\tCENTRAL INDEX KEY:\t\t\t{self.cik:010d}\n\n"
            f"</SEC-HEADER>\n{body}</SEC-DOCUMENT>\n"
        ).encode()

    def document(self, report: Report) -> str:
        """A little 10-K in inline XBRL, in millions: cover, income statement, balance sheet, sales of one product."""
        end, start = report.period_end, report.period_end - timedelta(days=report.days)

        def row(label: str, tag: str, context: str, amount: int) -> str:
            return (
                f'<tr><td>{label}</td><td>$</td><td><ix:nonFraction id="f-{tag.split(":")[1]}" name="{tag}" '
                f'contextRef="{context}" unitRef="usd" decimals="-6" scale="6" format="ixt:num-dot-decimal">'
                f"{amount // 1_000_000:,}</ix:nonFraction></td></tr>"
            )

        cost, equity = report.revenue // 3, report.assets // 2
        income = (
            row("Net sales", "us-gaap:Revenues", "y", report.revenue)
            + row("Cost of widgets", "us-gaap:CostOfRevenue", "y", cost)
            + row("Widget tuning", "twi:WidgetTuningExpense", "y", 12_000_000)
            + row("Income before taxes", "us-gaap:IncomeLossFromContinuingOperationsBeforeIncomeTaxes"
                  "ExtraordinaryItemsNoncontrollingInterest", "y", report.revenue - cost)
            + row("Income taxes", "us-gaap:IncomeTaxExpenseBenefit", "y", 30_000_000)
            + row("Net income", "us-gaap:NetIncomeLoss", "y", report.revenue - cost - 30_000_000)
        )  # fmt: skip
        balance = (
            row("Cash", "us-gaap:CashAndCashEquivalentsAtCarryingValue", "i", 40_000_000)
            + row("Total current assets", "us-gaap:AssetsCurrent", "i", 90_000_000)
            + row("Total assets", "us-gaap:Assets", "i", report.assets)
            + row("Total liabilities", "us-gaap:Liabilities", "i", report.assets - equity)
            + row("Total stockholders' equity", "us-gaap:StockholdersEquity", "i", equity)
            + row("Total liabilities and equity", "us-gaap:LiabilitiesAndStockholdersEquity", "i", report.assets)
        )
        parts = row("Widget kits", "us-gaap:Revenues", "kits", cost)
        who = f'<xbrli:identifier scheme="http://www.sec.gov/CIK">{self.cik:010d}</xbrli:identifier>'
        kits = (
            '<xbrldi:explicitMember dimension="srt:ProductOrServiceAxis">twi:WidgetKitsMember</xbrldi:explicitMember>'
        )
        entity = f"<xbrli:entity>{who}</xbrli:entity>"
        return (
            f'<?xml version="1.0" encoding="utf-8"?>\n<html {NAMESPACES}><head><title>10-K</title></head><body>'
            '<div style="display:none"><ix:header><ix:resources>'
            f'<xbrli:context id="y">{entity}<xbrli:period><xbrli:startDate>{start}</xbrli:startDate>'
            f"<xbrli:endDate>{end}</xbrli:endDate></xbrli:period></xbrli:context>"
            f'<xbrli:context id="kits"><xbrli:entity>{who}<xbrli:segment>{kits}</xbrli:segment></xbrli:entity>'
            f"<xbrli:period><xbrli:startDate>{start}</xbrli:startDate><xbrli:endDate>{end}</xbrli:endDate></xbrli:period>"
            "</xbrli:context>"
            f'<xbrli:context id="i">{entity}<xbrli:period><xbrli:instant>{end}</xbrli:instant></xbrli:period>'
            "</xbrli:context>"
            '<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>'
            "</ix:resources></ix:header></div>"
            f'<p><ix:nonNumeric name="dei:EntityRegistrantName" contextRef="y">{self.name}</ix:nonNumeric></p>'
            f'<p>Fiscal year <ix:nonNumeric name="dei:DocumentFiscalYearFocus" contextRef="y">{end.year}'
            "</ix:nonNumeric></p>"
            f'<p><ix:nonNumeric name="dei:DocumentPeriodEndDate" contextRef="y">{end}</ix:nonNumeric></p>'
            '<p><ix:nonNumeric name="dei:AuditorName" contextRef="y">Sharp and Pencil LLP</ix:nonNumeric></p>'
            "<p>TINY WIDGETS INC.</p><p>CONSOLIDATED STATEMENTS OF OPERATIONS</p><p>(in millions)</p>"
            f"<table>{income}</table>"
            "<p>TINY WIDGETS INC.</p><p>CONSOLIDATED BALANCE SHEETS</p><p>(in millions)</p>"
            f"<table>{balance}</table><p>Sales by product</p><table>{parts}</table>{report.prose}</body></html>"
        )


def of_report(filing: Report | Other) -> date:
    """The day that EDGAR lists as reported on: the end of a report's period, the day of an event or meeting."""
    return filing.period_end if isinstance(filing, Report) else filing.report_date


def filer(*years: int, **changes: Any) -> Filer:
    """A filer with a 10-K for each calendar year."""
    made = Filer(**changes)
    made.reports = [
        Report(date(year, 12, 31), revenue=900_000_000 + 3_000_000 * (year - 2015), assets=500_000_000, serial=1)
        for year in years
    ]
    return made
