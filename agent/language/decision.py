"""Plan or refusal, once every word of a question has its use."""

from collections.abc import Sequence

from agent.codes import Code
from agent.language.companies import Companies
from agent.language.concepts import Measure, Measures
from agent.language.intents import Verdict, meta_of, verdict, yes_or_no
from agent.language.lexicon import Match, Meaning
from agent.language.misread import Misread
from agent.language.parsing import FUNCTION_WORDS, Parsed
from agent.language.periods import can_name
from agent.language.strangers import unknown_name
from agent.numbers.registry import Concept
from agent.state import CompanyRef, Period, PeriodForm, Plan, QuestionType, Reading, Span, Target

# With these, "current" says when and not which part: "current revenue", but never "current tax expense".
_CURRENT_OF = frozenset(
    {
        "revenue", "cost_of_revenue", "gross_profit", "rnd", "sga", "opex", "operating_income", "net_income",
        "eps_basic", "eps_diluted", "total_assets", "shares_out", "shares_out_cover", "cash", "cfo", "capex", "goodwill",
    }
)  # fmt: skip
# What is charged in a year and what is paid in it are two measures.
_PAID = {"income_tax": "taxes_paid", "interest_expense": "interest_paid"}


class Decision:
    """Plan or refusal of one parse."""

    def __init__(self, companies: Companies, measures: Measures, parsed: Parsed) -> None:
        self.companies, self.measures, self.parsed = companies, measures, parsed
        self.ciks = self._who()

    # --- who ---

    def _who(self) -> tuple[tuple[int, ...], ...]:
        """Each company named, as the CIKs it may be; names of one company once."""
        groups: list[set[int]] = []
        for mention in self.parsed.mentions:
            ciks = set(mention.ciks)
            same = next((group for group in groups if group & ciks), None)
            if same is None:
                groups.append(ciks)
            else:
                same &= ciks
        order = [cik for mention in self.parsed.mentions for cik in mention.ciks]
        return tuple(tuple(cik for cik in dict.fromkeys(order) if cik in group) for group in groups)

    @property
    def company(self) -> CompanyRef | None:
        return self.companies.get(self.ciks[0][0]) if len(self.ciks) == 1 and len(self.ciks[0]) == 1 else None

    # --- the decision ---

    def plan(self) -> Plan | Misread:
        parsed = self.parsed
        if meta := meta_of(parsed):
            return Plan(type=QuestionType.META, meta=meta, spans=self.spans())
        if found := verdict(parsed, len(self.ciks)):
            return self.refused(found)
        if not self.ciks:
            return self.no_company()
        if self.company is None:
            return self.misread(Code.AMBIGUOUS_COMPANY, (parsed.words_of(parsed.mentions[0]),), ciks=self.ciks[0])
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
        period, surplus = self._period()
        left += surplus
        scales = parsed.having("scale")
        left += [p for match, one in scales[1:] if one != scales[0][1] for p in range(match.first, match.last)]
        left = self._without_current(sorted(set(left)), readings)
        if parsed.free and not left:
            period = Period(form=PeriodForm.LATEST, text="current") if not period.text else period
        if left:
            paid = _PAID.get(readings[0].concept) if readings else None
            if paid and {parsed.tokens[place].stem for place in left} <= {"pay", "paid", "in", "out", "for"}:
                return self.misread(Code.AMBIGUOUS_CONCEPT, self._named(left), keys=(readings[0].concept, paid))
            return self.misread(Code.NOT_UNDERSTOOD, self._named(left), measure=measure, left=left)
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

    def _period(self) -> tuple[Period, list[int]]:
        """The one period asked for, and the places of others that do not say the same."""
        named = [(places, found.period) for places, found in self.parsed.periods if found.period]
        if not named:
            return Period(form=PeriodForm.LATEST), []
        order = {PeriodForm.ENDED: 0, PeriodForm.FISCAL: 1, PeriodForm.CALENDAR: 1, PeriodForm.BARE: 2}
        named.sort(key=lambda one: order.get(one[1].form, 3))
        first = named[0][1]
        if first.form is PeriodForm.BARE and any(
            self.parsed.tokens[match.first].stem in {"fiscal", "fy"} for match in self.parsed.phrases
        ):
            first = first.model_copy(update={"form": PeriodForm.FISCAL})
        surplus = [
            place
            for places, other in named[1:]
            if (other.form, other.year, other.end) != (first.form, first.year, first.end)
            and not (other.form is PeriodForm.BARE and first.form is PeriodForm.FISCAL and other.year == first.year)
            and not (first.form is PeriodForm.ENDED and can_name(other, first))
            for place in places
        ]
        return first, surplus

    def _without_current(self, left: list[int], readings: tuple[Reading, ...]) -> list[int]:
        keys = {reading.concept for reading in readings if not reading.mention}
        words = [self.parsed.tokens[place].stem for place in left]
        if words == ["current"] and keys <= _CURRENT_OF and not self.parsed.periods:
            return []
        return left

    def _named(self, left: Sequence[int]) -> tuple[str, ...]:
        """The words left over, neighbours together; words that only bind others are named where nothing else is."""
        tokens = self.parsed.tokens
        telling = [place for place in left if tokens[place].stem not in FUNCTION_WORDS] or list(left)
        runs: list[list[int]] = []
        for place in telling:
            if runs and place == runs[-1][-1] + 1:
                runs[-1].append(place)
            else:
                runs.append([place])
        return tuple(self.parsed.sentence.text(run) for run in runs)

    # --- refusals ---

    def refused(self, found: Verdict) -> Misread:
        measure = next((measures[0] for _, measures in self.parsed.measures), None)
        return self.misread(found.code, found.words, measure=measure, kind=found.type)

    def no_company(self) -> Misread:
        parsed = self.parsed
        numeric = parsed.measures or parsed.periods or parsed.having("unknown") or parsed.having("unclear")
        if numeric and (name := unknown_name(parsed)):
            near = self.companies.near(name)
            return self.misread(Code.UNKNOWN_COMPANY, (name,), ciks=tuple(one.cik for one in near))
        if not numeric:
            only = all(any(match.of("harmless")) for match in parsed.phrases)
            words = self._named(parsed.free) if parsed.free else ()
            code = Code.NO_COMPANY if only and not parsed.free else Code.OFF_TOPIC
            return self.misread(code, words, kind=QuestionType.REFUSE)
        return self.misread(Code.NO_COMPANY, ())

    def misread(
        self,
        code: Code,
        words: Sequence[str],
        *,
        kind: QuestionType = QuestionType.NUMERIC,
        ciks: Sequence[int] = (),
        keys: Sequence[str] = (),
        measure: Measure | None = None,
        left: Sequence[int] = (),
    ) -> Misread:
        concepts = tuple(keys) or (self.measures.keys(measure) if measure else ())
        named = tuple(ciks) or tuple(cik for group in self.ciks for cik in group)
        refs = [ref for ref in (self.companies.get(cik) for cik in named[:6]) if ref]
        # Of several companies the first stands for the rest: measure and period are the same for all.
        company = self.company or (refs[0] if refs and code is Code.CROSS_COMPANY else None)
        about = None
        if company is not None:
            readings = () if measure is None else self.measures.readings(measure)
            about = Target(id=0, company=company, period=self._period()[0], readings=readings)
        return Misread(
            code=code,
            type=kind,
            words=tuple(words),
            companies=named[:6],
            names=tuple(f"{ref.name} ({ref.symbol})" if ref.symbol else ref.name for ref in refs),
            concepts=concepts,
            labels=tuple(self.measures.name(key) for key in concepts)
            or ((self.measures.label(measure),) if measure else ()),
            about=about,
            scale=next(iter(self.parsed.scales), None),
            spans=self.spans(left),
        )

    def spans(self, unused: Sequence[int] = ()) -> tuple[Span, ...]:
        names = {}
        for mention in self.parsed.mentions:
            for cik in mention.ciks[:3]:
                if ref := self.companies.get(cik):
                    names[cik] = ref.short
        return self.parsed.spans(names, unused)
