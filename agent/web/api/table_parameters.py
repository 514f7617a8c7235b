"""Reads the parameters of /table: companies, measures, periods and parts given by their keys."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse

from agent.numbers.cells.measure_keys import measure_of
from agent.numbers.registry.metrics import variants
from agent.numbers.registry.registry import Registry
from agent.registrants.registrant_index import Companies
from agent.state import CompanyRef, Period, PeriodForm
from agent.state.query import (
    MOST_COMPANIES,
    MOST_MEASURES,
    MOST_YEARS,
    Last,
    Measure,
    Periods,
    Row,
    Span,
    Years,
)
from agent.state.references import RelativePeriod
from agent.web.api.problems import Invalid, Problem
from agent.web.tables.part_lookup import MOST_MEMBERS, Part, Parts
from agent.web.tables.verified_tables import registrant
from filings.edgar.registrants import CIK_DIGITS, cik_digits
from filings.models import Company, by_name
from filings.xbrl.periods import QUARTERS, FiscalPeriod, Place

FIRST, LAST = 1990, 2100
LIST = re.compile(r"[0-9]{4}(,[0-9]{4})*")
SPAN = re.compile(r"([0-9]{4})-([0-9]{4})")
NEWEST = re.compile(r"last([1-9][0-9]?)")
# Other spellings of the codes of periods.
CODES = {"9m": "m9"}
PARTS = "Give quarters as 2024Q3,2024Q4, a span as 2023Q1-2025Q4, the newest as last8, 2024H1, 20249M, or ttm."
FORMS = "Give years as 2022,2023, a span as 2019-2024, the newest as last5, or latest."


def companies_of(text: str) -> tuple[CompanyRef, ...]:
    """The companies with these tickers (BRK.B and BRK-B both work) or CIKs, each once, in the order given.

    Raises Problem (404) for an unknown one, and Invalid for none or too many.
    """
    wanted = items("companies", text, MOST_COMPANIES)
    symbols = {one: one.upper().replace(".", "-").replace("/", "-") for one in wanted}
    digits = {one: cik_digits(one).lstrip("0") for one in wanted}
    ciks = {one: int(found) for one, found in digits.items() if 1 <= len(found) <= CIK_DIGITS}
    named = Q(tickers__symbol__in=symbols.values()) | Q(cik__in=ciks.values())
    everyone = Company.objects.filter(named).with_successors().prefetch_related("tickers")
    found = by_name(everyone.annotate(held=Exists(Company.objects.covered().filter(pk=OuterRef("pk")))))
    asked = {one: found.get(symbols[one]) or found.get(str(ciks.get(one, 0))) for one in wanted}
    if unknown := [one for one, company in asked.items() if company is None]:
        raise not_found("companies", f"There is no such company: {', '.join(unknown)}. Give tickers or CIKs.")
    known = {company.cik: company for company in asked.values() if company is not None}
    index = Companies.of(map(registrant, known.values()))
    return tuple(ref for cik in known if (ref := index.get(cik)) is not None)


def rows_of(text: str, registry: Registry) -> tuple[Row, ...]:
    """The measures with these keys, each once: `revenue`, `roe`, `roe:ending`.

    Raises Problem (404) for a key that is unknown, and Invalid for none or too many.
    """
    return tuple(Row(measure=measure(one, registry), text=one) for one in items("measures", text, MOST_MEASURES))


def members_of(text: str, companies: Sequence[CompanyRef]) -> tuple[Part, ...]:
    """The named parts of one company, such as segments, by name or as Axis=Member, each once.

    Raises Problem (404) for an unknown one, listing the known ones, and Invalid for several companies or too many.
    """
    if len(companies) != 1:
        raise Invalid({"members": [f"`members` needs exactly one company; you gave {len(companies)}."]})
    found, unknown = Parts(Company.objects.get(cik=companies[0].cik)).named(text)
    if unknown:
        raise not_found("members", unknown)
    if not found:
        raise Invalid({"members": ["Give one or several, separated by commas."]})
    if len(found) > MOST_MEMBERS:
        raise Invalid({"members": [f"At most {MOST_MEMBERS} are allowed; you gave {len(found)}."]})
    return found


def measure(text: str, registry: Registry) -> Measure:
    """The measure with a key, or one built from others, such as growth of revenue. Raises Problem (404)."""
    try:
        return measure_of(text.lower(), registry)
    except KeyError as error:
        key, _, variant = str(error.args[0]).partition(":")
    metric = registry.metrics.get(key)
    if metric is not None and not metric.hidden:
        known = variants(metric, registry)
        said = f"“{key}” has no variant “{variant}”; it has: {', '.join(known) or 'none'}."
    else:
        known_keys = [*registry.concepts, *(name for name, one in registry.metrics.items() if not one.hidden)]
        near = get_close_matches(key, known_keys, n=5, cutoff=0)
        said = f"There is no such measure: {text}. The nearest keys are {', '.join(near)}."
    raise not_found("measures", f"{said} All keys are at {reverse('api:concepts')}.")


def periods_of(text: str) -> tuple[Periods, int]:
    """Reads fiscal years; also returns how many there are for each company. Raises Invalid."""
    text = "".join(text.split()).lower()
    if text == "latest":
        return Years(periods=(Period(form=PeriodForm.LATEST),)), 1
    if newest := NEWEST.fullmatch(text):
        count = int(newest[1])
        few_enough(count)
        return Last(count=count), count
    if span := SPAN.fullmatch(text):
        first, last = fiscal(span[1]), fiscal(span[2])
        count = int(span[2]) - int(span[1]) + 1
        if count < 1:
            raise Invalid({"years": [f"The span ends before it begins. {FORMS}"]})
        few_enough(count)
        return Span(first=first, last=last), count
    if LIST.fullmatch(text):
        named = list(dict.fromkeys(text.split(",")))
        few_enough(len(named))
        return Years(periods=tuple(map(fiscal, named))), len(named)
    raise Invalid({"years": [FORMS]})


def parts_of_years(text: str) -> tuple[Periods, int]:
    """Reads quarters and other parts of fiscal years; also returns how many for each company. Raises Invalid."""
    text = "".join(text.split()).lower()
    if text == "ttm":
        return Years(periods=(Period(form=PeriodForm.LATEST, part=RelativePeriod.TRAILING),)), 1
    if newest := NEWEST.fullmatch(text):
        few_enough(int(newest[1]))
        return Last(count=int(newest[1]), quarters=True), int(newest[1])
    named = [Place.of_code(one[:4] + CODES.get(one[4:], one[4:])) for one in re.split("[,-]", text)]
    places = [one for one in named if one and one.period is not FiscalPeriod.YEAR]
    if len(places) < len(named) or ("-" in text and ("," in text or len(places) != 2)):
        raise Invalid({"periods": [PARTS]})
    periods = [fiscal(str(one.year)).model_copy(update={"part": one.period}) for one in places]
    if "-" not in text:
        few_enough(len(periods))
        return Years(periods=tuple(dict.fromkeys(periods))), len(periods)
    first, last = places
    count = (last.year - first.year) * len(QUARTERS) + last.period.quarter - first.period.quarter + 1
    if not (first.period.of_quarter and last.period.of_quarter) or count < 1:
        raise Invalid({"periods": [f"A span needs two quarters, the earlier one first. {PARTS}"]})
    few_enough(count)
    return Span(first=periods[0], last=periods[1]), count


def fiscal(text: str) -> Period:
    year = int(text)
    if not FIRST <= year <= LAST:
        raise Invalid({"years": [f"Years must be from {FIRST} to {LAST}."]})
    return Period(form=PeriodForm.FISCAL, year=year)


def few_enough(count: int) -> None:
    if count > MOST_YEARS:
        raise Invalid({"years": [f"At most {MOST_YEARS} years or quarters are allowed; you gave {count}."]})


def items(name: str, text: str, most: int) -> Sequence[str]:
    """The items between commas, each once. Raises Invalid for none, or for more than `most`."""
    found = list(dict.fromkeys(" ".join(one.split()) for one in text.split(",")))
    if not all(found):
        raise Invalid({name: ["Give one or several, separated by commas."]})
    if len(found) > most:
        raise Invalid({name: [f"At most {most} are allowed; you gave {len(found)}."]})
    return found


def not_found(name: str, said: str) -> Problem:
    return Problem(404, "not_found", said, errors=[{"field": name, "message": said}])
