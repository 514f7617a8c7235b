"""What came since a 10-K: each later filing of the company, with what it says otherwise than the filings before it."""

from collections.abc import Callable, Sequence

from django.db.models import Q

from agent.numbers.basis.moved_figures import Moved, moved_by
from agent.numbers.facts.render import shown
from agent.prose.text.wording import ended, names
from filings.models import Filing, SectionStatus
from filings.models.report import IMPORTED, READ
from filings.models.source_kinds import CURRENT, YEARLY
from filings.redline.alignment import Kind
from filings.redline.captions import RISKS
from filings.redline.comparison import compare
from filings.redline.held import item_text, report_before
from filings.redline.summary import OF_CAPTIONS
from filings.sections.items import CURRENT_ITEMS, ITEMS

# Filings that are listed, the newest first, and figures and risks of a kind that each names.
MOST, NAMED = 25, 3
SEC_LIST = "SEC\u2019s list of filings"


def later_filings(annual: Filing) -> list[Filing]:
    """The loaded filings of a 10-K's company that were filed after it, the newest first."""
    held = READ | Q(accession__startswith=IMPORTED)
    found = Filing.objects.of_companies([annual.company.asked_as]).filter(held, filed__gt=annual.filed, withdrawn=None)
    return list(found.select_related("company").order_by("-filed", "-period_end", "-pk")[:MOST])


def later_reports(cik: int, years: Sequence[int], item: str) -> tuple[list[Filing], bool]:
    """The reports since a company's last 10-K that tell of an Item of it, the oldest first; and whether that 10-K is of
    another year than those named.
    """
    last = Filing.objects.answering().of_companies([cik]).select_related("company").order_by("-period_end").first()
    later = [one for one in later_filings(last) if item_text(one, item)] if last else []
    return later[::-1], bool(years) and last is not None and last.fiscal_year not in years


def called(filing: Filing) -> str:
    """10-K; 10-Q for Q1."""
    quarter = f" for Q{filing.fiscal_quarter}" if filing.fiscal_quarter else ""
    return f"{filing.form or filing.kind.label}{quarter}"


def filed(filing: Filing) -> str:
    return f"{filing.kind.dated} {filing.filed:%-d %B %Y}."


def about(filing: Filing) -> str:
    """The title of an imported document, the Items of an 8-K, the parts that an amendment holds; empty of other filings."""
    if filing.is_imported:
        return ended(f"\u201c{filing.title}\u201d")
    if filing.source == CURRENT.key:
        titles = [CURRENT_ITEMS[key].title for key in filing.items.split(",") if key in CURRENT_ITEMS]
        return ended(f"It tells of: {'; '.join(titles)}") if titles else ""
    if not filing.is_amendment:
        return ""
    held = set(filing.sections.filter(status=SectionStatus.EXTRACTED).values_list("item", flat=True))
    parts = f", with {names([key for key in ITEMS if key in held])}" if held & set(ITEMS) else ""
    return f"It amends the {filing.form.removesuffix('/A')} for {filing.period}{parts}."


def restated(filing: Filing) -> str:
    """The figures that a report gives otherwise than the one before it; empty without any."""
    found = moved_by(filing) if filing.kind.has_facts else []
    if not found:
        return ""
    return f"Changed figures: {named([change(one) for one in found[:NAMED]], len(found))}."


def change(one: Moved) -> str:
    """Revenue, 1 Jan 2024 to 31 Dec 2024: $85.702 million, before $86.214 million."""
    before, after = (shown(fact.value, fact.unit, reported=True) for fact in (one.before, one.after))
    start, end = one.after.start, f"{one.after.end:%-d %b %Y}"
    when = f"as of {end}" if start == one.after.end else f"{start:%-d %b %Y} to {end}"
    return f"{one.label}, {when}: {after}, before {before}"


def source(filing: Filing) -> str:
    """Where what is told of a filing comes from: a list, or the document that was imported, and the tags of its figures."""
    found = moved_by(filing)[:NAMED] if filing.kind.has_facts else []
    where, tags = (
        "imported document" if filing.is_imported else SEC_LIST,
        dict.fromkeys(one.after.tag for one in found),
    )
    return f"{where}; XBRL: {', '.join(tags)}" if tags else where


def risks(filing: Filing, most: int | None = NAMED) -> str:
    """The risks that a report added, removed and reworded since the annual report before it, by their headings; empty
    without any. most: so many of each are named; None: all.

    A quarterly report may leave out risks that stand as before, so it removes none.
    """
    before, new = report_before(filing), item_text(filing, RISKS)
    old = item_text(before, RISKS) if before else None
    if not (before and old and new):
        return ""
    said, captions = [], compare(old, new).captions
    for kind, name in OF_CAPTIONS.items():
        units = [one.unit for one in captions if one.kind is kind]
        if units and (kind is not Kind.DROPPED or filing.kind in YEARLY):
            text = (old if kind is Kind.DROPPED else new).text
            quoted = [f"\u201c{text[one.start : one.end]}\u201d" for one in units[:most]]
            said.append(ended(f"Risks {name} since fiscal {before.fiscal_year}: {named(quoted, len(units))}"))
    return " ".join(said)


def named(first: Sequence[str], count: int) -> str:
    """a; b; and 2 more. first: the first ones of so many."""
    more = count - len(first)
    return "; ".join((*first, *([f"and {more} more"] if more else [])))


# What is told of each filing, in this order; what one has nothing of is left out.
TELLS: tuple[Callable[[Filing], str], ...] = (filed, about, risks, restated)


def told(filing: Filing) -> str:
    """All that is told of a filing, in sentences."""
    return " ".join(filter(None, (tell(filing) for tell in TELLS)))
