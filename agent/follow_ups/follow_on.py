"""A question that goes on from an answer: "and in FY2023?", "what about NVIDIA?", "why did it rise?".

Whoever asks has chosen to go on; what their question leaves out is then taken from the question before, as text: what
is asked in the end is one whole question, which is read by the same planner as any other, and shown. Two kinds:

- nothing but a company, a period or a scale: the question before, with that in the place of its own;
- a question with a thing of its own: this question, with the company and the period it does not name.

A word that could stand for something else is not guessed at: `unclear` then says why nothing was taken, and the run is
refused.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings

from agent.follow_ups.follow_doubts import narrows, stands_for_a_subject, with_measure
from agent.follow_ups.follow_parts import Before, Named, Taken, in_period, replacing, same_period, thing_of
from agent.follow_ups.follow_words import (
    EARLIER,
    LATER,
    LEADS,
    OWNER,
    REWORDING,
    SEVERAL_WAYS,
    SINGULAR,
    TOWARDS,
    WHO,
    edited,
    in_place_of,
    possessive,
    with_added,
)
from agent.language.concepts import measures_of
from agent.language.parts import read_parts
from agent.words.tokens import tokenise
from agent.refusals.codes import Code
from agent.state.answered import Answer, Block, Refusal
from agent.state.planned import CompanyRef, Plan, QuestionType

if TYPE_CHECKING:
    from agent.steps.deps import Deps


@dataclass(frozen=True)
class Followed:
    """A question as it is asked in the end: with what was taken, or with why nothing could be."""

    question: str
    taken: tuple[Taken, ...] = ()
    unclear: str = ""


def offered(answer: Answer) -> bool:
    """Whether there is anything in an answer that a next question may leave out."""
    return (
        bool(answer.plan.targets)
        or any(block.refusal and block.refusal.about for block in answer.blocks)
        or any(span.role == "concept" for span in answer.plan.spans)
    )


def follow(text: str, answer: Answer, deps: "Deps") -> Followed:
    """The question that `text` asks behind an answer. Asks no database beyond the index of companies, and no model."""
    return FollowOn(text, Before.of(answer, deps), deps).followed()


class FollowOn:
    """One question that goes on, being read."""

    def __init__(self, text: str, before: Before, deps: "Deps") -> None:
        self.text, self.before, self.deps = text, before, deps
        self.measures = measures_of(deps.registry)

    def followed(self) -> Followed:
        """The whole question, or why it is unclear."""
        before, tokens = self.before, tokenise(self.text)
        if not tokens or (before.company is None and not before.of_role("concept")):
            return Followed(self.text)
        if tokens[0].base in REWORDING:
            return self.unclear("it asks for the answer in other words")
        found = self.in_shell() or self.with_own_thing()
        if len(found.question) > settings.QUESTION_MAX_LENGTH:
            return self.unclear("with the missing parts it would be too long")
        if before.several and found.taken:
            return self.unclear("the previous question is about several companies")
        return found

    def unclear(self, why: str) -> Followed:
        return Followed(self.text, unclear=why)

    # --- a company, a period or a scale alone ---

    def in_shell(self) -> Followed | None:
        """The question before with the parts that this one names; None where this one asks for a thing of its own."""
        text, told = self.dated()
        parts = Named.of(text, self.deps)
        if not parts.is_shell:
            if word := parts.everyday_name:
                return self.unclear(f"“{word}” could be a company's name but is not written like one")
            return None
        if not (parts.company or parts.period or parts.scale):
            return None
        if told and self.before.year is None:
            return self.unclear("the previous answer is not about a single fiscal year")
        if len({one.ciks for one in parts.companies}) > 1:
            return self.unclear("it names several companies, and the previous question is about one")
        if parts.letters:
            return self.unclear(f"“{parts.letters}” could be the ticker of a company that is not covered, or a topic")
        return self.replaced(parts, told)

    def dated(self) -> tuple[str, str]:
        """The text with the year beside that of the answer said in full, and how it was worked out."""
        for pattern, step, how in ((EARLIER, -1, "before"), (LATER, 1, "after")):
            if match := pattern.search(self.text):
                year = (self.before.year or self.deps.today.year) + step
                full = f"{self.text[: match.start()]}fiscal {year}{self.text[match.end() :]}"
                if Named.of(full, self.deps).is_shell:
                    return full, f"fiscal {year}, the year {how} the previous answer's"
        return self.text, ""

    def replaced(self, parts: Named, told: str) -> Followed:
        """The question before with the company, the period and the scale of this one."""
        before = self.before
        edits: list[tuple[int, int, str]] = []
        added: list[str] = []
        taken = list(before.things())
        if parts.company:
            spans = before.of_company
            edits += [(span.start, span.end, in_place_of(span.text, parts.company)) for span in spans]
            added += [] if spans else [f"for {parts.company}"]
        elif before.company:
            taken.append(Taken(part="Company", value=before.company.called))
        periods = before.of_role("period")
        if parts.period:
            if len(periods) > 1:
                return self.unclear("the previous question names its period in several ways")
            edits += [replacing(before.question, span, parts) for span in periods]
            added += [] if periods else [parts.in_period]
        elif before.said:
            taken.append(Taken(part="Period", value=before.said))
        if told:
            taken.append(Taken(part="Period", value=told))
        scales = before.of_role("scale")
        if parts.scale:
            edits += [(span.start, span.end, parts.scale) for span in scales[:1]]
            added += [] if scales else [parts.scale]
        question = with_added(edited(before.question, edits), added)
        followed = Followed(question, tuple(dict.fromkeys(taken)))
        return followed if self.holds(question, parts) else self.unclear(SEVERAL_WAYS)

    def holds(self, question: str, parts: Named) -> bool:
        """Whether the planner reads the whole question as the one before, with the parts of this one. A question that
        is refused says nothing wrong."""
        found, _ = read_parts(question, self.deps.companies, self.deps.registry, self.deps.today)
        if not isinstance(found, Plan):
            return True
        ciks = set(parts.ciks) or {target.company.cik for target in self.before.targets}
        if ciks and not all(target.company.cik in ciks for target in found.targets):
            return False
        if not self.before.planned:
            return True
        if len(found.targets) != len(self.before.targets):
            return False
        for now, was in zip(found.targets, self.before.targets, strict=True):
            if thing_of(now) != thing_of(was):
                return False
            if not same_period(now.period, parts.read if parts.period else was.period):
                return False
        return True

    # --- a thing of its own ---

    def with_own_thing(self) -> Followed:
        """This question with the company and the period that it leaves out."""
        before = self.before
        text = LEADS.sub("", self.text) or self.text
        parts = Named.of(text, self.deps)
        found, _ = read_parts(text, self.deps.companies, self.deps.registry, self.deps.today)
        if found.type is QuestionType.META:
            return Followed(self.text)
        taken: list[Taken] = []
        company = before.company
        if about_figure := with_measure(text, parts.tokens, self.before.measure):
            text, parts = about_figure, Named.of(about_figure, self.deps)
            taken += before.things()
        elif why := stands_for_a_subject(parts.tokens, self.before) or narrows(parts, self.measures.vocabulary):
            return self.unclear(why)
        own = parts.companies
        if own and not (OWNER.search(text) or WHO.search(text)):
            others = [one for one in own if not (company and set(one.ciks) & {company.cik})]
            if company and any(one.first and parts.tokens[one.first - 1].base in TOWARDS for one in others):
                return self.unclear(f"it could be about {company.called} or about {parts.company}")
            company = None
        added: list[str] = []
        if company:
            text, added = self.with_company(text, company)
            taken.append(Taken(part="Company", value=company.called))
        if not parts.period and before.period:
            added.append(in_period(before.period))
            taken.append(Taken(part="Period", value=before.period.text))
        if not taken:
            return Followed(self.text)
        question = with_added(text, added)
        question = question[:1].upper() + question[1:]
        followed = Followed(question, tuple(dict.fromkeys(taken)))
        return followed if self.keeps(question, company, parts) else self.unclear(SEVERAL_WAYS)

    def with_company(self, text: str, company: CompanyRef) -> tuple[str, list[str]]:
        """The text with the company in the place of "its" or "they", or what is added behind it."""
        name = self.name_of(company)
        if OWNER.search(text):
            return OWNER.sub(possessive(name), text, count=1), []
        if WHO.search(text):
            text = WHO.sub(name, text, count=1)
            verb = re.compile(rf"\b({'|'.join(SINGULAR)})(?=\s+{re.escape(name)}\b)", re.IGNORECASE)
            return verb.sub(lambda found: SINGULAR[found[1].lower()], text, count=1), []
        return text, [f"for {name}"]

    def name_of(self, company: CompanyRef) -> str:
        """A name of the company by which the planner knows it: the short one, the full one, its number."""
        for name in (company.called, company.name):
            found, _ = read_parts(f"{name} revenue", self.deps.companies, self.deps.registry, self.deps.today)
            known = found.targets if isinstance(found, Plan) else filter(None, (found.about,))
            if {target.company.cik for target in known} == {company.cik}:
                return name
        return f"CIK {company.cik}"

    def keeps(self, question: str, company: CompanyRef | None, parts: Named) -> bool:
        """Whether the planner reads the whole question as one about this company and this period."""
        found, _ = read_parts(question, self.deps.companies, self.deps.registry, self.deps.today)
        if not isinstance(found, Plan):
            return True
        for target in found.targets:
            if company and target.company.cik != company.cik:
                return False
            if not company and parts.ciks and target.company.cik not in parts.ciks:
                return False
            if not parts.period and self.before.period and not same_period(target.period, self.before.period):
                return False
        return True


def refused(question: str, followed: Followed, answer: Answer, deps: "Deps") -> Answer:
    """The refusal of a question of which it is not clear what it takes from the one before."""
    refusal = Refusal(
        target=0,
        code=Code.NOT_UNDERSTOOD,
        stage="plan",
        text=f"It is unclear what “{question}” takes from the previous question: {followed.unclear}.",
        detail="Nothing was carried over. Ask the full question, with the company and the year.",
        looked_for=(("Previous question", answer.question),),
    )
    block = Block(target=0, type=QuestionType.REFUSE, outcome="refused", refusal=refusal)
    return Answer(question=question, plan=Plan(type=QuestionType.REFUSE), blocks=(block,), versions=deps.versions)
