"""The plan of a question for text: whose filing, of which year, and what of it."""

from agent.registrants.companies import FORMER, LOOSE, PART
from agent.language.grounds import Grounds
from agent.language.intents import Verdict, attributive, year_explained
from agent.registrants.mentions import Mention
from agent.language.misread import Misread
from agent.language.relations import told_by
from agent.language.strangers import unknown_name
from agent.language.texts import is_of_results, is_overview, is_vague, particular_of, words_of
from agent.prose.topics import overview, results, topic_of
from agent.refusals.codes import Code
from agent.state import CompanyRef, Period, PeriodForm, Plan, QuestionType, Target, Topic

_BEFORE_PERIOD = frozenset({"in", "for", "during", "of", "as", "at", "the", "its", "their", "'s"})


class TextPlan(Grounds):
    """Plan or refusal of one parse that asks for text."""

    def plan(self, found: Verdict) -> Plan | Misread:
        if not self.ciks:
            return self.nobody()
        subject = self.subject()
        if subject is None:
            code = Code.CROSS_COMPANY if len(self.ciks) > 1 else Code.AMBIGUOUS_COMPANY
            # A company of the question's other part has its words there.
            named = () if code is Code.CROSS_COMPANY else self.parsed.mentions[:1]
            words = tuple(self.parsed.words_of(mention) for mention in named)
            return self.misread(code, words, kind=found.type, ciks=() if len(self.ciks) > 1 else self.ciks[0])
        company, places = subject
        period = self.asked_period()
        particular = particular_of(self.parsed)
        if is_overview(self.parsed):
            topic: Topic | None = overview()
        elif is_of_results(self.parsed):
            topic = results()
        else:
            topic = topic_of(self._without(places), words_of("asking"))
        if (topic is None or is_vague(self.parsed)) and not particular:
            return self.misread(Code.NOT_UNDERSTOOD, found.words, kind=found.type)
        target = Target(id=0, company=company, period=period, topic=topic, particular=particular)
        return Plan(type=QuestionType.PROSE, targets=(target,), spans=self.spans())

    # --- who ---

    def subject(self) -> tuple[CompanyRef, frozenset[int]] | None:
        """The company whose filing is asked, and its places in the question; None where several may be."""
        if len(self.ciks) == 1:
            company = self.company
            places = frozenset(place for mention in self.parsed.mentions for place in mention.places)
            return (company, places) if company else None
        others = [mention for mention in self.parsed.mentions if not self._is_covered(mention)]
        covered = [mention for mention in self.parsed.mentions if self._is_covered(mention)]
        if others and len({mention.ciks for mention in covered}) == 1 and not self._are_listed():
            company = self.companies.get(covered[0].ciks[0])
            return (company, frozenset(place for one in covered for place in one.places)) if company else None
        sure = [mention for mention in self.parsed.mentions if mention.level not in {PART, LOOSE, FORMER}]
        if len({mention.ciks for mention in sure}) == 1 and len(sure[0].ciks) == 1:
            company = self.companies.get(sure[0].ciks[0])
            return (company, frozenset(place for one in sure for place in one.places)) if company else None
        chosen = told_by(self.parsed, tuple(self.parsed.mentions), self._is_covered)
        if chosen is None:
            return None
        company = self.companies.get(chosen.ciks[0])
        asked = [mention for mention in self.parsed.mentions if mention.ciks == chosen.ciks]
        return (company, frozenset(place for mention in asked for place in mention.places)) if company else None

    def _is_covered(self, mention: Mention) -> bool:
        """Whether a mention is of one company that is held; who is not can only be spoken of by one that is."""
        company = self.companies.get(mention.ciks[0]) if len(mention.ciks) == 1 else None
        return company is not None and company.covered

    def _are_listed(self) -> bool:
        """Whether companies stand side by side: "Apple and Boeing", "Apple vs Boeing"."""
        tokens = self.parsed.tokens
        ends = {mention.last for mention in self.parsed.mentions}
        return any(
            mention.first - 1 in ends and tokens[mention.first - 1].stem in {"and", "or", "vs", "versus", "than"}
            for mention in self.parsed.mentions
        )

    def nobody(self) -> Misread:
        """The refusal of a question for text that names no company."""
        parsed = self.parsed
        name = unknown_name(parsed)
        if name[:1].isupper():
            near = self.companies.near(name)
            return self.misread(
                Code.UNKNOWN_COMPANY, (name,), kind=QuestionType.PROSE, ciks=tuple(one.cik for one in near)
            )
        risks = "risk" in {token.stem for token in parsed.tokens}
        known = (
            risks
            or parsed.having("topic")
            or parsed.measures
            or parsed.having("unknown")
            or not self._content(frozenset())
        )
        code = Code.NO_COMPANY if known else Code.OFF_TOPIC
        return self.misread(code, (), kind=QuestionType.PROSE if known else QuestionType.REFUSE)

    # --- when ---

    def asked_period(self) -> Period:
        """The fiscal year whose filing is asked. A bare year is the company's own label: one filing is quoted."""
        subjects = attributive(self.parsed)
        period, _ = self.period([one for one in self.parsed.periods if one not in subjects])
        if not period.text and (year := self._year_of_month()):
            return Period(form=PeriodForm.BARE, year=year, text=str(year))
        if explained := year_explained(self.parsed):
            form = PeriodForm.FISCAL if period.form is PeriodForm.FISCAL else PeriodForm.BARE
            return Period(form=form, year=explained, text=str(explained))
        return period

    def _year_of_month(self) -> int:
        """The year of a month that a question names, where it names no other year: "in August 2023"."""
        named = [self.parsed.sentence.text(places) for places, found in self.parsed.periods if found.interim]
        years = [int(words[-4:]) for words in named if words[-4:].isdecimal()]
        return years[0] if len(set(years)) == 1 else 0

    # --- what ---

    def _period_places(self) -> frozenset[int]:
        left = {places.start for places, _ in attributive(self.parsed)}
        left |= {places.start for places, found in self.parsed.periods if found.interim}
        return frozenset(place for places, _ in self.parsed.periods for place in places if places.start not in left)

    def _content(self, company: frozenset[int]) -> list[int]:
        """Places of words that are looked for."""
        left_out = company | self._period_places()
        asking = words_of("asking")
        return [
            place
            for place, token in enumerate(self.parsed.tokens)
            if place not in left_out and token.stem not in asking and token.base not in asking
        ]

    def _without(self, company: frozenset[int]) -> str:
        """The question with "the company" for the company's name, and without its period."""
        tokens, question = self.parsed.tokens, self.parsed.sentence.question
        periods = self._period_places()
        parts: list[str] = []
        end = tokens[0].start
        for place, token in enumerate(tokens):
            gap = question[end : token.start]
            end = token.end
            if place in periods:
                continue
            if place in company:
                if place + 1 in company:
                    continue
                named = "the company's" if token.possessive else "the company"
                parts.append(f" {named}")
                continue
            before_period = place + 1 in periods and token.stem in _BEFORE_PERIOD
            if not before_period:
                parts.append(f"{gap if gap.strip() else ' '}{token.text}")
        mark = question[end:].strip()[:1]
        return " ".join("".join(parts).split()) + (mark if mark in {"?", "!", "."} else "")
