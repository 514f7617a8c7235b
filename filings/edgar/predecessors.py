"""Registrants that file in another's place since a reorganisation: their history stands under an older CIK."""

import re
from collections.abc import Iterable, Iterator

from django.db.models import Max, Min, Q

from filings.edgar.registrant_names import CURATED_NAMES, exact_words, loose_words, name_words, without_state
from filings.models import Company, Filing, Section, Succession, Ticker

# A shorter name that another begins with may be anybody's.
SHORTEST = 5
_NAMED = re.compile(
    r"\bsuccessor\s+(?:issuer|registrant)\s+(?:to|of)\s+(?:the\s+)?(.{3,120})", re.IGNORECASE | re.DOTALL
)
_SYMBOL = re.compile(r"[A-Z]{1,5}(?:-[A-Z]{1,2})?")


def link(predecessor: Company, successor: Company, how: Succession) -> None:
    """Record that a company is asked about as its successor, and its own predecessors too; a curator's word stays."""
    for one in (predecessor, successor):
        one.refresh_from_db(fields=["successor_cik", "succession"])
    cik = successor.asked_as
    if predecessor.succession == Succession.CURATOR or cik == predecessor.cik:
        return
    linked = Company.objects.filter(Q(pk=predecessor.pk) | Q(successor_cik=predecessor.cik))
    linked.exclude(succession=Succession.CURATOR).update(successor_cik=cik, succession=how)


def link_moved(moved: Iterable[tuple[int, int]]) -> None:
    """Link companies that lost all tickers to one of a like name. moved: (company before, company now) of each ticker."""
    pairs = dict.fromkeys(moved)
    companies = Company.objects.in_bulk({pk for pair in pairs for pk in pair})
    left = set(Ticker.objects.filter(company__in=companies, former=False).values_list("company", flat=True))
    for before, after in pairs:
        if before not in left and are_alike(companies[before], companies[after]):
            link(companies[before], companies[after], Succession.TICKER)


def link_listed(company: Company) -> None:
    """Link a company whose filings are stored to its predecessors, or to its successor.

    A predecessor has no ticker any more. It is named in the successor's annual report, or is called the same and filed
    nothing since the other began to.
    """
    listed = Q(tickers__former=False)
    filers = Company.objects.filter(pk__in=Filing.objects.reports().values("company")).exclude(pk=company.pk)
    has_ticker = company.tickers.filter(former=False).exists()
    others = filers.exclude(pk__in=Company.objects.filter(listed)) if has_ticker else filers.filter(listed)
    own = _names(company)
    named = [name_words(name) for name in said(company)] if has_ticker else []
    for other in others.distinct():
        before, after = (other, company) if has_ticker else (company, other)
        words = exact_words(name_words(without_state(before.name)))
        if any(one[: len(words)] == words for one in named):
            link(before, after, Succession.FILING)
        elif own & _names(other) and follows(before, after):
            link(before, after, Succession.NAME)


def link_namesake(company: Company) -> None:
    """Link a company without annual reports to the registrant without a ticker that people call so, stored or not."""
    own = _names(company)
    for cik, names in CURATED_NAMES.items():
        if cik != company.cik and own & {"".join(name_words(name)) for name in names}:
            before, _ = Company.objects.get_or_create(cik=cik, defaults={"name": names[0]})
            if not before.tickers.filter(former=False).exists():
                link(before, company, Succession.NAME)


def said(company: Company) -> Iterator[str]:
    """What stands behind "successor issuer to" in a company's reports."""
    told = Q(text__icontains="successor issuer") | Q(text__icontains="successor registrant")
    for text in Section.objects.filter(told, filing__in=company.filings.annual()).values_list("text", flat=True):
        yield from _NAMED.findall(text)


def follows(before: Company, after: Company) -> bool:
    """Whether the first report of one was filed when the other had filed its last."""
    last = before.filings.reports().aggregate(at=Max("filed"))["at"]
    first = after.filings.reports().aggregate(at=Min("filed"))["at"]
    return bool(last and first and last <= first)


def are_alike(one: Company, other: Company) -> bool:
    """Whether two companies are called the same, or one as the other begins."""
    pairs = ((mine, theirs) for mine in _names(one) for theirs in _names(other))
    return any(
        mine == theirs
        or (min(len(mine), len(theirs)) >= SHORTEST and (mine.startswith(theirs) or theirs.startswith(mine)))
        for mine, theirs in pairs
    )


def _names(company: Company) -> set[str]:
    """A company's name and former names without their endings and spaces: exxonmobil."""
    names = (company.name, *company.former_names)
    return {"".join(loose_words(name_words(without_state(name)))) for name in names}


def store_former_tickers(company: Company) -> None:
    """Store the tickers on the covers of a company's reports that nobody has now."""
    covers = company.filings.exclude(cover={}).values_list("cover", flat=True)
    printed = {str(cover.get("TradingSymbol", "")).strip().upper().replace(".", "-") for cover in covers}
    symbols = {one for one in printed if _SYMBOL.fullmatch(one)}
    held = set(Ticker.objects.filter(symbol__in=symbols).values_list("symbol", flat=True))
    Ticker.objects.bulk_create(Ticker(company=company, symbol=one, former=True) for one in sorted(symbols - held))
