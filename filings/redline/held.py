"""Which two texts are compared: the years and Items that are held of a company, and why two cannot be compared."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.utils.text import get_text_list

from filings.models import Company, Filing, Section, SectionStatus
from filings.models.source_kinds import YEARLY
from filings.redline.captions import RISKS
from filings.sections.items import ALL_ITEMS, Item, annual_item


class NotComparable(ValueError):
    """Two texts cannot be compared. The message is a sentence for people."""


@dataclass(frozen=True)
class Years:
    """The annual reports of a company whose text is held, by fiscal year, the newest first."""

    company: Company
    filings: dict[int, Filing]

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The Items of a 10-K, or of a 20-F those that tell of the same, whose text is held of a year, in SEC's order."""
        held = Section.objects.filter(filing__in=self.filings.values(), status=SectionStatus.EXTRACTED)
        keys = {annual_item(key) for key in held.values_list("item", flat=True).distinct()}
        return tuple(one for key, one in ALL_ITEMS.items() if key in keys)

    @property
    def first_item(self) -> str:
        """The Item that is shown where none is asked for: the risk factors, where they are held."""
        keys = [one.key for one in self.items]
        return RISKS if RISKS in keys else next(iter(keys), RISKS)

    @property
    def said(self) -> str:
        """Fiscal 2020, 2022 and 2023."""
        return f"fiscal {get_text_list([str(year) for year in sorted(self.filings)], 'and')}"

    def pair(self, first: int | None, last: int | None) -> tuple[int, int]:
        """The older and the newer year asked for, in either order; a year that is not named is the next one held to the
        other, or one of the two newest. Raises NotComparable.
        """
        name, held = self.company.called, sorted(self.filings)
        if not held:
            raise NotComparable(f"No annual report of {name} is held as text.")
        for year in (first, last):
            if year is not None and year not in held:
                raise NotComparable(
                    f"No annual report of {name} for fiscal {year} is held as text. Held: {self.said}."
                )
        if last is None:
            last = min((year for year in held if first is not None and year > first), default=held[-1])
        if first is None:
            first = max((year for year in held if year < last), default=last)
        if first == last:
            raise NotComparable(f"Two different years are needed. Of {name} there is held: {self.said}.")
        return min(first, last), max(first, last)

    def section(self, item: str, year: int) -> Section:
        """The text of an Item in the report of a held year. Raises NotComparable."""
        filing = self.filings[year]
        found = [one for one in filing.sections.select_related("document") if annual_item(one.item) == item]
        label = ALL_ITEMS[item].label if item in ALL_ITEMS else f"Item {item[:8]}"
        of = f"the {filing.kind.called} of {self.company.called} for fiscal {year}"
        section = _extracted(found)
        if section is None:
            status = f": {found[0].get_status_display().lower()}" if found else ""
            where = f" ({found[0].where.strip()})" if found and found[0].where else ""
            raise NotComparable(f"{label} is not held as text in {of}{status}{where}.")
        if hashlib.sha256(section.text.encode()).hexdigest() != section.sha256:
            raise NotComparable(f"The stored text of {label} in {of} is damaged. Read the filing again.")
        section.filing = filing
        return section


def item_text(filing: Filing, item: str) -> Section | None:
    """The part of a filing that tells of an Item of a 10-K; None where its text is not held."""
    found = _extracted([one for one in filing.sections.all() if annual_item(one.item) == item])
    if found:
        found.filing = filing
    return found


def _extracted(found: Iterable[Section]) -> Section | None:
    return next((one for one in found if one.status == SectionStatus.EXTRACTED and one.text), None)


def years_held(company: Company) -> Years:
    """The annual reports of a company and its predecessors whose text is held: of each year the first filed."""
    found = Filing.objects.searched().of_companies([company.cik]).select_related("company")
    found = found.filter(source__in=[kind.key for kind in YEARLY], is_transition=False, fiscal_year__isnull=False)
    newest_first = found.of_sec().exclude(form__endswith="/A").order_by("-fiscal_year", "-filed", "-pk")
    return Years(company, {one.fiscal_year: one for one in newest_first if one.fiscal_year})


def texts(held: Years, item: str, first: int | None, last: int | None) -> tuple[Section, Section]:
    """An Item's older and newer text. Raises NotComparable."""
    older, newer = held.pair(first, last)
    return held.section(item, older), held.section(item, newer)


def report_before(filing: Filing) -> Filing | None:
    """The last annual report filed before a report whose text is held."""
    held = years_held(filing.company.successor or filing.company).filings.values()
    return max((one for one in held if one.filed < filing.filed), key=lambda one: one.filed, default=None)


def query_of(section: Section) -> str:
    """What names, in addresses, the comparison of a section with that of the year before; empty where none is held."""
    filing, item = section.filing, annual_item(section.item)
    if section.status != SectionStatus.EXTRACTED or filing.kind not in YEARLY or filing.fiscal_year is None:
        return ""
    held = years_held(filing.company.successor or filing.company).filings
    earlier = [year for year in held if year < filing.fiscal_year]
    if not earlier or held.get(filing.fiscal_year) != filing:
        return ""
    return f"item={item}&from={max(earlier)}&to={filing.fiscal_year}"
