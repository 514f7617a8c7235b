"""Forms to search for a company, to search texts, and to add a company."""

import re
from typing import Any

from django import forms
from django.urls import reverse

from filings.edgar.registrants import UnknownCompany, find_company
from filings.models import FIRST_YEAR, Company, Filing
from filings.models.source_kinds import KINDS
from filings.sections.items import ALL_ITEMS, PARTS
from filings.web import company_directory
from filings.web.converters import Accession

YEARS = re.compile(r"\s*(\d{4})\s*(-|–|to)?\s*(\d{4})?\s*")  # noqa: RUF001 - people type either dash


class CompanySearch(forms.Form):
    """Part of a company's name, its ticker or its CIK."""

    q = forms.CharField(
        required=False,
        max_length=100,
        label="Find a company by name, ticker or CIK",
        widget=forms.TextInput(attrs={"class": "input", "type": "search", "autocomplete": "off"}),
    )


def with_text() -> list[tuple[str, str]]:
    """The companies with searchable text, to choose from, each with its fiscal years."""
    held = [
        (str(one.cik), ", ".join(filter(None, (one.called, company_directory.spanned(one.texts_from, one.texts_to)))))
        for one in company_directory.with_text()
    ]
    return [("", "All companies with text"), *held]


def kind_field() -> forms.Field:
    """A kind of document, or all."""
    return forms.ChoiceField(
        required=False,
        label="Kind",
        choices=[("", "All kinds"), *((kind.key, kind.label) for kind in KINDS.values())],
        widget=forms.Select(attrs={"class": "input"}),
    )


def year_field() -> forms.Field:
    """A fiscal year, or all."""
    return forms.IntegerField(
        required=False,
        min_value=1990,
        max_value=2100,
        label="Fiscal year",
        error_messages={"invalid": "Enter a year, such as 2024."},
        widget=forms.TextInput(attrs={"class": "input", "inputmode": "numeric", "autocomplete": "off"}),
    )


def quarter_field() -> forms.Field:
    """A fiscal quarter, or any."""
    return forms.TypedChoiceField(
        required=False,
        label="Quarter",
        choices=[("", "Any"), *((str(number), f"Q{number}") for number in range(1, 5))],
        coerce=int,
        empty_value=None,
        widget=forms.Select(attrs={"class": "input"}),
    )


def kinds_with_text() -> list[tuple[str, str]]:
    """The kinds of documents with searchable text, to choose from."""
    held = set(Filing.objects.searched().order_by().values_list("source", flat=True).distinct())
    return [("", "All kinds"), *((kind.key, kind.label) for kind in KINDS.values() if kind.key in held)]


def parts(kind: str) -> list[tuple[str, Any]]:
    """The parts of one kind of document to choose from; without a kind, those of each under its name."""
    choices = {
        one.label: [(item.key, item.entry) for item in PARTS.get(one.scheme, {}).values()] for one in KINDS.values()
    }
    if kind in KINDS:
        return [("", "All parts"), *choices[KINDS[kind].label]]
    return [("", "All parts"), *((label, some) for label, some in choices.items() if some)]


class TextSearch(forms.Form):
    """Words to look for in documents, and filters."""

    NAMED = 4  # companies that an error names

    q = forms.CharField(
        max_length=300,
        label="Words to look for",
        error_messages={"required": "Type words to look for first."},
        widget=forms.TextInput(attrs={"class": "input", "type": "search", "autocomplete": "off"}),
    )
    company = forms.CharField(
        required=False,
        max_length=60,
        label="Company",
        help_text="Each company with the fiscal years whose text is loaded.",
        widget=forms.Select(attrs={"class": "input"}),
    )
    kind = kind_field()
    item = forms.ChoiceField(
        required=False,
        label="Item or part",
        choices=[("", "All parts"), *((item.key, item.entry) for item in ALL_ITEMS.values())],
        widget=forms.Select(attrs={"class": "input"}),
    )
    year = year_field()
    quarter = quarter_field()
    accession = forms.RegexField(
        Accession.regex,
        required=False,
        label="Document",
        help_text="An accession number, or the key of an import. Leave empty for all.",
        error_messages={"invalid": "Enter an accession number, such as 0000320193-24-000123."},
        widget=forms.TextInput(attrs={"class": "input code", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)
        # A widget would call a function twice.
        self.fields["company"].widget.choices = with_text()
        self.fields["kind"].widget.choices = kinds_with_text()
        self.fields["item"].widget.choices = parts(str(self["kind"].value() or ""))
        self.fields["kind"].widget.attrs |= {
            "hx-get": reverse("search"),
            "hx-include": "[name=item]",
            "hx-select": "#part",
            "hx-target": "#part",
            "hx-swap": "outerHTML",
        }

    def clean(self) -> dict[str, Any]:
        """A part must be one of the chosen kind."""
        asked = self.cleaned_data
        kind, item = KINDS.get(asked.get("kind", "")), asked.get("item")
        if kind and item and item not in PARTS.get(kind.scheme, {}):
            self.add_error("item", f"{ALL_ITEMS[item].label} is no part of the kind {kind.label}.")
        return asked

    def clean_company(self) -> Company | None:
        """The company meant, among those with text: by ticker or CIK, or the only one whose name matches."""
        text = self.cleaned_data["company"]
        found = self.meant(text) if text else []
        if text and not found:
            raise forms.ValidationError(f"No text of a company called “{text}” is loaded.")
        if len(found) < 2:
            return found[0] if found else None
        names = "; ".join(company.called for company in found[: self.NAMED])
        raise forms.ValidationError(
            f"More than one company matches: {names}{'; …' if len(found) > self.NAMED else ''}."
        )

    @classmethod
    def meant(cls, text: str) -> list[Company]:
        """A few companies with text that a ticker, CIK or name may mean; one where it is exact."""
        held = company_directory.search(text).filter(pk__in=Filing.objects.searched().values("company"))
        found = list(held[: cls.NAMED + 1])
        exact = {text.casefold(), text.upper().removeprefix("CIK").lstrip("0")}
        names = {s.casefold() for one in found[:1] for s in (one.name, str(one.cik), *one.symbols)}
        return found[:1] if exact & names else found

    def clean_accession(self) -> str:
        accession: str = self.cleaned_data["accession"]
        if accession and not Filing.objects.filter(accession=accession).exists():
            raise forms.ValidationError("No such document is loaded.")
        return accession


class AddCompany(forms.Form):
    """A company whose filings are to be loaded, and the fiscal years wanted."""

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
        help_text=f"Such as 2020-2024 or 2018-. Leave empty for {FIRST_YEAR} to now.",
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)

    def clean_ticker(self) -> Company:
        """The company with the typed ticker, CIK or name; an error names close matches."""
        try:
            company = find_company(self.cleaned_data["ticker"])
        except UnknownCompany as error:
            raise forms.ValidationError(str(error)) from None
        if company.foreign:
            raise forms.ValidationError(f"{company} files Form 20-F or 40-F, not 10-K. Only 10-Ks are read.")
        if company.is_open:
            raise forms.ValidationError(f"{company} is already being read.")
        return company

    def clean_years(self) -> tuple[int | None, int | None]:
        """(first, last) fiscal year; None leaves that end open."""
        text = self.cleaned_data["years"]
        if not text:
            return FIRST_YEAR, None
        match = YEARS.fullmatch(text)
        if not match:
            raise forms.ValidationError("Enter one year, a range such as 2020-2024, or 2018- for every year since.")
        first, dash, last = match.groups()
        span = int(first), int(last) if last else (None if dash else int(first))
        if span[1] is not None and span[1] < span[0]:
            raise forms.ValidationError(f"{span[0]} is after {span[1]}.")
        return span
