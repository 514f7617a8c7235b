"""A whole question: one part, or two that are read one by one and answered one by one."""

from collections.abc import Iterable, Iterator
from datetime import date

from agent.language.bystanders import companies_meant
from agent.language.clauses import Halves, halves, introduced, joined, said_in_full, stands_for
from agent.registrants.companies import Companies
from agent.language.concepts import Measures, measures_of
from agent.registrants.mentions import Mention, mentions
from agent.language.misread import Misread
from agent.language.parsing import Sentence
from agent.language.reading import MOST_TOKENS, Reader
from agent.language.texts import words_of
from agent.words.tokens import Token, tokenise
from agent.numbers.registry import Registry
from agent.refusals.codes import Code
from agent.state import PeriodForm, Plan, QuestionType, Span, Target

# Refusals of a part that asks for something: the rest of the question is answered beside them.
_OF_A_PART = frozenset(
    {
        Code.RATIO, Code.NON_GAAP, Code.DIMENSIONAL_ONLY, Code.YEAR_OVER_YEAR, Code.AMBIGUOUS_CONCEPT, Code.CONCEPT_UNKNOWN,
        Code.PREDICTION, Code.PRICE, Code.ADVICE, Code.EXTERNAL_DATA, Code.TRANSCRIPT, Code.INTERIM_PERIOD,
    }
)  # fmt: skip

Read = tuple[Plan | Misread, tuple[tuple[int, Misread], ...]]


def read_parts(question: str, companies: Companies, registry: Registry, today: date) -> Read:
    """The plan of a question or why there is none, and of a plan the parts that are refused: (target id, why)."""
    tokens = tokenise(question)
    if not tokens:
        return Misread(code=Code.EMPTY, type=QuestionType.REFUSE), ()
    return Parts(question, companies, measures_of(registry), today).read(tokens)


class Parts:
    """A question being read in two parts."""

    def __init__(self, question: str, companies: Companies, measures: Measures, today: date) -> None:
        self.question, self.companies, self.measures, self.today = question, companies, measures, today
        self.left = MOST_TOKENS

    def tried(self, cuts: Iterable[Halves]) -> Iterator[Halves]:
        """The cuts, as long as there is an end of it: people type a few, and a hundred only who means harm."""
        for cut in cuts:
            if self.left <= 0:
                return
            self.left -= len(cut.first) + len(cut.second)
            yield cut

    def read(self, tokens: tuple[Token, ...]) -> Read:
        """The plan of the words of a question, or why there is none, and the parts that are refused."""
        whole = self.part(tokens, [])
        if isinstance(whole, Plan) and whole.type is not QuestionType.PROSE:
            return whole, ()
        for cut in self.tried(introduced(self.question, tokens)):
            if not self.named(cut.first) and (found := self.behind(cut)):
                return found
        for cut in self.tried(halves(self.question, tokens)):
            if found := self.both(cut, whole):
                return found
        if isinstance(whole, Misread) or _is_instead(whole):
            for cut in self.tried(joined(tokens)):
                if found := self.beside(cut):
                    return found
        return whole, ()

    def behind(self, cut: Halves) -> Read | None:
        """The plan of the question for text behind an introduction; None where it is none.

        What is said before a question for a figure may change which one is asked, and a year says of when.
        """
        dated = Sentence.of(self.question, cut.first, self.today).periods
        if dated and cut.first[0].stem != "compared":
            return None
        plan, refused = self.read(cut.second)
        if not isinstance(plan, Plan) or plan.type is not QuestionType.PROSE:
            return None
        return plan.model_copy(update={"spans": (*self.joint(cut.first), *plan.spans)}), refused

    def both(self, cut: Halves, whole: Plan | Misread) -> Read | None:
        """The plan of both parts; None where they are not two parts that stand for themselves."""
        named = self.asked(cut)
        if not named:
            return None
        first = self.part(cut.first, named)
        thing = self.thing(cut.first, first)
        second_tokens = said_in_full(cut.second, thing)
        if stands_for(second_tokens) and isinstance(whole, Plan):
            return None  # "... and how could they affect it" goes on about the same thing
        if not self.asks_something(second_tokens):
            return None  # "who took over, and when"
        second = self.part(second_tokens, named)
        if not (_is_text(first) or _is_text(second)) or not (_stands(first) and _stands(second)):
            return None
        return self.joined(cut, first, second)

    def beside(self, cut: Halves) -> Read | None:
        """The plan of a figure and of a text that are named side by side; None where they are anything else."""
        if not (named := self.asked(cut)):
            return None
        first, second = self.part(cut.first, named), self.part(cut.second, named)
        plans = [part for part in (first, second) if isinstance(part, Plan)]
        kinds = {part.type for part in plans}
        if len(plans) < 2 or kinds != {QuestionType.NUMERIC, QuestionType.PROSE}:
            return None
        if any(target.otherwise for part in plans for target in part.targets):
            return None
        return self.joined(cut, first, second)

    def joined(self, cut: Halves, first: Plan | Misread, second: Plan | Misread) -> Read:
        targets: list[Target] = []
        refused: list[tuple[int, Misread]] = []
        for number, part in enumerate((first, second)):
            if isinstance(part, Misread):
                refused.append((number, part))
            else:
                targets += [target.model_copy(update={"id": number}) for target in part.targets]
        told = next((target.period for target in (*targets, *abouts(refused)) if target.period.text), None)
        if told is not None:
            targets = [
                target.model_copy(update={"period": told})
                if target.period.form is PeriodForm.LATEST and not target.period.text
                else target
                for target in targets
            ]
        numeric = any(target.readings for target in targets) or any(
            part.type is QuestionType.NUMERIC for _, part in refused
        )
        plan = Plan(
            type=QuestionType.BOTH if numeric else QuestionType.PROSE,
            targets=tuple(targets),
            scale=next((part.scale for part in (first, second) if part.scale), None),
            spans=(*first.spans, *self.joint(cut.joint), *second.spans),
        )
        return plan, tuple(refused)

    def asks_something(self, tokens: tuple[Token, ...]) -> bool:
        """Whether a part has a word of its own beside words of asking and its year."""
        asking = words_of("asking")
        dated = {place for places, _ in Sentence.of(self.question, tokens, self.today).periods for place in places}
        tokens = tuple(token for place, token in enumerate(tokens) if place not in dated)
        return any(token.stem not in asking and token.base not in asking for token in tokens)

    def joint(self, tokens: tuple[Token, ...]) -> tuple[Span, ...]:
        if not tokens:
            return ()
        start, end = tokens[0].start, tokens[-1].end
        return (Span(start=start, end=end, text=self.question[start:end], role="phrase"),)

    def part(self, tokens: tuple[Token, ...], named: list[Mention]) -> Plan | Misread:
        sentence = Sentence.of(self.question, tokens, self.today)
        return Reader(self.companies, self.measures, sentence, named).read()

    def asked(self, cut: Halves) -> list[Mention]:
        """The company of both parts: of two that are named one by one, the one that is held."""
        found = [named for named in (self.named(cut.first), self.named(cut.second)) if named]
        held = [named for named in found if any(set(one.ciks) & self.companies.held for one in named)]
        return next(iter(held or found), [])

    def named(self, tokens: tuple[Token, ...]) -> list[Mention]:
        """The companies that a part names."""
        found = mentions(self.companies, tokens, self.measures.vocabulary)
        sentence = Sentence.of(self.question, tokens, self.today)
        return companies_meant([one for one in found if not one.weak], sentence, self.companies.held)

    def thing(self, tokens: tuple[Token, ...], part: Plan | Misread) -> tuple[Token, ...]:
        """The words of the one measure that a part is about, which the other part calls "it"."""
        spans = [span for span in part.spans if span.role == "concept"]
        if len(spans) != 1:
            return ()
        return tuple(token for token in tokens if spans[0].start <= token.start and token.end <= spans[0].end)


def abouts(refused: list[tuple[int, Misread]]) -> Iterator[Target]:
    """What was understood of the parts that are refused."""
    return (part.about for _, part in refused if part.about)


def _is_instead(plan: Plan) -> bool:
    """Whether text is only looked for in the place of a figure that is refused."""
    return any(target.otherwise for target in plan.targets)


def _is_text(part: Plan | Misread) -> bool:
    return isinstance(part, Plan) and any(target.topic or target.particular for target in part.targets)


def _stands(part: Plan | Misread) -> bool:
    """Whether a part asks for something by itself."""
    if isinstance(part, Plan):
        return bool(part.targets)
    return part.code in _OF_A_PART and bool(part.words or part.labels)
