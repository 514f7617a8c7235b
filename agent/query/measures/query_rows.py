"""Which rows the measures make: each its own, or put together as shares, sums and differences of measures."""

from collections.abc import Iterable, Sequence
from itertools import pairwise, product

from agent.query.dates.years import Asked
from agent.query.measures.accounting_words import Measures
from agent.query.measures.definitions import Phrase
from agent.query.measures.measures_of_parts import QUOTIENTS
from agent.query.measures.named_parts import LISTING
from agent.query.measures.phrases import Phrases
from agent.query.wording.instructions import form_of
from agent.query.words.lexicon import key_of
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Part, Sentence
from agent.query.words.word_classes import GROWING, connecting
from agent.refusals.codes import Code
from agent.state.query import Breakdown, Combined, Concept, Line, Member, Metric, Row, Share
from agent.words.tokens import stems

Listed = list[tuple[Phrase, tuple[Row, ...]]]
_NAMES = (
    *GROWING, "cagr", "average", "sum", "highest", "lowest", "rank", "compare", "difference", "share", "ratio", "trend",
    "each", "which_year", "which_one", "positive", "negative",
)  # fmt: skip
_WHOLE = frozenset({"total", "consolidated"})
# Classes of verbs by which money comes in or goes out.
_MONEY = frozenset({"earn", "pay", "spend", "flow"})
_RATED = frozenset({"percent", "ratio", "days"})


class Rows:
    """The rows of one sentence, and the words of operations in it."""

    def __init__(
        self,
        sentence: Sentence,
        phrases: Sequence[Phrase],
        found: Phrases,
        measures: Measures,
        asked: Asked,
        companies: int,
    ) -> None:
        self.sentence, self.phrases, self.measures = sentence, list(phrases), measures
        self.asked, self.companies = asked, companies
        self.parts = [
            part
            for number, clause in enumerate(sentence.clauses)
            if number not in found.passed and (clause.measures or not sentence.is_asker(clause))
            for part in clause.parts
            if part.first not in found.used
        ]
        self.named = {name: [part for part in self.parts if name in part.values("operation")] for name in _NAMES}
        # Of a share both measures are named, or a part and "of total": "could it cover its bills?" asks for none.
        measured = {part.first for clause in sentence.clauses if clause.measures for part in clause.parts}
        of_parts = any(phrase.members for phrase in phrases)
        self.named["share"] = [part for part in self.named["share"] if of_parts or part.first in measured]
        if of_parts:  # "AWS revenue share"
            ends = {phrase.last for phrase in phrases if phrase.members}
            self.named["share"] += [part for part in self.parts if part.first in ends and part.bases == ("share",)]
        self.units = {value for part in self.parts if (value := part.value("unit"))}
        # "Answer in percent" tells a rate from a change in dollars.
        if self.grows and any(form_of(words).percent for words in sentence.passed):
            self.units.add("percent")
        self.used: set[int] = set()  # first tokens of parts that served
        self.defined = found.used  # those that define or qualify a measure

    def use(self, *parts: Part) -> None:
        """Marks parts as served."""
        self.used.update(part.first for part in parts)

    @property
    def grows(self) -> bool:
        return any(self.named[name] for name in GROWING)

    def rows(self) -> Listed:
        """The rows of each phrase. Raises Refused."""
        if not {part.value("verb") for part in self.sentence.parts} & _MONEY:
            lists = {
                at
                for one, other in pairwise(self.phrases)
                if LISTING & {*self._words(one, other)}
                for at in (one.first, other.first)
            }
            for phrase in self.phrases:
                if phrase.first not in lists:
                    self._check_part(phrase)
        listed: Listed = []
        for phrase in self.phrases:
            text = self.sentence.text(phrase.part)
            listed.append((phrase, tuple(row.of(row.measure, text=row.text or text) for row in phrase.named.rows)))
        return self._combined(self._shares(listed))

    # --- shares ---

    def _shares(self, listed: Listed) -> Listed:
        """ "A as % of B", "A to B", "A / B": the registry's metric of just these, else a share."""
        marks = self.named["share"]
        for mark in marks if self.companies > 1 else ():
            if any(part.mention for part in self.parts if part.first == mark.last):
                raise Refused(Code.CROSS_COMPANY, self.sentence.text(mark))  # "50% of AMD's revenue"
        if len(listed) == 2 and any(part.first < listed[0][0].first for part in marks):
            (one, ones), (other, others) = listed
            between = self._between(one, other)
            # "Share of R&D in revenue", but "what % of earnings in 2023 is paid out as dividends".
            within = self._words(one, other)[:1] == ["in"] and not any(part.stretch for part in between[1:2])
            part, whole = (ones, others) if within else (others, ones)
            self._check_part(one if within else other)
            return [(other, self._ratios(part, whole))]
        if marks and len(listed) == 1 and all(row.measure.kind in {"member", "breakdown"} for row in listed[0][1]):
            return [self._of_total(*listed[0], marks[0])]
        if "percent" in self.units and not (
            self.grows or marks or any(self._divides(*pair) for pair in pairwise(self.phrases))
        ):
            return [(phrase, tuple(map(with_shares, rows))) for phrase, rows in listed]
        found: Listed = []
        for phrase, rows in listed:
            before = found[-1] if found else None
            if before is None or not self._divides(before[0], phrase):
                found.append((phrase, rows))
            elif any("sum" in part.values("operation") for part in self._between(before[0], phrase)):
                parts = tuple(row.measure for _, held in found for row in held if not row.mention)
                share = Share(part=Combined(sign="+", parts=parts), whole=rows[0].measure)
                found.append((phrase, (Row(measure=share, text="their sum"),)))
            else:
                self._check_part(before[0])
                words = tuple(self._words(before[0], phrase))
                quotient = words in QUOTIENTS or not connecting("in percent").isdisjoint(words)
                found[-1] = (phrase, self._ratios(before[1], rows, quotient=quotient))
        if found == listed:
            units = {self.measures.unit(key_of(row.measure)) for _, rows in found for row in rows}
            idle = [] if units & _RATED or self.grows else self.named["ratio"]
            if stray := [*(one for one in marks if one not in self.named["compare"]), *idle]:
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(stray[0]))
        return found

    def _of_total(self, phrase: Phrase, rows: Sequence[Row], mark: Part) -> tuple[Phrase, tuple[Row, ...]]:
        """Parts as shares of the whole: "Greater China share of sales", "AWS revenue as % of total".

        Its whole is that of the measure: what "share of" is followed by is the measure, or "total".
        """
        behind = next((part for part in self.parts if part.first >= mark.last and not part.has("frame")), None)
        whole = behind is None or behind.first == phrase.first or behind.value("qualifier") in _WHOLE
        within = behind is not None and (behind.mention or behind.stretch) and phrase.first > mark.first
        if not (whole or within or mark.first == phrase.last):  # "AWS revenue share"
            raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(mark))
        self.used.update(part.first for part in self.parts if part.value("qualifier") in _WHOLE)
        if rows[0].measure.kind == "breakdown":
            return phrase, tuple(map(with_shares, rows))
        parts = self._sums(phrase, rows) or [(phrase, tuple(rows))]
        of = next(row.measure.of for row in rows if isinstance(row.measure, Member))
        return phrase, tuple(row.of(Share(part=row.measure, whole=of)) for _, ones in parts for row in ones)

    def _check_part(self, phrase: Phrase) -> None:
        """Refuse a measure that a part is called by, too: is advertising what is sold, or what is paid for?"""
        named = self.measures.lexicon.part(phrase.part.stems)
        if named and not phrase.members and phrase.named.keys != ("revenue",):
            both = ("revenue", *phrase.named.keys)
            raise Refused(Code.AMBIGUOUS_CONCEPT, self.sentence.text(phrase.part), measures=both)

    def _between(self, one: Phrase, other: Phrase) -> list[Part]:
        return [part for part in self.parts if one.last <= part.first < other.first]

    def _words(self, one: Phrase, other: Phrase) -> list[str]:
        return [base for part in self._between(one, other) for base in part.bases]

    def _divides(self, one: Phrase, other: Phrase) -> bool:
        between = self._between(one, other)
        if any(part in self.named["share"] for part in between):
            return True
        words = tuple(self._words(one, other))
        if words == ("%",):  # "capex % sales"; "gross margin %, operating margin %" lists two
            rated = any(self.measures.unit(key) in _RATED for key in (*one.named.keys, *other.named.keys))
            return self.sentence.gap(one, other).strip() == "%" and not rated
        return words in QUOTIENTS and not any(part.stretch or part.mention for part in between)

    def _ratios(self, parts: Sequence[Row], wholes: Sequence[Row], *, quotient: bool = False) -> tuple[Row, ...]:
        """The shares of every reading of one measure in every reading of the other."""
        whole = [self._unratioed(row) for row in wholes if not row.mention]
        pairs = self._of_one_unit(product([row for row in parts if not row.mention], whole))
        return tuple(self._ratio(*pair, quotient=quotient) for pair in pairs)

    def _of_one_unit(self, pairs: Iterable[tuple[Row, Row]]) -> list[tuple[Row, Row]]:
        """The pairs of readings in one unit, where there are any: "dividends" of a cash flow are not those per share."""
        listed = list(pairs)
        alike = [pair for pair in listed if len({self.measures.unit(key_of(row.measure)) for row in pair}) == 1]
        return alike or listed

    def _ratio(self, part: Row, whole: Row, *, quotient: bool) -> Row:
        if isinstance(part.measure, Metric) and self.measures.is_share_of(part.measure, key_of(whole.measure)):
            return part  # "R&D intensity, % of revenue"
        if isinstance(part.measure, Breakdown) and part.measure.of == whole.measure:
            return with_shares(part)
        kinds = {one.measure.kind for one in (part, whole)}
        if len(kinds) > 1 and kinds & {"member", "breakdown"} and getattr(part.measure, "of", None) != whole.measure:
            # "AWS operating income / revenue": of AWS, or of all?
            raise Refused(Code.NOT_UNDERSTOOD, f"{part.text} / {whole.text}")
        metric = self.measures.ratio(key_of(part.measure), key_of(whole.measure))
        measure = metric or Share(part=part.measure, whole=whole.measure, quotient=quotient)
        return Row(measure=measure, text=f"{part.text} / {whole.text}", term=part.term or whole.term)

    def _unratioed(self, row: Row) -> Row:
        """ "Liabilities to equity ratio": of the second name, "ratio" belongs to both."""
        words = stems(row.text)
        named = self.measures.lexicon.named(words[:-1]) if words[-1:] == ("ratio",) else None
        return named.rows[0].model_copy(update={"text": row.text}) if named else row

    # --- sums and differences ---

    def _combined(self, listed: Listed) -> Listed:
        """ "The sum of A and B", "A minus B"; of parts of the company "A plus B", "A and B combined"."""
        if len(listed) == 1 and (summed := self._sums(*listed[0])):
            return summed
        if summed := self._put_together(listed):
            return summed
        if len(listed) != 2:
            return listed
        (one, ones), (other, others) = listed
        words = set(self._words(one, other))
        if any(
            part.has("qualifier", "comparator") or part.value("operation") == "compare"
            for part in self._between(one, other)
        ):
            return listed  # "total borrowings (current plus long-term) against equity"
        sums = [part for part in self.named["sum"] if part.first < one.first and not self.asked.several]
        subtracts = bool(words & {"minus", "less"})
        if not (subtracts or "plus" in words or (sums and words & {"and", "+"})):
            return listed
        self.use(*self._between(one, other), *sums)
        if [row.measure for row in ones] == [row.measure for row in others]:
            return self._of_itself(one, ones, "difference" if subtracts else "sum", self._between(one, other))
        read = product([row for row in ones if not row.mention], [row for row in others if not row.mention])
        pairs = [(part.measure, other.measure) for part, other in self._of_one_unit(read)]
        text = self.sentence.text(one.part, other.part)
        return [
            (
                one,
                tuple(Row(measure=Combined(sign="-" if subtracts else "+", parts=pair), text=text) for pair in pairs),
            )
        ]

    def _put_together(self, listed: Listed) -> Listed:
        """The parts of the question before as one sum: "both added together"."""
        rows = [row for _, group in listed for row in group]
        measures = tuple(row.measure for row in rows if isinstance(row.measure, Member))
        words = connecting("put together")
        told = [one for one in self.named["sum"] if not self.asked.several or set(one.bases) & words]
        taken = all(phrase.taken for phrase, _ in listed)
        if not told or not taken or not 1 < len(measures) == len(rows) or len({one.of for one in measures}) > 1:
            return []
        self.use(*told)
        return [(listed[0][0], (rows[0].of(Combined(sign="+", parts=measures)),))]

    def _of_itself(self, phrase: Phrase, rows: tuple[Row, ...], made: str, between: Sequence[Part]) -> Listed:
        """ "Revenue in 2024 minus revenue in 2023": one measure, whose years or companies are put together."""
        if not (self.asked.several or self.companies > 1):
            raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(between[0], between[-1]))
        self.named[made].append(next(part for part in between if part.stems[0] in connecting("signs")))
        self.used.difference_update(part.first for part in self.named[made])
        return [(phrase, rows)]

    def _sums(self, phrase: Phrase, rows: Sequence[Row]) -> Listed:
        """One measure of several parts put together; none where they are only listed, or the years are what is added up."""
        measures = tuple(row.measure for row in rows if isinstance(row.measure, Member))
        places = sorted(part.first for part in phrase.members)
        if len(measures) < 2 or len(measures) != len(rows):
            return []
        words = {self.sentence.tokens[place].base for place in range(places[0], places[-1])}
        # "Total revenue of A and B" lists what is total of each.
        told = [part for part in self.named["sum"] if part.last != phrase.first or part.stems != ("total",)]
        together = any(part.says("put together") for part in told)
        if words & {"minus", "less"} or not (words & {"plus", "+"} or told):
            return []
        if self.asked.several and not together:
            return []
        self.use(*told)
        text = self.sentence.text(phrase.part)
        # Of a name with two readings, the parts of each.
        readings = [tuple(one for one in measures if one.of == of) for of in dict.fromkeys(one.of for one in measures)]
        return [(phrase, tuple(Row(measure=Combined(sign="+", parts=parts), text=text) for parts in readings))]


def with_shares(row: Row) -> Row:
    """A measure by its parts, with the share of each in the total; another measure as it is, and what has no total."""
    measure = row.measure
    if not isinstance(measure, Breakdown) or not isinstance(measure.of, Concept | Line):
        return row
    return row.of(measure.model_copy(update={"shares": True}))


def distinct(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows, each measure once."""
    found: dict[object, Row] = {}
    for row in rows:
        found.setdefault((row.measure, row.mention), row)
    return tuple(found.values())
