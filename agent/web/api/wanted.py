"""The parameters of an address, none of which is left out unread."""

from typing import Self

from pydantic import BaseModel, ValidationInfo, model_validator

from agent.web.api.problems import Invalid


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
