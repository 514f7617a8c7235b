"""Figures in drafted sentences: of the whole company in its year, behind the name of their own measure, or nowhere."""

from itertools import product

import pytest

from agent.numbers.registry import registry as registry_file
from agent.programs.figure_placeholders import figures, unbound
from agent.query.words.lexicon import lexicon_of
from agent.state.findings import with_figures
from tests.support import answers

NAMES = lexicon_of(registry_file.load())
COMPANY = answers.COMPANY
OFFERED = figures(
    [(COMPANY, answers.cell()), (COMPANY, answers.cell(measure="revenue", label="Revenue"))],
    None,
)
SHOWN, SALES = (one.inline for one in OFFERED)
WHOLE = OFFERED[0].whole(NAMES)


def bound(text: str, quote: str = "", accession: str = answers.ACCESSION) -> str | None:
    """The text with its figures; None where one may not stand where it does."""
    found = unbound(text, quote, accession, OFFERED, NAMES)
    if found is None:
        return None
    left, placed = found
    return with_figures(left, [(at, OFFERED[number - 1].inline) for at, number in placed])


def test_a_program_is_told_of_a_figure_without_its_value() -> None:
    told = OFFERED[0].given.model_dump_json()
    assert "{{fact:1}}" in told
    assert "9.412" not in told
    assert "9412" not in told


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ("Research and development expense {{fact:1}} increased due to wages.", "Research and development expense", " increased due to wages."),
        ("The increase in R&D ({{fact:1}}) was due to wages.", "The increase in R&D", " was due to wages."),
        ("Wages raised the company's R&D expense {{ fact : 1 }}.", "Wages raised the company's R&D expense", "."),
        ("Northwind's R&D {{fact:1}}, which rose, is charged at once.", "Northwind's R&D", ", which rose, is charged at once."),
    ],
)  # fmt: skip
def test_a_figure_stands_behind_its_measure_with_its_year(text: str, left: str, right: str) -> None:
    assert SHOWN.startswith(" (fiscal 2024: ")
    assert "$9.412 million" in SHOWN
    assert bound(text) == f"{left}{SHOWN}{right}"


def test_the_sentence_that_is_verified_has_no_figure() -> None:
    text = "The increase in R&D ({{fact:1}}) was due to wages."
    found = unbound(text, "", answers.ACCESSION, OFFERED, NAMES)
    assert found == ("The increase in R&D was due to wages.", [(len("The increase in R&D"), 1)])


@pytest.mark.parametrize(
    "text",
    [
        "Net income {{fact:1}} increased.",
        "R&D was {{fact:1}} in the year.",
        "Wages rose by {{fact:1}}.",
        "{{fact:1}} was spent.",
        "Adjusted R&D {{fact:1}} increased.",
        "Sensor R&D {{fact:1}} increased.",
        "R&D {{fact:1}} per employee increased.",
        "R&D {{fact:1}} of the sensors increased.",
        "R&D {{fact:1}} million was spent.",
        "R&D {{fact:2}} increased.",
        "R&D {{fact:3}} increased.",
        "R&D {{fact:01}}{{fact:1}} increased.",
        "R&D {{fact:one}} increased.",
        "R&D {{fact:1} increased.",
        "R&D {{fact:1}} increased }}.",
        "R&D {{value}} increased.",
        "R&D, {{fact:1}} increased.",
        "R&D ({{fact:1}}, up by half) increased.",
    ],
)
def test_a_figure_anywhere_else_drops_the_claim(text: str) -> None:
    assert bound(text) is None


def test_a_measure_inside_the_name_of_another_takes_no_figure() -> None:
    assert bound("Revenue {{fact:2}} increased.")
    assert bound("Cost of revenue {{fact:2}} increased.") is None
    assert bound("Deferred revenue {{fact:2}} increased.") is None
    assert bound("Advertising revenue {{fact:2}} increased.") is None


def test_a_figure_of_another_filing_is_not_put_in() -> None:
    assert bound("R&D {{fact:1}} increased.", accession="9999988801-24-000007") is None


def test_several_figures_keep_their_places() -> None:
    found = bound("R&D {{fact:1}} and net sales ({{fact:2}}) increased.")
    assert found == f"R&D{SHOWN} and net sales{SALES} increased."


# --- of the whole company, in its year ---

KEPT = [
    "Net sales {{fact:2}} increased.",
    "Net sales {{fact:2}} increased during 2024 compared to 2023.",
    "Net sales {{fact:2}} increased 2% or $7.8 billion during 2024 compared to 2023.",
    "Total net sales {{fact:2}} rose by 5% in fiscal 2024.",
    "In fiscal 2024, the Company's net sales {{fact:2}} declined slightly.",
    "Northwind's total revenue {{fact:2}} grew in fiscal year 2024, compared with the prior year.",
    "Our revenue {{fact:2}} for the year ended December 31, 2024 increased.",
    "Consolidated net sales {{fact:2}} were flat.",
    "Net sales {{fact:2}} did not change materially.",
    "Net sales {{fact:2}} increased primarily due to higher net sales of meters and services in the Americas.",
    "The increase in net sales {{fact:2}} was driven by demand in Europe.",
    "Net sales {{fact:2}} decreased because demand in our sensors segment fell.",
    "The decline in revenue {{fact:2}} was attributable to lower prices and increased competition.",
    "Revenue {{fact:2}} increased year over year, reflecting growth across each of our segments.",
    "Net sales {{fact:2}} increased from the prior year due to wider distribution.",
    "Higher R&D expense {{fact:1}} and lower net sales {{fact:2}} reduced operating income.",
    "Higher wages increased our R&D expense {{fact:1}}.",
    "Demand for meters raised Northwind's net sales {{fact:2}}.",
    "Spending on R&D {{fact:1}} grew while gross profit declined.",
    "R&D {{fact:1}}, which rose, is charged at once.",
    "We invested in research and development {{fact:1}}.",
    "R&D expense {{fact:1}} consists of wages and materials.",
    "As R&D expense {{fact:1}} rose, operating income fell.",
    "The Company reported net sales {{fact:2}} and gross profit.",
    "Fiscal 2024 net sales {{fact:2}} increased, driven by our meters.",
]
DROPPED = [
    "Net sales {{fact:2}} increased in the Americas.",
    "Net sales {{fact:2}} in the fourth quarter increased.",
    "Net sales {{fact:2}} increased in the fourth quarter.",
    "iPhone net sales {{fact:2}} increased.",
    "Net sales {{fact:2}} of iPhone increased.",
    "Net sales of iPhone {{fact:2}} increased.",
    "iPhone net sales of {{fact:2}} increased.",
    "In the Americas, net sales {{fact:2}} increased.",
    "In the Americas, the Company's net sales {{fact:2}} increased.",
    "Within the Services segment, our net sales {{fact:2}} increased.",
    "In advertising, the net sales {{fact:2}} increased.",
    "For sensors, its net sales {{fact:2}} increased.",
    "Net sales {{fact:2}} from services increased.",
    "Net sales {{fact:2}} to distributors increased.",
    "Net sales {{fact:2}} outside the United States increased.",
    "Net sales {{fact:2}} attributable to sensors increased.",
    "Net sales {{fact:2}} driven by sensors increased.",
    "Net sales {{fact:2}} due to sensors increased.",
    "Net sales {{fact:2}} and those of Contoso increased.",
    "Contoso's net sales {{fact:2}} increased.",
    "Net sales {{fact:2}} of Contoso increased.",
    "Net sales {{fact:2}} increased in 2023.",
    "Net sales {{fact:2}} increased during 2023 compared to 2022.",
    "In 2023, net sales {{fact:2}} increased.",
    "Net sales {{fact:2}} increased in the prior year.",
    "Prior-year net sales {{fact:2}} increased.",
    "Net sales {{fact:2}} increased over the last two years.",
    "Net sales {{fact:2}} increased in December.",
    "Net sales {{fact:2}} for the three months ended December 31, 2024 increased.",
    "Net sales {{fact:2}} for the year ended June 30, 2024 increased.",
    "Excluding currency effects, net sales {{fact:2}} increased.",
    "Net sales {{fact:2}}, excluding currency effects, increased.",
    "Net sales {{fact:2}} increased due to prices, excluding currency effects.",
    "Net sales {{fact:2}} increased on a constant currency basis.",
    "Adjusted net sales {{fact:2}} increased.",
    "Organic net sales {{fact:2}} increased.",
    "Pro forma net sales {{fact:2}} increased.",
    "Comparable store net sales {{fact:2}} increased.",
    "Net sales {{fact:2}} per store increased.",
    "Net sales {{fact:2}} by segment increased.",
    "Net sales {{fact:2}} (Americas only) increased.",
    "Net sales {{fact:2}}-related costs increased.",
    "Domestic and foreign net sales {{fact:2}} increased.",
    "The Americas segment increased its net sales {{fact:2}}.",
    "Our Services business grew net sales {{fact:2}}.",
    "In the Americas, higher prices increased our net sales {{fact:2}}.",
    "Demand was strong in Europe; net sales {{fact:2}} increased.",
    "Europe did well. Net sales {{fact:2}} increased.",
    "Net sales {{fact:2}} increased due to prices and fell in Europe.",
    "Net sales {{fact:2}} increased due to prices but declined sharply in Europe.",
    "Net sales {{fact:2}} are expected to increase.",
    "Net sales {{fact:2}} could decrease.",
    "Net sales {{fact:2}} as reported in Europe increased.",
    "Net sales {{fact:2}} were as of June 30, 2024.",
    "Part of net sales {{fact:2}} increased.",
    "Net sales {{fact:2}} less returns increased.",
    "Net sales {{fact:2}} included in Europe increased.",
    "R&D {{fact:1}} in cost of revenue increased.",
    "Customers increased their R&D {{fact:1}}.",
    "Such net sales {{fact:2}} increased.",
]


@pytest.mark.parametrize("text", KEPT)
def test_a_sentence_of_the_whole_company_in_its_year_keeps_its_figures(text: str) -> None:
    found = bound(text)
    assert found is not None
    assert found == text.replace(" {{fact:1}}", SHOWN).replace(" {{fact:2}}", SALES)


@pytest.mark.parametrize("text", DROPPED)
def test_a_sentence_of_a_part_another_time_or_another_measure_is_dropped(text: str) -> None:
    assert bound(text) is None


QUALIFIERS = [
    "in the Americas", "of iPhone", "in the third quarter", "for sensors", "in Greater China", "from subscriptions", "in 2022",
    "at constant rates", "excluding Contoso", "by region", "across Europe", "under the Halvorsen brand", "within Optics",
]  # fmt: skip
PLACES = [
    "Net sales {{fact:2}} %s increased.",
    "Net sales %s {{fact:2}} increased.",
    "Net sales {{fact:2}} increased %s.",
    "The increase in net sales {{fact:2}} %s was due to prices.",
    "Our net sales {{fact:2}} grew 5%% %s.",
]


@pytest.mark.parametrize(("place", "qualifier"), list(product(PLACES, QUALIFIERS)))
def test_a_qualifier_drops_the_claim_wherever_it_stands(place: str, qualifier: str) -> None:
    assert bound(place % qualifier) is None
    assert bound(f"{qualifier.capitalize()}, our net sales {{{{fact:2}}}} increased.") is None


def test_what_a_quotation_says_of_a_part_is_not_left_out() -> None:
    text = "Net sales {{fact:2}} increased due to prices."
    assert bound(text, "Net sales, which are of our sensors segment alone, increased due to prices.") is None
    assert bound(text, "Net sales, which are reported below, increased due to prices.")


@pytest.mark.parametrize(
    "headings",
    [
        (),
        ("Net Sales", "Results of Operations"),
        ("Research and Development Expense", "Operating Expenses", "CONSOLIDATED OPERATING RESULTS"),
        ("Item 7. Management's Discussion and Analysis of Financial Condition and Results of Operations",),
        ("Comparison of the Years Ended December 31, 2024 and 2023",),
        ("Fiscal 2024 Compared to Fiscal 2023", "Overview"),
        ("Northwind Instruments, Inc.", "2024 Highlights"),
    ],
)
def test_headings_of_the_whole_company_bear_its_figures(headings: tuple[str, ...]) -> None:
    assert WHOLE
    assert WHOLE.stands_under(headings)


@pytest.mark.parametrize(
    "headings",
    [
        ("Americas",),
        ("Net Sales", "Rest of Asia Pacific"),
        ("Revenue", "Intelligent Cloud"),
        ("Segment Operating Performance",),
        ("Fiscal 2023 Compared to Fiscal 2022",),
        ("Comparison of the Years Ended December 31, 2023 and 2022",),
        ("Fourth Quarter", "Results of Operations"),
        ("Non-GAAP Financial Measures",),
        ("Research and Development Programs",),
    ],
)
def test_headings_of_a_part_or_another_year_bear_none(headings: tuple[str, ...]) -> None:
    assert WHOLE
    assert not WHOLE.stands_under(headings)


@pytest.mark.parametrize(
    ("opening", "bears"),
    [
        ("Demand was strong.", True),
        ("We sell meters in 2024 and sold fewer in 2023.", True),
        ("The sensors segment sells to hospitals.", False),
        ("The fourth quarter was strong.", False),
        ("2023 was a hard year.", False),
    ],
)
def test_the_sentence_that_opens_a_paragraph_can_turn_it_to_a_part(opening: str, bears: bool) -> None:
    assert WHOLE
    assert WHOLE.stands_under((), opening) is bears
