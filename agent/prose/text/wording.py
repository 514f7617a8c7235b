"""The sentences of answers and refusals about text: what is not there, what stands where, and which half has none."""

from collections.abc import Sequence

from agent.refusals.codes import Code
from agent.refusals.grammar import listed, possessive
from agent.refusals.sentences import refuse
from agent.state import Claim, FilingRef, PeriodForm, Refusal, Remark, Retrieval, Target, Topic
from filings.importing.news_addresses import host_of
from filings.models import Filing, Section, SectionStatus
from filings.models.source_kinds import ANNUAL, NEWS
from filings.sections.items import ALL_ITEMS


def of_filing(target: Target, filing: FilingRef) -> str:
    """Apple's fiscal 2024 10-K; Apple's 10-Q for Q2 of fiscal 2024."""
    return f"{possessive(target.company.called)} {filing.called}"


def names(items: Sequence[str]) -> str:
    """Item 1A, Risk Factors; of several: Items 7 and 8."""
    known = [item for item in items if item in ALL_ITEMS]
    if len(known) == 1:
        return ALL_ITEMS[known[0]].label
    return f"Items {listed(known)}" if known else "The text"


def unavailable(
    target: Target, filing: FilingRef, sections: Sequence[Section], document: str = Filing.DocumentStatus.HELD
) -> tuple[str, str]:
    """The two sentences of a filing whose asked Items cannot be read, with where they are instead."""
    name = of_filing(target, filing)
    if document != Filing.DocumentStatus.HELD or not sections:
        why = "is not in our data" if document != Filing.DocumentStatus.HELD else "cannot be searched"
        return f"The text of {name} {why}.", "You can ask for its figures."
    status = next((one.status for one in sections if one.status == SectionStatus.BY_REFERENCE), sections[0].status)
    found = [one for one in sections if one.status == status]
    items = [section.item for section in found]
    subject, verb = names(items), "is" if len(items) == 1 else "are"
    if status == SectionStatus.BY_REFERENCE:
        where = next((section.where for section in found if section.where), "")
        place = f": {ended(where)}" if where else " to another document."
        said = f"{subject} of {name} {verb} incorporated by reference{place}"
        return said, "That text is not loaded, so it cannot be quoted."
    said = {
        SectionStatus.OMITTED: f"{subject} {verb} omitted from {name}.",
        SectionStatus.UNVERIFIED: f"{subject} of {name} could not be read.",
    }.get(SectionStatus(status), f"{subject} {verb} not found in {name}.")
    return said, ""


def ended(sentence: str) -> str:
    """A sentence with its full stop, also where a quotation mark stands behind it."""
    sentence = sentence.strip()
    return sentence if sentence.endswith((".", "…", ".\u201d", '."', "…\u201d")) else f"{sentence}."


def year_said(target: Target, filing: FilingRef) -> str:
    """What the reader must know of the year quoted; empty where the question names it as the company does."""
    period = target.period
    if target.topic and target.topic.ahead:
        company = possessive(target.company.called)
        return f"These are {company} expectations as of its 10-K for fiscal {filing.fiscal_year}, not results."
    if filing.source == NEWS.key:
        publisher = f", {host}" if (host := host_of(filing.url)) else ""
        return f"Quoted from {possessive(target.company.called)} news of {filing.filed:%-d %b %Y}{publisher}: {filing.name}."
    if filing.source != ANNUAL.key:
        day = f", filed {filing.filed:%-d %b %Y}" if filing.form and filing.kind.span != "day" else ""
        return f"Quoted from {of_filing(target, filing)}{day}."
    ended = f"fiscal {filing.fiscal_year}, ended {filing.period_end:%-d %b %Y}"
    if not period.text and target.particular:
        return f"No year was named, so the latest 10-K is meant: {ended}."
    if not period.text:
        return f"No year was named, so the latest 10-K with text is quoted: {ended}."
    if period.form in {PeriodForm.LATEST, PeriodForm.PREVIOUS}:
        return f"\u201c{period.text}\u201d is read as {ended}."
    years = {filing.fiscal_year, filing.period_end.year}
    # Of a document that is chosen, the year asked may be another one.
    if period.form is PeriodForm.BARE and period.year in years and (len(years) > 1 or filing.period_end.month < 6):
        return f"\u201c{period.text}\u201d is read as {ended}."
    return ""


def notes(
    target: Target,
    filings: Sequence[FilingRef],
    claims: Sequence[Claim],
    retrievals: Sequence[Retrieval],
    remarks: Sequence[Remark] = (),
    *,
    headed: bool = False,
) -> tuple[str, ...]:
    """Sentences, the most important first: which half has no answer, which year is quoted, what was not searched.

    headed: whether a heading says which year is quoted.
    """
    found: list[str] = [remark.text for remark in remarks]
    if target.topic and claims and not target.topic.compares:
        answered = {claim.query for claim in claims}
        labels = [query.label for query in target.topic.queries]
        parts = dict(enumerate(labels))
        if target.topic.axes and min(answered) >= len(labels):
            # Of an ambiguous question, drafted for each of its readings: which stand behind its sub-queries.
            parts = dict(enumerate(target.topic.axes, start=len(labels)))
        missing = [label for place, label in parts.items() if place not in answered]
        if missing:
            said = listed([f"\u201c{label}\u201d" for label in missing])
            found.append(f"No sentence was found that answers {said}.")
    if filings and not headed and (year := year_said(target, filings[0])):
        found.append(year)
    found += [sentence for filing in filings for sentence in filing.said]
    found += [note for retrieval in retrievals for note in retrieval.notes]
    return tuple(dict.fromkeys(found))


def not_searched(target: Target, filing: FilingRef, error: Exception) -> Refusal:
    """The refusal while no index can be asked."""
    return refuse(target, Code.SEARCH_UNAVAILABLE, detail=f"{error}", filings=[filing])


def not_found(
    target: Target, topic: Topic, filing: FilingRef, items: Sequence[str], stage: str, detail: str = ""
) -> Refusal:
    """The refusal of a question that the filing does not answer."""
    asked = " and ".join(f"\u201c{query.label}\u201d" for query in topic.queries)
    where = ALL_ITEMS[items[0]].label if topic.named and len(items) == 1 else of_filing(target, filing)
    text = f"No sentence of {where} was found that answers {asked}."
    if topic.ahead:
        named = [] if topic.whole else [f"\u201c{' '.join(query.words)}\u201d" for query in topic.queries]
        of = f" of {' and '.join(named)}" if named else ""
        text = f"No sentence of {where} was found that says what the company expects{of}."
    return refuse(
        target,
        Code.NOT_FOUND_IN_FILING,
        stage,
        text=text,
        detail=detail,
        filings=[filing],
        looked_for=[
            ("Asked", asked),
            ("Searched", ", ".join(ALL_ITEMS[item].called for item in items if item in ALL_ITEMS)),
        ],
    )
