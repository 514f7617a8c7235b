"""Models made of what another object has under the same names."""

from dataclasses import dataclass
from decimal import Decimal

import pytest
from pydantic import BaseModel, ValidationError

from agent.state.conversion import converted


@dataclass
class Part:
    name: str


@dataclass
class Source:
    key: str
    value: Decimal
    parts: tuple[Part, ...] = ()
    secret: str = "not of the model"


class ShownPart(BaseModel):
    name: str


class Shown(BaseModel):
    key: str
    value: str
    parts: list[ShownPart]


def test_it_has_the_attributes_of_the_same_names_and_what_is_given() -> None:
    found = converted(Shown, Source("revenue", Decimal("1.50"), (Part("iPhone"),)), value="1.50")
    assert found.model_dump() == {"key": "revenue", "value": "1.50", "parts": [{"name": "iPhone"}]}


def test_a_value_of_another_type_is_an_error_and_so_is_a_field_that_nothing_has() -> None:
    with pytest.raises(ValidationError, match="value"):
        converted(Shown, Source("revenue", Decimal(1)))
    with pytest.raises(AttributeError, match="key"):
        converted(Shown, Part("iPhone"), value="1")
