"""What came since a 10-K: each later filing of the company, with what it says otherwise than the filings before it."""

from collections.abc import Callable
from itertools import islice

from django.db.models import Q

from agent.numbers.moved_figures import Moved, moved_by
from agent.numbers.render import shown
from filings.models import Filing
from filings.models.report import IMPORTED, READ
from filings.models.source_kinds import KINDS

# Filings that are listed, the newest first, and figures that each names.
MOST, NAMED = 25, 3


def later_filings(annual: Filing) -> list[Filing]:
    """The loaded filings of a 10-K's company that were filed after it: by kind, the newest of each first."""
    held = READ | Q(accession__startswith=IMPORTED)
    found = Filing.objects.of_companies([annual.company.asked_as]).filter(held, filed__gt=annual.filed, withdrawn=None)
    newest = found.select_related("company").order_by("-filed", "-period_end", "-pk")[:MOST]
    order = list(KINDS)
    return sorted(newest, key=lambda one: order.index(one.source))


def called(filing: Filing) -> str:
    """10-K; 10-Q for Q1."""
    quarter = f" for Q{filing.fiscal_quarter}" if filing.fiscal_quarter else ""
    return f"{filing.form or filing.kind.label}{quarter}"


def filed(filing: Filing) -> str:
    return f"{filing.kind.dated} {filing.filed:%-d %B %Y}."


def restated(filing: Filing) -> str:
    """The figures that a report gives otherwise than the one before it; empty without any."""
    found = moved_by(filing) if filing.kind.has_facts else []
    if not found:
        return ""
    more = len(found) - NAMED
    said = "; ".join(map(change, islice(found, NAMED)))
    return f"It changes {said}{f'; and {more} more' if more > 0 else ''}."


def change(one: Moved) -> str:
    """Revenue, to 31 Dec 2024, from $86.214 million to $85.702 million."""
    before, after = (shown(fact.value, fact.unit, reported=True) for fact in (one.before, one.after))
    return f"{one.label}, to {one.after.end:%-d %b %Y}, from {before} to {after}"


# What is told of each filing, in this order; what one has nothing of is left out.
TELLS: tuple[Callable[[Filing], str], ...] = (filed, restated)


def told(filing: Filing) -> str:
    """All that is told of a filing, in sentences."""
    return " ".join(filter(None, (tell(filing) for tell in TELLS)))
