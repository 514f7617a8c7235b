"""A base concept of the registry: its tags, their conditions, and the labels it is printed under."""

import re
from enum import StrEnum
from functools import cache, cached_property
from typing import Literal, NamedTuple, Self

from pydantic import Field, model_validator

from agent.numbers.registry.registry_schema import Entry, Expression, Pattern, Tag, qualified
from agent.numbers.registry.row_labels import Fit, label_words

# The ten seed concepts and their tags, which may not change.
SEED_TAGS = {
    "revenue": ("Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax"),
    "net_income": ("NetIncomeLoss",),
    "rnd": ("ResearchAndDevelopmentExpense",),
    "total_assets": ("Assets",),
    "total_debt": ("LongTermDebt",),
    "cash": ("CashAndCashEquivalentsAtCarryingValue",),
    "eps_diluted": ("EarningsPerShareDiluted",),
    "shares_out": ("CommonStockSharesOutstanding",),
    "opex": ("OperatingExpenses",),
    "gross_profit": ("GrossProfit",),
}


class Statement(StrEnum):
    """The statement on which a concept is printed; `note` is anywhere in the notes."""

    INCOME = "income"
    COMPREHENSIVE = "comprehensive"
    BALANCE = "balance"
    CASHFLOW = "cashflow"
    EQUITY = "equity"
    COVER = "cover"
    NOTE = "note"


# The names that people use.
STATEMENTS = {
    "income": "income statement",
    "comprehensive": "statement of comprehensive income",
    "balance": "balance sheet",
    "cashflow": "cash flow statement",
    "equity": "statement of equity",
    "cover": "cover page",
}
# Statement -> the concept that its common-size form is in percent of; equity has none.
WHOLES = {"income": "revenue", "comprehensive": "revenue", "cashflow": "revenue", "balance": "total_assets"}


class PeriodType(StrEnum):
    """The kind of period that a concept is reported for."""

    DURATION = "duration"
    INSTANT = "instant"
    INSTANT_AFTER_FYE = "instant_after_fye"  # a cover date after the year end
    INSTANT_Q2 = "instant_q2"  # last business day of the second fiscal quarter


class Unit(StrEnum):
    """The unit that a fact must have. USD stands for the filing's currency."""

    USD = "USD"
    SHARES = "shares"
    PER_SHARE = "USD/shares"
    PURE = "pure"


class Face(StrEnum):
    """How a statement's face decides which fact answers a concept."""

    FIRST = "first"  # a tag on the face beats tag order; a note's fact answers only where no face line is the concept
    REQUIRED = "required"  # only a tag on the face answers
    WHERE_HELD = "where_held"  # the same where the face is held; without it, candidates that agree answer
    ANY = "any"  # reported in notes or on the cover: no face decides


class Condition(StrEnum):
    """When a fallback tag may be used. Every condition also requires that no tag of `tags` answers."""

    ABSENT = "absent"
    NO_NCI = "no_nci"  # the filing tags no noncontrolling interest
    NO_PREFERRED = "no_preferred"  # the filing tags no preferred dividends
    ON_FACE = "on_face"  # the tag stands on a face of the concept's statements
    FACE_LABEL = "face_label"  # on such a face, and the printed row label is accepted


class Pick(StrEnum):
    """A special rule for choosing among candidates."""

    REVENUE = "revenue_rule"  # zero candidates dropped; a larger candidate must be settled by an identity
    EPS = "eps_rule"  # candidates settled by EPS x shares
    ONLY_LINE = "only_line"  # two differing lines may be parts or two measures: neither answers


class Fallback(Entry):
    """Further tags, in order, under one condition. In the file the condition is the field `when`."""

    condition: Condition = Field(default=Condition.ABSENT, alias="when")
    tags: tuple[Tag, ...] = Field(min_length=1)

    @property
    def names(self) -> tuple[str, ...]:
        """The tags with their taxonomy."""
        return tuple(qualified(tag) for tag in self.tags)


class Candidate(NamedTuple):
    """One tag that may answer a concept. `condition` is None for the concept's own tags."""

    name: str
    condition: Condition | None = None


class Concept(Entry):
    """One base measure: a single XBRL fact, or an expression over cited facts."""

    key: str
    label: str = Field(min_length=1)
    seed: bool = False
    statement: Statement
    also_on: tuple[Statement, ...] = Field(default=(), description="Other statements where the line may stand.")
    period: PeriodType
    unit: Unit
    sign: Literal["pos", "signed"] = Field(description="pos: tagged positive in normal use, outflows included.")
    sums: Literal["", "cost", "income"] = Field(
        default="", description="Printed with either sign: the sums of its statement tell which it is."
    )
    face: Face = Face.FIRST
    aliases: tuple[str, ...] = Field(min_length=1)
    tags: tuple[Tag, ...] = Field(min_length=1)
    overrides: tuple[Tag, ...] = Field(default=(), description="Tried between the first tag and the second.")
    fallbacks: tuple[Fallback, ...] = ()
    alike: tuple[Tag, ...] = Field(
        default=(), description="Tags of other measures whose line, printed under a name of this one, is this one."
    )
    variant_tags: dict[str, tuple[Tag, ...]] = Field(default={}, description="Other measures under the same words.")
    beside: str = Field(default="", description="The variant shown beside the answer where it stands on the face.")
    derivations: tuple[Expression, ...] = Field(default=(), alias="derive", description="Tried last, in order.")
    derive_if: Literal["", "single_cost_line"] = ""
    derive_unless: Pattern | None = Field(
        default=None, description="Not derived beside a further line of the face whose label has this: it belongs too."
    )
    pick: Pick | None = None
    accept: tuple[Pattern, ...] = Field(default=(), description="The whole label outside parentheses fits one.")
    reject: tuple[Pattern, ...] = Field(default=(), description="Found anywhere in the label: another measure.")
    rather: Pattern | None = Field(
        default=None, description="Of several printed lines with other figures, those whose label has this."
    )
    above: str = Field(default="", description="A printed line that stands above that of this measure.")
    below: str = Field(default="", description="A printed line that stands below that of this measure.")
    less: str = Field(default="", description="Of two printed lines, the one that is the other less this measure.")
    plus: str = Field(default="", description="Of two printed lines, the one that is the other and this measure.")
    wider: Pattern | None = Field(
        default=None,
        description="In the label of a line under another tag: the measure and more. No note's amount beside it.",
    )
    basis_sensitive: Literal["", "split"] = ""
    not_meaningful_for: tuple[str, ...] = ()
    industries: tuple[str, ...] = Field(default=(), description="Where the measure is usual.")
    note: str = ""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.key in SEED_TAGS and (not self.seed or self.tags != SEED_TAGS[self.key]):
            raise ValueError(f"tags: a seed key keeps exactly {list(SEED_TAGS[self.key])}")
        if self.seed and self.key not in SEED_TAGS:
            raise ValueError("seed: not a key of the seed whitelist")
        if self.statements and not self.accept:
            raise ValueError("accept: a concept of a primary statement needs label patterns")
        wider, rather = ((one,) if one else () for one in (self.wider, self.rather))
        for field, patterns in (
            ("accept", self.accept), ("reject", self.reject), ("wider", wider), ("rather", rather)
        ):  # fmt: skip
            if fault := _not_compiling(patterns):
                raise ValueError(f"{field}: {fault}")
        if self.beside and self.beside not in self.variant_tags:
            raise ValueError(f"beside: {self.beside!r} is not in variant_tags")
        names = [candidate.name for candidate in self.candidates]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"tags: {', '.join(twice)} listed twice")
        return self

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Own tags with their taxonomy, in order, overrides included."""
        return tuple(qualified(tag) for tag in (*self.tags[:1], *self.overrides, *self.tags[1:]))

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every tag that may answer, in the order of precedence."""
        own = [Candidate(name) for name in self.names]
        return tuple(
            own + [Candidate(name, fallback.condition) for fallback in self.fallbacks for name in fallback.names]
        )

    def variant_names(self, variant: str) -> tuple[str, ...]:
        """The tags of a variant, with their taxonomy."""
        return tuple(qualified(tag) for tag in self.variant_tags[variant])

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Statements whose face may hold the line, its own first. Empty for a measure of the notes or the cover."""
        own = () if self.statement in {Statement.NOTE, Statement.COVER} else (self.statement,)
        return own + self.also_on

    def accepts(self, label: str) -> bool:
        """Whether a printed row label, without parentheses, is one of the concept's."""
        return bool(self._accepts.fullmatch(label_words(label)[1]))

    def rejects(self, label: str) -> bool:
        """Whether a printed row label says that the line is another measure."""
        return bool(self._rejects.search(label_words(label)[0]))

    def fit(self, label: str) -> Fit:
        """How a printed row label fits the concept: a rejection wins; an empty label is unknown."""
        if self.rejects(label):
            return Fit.REJECTED
        return Fit.ACCEPTED if self.accepts(label) else Fit.UNKNOWN

    @cached_property
    def _accepts(self) -> re.Pattern[str]:
        return _joined(self.accept)

    @cached_property
    def _rejects(self) -> re.Pattern[str]:
        return _joined(self.reject)


@cache
def _joined(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern that matches where any does; nothing, for none."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)")


def _not_compiling(patterns: tuple[str, ...]) -> str:
    """The fault of the first invalid pattern; empty where all compile.

    They are compiled together, which takes half the time, and one by one only to find the faulty one.
    """
    try:
        _joined(patterns)
    except re.error:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                return f"{pattern!r} is not a regular expression: {error}"
    return ""
