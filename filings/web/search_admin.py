"""Admin pages of the synonyms that searches use."""

from typing import Any

from django import forms
from django.contrib import admin
from django.urls import URLPattern, path

from filings.models import Synonym
from filings.web import synonym_preview

MOST_VARIANTS = 8
MOST_CHARACTERS = 60


class Lines(forms.CharField):
    """A form field for a list of texts, one on each line."""

    widget = forms.Textarea(attrs={"rows": 5, "cols": 60})

    def prepare_value(self, value: Any) -> str:
        return "\n".join(value) if isinstance(value, list) else value or ""

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        lines = value if isinstance(value, list) else str(value or "").splitlines()
        return list(dict.fromkeys(text for line in lines if (text := " ".join(line.lower().split()))))


class SynonymForm(forms.ModelForm):
    variants = Lines(
        help_text="Words that filings use instead, one entry per line. An entry of several words matches passages that have all of them."
    )

    class Meta:
        model = Synonym
        fields = ("phrase", "variants", "active")

    def clean_phrase(self) -> str:
        phrase = " ".join(self.cleaned_data["phrase"].lower().split())
        if not any(character.isalnum() for character in phrase):
            raise forms.ValidationError("Enter a word or a phrase.")
        return phrase

    def clean_variants(self) -> list[str]:
        variants: list[str] = self.cleaned_data["variants"]
        if not variants:
            raise forms.ValidationError("Enter at least one filing word.")
        if len(variants) > MOST_VARIANTS:
            raise forms.ValidationError(f"At most {MOST_VARIANTS} lines are allowed: more would match too much.")
        if long := [variant for variant in variants if len(variant) > MOST_CHARACTERS]:
            raise forms.ValidationError(f"This line has more than {MOST_CHARACTERS} characters: {long[0]}")
        return variants


@admin.register(Synonym)
class SynonymAdmin(admin.ModelAdmin):
    form = SynonymForm
    list_display = ("phrase", "searched_beside", "active")
    list_filter = ("active",)
    search_fields = ("phrase", "variants")
    search_help_text = "Everyday word or filing word"
    list_per_page = 100
    show_full_result_count = False
    change_list_template = "admin/filings/synonym/change_list.html"
    change_form_template = "admin/filings/synonym/change_form.html"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(synonym_preview.preview)
        return [path("preview/", view, name="filings_synonym_preview"), *super().get_urls()]

    @admin.display(description="Also searched for")
    def searched_beside(self, synonym: Synonym) -> str:
        return ", ".join(synonym.variants)
