"""Splits a question into targets: one for each part that gets its own answer."""

from collections.abc import Sequence
from datetime import MAXYEAR

from agent.prose.questions.change_topics import between, of_companies
from agent.prose.text.wording import names
from agent.query.wording.text import SINCE_REPORT
from agent.query.words.refused_question import Misread
from agent.refusals import item_questions
from agent.refusals.codes import Code
from agent.state import (
    CompanyRef,
    FallbackRefusal,
    Period,
    PeriodForm,
    Plan,
    Query,
    QuestionType,
    Target,
    Topic,
)
from agent.state.measure_operands import is_printed
from agent.state.query import Years
from agent.steps.deps import Deps
from agent.steps.documents import Chosen, Held, chosen, following, topic_in
from agent.steps.since_report import later_reports, risks
from filings.redline.captions import RISKS

# Refusals for which no passages near the question are searched.
_NO_KIND = frozenset({Code.EMPTY, Code.TOO_LONG, Code.OFF_TOPIC, Code.ADVICE, Code.PRICE})


def planned_of(halves: Sequence[Query | Misread], deps: Deps) -> Plan:
    """A target for each part: its id is the half's place where each half has one target, else they count on."""
    queries = [half for half in halves if isinstance(half, Query)]
    if not queries:
        misread = [half for half in halves if isinstance(half, Misread)]
        kind = QuestionType.PROSE if any(half.text for half in misread) else QuestionType.NUMERIC
        kind = QuestionType.REFUSE if misread[0].code in _NO_KIND else kind
        return Plan(type=kind, query=misread[0].query)
    if queries[0].meta:
        return Plan(type=QuestionType.META, query=queries[0])
    targets: list[Target] = []
    for place, half in enumerate(halves):
        if isinstance(half, Query):
            made = targets_of(half, deps)
            ids = range(max(place, len(targets)), max(place, len(targets)) + len(made))
            targets += [one.model_copy(update={"id": number}) for one, number in zip(made, ids, strict=True)]
    figures = any(target.figures for target in targets) or len(queries) < len(halves)
    text = any(not target.figures for target in targets)
    kind = QuestionType.BOTH if figures and text else QuestionType.NUMERIC if figures else QuestionType.PROSE
    return Plan(type=kind, targets=tuple(targets), query=merged(halves))


def targets_of(query: Query, deps: Deps) -> list[Target]:
    """The targets of one half: the table of a query, or the topic or data asked of each company and year."""
    first = next(iter(query.companies))
    found = [Target(id=0, company=first, period=first_period(query, first.cik), figures=True)] if query.rows else []
    of_text = bool(query.topics or query.particulars) and not is_printed(query)
    for company in query.companies if of_text else ():
        held = Held(company.cik, deps.news_found.get(company.cik, ())) if query.topics else None
        is_asked = held is not None and (held.by_kind or query.document is not None)
        topics: dict[Topic, tuple[str, ...]] = {}
        for asked in query.topics:
            topic = of_companies(asked) if len(query.companies) > 1 else asked
            one = chosen(query, company, topic, held) if held and is_asked else None
            if one is None and query.days and held and held.by_kind:
                one = chosen(query.model_copy(update={"periods": query.days}), company, topic, held, dated=True)
            if one is not None:
                found += of_documents(query, company, topic, one)
            else:
                topics[topic] = following(query, topic) if held and held.by_kind else ()
        periods = query.periods_of(company.cik)
        named = periods.periods if isinstance(periods, Years) else (first_period(query, company.cik),)
        compared = [topic for topic in topics if topic.compares]
        since = compared and SINCE_REPORT in query.particulars
        for topic in compared:
            found += of_later_reports(query, company, topic, named) if since else [of_two_years(company, topic, named)]
        topics = {topic: kinds for topic, kinds in topics.items() if topic not in compared}
        for period in named[:1] if SINCE_REPORT in query.particulars else named:
            base = Target(id=0, company=company, period=period, otherwise=otherwise(query))
            # Where several years answer side by side, no other document stands in for one of them.
            found += [
                base.model_copy(update={"topic": topic, "sources": kinds if len(named) == 1 else ()})
                for topic, kinds in topics.items()
            ]
            found += [
                base.model_copy(update={"particular": key, "document": query.document})
                for key in (() if since else query.particulars)
            ]
    if query.scope_note:
        place = next((place for place, one in enumerate(found) if one.topic), None)
        if place is not None:
            said = " ".join(filter(None, (query.scope_note, found[place].remark)))
            found[place] = found[place].model_copy(update={"remark": said})
    return found


def of_two_years(company: CompanyRef, topic: Topic, named: Sequence[Period]) -> Target:
    """One target for a text that is compared: of the newest year named with the oldest, or with the year before."""
    first, *_, last = sorted((*named, *named), key=lambda one: one.year or MAXYEAR)
    asked = between(topic, [one.year for one in named])
    earlier = first if first != last else None
    remark = (
        ""
        if topic.named
        else f"No Item was named: compared is {names(topic.items)}. Ask for another Item by its name."
    )
    return Target(id=0, company=company, period=last, earlier=earlier, topic=asked, remark=remark)


def of_later_reports(query: Query, company: CompanyRef, topic: Topic, named: Sequence[Period]) -> list[Target]:
    """What the reports since the last 10-K say of an Item, behind what changed since the 10-K of an earlier year; where
    none tells of it, the list of the filings since.
    """
    (item,) = topic.items
    later, is_earlier = later_reports(company.cik, [one.year for one in named if one.year], item)
    compared = [of_two_years(company, topic, named)] if is_earlier else []
    targets = of_documents(query, company, topic, Chosen(tuple(later)))
    if item == RISKS:
        none = "It gives no risk a heading that the 10-K before it has not."
        targets = [
            one.model_copy(update={"remark": risks(report, None) or none})
            for one, report in zip(targets, later, strict=True)
        ]
    if compared or targets:
        return [*compared, *targets]
    text = f"No text of a report that {company.called} filed since its last 10-K is loaded for {names(topic.items)}."
    near = next(item_questions.of_two_years(company, item, item_questions.with_text(company, None)), None)
    said = f"{text} You can ask: \u201c{near.question}\u201d" if near else text
    return [Target(id=0, company=company, period=named[-1], particular=SINCE_REPORT, remark=said)]


def of_documents(query: Query, company: CompanyRef, topic: Topic, chosen: Chosen) -> list[Target]:
    """A target for each document that is asked."""
    period = first_period(query, company.cik)
    alone = len(chosen.filings) == 1
    return [
        Target(
            id=0,
            company=company,
            period=period,
            topic=topic_in(filing.kind, topic),
            document=filing.pk,
            sources=tuple(kind.key for kind in chosen.then) if alone else (),
            remark=chosen.remark if place == 0 else "",
            missing=chosen.missing[place] if chosen.missing else (),
        )
        for place, filing in enumerate(chosen.filings)
    ]


def first_period(query: Query, cik: int) -> Period:
    """The first year named."""
    periods = query.periods_of(cik)
    if isinstance(periods, Years):
        return periods.periods[0]
    named = getattr(periods, "first", None) or getattr(periods, "until", None)
    return named or Period(form=PeriodForm.LATEST)


def otherwise(query: Query) -> FallbackRefusal | None:
    """The refusal of a figure with an unknown measure, used if the filing's text does not give it either."""
    if not query.unheld:
        return None
    words = " ".join(f"\u201c{word}\u201d" for word in query.unheld)
    said = f"{words} {'is' if len(query.unheld) == 1 else 'are'} not a measure we know."
    return FallbackRefusal(code=Code.CONCEPT_UNKNOWN, text=said, words=query.unheld)


def merged(halves: Sequence[Query | Misread]) -> Query:
    """One query of both halves: the figures of one, the topics of the other, the words of both."""
    queries = [half if isinstance(half, Query) else half.query for half in halves]
    main = next((one for one in queries if one.rows), queries[0])
    return main.model_copy(
        update={
            "topics": tuple(topic for one in queries for topic in one.topics),
            "particulars": tuple(dict.fromkeys(key for one in queries for key in one.particulars)),
            "words": tuple(sorted((word for one in queries for word in one.words), key=lambda word: word.start)),
        }
    )
