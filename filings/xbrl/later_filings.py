"""Later filings' values for selected facts, for many facts in one query."""

from collections import defaultdict
from collections.abc import Collection
from datetime import date
from decimal import Decimal
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Q

from filings.models import Fact

# The fields that a later report shares with the fact.
SAME = ("company_id", "taxonomy", "tag", "unit", "start", "end", "dimensions")
_same = attrgetter(*SAME)


class Later(NamedTuple):
    """A later report of the same tag, unit and period. fact: primary key of the stored fact."""

    fact: int
    filing: int
    filed: date
    value: Decimal
    decimals: int | None


def later(of: Collection[Fact]) -> dict[int, list[Later]]:
    """By primary key, the values of later primary 10-Ks and amendments, oldest first; for a 10-Q's fact also of later
    10-Qs.

    One row a filing: the document's, else companyfacts'. Facts without any are left out.
    """
    if not of:
        return {}
    rows = Fact.objects.filter(
        Q(filing__is_primary=True) | Q(form__endswith="/A") | Q(form="10-Q"),
        company__in={fact.company_id for fact in of},
        taxonomy__in={fact.taxonomy for fact in of},
        tag__in={fact.tag for fact in of},
        end__in={fact.end for fact in of},
        filed__gt=min(fact.filed for fact in of),
        dimensions__in={fact.dimensions for fact in of},
    ).values_list(*SAME, "form", "filed", "pk", "filing", "source", "value", "decimals")
    reports: dict[tuple[object, ...], list[tuple[str, str, Later]]] = defaultdict(list)
    for *key, form, filed, pk, filing, source, value, decimals in rows:
        reports[tuple(key)].append((form, source, Later(pk, filing, filed, value, decimals)))
    found: dict[int, list[Later]] = {}
    for fact in of:
        same = reports.get(_same(fact), ())
        by_filing: dict[int, Later] = {}
        for form, source, one in same:
            if one.filed <= fact.filed or (form.startswith("10-Q") and not fact.form.startswith("10-Q")):
                continue
            if source == Fact.Source.DOCUMENT or one.filing not in by_filing:
                by_filing[one.filing] = one
        if by_filing:
            found[fact.pk] = sorted(by_filing.values(), key=lambda one: (one.filed, one.fact))
    return found
