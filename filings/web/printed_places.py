"""The address of the line of a document that prints a figure: the reader, with the line marked."""

from filings.models import Section


def address(accession: str, cik: int, section: int | None, start: int | None, end: int | None) -> str:
    """The address of a printed figure's line; empty where its text is not stored."""
    if section is None or start is None or end is None:
        return ""
    found = (
        Section.objects.select_related("filing")
        .only("item", "number", "text", "filing__accession")
        .filter(filing__accession=accession, filing__company__cik=cik, number=section)
        .first()
    )
    if found is None:
        return ""
    first = found.text.rfind("\n", 0, start) + 1
    last = found.text.find("\n", end)
    return f"{found.get_absolute_url()}?at={first}-{last if last > 0 else len(found.text)}"
