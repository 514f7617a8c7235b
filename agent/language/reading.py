"""From a question to a plan, with no model: every word is accounted for, or the question is refused.

A question becomes a plan only if each of its words is part of a company, a period, a measure, a scale or a listed
phrase that cannot change which figure is asked. Whatever is left over is named in the refusal.
"""

from collections.abc import Sequence
from datetime import date

from agent.language.bystanders import companies_meant
from agent.registrants.companies import Companies
from agent.language.concepts import Measures, measures_of
from agent.language.corrections import corrected
from agent.language.decision import Decision
from agent.registrants.mentions import Mention, mentions, slips
from agent.language.misread import Misread
from agent.language.parsing import Sentence, parse
from agent.words.tokens import Token, tokenise
from agent.numbers.registry import Registry
from agent.refusals.codes import Code
from agent.state import Plan, QuestionType
from filings.edgar.names import LOOKALIKES

# Of a question that is read again, in parts or with another company: each time costs as much as the first.
MOST_TOKENS = 3_000
_COMPANY_FAULTS = frozenset({Code.NO_COMPANY, Code.UNKNOWN_COMPANY, Code.OFF_TOPIC})


def read(question: str, companies: Companies, registry: Registry, today: date) -> Plan | Misread:
    """The plan of a question, or why there is none. Takes a millisecond or two; asks no database and no network."""
    tokens = tokenise(question)
    if not tokens:
        return Misread(code=Code.EMPTY, type=QuestionType.REFUSE)
    return Reader(companies, measures_of(registry), Sentence.of(question, tokens, today)).read()


class Reader:
    """One question being read."""

    def __init__(
        self, companies: Companies, measures: Measures, sentence: Sentence, inherited: Sequence[Mention] = ()
    ) -> None:
        """inherited: the company of the question's other part, for a part that names none."""
        self.companies, self.measures, self.sentence, self.inherited = companies, measures, sentence, tuple(inherited)

    def read(self) -> Plan | Misread:
        tokens, vocabulary = self.sentence.tokens, self.measures.vocabulary
        phrases = [match for match in self.measures.matches(tokens, ()) if len(match) > 1]
        measured = {place for match in phrases for place in range(match.first, match.last)}
        found = mentions(self.companies, tokens, vocabulary, measured)
        held = self.companies.held
        strong = companies_meant([mention for mention in found if not mention.weak], self.sentence, held)
        weak = [mention for mention in found if mention.weak]
        if self.inherited and not strong:
            return self.under([])
        if strong:
            return self.under(companies_meant(self._joined(strong, weak), self.sentence, held))
        first = self.under([])
        if isinstance(first, Plan):
            return first
        # A word that only looks like a company is one if the question reads as a whole with it, and not without.
        seconds: list[Misread] = []
        tried = sorted(weak, key=lambda one: not tokens[one.first].upper)[: MOST_TOKENS // len(tokens)]
        for mention in tried:
            second = self.under([mention])
            if isinstance(second, Plan) and (_is_accounted(second) or self._is_named(mention)):
                return second
            if isinstance(second, Misread):
                seconds.append(second)
        if first.code not in _COMPANY_FAULTS:
            return first
        free = set(parse(self.sentence, [], self.measures).free)
        for mention in slips(self.companies, tokens, free):
            second = self.under([mention])
            if isinstance(second, Plan) or second.code not in _COMPANY_FAULTS:
                return second
        whole = (
            second
            for second, mention in zip(seconds, tried, strict=False)
            if second.code is Code.AMBIGUOUS_COMPANY
            and not _unused(second)
            and _is_written_as_name(tokens[mention.first])
        )
        return next(whole, first)

    def _joined(self, strong: list[Mention], weak: list[Mention]) -> list[Mention]:
        """The sure companies, with a weak one that stands beside another and is written as a name."""
        tokens = self.sentence.tokens
        known = {cik for mention in strong for cik in mention.ciks}
        joined = list(strong)
        registrants = self.companies.registrants
        strange = not any(registrants[cik].covered for cik in known)
        for mention in weak:
            before = tokens[mention.first - 1].stem if mention.first else ""
            after = tokens[mention.last].stem if mention.last < len(tokens) else ""
            listed = {before, after} & {"and", "or", "vs", "versus", "to", "with", "than"}
            named = tokens[mention.first].capital and len(mention.ciks) == 1
            same = set(mention.ciks) & known and tokens[mention.first].upper
            held = len(mention.ciks) == 1 and registrants[mention.ciks[0]].covered
            # "What does Target earn from its deal with TD": who is held is asked about.
            asked = strange and held and (tokens[mention.first].capital or mention.first == 0)
            if same or (named and listed) or asked:
                joined.append(mention)
        return sorted(joined, key=lambda mention: mention.first)

    def _is_named(self, mention: Mention) -> bool:
        """Whether a word that is also an everyday one is meant as a company's name."""
        tokens = self.sentence.tokens[mention.first : mention.last]
        written = tokens[0].cashtag or (tokens[0].capital and mention.first > 0) or tokens[-1].possessive
        plain = any(token.base in LOOKALIKES or token.base in self.measures.vocabulary for token in tokens)
        covered = all(self.companies.registrants[cik].covered for cik in mention.ciks)
        # "GE 2024 10-K" begins with a ticker: in capitals, where not all of the question is.
        ticker = tokens[0].upper and len(tokens[0].base) > 1 and not self._is_shouted()
        # "Target theft": the one company that is held begins the question.
        begins = mention.first == 0 and len(mention.ciks) == 1 and len(tokens[0].base) > 2
        return written or (covered and (ticker or begins or not plain))

    def _is_shouted(self) -> bool:
        return all(token.upper for token in self.sentence.tokens if token.text.isalpha())

    def under(self, mentions: Sequence[Mention]) -> Plan | Misread:
        """The plan under one choice of companies."""
        sentence = self.sentence
        parsed = parse(sentence, mentions, self.measures)
        if parsed.free:
            sentence = corrected(sentence, parsed, self.measures)
            if sentence is not self.sentence:
                parsed = parse(sentence, mentions, self.measures)
        return Decision(self.companies, self.measures, parsed, self.inherited).plan()


def _unused(misread: Misread) -> bool:
    return any(span.role == "unused" for span in misread.spans)


def _is_accounted(plan: Plan) -> bool:
    """Whether every word of a plan has its use: not so where the rest of the question is looked for in text."""
    return not any(target.topic for target in plan.targets)


def _is_written_as_name(token: Token) -> bool:
    """ "On" may be a company; "on" in a question is none."""
    return token.capital or token.base not in LOOKALIKES
