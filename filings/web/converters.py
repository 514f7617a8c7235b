"""URL converters: accession numbers and section keys."""

from django.urls import register_converter


class Accession:
    """In the SEC's form, 0000320193-24-000123, or that of an imported document, doc-0123456789abcdef."""

    regex = r"\d{10}-\d{2}-\d{6}|doc-[0-9a-f]{16}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class SectionKey(Accession):
    """An Item or part, such as 1A, II.1A or prepared, or the number of a section outside any, such as p24."""

    regex = r"[A-Za-z0-9.]{1,12}"


register_converter(Accession, "accession")
register_converter(SectionKey, "section")
