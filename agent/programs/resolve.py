"""From what a model read to what code plans: spans resolved against the same closed sets, by the same planner.

A reading becomes one of three things. A plan, where the planner plans questions that code wrote from the pieces: a list
of companies, years or measures becomes one question for each, all other words left as typed; or, for text alone, a
question in the planner's own words. Else proposals: questions to be offered, each of which the planner reads as meant.
Else nothing. A figure is never planned from a question that has lost a word but the "and" of a list.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice, product

from pydantic import Field

from agent.registrants.companies import Companies
from agent.language.concepts import Measure
from agent.language.misread import Misread
from agent.language.parts import read_parts
from agent.words.tokens import Token
from agent.numbers.registry import Registry
from agent.programs.grounded import COMPANIES_JOIN, JOINS, MOST_TARGETS, Grounded, in_words, is_period, same
from agent.programs.spans import Piece
from agent.programs.understand import Understanding, is_wanted
from agent.refusals.alternatives import MOST, phrase
from agent.refusals.codes import Code
from agent.refusals.labels import lower_first
from agent.state.answered import Alternative
from agent.state.planned import Period, Plan, QuestionType, Record, Span, Target

# Words before a list of figures that make one figure of them.
_COMPUTED = re.compile(
    r"\b(?:sum|total|combined|aggregate|difference|differential|gap|between|ratio|average|mean|net|product|share|plus|minus"
    r"|less|per|change|together)\b",
    re.IGNORECASE,
)
_SOURCES = {
    "10-Q": r"10-?\s?q|quarterly (?:report|filing)s?",
    "8-K": r"8-?\s?k|current reports?",
    "proxy statement": r"proxy|def\s?14a",
    "earnings call": r"calls?|transcripts?",
    "other": r"(?:20-?\s?f|40-?\s?f|6-?\s?k|s-?[14]|13-?\s?[dfg]|form [345]|prospectus|press releases?|news|presentations?|websites?)",
}


class Resolution(Record):
    """What code makes of a reading."""

    questions: tuple[str, ...] = Field(default=(), description="Planned in the place of the question, in order.")
    plan: Plan | None = Field(default=None, description="Their targets in one plan, with the question's own spans.")
    proposals: tuple[Alternative, ...] = Field(
        default=(), description='"Did you mean": read by the planner as meant; whether they are answered is not known.'
    )
    source: str = Field(default="", description="Another source than the 10-K that the question names itself.")


@dataclass(frozen=True)
class Wanted:
    """A question of ours, and what the planner must read in it."""

    question: str
    cik: int
    period: Period | None
    measure: Measure | None = None
    key: str = ""


def resolve(
    question: str,
    understanding: Understanding,
    read: Plan | Misread,
    companies: Companies,
    registry: Registry,
    today: date,
) -> Resolution:
    """A plan, proposals, or nothing. Asks no model; a few planner calls of a millisecond each.

    question: as it was understood. read: what the planner by rules made of it, which stands where it is a plan.
    """
    source = named_source(understanding)
    if not is_wanted(read) or understanding.type in {QuestionType.META, QuestionType.REFUSE}:
        return Resolution(source=source)
    resolver = Resolver(question, understanding, companies, registry, today)
    if isinstance(read, Misread) and (found := resolver.planned(read)):
        asked, plan = found
        return Resolution(questions=asked, plan=plan, source=source)
    return Resolution(proposals=resolver.proposals(read), source=source)


def named_source(understanding: Understanding) -> str:
    """The name of another document, where the words that a model points at do name it."""
    said = understanding.named.text if understanding.named else ""
    hit = re.search(rf"\b(?:{_SOURCES.get(understanding.source, '(?!)')})\b", said, re.IGNORECASE)
    if not hit:
        return ""
    return hit.group() if understanding.source == "other" else str(understanding.source)


class Resolver(Grounded):
    """One reading being resolved."""

    # --- a plan ---

    def planned(self, read: Misread) -> tuple[tuple[str, ...], Plan] | None:
        """The questions that are planned in the place of this one, with their plan; None where nothing is."""
        if not self.sure or not self.all_named():
            return None
        for wanted in self.rewritten(read):
            if not 0 < len(wanted) <= MOST_TARGETS:
                continue
            plans = [self.plan_of(one) for one in wanted]
            if all(plans):
                return tuple(one.question for one in wanted), self.merged([plan for plan in plans if plan])
        return None

    def rewritten(self, read: Misread) -> Iterator[list[Wanted]]:
        """Ways to ask the same in questions that the planner may read, the nearest to the words as typed first."""
        if read.type is QuestionType.NUMERIC and self.read_as.type is QuestionType.NUMERIC:
            if read.code is Code.NOT_UNDERSTOOD:
                yield self.one_for_each_measure()
        elif self.read_as.type is QuestionType.PROSE:
            yield self.one_for_each_filing()
            if self.is_of_text(read):
                yield list(self.in_our_words())

    def one_for_each_measure(self) -> list[Wanted]:
        """ "Revenue, net income and total assets of X": the question as typed, with one measure for the list."""
        listed = [one.piece for one in self.read_as.concepts]
        measures = [self.measure_of(piece.text) for piece in listed]
        companies = {ref.cik for _, ref in self.sure}
        if len(listed) < 2 or not all(measures) or len(companies) != 1 or len(self.periods) > 1:
            return []
        stretch = self.list_of(listed, JOINS)
        if stretch is None or _COMPUTED.search(self.question[: stretch[0]]) or self.shares_words(listed):
            return []
        period = self.periods[0][1] if self.periods else None
        return [
            Wanted(self.with_one(stretch, piece.text), self.sure[0][1].cik, period, measure=measure)
            for piece, measure in zip(listed, measures, strict=True)
        ]

    def shares_words(self, listed: Sequence[Piece]) -> bool:
        """Whether the first words of a member may be meant of one behind it: "current assets and liabilities"."""
        for place, piece in enumerate(listed):
            lead = piece.text.split()[:-1]
            for other in listed[place + 1 :]:
                longer = (" ".join((*lead[begin:], other.text)) for begin in range(len(lead)))
                if any(self.measure_of(text) not in {None, self.measure_of(other.text)} for text in longer):
                    return True
        return False

    def one_for_each_filing(self) -> list[Wanted]:
        """ "How do X and Y describe it": the question as typed, with one company and one year for the list of them."""
        places = self.list_of([piece for piece, _ in self.sure], COMPANIES_JOIN)
        years = self.list_of([piece for piece, _ in self.periods], JOINS) if self.periods else None
        if places is None or (self.periods and years is None):
            return []
        found = []
        for (piece, company), (when, period) in product(self.sure, self.when()):
            text = self.question
            # The later stretch first: the place of the earlier one stays.
            for stretch, words in sorted(
                [(places, piece.text), *([(years, when.text)] if years and when else [])], reverse=True
            ):
                text = self.with_one(stretch, words, text)
            found.append(Wanted(text, company.cik, period))
        return distinct(found)

    def in_our_words(self) -> Iterator[Wanted]:
        """A question for text in the planner's words, of the pieces alone."""
        topic = " and ".join(piece.text for piece in self.topics())
        if not topic:
            return
        for (_, company), (_, period) in product(self.companies_once(), self.when()):
            when = f" in {in_words(period)}" if period and in_words(period) else ""
            yield Wanted(f"What does {company.short} say about {topic}{when}?", company.cik, period)

    # --- proposals ---

    def proposals(self, read: Plan | Misread) -> tuple[Alternative, ...]:
        """Questions to be offered, nearest first, each read by the planner as it is meant."""
        offered: dict[str, Alternative] = {}
        for wanted, why in islice(self.candidates(read), 4 * MOST):
            if wanted.question not in offered and wanted.question != self.question and self.plan_of(wanted):
                offered[wanted.question] = Alternative(question=wanted.question, why=why)
        return tuple(offered.values())[:MOST]

    def candidates(self, read: Plan | Misread) -> Iterator[tuple[Wanted, str]]:
        period = self.periods[0][1] if self.periods else None
        if isinstance(read, Misread) and read.code is Code.AMBIGUOUS_COMPANY:
            yield from self.other_companies()
            return
        for _, company in self.companies_once():
            for label, words_used, measure, key in self.measures_meant():
                when = f" in {in_words(period)}" if period and in_words(period) else ""
                asked = f"{company.short} {words_used}{when}"
                yield Wanted(asked, company.cik, period, measure=measure, key=key), label
        if isinstance(read, Misread) and self.read_as.type in {QuestionType.PROSE, QuestionType.BOTH}:
            yield from ((wanted, "The same subject, looked for in the text") for wanted in self.in_our_words())

    def measures_meant(self) -> Iterator[tuple[str, str, Measure | None, str]]:
        """(why, words, measure, key) of each measure named by an alias, then of each that is proposed."""
        if self.read_as.type not in {QuestionType.NUMERIC, QuestionType.BOTH}:
            return
        for one in self.read_as.concepts:
            if measure := self.measure_of(one.piece.text):
                yield "The plain measure, without the unused words", one.piece.text, measure, ""
        for one in self.read_as.concepts:
            if self.measure_of(one.piece.text) is None:
                for key in one.keys:
                    label = lower_first(self.registry.concepts[key].label)
                    why = f"If \u201c{one.piece.text}\u201d means {label}"
                    yield why, phrase(key, self.registry), None, key

    def other_companies(self) -> Iterator[tuple[Wanted, str]]:
        """The question as typed with each company that an ambiguous name may be."""
        if len(self.companies) != 1:
            return
        piece, refs = self.companies[0]
        period = self.periods[0][1] if self.periods else None
        for company in refs:
            if company.covered:
                asked = self.with_one((piece.start, piece.end), company.short)
                yield Wanted(asked, company.cik, period), f"If \u201c{piece.text}\u201d means {company.name}"

    # --- what the planner makes of it ---

    def plan_of(self, wanted: Wanted) -> Plan | None:
        """The planner's plan of a question of ours where it is what we meant by it."""
        plan, refused = read_parts(wanted.question, self.index, self.registry, self.today)
        if not isinstance(plan, Plan) or refused or not plan.targets:
            return None
        numeric = bool(wanted.measure or wanted.key)
        if numeric != (plan.type is QuestionType.NUMERIC) and (numeric or self.read_as.type is QuestionType.PROSE):
            return None
        if not all(self.is_meant(target, wanted) for target in plan.targets):
            return None
        return plan

    def is_meant(self, target: Target, wanted: Wanted) -> bool:
        if target.company.cik != wanted.cik or not is_period(target.period, wanted.period):
            return False
        asserted = {reading.concept for reading in target.readings if not reading.mention}
        if wanted.key:
            return asserted == {wanted.key}
        return wanted.measure is None or (bool(asserted) and asserted <= set(self.measures.keys(wanted.measure)))

    def merged(self, plans: Sequence[Plan]) -> Plan:
        """The targets of several plans in one, numbered in order."""
        targets = [target for plan in plans for target in plan.targets]
        types = {plan.type for plan in plans}
        return Plan(
            type=plans[0].type if len(types) == 1 else QuestionType.BOTH,
            targets=tuple(target.model_copy(update={"id": place}) for place, target in enumerate(targets)),
            scale=next((plan.scale for plan in plans if plan.scale), None),
            spans=self.spans(),
        )

    def spans(self) -> tuple[Span, ...]:
        """Every word of the question with what it was read as."""
        named = [(piece, "company", ", ".join(ref.short for ref in refs)) for piece, refs in self.companies]
        named += [(piece, "period", "") for piece, _ in self.periods]
        for one in self.read_as.concepts:
            measure = self.measure_of(one.piece.text) if self.read_as.type is not QuestionType.PROSE else None
            if measure:
                named.append((one.piece, "concept", " or ".join(self.measures.keys(measure)) or measure.key))
        kept: list[Span] = []
        for piece, role, meaning in named:
            if all(piece.end <= one.start or one.end <= piece.start for one in kept):
                kept.append(
                    Span(start=piece.start, end=piece.end, text=piece.text, role=role, meaning=meaning)  # type: ignore[arg-type]
                )
        kept += [
            Span(start=token.start, end=token.end, text=token.text, role="phrase")
            for token in self.tokens
            if all(outside(token, one) for one in kept)
        ]
        return tuple(sorted(kept, key=lambda one: one.start))


def outside(token: Token, span: Span) -> bool:
    return token.end <= span.start or span.end <= token.start


def distinct(wanted: Sequence[Wanted]) -> list[Wanted]:
    """One question for each company and period."""
    return list({(one.cik, one.period and same(one.period)): one for one in reversed(wanted)}.values())[::-1]
