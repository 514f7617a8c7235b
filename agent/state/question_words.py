"""The use of each word of a question, and the form in which it wants its figures."""

from enum import StrEnum

from pydantic import Field

from agent.state.references import Record


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
    typed: bool = Field(default=True, description="False if the words were misspelt and read as `meaning`.")


class Display(StrEnum):
    """In what form the figures are wanted, where a question says so."""

    TABLE = ""
    CHART = "chart"
    GRID = "grid"
