"""Parameters of an address, none of which is left out unread, and text that every database stores."""

import re
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ValidationInfo, model_validator

from agent.web.api.problems import Invalid

# JSON can spell both.
_NEVER = re.compile("[\0\ud800-\udfff]")


class Wanted(BaseModel):
    """What is wanted of an address. Of a parameter that it does not know, as a year by another name, it says so."""

    @model_validator(mode="after")
    def known(self, info: ValidationInfo) -> Self:
        """Raises Invalid. The framework drops what it does not know, and tells whose parameters it reads."""
        request = (info.context or {}).get("request")
        if request is not None and (unknown := sorted(set(request.GET) - set(type(self).model_fields))):
            said = f"There is no such parameter here; there are: {', '.join(type(self).model_fields)}."
            raise Invalid({name: [said] for name in unknown})
        return self


def storable(text: str) -> str:
    """The text as it is. Raises ValueError where it has a NUL, or half of a surrogate pair."""
    if _NEVER.search(text):
        raise ValueError("A text has no NUL and no half of a surrogate pair.")
    return text


Text = Annotated[str, AfterValidator(storable)]
