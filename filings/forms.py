"""What people send about companies: a search, a company to add."""

import re
from typing import Any

from django import forms

from filings.companies import UnknownCompany, find_company
from filings.models import Company
from filings.queue import FIRST_YEAR

YEARS = re.compile(r"\s*(\d{4})\s*(-|–|to)?\s*(\d{4})?\s*")  # noqa: RUF001 - people type either dash


class CompanySearch(forms.Form):
    """A word of a company's name, its ticker or its CIK."""

    q = forms.CharField(
        required=False,
        max_length=100,
        label="Find a company by name, ticker or CIK",
        widget=forms.TextInput(attrs={"class": "input", "type": "search", "autocomplete": "off"}),
    )


class AddCompany(forms.Form):
    """A company whose filings are to be fetched, and the fiscal years wanted."""

    ticker = forms.CharField(
        max_length=60,
        label="Ticker, CIK or exact name",
        error_messages={"required": "Type a ticker first."},
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )
    years = forms.CharField(
        required=False,
        max_length=20,
        label="Fiscal years",
        help_text=f"As 2020-2024 or 2018-. Empty: {FIRST_YEAR} to now.",
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)

    def clean_ticker(self) -> Company:
        """The company meant. The error names close matches."""
        try:
            company = find_company(self.cleaned_data["ticker"])
        except UnknownCompany as error:
            raise forms.ValidationError(str(error)) from None
        if company.foreign:
            raise forms.ValidationError(
                f"{company} files 20-F or 40-F and no 10-K. Only annual reports on 10-K are read."
            )
        if company.is_open:
            raise forms.ValidationError(f"{company} is being ingested already.")
        return company

    def clean_years(self) -> tuple[int | None, int | None]:
        """(first, last) fiscal year; None leaves that end open."""
        text = self.cleaned_data["years"]
        if not text:
            return FIRST_YEAR, None
        match = YEARS.fullmatch(text)
        if not match:
            raise forms.ValidationError("Write one year, 2020-2024, or 2018- for all since.")
        first, dash, last = match.groups()
        span = int(first), int(last) if last else (None if dash else int(first))
        if span[1] is not None and span[1] < span[0]:
            raise forms.ValidationError(f"{span[0]} is after {span[1]}.")
        return span
