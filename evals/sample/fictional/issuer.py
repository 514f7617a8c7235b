"""Who a fictional issuer is and which reports it filed: issuer.yaml."""

import sys
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from evals.sample.fictional import FOLDER
from evals.sample.fictional.document import Layout


@dataclass(frozen=True, slots=True)
class Report:
    """One annual report. `float` in millions of dollars."""

    year: int
    accession: str
    filed: date
    float: Decimal
    float_date: date
    shares: Decimal
    shares_date: date


@dataclass(frozen=True, slots=True)
class OtherFiling:
    """A filing that is no annual report. `source`, `figures` and the values of `exhibits` are files of the issuer.

    `exhibits` by type. `items` are those of an 8-K, with commas. Its numbers are tagged where it has `cover` tags.
    """

    form: str
    accession: str
    filed: date
    period: date
    source: str
    figures: str
    exhibits: dict[str, str] = field(default_factory=dict)
    items: str = ""
    layout: Layout = field(default_factory=lambda: Layout(unnumbered=sys.maxsize))
    cover: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        return self.accession.replace("-", "")


@dataclass(frozen=True, slots=True)
class Imported:
    """A document that a person brings: the file's name, its source, and what is written beside it."""

    file: str
    source: str
    figures: str
    kind: str
    period: str
    date: date
    title: str


@dataclass(frozen=True, slots=True)
class Issuer:
    """One registrant. `exhibit` names the source of its annual report exhibit, empty where it has none."""

    folder: Path
    cik: int
    name: str
    ticker: str
    prefix: str
    exchange: str
    exchange_name: str
    security: str
    sic: str
    sic_description: str
    state: str
    state_name: str
    year_end: str
    file_number: str
    tax_id: str
    address: dict[str, str]
    auditor: dict[str, str]
    incorporated: str
    layout: Layout
    reports: tuple[Report, ...]
    exhibit: str = ""
    exhibit_layout: Layout | None = None
    filings: tuple[OtherFiling, ...] = ()
    imports: tuple[Imported, ...] = ()

    @property
    def years(self) -> tuple[int, int]:
        return self.reports[0].year, self.reports[1].year


def read_issuer(name: str) -> Issuer:
    """Read issuer.yaml of one of ISSUERS."""
    folder = FOLDER / name
    told: dict[str, Any] = yaml.safe_load((folder / "issuer.yaml").read_text(encoding="utf-8"))
    reports = tuple(
        Report(
            year=year,
            accession=report["accession"],
            filed=report["filed"],
            float=Decimal(report["float"]),
            float_date=report["float_date"],
            shares=Decimal(report["shares"]),
            shares_date=report["shares_date"],
        )
        for year, report in sorted(told.pop("reports").items())
    )
    told |= {key: Layout(**told[key]) for key in ("layout", "exhibit_layout") if key in told}
    told["filings"] = tuple(_other_filing(**filing) for filing in told.get("filings", ()))
    told["imports"] = tuple(Imported(**document) for document in told.get("imports", ()))
    return Issuer(folder=folder, reports=reports, **told)


def _other_filing(layout: dict[str, Any] | None = None, **told: Any) -> OtherFiling:
    return OtherFiling(**told, layout=Layout(**layout)) if layout else OtherFiling(**told)


def long_date(day: date) -> str:
    """December 31, 2025."""
    return f"{day:%B} {day.day}, {day.year}"
