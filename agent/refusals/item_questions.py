"""Finds questions to offer with a refused text question; the answer to each opens an Item."""

from collections.abc import Iterator, Sequence

from django.db.models.functions import Coalesce

from agent.refusals.codes import Code
from agent.refusals.grammar import possessive
from agent.state import AgentState, Alternative, CompanyRef, Passage, Target
from filings.models import Filing, Section, SectionStatus
from filings.redline.captions import RISKS
from filings.sections.items import ITEMS

# Items written in prose, those that people read first in front. A statement or a list of exhibits is better opened by
# its link.
TOLD = ("1A", "7", "1", "1C", "3", "5", "7A", "2", "9A")
# Fiscal years tried for one company, and companies tried.
YEARS = COMPANIES = 3


# A passage that shares words with the question is near in meaning from this cosine on.
NEAR = 0.3


def touches(passage: Passage) -> bool:
    """Whether a passage is near the question and stands in an Item."""
    return bool(passage.item) and "lexical" in passage.ranks and (passage.cosine or 0.0) >= NEAR


def at_filing(code: Code, target: Target, state: AgentState) -> Iterator[Alternative]:
    """Items of the filing that was read, or of the nearest years, the nearest to the question first."""
    near = nearest(target, state)
    read = [filing.filing for filing in state.of(state.filings, target)]
    held = with_text(target.company, target.period.year)
    if target.topic and target.topic.compares:
        yield from of_two_years(target.company, target.topic.items[0], held)
    if code is Code.SECTION_NOT_AVAILABLE and target.topic:
        asked = (target.topic.implied or target.topic.items)[:1]
        for filing in held:
            if filing.pk not in read:
                yield from questions(target.company, filing, asked, "The same Item in a year that has its text")
    here = [filing for filing in held if filing.pk in read]
    for filing in here:
        yield from questions(target.company, filing, near)
    for filing in () if here else held[:YEARS]:
        yield from questions(target.company, filing, near[:1], "A fiscal year with text")


def of_two_years(company: CompanyRef, item: str, held: Sequence[Filing]) -> Iterator[Alternative]:
    """What changed in an Item in each year of which the year before is held too."""
    years = [one.fiscal_year for one in held if one.fiscal_year]
    called = "risk factors" if item == RISKS else f"Item {item}"
    for year in years:
        if year - 1 in years:
            asked = f"What changed in {possessive(company.short)} {called} in fiscal {year}?"
            yield Alternative(question=asked, why="Two years with text")


def at_companies(companies: Sequence[CompanyRef]) -> Iterator[Alternative]:
    """One Item of the latest filing of each company whose text is loaded."""
    for company in companies:
        for filing in with_text(company, None)[:1]:
            yield from questions(company, filing, TOLD[:1], "A company with text")


def companies_with_text(among: frozenset[int] | None = None) -> list[int]:
    """CIKs of some companies whose text is loaded; only among these, where they are given."""
    filings = Filing.objects.annual().filter(chunks_stored__gt=0, company__facts_stored__gt=0).order_by()
    if among is not None:
        filings = filings.of_companies(among)
    asked_as = Coalesce("company__successor_cik", "company__cik")
    return list(filings.values_list(asked_as, flat=True).distinct()[:COMPANIES])


def nearest(target: Target, state: AgentState) -> tuple[str, ...]:
    """Items in prose, nearest first: implied by the question, found by search, named in it, then the rest."""
    topic = target.topic
    passages = [one for found in state.of(state.retrievals, target) for one in found.passages]
    found = (one.item for one in passages if touches(one))
    asked = (*topic.implied, *found, *topic.items) if topic else ()
    return tuple(dict.fromkeys(item for item in (*asked, *TOLD) if item in TOLD))


def with_text(company: CompanyRef, year: int | None) -> list[Filing]:
    """Primary 10-Ks of a company with text, the fiscal years nearest to the one asked first."""
    held = [one for one in Filing.objects.askable(company.cik, text=True) if one.fiscal_year and one.chunks_stored]
    wanted = year or max((one.fiscal_year or 0 for one in held), default=0)
    return sorted(held, key=lambda one: (abs((one.fiscal_year or 0) - wanted), -(one.fiscal_year or 0)))


def questions(company: CompanyRef, filing: Filing, items: Sequence[str], why: str = "") -> Iterator[Alternative]:
    """A question for each of these Items that was extracted from a filing."""
    extracted = Section.objects.filter(filing=filing, status=SectionStatus.EXTRACTED, item__in=items)
    held = set(extracted.values_list("item", flat=True))
    for item in items:
        if item in held:
            yield Alternative(
                question=f"What does {possessive(company.short)} fiscal {filing.fiscal_year} 10-K say under Item {item}?",
                why=". ".join(filter(None, (ITEMS[item].title, why))),
            )
