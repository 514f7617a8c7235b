"""Builds the bundled sample out of a mirror of EDGAR: figures, tags, dates and filing lists, never a filing's text.

The reports of the fictional issuers, which are ours, are whole. Every file is a function of the mirror, the tag list
and the fictional issuers' sources, so that building again gives the same bytes.
"""

import json
import lzma
import re
import shutil
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from evals.sample.fictional import filing as fictional
from filings.edgar.edgar_files import Container, ContainerDocument, iso_date
from filings.edgar.listing import date_reports, listed
from filings.models.source_kinds import ANNUAL, QUARTERLY, kind_of_form
from filings.sample import FOLDER
from filings.xbrl.companyfacts import parse_companyfacts
from filings.xbrl.faces import read_filing
from filings.xbrl.linkbase import write_presentation
from filings.xbrl.periods import natural_year

COMPANIES = {
    "AAPL": 320193,
    "MSFT": 789019,
    "NVDA": 1045810,
    "GOOGL": 1652044,
    "AMZN": 1018724,
    "META": 1326801,
    "TSLA": 1318605,
    "JPM": 19617,
    "PG": 80424,
    "AMD": 2488,
    "ABT": 1800,
    "WM": 823768,
    "LOW": 60667,
    "SBUX": 829224,
    "NKE": 320187,
    "V": 1403161,
}
# Eleven fiscal years even of the company whose last report held is of 2023.
FIRST_YEAR = 2013
# Quarterly reports of the years that are asked about most: each has as many rows as half of a 10-K.
FIRST_QUARTERS = 2021
FOLDERS = ("files", "submissions", "api", "Archives", "imports")
LINKBASES = {"_pre.xml": "EX-101.PRE", ".xsd": "EX-101.SCH"}
# What `edgar_files.read_submissions` reads of a filing list, and what edgartools insists on besides.
COLUMNS = {
    "accessionNumber": "",
    "filingDate": "",
    "reportDate": "",
    "acceptanceDateTime": "",
    "act": "",
    "form": "",
    "fileNumber": "",
    "items": "",
    "size": 0,
    "isXBRL": 0,
    "isInlineXBRL": 0,
    "primaryDocument": "",
    "primaryDocDescription": "",
}
USED = {"accessionNumber", "filingDate", "reportDate", "acceptanceDateTime", "form", "items", "primaryDocument"}
ROW_KEYS = ("start", "end", "val", "accn", "fy", "form", "filed")


@dataclass(frozen=True)
class Text:
    """A document of the mirror in the shape `ContainerDocument` reads."""

    content: bytes


def build(mirror: Path, registry: Path, folder: Path = FOLDER) -> Iterator[str]:
    """Write the sample below `folder`, replacing the one there; yields a line a company.

    mirror: a tree of .xz files with SEC's paths. registry: a YAML file whose `concepts` name tags.
    """
    for name in FOLDERS:
        shutil.rmtree(folder / name, ignore_errors=True)
    tags = registry_tags(registry)
    tickers = json.loads(read(mirror / "files/company_tickers.json"))
    write(folder / "files/company_tickers.json", as_json(with_fictional(tickers)))
    for ticker, cik in COMPANIES.items():
        yield f"{ticker}: {build_company(mirror, folder, cik, tags)}"
    yield from build_fictional(folder)
    size = sum(path.stat().st_size for name in FOLDERS for path in (folder / name).rglob("*.xz"))
    yield f"{size:,} bytes in all"


def with_fictional(tickers: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """SEC's ticker list with the fictional issuers at its end. Raises Inconsistent where SEC has given out a ticker."""
    real = {place: row for place, row in tickers.items() if row["cik_str"] < fictional.FIRST_CIK}
    taken = {row["ticker"] for row in real.values()}
    added = {}
    for place, issuer in enumerate(fictional.issuers(), len(real)):
        if issuer.ticker in taken:
            raise fictional.Inconsistent(f"{issuer.ticker} is the ticker of a real registrant.")
        added[str(place)] = {"cik_str": issuer.cik, "ticker": issuer.ticker, "title": issuer.name}
    return real | added


def build_fictional(folder: Path = FOLDER) -> Iterator[str]:
    """Write the files of the fictional issuers, replacing theirs alone; yields a line an issuer.

    The ticker list below `folder` is brought up to date with them.
    """
    shutil.rmtree(folder / "imports", ignore_errors=True)
    for issuer in fictional.issuers():
        shutil.rmtree(folder / f"Archives/edgar/data/{issuer.cik}", ignore_errors=True)
        size = 0
        for path, content in fictional.files(issuer):
            if isinstance(content, dict):
                listed = path.startswith("submissions/")
                content = as_json(
                    listing(content, {filing.accession for filing in issuer.filings}) if listed else content
                )
            write(folder / path, content)
            size += len(content)
        made = len(issuer.reports) + len(issuer.filings) + len(issuer.imports)
        yield f"{issuer.ticker}: {made} fictional documents, {size:,} bytes before compression"
    tickers = folder / "files/company_tickers.json"
    write(tickers, as_json(with_fictional(json.loads(read(tickers)))))


def build_company(mirror: Path, folder: Path, cik: int, tags: set[str]) -> str:
    """Write one company's files; what was written, in words."""
    facts_path, list_path = f"api/xbrl/companyfacts/CIK{cik:010d}.json", f"submissions/CIK{cik:010d}.json"
    record = json.loads(read(mirror / list_path))
    forms = dict(zip(*(record["filings"]["recent"][name] for name in ("accessionNumber", "form")), strict=True))
    faces, on_face = {}, set()
    for path in sorted((mirror / f"Archives/edgar/data/{cik}").glob("*")):
        accession = f"{path.name[:10]}-{path.name[10:12]}-{path.name[12:]}"
        read_faces = read_filing(mirror_container(path, accession, forms.get(accession, "10-K"))).faces
        if read_faces:
            faces[accession] = [face.statement for face in read_faces]
            on_face |= {line.tag for face in read_faces for line in face.statement.lines}
    raw = read(mirror / facts_path)
    kept = kept_accessions(raw)
    facts = trimmed(json.loads(raw), tags | on_face, kept)
    write(folder / facts_path, as_json(facts))
    write(folder / list_path, as_json(listing(record, kept)))
    for accession, statements in faces.items():
        if accession not in kept:
            continue
        container = container_text(cik, record["name"], accession, kept[accession], write_presentation(statements))
        write(folder / f"Archives/edgar/data/{cik}/{accession.replace('-', '')}/{accession}.txt", container)
    rows = sum(
        len(rows) for tags in facts["facts"].values() for tag in tags.values() for rows in tag["units"].values()
    )
    return f"{rows:,} rows of {len(kept)} reports, {len(faces.keys() & kept.keys())} with faces"


def registry_tags(path: Path) -> set[str]:
    """Every tag that the registry's concepts name, as us-gaap:Revenues."""

    def within(value: Any, named: bool) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from within(inner, named or bool(re.search("tag|fallback|override", str(key))))
        elif isinstance(value, list):
            for inner in value:
                yield from within(inner, named)
        elif named and isinstance(value, str) and re.fullmatch(r"([a-z-]+:)?[A-Z][A-Za-z0-9]+", value):
            yield value if ":" in value else f"us-gaap:{value}"

    return set(within(yaml.safe_load(path.read_text(encoding="utf-8"))["concepts"], named=False))


def kept_accessions(raw: bytes) -> dict[str, tuple[str, date, date]]:
    """(form, filed, period end) by accession of the annual reports of FIRST_YEAR and later, and of the quarterly ones of
    FIRST_QUARTERS and later.
    """
    facts = parse_companyfacts(raw)
    reports = [listed(filing) for filing in (*facts.filings.values(), *facts.interim.values())]
    date_reports(reports)
    return {
        report.accession: (report.form, report.filed, report.period_end or report.filed)
        for report in sorted(reports, key=lambda report: report.accession)
        if (natural_year(report.period_end) if report.period_end else report.filed.year - 1)
        >= (FIRST_QUARTERS if report.is_interim else FIRST_YEAR)
    }


def trimmed(content: dict[str, Any], tags: set[str], kept: Iterable[str]) -> dict[str, Any]:
    """A companyfacts file with the rows of the kept reports and tags only, their labels and no description."""
    accessions = set(kept)
    facts: dict[str, Any] = {}
    for taxonomy, concepts in content["facts"].items():
        for tag, concept in concepts.items():
            if taxonomy != "dei" and f"{taxonomy}:{tag}" not in tags:
                continue
            for unit, rows in concept["units"].items():
                own = [
                    {key: row[key] for key in ROW_KEYS if key in row}
                    for row in rows
                    if row["accn"] in accessions and is_report(row["form"])
                ]
                if own:
                    own.sort(key=lambda row: (row["accn"], row["end"], row.get("start", "")))
                    label = {"label": concept["label"]} if concept.get("label") else {}
                    facts.setdefault(taxonomy, {}).setdefault(tag, {**label, "units": {}})["units"][unit] = own
    return {"cik": content["cik"], "entityName": content["entityName"], "facts": facts}


def is_report(form: str) -> bool:
    """Whether a form is a 10-K or a 10-Q, or an amendment of one."""
    return kind_of_form(form) in (ANNUAL, QUARTERLY)


def listing(record: dict[str, Any], others: Collection[str] = ()) -> dict[str, Any]:
    """A submissions record with annual reports and the other filings that are kept, and the fields that are used."""
    recent = record["filings"]["recent"]
    places = [
        place
        for place, form in enumerate(recent["form"])
        if kind_of_form(form) is ANNUAL or recent["accessionNumber"][place] in others
    ]
    places = [place for place in places if (iso_date(recent["filingDate"][place]) or date.min).year >= FIRST_YEAR]
    address = dict.fromkeys(
        ("street1", "street2", "city", "stateOrCountryDescription", "stateOrCountry", "zipCode"), ""
    )
    return {
        **{
            name: record.get(name)
            for name in (
                "cik",
                "name",
                "entityType",
                "sic",
                "sicDescription",
                "tickers",
                "exchanges",
                "fiscalYearEnd",
                "stateOfIncorporation",
                "stateOfIncorporationDescription",
                "formerNames",
            )
        },
        **dict.fromkeys(("category", "phone", "flags", "ein", "description", "website", "investorWebsite"), ""),
        **dict.fromkeys(("insiderTransactionForOwnerExists", "insiderTransactionForIssuerExists"), 0),
        "addresses": {"mailing": address, "business": address},
        "filings": {
            "recent": {
                name: [recent[name][place] if name in USED else empty for place in places]
                for name, empty in COLUMNS.items()
            },
            "files": [],
        },
    }


def mirror_container(folder: Path, accession: str, form: str) -> Container:
    """The documents of one filing's folder as a container: the document and the presentation linkbase of it."""
    documents: list[ContainerDocument] = []
    for path in sorted(folder.glob("*.xz")):
        name = path.name.removesuffix(".xz")
        kind = next((kind for ending, kind in LINKBASES.items() if name.endswith(ending)), None)
        kind = kind or (form if name.endswith((".htm", ".html")) else None)
        if kind:
            documents.append(
                ContainerDocument(len(documents) + 1, kind, name, Text(lzma.decompress(path.read_bytes())))
            )
    return Container(accession, form, tuple(documents))


def container_text(cik: int, name: str, accession: str, report: tuple[str, date, date], linkbase: bytes) -> bytes:
    """A minimal submission text: header, and one presentation linkbase that we wrote."""
    form, filed, period_end = report
    return (
        f"<SEC-DOCUMENT>{accession}.txt : {filed:%Y%m%d}\n<SEC-HEADER>{accession}.hdr.sgml : {filed:%Y%m%d}\n"
        f"<ACCEPTANCE-DATETIME>{filed:%Y%m%d}000000\nACCESSION NUMBER:\t\t{accession}\n"
        f"CONFORMED SUBMISSION TYPE:\t{form}\nPUBLIC DOCUMENT COUNT:\t\t1\n"
        f"CONFORMED PERIOD OF REPORT:\t{period_end:%Y%m%d}\nFILED AS OF DATE:\t\t{filed:%Y%m%d}\n\nFILER:\n\n"
        f"\tCOMPANY DATA:\t\n\t\tCOMPANY CONFORMED NAME:\t\t\t{name}\n"
        f"\t\tCENTRAL INDEX KEY:\t\t\t{cik:010d}\n\n</SEC-HEADER>\n"
        f"<DOCUMENT>\n<TYPE>EX-101.PRE\n<SEQUENCE>1\n<FILENAME>faces_pre.xml\n<TEXT>\n<XBRL>\n"
        f"{linkbase.decode()}\n</XBRL>\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n"
    ).encode()


def as_json(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()


def read(path: Path) -> bytes:
    return lzma.decompress(path.with_name(path.name + ".xz").read_bytes())


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_name(path.name + ".xz").write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
