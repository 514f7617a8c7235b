"""Models made of what another object has under the same names: a record, or a row of the database."""

from typing import TypeVar

from pydantic import BaseModel

Model = TypeVar("Model", bound=BaseModel)


def converted(model: type[Model], source: object, **given: object) -> Model:
    """A model whose fields are the attributes of the same names of a source; `given` has the others.

    Raises AttributeError for a field that neither has, and pydantic.ValidationError for a value of another type.
    """
    named = {name: getattr(source, name) for name in model.model_fields if name not in given}
    return model.model_validate(named | given, from_attributes=True)
