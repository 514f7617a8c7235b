"""Which tables are the primary statements: what must win, what must not, and what belongs together."""

from collections.abc import Iterable

import pytest

from filings.document.inline import read_inline
from filings.xbrl.parsed_xbrl import ParsedDocument
from tests.support import northwind as nw


def moved(rows: Iterable[str], **periods: str) -> list[str]:
    """Rows with their figures in other contexts."""
    moved = []
    for row in rows:
        for old, new in periods.items():
            row = row.replace(f'contextRef="{old}"', f'contextRef="{new}"').replace(f'-{old}"', f'-{new}"')
        moved.append(row)
    return moved


MORE = [nw.line(f"Cost {n}", f"us-gaap:CostOfLamps{n}", "1") for n in range(9)]
PARENT = {"fy": "parent", "py": "parent", "end": "parent_end", "before": "parent_end"}
PARENT_ONLY = "".join(
    nw.heading(f"SCHEDULE I: CONSOLIDATED {title} OF THE PARENT") + nw.table(*moved(rows, **PARENT))
    for title, rows in {
        "STATEMENTS OF INCOME": (*nw.INCOME_ROWS, *nw.PER_SHARE_ROWS, *MORE),
        "BALANCE SHEETS": (
            *nw.ASSETS_ROWS,
            *nw.LIABILITIES_ROWS,
            nw.line("Goodwill", "us-gaap:Goodwill", "4", where=["end"]),
        ),
        "STATEMENTS OF CASH FLOWS": (
            *nw.CASH_ROWS,
            *nw.CASH_REST_ROWS,
            nw.line("Loan", "us-gaap:ProceedsFromIssuanceOfDebt", "4"),
        ),
    }.items()
)
QUARTERS = nw.heading("CONSOLIDATED STATEMENTS OF INCOME BY QUARTER") + nw.table(
    *moved([*nw.INCOME_ROWS, *nw.PER_SHARE_ROWS, *MORE], fy="q4", py="q4")
)
SEGMENT = nw.heading("Note 15: Segment") + nw.table(
    *nw.INCOME_ROWS,
    *MORE[:7],
)
PER_SHARE_NOTE = nw.heading("Note 3: Earnings per share") + nw.table(
    nw.line("Net income", "us-gaap:NetIncomeLoss", "184", "147"),
    *nw.PER_SHARE_ROWS,
    nw.row("Dilutive", nw.shares("us-gaap:WeightedAverageNumberOfDilutedSharesOutstanding", "122.6")),
)
TAX_NOTE = nw.heading("Note 5: Income taxes") + nw.table(
    nw.line("Before taxes", "us-gaap:IncomeLossFromContinuingOperationsBeforeIncomeTaxesDomestic", "230"),
    nw.line("Provision", "us-gaap:IncomeTaxExpenseBenefit", "46", "37"),
)
TRANSLATION_NOTE = nw.heading("Note 12: Other comprehensive income") + nw.table(
    *nw.COMPREHENSIVE_ROWS,
    nw.line("Hedges", "us-gaap:OtherComprehensiveIncomeLossCashFlowHedgeGainLossAfterReclassificationAndTax", "0"),
    nw.line("Translation before tax", "us-gaap:OtherComprehensiveIncomeForeignCurrencyTransactionAndTranslationAdjustmentBeforeTaxPortionAttributableToParent", "(5)"),
)  # fmt: skip


def faces(document: ParsedDocument) -> dict[str, list[str]]:
    """Tags of each statement."""
    return {face.kind: [line.tag for line in face.lines] for face in document.statements}


WANTED = faces(read_inline(nw.annual_report()))


@pytest.mark.parametrize(
    "other",
    [PARENT_ONLY, QUARTERS, SEGMENT, PER_SHARE_NOTE, TAX_NOTE, TRANSLATION_NOTE],
    ids=["parent", "quarters", "segment", "per share", "tax", "translation"],
)
@pytest.mark.parametrize("place", ["before", "after"])
def test_no_other_table_wins_over_the_statement(other: str, place: str) -> None:
    parts = [other + nw.PROSE] if place == "before" else []
    after = [nw.NOTES, other] if place == "after" else []
    assert faces(read_inline(nw.annual_report(*parts, after=after))) == WANTED


def test_the_order_of_the_statements_in_the_document_does_not_matter() -> None:
    document = read_inline(nw.document(nw.COVER, *reversed(nw.STATEMENTS), nw.NOTES))
    assert faces(document) == WANTED


def test_a_balance_sheet_in_two_tables_is_one() -> None:
    split = (
        nw.heading("CONSOLIDATED BALANCE SHEETS")
        + nw.table(*nw.ASSETS_ROWS)
        + "<div>52</div>"
        + nw.table(*nw.LIABILITIES_ROWS)
    )
    document = read_inline(nw.document(nw.COVER, nw.INCOME, split, nw.CASH_FLOWS, nw.NOTES))
    assert faces(document)["balance"] == WANTED["balance"]
    orders = [line.order for face in document.statements if face.kind == "balance" for line in face.lines]
    assert max(orders) == 11


def test_a_cash_flow_statement_goes_on_under_a_repeated_heading() -> None:
    split = (
        nw.heading("CONSOLIDATED STATEMENTS OF CASH FLOWS")
        + nw.table(*nw.CASH_ROWS)
        + nw.heading("NORTHWIND &amp; SONS LANTERNS, INC.")
        + nw.heading("CONSOLIDATED STATEMENTS OF CASH FLOWS (continued)")
        + nw.table(*nw.CASH_REST_ROWS)
    )
    document = read_inline(nw.document(nw.COVER, nw.INCOME, nw.BALANCE, split, nw.NOTES))
    assert faces(document)["cashflow"] == WANTED["cashflow"]


def test_a_table_after_prose_does_not_continue_a_statement() -> None:
    document = read_inline(nw.document(nw.COVER, nw.INCOME, nw.CASH_FLOWS, nw.BALANCE, nw.NOTES))
    assert faces(document)["balance"] == WANTED["balance"]


def test_the_next_statement_does_not_continue_the_one_before() -> None:
    bare = nw.table(nw.DATES, *nw.COMPREHENSIVE_ROWS)
    document = read_inline(nw.document(nw.COVER, nw.INCOME, bare, nw.BALANCE))
    assert faces(document)["income"] == WANTED["income"]
    assert faces(document)["comprehensive"] == WANTED["comprehensive"]


def test_one_statement_of_income_and_comprehensive_income_is_both() -> None:
    combined = nw.heading("CONSOLIDATED STATEMENTS OF COMPREHENSIVE INCOME") + nw.table(
        *nw.INCOME_ROWS, *nw.COMPREHENSIVE_ROWS[1:], *nw.PER_SHARE_ROWS
    )
    found = faces(read_inline(nw.document(nw.COVER, combined, nw.BALANCE, nw.CASH_FLOWS)))
    assert {"us-gaap:Revenues", "us-gaap:EarningsPerShareBasic", "us-gaap:ComprehensiveIncomeNetOfTax"} <= {
        *found["income"]
    }
    assert found["comprehensive"] == WANTED["comprehensive"][1:]


def test_the_page_of_parentheses_gives_figures_but_no_lines() -> None:
    page = nw.heading("CONSOLIDATED BALANCE SHEETS (Parenthetical)") + nw.table(
        nw.row("Shares issued", nw.shares("us-gaap:CommonStockSharesIssued", "130.0", "end"))
    )
    document = read_inline(nw.document(nw.COVER, nw.INCOME, nw.BALANCE, page, nw.CASH_FLOWS, nw.NOTES))
    assert faces(document)["balance"] == WANTED["balance"]
    (issued,) = [fact for fact in document.facts if fact.tag == "CommonStockSharesIssued"]
    assert (issued.raw, issued.statement, issued.label) == ("130000000", "balance", "Shares issued")


def test_a_note_on_equity_is_not_the_statement_of_equity() -> None:
    between = [nw.table(nw.line(f"Item {n}", f"nwl:Item{n}", "5")) + nw.PROSE for n in range(8)]
    note = nw.heading("Note 16: Equity") + nw.table(*nw.EQUITY_ROWS)
    document = read_inline(nw.document(nw.COVER, nw.INCOME, nw.BALANCE, nw.CASH_FLOWS, *between, note))
    assert "equity" not in faces(document)


def test_a_title_in_the_first_row_of_the_table_is_found() -> None:
    income = nw.table(nw.row("Consolidated Statements of Income", "2024"), *nw.INCOME_ROWS, *nw.PER_SHARE_ROWS)
    document = read_inline(nw.document(nw.COVER, nw.PROSE, income, nw.BALANCE))
    assert document.statements[0].title == "Consolidated Statements of Income"


def test_a_year_of_fifty_three_weeks_is_a_year() -> None:
    contexts = {**nw.CONTEXTS, "fy": ("2023-12-28", "2024-12-31", {}), "py": ("2022-12-29", "2023-12-27", {})}
    assert faces(read_inline(nw.document(nw.COVER, *nw.STATEMENTS, contexts=contexts))) == WANTED


def test_without_a_cover_the_latest_full_year_is_the_report() -> None:
    contexts = {**nw.CONTEXTS, "next": ("2025-01-01", "2025-12-31", {})}
    expected = nw.table(
        nw.line("Rent to come", "us-gaap:OperatingLeasesFutureMinimumPaymentsDue", "3", where=["next"])
    )
    document = read_inline(nw.document(*nw.STATEMENTS, nw.PROSE, expected, hidden="", contexts=contexts))
    assert {kind: tags for kind, tags in WANTED.items() if kind != "cover"} == faces(document)
    assert document.period_end is None


def test_a_document_without_statements_has_only_its_cover() -> None:
    assert faces(read_inline(nw.document(nw.COVER, nw.PROSE))) == {
        "cover": ["dei:EntityPublicFloat", "dei:EntityCommonStockSharesOutstanding"]
    }
