"""One question under one choice of companies: periods first, then the best cover of the rest, then the slots."""

from collections.abc import Sequence
from contextlib import suppress

from agent.prose.questions.topics import newest
from agent.query.companies.all_companies import check_screened, orders_everyone
from agent.query.companies.asked_companies import check_counterparties, own_periods
from agent.query.dates.years import Asked, Stretch, asked, stretches
from agent.query.formulas.asked_formulas import with_formulas
from agent.query.measures import operations
from agent.query.measures.accounting_words import Measures
from agent.query.measures.measures_of_parts import check_divided
from agent.query.measures.named_parts import with_members, without_ends
from agent.query.measures.phrases import Phrases
from agent.query.measures.query_rows import distinct
from agent.query.measures.whole_statements import in_percent_of_total, key_figures, statement_periods, whole_statements
from agent.query.periods.document_periods import document_periods, of_names
from agent.query.periods.interim_periods import with_parts
from agent.query.periods.parts_of_years import check_alike
from agent.query.periods.sentence_periods import day_named, of_months, on_days, short_years, without_day
from agent.query.reading import checks, follow_up
from agent.query.reading.asked_question import AskedQuestion
from agent.query.reading.lattice import compounded, covers, governing, listed_apart, whole_brackets, with_changes
from agent.query.wording import text
from agent.query.wording.answer_form import alignment_of, basis_of, decimals_asked, scale_asked
from agent.query.wording.intent import intent_of, meta_of
from agent.query.wording.word_roles import words_of
from agent.query.words.lexicon import Lexicon
from agent.query.words.refused_question import MAY_BE_SOURCED, MAY_BE_TOLD, Refused
from agent.query.words.sentence import Sentence, breaks, sentence_of
from agent.query.words.spelling import corrected
from agent.refusals.codes import Code
from agent.registrants.mentions import Mention, moved
from agent.state.query import MOST_COMPANIES, MOST_MEASURES, Combined, Member, Own, Query, Row, Years
from agent.state.references import CompanyRef, Period, PeriodForm, Scale
from agent.words.tokens import Token

# Filings that one question may ask the text of.
MOST_TEXTS = 6


class Reading:
    """One question under one choice of companies."""

    def __init__(self, question: AskedQuestion, named: Sequence[Mention], refs: tuple[CompanyRef, ...]) -> None:
        self.question, self.refs, self.named = question, refs, list(named)
        # Whether all covered companies are asked, in an order or within bounds.
        self.everyone = any(one.everyone for one in named)
        self.asked, self.keys, self.rows = Asked(), tuple[str, ...](), tuple[Row, ...]()
        self.scale: Scale | None = None
        self.telling = False
        known = refs or (question.previous.companies if question.previous else ())
        self.lexicon: Lexicon = question.lexicon_of([one.cik for one in known])
        self.measures = Measures(question.registry, self.lexicon)
        self.stretches: list[Stretch] = []
        self.sentence = self._sentence(question.tokens)
        self.fault: Refused | None = None
        self._take_formulas()
        question.sentence, question.lexicon = self.sentence, self.lexicon

    def _take_formulas(self) -> None:
        """Reads a formula that the question gives as one measure; why it is none is said when the question is read."""
        try:
            if found := with_formulas(self.sentence, self.stretches, self.measures):
                self.sentence, self.stretches = found
        except Refused as refused:
            self.fault = refused

    def _sentence(self, tokens: tuple[Token, ...]) -> Sentence:
        question = self.question
        named = {place for mention in self.named for place in mention.places}
        near = follow_up.beside(question.wording, tokens, question.previous)
        over = named | {place for one in near for place in one.places}
        self.stretches = [
            *near,
            *(one for one in stretches(question.wording, tokens, question.today) if not over & set(one.places)),
        ]
        taken = named | {place for one in self.stretches for place in one.places}
        matches = whole_brackets(question.wording, tokens, self.lexicon.matches(tokens, taken))
        question.lattice = governing(self.lexicon, matches, tokens, named)
        marks = breaks(question.wording, tokens)
        question.cover, *question.others = covers(question.lattice, len(tokens), marks)
        matches = listed_apart(question.wording, tokens, self.lexicon, question.cover.matches)
        matches = without_ends(self.lexicon, tokens, compounded(question.wording, tokens, matches), taken)
        matches = with_members(self.lexicon, tokens, with_changes(self.lexicon, tokens, matches), taken, marks)
        sentence = sentence_of(question.wording, tokens, self.named, self.stretches, matches, question.passed)
        free = {part.first for part in sentence.parts if part.unknown}
        mended = corrected(tokens, free, self.lexicon) if free else tokens
        if mended == tokens:
            if short := short_years(sentence, question.today, led=question.previous is not None):
                self.stretches = sorted([*self.stretches, *short], key=lambda one: one.first)
                return sentence_of(question.wording, tokens, self.named, self.stretches, matches, question.passed)
            return sentence
        if len(mended) != len(tokens):
            self.named = [moved(mention, tokens, mended) for mention in self.named]
        return self._sentence(mended)

    # --- what is asked ---

    def query(self) -> Query:
        """The query; raises Refused.

        Where a day may be the one by which reports were filed, or the one that figures are of, it is read as both.
        """
        day = day_named(self.stretches)
        if day is None:
            return self._query()
        dated = None
        if not day.certain:
            with suppress(Refused):
                dated = self._query()
        if dated and not dated.rows:
            return dated
        self.stretches = [one for one in self.stretches if one is not day.stretch]
        self.sentence = without_day(self.sentence, day)
        found = self._query()
        if not found.rows or found.everyone or found.topics:
            raise Refused(Code.NOT_UNDERSTOOD, day.stretch.text)
        words = "" if day.certain else day.stretch.text
        update = {"as_of": day.day, "as_of_words": words, "dated": dated.periods if dated else None}
        return found.model_copy(update=update)

    def _query(self) -> Query:
        """The query, decided in this order; raises Refused:

        1. A question that names documents asks for their text.
        2. A formula that is no measure, or an open period ("from ... to"), is refused.
        3. A greeting, or what is covered, is about Diligence itself.
        4. Periods and companies are those named, or else those of the question before.
        5. What no filing holds (advice, a price, a forecast) is refused by the head of the question.
        6. Words of telling, and data about a filing beside no measure, ask for text.
        7. Two readings that cover the words equally well are both offered.
        8. All else asks for figures (`_of_figures`).
        """
        sentence, question, previous = self.sentence, self.question, self.question.previous
        if question.documents:
            return self.of_documents()
        if self.fault:
            raise self.fault
        if (meta := meta_of(sentence)) and not (previous and sentence.having("operation")):
            return Query(periods=Asked().periods, meta=meta, words=words_of(sentence, set(), topical=False))
        if blank := [stretch.text for stretch in self.stretches if stretch.blank]:
            raise Refused(Code.NOT_UNDERSTOOD, blank[0])
        self.asked = asked(self.stretches) if self.stretches or not previous else follow_up.periods_of(previous)
        self.everyone = self.everyone or bool(previous and previous.everyone and not self.named)
        self.refs = () if self.everyone else follow_up.companies_of(previous, self.refs, sentence)
        if len(self.refs) > MOST_COMPANIES:
            raise Refused(Code.TOO_LONG, *(question.text(one) for one in self.named if one.names))
        self.scale = scale_asked(sentence)
        taken = previous and follow_up.phrases_of(previous, sentence)
        measured = sentence.measured or bool(taken or sentence.having("named_verb"))
        self.telling = text.tells(sentence, measured=measured)
        told = self.telling or text.is_whether(sentence, several=self.asked.several)
        if found := intent_of(sentence, text=told):
            raise Refused(*found)
        particulars = text.particulars_of(sentence)
        if told or (particulars and not sentence.measured):
            return self._of_year(particulars)
        if question.others:
            held = [key for cover in (question.cover, *question.others) for keys in cover.measures for key in keys]
            raise Refused(Code.AMBIGUOUS_CONCEPT, measures=tuple(dict.fromkeys(held)))
        return self._of_figures()

    def _of_year(self, particulars: tuple[str, ...], unheld: tuple[str, ...] = ()) -> Query:
        """What the text of a year is asked. unheld: words of a figure that no measure holds, and that the text may tell."""
        checks.need_company(self.sentence, self.refs)
        checks.check_quarter(self.stretches)
        if any(one.interim for one in self.stretches):
            self.asked = asked(self.stretches)
        return self._of_text(particulars, unheld)

    def _of_text(self, particulars: tuple[str, ...], unheld: tuple[str, ...] = ()) -> Query:
        sentence, question = self.sentence, self.question
        if question.previous and not self.stretches:
            self.asked = follow_up.explained(question.previous, self.asked, sentence)
        periods = [one for one in self.stretches if not text.names_thing(sentence, one)]
        if periods != self.stretches:
            self.stretches, self.asked = periods, asked(periods)
        # "When was the complaint filed" asks about a complaint, and not when the filing was.
        told = any(part.unknown or (part.has("text") and not part.has("particular")) for part in sentence.parts)
        particulars = () if told and text.SINCE_REPORT not in particulars else particulars
        subjects = text.asked_about(sentence, self.named, lambda one: question.companies.held.issuperset(one.ciks))
        topics, kept = ((), ()) if particulars or unheld else follow_up.topics_of(question.previous, sentence)
        particulars = particulars or kept
        if not topics and not particulars:
            ciks = {one.ciks for one in subjects}
            topic = text.topic(sentence, [one for one in self.named if one.ciks in ciks], question.thing)
            if topic is None:
                raise Refused(Code.NOT_UNDERSTOOD)
            if text.is_price(topic):
                raise Refused(Code.PRICE, *(query.label for query in topic.queries))
            topics = (topic.model_copy(update={"amount": text.amount_of(sentence) if unheld else ""}),)
            particulars = (text.SINCE_REPORT,) if topic.compares and text.is_since_report(sentence) else ()
        dealt_with = {cik for one in self.named for cik in one.ciks}.difference(*(one.ciks for one in subjects))
        own, general = self._own_periods() if len(subjects) > 1 else ([], self.asked)
        companies = tuple(ref for ref in self.refs if ref.cik not in dealt_with) or self.refs
        years = text.years_of(sentence, general, question.today, topics)
        if len(companies) * len(years) > MOST_TEXTS:
            raise Refused(Code.TOO_LONG)
        months = {one.month.year for one in self.stretches if one.month}  # "its 2025 range in April 2025"
        dated = bool(months) and months.issuperset(one.year for one in self.asked.years)
        return Query(
            companies=companies,
            periods=Years(periods=years),
            days=document_periods(self.stretches, self.asked, sentence) if dated else None,
            own=tuple(own),
            topics=topics,
            particulars=particulars,
            unheld=unheld,
            words=words_of(sentence, set(), topical=True),
        )

    def told(self, code: Code) -> Query | None:
        """What the text is asked in place of a figure that is not understood; None where nothing is left to look for."""
        if not self.refs or code not in MAY_BE_TOLD:
            return None
        parts = [one for one in self.stretches if one.interim]
        years = {one.part.year for one in parts if one.part and one.part.year}
        if parts and not asked(self.stretches).years:
            if len(years) != 1:
                return None  # of which year, is not known
            self.asked = Asked((Period(form=PeriodForm.BARE, year=years.pop(), text=parts[0].text),))
        try:
            return self._of_text(())
        except Refused:
            return None

    def sourced(self, code: Code) -> Query | None:
        """What documents other than the 10-K are asked; None where nothing is left to look for."""
        if self.refs and code in MAY_BE_TOLD | MAY_BE_SOURCED:
            with suppress(Refused):
                return self.of_documents()
        return None

    def of_documents(self) -> Query:
        """What documents are asked of which any may be of a part of a year. Raises Refused."""
        checks.need_company(self.sentence, self.refs)
        stretches, tokens = self.stretches, self.sentence.tokens
        if beside := [
            one
            for one in stretches
            if any(start <= tokens[one.first].start < end for start, end in self.question.documents)
        ]:
            # Another period is one of what the document tells, unless it is the year of a quarter: "for 2024 in its Q3 call".
            stretches = stretches if any(one.part and not one.part.alone for one in beside) else beside
        periods = document_periods(stretches, asked(stretches), self.sentence)
        periods = of_names(periods) if beside else periods
        topic = text.topic(self.sentence, self.named, whole_years=False)
        kind = self.question.newest
        if kind is not None and (topic is None or text.is_newest(topic)):
            topic = newest(kind)
        if topic is None:
            raise Refused(Code.NOT_UNDERSTOOD)
        return Query(
            companies=self.refs,
            periods=periods,
            topics=(topic,),
            words=words_of(self.sentence, set(), topical=True),
        )

    def _of_figures(self) -> Query:
        """What figures are asked, decided in this order; raises Refused:

        1. The measures: those named, or else those of a verb, of the question before, or of a kind.
        2. Words beside them that nothing explains: the text may tell them, or they are refused.
        3. Without a measure the key figures, whole statements or, at last, the text.
        4. Each company's own periods, and operations over rows and columns.
        5. Whether the figures so set side by side are alike enough to be compared.
        """
        sentence, previous = self.sentence, self.question.previous
        found = Phrases(sentence, self.measures, self.lexicon, several=self.asked.several)
        if not sentence.measured:
            found.by_verb()
            if previous and not found.phrases:
                found.phrases += follow_up.phrases_of(previous, sentence)
            found.first_of_kind()
        if not self.refs and not self.everyone:
            with suppress(Refused):  # what is asked of none yet, a follow-up may ask of one
                self.rows = tuple(row for phrase in found.read() for row in phrase.named.rows)
                self.everyone = orders_everyone(sentence) and not found.several_meanings
        if not self.everyone:
            checks.need_company(sentence, self.refs)
        checks.check_interim(sentence, bool(found.phrases))
        figures = () if found.phrases or previous else key_figures(sentence, self.lexicon)
        if found.phrases or figures or sentence.measured or whole_statements(sentence):
            self.asked = with_parts(self.asked, self.stretches, sentence, previous)
            found.several = self.asked.several
        shares = in_percent_of_total(sentence)
        try:
            phrases = [] if shares else found.read()
        except Refused as refused:
            # Near what is asked, and not understood for sure: offered instead, and taken by no question that goes on.
            self.keys = tuple(key for phrase in found.phrases for key in phrase.named.keys)
            # A word that alone is no measure ("cost", "balance") is of the thing beside it: the text may tell it.
            told = all(phrase.named.ask or not (phrase.taken or phrase.part.named) for phrase in found.phrases)
            told = told or checks.is_head(sentence, refused)
            if refused.code is Code.NOT_UNDERSTOOD and told and not text.amount_of(sentence):
                return self._of_year((), unheld=refused.words)
            raise
        self.keys = tuple(key for phrase in phrases for key in phrase.named.keys)
        if found.several_meanings and previous:
            raise Refused(Code.AMBIGUOUS_CONCEPT, found.several_meanings, measures=self.keys)
        self.rows = tuple(row for phrase in phrases for row in phrase.named.rows)
        if not phrases:  # all companies have no text, and no statement, that is one answer
            checks.need_company(sentence, self.refs)
        if not phrases and figures:
            words = words_of(sentence, found.used, topical=False)
            return Query(companies=self.refs, periods=self.asked.periods, rows=figures, words=words)
        if not phrases and (statements := shares or whole_statements(sentence)):
            words = words_of(sentence, found.used, topical=False)
            instant = all(part.value("statement") in (None, "balance") for part in sentence.parts)
            periods = statement_periods(self.dated(instant).periods, statements)
            return Query(companies=self.refs, periods=periods, basis=basis_of(sentence), rows=statements, words=words)
        if not phrases:
            checks.check_without_measure(sentence, self.lexicon)
            return self._of_year((), unheld=checks.unknown_words(sentence))
        self.asked = self.dated(self.measures.are_balances([row for one in phrases for row in one.named.asserted]))
        checks.check_beside(sentence)
        own, general = self._own_periods()
        own, general = ([], self.asked) if checks.check_owners(sentence, self.stretches) else (own, general)
        several = 2 if self.everyone else len(self.refs)
        made = operations.Operations(sentence, phrases, found, self.measures, general, several).made()
        if len(made.rows) > MOST_MEASURES * 2:
            raise Refused(Code.TOO_LONG)
        if found.several_meanings and any(isinstance(row.measure, Combined | Member) for row in made.rows):
            raise Refused(Code.AMBIGUOUS_CONCEPT, found.several_meanings, measures=self.keys)
        check_divided(made.rows, any(one.kind != "threshold" for one in made.operations), sentence)
        check_alike(general.periods, made.periods, made.operations, self.stretches)
        if self.everyone:
            check_screened(made.rows, made.operations, made.periods, sentence)
        query = Query(
            companies=self.refs,
            everyone=self.everyone,
            periods=made.periods,
            own=tuple(own),
            align=alignment_of(sentence, len(self.refs)),
            basis=basis_of(sentence, ranked=self.everyone),
            rows=distinct(made.rows),
            operations=made.operations,
            scale=self.scale,
            decimals=decimals_asked(sentence),
            particulars=text.particulars_of(sentence),
            several_meanings=found.several_meanings,
            judged=text.judged_by(sentence),
            words=words_of(sentence, found.used, topical=False, counted=True),
        )
        taken = any(phrase.taken for phrase in phrases)
        return query if previous is None else follow_up.carried(query, previous, sentence, measures=taken)

    def _own_periods(self) -> tuple[list[Own], Asked]:
        check_counterparties(self.sentence)
        return own_periods(self.sentence, self.stretches, self.asked)

    def dated(self, instant: bool) -> Asked:
        """The periods asked, days and months put to them where no part of a year is named. instant: of balances."""
        if any(one.interim for one in self.stretches):
            return self.asked
        return on_days(of_months(self.sentence, self.stretches, self.asked, instant=instant), instant=instant)
