"""Addresses of grids that nobody means: each is answered with a sentence, or as the nearest that makes sense, and quickly."""

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.agent.tables.test_grid import ONE
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "measure",
    [
        # Of unlike units.
        "revenue + eps_diluted",
        "revenue of eps_diluted",
        "gross_margin - revenue",
        # So deep that nobody means it.
        " + ".join(["revenue"] * 300),
        "growth of " * 12 + "revenue",
        *(" + ", " of ", "growth of ", "revenue of", "<b>", "\u202e", "x" * 5_000),
    ],
    ids=lambda measure: repr(measure[:30]),
)
def test_a_measure_that_means_nothing_is_said_to_be_none(as_alice: Client, sample: Sample, measure: str) -> None:
    response = as_alice.get("/grid", {**ONE, "measures": measure})
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()


ODD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
LISTS = st.lists(
    st.sampled_from(["AAPL", "msft", "1", "revenue", "growth of cash", "roe:ending", "", " "]) | ODD, max_size=4
).map(",".join)
YEARS = st.sampled_from(["", "2024", "2015", "0000", "9999", "-1", "2e3", "20244"]) | ODD
QUERIES = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("companies", "measures", "company", "measure"), LISTS),
        **dict.fromkeys(("from", "to", "sort"), YEARS),
        "show": st.sampled_from(["growth", "share"]) | ODD,
        "order": st.just("lowest") | ODD,
        "name": ODD,
        **dict.fromkeys(("members", "member"), LISTS),
    },
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=QUERIES)
def test_no_address_is_an_error_of_ours(as_alice: Client, sample: Sample, query: dict[str, str]) -> None:
    response = as_alice.get("/grid", query)
    assert response.status_code in {200, 302, 400}
    assert (response.status_code == 400) == (b'role="alert"' in response.content)
    if response.status_code == 302:
        # What it leads to says the same, and leads no further.
        assert as_alice.get(response.url).status_code == 200
