"""Metrics over concepts alone: variants, metrics inside metrics, and every formula against fractions."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.numbers.facts.evaluated import unwrapped
from agent.numbers.registry import formula, registry
from agent.numbers.registry.expressions import Alternative, Binary, Call, Expr, Name, Negative, Number
from agent.numbers.registry.metrics import AT_LEAST_ONE, POSITIVE, definitions

REGISTRY = registry.load()
EVERY = [
    (key, variant)
    for key, one in REGISTRY.metrics.items()
    for variant in (*one.variants, *(() if one.variants else ("",)))
]


def written(key: str, variant: str = "") -> str:
    return str(definitions(REGISTRY, key, variant)[0].expr)


def unmarked(tree: Expr) -> Expr:
    return unwrapped(tree, lambda call: call.function in {AT_LEAST_ONE, POSITIVE})


@pytest.mark.parametrize(("key", "variant"), EVERY)
def test_every_metric_stands_on_concepts_alone(key: str, variant: str) -> None:
    (found, *_) = definitions(REGISTRY, key, variant)
    names = {one.name for one in formula.operands(unmarked(found.expr))}
    assert names
    assert {name.key for name in names} <= set(REGISTRY.concepts)
    assert {name.variant for name in names} == {""}


def test_a_variant_named_inside_a_variant_is_read() -> None:
    assert "d(inventory)" in written("ccc", "purchases")
    assert "d(inventory)" not in written("ccc")


def test_an_inherited_variant_is_that_of_the_metric_inside() -> None:
    assert written("ebitda_margin", "net_income_build") == f"({written('ebitda', 'net_income_build')}) / revenue"
    assert [one.variant for one in definitions(REGISTRY, "ebitda_margin")] == [
        one.variant for one in definitions(REGISTRY, "ebitda")
    ]


def test_a_forced_variant_goes_to_every_metric_inside() -> None:
    assert written("dupont_roe") == (
        "net_income / revenue * (revenue / avg(total_assets)) * (avg(total_assets) / avg(equity))"
    )


def test_a_dual_metric_shows_its_default_first_and_what_is_on_request_never() -> None:
    assert [one.variant for one in definitions(REGISTRY, "roe")] == ["average", "ending"]
    assert [one.variant for one in definitions(REGISTRY, "working_capital")] == ["total", "operating"]
    assert [one.variant for one in definitions(REGISTRY, "working_capital", "trade")] == ["trade"]
    assert [one.variant for one in definitions(REGISTRY, "dividend_payout")] == ["cash"]


def test_a_measure_without_meaning_for_a_bank_takes_what_it_is_made_of_with_it() -> None:
    (found,) = definitions(REGISTRY, "gross_margin")
    assert found.meaningless_for == {"bank", "insurer"}


# --- against fractions ---


def exact(tree: Expr, at: Mapping[tuple[str, int], int], year: int = 0) -> Fraction:
    """An expression in rational numbers, written apart from the engine."""
    match tree:
        case Number(value=value):
            return Fraction(value)
        case Name(key=key, offset=offset):
            return Fraction(at[key, year + offset])
        case Negative(operand=operand):
            return -exact(operand, at, year)
        case Alternative(options=options):
            return exact(options[0], at, year)
        case Call(function="avg", argument=argument):
            return (exact(argument, at, year) + exact(argument, at, year - 1)) / 2
        case Call(function="d", argument=argument):
            return exact(argument, at, year) - exact(argument, at, year - 1)
        case Call(function="opt" | "at_least_one" | "positive", argument=argument):
            return exact(argument, at, year)
        case Binary(operator="+", left=left, right=right):
            return exact(left, at, year) + exact(right, at, year)
        case Binary(operator="-", left=left, right=right):
            return exact(left, at, year) - exact(right, at, year)
        case Binary(operator="*", left=left, right=right):
            return exact(left, at, year) * exact(right, at, year)
        case Binary(operator="/", left=left, right=right):
            return exact(left, at, year) / exact(right, at, year)
    raise AssertionError(tree)


@settings(max_examples=400)
@given(st.sampled_from(EVERY), st.data())
def test_every_formula_gives_what_fractions_give(metric: tuple[str, str], data: st.DataObject) -> None:
    tree = definitions(REGISTRY, *metric)[0].expr
    named = [(one.name.key, one.offset) for one in formula.operands(tree)]
    amounts = st.integers(min_value=-(10**13), max_value=10**13)
    at = data.draw(st.fixed_dictionaries(dict.fromkeys(named, amounts)))
    try:
        due = exact(tree, at)
    except ZeroDivisionError:
        with pytest.raises(formula.DivisionByZero):
            formula.evaluate(unmarked(tree), lambda name, year: Decimal(at[name.key, year]))
        return
    got = formula.evaluate(unmarked(tree), lambda name, year: Decimal(at[name.key, year]))
    assert abs(Fraction(got) - due) <= (abs(due) + 1) * Fraction(1, 10**40)
