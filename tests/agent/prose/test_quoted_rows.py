"""Claims that quote a row of a table, with its header, group and unit."""

import pytest

from tests.agent.prose.guarded_claims import again, changed, near, one, why
from tests.support.quotable import Quotable, company, quotable

pytestmark = pytest.mark.django_db


SALES = [
    "# Sales",
    "Sales by region were as follows (in millions):",
    "|= | Year ended June 30,^2",
    "|= | 2023 | 2022",
    "| Europe | |",
    "| Lenses | $ 12 | $ 8",
    "| Asia | |",
    "| Lenses | $ 30 | $ 31",
    "| Mirrors | 5 | (4)",
    "| Frames, net | 7 | 6",
]


def test_a_column_whose_name_another_has_too_names_no_figure(db: None) -> None:
    lines = ["# Plants", "|= | Owned^2 | Leased^2", "|= | 2023 | 2022 | 2023 | 2022", "| Chile | 4 | 3 | 2 | 1"]
    plants = quotable(company(), 2023, lines)
    assert why(plants, plants.claim("Chile\t4\t3\t2\t1", "Chile, 2023: 4"), compare=near)


@pytest.fixture
def sales(db: None) -> Quotable:
    return quotable(company(), 2023, SALES)


def test_a_row_is_shown_whole_with_the_unit_the_header_and_the_group_it_stands_in(sales: Quotable) -> None:
    claim = one(sales, sales.claim("Mirrors\t5"))
    assert claim.before == (SALES[1], "Year ended June 30,", "2023 | 2022", "Asia")
    assert claim.text == claim.quote == "Mirrors\t5\t(4)"
    assert claim.row
    assert claim.row.rows[-1] == (("Mirrors", 1), ("5", 1), ("(4)", 1))
    assert again(sales, claim)


def test_what_is_shown_beside_a_quotation_is_verified_again(sales: Quotable) -> None:
    claim = one(sales, sales.claim("Mirrors\t5"))
    assert claim.row
    header = claim.about[-1].model_copy(update={"text": "2026"})
    assert again(sales, claim)
    assert not again(sales, changed(claim, row=claim.row.model_copy(update={"figure": "3,420"})))
    assert not again(sales, changed(claim, about=(*claim.about[:-1], header)))


def test_a_row_may_be_quoted_with_its_header_though_others_stand_between(sales: Quotable) -> None:
    quote = "2023\t2022\nMirrors\t5\t(4)"
    claim = changed(sales.claim("Mirrors\t5\t(4)"), quote=f"\t{quote}", text=f"\t{quote}")
    assert one(sales, claim).text == "Mirrors\t5\t(4)"


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Asia, Mirrors, 2023: 5", "Mirrors\t5\t(4)"),
        ("Asia, Mirrors (in millions), 2023: 5; 2022: (4)", "Mirrors\t5\t(4)"),
        ("Asia, Frames, net (in millions), 2022: 6.", "Frames, net\t7\t6"),
    ],
)
def test_the_year_and_unit_of_a_column_may_be_put_beside_a_figure(sales: Quotable, text: str, row: str) -> None:
    claim = one(sales, sales.claim(row, text))
    assert (claim.text, claim.verdict) == (text, "edited")
    assert claim.edits[0].startswith("the column ")
    assert again(sales, claim)


@pytest.mark.parametrize(
    "text",
    [
        "Asia, Mirrors, 2022: 5",
        "Asia, Mirrors, 2023: (4)",
        "Asia, Mirrors, 2023: 4",
        "Asia, Mirrors (in thousands), 2023: 5",
        "Asia, Mirrors (of Europe), 2023: 5",
        "Europe, Mirrors, 2023: 5",
        "Asia, Lenses, 2023: 5",
        "Asia, Mirrors, 2021: 5",
        "Asia, Mirrors: 5",
        "Mirrors, 2023: 5",
    ],
)
def test_no_other_year_unit_or_figure_may_be_put_there(sales: Quotable, text: str) -> None:
    assert why(sales, sales.claim("Mirrors\t5\t(4)", text), compare=near)
