"""Inputs and replies of programs: closed types with limited lengths.

A reply is read strictly: an unknown field, another type or a text over its limit makes it unusable. What a schema
cannot express (that a span stands in the question, that an id is one of ours) is checked where the reply is used.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Type = Literal["A", "B", "A+B", "META", "REFUSE"]
Source = Literal["10-K", "10-Q", "8-K", "proxy statement", "earnings call", "20-F", "news", "other"]
Mode = Literal["direct", "standard", "detailed"]
# How a row is made of the measures whose ids it has.
Form = Literal["value", "change", "growth", "quarterly change", "quarterly growth", "share", "sum", "difference"]
# What is made of the figures of a row, or of the rows.
Made = Literal[
    "average", "sum", "cagr", "growth", "change", "highest", "lowest", "over time", "rank highest", "rank lowest",
    "difference", "difference in percent", "above", "at least", "below", "at most", "positive",
    "negative",
]  # fmt: skip
# Why words of a question say nothing of what is asked.
Idle = Literal["courtesy", "who asks", "form of the answer", "emphasis", "background", "said twice"]
Kind = Literal["TEXT", "TABLE"]
Direction = Literal["yes", "no", "mixed", "not a yes/no question"]

Words = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Phrase = Annotated[str, StringConstraints(min_length=1, max_length=160)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=8)]
Sentence = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Percent = Annotated[int, Field(ge=0, le=100)]

# Passages that one call may order or draft from.
MOST_RANKED = 20
# Claims of one draft: more would be no answer.
MOST_CLAIMS = 40
# Characters of a text or quote: as many as a passage has.
MOST_COPIED = 8_000


class Given(BaseModel):
    """One input of a program: a frozen value."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Reply(BaseModel):
    """One part of a reply: unknown fields, other types and longer texts are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, str_strip_whitespace=True)


# --- given ---


class AxisGiven(Given):
    """One way to read an ambiguous question."""

    id: str = Field(description="A1, A2, A3.")
    label: str


class TargetGiven(Given):
    """A filing that is searched."""

    id: str = Field(description="T1, T2, ...")
    company: str
    period: str
    reading: str = Field(
        default="", description="The reading of the question that is followed; empty for the only one."
    )


class FactGiven(Given):
    """A figure that was looked up, told without its value."""

    placeholder: str = Field(description="What stands for the figure in a text: {{fact:1}}.")
    measure: str
    company: str
    period: str


# --- understand ---


class RowReply(Reply):
    span: Words
    form: Form
    ids: list[Id] = Field(max_length=6)
    part: Annotated[str, StringConstraints(max_length=8)] = ""
    by: Literal["", "segment", "product", "region", "class"] = ""
    first: Literal["", "largest", "smallest"] = ""


class OperationReply(Reply):
    kind: Made
    span: Words
    number: Annotated[str, StringConstraints(max_length=40)] = ""


class LeftOutReply(Reply):
    span: Words
    why: Idle


class AxisReply(Reply):
    label: Label = Field(description="Two to five words, no digits.")


class AmbiguityReply(Reply):
    kind: Literal["terminology", "qualifier"]
    span: Words
    axes: list[AxisReply] = Field(min_length=2, max_length=3)


class UnderstandReply(Reply):
    type: Type
    companies: list[Words] = Field(max_length=20)
    periods: list[Words] = Field(max_length=10)
    rows: list[RowReply] = Field(max_length=10)
    operations: list[OperationReply] = Field(max_length=4)
    topics: list[Words] = Field(max_length=4)
    left_out: list[LeftOutReply] = Field(max_length=12)
    source: Source
    source_span: Annotated[str, StringConstraints(max_length=300)]
    mode: Mode
    reasoning: Annotated[str, StringConstraints(max_length=1200)]
    ambiguities: list[AmbiguityReply] = Field(max_length=2)


# --- compute, judge figures ---

Verdict = Literal["yes", "no", "mixed", "not meaningful"]
# What may be said of one figure, of two, or of one over the periods: code computes whether it is so.
Relation = Literal[
    "higher than", "lower than", "about equal to", "above", "below", "rises", "falls", "about level", "positive", "negative",
]  # fmt: skip


class FigureReply(Reply):
    span: Annotated[str, StringConstraints(max_length=300)] = Field(
        description="The words of the question that it answers, verbatim; empty for a figure that only helps to judge."
    )
    expression: Annotated[str, StringConstraints(min_length=1, max_length=400)] = Field(
        description="Over ids of rows: r3 / r7."
    )
    part: Annotated[str, StringConstraints(max_length=8)] = Field(
        description="Id of the part of the company that every row is of; empty for the whole."
    )
    unit: Literal["", "percent"]


class ComputeReply(Reply):
    judgement: bool
    figures: list[FigureReply] = Field(max_length=6)
    years: Annotated[int, Field(ge=0, le=10)]
    searches: list[Phrase] = Field(max_length=3)


class ReasonReply(Reply):
    figure: Annotated[str, StringConstraints(max_length=8)] = ""
    relation: Relation | Literal[""] = ""
    other: Annotated[str, StringConstraints(max_length=8)] = ""
    bound: Annotated[str, StringConstraints(max_length=20)] = ""
    within: Annotated[int, Field(ge=0, le=25)] = 0
    quotation: Annotated[str, StringConstraints(max_length=8)] = ""


class JudgeReply(Reply):
    verdict: Verdict
    reasons: list[ReasonReply] = Field(max_length=2)


# --- decompose ---


class SearchReply(Reply):
    phrase: Phrase = Field(description="Three to eight words in the language of a filing.")
    kind: Kind
    variants: list[Phrase] = Field(max_length=2, description="Other filing words for the same; or none.")
    axis: Annotated[str, StringConstraints(max_length=8)] = Field(description="Id of the axis given; empty for none.")


class DecomposeReply(Reply):
    searches: list[SearchReply] = Field(min_length=1, max_length=3)


# --- draft, review ---


class ClaimReply(Reply):
    # Longer than a claim may be: one that is too long is left out by itself, and the others are read.
    text: Annotated[str, StringConstraints(max_length=MOST_COPIED)] = Field(
        description="Empty where the quote answers as it is; else the quote with the edits that are allowed."
    )
    quote: Annotated[str, StringConstraints(min_length=1, max_length=MOST_COPIED)] = Field(
        description="Whole sentences copied character by character from the passage; at most 2,500 characters."
    )
    passage: Id = Field(description="Id of the passage quoted: P1.")


class InterpretationReply(Reply):
    axis: Id = Field(description="Id of the axis that it follows: A1.")
    claims: list[ClaimReply] = Field(max_length=MOST_CLAIMS, description="From this axis's own passages only.")


class DraftReply(Reply):
    claims: list[ClaimReply] = Field(max_length=MOST_CLAIMS)
    not_found: list[Words] = Field(
        max_length=4,
        description="Words of the question, verbatim, that no passage answers; empty when all is answered.",
    )
    context: list[Id] = Field(
        default_factory=list,
        max_length=4,
        description="Ids of passages whose neighbours are needed to answer; empty where the passages do.",
    )


class AmbiguousDraftReply(Reply):
    interpretations: list[InterpretationReply] = Field(min_length=2, max_length=3)
    not_found: list[Words] = Field(
        max_length=4,
        description="Words of the question, verbatim, that no passage answers; empty when all is answered.",
    )


class ReviewReply(Reply):
    refusal_stands: bool = Field(description="true when no passage answers any part of the question.")
    direction: Direction
    claims: list[ClaimReply] = Field(max_length=12, description="The evidence first; empty when the refusal stands.")
    caveats: list[ClaimReply] = Field(max_length=4, description="What limits the answer, quoted in the same way.")


# --- evaluate, follow up, rerank ---


class EvaluateReply(Reply):
    completeness: Percent
    specificity: Percent
    clarity: Percent
    issues: list[Sentence] = Field(max_length=5)
    missing_info: list[Sentence] = Field(max_length=5)
    is_sufficient: bool


class PhraseReply(Reply):
    target: Id = Field(description="Id of the target to search: T1.")
    words: Phrase = Field(description="Two to eight keywords, without company and period.")


class FollowUpReply(Reply):
    phrases: list[PhraseReply] = Field(max_length=6)


class RerankReply(Reply):
    order: list[Id] = Field(max_length=MOST_RANKED, description="Ids of the passages, the most useful first.")
