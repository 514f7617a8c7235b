"""Units of formulas: what cannot be added is an error of the registry, found when it is loaded."""

import pytest

from agent.numbers.registry import registry
from agent.numbers.registry.formula import Name, parse
from agent.numbers.registry.registry import RegistryError
from agent.numbers.registry.units import DIMENSIONS, Dimension, UnitError, dimension

UNITS = {"revenue": "USD", "cost": "USD", "shares": "shares", "eps": "USD/shares", "rate": "pure", "dso": "days"}


def of(text: str, *, in_days: bool = False) -> Dimension:
    def known(name: Name) -> Dimension:
        return DIMENSIONS[UNITS[name.key]]

    return dimension(parse(text), known, in_days=in_days)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("revenue - cost", "USD"),
        ("revenue / cost", "ratio"),
        ("revenue / shares", "USD/share"),
        ("eps * shares", "USD"),
        ("avg(revenue) - opt(cost)", "USD"),
        ("revenue * (1 - rate)", "USD"),
        ("(revenue / cost) ** 0.2", "ratio"),
        ("revenue | cost", "USD"),
    ],
)
def test_it_knows_what_a_formula_gives(text: str, unit: str) -> None:
    assert of(text) == DIMENSIONS[unit]


def test_days_come_from_the_days_of_a_year() -> None:
    assert of("365 * revenue / cost + dso", in_days=True) == DIMENSIONS["days"]
    with pytest.raises(UnitError, match="days and a plain number"):
        of("dso + 360 * revenue / cost", in_days=True)


@pytest.mark.parametrize(
    "text", ["revenue + shares", "revenue - 1", "revenue | shares", "revenue ** 2", "eps + revenue"]
)
def test_what_cannot_be_put_together_is_an_error(text: str) -> None:
    with pytest.raises(UnitError):
        of(text)


@pytest.mark.parametrize(
    ("written", "wrong", "said"),
    [
        ('expr: "gross_profit / revenue"', 'expr: "gross_profit + shares_out"', "metrics.gross_margin.expr"),
        ('expr: "cfo - capex"', 'expr: "cfo / capex"', "metrics.fcf.expr"),
        ('expr: "365 * inventory / cost_of_revenue"', 'expr: "inventory / cost_of_revenue"', "metrics.dio.expr"),
        (
            'derive: ["ltd_current + ltd_noncurrent"]',
            'derive: ["ltd_current / ltd_noncurrent"]',
            "concepts.total_debt.derive",
        ),
    ],
)
def test_a_registry_whose_units_do_not_fit_is_not_loaded(written: str, wrong: str, said: str) -> None:
    text = registry.PATH.read_text(encoding="utf-8")
    assert written in text
    with pytest.raises(RegistryError, match=said):
        registry.read(text.replace(written, wrong, 1).encode())
