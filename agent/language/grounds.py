"""What one parse of a question says of whom and when it asks, and its refusals."""

from collections.abc import Sequence

from agent.registrants.companies import Companies
from agent.language.concepts import Measure, Measures
from agent.language.intents import Verdict
from agent.registrants.mentions import Mention
from agent.language.misread import Misread
from agent.language.parsing import FUNCTION_WORDS, Parsed
from agent.query.dates import PeriodMatch, can_name
from agent.language.strangers import unknown_name
from agent.refusals.codes import Code
from agent.state import CompanyRef, Period, PeriodForm, QuestionType, Span, Target


class Grounds:
    """One parse, the companies it names, and how it is refused.

    inherited: the company of the question's other part, for a part that names none.
    """

    def __init__(
        self, companies: Companies, measures: Measures, parsed: Parsed, inherited: Sequence[Mention] = ()
    ) -> None:
        self.companies, self.measures, self.parsed = companies, measures, parsed
        self.mentions = tuple(parsed.mentions) or tuple(inherited)
        self.ciks = self._who()

    # --- who ---

    def _who(self) -> tuple[tuple[int, ...], ...]:
        """Each company named, as the CIKs it may be; names of one company once."""
        groups: list[set[int]] = []
        for mention in self.mentions:
            ciks = set(mention.ciks)
            same = next((group for group in groups if group & ciks), None)
            if same is None:
                groups.append(ciks)
            else:
                same &= ciks
        order = [cik for mention in self.mentions for cik in mention.ciks]
        return tuple(tuple(cik for cik in dict.fromkeys(order) if cik in group) for group in groups)

    @property
    def company(self) -> CompanyRef | None:
        return self.companies.get(self.ciks[0][0]) if len(self.ciks) == 1 and len(self.ciks[0]) == 1 else None

    # --- when ---

    def period(self, periods: Sequence[tuple[range, PeriodMatch]] | None = None) -> tuple[Period, list[int]]:
        """The one period asked for, and the places of others that do not say the same.

        periods: those among which it is; all that the question names, where not given.
        """
        among = self.parsed.periods if periods is None else periods
        named = [(places, found.period) for places, found in among if found.period]
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

    # --- words ---

    def named(self, left: Sequence[int]) -> tuple[str, ...]:
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
        return self.misread(found.code or Code.NOT_UNDERSTOOD, found.words, measure=measure, kind=found.type)

    def no_company(self) -> Misread:
        parsed = self.parsed
        numeric = parsed.measures or parsed.periods or parsed.having("unknown") or parsed.having("unclear")
        if numeric and (name := unknown_name(parsed)):
            near = self.companies.near(name)
            return self.misread(Code.UNKNOWN_COMPANY, (name,), ciks=tuple(one.cik for one in near))
        if not numeric:
            only = all(any(match.of("harmless")) for match in parsed.phrases)
            words = self.named(parsed.free) if parsed.free else ()
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
            about = Target(id=0, company=company, period=self.period()[0], readings=readings)
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
