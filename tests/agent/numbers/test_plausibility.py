"""What speaks against a value: its sign, its scale, later filings, an empty zero."""

from decimal import Decimal

import pytest

from agent.numbers.facts.plausibility import doubts
from agent.numbers.registry import registry


def names(key: str, value: str, later: str | None = None, unit: str = "USD", face_held: bool = True) -> list[str]:
    after = [] if later is None else [Decimal(later)]
    concept = registry.load().concepts[key]
    found = doubts(Decimal(value), unit, concept, after, tagged=True, face_held=face_held)
    return [doubt.name for doubt in found]


@pytest.mark.parametrize(
    ("key", "value", "later", "unit", "due"),
    [
        ("taxes_paid", "-881000000", None, "USD", ["sign"]),
        ("net_income", "-881000000", None, "USD", []),
        ("cash_incl_restricted", "4.7", None, "USD", ["scale"]),
        ("shares_diluted_wa", "716.4", None, "shares", ["scale"]),
        ("eps_diluted", "6.08", None, "USD/shares", []),
        ("total_debt", "5892016", "5892016000", "USD", ["scale"]),
        ("effective_tax_rate_reported", "68", "0.68", "pure", ["scale"]),
        ("revenue", "100000000", "104000000", "USD", []),
        ("revenue", "100000000", "900000000", "USD", ["succession"]),
        ("revenue", "0", "900000000", "USD", ["succession"]),
        ("acquisitions", "100000000", "900000000", "USD", []),
        ("cfi", "-5000000", "5000000", "USD", ["sign"]),
    ],
)
def test_it_doubts_what_cannot_be(key: str, value: str, later: str | None, unit: str, due: list[str]) -> None:
    assert names(key, value, later, unit) == due


def test_a_lone_zero_is_doubted_only_where_no_statement_shows_a_nil() -> None:
    assert names("capex", "0", face_held=False) == ["zero"]
    assert names("capex", "0", face_held=True) == []


def test_a_computed_value_is_doubted_for_its_sign_alone() -> None:
    concept = registry.load().concepts["taxes_paid"]
    for value, due in (("-1.5", ["sign"]), ("1.5", []), ("0", [])):
        found = doubts(Decimal(value), "USD", concept, [Decimal(10**9)], tagged=False, face_held=False)
        assert [doubt.name for doubt in found] == due
