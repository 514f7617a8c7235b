"""The schema of registry entries: frozen models, one field a rule. Concepts have a module of their own."""

import re
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator, model_validator

from agent.numbers.registry import formula
from agent.numbers.registry.expressions import replaced, within
from agent.numbers.registry.formula import Comparison, Expr, Name, operands

_WORD = re.compile(r"[a-z0-9]+(?:['\u2019][a-z]+)*|[&%]")
_SPELLED = {"&": "and", "%": "percent"}


def normalise(text: str) -> str:
    """Words as aliases are looked up: lower case, single spaces, no punctuation, & and % spelled out."""
    words = (_SPELLED.get(word, re.sub("['\u2019]", "", word)) for word in _WORD.findall(text.casefold()))
    return " ".join(words)


def qualified(tag: str) -> str:
    """A tag with its taxonomy; us-gaap where none is written."""
    return tag if ":" in tag else f"us-gaap:{tag}"


def _tag(text: str) -> str:
    if not re.fullmatch(r"(?:(?:us-gaap|dei|srt):)?[A-Z][A-Za-z0-9]{2,}", text):
        raise ValueError(f"{text!r} is not a tag; write Tag, or dei:Tag outside us-gaap")
    return text


def _pattern(text: str) -> str:
    if re.search(r"[A-Z]", re.sub(r"\\.", "", text)):
        raise ValueError(f"{text!r} has capitals; labels are compared in lower case")
    return text


def _expression(text: object) -> Expr:
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is not an expression; put it in quotes")
    return formula.parse(text)


Tag = Annotated[str, AfterValidator(_tag)]
Pattern = Annotated[str, AfterValidator(_pattern)]
Expression = Annotated[Expr, PlainValidator(_expression)]


class Entry(BaseModel):
    """A frozen value; an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Variant(Entry):
    """One definition of a metric."""

    expr: Expression
    label: str = ""
    aliases: tuple[str, ...] = Field(
        default=(), description="Names of this definition alone, as trade working capital."
    )
    show: Literal["always", "if_differs", "on_request"] = "always"


class Metric(Entry):
    """A measure computed from concepts and other metrics (`agent.numbers.registry.metrics`)."""

    key: str
    label: str = Field(min_length=1)
    aliases: tuple[str, ...] = ()
    unit: Literal["USD", "USD/share", "percent", "ratio", "days"]
    expr: Expression | None = None
    policy: Literal["default", "dual"] = "default"
    default: str = ""
    variants: dict[str, Variant] = {}
    inherits_variants: str = Field(default="", description="A metric in its expression, whose variants it has too.")
    force_variant: str = Field(default="", description="The variant that every metric in its expression is read in.")
    show_parts: bool = False
    hidden: bool = False
    own: bool = Field(default=False, description="Whether companies publish one as they define it themselves.")
    crosscheck: str = Field(default="", description="A concept by which filers report the same, as a fraction.")
    guard: Literal["", "at_least_one"] = Field(
        default="", description="at_least_one: not every operand may be missing."
    )
    positive: tuple[Expression, ...] = Field(
        default=(),
        description="Parts of its expressions, besides what is divided by, below or at zero of which it is not meaningful.",
    )
    not_meaningful_for: tuple[str, ...] = ()
    industries: tuple[str, ...] = Field(default=(), description="Not meaningful for any other.")
    note: str = ""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.expr is None) == (not self.variants):
            raise ValueError("expr: give either expr or variants")
        if self.variants and self.default not in self.variants:
            raise ValueError(f"default: {self.default!r} is not one of the variants")
        if lost := [one for one in self.positive if not any(within(one, tree) for tree in self.expressions)]:
            raise ValueError(f"positive: {lost[0]} is no part of its expressions")
        if not self.aliases and not self.hidden:
            raise ValueError("aliases: only a hidden metric has none")
        return self

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """Every expression of the metric."""
        return tuple(variant.expr for variant in self.variants.values()) + ((self.expr,) if self.expr else ())


class Ambiguous(Entry):
    """Words with several readings, none of which is chosen silently."""

    term: str
    concepts: tuple[str, ...] = ()
    metrics: tuple[str, ...] = Field(default=(), description="metric, or metric:variant.")
    mention: tuple[str, ...] = Field(default=(), description="Concepts shown beside the answer.")
    mention_if_differs: tuple[str, ...] = ()
    ask: bool = Field(default=False, description="No default is safe: refuse ambiguous_concept.")
    collapse_if_equal: bool = False
    earned: str = Field(default="", description="The concept meant where it is said to be made, kept or lost.")


class KeyFigures(Entry):
    """What a company is known by at a glance, and how these figures are called together."""

    names: tuple[str, ...]
    concepts: tuple[str, ...]
    often_asked: tuple[str, ...] = Field(
        default=(), description="Measures that people ask for in all kinds of words, which a model is always offered."
    )


class When(Entry):
    """The condition under which an identity applies to a filing."""

    tagged: tuple[str, ...] = Field(default=(), description="Concepts answered by a tag, not derived.")
    positive: tuple[str, ...] = Field(default=(), description="Concepts whose value is above zero.")


def _comparison(text: object) -> Comparison:
    tree = _expression(text)
    if not isinstance(tree, Comparison):
        raise ValueError(f"{text!r} compares nothing")
    return tree


Relation = Annotated[Comparison, PlainValidator(_comparison)]


class Otherwise(Entry):
    """What explains a failed identity, and the note that is then shown beside the number."""

    expr: Relation
    note: str


class Identity(Entry):
    """A relation between facts of one filing. A failed hard one blocks its operands, a soft one warns."""

    id: str
    hard: bool
    expr: Relation
    tolerance: Literal["rounding", "none"] = "rounding"
    for_each: tuple[str, ...] = Field(default=(), description="Concepts that `x` stands for, one at a time.")
    blocks: tuple[str, ...] = Field(default=(), description="Operands a hard failure blocks; empty: every one.")
    when: When = When()
    otherwise: Otherwise | None = None
    measured: str = ""
    note: str = ""

    @cached_property
    def keys(self) -> frozenset[str]:
        """The concepts it involves, including those that `x` stands for."""
        return frozenset(operand.name.key for operand in operands(self.expr)) - {"x"} | frozenset(self.for_each)

    @cached_property
    def trees(self) -> dict[str, Comparison]:
        """The comparison for each concept that `x` stands for; without `x`, under an empty key."""
        if not self.for_each:
            return {"": self.expr}
        return {key: replaced(self.expr, Name("x"), Name(key)) for key in self.for_each}

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if bool(self.for_each) != ("x" in {operand.name.key for operand in operands(self.expr)}):
            raise ValueError("for_each: goes with an expression over x")
        return self


class Industry(Entry):
    """SIC codes of an industry, as inclusive ranges."""

    sic: tuple[tuple[int, int], ...]
