"""What a language model read a question as, slot by slot, for programs and files."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.state import Plan

TITLE = "Read by a language model as"


class ReadingSlot(BaseModel):
    """One part of the reading."""

    slot: Literal["company", "measure", "period"] = Field(description="What it is: company, measure or period.")
    label: str = Field(description="What it was read as, such as Apple, Operating income, or fiscal 2024.")
    text: str = Field(description="Words of the question that were read so, as typed; empty if there are none.")
    others: list[str] = Field(
        description="The question with another company, measure or period here; ask one with exactly these words."
    )


class ModelReading(BaseModel):
    """What a language model read the question as. Every figure is still taken from the filings by code."""

    # `as` is a keyword of Python.
    model_config = ConfigDict(serialize_by_alias=True)

    by: Literal["model"] = Field(description="Who read the question: always model.")
    read_as: str = Field(alias="as", description="What it was read as, in words.")
    slots: list[ReadingSlot] = Field(description="The parts that the model filled.")


def model_reading(plan: Plan) -> ModelReading | None:
    """What a model read the question for figures as; None where code alone read it."""
    said = plan.query.by_model if plan.query else ""
    if not said and not plan.chips:
        return None
    slots = [
        ReadingSlot(slot=one.slot, label=one.label, text=one.text, others=[other.question for other in one.others])
        for one in plan.chips
    ]
    return ModelReading.model_validate({"by": "model", "as": said, "slots": slots})
