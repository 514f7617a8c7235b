"""Figures that sentences give: number, unit, what is counted, scope and period; what is not certain is left out."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.document.blocks import Block
from filings.ingest.store_printed import FIGURES, read_parts
from filings.models import PrintedTable
from filings.tables.cell_meanings import ReadRow
from filings.tables.column_periods import Period, Subject
from filings.tables.read_again import StoredText
from filings.tables.sentence_figures import every_sentence, sentence_figures
from filings.tables.sentence_tokens import TAGS, WORDS
from filings.tables.stored_tables import rows_of, stored

YEAR = Subject(date(2024, 12, 31), 2024, annual=True)
PIECES = [
    *sorted(word for name in TAGS for word in WORDS[name]),
    *("$3 million", "12%", "1,250", "sales", "stores", ",", "in 2024", "Q3", "a year ago", "$2.10 to $2.20", "(", ")"),
    *("three and six months ended June 30, 2024 and 2023", "the last twelve months", "(non-GAAP)", "2\u20134%"),
]
THIRD = Subject(date(2024, 9, 30), 2024, 3)


def read(text: str, subject: Subject = YEAR) -> list[ReadRow]:
    """The rows of a text whose blocks are its paragraphs; a line that begins with "# " is a heading."""
    blocks, start = [], 0
    for line in text.split("\n\n"):
        heading = line.startswith("# ")
        blocks.append(
            Block("heading" if heading else "paragraph", start + 2 * heading, start + len(line), 2 * heading)
        )
        start += len(line) + 2
    return list(sentence_figures(text, blocks, subject, "USD"))


def told(text: str, subject: Subject = YEAR) -> list[tuple[str, str, str, str, str]]:
    """Label, heading, value, unit and last day of each figure of a text."""
    return [
        (row.label, row.heading, format(cell.value.normalize(), "f"), cell.unit, cell.period.end.isoformat())
        for row in read(text, subject)
        for cell in row.cells
    ]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (
            "We had approximately 12,300 full-time employees as of June 30, 2024.",
            [("full-time employees", "", "12300", "count", "2024-06-30")],
        ),
        (
            "As of year end, we operated 412 stores in 11 states.",
            [("stores", "in 11 states", "412", "count", "2024-12-31")],
        ),
        (
            "We operated 412 retail stores and 12 distribution centers at December 31, 2024.",
            [
                ("retail stores", "", "412", "count", "2024-12-31"),
                ("distribution centers", "", "12", "count", "2024-12-31"),
            ],
        ),
        (
            "Number of Employees As of June 30, 2024, we employed 1,250 people worldwide.",
            [("people", "Number of Employees, worldwide", "1250", "count", "2024-06-30")],
        ),
        (
            "As of June 30, 2024, there were 345 holders of record of our Class A common stock.",
            [("holders of record of Class A common stock", "", "345", "count", "2024-06-30")],
        ),
        (
            "Comparable sales decreased 3.2% in the fourth quarter, due to lower traffic.",
            [("Comparable sales growth", "", "-3.2", "percent", "2024-12-31")],
        ),
        (
            "Net sales increased $20 million, or 5%, to $420 million in 2024 from $400 million in 2023.",
            [
                ("Net sales change", "", "20000000", "USD", "2024-12-31"),
                ("Net sales growth", "", "5", "percent", "2024-12-31"),
                ("Net sales", "", "420000000", "USD", "2024-12-31"),
                ("Net sales", "", "400000000", "USD", "2023-12-31"),
            ],
        ),
        (
            "One customer accounted for 14% and 12% of net sales in fiscal 2024 and 2023, respectively.",
            [
                ("share of net sales", "One customer", "14", "percent", "2024-12-31"),
                ("share of net sales", "One customer", "12", "percent", "2023-12-31"),
            ],
        ),
        (
            "Backlog was $4.1 billion at the end of the year compared to $3.8 billion a year ago.",
            [("Backlog", "", "4100000000", "USD", "2024-12-31"), ("Backlog", "", "3800000000", "USD", "2023-12-31")],
        ),
        (
            "In 2024, we paid dividends of $12 million and repurchased $30 million of our common stock.",
            [
                ("paid dividends", "", "12000000", "USD", "2024-12-31"),
                ("repurchased common stock", "", "30000000", "USD", "2024-12-31"),
            ],
        ),
        (
            "At December 31, 2024, we had $13 million in cash, cash equivalents and marketable securities.",
            [("cash, cash equivalents and marketable securities", "", "13000000", "USD", "2024-12-31")],
        ),
        (
            "In 2024 and 2023, we recorded $40 million and $26 million, respectively, of variable lease expense.",
            [
                ("variable lease expense", "", "40000000", "USD", "2024-12-31"),
                ("variable lease expense", "", "26000000", "USD", "2023-12-31"),
            ],
        ),
        (
            "Costs were $5 million compared to $4 million in 2024 and 2023, respectively.",
            [("Costs", "", "5000000", "USD", "2024-12-31"), ("Costs", "", "4000000", "USD", "2023-12-31")],
        ),
        (
            "In 2024, we delivered 387,000 vehicles and returned $12 million to shareholders.",
            [
                ("delivered vehicles", "", "387000", "count", "2024-12-31"),
                ("returned to shareholders", "", "12000000", "USD", "2024-12-31"),
            ],
        ),
        (
            "As of January 20, 2025, 5.2 million shares of common stock were outstanding in the U.S. market.",
            [("shares of common stock outstanding", "in U.S. market", "5200000", "shares", "2025-01-20")],
        ),
        (
            "In 2024, 82% of our costs were recognized in Segment One.",
            [("share of costs recognized in Segment One", "", "82", "percent", "2024-12-31")],
        ),
        (
            "Capital expenditures, including payments on leases, were $19 million in 2024.",
            [("Capital expenditures, including payments on leases", "", "19000000", "USD", "2024-12-31")],
        ),
        (
            "Core sales, which is defined in a note, grew 3%.",
            [("Core sales growth", "", "3", "percent", "2024-12-31")],
        ),
        (
            "Excluding currency and acquisitions, sales grew 3% in 2024.",
            [("sales growth", "Excluding currency and acquisitions", "3", "percent", "2024-12-31")],
        ),
        (
            "Northwind today announced revenue for the quarter ended December 31, 2024, of $22 million.",
            [],
        ),
        (
            "Northwind reported revenue for the quarter ended December 31, 2024, of $22 million.",
            [("revenue", "Northwind", "22000000", "USD", "2024-12-31")],
        ),
        (
            "In 2024, sales increased 4.2%, excluding testing.",
            [("sales growth excluding testing", "", "4.2", "percent", "2024-12-31")],
        ),
        (
            "In 2024, we granted 120,000 options and 40,000 stock units.",
            [
                ("granted options", "", "120000", "count", "2024-12-31"),
                ("granted stock units", "", "40000", "count", "2024-12-31"),
            ],
        ),
        (
            "In 2024, we announced a layoff of 1,100 employees.",
            [("announced layoff of employees", "", "1100", "count", "2024-12-31")],
        ),
        (
            "Turbine deliveries increased by 86 units in 2024.",
            [("Turbine deliveries change units", "", "86", "count", "2024-12-31")],
        ),
        (
            "Free cash flow was $7 million for the trailing twelve months ended June 30, 2024.",
            [("Free cash flow", "", "7000000", "USD", "2024-06-30")],
        ),
        (
            "Organic sales (non-GAAP) grew 4% in 2024.",
            [("Organic sales (non-GAAP) growth", "", "4", "percent", "2024-12-31")],
        ),
        (
            "Our tax rate was 21.3% in 2024 and 19.8% in 2023.",
            [("tax rate", "", "21.3", "percent", "2024-12-31"), ("tax rate", "", "19.8", "percent", "2023-12-31")],
        ),
    ],
)
def test_a_sentence_gives_its_figures_with_every_word_that_narrows_them(
    said: str, found: list[tuple[str, str, str, str, str]]
) -> None:
    assert told(said) == found


@pytest.mark.parametrize(
    "said",
    [
        "We do not have 12,300 employees as of June 30, 2024.",
        "If sales fell 5% in 2024, we would close 12 stores.",
        "We had more than 12,300 employees as of June 30, 2024.",
        "We may have up to 400 stores at December 31, 2024.",
        "They had 12,300 employees as of June 30, 2024.",
        "Since 2017, we have planted 26,000 trees.",
        "Notes of $300 million are due in 2031.",
        "In 2024, gains and losses were $5 million and $3 million, respectively.",
        "Sales were $5 million and $3 million in 2024.",
        "We recognized revenue of $26 million in 2024 that was deferred before.",
        "Our vacancy rate was between 4% and 5% in 2024.",
        "The price was $3.50 in 2024.",
        "Operating profit was $992 in 2024.",
        "Backlog was $4.1 billion.",
        "Did we have 12,300 employees as of June 30, 2024?",
        "See Note 12 of 2024 for 365 days.",
    ],
)
def test_what_is_denied_supposed_bounded_shared_or_undated_is_left_out(said: str) -> None:
    assert told(said) == []


def test_a_change_says_on_what_it_is_unless_on_the_year_before() -> None:
    said = "Revenue was $22 million in the third quarter, up 22% from the previous quarter and up 65% from a year ago."
    assert [(row.label, format(row.cells[0].value, "f")) for row in read(said, THIRD)][1:] == [
        ("Revenue growth from the previous quarter", "22"),
        ("Revenue growth", "65"),
    ]


def test_periods_of_several_lengths_have_one_figure_each() -> None:
    said = "Sales rose 5% and 3% for the three and nine months ended September 30, 2024, respectively."
    (row,) = read(said, THIRD)
    assert [(format(cell.value, "f"), cell.period.start) for cell in row.cells] == [
        ("5", date(2024, 7, 1)),
        ("3", date(2024, 1, 1)),
    ]


def test_a_quarter_names_another_year_and_the_one_before_its_own() -> None:
    said = "Orders were $30 million in the second quarter of 2023. In the prior-year quarter, orders were $20 million."
    assert [end for *_, end in told(said, THIRD)] == ["2023-06-30", "2023-09-30"]


def test_a_heading_dates_what_stands_below_it_and_names_it() -> None:
    text = "# Third Quarter 2024 Highlights\n\nBacklog was $41 million.\n\n# Nine Months and Third Quarter\n\nFees were $2 million."
    assert told(text, THIRD) == [("Backlog", "Third Quarter 2024 Highlights", "41000000", "USD", "2024-09-30")]


def test_a_heading_of_another_year_dates_its_changes_until_one_that_is_higher() -> None:
    text = (
        "# 2023 compared with 2022\n\nCosts rose 4%.\n\n# Other Matters\n\nFees rose 5%.\n\n"
        "# 2024 compared with 2023\n\nCosts rose 6%.\n\n# Other Matters\n\nFees rose 7%."
    )
    assert [(label, value, end) for label, _, value, _, end in told(text)] == [
        ("Costs growth", "4", "2023-12-31"),
        ("Costs growth", "6", "2024-12-31"),
        ("Fees growth", "7", "2024-12-31"),
    ]


def test_a_list_is_of_the_name_that_opens_the_paragraph_above_it() -> None:
    text = "# Products\n\nLumen (a sensor) is sold to makers of tools.\n\n\u2022 U.S. sales rose 7% in 2024."
    assert told(text) == [("U.S. sales growth", "Products, Lumen", "7", "percent", "2024-12-31")]


def test_what_a_label_would_lose_leaves_a_figure_out() -> None:
    for said in (
        "We have repaid the notes with $300 million of cash.",
        "Income was increased by $8 million in 2024.",
        "A planned investment of $10 million in 2024.",
        "An unfavorable change of $59 million in 2024.",
        "The court approved the claim and awarded fees in the amount of $17 million in 2024.",
        "Segment profit fell 3% for three months.",
        "During 2024, we sold $5 million, respectively, of things that nobody wanted.",
    ):
        assert told(said) == []
    assert [label for label, *_ in told("In 2024, we had debt of $9 million, of which $2 million is current.")] == [
        "debt"
    ]


def test_no_word_is_of_two_classes() -> None:
    words = [word for name in TAGS for word in WORDS[name]]
    assert sorted(words) == sorted(set(words))


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_any_words_are_read_without_an_error_and_figures_stand_at_their_places(words: list[str]) -> None:
    said = " ".join(words)
    for subject in (YEAR, THIRD, Subject()):
        for row in sentence_figures(said, [Block("paragraph", 0, len(said))] if said else [], subject, "USD"):
            assert row.label
            assert all(said[cell.start : cell.end] == cell.text for cell in row.cells)


def test_the_heading_above_a_heading_names_what_both_stand_over() -> None:
    text = "Lenses\n\nSales\n\nSales rose 4% in 2024."
    blocks = [Block("heading", 0, 6, 2), Block("heading", 8, 13, 3), Block("paragraph", 15, len(text))]
    (row,) = sentence_figures(text, blocks, YEAR, "USD")
    assert row.heading == "Lenses, Sales"


def test_the_present_is_the_end_of_the_documents_period() -> None:
    assert told("We operate 412 stores across Canada.", THIRD) == [
        ("stores", "across Canada", "412", "count", "2024-09-30")
    ]
    assert told("We employed 412 bakers across Canada.", THIRD) == []


def test_the_range_of_a_figure_has_its_approximation_and_its_scale() -> None:
    said = "Capital expenditures were about $4.10 billion in 2024."
    cell = read(said)[0].cells[0]
    assert said[cell.start : cell.end] == cell.text == "about $4.10 billion"
    assert (cell.value, cell.power, cell.digits, cell.decimals) == (Decimal(4_100_000_000), 9, 2, -7)


@pytest.mark.parametrize(
    ("said", "label", "cells"),
    [
        (
            "For 2025, we expect revenue of $4.2 to $4.4 billion.",
            "revenue",
            [("low", "4200000000"), ("high", "4400000000")],
        ),
        (
            "We expect to open 20 to 25 new stores in fiscal 2025.",
            "open new stores",
            [("low", "20"), ("high", "25")],
        ),
        ("In 2025, sales will grow 3% to 5%.", "sales growth", [("low", "3"), ("high", "5")]),
        (
            "Full-year EPS is expected to be between $2.10 and $2.20.",
            "EPS",
            [("low", "2.10"), ("high", "2.20")],
        ),
        (
            "For 2025, revenue is expected to be $24.0 million, plus or minus 2%.",
            "revenue",
            [("plus or minus 2%", "24000000")],
        ),
        ("We anticipate our 2025 tax rate to be 12-15%.", "tax rate", [("low", "12"), ("high", "15")]),
    ],
)
def test_what_is_expected_is_guidance_of_a_period_to_come(said: str, label: str, cells: list[tuple[str, str]]) -> None:
    (row,) = read(said)
    assert (row.label, row.guidance) == (label, True)
    assert [
        (cell.column, format(cell.value.quantize(Decimal(value)), "f"))
        for cell, (_, value) in zip(row.cells, cells, strict=True)
    ] == cells
    assert {cell.period for cell in row.cells} == {Period(date(2025, 1, 1), date(2025, 12, 31))}


def test_a_measure_with_and_without_its_prefix_has_a_figure_each() -> None:
    text = "# Outlook\n\nOur outlook for the first quarter of 2025 is as follows:\n\n\u2022 GAAP and non-GAAP margins are expected to be 73.0% and 73.5%, respectively."
    assert [(row.label, format(row.cells[0].value, "f"), row.guidance) for row in read(text)] == [
        ("GAAP margins", "73.0", True),
        ("non-GAAP margins", "73.5", True),
    ]


def test_under_a_heading_of_guidance_a_list_is_expected_and_what_was_is_a_result() -> None:
    text = "# Full-Year 2025 Outlook\n\n\u2022 Revenue of $4 million to $5 million\n\n\u2022 Margin was 30% in 2024"
    assert [(row.label, row.guidance) for row in read(text)] == [("Revenue", True), ("Margin", False)]
    results = "# Northwind Raises Full-Year 2025 Guidance\n\nRevenue of $4 million"
    assert read(results) == []


def test_guidance_without_a_period_to_come_is_left_out() -> None:
    assert read("We expect revenue of $4 million.") == []
    assert read("In 2024, we expect revenue of $4 million.") == []


def test_a_figure_is_read_again_at_its_place_as_it_was_read() -> None:
    text = "# Third Quarter 2024\n\nBacklog was $41 million. Orders were $7 million.\n\nFees were $2 million."
    blocks = [
        Block("heading", 2, 20, 2),
        Block("paragraph", 22, text.index("Fees") - 2),
        Block("paragraph", text.index("Fees"), len(text)),
    ]
    rows = sentence_figures(text, blocks, THIRD, "USD")
    for row in rows:
        assert sentence_figures(text, blocks, THIRD, "USD", at=[row.cells[0].start]) == (row,)
    changed = text.replace("$7 million", "$8 million")
    assert sentence_figures(changed, blocks, THIRD, "USD", at=[rows[1].cells[0].start]) != (rows[1],)


def test_what_a_document_prints_has_the_figures_of_its_sentences() -> None:
    text = "We had 120 stores at December 31, 2024."
    sections: Any = [StoredText(text, [Block("paragraph", 0, len(text))], ())]
    read = read_parts(sections, YEAR, FIGURES)
    assert [(one.kind, one.rows[0].label) for one in read.tables] == [(PrintedTable.Kind.SENTENCES, "stores")]


def test_the_figures_of_a_section_are_stored_as_one_table_and_read_back() -> None:
    text = "We had 120 stores at December 31, 2024. For 2025, we expect sales of $4 million."
    (table,) = every_sentence([StoredText(text, [Block("paragraph", 0, len(text))], ())], YEAR)
    assert (table.section, table.kind, text[table.start : table.start + 3]) == (1, "sentences", "120")
    assert rows_of(stored(table), table.start) == table.rows
    assert [row.guidance for row in table.rows] == [False, True]
