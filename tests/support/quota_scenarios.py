"""What a hundred asks at once come to, whichever database and clock there is."""

from collections.abc import Sequence

from tests.support.askers import Outcome, Scenario

SCENARIOS = {
    "requests": Scenario("192.0.2.1", {"requests_per_minute": 37}),
    "tokens held": Scenario("192.0.2.2", {"tokens_per_minute": 10_000}, wants=((300, "0"),)),
    "tokens used": Scenario("192.0.2.3", {"tokens_per_minute": 10_000}, wants=((500, "0"),), used=500),
    "unfinished": Scenario("192.0.2.4", {"unfinished_runs": 7}),
    "in all": Scenario("192.0.2.5", {"questions_in_all": 23}, used=1),
    "answers": Scenario("192.0.2.6", {"answers_per_month": 11}, used=1),
    "cost": Scenario("192.0.2.7", {"cost_per_month": 1.0}, wants=((900, "0.09"), (5, "0")), used=1),
    "stepping down": Scenario(
        "192.0.2.8", {"tokens_per_minute": 1_000}, wants=((400, "0"), (190, "0"), (1, "0")), used=None
    ),
    "all at once": Scenario(
        "192.0.2.9",
        {"requests_per_minute": 90, "tokens_per_minute": 50_000, "unfinished_runs": 100, "questions_in_all": 50},
        used=10,
    ),
    # What one limit refuses uses up nothing of another.
    "refused by a later limit": Scenario("192.0.2.10", {"requests_per_minute": 20, "unfinished_runs": 7}),
    # Each ask from one of the 256 networks of a site, which has as much as 16 of them.
    "requests of a site": Scenario("2001:db8:0:{:x}::/64", {"requests_per_minute": 3}),
    "tokens of a site": Scenario("2001:db8:1:{:x}::/64", {"tokens_per_minute": 1_000}, wants=((500, "0"),)),
    "unfinished of a site": Scenario("2001:db8:2:{:x}::/64", {"unfinished_runs": 2}),
    "in all of a site": Scenario("2001:db8:3:{:x}::/64", {"questions_in_all": 2}),
}
# taken by tokens, refusals by reason
EXPECTED = {
    "requests": Outcome({"1": 37}, {"too_many_questions": 63}),
    "tokens held": Outcome({"300": 33}, {"too_many_tokens": 67}),
    "tokens used": Outcome({"500": 20}, {"too_many_tokens": 80}),
    "unfinished": Outcome({"1": 7}, {"too_many_unfinished": 93}),
    "in all": Outcome({"1": 23}, {"questions_used_up": 77}),
    "answers": Outcome({"1": 11}, {"month_used_up": 89}),
    "cost": Outcome({"900": 11, "5": 89}, {}),
    "stepping down": Outcome({"400": 2, "190": 1, "1": 10}, {"too_many_tokens": 87}),
    "all at once": Outcome({"1": 50}, {}),
    "refused by a later limit": Outcome({"1": 7}, {"too_many_unfinished": 93}),
    "requests of a site": Outcome({"1": 48}, {"too_many_questions": 52}),
    "tokens of a site": Outcome({"500": 32}, {"too_many_tokens": 68}),
    "unfinished of a site": Outcome({"1": 32}, {"too_many_unfinished": 68}),
    "in all of a site": Outcome({"1": 32}, {"questions_used_up": 68}),
}


def check(found: Sequence[Outcome], names: Sequence[str] = tuple(SCENARIOS)) -> None:
    """What became of each scenario: no limit is exceeded by one, and none of the hundred asks is lost."""
    for name, outcome in zip(names, found, strict=True):
        assert (name, outcome.taken) == (name, EXPECTED[name].taken)
        assert outcome.accepted + sum(outcome.refused.values()) == 100
        if EXPECTED[name].refused:
            assert (name, outcome.refused) == (name, EXPECTED[name].refused)


def settled(names: Sequence[str] = tuple(SCENARIOS)) -> int:
    """How many of them all have been used and settled."""
    return sum(EXPECTED[name].accepted for name in names if SCENARIOS[name].used is not None)


def sites(names: Sequence[str] = tuple(SCENARIOS)) -> int:
    """How many of them ask from all over an IPv6 site."""
    return sum(":" in SCENARIOS[name].address for name in names)
