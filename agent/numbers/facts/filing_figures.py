"""The figures of one filing: the candidates for each concept, with their statement line and printed label."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from rapidfuzz import fuzz, process

from agent.numbers.facts.rounding import half_unit
from agent.numbers.registry.registry import Concept, Condition, PeriodType, Registry, Statement, Unit
from agent.numbers.registry.row_labels import Fit, label_words
from filings.models import Document, Fact, Filing
from filings.xbrl import facts
from filings.xbrl.facts import PeriodWanted, Value
from filings.xbrl.stored_faces import Face, FaceLine, faces

# Without a SIC code: tags that only companies of an industry have on their statements.
TELLING_TAGS = {"bank": "us-gaap:Deposits", "insurer": "us-gaap:PremiumsEarnedNet"}
STANDARD = frozenset({"us-gaap", "dei", "srt"})
# A separate line for depreciation or amortization means that the cost line excludes it (ABT, BMY).
COST_WORDS = re.compile(r"\b(costs?|depreciation|amortization|depletion)\b", re.IGNORECASE)
NOT_A_COST_LINE = re.compile(
    r"total|and expenses|research|selling|general|marketing|interest|financing", re.IGNORECASE
)
# A line of losses alone, which prints them with a sign or without.
LOSS, GAIN = (
    re.compile(said, re.IGNORECASE)
    for said in (r"\b(?:loss(?:es)?|deficit)\b", r"\b(?:income|earnings|profits?|gains?|surplus|equity)\b")
)
COST, INCOME = (
    re.compile(said, re.IGNORECASE)
    for said in (r"\b(?:expenses?|loss(?:es)?|provision|charges?)\b", r"\b(?:income|gains?|benefits?|credits?)\b")
)
COMMON_WORDS = frozenset(
    [
        "and",
        "or",
        "of",
        "the",
        "for",
        "in",
        "to",
        "from",
        "net",
        "total",
        "other",
        "expense",
        "expenses",
        "income",
        "loss",
        "amount",
    ]
)
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|\d+")
PERIODS = {
    (PeriodType.DURATION, 0): PeriodWanted.ANNUAL,
    (PeriodType.DURATION, -1): PeriodWanted.PRIOR_ANNUAL,
    (PeriodType.INSTANT, 0): PeriodWanted.INSTANT,
    (PeriodType.INSTANT, -1): PeriodWanted.PRIOR_INSTANT,
    (PeriodType.DURATION, -2): PeriodWanted.SECOND_PRIOR_ANNUAL,
    (PeriodType.INSTANT, -2): PeriodWanted.SECOND_PRIOR_INSTANT,
    (PeriodType.INSTANT_AFTER_FYE, 0): PeriodWanted.COVER,
    (PeriodType.INSTANT_Q2, 0): PeriodWanted.SECOND_QUARTER,
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """One value that may answer a concept. `condition`: why its tag is admitted; None for the concept's own tags."""

    held: Value
    face: str | None
    label: str
    fit: Fit
    condition: Condition | None = None

    @property
    def fact(self) -> Fact:
        return self.held.fact

    @property
    def name(self) -> str:
        return self.held.name

    @property
    def tag(self) -> str:
        tag: str = self.fact.tag
        return tag

    @property
    def value(self) -> Decimal:
        return self.held.value

    @property
    def decimals(self) -> int | None:
        return self.fact.decimals

    @property
    def half_unit(self) -> Decimal:
        return half_unit(self.value, self.decimals)

    @property
    def standard(self) -> bool:
        return self.fact.taxonomy in STANDARD


class FilingFigures:
    """The facts and statements of one filing, read once."""

    def __init__(self, filing: Filing, registry: Registry) -> None:
        self.filing, self.registry = filing, registry
        # They are the same for each year of the filing.
        self._fitting: dict[str, dict[bool, list[FaceLine]]] = {}

    @cached_property
    def faces(self) -> dict[str, Face]:
        """The stored statements by kind."""
        return {str(kind): face for kind, face in faces(self.filing).items()}

    @cached_property
    def documents(self) -> list[Document]:
        """The filing's documents."""
        return list(self.filing.documents.all())

    @cached_property
    def industries(self) -> frozenset[str]:
        """The company's industries by SIC code, or else by a tag that only such companies have."""
        if self.filing.company.sic:
            return self.registry.industries_of(self.filing.company.sic)
        periods = (PeriodWanted.ANNUAL, PeriodWanted.INSTANT)
        held = {
            one.name for period in periods for one in facts.held(self.filing, [*TELLING_TAGS.values()], period=period)
        }
        return frozenset(name for name, tag in TELLING_TAGS.items() if tag in held)

    @cached_property
    def currency(self) -> str:
        """The currency of the statements: USD, or the only other one in which total assets are tagged, or that is printed."""
        if any(face.is_printed for face in self.faces.values()):
            units = facts.currencies(self.filing)
            return units.pop() if len(units) == 1 else "USD"
        held = facts.held(self.filing, ["us-gaap:Assets"], period=PeriodWanted.INSTANT)
        units = {value.fact.unit for value in held}
        return units.pop() if len(units) == 1 else "USD"

    def unit(self, concept: Concept) -> str:
        """The unit of a concept's facts in this filing, in the currency of the statements."""
        return str(concept.unit).replace("USD", self.currency)

    def face_of(self, concept: Concept) -> Face | None:
        """The statement on which a concept's line should stand; None where it is not stored or does not decide."""
        return self.faces.get(concept.statement) if concept.statement in self.faces else None

    def lines(
        self, name: str, statements: Iterable[str], *, asides: bool = False
    ) -> tuple[str | None, tuple[FaceLine, ...]]:
        """The lines of the first statement on which a tag stands.

        asides: also figures inside a row's label; per-share amounts stand so in statements of equity.
        """
        for kind in statements:
            face = self.faces.get(kind)
            if face and (lines := tuple(line for line in face.lines_of(name) if asides or not line.aside)):
                return kind, lines
        return None, ()

    def lines_for(self, concept: Concept, name: str) -> tuple[str | None, tuple[FaceLine, ...]]:
        """The lines of the first of a concept's statements on which a tag stands."""
        return self.lines(name, concept.statements, asides=concept.unit is Unit.PER_SHARE)

    def candidates(
        self, concept: Concept, names: Iterable[tuple[str, Condition | None]], offset: int
    ) -> Iterator[Candidate]:
        """The values under these tags for the concept's period and unit, in the order of the names."""
        wanted = PERIODS.get((concept.period, offset))
        if wanted is None:
            return
        conditions = dict(names)
        seen: set[str] = set()
        for held in facts.held(self.filing, list(conditions), unit=self.unit(concept), period=wanted):
            if held.name in seen:  # of cover facts, the newest date comes first
                continue
            seen.add(held.name)
            kind, lines = self.lines_for(concept, held.name)
            if (one := as_meant(held, concept, lines)) is None or not self.stands_right(concept, lines):
                continue
            held = one
            told = [one for line in lines for one in (line.label, *in_full(concept, line))]
            label, fit = judged(concept, told or [held.fact.label])
            yield Candidate(held, kind, label, fit, conditions[held.name])

    def prints(self, concept: Concept, offset: int) -> bool:
        """Whether a line of a measure has a figure for the year other than zero, whatever its sign is."""
        wanted = PERIODS.get((concept.period, offset))
        names = [line.name for line in self.fitting_lines(concept)]
        return wanted is not None and any(one.value for one in facts.held(self.filing, names, period=wanted))

    def may_print(self, concept: Concept) -> bool:
        """Whether a document without XBRL may print a measure under words that the registry does not know."""
        prints = any(face.is_printed for face in self.faces.values())
        return prints and (self.face_of(concept) is None or bool(self.nearest_line(concept)))

    def stands_right(self, concept: Concept, lines: Iterable[FaceLine]) -> bool:
        """Whether printed lines stand on the side of the total that the registry says: current debts above their total."""
        face = self.face_of(concept)
        if face is None or not face.is_printed:
            return True
        for key, sign in ((concept.above, 1), (concept.below, -1)):
            totals = self.fitting_lines(self.registry.concepts[key]) if key else []
            if totals and any(sign * (totals[0].order - line.order) < 0 for line in lines):
                return False
        return True

    def fitting_lines(self, concept: Concept, *, standard: bool = False) -> list[FaceLine]:
        """Lines whose label fits, under the company's own tags or standard tags that the concept does not list.

        Where only a linkbase is available, the words of a company's tag stand in for its label.
        """
        if concept.key not in self._fitting:
            face, listed = self.face_of(concept), {one.name for one in concept.candidates}
            found: dict[bool, list[FaceLine]] = {False: [], True: []}
            for line in face.lines if face else ():
                of_standard = line.name.partition(":")[0] in STANDARD
                said = line.label or ("" if of_standard else words(line.name))
                fits = any(concept.fit(one) is Fit.ACCEPTED for one in (said, *in_full(concept, line)))
                if line.name not in listed and not line.aside and fits:
                    found[of_standard].append(line)
            self._fitting[concept.key] = found
        return self._fitting[concept.key][standard]

    def wider_lines(self, concept: Concept) -> list[FaceLine]:
        """Lines of the concept's statements for the measure and more, by the registry's words, under other tags."""
        listed = {one.name for one in concept.candidates}
        return [
            line
            for kind in concept.statements
            for line in (self.faces[kind].lines if kind in self.faces else ())
            if concept.wider and line.name not in listed and not line.aside
            if re.search(concept.wider, label_words(said := line.label or words(line.name))[0])
            if concept.fit(said) is not Fit.REJECTED
        ]

    @cached_property
    def cost_lines(self) -> list[FaceLine]:
        """Lines of the income statement that look like a cost of sales, or a part of it."""
        face = self.faces.get(Statement.INCOME)
        said = [(line, line.label or words(line.name)) for line in (face.lines if face else ())]
        return [line for line, text in said if COST_WORDS.search(text) and not NOT_A_COST_LINE.search(text)]

    def other_cost_lines(self, cost: Candidate) -> list[FaceLine]:
        """The cost lines with another value than the chosen one."""
        return [
            line
            for line in self.cost_lines
            if line.name != cost.name and any(one.value != cost.value for one in facts.held(self.filing, [line.name]))
        ]

    def other_lines(self, concept: Concept, pattern: str, used: Iterable[str]) -> list[FaceLine]:
        """Lines of a concept's statement whose label matches a pattern and whose tag is not used yet."""
        face, names = self.face_of(concept), set(used)
        return [
            line
            for line in (face.lines if face else ())
            if line.name not in names and re.search(pattern, (line.label or words(line.name)).lower())
        ]

    def only_by_dimension(self, concept: Concept, offset: int) -> bool:
        """Whether a measure is reported only by class or segment.

        Either its line is on the statement without a value for the whole company in any column; or it is the cover's
        share count, which every cover gives: if other cover facts are there and it is not, it is given by class.
        """
        if offset:
            return False
        if concept.statement is Statement.COVER:
            cover = facts.held_names(self.filing, period=PeriodWanted.SECOND_QUARTER)
            return concept.period is PeriodType.INSTANT_AFTER_FYE and "dei:EntityPublicFloat" in cover
        face = self.face_of(concept)
        if face is None:
            return False
        by_class = {line.name for line in face.dimensional}
        return any(
            name in by_class or (name in face and not facts.has_value(self.filing, name)) for name in concept.names
        )

    def nearest_line(self, concept: Concept) -> str:
        """The statement line nearest to a concept: similar words, or a line that the concept names as another measure."""
        face = self.face_of(concept)
        said = list(dict.fromkeys((line.label or words(line.name)) for line in (face.lines if face else ())))
        alike = process.extractOne(
            telling(concept.label), said, scorer=fuzz.token_set_ratio, processor=telling, score_cutoff=75
        )
        mistaken = [label for label in said if concept.fit(label) is Fit.REJECTED]
        return str(alike[0]) if alike else mistaken[0] if len(mistaken) == 1 else ""


def as_meant(held: Value, concept: Concept, lines: Iterable[FaceLine]) -> Value | None:
    """A value with the concept's own sign; None where a printed figure's is not known.

    A document prints an outflow or a cost with either sign: the sums of its statement say which it is.
    """
    if held.fact.source != Fact.Source.PRINTED or not held.value:
        return held
    if concept.sums:
        found = {printed_as(line) for line in lines}
        return replace(held, negated=found != {concept.sums}) if found in ({"cost"}, {"income"}) else None
    label = held.fact.label
    if concept.sign == "signed" and held.value > 0 and LOSS.search(label) and not GAIN.search(label):
        return None
    return replace(held, negated=concept.sign == "pos" and held.value < 0)


def in_full(concept: Concept, line: FaceLine) -> tuple[str, ...]:
    """A line's label behind that above it, of amounts per share and counts of shares: "Diluted, net income"."""
    if concept.unit is Unit.USD or not line.heading or concept.rejects(line.label):
        return ()
    return (f"{line.heading}, {line.label}",)


def printed_as(line: FaceLine) -> str:
    """Whether a printed line's figures are costs or income; "" where neither its label nor the sums say.

    What stands in brackets is what a figure in brackets is: "Other income (expense)" prints income.
    """
    brackets = " ".join(re.findall(r"\(([^()]*)\)", line.label))
    costs, income = COST.search(brackets), INCOME.search(brackets)
    if bool(costs) != bool(income):
        return "income" if costs else "cost"
    return {1: "income", -1: "cost"}.get(line.adds, "")


def judged(concept: Concept, labels: Iterable[str]) -> tuple[str, Fit]:
    """The best-fitting printed label of a tag, and how it fits the concept."""
    fits = [(concept.fit(label), label) for label in labels if label]
    for wanted in (Fit.ACCEPTED, Fit.UNKNOWN, Fit.REJECTED):
        for fit, label in fits:
            if fit is wanted:
                return label, fit
    return "", Fit.UNKNOWN


def telling(label: str) -> str:
    """A label without words that half of all lines share."""
    return " ".join(word for word in re.findall(r"[a-z]+", label.lower()) if word not in COMMON_WORDS)


def words(name: str) -> str:
    """The words of a tag: us-gaap:CostOfRevenue as cost of revenue."""
    return " ".join(WORD.findall(name.partition(":")[2])).lower()
