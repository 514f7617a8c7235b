"""The screener's content: all covered companies by a few measures, read from the address."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.core.cache import cache
from django.db.models import Count
from django.urls import reverse
from django.utils.text import capfirst

from accounts.identity import Identity
from agent.numbers.cells.measure_keys import known, measure_of
from agent.numbers.facts.render import exact
from agent.numbers.registry import registry as registry_file
from agent.refusals.grammar import listed, lower_first
from agent.runs import spending
from agent.screening.annual_figures import query_of, rounded_as_kept
from agent.screening.ranked_companies import Condition, Ranked, Screened, Screening, screen
from agent.state.query import Query
from agent.state.tables import Cell
from agent.web.tables import grid as grids
from agent.web.tables import grid_parameters
from agent.web.tables.verified_tables import dependencies, ref_of, tabulated
from filings.models import FIRST_YEAR, Company
from filings.web.company_directory import with_held

MOST_MEASURES = 6
MOST_CONDITIONS = 12
ROWS_A_PAGE = 25
SIGNS = {">": "above", "<": "below", ">=": "at least", "<=": "at most"}
BOUND = re.compile(r"(?P<measure>[^<>=]+?)\s*(?P<sign>[<>]=?)\s*(?P<amount>[^<>=]+)")
AMOUNT = re.compile(
    r"\$?\s*(?P<sign>[-\u2212]?)\s*\$?\s*(?P<digits>\d{1,15}(?:\.\d{1,12})?|\.\d{1,12})"
    r"\s*(?P<scale>%|k|thousand|m|mn|million|b|bn|billion|t|tn|trillion)?",
    re.IGNORECASE,
)
POWERS = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "b": 9, "bn": 9, "billion": 9, "t": 12, "tn": 12, "trillion": 12}  # fmt: skip
Made = TypeVar("Made")


@dataclass(frozen=True)
class Bound:
    """A condition on a measure, by its key."""

    key: str
    sign: str
    amount: Decimal

    @property
    def code(self) -> str:
        """As it stands in the address: operating_margin>10."""
        return f"{self.key}{self.sign}{self.digits}"

    @property
    def digits(self) -> str:
        return format(self.amount, "f")


@dataclass(frozen=True)
class Screener:
    """What the address asks. year: a calendar year; 0 for each company's newest. problems: in sentences."""

    measures: tuple[str, ...] = ()
    year: int = 0
    bounds: tuple[Bound, ...] = ()
    sort: str = ""
    highest: bool = True
    sic: str = ""
    page: int = 1
    name: str = ""
    problems: tuple[str, ...] = field(default=(), compare=False)

    def address(self, **other: Any) -> str:
        """The address of this screen, or of one that differs from it."""
        query = replace(self, **other).query_string
        return f"{reverse('screener')}?{query}" if query else reverse("screener")

    @property
    def file_address(self) -> str:
        """The address of its CSV file, which has all pages."""
        return f"{reverse('screener_file', args=['csv'])}?{self.screened_by}"

    @property
    def query_string(self) -> str:
        chosen: dict[str, Any] = {
            "measures": ",".join(self.measures),
            "year": self.year or "",
            "where": ",".join(one.code for one in self.bounds),
            "sort": self.sort if self.measures and self.sort != self.measures[0] else "",
            "order": "" if self.highest else "lowest",
            "sic": self.sic,
            "page": self.page if self.page > 1 else "",
        }
        return urlencode({name: value for name, value in chosen.items() if value}, safe=",:<>=")

    @property
    def screened_by(self) -> str:
        """Its query string without the page, as it is saved."""
        return replace(self, page=1).query_string

    @property
    def asks(self) -> bool:
        return bool(self.measures and not self.problems)

    @property
    def screening(self) -> Screening:
        registry = registry_file.load()
        return Screening(
            measures=tuple(measure_of(key, registry) for key in self.measures),
            year=self.year or None,
            conditions=tuple(Condition(self.measures.index(one.key), one.sign, one.amount) for one in self.bounds),
            sort=self.measures.index(self.sort or self.measures[0]),
            highest=self.highest,
            sic=self.sic,
        )

    def without(self, key: str) -> str:
        """The address without a measure and its bounds."""
        return self.address(
            measures=tuple(one for one in self.measures if one != key),
            bounds=tuple(one for one in self.bounds if one.key != key),
            sort="" if self.sort == key else self.sort,
            page=1,
        )

    def bound(self, key: str, *signs: str) -> str:
        """The bound of a measure as its form field shows it."""
        return next((one.digits for one in self.bounds if one.key == key and one.sign in signs), "")

    @cached_property
    def labels(self) -> dict[str, str]:
        """The measures by key with their labels."""
        return {key: capfirst(grids.version_of(key).label) for key in self.measures}

    @cached_property
    def units(self) -> dict[str, str]:
        """The unit of each measure, in words for its bounds: %, USD, days."""
        found = {key: grids.version_of(key).unit for key in self.measures}
        return {key: {"percent": "%", "points": "points", "ratio": "times", "pure": ""}.get(unit, unit) for key, unit in found.items()}  # fmt: skip

    @property
    def when(self) -> str:
        return str(self.year) if self.year else "newest year"

    @property
    def title(self) -> str:
        """Companies by operating margin, 2024: operating margin above 10%."""
        by = self.labels[self.sort or self.measures[0]]
        said = [self.said(one) for one in self.bounds]
        about = f": {listed(said)}" if said else ""
        return f"Companies by {lower_first(by)}, {self.when}{about}"

    def said(self, one: Bound) -> str:
        """A bound in words: operating margin above 10%."""
        return f"{lower_first(self.labels[one.key])} {SIGNS[one.sign]} {exact(one.amount, grids.version_of(one.key).unit)}"


def of_query(query: Query) -> Screener | None:
    """The screen of a question about all companies; None for another question, or a measure without a key."""
    found = query.screened
    if found is None or not known(found.key, registry_file.load()):
        return None
    bounds = tuple(Bound(found.key, one.comparison, one.bound) for one in found.bounds if one.comparison in SIGNS)
    return Screener(measures=(found.key,), year=found.year or 0, bounds=bounds, highest=found.highest)


# --- results ---


@dataclass(frozen=True)
class ScreenedRow:
    """One company of a page: its rank, its own fiscal year, and a cell a measure; None where there is none."""

    ranked: Ranked
    company: Company | None
    cells: tuple[Cell | None, ...]
    outdated: bool = False

    @property
    def ends(self) -> date | None:
        """The last day of its fiscal year."""
        return next((cell.period_end for cell in self.cells if cell is not None), None)


@dataclass(frozen=True)
class ScreenPage:
    """One page of a screen, its figures selected and verified anew."""

    found: Screened
    rows: tuple[ScreenedRow, ...]
    number: int
    pages: int

    @property
    def outdated(self) -> bool:
        """Whether a figure is not the one that was ranked."""
        return any(row.outdated for row in self.rows)

    @property
    def first(self) -> int:
        return (self.number - 1) * ROWS_A_PAGE + 1

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


def screened(asked: Screener, identity: Identity) -> Screened:
    """Every company of a screen, in order."""
    return screen(asked.screening, dependencies(identity, registry_file.load()))


def counted(asked: Screener, identity: Identity, make: Callable[[], Made]) -> Made:
    """What is made of a screen, counted against the asker's quota as one page is.

    Other pages, orders and conditions of it count no more for a while. Raises accounts.quotas.QuotaExceeded.
    """
    of = f"{identity.key} {asked.measures} {asked.year} {asked.sic}"
    key = f"screen:{hashlib.sha256(of.encode()).hexdigest()}"
    if cache.get(key):
        return make()
    cells = ROWS_A_PAGE * len(asked.measures)
    made = spending.counted(identity, asked.title, make, lambda _: ("", True), spending.of_cells(cells))
    cache.set(key, True, grids.KEPT_SECONDS)
    return made


def counted_page(asked: Screener, identity: Identity, size: int = ROWS_A_PAGE) -> ScreenPage:
    """A page of a screen, counted. Raises accounts.quotas.QuotaExceeded."""
    return counted(asked, identity, lambda: page_of(asked, screened(asked, identity), identity, size))


def page_of(asked: Screener, found: Screened, identity: Identity, size: int = ROWS_A_PAGE) -> ScreenPage:
    """A page of a screen. Its figures are selected from the facts again, and verified as any table's."""
    pages = max(1, -(-len(found.ranked) // size))
    number = min(max(asked.page, 1), pages)
    ranked = found.ranked[(number - 1) * size : number * size]
    return ScreenPage(found, tuple(rows_of(asked, ranked, identity)), number, pages)


def rows_of(asked: Screener, ranked: Sequence[Ranked], identity: Identity) -> Iterator[ScreenedRow]:
    """The companies with their cells. A figure that is not the one ranked is left out, and its row marked."""
    companies = {
        one.cik: one for one in with_held(Company.objects.filter(cik__in=[row.company.cik for row in ranked]))
    }
    years = {row.company.cik: row.fiscal_year for row in ranked}
    refs = [ref_of(companies[row.company.cik]) for row in ranked if row.company.cik in companies]
    query = query_of(refs, asked.screening.measures, years)
    cells: dict[tuple[int, int], Cell] = {}
    for cell in tabulated(query, identity).cells if query else ():
        if cell.asked and not cell.alternative:
            cells.setdefault((cell.cik, cell.row), cell)
    for row in ranked:
        cik = row.company.cik
        shown = tuple(cells.get((cik, place)) for place in range(len(asked.measures)))
        same = tuple(is_ranked(cell, row, place) for place, cell in enumerate(shown))
        kept_cells = tuple(cell if fits else None for cell, fits in zip(shown, same, strict=True))
        yield ScreenedRow(row, companies.get(cik), kept_cells, outdated=not all(same))


def is_ranked(cell: Cell | None, row: Ranked, place: int) -> bool:
    """Whether a cell has the figure that was ranked, or neither has one that is certain."""
    figure = row.figures.get(place)
    if figure is None:
        return True
    return cell is not None and cell.value is not None and rounded_as_kept(cell.value) == figure.value


# --- reading the address ---


def read(given: Mapping[str, str], above: Sequence[str] = (), below: Sequence[str] = ()) -> Screener:
    """The screen of an address or of its form.

    above, below: the form's bounds, in the order of its measures; they replace those of `where` for these measures.
    """
    problems: list[str] = []
    own = grid_parameters.measures_of(given.get("measures", ""), "", problems)
    bounds = bounds_of(given.get("where", ""), problems)
    if above or below:
        bounds = [one for one in bounds if one.key not in own]
        for sign, texts in ((">", above), ("<", below)):
            for key, text in zip(own, texts, strict=False):
                if text.strip() and (amount := amount_of(text, problems)) is not None:
                    bounds.append(Bound(key, sign, amount))
    typed = grid_parameters.measures_of("", given.get("measure", ""), problems)
    measures = tuple(dict.fromkeys([*own, *(one.key for one in bounds), *typed]))
    if len(measures) > MOST_MEASURES:
        problems.append(f"A screen has {MOST_MEASURES} measures at most; these are {len(measures)}.")
    sort = given.get("sort", "")
    sic = "".join(given.get("sic", "").split())[:4]
    if sic and not (sic.isascii() and sic.isdecimal()):
        problems.append("Give an SIC code of up to four digits, such as 3674, or its first digits.")
    year = grid_parameters.year_of("year", given.get("year", ""), 0, problems)
    if year and year < FIRST_YEAR:
        problems.append(f"Figures begin in {FIRST_YEAR}.")
    page = given.get("page", "")
    return Screener(
        measures=measures,
        year=year,
        bounds=tuple(bounds),
        sort=sort if sort in measures else "",
        highest=given.get("order") != "lowest",
        sic=sic,
        page=int(page) if page.isascii() and page.isdecimal() and len(page) < 6 else 1,
        name=" ".join(given.get("name", "").split()),
        problems=tuple(problems),
    )


def bounds_of(text: str, problems: list[str]) -> list[Bound]:
    """The bounds of an address: operating_margin>10,revenue>=1bn."""
    found: list[Bound] = []
    for part in filter(None, map(str.strip, text.split(","))):
        match = BOUND.fullmatch(part)
        if match is None:
            problems.append(
                f"“{part[:60]}” is no condition. Give a measure, a sign and a number: operating_margin>10."
            )
            continue
        keys = grid_parameters.measures_of(match["measure"], "", problems)
        amount = amount_of(match["amount"], problems)
        if keys and amount is not None:
            found.append(Bound(keys[0], match["sign"], amount))
    if len(found) > MOST_CONDITIONS:
        problems.append(f"A screen has {MOST_CONDITIONS} conditions at most; these are {len(found)}.")
    return found


def amount_of(text: str, problems: list[str]) -> Decimal | None:
    """The number of a bound: 10, 10%, 2.5bn."""
    match = AMOUNT.fullmatch(text.strip().replace(",", ""))
    try:
        if match is None:
            raise InvalidOperation
        number = Decimal(match["digits"]).scaleb(POWERS.get((match["scale"] or "").lower(), 0))
        return -number if match["sign"] else number
    except InvalidOperation:
        problems.append(f"“{text[:60]}” is no number. Give 10, 10%, 500m or 2.5bn.")
        return None


def industries(identity: Identity) -> list[tuple[str, str]]:
    """The SIC codes of covered companies with their descriptions, by code."""
    covered = grids.companies_offered(identity).exclude(sic="").order_by("sic")
    rows = covered.values_list("sic", "sic_description").annotate(count=Count("pk"))
    return [(code, said) for code, said in {code: said for code, said, _ in rows}.items()]
