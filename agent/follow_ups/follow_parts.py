"""What a question that goes on names, and what the question before it asked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field

from agent.follow_ups.follow_words import SHELL, without_possessive
from agent.language.bystanders import companies_meant
from agent.registrants.companies import CURATED
from agent.language.concepts import measures_of
from agent.language.lexicon import phrases
from agent.registrants.mentions import Mention, mentions
from agent.language.misread import Misread
from agent.language.parsing import Sentence
from agent.language.parts import read_parts
from agent.words.tokens import Token, tokenise
from agent.refusals.codes import Code
from agent.state.answered import Answer
from agent.state.planned import CompanyRef, Period, PeriodForm, Plan, Record, Span, Target

if TYPE_CHECKING:
    from agent.steps.deps import Deps

LONGEST_TICKER = 5
LEADING = re.compile(r"(?:in|for|during|over|since|between|from|as\s+of)\b", re.IGNORECASE)


class Taken(Record):
    """One part of a question that was taken over from the question before."""

    part: str = Field(description="Company, Period, Measure, Topic.")
    value: str = Field(description="In words: NVIDIA, FY2024, Revenue.")


@dataclass(frozen=True)
class Before:
    """The question before, as the planner reads it, and the fiscal year it was answered for.

    several: whether it is refused as one about several companies, of which its refusal names the first alone.
    """

    question: str
    targets: tuple[Target, ...]
    spans: tuple[Span, ...]
    planned: bool
    year: int | None
    several: bool

    @classmethod
    def of(cls, answer: Answer, deps: "Deps") -> "Before":
        found, refused = read_parts(answer.question, deps.companies, deps.registry, deps.today)
        about = [found] if isinstance(found, Misread) else [part for _, part in refused]
        targets = (
            *(found.targets if isinstance(found, Plan) else ()),
            *(part.about for part in about if part.about),
        )
        years = {draft.found.fiscal_year for block in answer.blocks for draft in block.drafts}
        years |= {filing.fiscal_year for block in answer.blocks for filing in block.filings}
        named = {target.period.year for target in targets if target.period.form is PeriodForm.FISCAL}
        years = years or {year for year in named if year}
        return cls(
            answer.question,
            targets,
            found.spans,
            isinstance(found, Plan),
            next(iter(years)) if len(years) == 1 else None,
            any(part.code is Code.CROSS_COMPANY for part in about),
        )

    @property
    def company(self) -> CompanyRef | None:
        """Whom it asked about, where that is one."""
        companies = {target.company.cik: target.company for target in self.targets}
        return next(iter(companies.values())) if len(companies) == 1 else None

    @property
    def period(self) -> Period | None:
        """The period it named, where that is one; None where it named none, for then the newest is meant."""
        periods = {target.period for target in self.targets if target.period.text}
        found = next(iter(periods)) if len(periods) == 1 else None
        return None if found is None or found.form is PeriodForm.LATEST else found

    def of_role(self, role: str) -> list[Span]:
        return [span for span in self.spans if span.role == role]

    @property
    def of_company(self) -> list[Span]:
        """Where it names its company: not where it names another one beside it."""
        spans = self.of_role("company")
        return [span for span in spans if self.company is None or span.meaning.startswith(self.company.called)]

    @property
    def measure(self) -> str:
        """The words of the one measure it asks for, as "it" may mean them; empty where there is none or several."""
        words = [span.text for span in self.of_role("concept")]
        return words[0] if len(words) == 1 and any(target.readings for target in self.targets) else ""

    @property
    def asks_text(self) -> bool:
        return any(target.topic for target in self.targets)

    @property
    def said(self) -> str:
        """The period it named, in words."""
        named = [span.text for span in self.of_role("period")]
        return self.period.text if self.period else named[0] if not self.targets and len(named) == 1 else ""

    def things(self) -> Iterator[Taken]:
        """What it asks for: measures, topics."""
        if not self.targets:
            yield from (Taken(part="Measure", value=span.text) for span in self.of_role("concept"))
        for target in self.targets:
            labels = [reading.label for reading in target.readings if not reading.mention]
            if labels:
                yield Taken(part="Measure", value="; ".join(dict.fromkeys(labels)))
            elif target.particular:
                yield Taken(part="Data of the filing", value=target.particular.replace("_", " "))
            elif target.topic:
                yield Taken(part="Topic", value="; ".join(query.label for query in target.topic.queries))


@dataclass(frozen=True)
class Named:
    """What a text names: companies, a period, a scale."""

    tokens: tuple[Token, ...]
    companies: tuple[Mention, ...]
    company: str  # as typed, without its possessive
    period: str  # as typed; of several all of them
    read: Period | None  # None where they are several, or a part of a year, or a series of years
    scale: str
    used: frozenset[int]
    letters: str  # capitals that are the ticker of a company that is not held: "AI", "EU"
    everyday_name: str  # a lower-case word that is everything the text names, and the name of a company that is held

    @classmethod
    def of(cls, text: str, deps: "Deps") -> "Named":
        tokens = tokenise(text)
        index = deps.companies
        sentence = Sentence.of(text, tokens, deps.today)
        found = mentions(index, tokens, measures_of(deps.registry).vocabulary)
        strong = companies_meant([one for one in found if not one.weak], sentence, index.held)
        weak = [one for one in found if one.weak and tokens[one.first].base not in SHELL]
        names = [one for one in weak if tokens[one.first].capital or tokens[one.first].cashtag]
        dated = [places for places, _ in sentence.periods]
        read = sentence.periods[0][1].period if len(dated) == 1 else None
        scales = [match for match in phrases().matches(tokens) if any(match.of("scale"))]
        longest = max(scales, key=len, default=None)
        used = {place for places in dated for place in places}
        used |= {place for match in scales for place in range(match.first, match.last)}

        def only(some: Sequence[Mention]) -> bool:
            """Whether these and words that say nothing are all there is."""
            taken = used | {place for mention in some for place in mention.places}
            return all(place in taken or token.base in SHELL for place, token in enumerate(tokens))

        # "What about Target?" names the company: an everyday word that is written as a name, with nothing beside it.
        companies = strong or (names if len(names) == 1 and only(names) else [])
        lower = [one for one in weak if one not in names and (one.level == CURATED or index.held & set(one.ciks))]
        return cls(
            tokens=tokens,
            companies=tuple(companies),
            company=without_possessive(sentence.text(companies[0].places), tokens[companies[0].last - 1])
            if companies
            else "",
            period=sentence.text(range(dated[0].start, dated[-1].stop)) if dated else "",
            read=read,
            scale=sentence.text(range(longest.first, longest.last)) if longest else "",
            letters=next(
                (text for one in companies if not index.held & set(one.ciks) and (text := as_letters(one, tokens))), ""
            ),
            used=frozenset(used | {place for mention in companies for place in mention.places}),
            everyday_name=tokens[lower[0].first].text if not companies and len(lower) == 1 and only(lower) else "",
        )

    @property
    def ciks(self) -> tuple[int, ...]:
        return tuple(cik for one in self.companies for cik in one.ciks)

    @property
    def in_period(self) -> str:
        """The period as it stands behind a question."""
        return in_period(self.read) if self.read and self.read.text else self.period

    @property
    def is_shell(self) -> bool:
        """Whether every word but those of company, period and scale says no more than "and", "what about"."""
        return all(place in self.used or token.base in SHELL for place, token in enumerate(self.tokens))


def as_letters(mention: Mention, tokens: Sequence[Token]) -> str:
    """The capitals that a company is named by, which may be short for anything: "AI", "EU", and not "$AI"."""
    token = tokens[mention.first]
    named = len(mention.places) > 1 or mention.level == CURATED or token.cashtag
    return "" if named or not token.upper or len(token.text) > LONGEST_TICKER else token.text


def thing_of(target: Target) -> object:
    """What a target asks for, whosever it is and of whenever."""
    queries = tuple(frozenset(query.words) for query in target.topic.queries) if target.topic else ()
    return frozenset(reading.concept for reading in target.readings), queries, target.particular


def same_period(one: Period, other: Period | None) -> bool:
    return other is not None and (one.form, one.year, one.end) == (other.form, other.year, other.end)


def in_period(period: Period) -> str:
    """A period as it stands behind a question: in FY2024, for the year ended 28 September 2024, last year."""
    match period.form:
        case PeriodForm.FISCAL | PeriodForm.BARE | PeriodForm.CALENDAR:
            return f"in {period.text}"
        case PeriodForm.ENDED:
            return (
                f"for the {period.text}" if re.search(r"\bend", period.text) else f"for the year ended {period.text}"
            )
    return period.text


def replacing(question: str, span: Span, parts: Named) -> tuple[int, int, str]:
    """Where a period is replaced and by what: with the "in" before it, if there is one, as not every period has one."""
    behind = re.search(r"\b(?:in|for|during|for\s+the)\s+$", question[: span.start], re.IGNORECASE)
    whole = LEADING.match(span.text) or behind
    if whole and (parts.read or LEADING.match(parts.period)):
        return behind.start() if behind else span.start, span.end, parts.in_period
    return span.start, span.end, parts.period
