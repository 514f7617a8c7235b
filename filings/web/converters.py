"""URL converters: accession numbers and section keys."""

from django.urls import register_converter


class Accession:
    """In the SEC's form: 0000320193-24-000123."""

    regex = r"\d{10}-\d{2}-\d{6}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class SectionKey(Accession):
    """An Item, such as 1A, or the number of a section outside any Item, such as p24."""

    regex = r"\d{1,2}[A-C]?|p\d{1,4}"


register_converter(Accession, "accession")
register_converter(SectionKey, "section")
