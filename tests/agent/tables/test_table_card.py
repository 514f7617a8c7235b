"""What the card makes of a table: one figure, readings, or rows; its title, units, notes and sources."""

from datetime import date
from decimal import Decimal

import pytest

from agent.state import Cell, Scale
from agent.state.tables import Placed, Result
from agent.web.tables.table_card import TableCard
from tests.agent.tables.cells import (
    APPLE,
    MICROSOFT,
    accession_of,
    card,
    cell,
    growth,
    margin,
    result,
    rows,
    texts,
)
from tests.support import answers

NO_STATEMENT = "Single measures are available."


CONTEXT = (cell("383285000000", 2023, asked=False), cell(), cell("416161000000", 2025, asked=False))
BEGAN = "The fiscal year that began in 2024"
READ = "Fiscal 2024 (ended 28 Jan 2024)"


@pytest.mark.parametrize(
    ("cells", "results", "form"),
    [
        ((cell(),), (), "single"),
        (CONTEXT, (), "single"),
        ((cell(), margin(alternative=True)), (), "single"),
        ((cell(), cell(None, 2023)), (), "table"),
        ((cell(),), (result("threshold", holds=True, bound=Decimal(1), comparison=">"),), "table"),
        ((cell(), cell("1", 2025)), (), "table"),
        ((cell(), cell(cik=MICROSOFT)), (), "table"),
        ((cell(period_reading=READ), cell("1", 2025, period_reading=BEGAN)), (), "readings"),
        ((margin(reading="first"), margin(reading="second")), (), "readings"),
        ((cell(), margin(row=1)), (), "readings"),
        (tuple(margin(reading=str(number)) for number in range(5)), (), "table"),
        # Two readings of the year in each of two definitions are rows and columns.
        (
            tuple(
                margin(year, reading=reading, period_reading=period)
                for reading in ("first", "second")
                for year, period in ((2024, READ), (2025, BEGAN))
            ),
            (),
            "table",
        ),
    ],
)
def test_a_table_is_one_figure_or_readings_or_rows(
    cells: tuple[Cell, ...], results: tuple[Result, ...], form: str
) -> None:
    found = card(*cells, results=results)
    assert ("single" if found.single else "readings" if found.readings else "table") == form


@pytest.mark.parametrize(
    ("found", "title"),
    [
        (card(cell()), "Apple, total revenue, fiscal 2024"),
        (card(*CONTEXT), "Apple, total revenue, fiscal 2024"),
        (card(margin(reading="average equity")), "Apple, gross margin (average equity), fiscal 2024"),
        (card(*(cell("1", year) for year in range(2021, 2026))), "Apple, total revenue, fiscal 2021 to 2025"),
        (card(cell("1", 2021), cell("1", 2024)), "Apple, total revenue, fiscal 2021 and 2024"),
        (card(cell(), margin(), cell(None, 2023)), "Apple, total revenue and gross margin, fiscal 2023 and 2024"),
        (card(cell(), cell(cik=MICROSOFT)), "Apple and Microsoft: total revenue, fiscal 2024"),
        (card(cell(), cell(None, cik=MICROSOFT)), "Apple and Microsoft: total revenue, fiscal 2024"),
        (card(cell(), cell(), statement="balance sheet"), "Apple, balance sheet, fiscal 2024"),
        (
            card(*(cell(label=f"Shares ({where})", measure=where) for where in ("cover", "balance sheet"))),
            "Apple, shares, fiscal 2024",
        ),
        (card(*(cell(label=str(number), measure=str(number)) for number in range(4))), "Apple, 4 measures, fiscal 2024"),
        (
            card(*(cell(company=f"Company {number}", cik=APPLE) for number in range(4))),
            "4 companies: total revenue, fiscal 2024",
        ),
    ],
)  # fmt: skip
def test_a_title_says_whose_figures_of_what_and_when(found: TableCard, title: str) -> None:
    assert found.title == title


def test_years_around_the_figure_are_shown_and_not_asserted() -> None:
    found = card(*CONTEXT)
    assert found.years.has_context
    assert [figure.cell.fiscal_year for figure in found.asserted] == [2024]
    assert texts(found.years) == [["Total revenue", "383,285", "391,035", "416,161"]]
    assert [year for _, year, _ in found.filings] == [2024]


def test_another_definition_stands_beside_the_answer() -> None:
    found = card(margin(reading="average"), margin(reading="year-end", alternative=True, value="44.1"))
    assert [figure.text for figure in found.asserted] == ["46.2%"]
    assert [figure.name for figure in found.related] == ["Gross margin (year-end)"]
    # Of one figure it is no row of the years; of several years it is, and says so.
    assert [row.label for row in rows(found.years)] == ["Gross margin (average)"]
    assert found.moved is None
    two = card(
        margin(reading="average"), margin(2023, reading="average"), margin(reading="year-end", alternative=True)
    )
    assert [(row.label, row.below, row.asked) for row in rows(two.years)] == [
        ("Gross margin (average)", "", True),
        ("Gross margin (year-end)", "See also", False),
    ]


def test_what_one_figure_moved_by_is_that_of_its_own_year() -> None:
    moves = [growth(value, year) for value, year in (("-2.8", 2023), ("2.02", 2024), ("6.43", 2025))]
    found = card(*CONTEXT, *moves)
    assert found.single is not None
    assert found.moved is not None
    assert (found.moved.movement, found.moved.cell.fiscal_year) == ("+2.0%", 2024)
    assert card(*CONTEXT).moved is None
    # Of a year that may be meant otherwise nothing is said.
    assert card(cell(period_reading=READ), moves[1]).moved is None
    assert [figure.cell.measure for figure in found.asserted] == ["revenue"]


@pytest.mark.parametrize(
    ("found", "query"),
    [
        (card(cell(), cell(None, 2022)), "companies=320193&measures=revenue&from=2022&to=2024"),
        (card(*CONTEXT), "companies=320193&measures=revenue&from=2024&to=2024"),
        (
            card(cell(cik=MICROSOFT), cell(), margin(2023, measure="roe:ending"), margin(alternative=True)),
            "companies=789019,320193&measures=revenue,roe:ending&from=2023&to=2024",
        ),
        (card(growth("2.0", asked=True)), "companies=320193&measures=growth+of+revenue&from=2024&to=2024"),
        # A printed line is of its filing alone, and of no year there is nothing to show.
        (card(cell(), cell(measure="us-gaap:Cash")), ""),
        (card(cell(None, fiscal_year=None)), ""),
    ],
)
def test_the_same_can_be_opened_as_a_grid(found: TableCard, query: str) -> None:
    assert found.grid == query


def test_the_grid_of_an_answer_names_companies_by_their_symbols() -> None:
    found = TableCard(card(cell(), cell(cik=MICROSOFT)).table, symbols={APPLE: "AAPL", MICROSOFT: ""})
    assert found.grid.startswith("companies=AAPL,789019&")


HIGHEST = "Highest total revenue in fiscal 2024: $391,035 million"


@pytest.mark.parametrize(
    ("found", "winner"),
    [
        (card(cell(), cell("1", cik=MICROSOFT)), ("Apple", HIGHEST)),
        (card(cell(), cell(cik=MICROSOFT)), ("Apple and Microsoft", HIGHEST)),
        (
            card(cell("1", 2023), cell("9000000", 2023, MICROSOFT), cell(), cell("1", cik=MICROSOFT)),
            ("Apple", HIGHEST),
        ),
        # Of one company, of measures that are not alike, or where something else was asked of them, none is named.
        (card(cell(), cell(None, cik=MICROSOFT)), None),
        (card(cell(), margin(cik=MICROSOFT)), None),
        (card(cell(), cell("1", 2023)), None),
        (card(cell(), cell("1", cik=MICROSOFT), results=(result("cagr"),)), None),
    ],
)
def test_of_companies_compared_the_first_is_named(found: TableCard, winner: tuple[str, str] | None) -> None:
    assert (found.winner and (found.winner.who, found.winner.said)) == winner


def test_an_order_that_was_asked_says_who_is_first_and_is_told_no_second_time() -> None:
    cells = (cell(), cell(cik=MICROSOFT))
    found = card(*cells, results=(RANK, result("cagr")))
    assert found.winner is not None
    assert (found.winner.who, found.winner.said) == ("Apple", "Highest gross margin in fiscal 2024: 46.2%")
    assert [one.result.operation for one in found.result_sentences] == ["cagr"]
    lowest = RANK.model_copy(update={"highest": False})
    before = RANK.model_copy(update={"fiscal_years": (2023,)})
    # Of several years the newest says it.
    last = card(*cells, results=(before, lowest)).winner
    assert last is not None
    assert last.said == "Lowest gross margin in fiscal 2024: 46.2%"
    # Of two that share the first place, both.
    tied = RANK.model_copy(update={"order": tuple(one.model_copy(update={"rank": 1}) for one in RANK.order)})
    both = card(*cells, results=(tied,)).winner
    assert both is not None
    assert both.who == "Apple and Microsoft"


@pytest.mark.parametrize(
    ("found", "ends"),
    [
        (card(*(cell("1", year) for year in (2022, 2023, 2024))), (2022, 2024)),
        (card(cell("1", 2022), cell(None, 2023), cell()), (2022, 2024)),
        # One figure, several rows, or what was made of them, have no two ends.
        (card(*CONTEXT), None),
        (card(cell(), cell(cik=MICROSOFT)), None),
        (card(*(cell("1", year, row=row) for row in (0, 1) for year in (2023, 2024))), None),
        (card(cell("1", 2023), cell(), results=(result("cagr"),)), None),
        (card(cell(None), cell(None, 2023)), None),
    ],
)
def test_of_one_row_over_several_years_the_ends_are_told(found: TableCard, ends: tuple[int, int] | None) -> None:
    assert (found.trend and tuple(figure.cell.fiscal_year for figure in found.trend)) == ends


def test_a_headline_joins_no_two_parts_of_a_figure() -> None:
    turbines = [
        cell(str(year), year, measure="revenue_turbines", part="Turbines", role="part") for year in (2023, 2024)
    ]
    grid = [cell(str(year), year, measure="revenue_grid", part="Grid", role="part") for year in (2023, 2024)]
    assert card(*turbines).trend
    assert card(*turbines, *grid).trend is None
    # Nor the largest part of one year and of another.
    assert card(turbines[0], grid[1]).trend is None


def test_a_gap_is_told_once_for_all_cells_of_one_reason() -> None:
    found = card(cell(), *(cell(None, year, MICROSOFT) for year in (2022, 2023, 2024)), cell(None, 2023))
    assert [(one.whose, one.text, one.detail) for one in found.gaps] == [
        ("Microsoft", "Microsoft reports none.", "Look elsewhere."),
        ("Apple, fiscal 2023", "Apple reports none.", "Look elsewhere."),
    ]
    assert found.counted_gaps == (4, 5)


def test_a_definition_without_a_figure_is_named_by_it() -> None:
    found = card(
        margin(reading="first"),
        margin(reading="second"),
        cell(None, reading="third", measure="x", label="Gross margin"),
    )
    assert found.readings
    assert [one.whose for one in found.gaps] == ["Gross margin (third)"]


@pytest.mark.parametrize(
    ("cells", "notes"),
    [
        ((cell(notes=(NO_STATEMENT,)),), [NO_STATEMENT]),
        ((cell(notes=(NO_STATEMENT,)), cell("1", 2023, notes=(NO_STATEMENT,))), [NO_STATEMENT]),
        ((cell(notes=(NO_STATEMENT,)), cell("1", 2023)), [f"Fiscal 2024: {NO_STATEMENT}"]),
        ((cell(), cell(cik=MICROSOFT, notes=(NO_STATEMENT,))), [f"Microsoft: {NO_STATEMENT}"]),
        (
            (cell(), cell("1", 2023, MICROSOFT), cell("1", 2024, MICROSOFT, notes=(NO_STATEMENT,))),
            [f"Microsoft, fiscal 2024: {NO_STATEMENT}"],
        ),
        ((cell(), margin(notes=(NO_STATEMENT,))), [f"Gross margin: {NO_STATEMENT}"]),
        # One that says whose it is needs no name before it; one of a year that was not asked is not told.
        ((cell(notes=("Apple's year ended early.",)), cell(cik=MICROSOFT)), ["Apple's year ended early."]),
        ((cell(), cell("1", 2023, asked=False, notes=(NO_STATEMENT,))), []),
    ],
)
def test_a_note_says_whose_figures_it_is_about(cells: tuple[Cell, ...], notes: list[str]) -> None:
    assert list(card(*cells).notes) == notes


def test_notes_of_the_table_and_of_results_follow_and_none_is_told_twice() -> None:
    found = card(
        cell(notes=(NO_STATEMENT,)),
        cell("1", 2023),
        results=(result("cagr", notes=(NO_STATEMENT, "Two filings give these years.")),),
        notes=("The years differ.",),
    )
    assert found.notes == (f"Fiscal 2024: {NO_STATEMENT}", "Two filings give these years.", "The years differ.")


def test_rows_tell_which_year_a_bare_year_was_read_as() -> None:
    both = [margin(reading=one, period_reading=READ) for one in ("first", "second")]
    later = [margin(2025, reading=one, period_reading=BEGAN) for one in ("first", "second")]
    assert card(*both, *later).notes == (
        "Apple: fiscal 2024 (ended 28 Jan 2024).",
        "Apple, fiscal 2025: the fiscal year that began in 2024.",
    )


RANK = result(
    "rank", "46.2063", cik=None, fiscal_years=(2024,), label="Gross margin",
    order=(
        Placed(rank=1, cik=APPLE, row=0, fiscal_year=2024, value=Decimal("46.2063")),
        Placed(rank=2, cik=MICROSOFT, row=0, fiscal_year=2024, value=Decimal("41.1")),
    ),
)  # fmt: skip
BEST = RANK.model_copy(update={"order": RANK.order[:1]})
PEAK = result(
    "highest", "394328000000", "USD",
    order=(Placed(rank=1, cik=APPLE, row=0, fiscal_year=2022, value=Decimal("394328000000")),),
)  # fmt: skip
BETWEEN = result("difference", "145913000000", "USD", cik=None, fiscal_years=(2024,), order=RANK.order)


@pytest.mark.parametrize(
    ("one", "title", "headline", "when", "is_figure"),
    [
        (result("cagr", formula="100 * revenue"), "Apple, compound annual growth rate of total revenue, fiscal 2020 to 2024", "9.2% ", "", True),
        (PEAK, "Apple, highest total revenue, fiscal 2020 to 2024", "$394,328 million", "in fiscal 2022", True),
        (BETWEEN, "Total revenue, Apple less Microsoft, fiscal 2024", "$145,913 million", "", True),
        (RANK, "Rank of gross margin, fiscal 2024", "46.2% ", "", False),
        (result("threshold", "391035000000", "USD", holds=False, comparison=">", bound=Decimal(400_000_000_000)),
         "Apple, threshold of total revenue, fiscal 2020 to 2024", "$391,035 million", "", False),
    ],
)  # fmt: skip
def test_what_an_operation_makes_is_a_figure_or_a_sentence(
    one: Result, title: str, headline: str, when: str, is_figure: bool
) -> None:
    found = card(cell(), cell(cik=MICROSOFT), results=(one,))
    (computed,) = found.results
    assert (computed.title, f"{computed.headline} {computed.unit_word}", computed.when) == (title, headline, when)
    assert (computed.is_figure, found.result is not None) == (is_figure, is_figure)
    assert found.single is None


@pytest.mark.parametrize(
    ("one", "scale", "sentence"),
    [
        (RANK, None, "Gross margin, fiscal 2024, highest first: 1. Apple 46.2%, 2. Microsoft 41.1%."),
        (BEST, None, "Highest gross margin, fiscal 2024: Apple, 46.2%."),
        (result("threshold", "391035000000", "USD", holds=False, comparison=">", bound=Decimal(400_000_000_000)),
         Scale.BILLIONS, "Total revenue, Apple, fiscal 2020 to 2024: $391.035 billion. Above $400 billion: no."),
        (PEAK, Scale.BILLIONS, "Highest total revenue, Apple, fiscal 2020 to 2024: $394.328 billion in fiscal 2022."),
    ],
)  # fmt: skip
def test_an_order_and_a_yes_or_no_are_told_in_a_sentence(one: Result, scale: Scale | None, sentence: str) -> None:
    assert card(cell(), cell(cik=MICROSOFT), scale=scale, results=(one,)).results[0].sentence == sentence


def test_computed_figures_are_listed_with_their_formulas_each_at_its_place() -> None:
    found = card(
        margin(reading="average"), margin(2023, reading="average"), margin(reading="year-end", alternative=True),
        margin(2022, asked=False), cell(row=1),
    )  # fmt: skip
    assert [figure.title for figure in found.derived] == [
        "Apple, gross margin (average), fiscal 2024",
        "Apple, gross margin (average), fiscal 2023",
        "Apple, gross margin (year-end), fiscal 2024",
    ]
    assert found.shows_work
    assert not card(cell()).shows_work
    two = card(margin(measure="roa:average"), margin(measure="roa:ending")).derived
    assert len({figure.anchor for figure in two}) == len(two)


def test_every_filing_is_a_source_once_with_the_year_that_is_answered_from_it() -> None:
    older = answers.fact_ref(fact=7, cik=APPLE, accession="of another year", filed=date(2021, 2, 20))
    seam = margin(accession=answers.ACCESSION, operands=(answers.operand("revenue", "Revenue", older),))
    found = card(seam, cell("1", 2023), cell("2", 2023, measure="cost"))
    assert [(company, year, fact.accession) for company, year, fact in found.filings] == [
        ("Apple", None, "of another year"),
        ("Apple", 2023, accession_of(2023)),
    ]


def test_what_later_filings_give_otherwise_is_told_of_figures_and_of_what_they_are_computed_from() -> None:
    after = answers.fact_ref("Revenues", "383000000000", fact=99)
    used = cell("383285000000", 2024)
    assert used.fact is not None
    restated = (answers.later("revenue", used.fact, after),)
    found = card(used.model_copy(update={"restated": restated}), margin(row=1, restated=restated))
    assert [(one.what, one.used, one.fact.fact, one.fiscal_year) for one in found.later] == [
        ("Total revenue, fiscal 2024", "$383,285 million", 99, 2025)
    ]
    assert not card(cell()).later


def test_checks_of_the_statement_are_listed_once_and_those_that_fail_first() -> None:
    found = card(cell(passed_checks=("IS1", "IS2")), cell("1", 2023, passed_checks=("IS1",), failed_checks=("IS3",)))
    assert found.checks == ((False, "IS3"), (True, "IS1"), (True, "IS2"))
    assert found.broken_checks == 1


def test_where_figures_are_from_is_one_line() -> None:
    one = card(cell("1", 2023), cell("2"))
    assert one.source_line == "Source: 10-K filings of Apple, fiscal 2023 and 2024 (XBRL data of the SEC)."
