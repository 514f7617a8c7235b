"""Registrants: the SEC's ticker list, names and tickers, foreign filers, and look-up by typed name or ticker."""

import csv
from collections.abc import Iterable
from pathlib import Path

from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Replace
from django.utils.text import slugify
from rapidfuzz import fuzz, process

from filings.edgar.edgar_files import ListedTicker, Submissions
from filings.edgar.predecessors import link_moved
from filings.models import Company, ForeignRegistrant, Ticker
from filings.models.source_kinds import ANNUAL

# A list of at least so many companies is the SEC's, and not a few of it.
WHOLE_LIST = 500
FOREIGN_REGISTRANTS = Path(__file__).parent / "foreign_registrants.csv"


class UnknownCompany(LookupError):
    """No registrant has this ticker, CIK or name; the message names close matches."""


def store_registrants(listed: Iterable[ListedTicker]) -> int:
    """Store every registrant of the ticker list by name; returns the number of new ones.

    A company with filings keeps the name of its submissions. A symbol belongs to the listed company.
    """
    listed = list(listed)
    names = {row.cik: row.name[:200] for row in reversed(listed)}  # the first line of a registrant names it
    with transaction.atomic():
        held = {company.cik: company for company in Company.objects.only("cik", "name", "filings_found")}
        # In the list's order, so that a company's first ticker is its main class.
        new = [
            Company(cik=cik, name=names[cik]) for cik in dict.fromkeys(row.cik for row in listed) if cik not in held
        ]
        Company.objects.bulk_create(new)
        renamed = [
            company for cik, company in held.items() if not company.filings_found and renames(company, names.get(cik))
        ]
        Company.objects.bulk_update(renamed, ["name"], batch_size=200)
        keys = (
            dict(Company.objects.filter(cik__in=names).values_list("cik", "pk"))
            if len(names) < WHOLE_LIST
            else dict(Company.objects.values_list("cik", "pk"))
        )
        moved = store_tickers((row.symbol, "", keys[row.cik]) for row in listed)
        if len(names) >= WHOLE_LIST:
            listed_now = {row.symbol[:12] for row in listed}
            others = Ticker.objects.filter(former=False, company__in=keys.values()).values_list("pk", "symbol")
            gone = [pk for pk, symbol in others if symbol not in listed_now]
            Ticker.objects.filter(pk__in=gone).update(former=True)
        link_moved(moved)
    return len(new)


def renames(company: Company, name: str | None) -> bool:
    """Set a company's listed name; returns whether it changed."""
    if not name or company.name == name:
        return False
    company.name = name
    return True


def store_tickers(rows: Iterable[tuple[str, str, int]]) -> list[tuple[int, int]]:
    """Store (symbol, exchange, company pk); a known exchange is never emptied, and a moved symbol moves.

    Returns (company before, company now) of each that moved.
    """
    wanted = {symbol[:12]: (exchange[:20], company) for symbol, exchange, company in rows}
    held = (
        {ticker.symbol: ticker for ticker in Ticker.objects.all()}
        if len(wanted) > WHOLE_LIST
        else {ticker.symbol: ticker for ticker in Ticker.objects.filter(symbol__in=wanted)}
    )
    changed, moved = [], []
    for symbol, (exchange, company) in wanted.items():
        ticker = held.get(symbol)
        if ticker and (ticker.company_id != company or ticker.former or (exchange and ticker.exchange != exchange)):
            if ticker.company_id != company and not ticker.former:
                moved.append((ticker.company_id, company))
            ticker.company_id, ticker.exchange, ticker.former = company, exchange or ticker.exchange, False
            changed.append(ticker)
    Ticker.objects.bulk_update(changed, ["company", "exchange", "former"], batch_size=200)
    Ticker.objects.bulk_create(
        Ticker(symbol=symbol, exchange=exchange, company_id=company)
        for symbol, (exchange, company) in wanted.items()
        if symbol not in held
    )
    return moved


def store_submissions(company: Company, submissions: Submissions) -> None:
    """Update a company from its submissions; aliases and admin edits stay.

    After a change of name or first ticker its filings are indexed again, because passages are indexed with both.
    """
    before = (company.name, company.symbols[:1])
    said = {
        "name": submissions.name[:200] or company.name,
        "former_names": list(submissions.former_names),
        "sic": submissions.sic[:4],
        "sic_description": submissions.sic_description[:120],
        "state_of_incorporation": submissions.state[:10],
        "fiscal_year_end": submissions.fiscal_year_end[:4],
    }
    changed = [name for name, value in said.items() if getattr(company, name) != value]
    for name in changed:
        setattr(company, name, said[name])
    if changed:
        company.save(update_fields=changed)
    link_moved(store_tickers((symbol, exchange, company.pk) for symbol, exchange in submissions.tickers))
    if (company.name, company.symbols[:1]) != before:
        company.filings.update(indexed="")


def store_foreign_registrants(path: Path = FOREIGN_REGISTRANTS) -> int:
    """Load the data file of well-known foreign registrants; existing rows stay."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [
            ForeignRegistrant(cik=int(row["cik"]), name=row["name"], form=row["form"]) for row in csv.DictReader(file)
        ]
    held = set(ForeignRegistrant.objects.values_list("cik", flat=True))
    new = [row for row in rows if row.cik not in held]
    ForeignRegistrant.objects.bulk_create(new, ignore_conflicts=True)
    mark_foreign()
    return len(new)


def mark_foreign() -> None:
    """Mark companies of the foreign registrants' table that have no 10-K stored."""
    listed = ForeignRegistrant.objects.values("cik")
    annual = Company.objects.filter(filings__source=ANNUAL.key).values("pk")
    Company.objects.filter(cik__in=listed, foreign=False).exclude(pk__in=annual).update(foreign=True)


CIK_DIGITS = 10


def cik_digits(text: str) -> str:
    """The digits of a typed CIK, 320193 or CIK0000320193; empty for other text."""
    digits = text.upper().removeprefix("CIK")
    # "²" is a digit for isdigit(), but int() rejects it.
    return digits if digits.isascii() and digits.isdecimal() else ""


def as_symbol(text: str) -> str:
    """A typed ticker as it is stored: BRK-B for brk.b and BRK/B."""
    return text.strip().upper().replace(".", "-").replace("/", "-")


def find_company(text: str) -> Company:
    """The registrant of a ticker (BRK.B as BRK-B too), CIK or exact name. Raises UnknownCompany."""
    text = text.strip()
    company = Company.objects.filter(tickers__symbol=as_symbol(text)).first() or of_class(text)
    if company is None and (written := cik_digits(text)):
        digits = written.lstrip("0")
        if not 1 <= len(digits) <= CIK_DIGITS:
            raise UnknownCompany(f"{text!r} is not a CIK: a CIK has one to {CIK_DIGITS} digits.")
        company, _ = Company.objects.get_or_create(cik=int(digits), defaults={"name": f"CIK {digits}"})
    company = company or Company.objects.filter(name__iexact=text).first()
    if company is None:
        near = close_matches(text)
        meant = f" Did you mean {', '.join(near)}?" if near else ""
        raise UnknownCompany(f"No registrant on the SEC's ticker list is called {text!r}.{meant}")
    return company


def of_class(text: str) -> Company | None:
    """The registrant of a ticker without its class, or with it and no hyphen: BRK and BRKB for BRK-B."""
    symbol, plain = as_symbol(text), Replace("tickers__symbol", Value("-"), Value(""))
    classes = Q(tickers__symbol__regex=rf"^{symbol}-[A-Z]$") | Q(plain=symbol, tickers__symbol__regex="^[A-Z]+-[A-Z]$")
    found = (
        Company.objects.alias(plain=plain).filter(classes).distinct() if symbol.isalpha() else Company.objects.none()
    )
    return found.first() if found.count() == 1 else None


def close_matches(text: str, limit: int = 3) -> list[str]:
    """Up to `limit` tickers and names near a text, best first, as "AAPL (Apple Inc.)"."""
    return [f"{ticker.symbol} ({ticker.company.name})" for ticker in nearest_tickers(text, limit)]


def nearest_tickers(text: str, limit: int = 3) -> list[Ticker]:
    """Up to `limit` tickers, with their companies, whose symbol or company's name is near a text, best first."""
    tickers = list(Ticker.objects.values_list("pk", "symbol", "company__name"))
    by_symbol = process.extract(text.upper(), [symbol for _, symbol, _ in tickers], scorer=fuzz.ratio, limit=limit)
    names = [slugify(name).replace("-", " ") for *_, name in tickers]
    by_name = process.extract(slugify(text).replace("-", " "), names, scorer=fuzz.WRatio, limit=limit)
    # A few letters resemble many names, so a short text is compared with tickers first.
    ranked = sorted(
        [(score, place) for _, score, place in by_symbol if score >= 60]
        + [(score - (10 if len(text) <= 5 else 0), place) for _, score, place in by_name if score >= 75],
        key=lambda match: (-match[0], match[1]),
    )
    best = list(dict.fromkeys(tickers[place][0] for _, place in ranked))[:limit]
    found = Ticker.objects.select_related("company").in_bulk(best)
    return [found[pk] for pk in best]
