"""A question that cannot become a plan: what was understood of it, and what stands in the way."""

from pydantic import Field

from agent.refusals.codes import Code
from agent.state import QuestionType, Record, Scale, Span, Target


class Misread(Record):
    """Why a question is not planned. Turned into a refusal, with its sentences, by the plan node."""

    code: Code
    type: QuestionType = QuestionType.NUMERIC
    words: tuple[str, ...] = Field(default=(), description="The words of the question that decided, as typed.")
    companies: tuple[int, ...] = Field(default=(), description="CIKs named, or near the name given.")
    names: tuple[str, ...] = Field(default=(), description="Names of those companies, for the sentence.")
    concepts: tuple[str, ...] = Field(default=(), description="Registry keys that fit, or are near.")
    labels: tuple[str, ...] = Field(default=(), description="Labels of the measures that fit or are near.")
    about: Target | None = Field(default=None, description="What was understood, where a company was.")
    scale: Scale | None = None
    spans: tuple[Span, ...] = ()
