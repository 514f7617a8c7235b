"""Who a fictional issuer is and which reports it filed: issuer.yaml."""

from dataclasses import dataclass
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
    return Issuer(folder=folder, reports=reports, **told)


def long_date(day: date) -> str:
    """December 31, 2025."""
    return f"{day:%B} {day.day}, {day.year}"
