"""The reports that a company filed, with fiscal year and quarter, from submissions and companyfacts."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from filings.edgar.edgar_files import ListedFiling, Submissions
from filings.models.source_kinds import ANNUAL, CURRENT, FOREIGN, PROXY, QUARTERLY, SourceKind, kind_of_form
from filings.xbrl.companyfacts import FilingFacts
from filings.xbrl.periods import (
    QUARTER_DRIFT,
    YEAR_DAYS,
    fiscal_year,
    interim_end,
    is_year,
    label_offset,
    natural_year,
    period_of_report,
    quarter_of,
)

# A period end of facts and a report date of submissions are equal within this distance (52/53 weeks).
NEAR_DAYS = 20
# The Items of Form 8-K that are held: results of operations (the earnings release), and votes of shareholders.
RESULTS = "2.02"
HELD_ITEMS = frozenset({RESULTS, "5.07"})


@dataclass(slots=True)
class ListedReport:
    """One filing. `durations`: (start, end) pairs of its companyfacts rows, with repetitions; `items`: of an 8-K."""

    accession: str
    form: str
    filed: date
    report_date: date | None = None
    primary_document: str = ""
    fiscal_year_focus: int | None = None
    durations: Sequence[tuple[date, date]] = field(default=(), repr=False)
    period_end: date | None = None
    is_transition: bool = False
    is_primary: bool = False
    fiscal_year: int | None = None
    fiscal_quarter: int | None = None
    items: tuple[str, ...] = ()

    @property
    def kind(self) -> SourceKind | None:
        """None for what a person brought, whose dates and labels are its own."""
        return kind_of_form(self.form)

    @property
    def is_interim(self) -> bool:
        return self.kind is QUARTERLY

    @property
    def is_amendment(self) -> bool:
        return self.form.endswith("/A")


def listed(filing: FilingFacts) -> ListedReport:
    """A filing as companyfacts describe it."""
    return ListedReport(
        accession=filing.accession,
        form=filing.form,
        filed=filing.filed,
        fiscal_year_focus=filing.fiscal_year_focus,
        durations=[(row.start, row.end) for row in filing.rows if row.start != row.end],
    )


def listed_reports(
    submissions: Submissions | None, facts: Iterable[ListedReport], kinds: Collection[SourceKind] = ()
) -> list[ListedReport]:
    """The union by accession: submissions give form, dates and document, companyfacts durations and focus.

    A 10-Q without figures in companyfacts is left out. kinds: which others of the listed filings are added.
    """
    reports = {report.accession: report for report in facts}
    for filing in submissions.filings if submissions else ():
        if not (
            filing.kind is ANNUAL
            or (filing.kind is QUARTERLY and filing.accession in reports)
            or (filing.kind in kinds and is_held(filing))
        ):
            continue
        report = reports.setdefault(
            filing.accession, ListedReport(accession=filing.accession, form=filing.form, filed=filing.filed)
        )
        report.form, report.filed, report.items = filing.form, filing.filed, filing.items
        report.report_date, report.primary_document = filing.report_date, filing.primary_document
    return sorted(reports.values(), key=lambda report: (report.filed, report.accession))


def is_held(filing: ListedFiling) -> bool:
    """Whether a filing is one without figures in companyfacts whose text is held; of 8-Ks only those of some Items."""
    if filing.kind is CURRENT:
        return not HELD_ITEMS.isdisjoint(filing.items)
    return not filing.kind.has_facts


def date_reports(reports: Iterable[ListedReport]) -> None:
    """Set `period_end` and `is_transition` of each report.

    Period of report: by the facts' durations, for a 10-Q those of a quarter or of the year to date; where the filing
    has none of its own year (few facts), and for a 20-F, the report date of submissions. Transition period: form 10-KT,
    or a duration of over a quarter and under a year to the report date where no year ends. An 8-K and a proxy statement
    report on a period that `label_reports` finds.
    """
    for report in reports:
        if report.kind is FOREIGN:
            report.period_end = report.report_date
        if report.kind not in (ANNUAL, QUARTERLY):
            continue
        of_report = interim_end if report.is_interim else period_of_report
        end = of_report(report.durations, report.filed) if report.durations else None
        stated = report.report_date
        if end is None or (stated and (stated - end).days > NEAR_DAYS):
            # Its facts are of earlier years only, so they do not date the filing.
            end = stated
        report.period_end = end or report.period_end
        short = not report.is_interim and bool(report.period_end) and is_short(report)
        report.is_transition = report.form.startswith("10-KT") or short


def is_short(report: ListedReport) -> bool:
    """Whether the filing's own period is shorter than a year, by its durations."""
    own = [
        (start, end)
        for start, end in report.durations
        if report.period_end and abs((end - report.period_end).days) <= NEAR_DAYS
    ]
    return any((end - start).days > 100 for start, end in own) and not any(is_year(start, end) for start, end in own)


def label_reports(cik: int, reports: Sequence[ListedReport], override: int | None = None) -> None:
    """Set `is_primary`, `fiscal_year` and `fiscal_quarter` of each report, from `period_end`.

    Primary: first non-amended 10-K of a period end. Label: year(end - 10 days) plus the company's offset, voted by the
    `fy` of its primary filings. A 10-Q belongs to the year that ends next after it, an 8-K with results to the quarter
    that ended last before it, a proxy statement to the year that did.
    """
    taken: set[date] = set()
    for report in sorted(reports, key=lambda report: (report.filed, report.accession)):
        eligible = report.kind is ANNUAL and report.period_end and not (report.is_amendment or report.is_transition)
        report.is_primary = bool(eligible) and report.period_end not in taken
        if report.is_primary and report.period_end:
            taken.add(report.period_end)
    votes = [
        (report.period_end, report.fiscal_year_focus)
        for report in reports
        if report.is_primary and report.period_end and report.fiscal_year_focus
    ]
    offset = label_offset(cik, votes, override)
    ends = sorted(taken)
    quarters = {report.period_end for report in reports if report.is_interim and report.period_end}
    for report in reports:
        if report.kind is None:
            continue
        end = report.period_end
        if report.is_interim:
            end = year_end_after(end, ends) if end else None
            report.fiscal_quarter = quarter_of(report.period_end, end) if report.period_end and end else None
        elif report.kind is PROXY:
            report.period_end = end = year_end_before(report.filed, ends)
        elif report.kind is CURRENT:
            end = place_current(report, ends, quarters)
        report.fiscal_year = fiscal_year(end, offset) if end else None


def place_current(report: ListedReport, year_ends: Sequence[date], quarters: Collection[date]) -> date | None:
    """Set period end and quarter of an 8-K; returns the end of its fiscal year.

    One with results reports on the quarter that ended last by its report date, any other on that day.
    """
    day = report.report_date or report.filed
    report.period_end, report.fiscal_quarter = day, None
    if RESULTS not in report.items:
        return year_end_after(day, year_ends)
    found = quarter_before(day, year_ends, quarters)
    if found is None:
        return None
    report.period_end, report.fiscal_quarter, year_end = found
    return year_end


def quarter_before(day: date, year_ends: Sequence[date], quarters: Collection[date]) -> tuple[date, int, date] | None:
    """(end, number, end of its fiscal year) of the fiscal quarter that ended last by a day.

    year_ends: in order. quarters: ends of the quarters known. A release comes before the report of its quarter, so an
    end that is not known is a fourth of the year after the one before. None where no fiscal year is known.
    """
    before = year_end_before(day, year_ends)
    after = year_end_after(day + timedelta(days=1), year_ends)
    if before is None or after is None:
        return None
    found = (before, 4, before)
    for number in (1, 2, 3):
        fourth = before + (after - before) * number / 4
        known = min(quarters, key=lambda end: abs(end - fourth), default=fourth)
        end = known if abs(known - fourth).days <= QUARTER_DRIFT else fourth
        found = (end, number, after) if end <= day else found
    return found


def year_end_before(day: date, year_ends: Sequence[date]) -> date | None:
    """The end of the last fiscal year that ended by a day: of a stored 10-K, or a year before the one after it."""
    known = next((end for end in reversed(year_ends) if end <= day), None)
    if known and (day - known).days < 365:
        return known
    after = year_end_after(day + timedelta(days=1), year_ends)
    return after - timedelta(days=365) if after else None


def year_end_after(day: date, year_ends: Sequence[date]) -> date | None:
    """The end of the fiscal year that contains a day: of a stored 10-K, or projected from the last one before.

    year_ends: in order. None where no year end is known within two years.
    """
    later = next((end for end in year_ends if end >= day), None)
    if later and (later - day).days < max(YEAR_DAYS):
        return later
    earlier = next((end for end in reversed(year_ends) if end < day), None)
    if earlier and (day - earlier).days <= 2 * max(YEAR_DAYS):
        return years_after(earlier, day)
    return years_before(later, day) if later and (later - day).days <= 3 * max(YEAR_DAYS) else None


def years_after(end: date, day: date) -> date:
    """The first projected year end, a year apart, on or after a day."""
    while end < day:
        end += timedelta(days=365)
    return end


def years_before(end: date, day: date) -> date:
    """The last projected year end, going back a year at a time, still on or after a day."""
    while end - timedelta(days=365) >= day:
        end -= timedelta(days=365)
    return end


def within(report: ListedReport, first: int | None, last: int | None) -> bool:
    """Whether a report belongs to the fiscal years asked for, by its label or its natural year.

    A report without a date of its own year counts for the year before it was filed.
    """
    if report.kind in (QUARTERLY, CURRENT):
        natural = report.fiscal_year or report.filed.year
    else:
        natural = natural_year(report.period_end) if report.period_end else report.filed.year - 1
    years = {natural, report.fiscal_year or natural}
    return max(years) >= (first or 0) and min(years) <= (last or 9999)
