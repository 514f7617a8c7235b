"""Formulas that a question gives are read as it writes them; a name that nobody holds refuses, by that name."""

from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent.numbers.registry import formula
from agent.numbers.registry.expressions import Binary, Call, Expr, Name, Negative, Number
from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.state.query import Formula, Metric, Query
from tests.agent.query.conftest import Line, Read, halves_of, query_of
from tests.agent.query.held import REGISTRY


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("What was (net income + R&D) / total assets for Apple in FY2023?", "[(net_income + rnd) / total_assets]"),
        ("What was Apple's R&D plus SG&A over gross profit in FY2023?", "[(rnd + sga) / gross_profit]"),
        ("Apple FY2023: sum of R&D, SG&A and D&A divided by revenue", "[(rnd + sga + depreciation_amortization) / revenue]"),
        ("Apple FY2023 goodwill / average inventory", "[goodwill / avg(inventory)]"),
        ("Apple FY2023 R&D \u00f7 (revenue \u2212 COGS) \u00d7 2", "[rnd / (revenue - cost_of_revenue) * 2]"),
        ("Apple FY2023 change in inventory / change in accounts payable", "[d(inventory) / d(accounts_payable)]"),
        ("Apple FY2023 decrease in inventory / revenue", "[-d(inventory) / revenue]"),
        ("Apple FY2023 goodwill / (beginning inventory + ending inventory)", "[goodwill / (prev(inventory) + inventory)]"),
        ("Apple FY2023 (R&D + capex) as a % of revenue", "[(rnd + capex) / revenue] %"),
        ("Apple FY2023 net income * (1 - tax rate)", "[net_income * (1 - effective_tax_rate)]"),
        ("Apple FY2023 ratio of R&D to average total assets", "[rnd / avg(total_assets)]"),
        ("Apple FY2023 net income / (revenue - 5% * R&D)", "[net_income / (revenue - 0.05 * rnd)]"),
    ],
)  # fmt: skip
def test_a_formula_is_read_as_it_is_written(told: Line, question: str, read: str) -> None:
    assert told(question) == f"AAPL | FY2023 | {read}"


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("What was (CFO - capex) / revenue for Apple in FY2023?", "fcf_margin"),
        ("Apple FY2023 operating income plus D&A over revenue", "ebitda_margin"),
        ("Apple FY2023 revenue / average PP&E between FY2022 and FY2023", "fixed_asset_turnover:average"),
        ("Apple FY2023 (beginning inventory + inventory) / 2 / COGS", "[(prev(inventory) + inventory) / 2 / cost_of_revenue]"),
        ("Apple's FY2023 current ratio, i.e. current assets over current liabilities", "current_ratio"),
        ("Apple net debt FY2023 (total borrowings less cash)", "net_debt:less_cash"),
        ("Apple FY2023 (short-term debt + long-term debt) / EBITDA", "debt_to_ebitda"),
        ("Apple FY2023 (short-term debt + long-term debt) / R&D", "[(debt_current + ltd_noncurrent) / rnd]"),
    ],
)  # fmt: skip
def test_one_that_the_registry_has_is_its_metric(told: Line, question: str, read: str) -> None:
    assert told(question) == f"AAPL | FY2023 | {read}"


@pytest.mark.parametrize(
    ("question", "read"),
    [
        (
            "What is Apple's FY2023 reach? Reach is defined as: (FY2023 R&D + change in goodwill between FY2022 and FY2023) / FY2023 revenue.",
            "AAPL | FY2023 | [(rnd + d(goodwill)) / revenue]",
        ),
        ("What was Apple's zeta ratio in FY2023, defined as net income / goodwill?", "AAPL | FY2023 | [net_income / goodwill]"),
        ("What was Apple's zeta ratio in FY2023, where zeta ratio is goodwill over revenue?", "AAPL | FY2023 | [goodwill / revenue]"),
        ("Define zeta as R&D divided by goodwill. What was Apple's zeta in FY2023?", "AAPL | FY2023 | [rnd / goodwill]"),
        ("Apple free cash flow FY2023 (CFO less dividends paid)", "AAPL | FY2023 | [cfo - dividends_paid]"),
        ("Apple's ROA FY2023. ROA = net income / (total assets - goodwill)", "AAPL | FY2023 | [net_income / (total_assets - goodwill)] %"),
        (
            "What is Apple's FY2023 CCC? CCC is defined as DIO + DSO - DPO. DPO is defined as 365 * accounts payable / revenue.",
            "AAPL | FY2023 | [dio + dso - dpo]",
        ),
        (
            "What is Apple's FY2023 EBITDA margin? Define EBITDA as operating income + D&A from the cash flow statement.",
            "AAPL | FY2023 | ebitda_margin",
        ),
        ("Apple FY2023 EBITDA margin. Define EBITDA as operating income + R&D.", "AAPL | FY2023 | [ebitda / revenue] %"),
    ],
)  # fmt: skip
def test_a_definition_stands_for_the_name_that_it_defines(told: Line, question: str, read: str) -> None:
    assert told(question) == read


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("What is FY2018 R&D / average goodwill between FY2017 and FY2018 for Apple?", "FY2018 | [rnd / avg(goodwill)]"),
        ("For fiscal 2020, Apple's FY2018 R&D / FY2019 goodwill", "FY2020 | [prev(prev(rnd)) / prev(goodwill)]"),
        ("Apple 2017: R&D / (FY2019 goodwill - FY2018 goodwill)", "FY2019 | [rnd / (goodwill - prev(goodwill))]"),
        ("What was Apple's zeta? Zeta is defined as FY2021 R&D / FY2022 goodwill", "FY2022 | [prev(rnd) / goodwill]"),
        (
            "What was Apple's average of (capex + R&D) / revenue from FY2019 to FY2021?",
            "FY2019..FY2021 | [(capex + rnd) / revenue] > average",
        ),
        ("three-year average of (capex + R&D) / revenue, Apple FY2021", "last 3 to FY2021 | [(capex + rnd) / revenue] > average"),
    ],
)  # fmt: skip
def test_its_own_years_are_those_that_it_takes(told: Line, question: str, read: str) -> None:
    assert told(question) == f"AAPL | {read}"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What was Apple's zeta in FY2023, defined as net income / zebras?", "zebras"),
        ("Apple FY2023 (revenue - gizmo costs) / revenue", "gizmo costs"),
        ("What is Apple's FY2023 ROA? ROA is defined as blubb / (total assets - cash).", "blubb"),
    ],
)
def test_a_name_that_nobody_holds_refuses_by_that_name(query: Read, question: str, name: str) -> None:
    (found,) = halves_of(question)
    assert isinstance(found, Misread)
    assert (found.code, found.words) == (Code.CONCEPT_UNKNOWN, (name,))


@pytest.mark.parametrize(
    "question",
    [
        "Apple FY2023 (revenue - Microsoft revenue) / (revenue + R&D)",
        "What is Apple's zeta for FY2022 and FY2023? Zeta is defined as FY2023 R&D / FY2022 goodwill",
        "Apple FY2023 R&D / (goodwill + 12345678901234567890)",
        f"Apple FY2023 R&D / {'(' * 40}goodwill + capex{')' * 40}",
        "Apple FY2023 " + " + ".join(["R&D"] * 130),
        "Apple zeta FY2023. Zeta is defined as zeta / revenue + 1",
    ],
)
def test_what_cannot_be_one_is_refused(question: str) -> None:
    assert not any(isinstance(half, Query) and half.rows for half in halves_of(question))


@pytest.mark.parametrize(
    "question",
    ["Apple R&D - SG&A 2023", "Apple margin over 20% in 2023", "revenue over the last 3 years, Apple", "Apple 2023: revenue, R&D"],
)  # fmt: skip
def test_what_is_listed_or_compared_is_no_formula(question: str) -> None:
    rows = [row for half in halves_of(question) if isinstance(half, Query) for row in half.rows]
    assert not any(isinstance(row.measure, Formula) for row in rows)


# --- any formula ---

NAMES = {"R&D": "rnd", "goodwill": "goodwill", "capex": "capex", "total assets": "total_assets", "revenue": "revenue"}
VALUES = {key: Decimal(value) for key, value in zip(NAMES.values(), (3, 5, 7, 11, 13), strict=True)}
LEAVES = st.one_of(st.sampled_from(list(NAMES)).map(lambda name: (name, Name(NAMES[name]))), st.integers(1, 999).map(lambda n: (str(n), Number(Decimal(n)))))  # fmt: skip


def signed(pair: tuple[tuple[str, Expr], tuple[str, Expr]]) -> st.SearchStrategy[tuple[str, Expr]]:
    (one, left), (other, right) = pair
    signs = [
        ("+", "+"),
        ("plus", "+"),
        ("-", "-"),
        ("minus", "-"),
        ("*", "*"),
        ("times", "*"),
        ("/", "/"),
        ("divided by", "/"),
    ]
    return st.sampled_from(signs).map(lambda sign: (f"({one}) {sign[0]} ({other})", Binary(sign[1], left, right)))


def made(one: tuple[str, Expr]) -> st.SearchStrategy[tuple[str, Expr]]:
    text, expr = one
    return st.sampled_from([(f"average ({text})", Call("avg", expr)), (f"change in ({text})", Call("d", expr)), (f"-({text})", Negative(expr))])  # fmt: skip


FORMULAS = st.recursive(
    LEAVES, lambda inner: st.one_of(st.tuples(inner, inner).flatmap(signed), inner.flatmap(made)), max_leaves=6
).filter(lambda one: "(" in one[1].__str__() or isinstance(one[1], Binary))


def value(expr: Expr, variant: int) -> Decimal | str:
    def resolve(name: Name, offset: int) -> Decimal:
        return VALUES[name.key] + offset * variant

    try:
        return round(formula.evaluate(expr, resolve), 20)
    except formula.FormulaError as error:
        return type(error).__name__


@settings(deadline=None, max_examples=60)
@given(FORMULAS)
def test_whatever_is_written_is_computed_as_written(written: tuple[str, Expr]) -> None:
    text, expr = written
    if not formula.operands(expr):
        return
    found = query_of(f"Apple's zeta ratio FY2023? Zeta ratio is defined as: {text}")
    assert isinstance(found, Query | Misread)
    if not isinstance(found, Query):
        assert found.code is Code.NOT_UNDERSTOOD  # an average of figures of which none has a year end
        return
    (row,) = found.rows
    if isinstance(row.measure, Metric):
        assert row.measure.key in REGISTRY.metrics
        return
    assert isinstance(row.measure, Formula)
    assert value(formula.parse(row.measure.expression), 2) == value(expr, 2)


@settings(deadline=None, max_examples=150)
@example(["Apple", "is", "defined", "as", "(", ")", "/"])
@given(st.lists(st.sampled_from(["Apple", "FY2022", "2023", "R&D", "goodwill", "zeta", "defined", "as", "is", ":", "i.e.", "(", ")", "+", "-", "/", "*", "divided by", "over", "average", "change in", "sum of", "and", ",", "between FY2021 and FY2023", "365", "%", "?", "."]), max_size=25))  # fmt: skip
def test_no_words_of_formulas_raise_anything(words: list[str]) -> None:
    assert all(isinstance(half, Query | Misread) for half in halves_of(" ".join(words)))
