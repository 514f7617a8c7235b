"""Lets a model help to read a question that rules refuse or ask of text: it fills slots, which code checks."""

from collections.abc import Sequence

from agent.grounding.candidates import MOST, Candidate, candidates
from agent.grounding.grounding import Grounding, ground
from agent.grounding.named_slots import Known
from agent.grounding.slots import Understanding
from agent.programs import calls, decompose, understand
from agent.query.companies.statement_names import owners, printed
from agent.query.words.refused_question import Misread, Read
from agent.refusals.codes import Code
from agent.state import Alternative, Plan, Query, Remark, RemarkCode, SubQuery, Target
from agent.state.modes import Mode
from agent.state.query import MOST_COMPANIES
from agent.state.references import CompanyRef, QuestionType
from agent.steps.computing import Computed, Computing, is_lacking
from agent.steps.deps import Deps
from agent.steps.documents import is_held, named_by_model, searched_beside
from agent.steps.news import asked_of_news
from agent.steps.scoped import Scoped
from agent.steps.targets import planned_of

# Candidates offered with a question that code takes for one of text.
FEW = 20


class Understood:
    """One question as code and model read it together: `halves`, and the plan made from them."""

    def __init__(
        self,
        question: str,
        halves: Read,
        plan: Plan,
        deps: Deps,
        wanted: Mode | None,
        previous: Query | None = None,
        within: Scoped | None = None,
    ) -> None:
        """halves: the code's reading, and plan the plan made from it. wanted: the mode that the asker chose. previous: the
        query of the question before. within: the scope that the question is limited to.
        """
        self.question, self.halves, self.deps, self.within_scope = question, halves, deps, within
        self.previous = within.previous(previous) if within else previous
        self.plan = plan.model_copy(update={"mode": wanted}) if wanted else plan
        self.proposals: tuple[Alternative, ...] = ()
        self.told: dict[RemarkCode, str] = {}
        self.news = ""  # what the reader must know of a search for news that the model asked for
        if deps.session is None:
            return
        if self.plan.targets:
            self.plan = self.within(self.plan, deps.session)
        if understand.is_wanted(halves) or is_lacking(halves, deps):
            try:
                self.ask(deps.session, wanted)
            except calls.ModelFailed as failed:
                self.told[RemarkCode.READ_BY_RULES] = f"The question was read without a language model. {failed}"

    def within(self, plan: Plan, session: calls.Session) -> Plan:
        """The plan in its mode, or in the next cheaper one that the quota allows."""
        mode = self.deps.grant.mode(plan.mode) or Mode.DIRECT
        self.told[RemarkCode.QUOTA] = self.deps.grant.note(plan.mode)
        session.degraded |= mode is not plan.mode
        session.allow(mode)
        return plan.model_copy(update={"mode": mode})

    @property
    def remarks(self) -> list[Remark]:
        """Notes for the reader of each part that is answered with text."""
        told = sorted(self.told.items(), key=lambda one: one[0] is RemarkCode.QUOTA)
        targets = [target for target in self.plan.targets if target.topic]
        return [Remark(target=target.id, code=code, text=text) for target in targets for code, text in told if text]

    @property
    def failed(self) -> str:
        """Why the model did not read the question or propose searches; empty where it did, or was not asked."""
        return self.told.get(RemarkCode.OWN_WORDS) or self.told.get(RemarkCode.READ_BY_RULES, "")

    def ask(self, session: calls.Session, wanted: Mode | None) -> None:
        """Read the question with the model, and get its searches."""
        deps, question = self.deps, self.question
        known = known_of(deps)
        refs, offered = offered_with(question, self.halves, known, self.previous)
        said = understand.understand(session, question, self.halves, offered, deps.registry)
        found = ground(question, said, self.halves, known, [one.cik for one in refs], self.previous)
        self.proposals = found.proposals
        if query := self.of_documents(said, found):
            self.read_as(query)
        elif found.source and self.is_of_other(said):
            code = Code.TRANSCRIPT if said.source == "earnings call" else Code.EXTERNAL_DATA
            self.read_as(Misread(code=code, words=(found.source,)))
        elif found.halves:
            self.read_as(*(map(self.within_scope.of, found.halves) if self.within_scope else found.halves))
        computed = self.computed(session, said, known, refs)
        if computed:
            self.read_as(*computed.halves)
        if not self.plan.targets:
            return
        self.plan = with_proposals(self.plan, found.proposals)
        of_text = any(target.topic for target in self.plan.targets)
        axes = said.ambiguity.axes if said.ambiguity and of_text else ()
        plan = self.plan.model_copy(
            update={
                "mode": wanted or Mode(said.mode),
                "reasoning": said.reasoning,
                "axes": axes,
                "chips": computed.chips(deps.registry) if computed else found.chips,
                "judgement": bool(computed and computed.judgement),
            }
        )
        self.plan = self.within(plan, session)
        if computed and computed.searches:
            targets = tuple(with_searches(target, computed.searches) for target in self.plan.targets)
            self.plan = self.plan.model_copy(update={"targets": targets, "axes": ()})
        elif of_text:
            self.plan = self.searched(self.plan, session)

    def computed(
        self, session: calls.Session, said: Understanding, known: Known, refs: tuple[CompanyRef, ...]
    ) -> Computed | None:
        """The question as a model says that its figures are computed; None where it is not asked, or says nothing of use."""
        computing = Computing(self.question, self.halves, said, known, self.deps, self.within_scope)
        if not computing.is_wanted():
            return None
        try:
            return computing.ask(session, refs, self.previous)
        except calls.ModelFailed:
            return None  # the question stays as it was read

    def read_as(self, *halves: Query | Misread) -> None:
        """Take these in the place of what code read."""
        self.halves = halves
        self.plan = planned_of(halves, self.deps)

    def of_documents(self, said: Understanding, found: Grounding) -> Query | None:
        """What the text is asked: of documents of the kind that the model says tells it, where one is held; or, where
        nothing is called like the figure that is asked, of those that code would look in.
        """
        first = self.halves[0]
        if not self.is_of_other(said) or said.type in {QuestionType.META, QuestionType.REFUSE}:
            return None
        if is_foretold(first) and not found.source:
            return None
        if found.source or not any(half.rows for half in found.halves):
            query = named_by_model(first, said.source)
            if query and found.source and (news := asked_of_news((query,))):
                self.news = self.deps.search_news(*news)
            if query and is_held(query) and (found.source or isinstance(first, Misread)):
                return query
        if found.source or found.halves or not isinstance(first, Misread) or not said.is_unheld:
            return None
        return searched_beside(first, self.question)

    def is_of_other(self, said: Understanding) -> bool:
        """Whether another document is asked about: then a word that code read as a figure or a website is no reason to
        refuse.
        """
        if self.within_scope and self.within_scope.filing:
            return False  # whatever "the call" is called, the document is chosen
        queries = [half for half in self.halves if isinstance(half, Query)]
        return not any(query.rows for query in queries) and not (queries and said.source == "other")

    def searched(self, plan: Plan, session: calls.Session) -> Plan:
        """The plan with the searches that a model proposes; unchanged where these are of no use."""
        names = tuple(
            {name for target in plan.targets for name in (target.company.name, target.company.short) if name}
        )
        try:
            found = decompose.decompose(session, self.question, self.deps.today, names, plan.axes)
        except calls.ModelFailed as failed:
            self.told[RemarkCode.OWN_WORDS] = f"Only the question\u2019s own words were searched for. {failed}"
            return plan.model_copy(update={"axes": ()})
        searches = tuple(one.query.model_copy(update={"axis": one.axis}) for one in found)
        # All readings or none: one alone would be taken for the question.
        axes = plan.axes if {one.axis for one in searches} == set(plan.axes) else ()
        targets = tuple(with_searches(target, searches) for target in plan.targets)
        return plan.model_copy(update={"targets": targets, "axes": axes})


def known_of(deps: Deps) -> Known:
    """What a model's slots are looked up in."""
    version = deps.companies.version
    return Known(
        deps.companies,
        deps.registry,
        deps.today,
        lambda ciks: printed(ciks, version),
        deps.watchlists,
        lambda: owners(version),
    )


def offered_with(
    question: str, halves: Read, known: Known, previous: Query | None = None
) -> tuple[tuple[CompanyRef, ...], tuple[Candidate, ...]]:
    """The candidates offered with a question, and the companies whose lines and parts are among them."""
    refs = max(companies_near(halves), known.mentioned(question), key=len) or (previous.companies if previous else ())
    lexicon = known.reading(question, (), refs).lexicon
    return refs, candidates(question, known.registry, lexicon, MOST if asks_figures(halves) else FEW)


def companies_near(halves: Read) -> tuple[CompanyRef, ...]:
    """The companies that code reads in a question, whose lines and parts a model may name."""
    found = [one for half in halves for one in half.companies if one.covered]
    kept = tuple({one.cik: one for one in found}.values())
    return kept[:MOST_COMPANIES]


def is_foretold(half: Query | Misread) -> bool:
    """Whether a forecast is asked, which no model makes a question for text."""
    return isinstance(half, Misread) and half.code is Code.PREDICTION


def asks_figures(halves: Read) -> bool:
    """Whether figures may be asked: not where code reads a question for text alone."""
    return any(not half.text if isinstance(half, Misread) else half.rows or half.unheld for half in halves)


def with_proposals(plan: Plan, proposals: tuple[Alternative, ...]) -> Plan:
    """The plan with what an unknown figure may be, to be offered where the text does not give it."""
    targets = (
        one.model_copy(update={"otherwise": one.otherwise.model_copy(update={"proposals": proposals})})
        if one.otherwise
        else one
        for one in plan.targets
    )
    return plan.model_copy(update={"targets": tuple(targets)})


def with_searches(target: Target, searches: Sequence[SubQuery]) -> Target:
    """A target for text with further searches; any other as it is."""
    if target.topic is None:
        return target
    return target.model_copy(update={"topic": target.topic.model_copy(update={"searches": tuple(searches)})})
