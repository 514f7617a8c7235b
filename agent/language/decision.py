"""Plan or refusal, once every word of a question has its use."""

from agent.language.concepts import Measure
from agent.language.grounds import Grounds
from agent.language.intents import Verdict, meta_of, verdict, yes_or_no
from agent.language.lexicon import Match, Meaning
from agent.language.misread import Misread
from agent.language.relations import is_related
from agent.language.textual import TextPlan
from agent.language.unmeasured import amount_asked, otherwise
from agent.numbers.registry import Concept
from agent.refusals.codes import Code
from agent.state import CompanyRef, Period, PeriodForm, Plan, QuestionType, Reading, Target

# With these, "current" says when and not which part: "current revenue", but never "current tax expense".
_CURRENT_OF = frozenset(
    {
        "revenue", "cost_of_revenue", "gross_profit", "rnd", "sga", "opex", "operating_income", "net_income",
        "eps_basic", "eps_diluted", "total_assets", "shares_out", "shares_out_cover", "cash", "cfo", "capex", "goodwill",
    }
)  # fmt: skip
# What is charged in a year and what is paid in it are two measures.
_PAID = {"income_tax": "taxes_paid", "interest_expense": "interest_paid"}


class Decision(Grounds):
    """Plan or refusal of one parse."""

    # --- the decision ---

    def plan(self) -> Plan | Misread:
        """The plan of a question, for text also where no measure holds the figure it asks for."""
        read = self.decided()
        return self.told(read) if isinstance(read, Misread) else read

    def told(self, misread: Misread) -> Plan | Misread:
        """The plan to look for a figure in the text of the filing; the refusal where that is not what text is for."""
        company = self.company
        among = misread.code is Code.CROSS_COMPANY
        if not among and (company is None or not company.covered):
            return misread
        keys = frozenset(key for _, found in self.parsed.measures for key in self.measures.keys(found[0]))
        instead = otherwise(self.parsed, misread, keys)
        if instead is None:
            return misread
        plan = self.text_plan(Verdict(None, QuestionType.PROSE, misread.words))
        if isinstance(plan, Misread) or (among and not is_related(self.parsed, plan.targets[0].company.cik)):
            return misread
        amount = amount_asked(self.parsed, misread.code)

        def figure(target: Target) -> Target:
            topic = target.topic
            if topic and len(topic.queries) == 1:  # of several subjects the number is asked of one
                topic = topic.model_copy(update={"amount": amount})
            return target.model_copy(update={"otherwise": instead, "topic": topic})

        return plan.model_copy(update={"targets": tuple(figure(target) for target in plan.targets)})

    def text_plan(self, found: Verdict) -> Plan | Misread:
        return TextPlan(self.companies, self.measures, self.parsed, self.mentions).plan(found)

    def decided(self) -> Plan | Misread:
        parsed = self.parsed
        if meta := meta_of(parsed):
            return Plan(type=QuestionType.META, meta=meta, spans=self.spans())
        if found := verdict(parsed, len(self.ciks)):
            if found.code is None:
                return self.text_plan(found)
            return self.refused(found)
        if not self.ciks:
            return self.no_company()
        if self.company is None:
            named = tuple(parsed.words_of(mention) for mention in parsed.mentions[:1])
            return self.misread(Code.AMBIGUOUS_COMPANY, named, ciks=self.ciks[0])
        if foreign := [parsed.words(match) for match, _ in parsed.having("currency")]:
            return self.misread(Code.NOT_UNDERSTOOD, foreign)
        if (verb := yes_or_no(parsed)) and not parsed.free:
            return self.misread(Code.NOT_UNDERSTOOD, (verb,))
        return self.measured(self.company)

    def measured(self, company: CompanyRef) -> Plan | Misread:
        """The plan once the company is known: one measure, at one time, with no word left over."""
        parsed = self.parsed
        asked = self._asked()
        unknown = [match for match, _ in parsed.having("unknown")]
        unclear = parsed.having("unclear")
        if not asked:
            return self.no_measure(unknown, unclear)
        if len(asked) > 1:
            (first, _), (second, _) = asked[:2]
            joined = second.first == first.last + 1 and parsed.tokens[first.last].stem == "to"
            if joined or any(parsed.tokens[place].stem in {"/", "over"} for place in parsed.free):
                return self.misread(Code.RATIO, tuple(parsed.words(match) for match, _ in asked))
            return self.misread(Code.NOT_UNDERSTOOD, (parsed.words(asked[1][0]),))
        measure = asked[0][1]
        readings = self._selected(self.measures.readings(measure))
        left = [*parsed.free, *self._meaningful(), *self._disallowed(readings)]
        period, surplus = self.period()
        left += surplus
        scales = parsed.having("scale")
        left += [p for match, one in scales[1:] if one != scales[0][1] for p in range(match.first, match.last)]
        left = self._without_current(sorted(set(left)), readings)
        if parsed.free and not left:
            period = Period(form=PeriodForm.LATEST, text="current") if not period.text else period
        if left:
            paid = _PAID.get(readings[0].concept) if readings else None
            if paid and {parsed.tokens[place].stem for place in left} <= {"pay", "paid", "in", "out", "for"}:
                return self.misread(Code.AMBIGUOUS_CONCEPT, self.named(left), keys=(readings[0].concept, paid))
            return self.misread(Code.NOT_UNDERSTOOD, self.named(left), measure=measure, left=left)
        term = self.measures.term(measure)
        if term and term.ask:
            return self.misread(
                Code.AMBIGUOUS_CONCEPT, (parsed.words(asked[0][0]),), keys=term.concepts or term.metrics
            )
        if not readings:
            return self.misread(Code.RATIO, (parsed.words(asked[0][0]),), measure=measure)
        one_of_two = len([reading for reading in readings if not reading.mention]) < len(self.measures.keys(measure))
        target = Target(
            id=0,
            company=company,
            period=period,
            readings=readings,
            collapse=bool(term and term.collapse_if_equal),
            unavailable=() if one_of_two else self.measures.unavailable(measure),
        )
        scale = next(iter(parsed.scales), None)
        return Plan(type=QuestionType.NUMERIC, targets=(target,), scale=scale, spans=self.spans())

    def no_measure(self, unknown: list[Match], unclear: list[tuple[Match, Meaning]]) -> Misread:
        parsed = self.parsed
        if unclear and not unknown:
            match, meaning = unclear[0]
            return self.misread(Code.AMBIGUOUS_CONCEPT, (parsed.words(match),), keys=meaning.value)
        made = [parsed.tokens[match.first].stem for match in parsed.phrases if len(match) == 1]
        if not unknown and not parsed.free and {"make", "made", "earn", "earned"} & set(made):
            return self.misread(Code.AMBIGUOUS_CONCEPT, ("earn",), keys=("revenue", "net_income"))
        places = [place for match in unknown for place in range(match.first, match.last)] or parsed.free
        words = parsed.sentence.text(places) if unknown else " ".join(parsed.tokens[place].text for place in places)
        near = self.measures.nearest(words)
        return self.misread(Code.CONCEPT_UNKNOWN, (words,) if words else (), keys=near)

    def _asked(self) -> list[tuple[Match, Measure]]:
        """Each different measure asked, with where it stands first."""
        asked: dict[Measure, tuple[Match, Measure]] = {}
        seen: set[tuple[str, ...]] = set()
        outstanding = any(self.parsed.words(match).lower() == "outstanding" for match, _ in self.parsed.conditions())
        for match, found in self.parsed.measures:
            measure = found[0]
            if outstanding and measure == Measure("concept", "shares_out"):
                # "How many shares did X have outstanding": the words stand apart, the measure is one.
                measure = Measure("term", "shares outstanding")
            keys = self.measures.keys(measure) or (measure.key,)
            if keys not in seen:
                seen.add(keys)
                asked[measure] = (match, measure)
        return list(asked.values())

    def _selected(self, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
        """The readings that stand on the statement the question names; all where it names none, or none fits."""
        statements = {
            condition.statement for _, conditions in self.parsed.conditions() for condition in conditions
        } - {""}
        asserted = [reading for reading in readings if not reading.mention]
        if len(statements) != 1 or len(asserted) < 2:
            return readings
        kept = tuple(one for one in asserted if self._concept(one.concept).statement in statements)
        return kept or readings

    def _concept(self, key: str) -> Concept:
        return self.measures.registry.concepts[key]

    def _meaningful(self) -> list[int]:
        """Places of phrases that mean something but did not decide: they are no part of a question for a figure."""
        accounted = {"harmless", "conditional", "scale"}
        return [
            place
            for match in self.parsed.phrases
            if accounted.isdisjoint(meaning.kind for meaning in match.meanings)
            for place in range(match.first, match.last)
        ]

    def _disallowed(self, readings: tuple[Reading, ...]) -> list[int]:
        """Places of phrases that could change which figure is asked of these measures."""
        places: list[int] = []
        asserted = [self._concept(reading.concept) for reading in readings if not reading.mention]
        for match, conditions in self.parsed.conditions():
            allowed = asserted and all(
                any(
                    one.allows(concept.key, concept.statement, concept.unit, concept.period)
                    or (one.whole and self._is_whole(concept.key))
                    for one in conditions
                )
                for concept in asserted
            )
            # "Apple's record revenue" is the highest of all years; "did Apple record revenue" is a frame.
            if not allowed or self.parsed.tokens[match.first].stem == "record":
                places += range(match.first, match.last)
        return places

    def _is_whole(self, key: str) -> bool:
        """Whether "total" leaves every word of the question for this measure what it is."""
        asked = [
            frozenset(token.stem for token in self.parsed.tokens[match.first : match.last])
            for match, found in self.parsed.measures
            if key in self.measures.keys(found[0])
        ]
        return bool(asked) and all(self.measures.is_whole(words, key) for words in asked)

    def _without_current(self, left: list[int], readings: tuple[Reading, ...]) -> list[int]:
        keys = {reading.concept for reading in readings if not reading.mention}
        words = [self.parsed.tokens[place].stem for place in left]
        if words == ["current"] and keys <= _CURRENT_OF and not self.parsed.periods:
            return []
        return left
