from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.numbers.registry.expressions import replaced
from agent.numbers.registry.formula import (
    Alternative,
    Binary,
    Call,
    Comparison,
    DivisionByZero,
    FormulaError,
    FormulaSyntaxError,
    Missing,
    Name,
    Negative,
    Number,
    evaluate,
    operands,
    parse,
)

VALUES = {
    ("revenue", 0): "100",
    ("revenue", -1): "80",
    ("cost", 0): "60",
    ("cost", -1): "50",
    ("loss", 0): "-7",
    ("zero", 0): "0",
}


def resolve(name: Name, offset: int) -> Decimal:
    try:
        return Decimal(VALUES[name.key, offset])
    except KeyError:
        raise Missing(name, offset) from None


def value(text: str) -> Decimal:
    return evaluate(parse(text), resolve)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("revenue - cost", "40"),
        ("revenue - cost - 10", "30"),
        ("revenue - (cost - 10)", "50"),
        ("revenue - cost * 2", "-20"),
        ("revenue / cost / 2", "0.8333333333"),
        ("2 ** 3 ** 2", "512"),
        ("(2 ** 3) ** 2", "64"),
        ("-2 ** 2", "-4"),
        ("2 ** -1", "0.5"),
        ("--3", "3"),
        ("1.5 * 2", "3"),
        ("avg(revenue)", "90"),
        ("prev(revenue)", "80"),
        ("d(revenue)", "20"),
        ("d(revenue - cost)", "10"),
        ("revenue[FY] - revenue[FY-1]", "20"),
        ("prev(revenue[FY-0])", "80"),
        ("abs(loss)", "7"),
        ("opt(absent)", "0"),
        ("opt(absent + revenue)", "0"),
        ("revenue + opt(cost)", "160"),
        ("absent | revenue", "100"),
        ("absent + cost | revenue | cost", "100"),
        ("zero ** 0", "1"),
    ],
)
def test_it_computes_as_written(text, expected):
    assert round(value(text), 10) == Decimal(expected)


def test_a_missing_operand_is_named_with_its_year():
    with pytest.raises(Missing, match=r"absent\[FY-1\]") as caught:
        value("d(revenue) / prev(absent)")
    assert (caught.value.name.key, caught.value.offset) == ("absent", -1)


def test_only_a_missing_value_lets_an_alternative_or_opt_pass():
    with pytest.raises(DivisionByZero):
        value("opt(revenue / zero)")
    with pytest.raises(DivisionByZero):
        value("revenue / zero | cost")


@pytest.mark.parametrize("text", ["revenue / zero", "zero ** -1", "revenue / (cost - 60)"])
def test_a_zero_denominator_is_its_own_error(text):
    with pytest.raises(DivisionByZero):
        value(text)


@pytest.mark.parametrize("text", ["loss ** 0.5", "10 ** 99999999999", "revenue > cost"])
def test_what_has_no_number_is_an_error(text):
    with pytest.raises(FormulaError):
        value(text)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("revenue -", 9),
        ("revenue cost", 8),
        ("(revenue", 8),
        ("revenue)", 7),
        ("revenue % cost", 8),
        ("sum(revenue)", 0),
        ("revenue[FY+1]", 7),
        ("__import__('os')", 11),
        ("revenue.__class__", 7),
        ("Revenue", 0),
        ("revenue <", 9),
    ],
)
def test_it_says_where_a_text_is_not_an_expression(text, position):
    with pytest.raises(FormulaSyntaxError) as caught:
        parse(text)
    assert caught.value.position == position


@pytest.mark.parametrize(
    "text", ["abs(" * 500 + "1" + ")" * 500, "-" * 500 + "1", "2 ** " * 500 + "1", "1 + " * 500 + "1"]
)
def test_it_refuses_nesting_that_would_exhaust_the_stack(text):
    with pytest.raises(FormulaSyntaxError, match="levels deep"):
        parse(text)


def test_it_lists_each_operand_once_with_its_year_and_whether_it_may_be_missing():
    found = operands(parse("365 * avg(inventory) / (cost + d(inventory)) + opt(dpo:purchases)"))
    assert [(str(one.name), one.offset, one.optional) for one in found] == [
        ("inventory", 0, False),
        ("inventory", -1, False),
        ("cost", 0, False),
        ("dpo:purchases", 0, True),
    ]


def test_x_is_read_as_the_concept_in_question():
    tree = parse("1/300 < x[FY]/x[FY-1] < 300")
    assert isinstance(tree, Comparison)
    assert str(replaced(tree, Name("x"), Name("revenue"))) == "1 / 300 < revenue / revenue[FY-1] < 300"


names = st.builds(Name, st.sampled_from(["a", "b_2", "x"]), st.sampled_from(["", "v"]), st.sampled_from([0, -1, -2]))
numbers = st.builds(Number, st.decimals(min_value=0, max_value=999, places=2))


def extended(inner):
    return st.one_of(
        st.builds(Negative, inner),
        st.builds(Binary, st.sampled_from(["+", "-", "*", "/", "**"]), inner, inner),
        st.builds(Call, st.sampled_from(["avg", "prev", "d", "opt", "abs"]), inner),
        st.builds(Alternative, st.tuples(inner, inner)),
        st.builds(
            lambda ops, sides: Comparison(tuple(ops), tuple(sides)),
            st.just(["<=", "=="]),
            st.lists(inner, min_size=3, max_size=3),
        ),
    )


@given(st.recursive(names | numbers, extended, max_leaves=12))
def test_what_it_prints_it_reads_back(tree):
    assert parse(str(tree)) == tree


def plain(inner):
    return st.builds(Binary, st.sampled_from(["+", "-", "*"]), inner, inner) | st.builds(Negative, inner)


def by_fractions(tree) -> Fraction:
    match tree:
        case Number(value=literal):
            return Fraction(literal)
        case Negative(operand=operand):
            return -by_fractions(operand)
        case Binary(operator="+", left=left, right=right):
            return by_fractions(left) + by_fractions(right)
        case Binary(operator="-", left=left, right=right):
            return by_fractions(left) - by_fractions(right)
        case Binary(operator="*", left=left, right=right):
            return by_fractions(left) * by_fractions(right)
    raise AssertionError(tree)


@given(st.recursive(numbers, plain, max_leaves=10))
def test_sums_and_products_are_exact(tree):
    assert Fraction(evaluate(tree, resolve)) == by_fractions(tree)
