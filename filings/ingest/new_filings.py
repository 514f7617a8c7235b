"""Checks EDGAR for new reports of loaded companies: one small request for each company a day.

Each company has a time of day of its own, by its CIK, so that requests are spread over the day. New reports are
ingested through the queue. Of two workers that look at once, one asks EDGAR.
"""

import hashlib
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils.timezone import now

from diligence import counters
from filings.edgar.client import Edgar
from filings.edgar.edgar_files import EdgarError, ListedFiling, NotIdentified, Submissions
from filings.edgar.listing import is_held
from filings.ingest import queue
from filings.models import STALE_AFTER, Company, Filing, Origin
from filings.models.source_kinds import ANNUAL, QUARTERLY
from filings.xbrl.periods import natural_year

logger = logging.getLogger(__name__)

A_DAY = timedelta(days=1)
# Rounds a day in the beat schedule. After an outage a round does at most this many times its share.
ROUNDS, CATCHING_UP, LEAST = 144, 3, 20
# EDGAR lists some reports before their documents can be fetched: they are tried for this long.
INCOMPLETE_FOR = timedelta(days=14)
# Older pages of submissions are not read.
NO_OLDER_PAGES = 9999
WAITING = (Filing.DocumentStatus.PENDING, Filing.DocumentStatus.MISSING)


@dataclass(frozen=True, slots=True)
class Looked:
    """The result of a check: the companies checked, and those queued because they have new reports."""

    asked: int = 0
    queued: int = 0


def first_year(company: Company) -> int | None:
    """The first year to look for new reports; None for all years.

    For the sample, which has figures without documents, the newest year available: newer reports are fetched, and older
    ones stay as they are.
    """
    if company.origin != Origin.SAMPLE:
        return company.years_from
    newest = company.filings.annual().filter(facts_stored__gt=0).aggregate(end=Max("period_end"))["end"]
    return natural_year(newest) if newest else None


def offset(cik: int) -> timedelta:
    """The time of day (UTC) at which a company is checked: constant, and spread evenly over companies."""
    digest = hashlib.sha256(str(cik).encode()).digest()
    return timedelta(seconds=int.from_bytes(digest[:8], "big") % 86_400)


def last_moment(cik: int, at: datetime) -> datetime:
    """The company's last check time before or at `at`."""
    moment = at.replace(hour=0, minute=0, second=0, microsecond=0) + offset(cik)
    return moment if moment <= at else moment - A_DAY


def due(at: datetime) -> list[Company]:
    """Companies not checked since their last check time, longest first.

    An ingestion counts as a check. A check in the future is from before a clock was set back and does not count.
    """
    columns = ("cik", "name", "origin", "years_from", "years_to", "forms", "watched", "ingested")
    companies = list(Company.objects.watched().only(*columns))
    most = max(LEAST, -(-CATCHING_UP * len(companies) // ROUNDS))
    waiting = []
    for company in companies:
        looks = (look for look in (company.watched, company.ingested) if look and look < at + STALE_AFTER)
        looked = max(looks, default=None)
        moment = last_moment(company.cik, at)
        if looked is None or looked < moment:
            waiting.append((looked or datetime.min.replace(tzinfo=at.tzinfo), moment, company.cik, company))
    waiting.sort(key=lambda row: row[:3])
    return [company for *_, company in waiting[:most]]


def look_at_due(edgar: Edgar | None = None) -> Looked:
    """Ask EDGAR about each due company, and queue those with a new report. Safe to run twice, at once.

    Where EDGAR is unreachable the rest waits for the next round. Without EDGAR_IDENTITY nothing is asked.
    """
    waiting = due(now())
    if not waiting:
        return Looked()
    asked = queued = 0
    try:
        with edgar or Edgar() as source:
            source.attempts = 2
            for company in waiting:
                found = look(company, source)
                asked += found is not None
                queued += bool(found) and queue.enqueue(company, (first_year(company), company.years_to))
    except NotIdentified as error:
        logger.info("No company is looked at: %s", error)
    except EdgarError as error:
        logger.warning("Looking for new filings goes on later: %s", error)
    finally:
        counters.flush()
    return Looked(asked, queued)


def look(company: Company, edgar: Edgar) -> bool | None:
    """Whether EDGAR has a new report of the company; None where another worker is asking.

    Raises EdgarError where a later try can help or access is denied; the company is then due again.
    """
    mine = Company.objects.filter(pk=company.pk, watched=company.watched)
    if not mine.update(watched=now()):
        return None
    try:
        submissions = edgar.submissions(company.cik, filed_since=NO_OLDER_PAGES)
    except EdgarError as error:
        if error.retryable or isinstance(error, NotIdentified):
            Company.objects.filter(pk=company.pk).update(watched=company.watched)
            raise
        logger.warning("The filings of %s cannot be read: %s", company, error)
        return False
    fresh = missing(company, submissions) if submissions else []
    if fresh:
        logger.info("%s has filed %s", company, ", ".join(f"{one.form} {one.accession}" for one in fresh))
    return bool(fresh)


def missing(company: Company, submissions: Submissions) -> list[ListedFiling]:
    """Listed reports, of the years loaded, that an ingestion would add.

    A quarterly report is looked for while it is new: the SEC's companyfacts may have it some days later, or never. So is
    a filing of the other kinds that the company is ingested with.
    """
    held = dict(company.filings.values_list("accession", "document_status"))
    since, first = (now() - INCOMPLETE_FOR).date(), first_year(company)
    annual = [
        filing
        for filing in submissions.of_kind(*{ANNUAL} & set(company.kinds))
        if (first or 0) <= year_of(filing) <= (company.years_to or 9999)
        and (filing.accession not in held or (held[filing.accession] in WAITING and filing.filed >= since))
    ]
    if company.years_to is not None:
        return annual
    new = [filing for filing in submissions.filings if filing.filed >= since]
    quarterly = [one for one in new if one.kind is QUARTERLY and one.accession not in held]
    others = [one for one in new if one.kind in company.kinds and is_held(one)]
    return [*annual, *quarterly, *(one for one in others if held.get(one.accession, WAITING[0]) in WAITING)]


def year_of(filing: ListedFiling) -> int:
    """The year of a listed report."""
    return natural_year(filing.report_date) if filing.report_date else filing.filed.year - 1
