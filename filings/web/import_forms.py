"""Forms to bring files, and to say what one is."""

from typing import Any

from django import forms

from filings.importing.document_fields import DocumentFields, ImportRefused, fields_of, missing
from filings.models import Import, source_kinds

FIELDS = ("company", "kind", "period", "date", "title", "address")


class SeveralFiles(forms.FileInput):
    """Takes several files; the form sees the last of them, and the view takes each."""

    allow_multiple_selected = True

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return files.get(name)


def text_input(**attrs: str) -> forms.TextInput:
    return forms.TextInput(attrs={"class": "input", "autocomplete": "off", **attrs})


class DocumentForm(forms.Form):
    """What a document is. Nothing is guessed: what stays empty is taken from the document, or asked."""

    company = forms.CharField(
        required=False, max_length=100, label="Company", help_text="Ticker, CIK or exact name.", widget=text_input()
    )
    kind = forms.ChoiceField(
        required=False,
        label="Kind",
        choices=[("", "As the document says"), *source_kinds.choices()],
        widget=forms.Select(attrs={"class": "input"}),
    )
    period = forms.CharField(
        required=False,
        max_length=40,
        label="Period",
        help_text="A fiscal quarter, such as 2024Q3, or a year.",
        widget=text_input(),
    )
    date = forms.CharField(
        required=False,
        max_length=40,
        label="Date",
        help_text="Of publication or of the call, such as 2024-08-01.",
        widget=text_input(),
    )

    fields_given = DocumentFields()

    def __init__(self, data: Any = None, files: Any = None, **kwargs: Any) -> None:
        super().__init__(data, files, label_suffix="", **kwargs)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors:
            try:
                self.fields_given = fields_of({name: cleaned.get(name, "") for name in FIELDS})
            except ImportRefused as refused:
                self.add_error(refused.field if refused.field in self.fields else None, refused.why)
        return cleaned


class ImportFiles(DocumentForm):
    """Files to import, and what holds for all of them."""

    file = forms.FileField(
        label="Files",
        allow_empty_file=True,
        help_text="PDF, HTML, Word, Markdown or plain text.",
        error_messages={"required": "Choose a file first."},
        widget=SeveralFiles(attrs={"class": "input"}),
    )
    field_order = ("file", "company", "kind", "period", "date")


class ConfirmImport(DocumentForm):
    """What one file is, as a person confirms it."""

    title = forms.CharField(
        required=False, max_length=300, label="Title", help_text="By which answers name it.", widget=text_input()
    )
    address = forms.CharField(
        required=False, max_length=1000, label="Address", help_text="Where it was published.", widget=text_input()
    )
    field_order = ("company", "kind", "period", "date", "title", "address")

    @classmethod
    def of(cls, row: Import) -> "ConfirmImport":
        """The form of a file, filled in with what is known of it."""
        initial = {
            "company": (row.company.symbols or [str(row.company.cik)])[0] if row.company else "",
            "kind": row.kind,
            "period": f"{row.fiscal_year or ''}{f'Q{row.fiscal_quarter}' if row.fiscal_quarter else ''}",
            "date": row.day.isoformat() if row.day else "",
            "title": row.title,
            "address": row.address,
        }
        return cls(initial=initial, prefix=str(row.pk))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and (refused := missing(self.fields_given)):
            self.add_error(refused.field, refused.why)
        return cleaned
