"""The use of each word of a question, and the form in which it wants its figures."""

from enum import StrEnum

from pydantic import Field

from agent.state.references import Record

# What words are read as that change the table of the answer before.
CHANGE = "changes the table above"


class Role(StrEnum):
    """The use of a word in the question."""

    COMPANY = "company"
    PERIOD = "period"
    MEASURE = "measure"
    OPERATION = "operation"
    SCALE = "scale"
    TOPIC = "topic"
    SOURCE = "source"  # a kind of document
    FRAME = "frame"  # question words, without a meaning of their own
    UNUSED = "unused"


class Word(Record):
    """Words of the question and the slot they fill. Together all of them cover every word."""

    start: int
    end: int
    text: str
    role: Role
    meaning: str = Field(default="", description="What the words were read as.")
    ciks: tuple[int, ...] = Field(default=(), description="Of a company's name, those that it may be.")
    typed: bool = Field(default=True, description="False if the words were misspelt and read as `meaning`.")


class Display(StrEnum):
    """In what form the figures are wanted, where a question says so."""

    TABLE = ""
    CHART = "chart"
    GRID = "grid"
