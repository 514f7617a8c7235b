"""The documents that may tell of a period after the first one that is searched."""

from collections.abc import Sequence

from agent.state import FilingRef, PeriodForm, Target
from agent.state.query import Years
from agent.steps.documents import Held, of_news, of_periods
from filings.models import Filing
from filings.models.source_kinds import KINDS, NEWS

# Documents that are searched for one target besides the first.
MOST = 5


def followers(target: Target, searched: tuple[FilingRef, ...], news: Sequence[int] = ()) -> list[Filing]:
    """The documents of the target's period in the kinds to look in next, one a kind, as far as they are held; then of
    news each article.
    """
    held = Held(target.company.cik, news)
    period = target.period
    articles = of_news(Years(periods=(period,)), held) if NEWS.key in target.sources else []
    sources = [key for key in target.sources if key != NEWS.key]
    if searched and searched[0].fiscal_quarter and period.form is not PeriodForm.LATEST:
        quarter = searched[0].fiscal_year, searched[0].fiscal_quarter
        found = [
            next((one for one in held.of(KINDS[key]) if (one.fiscal_year, one.fiscal_quarter) == quarter), None)
            for key in sources
        ]
    else:
        found = [
            next(iter(reversed(of_periods(Years(periods=(period,)), KINDS[key], held.of(KINDS[key])))), None)
            for key in sources
        ]
    documents = [one for one in found if one is not None][:MOST]
    return [*documents, *[one for one in articles if one.pk != target.document][:MOST]]
