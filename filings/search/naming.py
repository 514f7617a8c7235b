"""Whose filings name something, by the search index."""

from django.db.models import Value
from django.db.models.functions import StrIndex

from filings.models import Filing, Section
from filings.search.index import IndexMismatch, SearchUnavailable
from filings.search.readable_indexes import readers
from filings.search.words import words

# Companies of which the text is read for how a name is written.
MOST_READ = 8


def companies_naming(phrase: str, as_written: bool = False) -> dict[int, int]:
    """The most passages with a phrase in one annual report, by CIK, the most first; of companies that name it in none, none.

    as_written: whether it must stand in that report as it is typed, or in capitals: "LEAP" is not "leap".
    """
    passages = passages_naming(phrase)
    most: dict[int, tuple[int, int]] = {}
    filings = Filing.objects.answering().filter(pk__in=passages, company__active=True)
    for pk, cik, successor in filings.order_by().values_list("pk", "company__cik", "company__successor_cik"):
        cik = successor or cik
        most[cik] = max(most.get(cik, (0, 0)), (passages[pk], pk))
    found = dict(sorted(most.items(), key=lambda one: (-one[1][0], one[0])))
    if as_written:
        read = {cik: pk for cik, (_, pk) in list(found.items())[:MOST_READ]}
        lacking = {cik for cik, pk in read.items() if not stands_in(pk, phrase)}
        found = {cik: one for cik, one in found.items() if cik not in lacking}
    return {cik: count for cik, (count, _) in found.items()}


def stands_in(filing: int, phrase: str) -> bool:
    """Whether a phrase stands in a filing's text as it is typed, or in capitals."""
    sections = Section.objects.filter(filing=filing)
    return any(
        sections.alias(place=StrIndex("text", Value(one))).filter(place__gt=0).exists()
        for one in dict.fromkeys((phrase, phrase.upper()))
    )


def passages_naming(phrase: str) -> dict[int, int]:
    """The number of passages with a phrase, by filing; none where it has no word, or no index can be used."""
    if not words(phrase):
        return {}
    try:
        indexes = readers(()).indexes
    except SearchUnavailable:
        return {}
    for index in indexes:
        try:
            return index.counts(phrase=phrase)
        except (SearchUnavailable, IndexMismatch):
            continue
    return {}
