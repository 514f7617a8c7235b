"""Parts of addresses: accession numbers, and what names a section of a filing."""

from django.urls import register_converter


class Accession:
    """As SEC writes it: 0000320193-24-000123."""

    regex = r"\d{10}-\d{2}-\d{6}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class SectionKey(Accession):
    """An Item, as 1A, or the place of a section that stands under none, as p24."""

    regex = r"\d{1,2}[A-C]?|p\d{1,4}"


register_converter(Accession, "accession")
register_converter(SectionKey, "section")
