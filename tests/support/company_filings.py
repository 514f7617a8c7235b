"""Filings of a fictional company in the database, as few lines as a test needs."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal

from agent.numbers.facts.fact_selection import Selection
from agent.numbers.facts.filing_figures import FilingFigures
from agent.numbers.facts.selection_result import Choice, NoChoice
from agent.numbers.registry import registry
from filings.models import Company, Fact, Filing, Statement, Ticker

END = date(2024, 12, 31)
BALANCE = {"Assets", "Liabilities", "StockholdersEquity", "MinorityInterest", "LongTermDebt", "LongTermDebtCurrent"}


def company(
    name: str = "Northwind Instruments, Inc.", cik: int = 9990001, symbol: str = "NWI", **fields: object
) -> Company:
    """A covered company with a ticker."""
    made, _ = Company.objects.get_or_create(cik=cik, defaults={"name": name, "facts_stored": 1, **fields})
    Ticker.objects.get_or_create(symbol=symbol, defaults={"company": made})
    return made


def filing(end: date = END, of: Company | None = None, **fields: object) -> Filing:
    """A primary 10-K of the fiscal year that ends on `end`."""
    owner = of or company()
    defaults = {
        "accession": f"{owner.cik:010d}-{end.year + 1 - 2000}-000001",
        "form": "10-K",
        "filed": date(end.year + 1, 2, 14),
        "period_end": end,
        "fiscal_year": end.year,
        "is_primary": True,
        "facts_stored": 1,
    }
    return Filing.objects.create(company=owner, **{**defaults, **fields})


def fact(of: Filing, tag: str, value: str, *, instant: bool = False, unit: str = "USD", **fields: object) -> Fact:
    """A fact of the filing's own year; `tag` may carry its taxonomy."""
    taxonomy, _, name = tag.rpartition(":")
    end = fields.pop("end", of.period_end)
    assert isinstance(end, date)
    return Fact.objects.create(
        company=of.company,
        filing=of,
        source=fields.pop("source", Fact.Source.COMPANYFACTS),
        taxonomy=taxonomy or "us-gaap",
        tag=name,
        unit=unit,
        start=fields.pop("start", end if instant else date(end.year, 1, 1)),
        end=end,
        raw=value,
        value=Decimal(value),
        form=of.form,
        filed=of.filed,
        **fields,
    )


def face(of: Filing, kind: str, *lines: tuple[str, str], basis: str = Statement.Basis.INLINE) -> Statement:
    """A statement with (tag, printed label) lines in order."""
    return Statement.objects.create(
        filing=of,
        kind=kind,
        basis=basis,
        title=f"Statement of {kind}",
        lines=[
            {"order": order, "tag": tag if ":" in tag else f"us-gaap:{tag}", "label": label}
            for order, (tag, label) in enumerate(lines)
        ],
    )


def filing_figures(values: Mapping[str, str], instants: Iterable[str] = (), of: Filing | None = None) -> Filing:
    """A filing that holds the values given by tag; tags in `instants` are balances."""
    made = of or filing()
    for tag, value in values.items():
        fact(made, tag, value, instant=tag in instants)
    return made


def selection(of: Filing) -> Selection:
    """What the filing answers, read from the database."""
    return Selection(FilingFigures(Filing.objects.select_related("company").get(pk=of.pk), registry.load()))


def answer(of: Filing, key: str) -> Choice:
    """The fact that answers a concept in the fiscal year of a filing."""
    choice = selection(of).annual(key)
    assert isinstance(choice, Choice), choice
    return choice


def refusal(of: Filing, key: str) -> NoChoice:
    """Why none does."""
    choice = selection(of).annual(key)
    assert isinstance(choice, NoChoice), choice
    return choice
