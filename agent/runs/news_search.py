"""The search for news of one run, with the provider of the settings."""

import logging
from contextlib import nullcontext
from uuid import UUID

from django.conf import settings

from agent.runs.heartbeat import SLACK, Heartbeat
from agent.state import CompanyRef
from agent.steps.news import News
from filings.models import Company

logger = logging.getLogger(__name__)


class NewsSearch:
    """Searches news for a run, once. `failed`: whether a later run may find what this one did not.

    run_id, attempt: the run that a worker holds, which sends heartbeats meanwhile; none on the command line.
    """

    def __init__(self, run_id: UUID | None = None, attempt: int = 0) -> None:
        self.run_id, self.attempt = run_id, attempt
        self.asked = self.failed = False

    def __call__(self, company: CompanyRef, words: str) -> News:
        """The documents of what is found about a company; a failure is told in words."""
        if self.asked or not settings.NEWS_BASE_URL:
            return News()
        self.asked = True
        held = Company.objects.filter(cik=company.cik).first()
        if held is None:
            return News()
        # A search and the reading of what it found may take longer than a run may be silent.
        seconds = 2 * settings.NEWS_TIMEOUT + SLACK
        with Heartbeat(self.run_id, self.attempt, seconds) if self.run_id else nullcontext():
            return self.found(held, words)

    def found(self, company: Company, words: str) -> News:
        from filings.importing.news import NewsError, news_provider
        from filings.importing.news_documents import find_news

        try:
            provider = news_provider()
            found = find_news(provider, company, words) if provider else None
        except NewsError as error:
            logger.warning("The news of run %s could not be searched: %s", self.run_id, error)
            self.failed = True
            return News(said=f"The news could not be searched: {error}")
        except OSError:
            logger.exception("The news of run %s could not be stored", self.run_id)
            self.failed = True
            return News(said="The news that was found could not be stored.")
        if found is None:
            return News()
        if found.late:
            self.failed = True
            count = f"{found.late} article{'' if found.late == 1 else 's'} found"
            return News(found.filings, f"{count} could not be read within {settings.NEWS_TIMEOUT:g} s.")
        return News(found.filings, "" if found.filings else "The search for news found no article on this.")
