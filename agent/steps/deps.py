"""What the nodes need besides the state: companies, registry, models, and what the asker may use."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Self

from django.conf import settings

from agent.numbers.facts.fact_selection import Selection
from agent.numbers.facts.filing_figures import FilingFigures
from agent.numbers.registry import registry as registry_file
from agent.numbers.registry.registry import Registry
from agent.programs import model_settings
from agent.query.companies.named_watchlists import Watched
from agent.registrants.registrant_index import Companies
from agent.state import CompanyRef, Versions
from agent.state.modes import Mode, below
from agent.steps.news import News, no_news
from filings.models import Company, Filing

if TYPE_CHECKING:
    from agent.programs.calls import Session


# With fewer tokens a run of this mode would be cut short; a cheaper mode may still finish. One round over the sample
# takes 14,000 tokens, plus the longest draft of the mode.
LEAST = {
    Mode.DIRECT: 16_000,
    Mode.STANDARD: 24_000,
    Mode.DETAILED: 46_000,
    Mode.DEEP_SEARCH: 120_000,
}
# The note where the quota allows less than the mode needs; every round of the run has it.
TOO_LITTLE = "The remaining quota was too small"
EVERY = "*"


@dataclass(frozen=True)
class Grant:
    """What one run may use.

    tokens: in and out of models, None without a limit. ciks: companies, None for all. hold: reserves a number of table
    cells and returns why the quota has too few answers left, or an empty text.
    """

    tokens: int | None = None
    ciks: frozenset[int] | None = None
    hold: Callable[[int], str] = field(default=lambda cells: "", compare=False)

    def mode(self, wanted: Mode) -> Mode | None:
        """The mode, or the next cheaper one that the tokens allow; None if they are too few for any model."""
        found: Mode | None = wanted
        while found is not None and self.tokens is not None and self.tokens < LEAST[found]:
            found = below(found)
        return found

    def note(self, wanted: Mode) -> str:
        """A note for the reader if the mode differs from the one wanted; otherwise empty."""
        found = self.mode(wanted)
        if found is wanted:
            return ""
        if found is None:
            return f"{TOO_LITTLE} for a language model, so none was used."
        return f"{TOO_LITTLE} for the mode \u201c{wanted.label}\u201d, so \u201c{found.label}\u201d was used."

    def covers(self, cik: int) -> bool:
        """Whether a company may be asked about."""
        return self.ciks is None or cik in self.ciks

    @property
    def scope(self) -> str:
        """The companies as a key for the cache of answers; empty for all."""
        if self.ciks is None:
            return ""
        return hashlib.sha256(",".join(map(str, sorted(self.ciks))).encode()).hexdigest()[:16]


def open_to_visitors() -> frozenset[int] | None:
    """CIKs available without an account, by the settings; None for all."""
    symbols = [symbol.strip().upper() for symbol in settings.ANON_TICKERS]
    if EVERY in symbols:
        return None
    held = Company.objects.filter(tickers__symbol__in=symbols) if symbols else Company.objects.filter(in_sample=True)
    return frozenset(one.asked_as for one in held.only("cik", "successor_cik"))


@dataclass(frozen=True)
class Deps:
    """Created once a run. The process shares the company index and the registry; selections belong to the run."""

    companies: Companies
    registry: Registry
    today: date
    versions: Versions
    selections: dict[int, Selection] = field(default_factory=dict)
    session: "Session | None" = None  # the models of the run; None where none is configured or wanted
    grant: Grant = field(default_factory=Grant)
    watchlists: tuple[Watched, ...] = ()  # the asker's, for "my companies"
    note: str = ""  # why a configured model is not asked, for the reader
    # Searches news of a company for some words; only the run of a question that somebody asked has one that does.
    news: Callable[[CompanyRef, str], News] = no_news
    news_found: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by CIK, what it found

    @classmethod
    def current(
        cls,
        today: date | None = None,
        *,
        models: bool = False,
        mode: Mode = Mode.STANDARD,
        grant: Grant | None = None,
        watchlists: tuple[Watched, ...] = (),
    ) -> Self:
        """The dependencies of a run that starts now.

        today: decides whether a year has ended; evaluations fix it. models: whether the run may ask the models of the
        settings, within the budget of this mode. grant: what the asker may use; everything without one. watchlists: the
        asker's, for "my companies".
        """
        from agent.steps.versions import code_version

        companies = Companies.current()
        registry = registry_file.load()
        grant = grant or Grant()
        asks, allowed = models and model_settings.named(), grant.mode(mode)
        return cls(
            companies=companies,
            registry=registry,
            today=today or datetime.now(UTC).date(),
            versions=Versions(code=code_version(), registry=registry.version, corpus=companies.version),
            session=begun(allowed, grant.tokens) if asks and allowed else None,
            grant=grant,
            watchlists=watchlists,
            note=grant.note(mode) if asks and allowed is None else "",
        )

    def for_trials(self) -> Self:
        """The dependencies of a question that is only tried: no model and no news is asked, no quota reserved."""
        return replace(self, session=None, news=no_news, grant=Grant(self.grant.tokens, self.grant.ciks))

    def examples(self) -> tuple[CompanyRef, ...]:
        """The first companies that the asker can ask about, in the SEC's order."""
        return self.companies.examples(among=self.grant.ciks)

    def search_news(self, company: CompanyRef, words: str) -> str:
        """Search news of a company that the asker may ask about; returns what the reader must know of it."""
        found = self.news(company, words) if self.grant.covers(company.cik) else News()
        if found.filings:
            self.news_found[company.cik] = found.filings
        return found.said

    def degrade(self) -> None:
        """Record that something was down or did less than planned: such an answer is not cached."""
        if self.session is not None:
            self.session.degraded = True

    def selection(self, filing: int) -> Selection:
        """The concepts of one filing; its facts are read once a run."""
        if filing not in self.selections:
            stored = Filing.objects.select_related("company").get(pk=filing)
            self.selections[filing] = Selection(FilingFigures(stored, self.registry))
        return self.selections[filing]


def begun(mode: Mode, quota: int | None = None) -> "Session | None":
    """A session with the models of the settings; None where they cannot be used. quota: tokens, None for no limit."""
    from agent.programs.calls import begin
    from agent.programs.models import configured

    found = configured()
    return begin(found, mode, quota=quota) if found else None
