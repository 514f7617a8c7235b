"""What pages show of watchlists: data available for each company, questions about a list, and new reports."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils.timezone import now

from accounts.identity import Identity
from agent.models import WatchedCompany, Watchlist, WatchlistAlert, WatchlistQuerySet
from agent.numbers.registry import registry
from agent.refusals.query_text import named
from agent.state.query import MOST_COMPANIES
from filings.models import Company, Filing
from filings.models.report import READ
from filings.web.company_directory import with_held

NEW_FOR = timedelta(days=120)
MOST_FILINGS = 10
LATEST_FILINGS = 5
# Measures that a list is ranked by at a click: keys of the registry.
RANKED_BY = ("revenue", "operating_margin", "net_income", "fcf", "rnd_to_revenue", "roe")


@dataclass(frozen=True, slots=True)
class Shown:
    """A list on a page. rows: (CIK, the company with its data, or None where it no longer exists)."""

    watchlist: Watchlist
    rows: tuple[tuple[int, Company | None], ...]

    @property
    def alert(self) -> WatchlistAlert | None:
        """Its feed and e-mails; None before either was switched on."""
        return getattr(self.watchlist, "alert", None)

    @property
    def called(self) -> str:
        """Its name in a question: my Semiconductors."""
        own = self.watchlist.name.casefold().startswith("my ")
        return f"my {self.watchlist.name[3:] if own else self.watchlist.name}"

    @property
    def asked_whole(self) -> bool:
        """Whether one question can cover all of it."""
        return 0 < len(self.rows) <= MOST_COMPANIES

    @property
    def symbols(self) -> str:
        """Tickers of its companies, separated by commas; the CIK of one without a ticker."""
        named = ((company.symbols[:1] if company else []) or [str(cik)] for cik, company in self.rows)
        return ",".join(one for (one,) in named)

    @property
    def rankings(self) -> list[tuple[str, str]]:
        """(measure, the question that ranks the list by it); none for fewer than two companies, or too many."""
        if not self.asked_whole or len(self.rows) < 2:
            return []
        measures = [named(key, registry.load()) for key in RANKED_BY]
        return [(one, f"Rank {self.called} by {one}") for one in measures]


def shown(lists: WatchlistQuerySet) -> list[Shown]:
    """Lists with the data available for their companies, in three queries."""
    found = list(lists.select_related("alert").prefetch_related("companies"))
    ciks = {cik for one in found for cik in one.ciks}
    held = {one.cik: one for one in with_held(Company.objects.filter(cik__in=ciks))}
    return [Shown(one, tuple((cik, held.get(cik)) for cik in one.ciks)) for one in found]


def of_company(identity: Identity, cik: int) -> tuple[list[Watchlist], list[Watchlist]]:
    """The person's lists that a company is on, and the others."""
    lists = list(Watchlist.objects.visible_to(identity).prefetch_related("companies"))
    return [one for one in lists if cik in one.ciks], [one for one in lists if cik not in one.ciks]


def filings(identity: Identity) -> tuple[list[Filing], bool]:
    """The 10-Ks of watched companies filed in the last 120 days, and True; where there are none the latest, and False."""
    lists = Watchlist.objects.visible_to(identity)
    ciks = set(WatchedCompany.objects.filter(watchlist__in=lists).values_list("cik", flat=True))
    if not ciks:
        return [], False
    found = Filing.objects.primary().filter(READ, company__cik__in=ciks).select_related("company")
    found = found.order_by("-filed", "company__name")
    new = list(found.filter(filed__gte=now().date() - NEW_FOR)[:MOST_FILINGS])
    return (new, True) if new else (list(found[:LATEST_FILINGS]), False)
