"""Whether a sentence states an amount: what answers "how many" and "how much"."""

import pytest

from agent.prose.amounts import states_amount


@pytest.mark.parametrize(
    ("text", "count", "money"),
    [
        ("We had approximately 8,300 employees.", True, False),
        ("We operate two plants.", True, False),
        ("Costs were $1.2 million.", True, True),
        ("About 12% of sales came from one distributor.", True, True),
        ("Staff left in 2024.", False, False),
        ("As of May 31, 2024, we had employees worldwide.", False, False),
        ("See Note 12 and Item 7.", False, False),
        ("We had 1,204 stores as of February 2, 2024.", True, False),
    ],
)
def test_a_date_or_a_reference_is_no_amount(text, count, money):
    assert (states_amount(text, money=False), states_amount(text, money=True)) == (count, money)
