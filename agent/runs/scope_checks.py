"""Whether a scope that a person sets beside a question names what is held, and what it is called."""

from collections.abc import Mapping
from typing import Any

from django.db.models.functions import Lower

from agent.state.scope import Scope
from filings.edgar.registrants import as_symbol
from filings.models import FIRST_YEAR, Company, CompanyQuerySet, Filing, Ticker
from filings.models.source_kinds import KINDS

FIELDS = ("document", "cik", "kind", "fiscal_year", "fiscal_quarter")
LAST_YEAR = 2100


class ScopeInvalid(ValueError):
    """A scope that cannot be asked in. errors: a sentence for each wrong field."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)


def checked(given: Mapping[str, Any]) -> Scope | None:
    """The scope of the given fields (`FIELDS`), with its label; None where none is set. Raises ScopeInvalid.

    A company may also be named by its ticker.
    """
    told = {name: str(given.get(name) if given.get(name) is not None else "").strip() for name in FIELDS}
    if not any(told.values()):
        return None
    errors: dict[str, str] = {}
    if ticker := Ticker.objects.filter(symbol=as_symbol(told["cik"]), former=False).select_related("company").first():
        told["cik"] = str(ticker.company.cik)
    numbers = {name: number(name, told[name], errors) for name in ("cik", "fiscal_year", "fiscal_quarter")}
    year, quarter = numbers["fiscal_year"], numbers["fiscal_quarter"]
    if year is not None and not FIRST_YEAR <= year <= LAST_YEAR:
        errors["fiscal_year"] = f"A fiscal year is a number from {FIRST_YEAR} to {LAST_YEAR}."
    if quarter is not None and not 1 <= quarter <= 4:
        errors["fiscal_quarter"] = "A fiscal quarter is a number from 1 to 4."
    elif quarter is not None and not told["fiscal_year"]:
        errors["fiscal_quarter"] = "A fiscal quarter needs its fiscal year."
    kind = KINDS.get(told["kind"])
    if told["kind"] and kind is None:
        errors["kind"] = f"There is no such kind of document. Known: {', '.join(KINDS)}."
    elif kind and kind.span == "year" and quarter is not None:
        errors["fiscal_quarter"] = f"A {kind.called} is of a whole fiscal year: leave the quarter out."
    if told["document"]:
        errors |= {name: "A document is of one kind and period: leave this out." for name in FIELDS[2:] if told[name]}
    if errors:
        raise ScopeInvalid(errors)
    if told["document"]:
        filing = document(told["document"], numbers["cik"])
        return Scope(
            document=filing.accession, cik=numbers["cik"], label=f"{filing.company.called}, {filing.headline}"
        )
    asked = company(numbers["cik"]) if numbers["cik"] is not None else None
    period = f"Q{quarter} fiscal {year}" if quarter else f"fiscal {year}" if year else ""
    label = ", ".join(filter(None, (asked.called if asked else "", kind.label if kind else "", period)))
    cik = asked.asked_as if asked else None
    return Scope(cik=cik, kind=told["kind"], fiscal_year=year, fiscal_quarter=quarter, label=label)


def companies() -> CompanyQuerySet:
    """Those that a question can be limited to, by name: with figures, or with the text of any document."""
    return Company.objects.askable().order_by(Lower("name"))


def company(cik: int) -> Company:
    """The company of a scope. Raises ScopeInvalid where nothing of it is held."""
    found = Company.objects.filter(cik=cik).first()
    asked = Company.objects.askable().filter(cik=found.asked_as).first() if found else None
    if asked is None:
        raise ScopeInvalid({"cik": "No filing or document of a company with this CIK is in our data."})
    return asked


def number(name: str, told: str, errors: dict[str, str]) -> int | None:
    """The whole number of a field; None where it is empty or, with its error, none."""
    if not told:
        return None
    if told.isascii() and told.isdecimal() and len(told) <= 10:
        return int(told)
    errors[name] = "No company has this ticker; or enter its CIK." if name == "cik" else "Enter a whole number."
    return None


def document(accession: str, cik: int | None) -> Filing:
    """The document of a scope, with its company. Raises ScopeInvalid where it is not held, withdrawn or without text."""
    filing = Filing.objects.registered(accession[:20], cik) if len(accession) <= 20 else None
    if filing is None:
        raise ScopeInvalid({"document": "No document with this accession number or key is in our data."})
    if filing.withdrawn:
        raise ScopeInvalid({"document": f"{filing.company.called}, {filing.headline}, was withdrawn."})
    if not filing.chunks_stored:
        raise ScopeInvalid({"document": f"No text of {filing.company.called}, {filing.headline}, is in our data."})
    return filing
