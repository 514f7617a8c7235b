"""Forms of watchlists."""

from typing import Any

from django import forms

from agent.models.watchlist import LONGEST_NAME
from agent.registrants.company_lists import NotListedError, companies_listed
from agent.registrants.registrant_index import Companies


class CompaniesField(forms.CharField):
    """Companies by name, ticker or CIK, separated by commas; cleaned to CIKs."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=2000, **kwargs)

    def clean(self, value: Any) -> list[int]:
        text = super().clean(value)
        try:
            return [one.cik for one in companies_listed(Companies.current(), text)] if text else []
        except NotListedError as error:
            raise forms.ValidationError(str(error)) from None


class NameForm(forms.Form):
    """The name of a list."""

    name = forms.CharField(
        max_length=LONGEST_NAME,
        error_messages={
            "required": "Type a name for the watchlist first.",
            "max_length": f"A name has up to {LONGEST_NAME} characters.",
        },
    )


class NewListForm(NameForm):
    """A new list with its first companies."""

    companies = CompaniesField(required=False)


class CompaniesForm(forms.Form):
    """Companies for a list."""

    companies = CompaniesField(error_messages={"required": "Type a company's name or ticker first."})


class AddForm(forms.Form):
    """The list for a company: by name, created if it is new, or by primary key."""

    list = forms.IntegerField(required=False, min_value=1)
    name = forms.CharField(required=False, max_length=LONGEST_NAME)
