"""A grid counts against the quota of who looks at it, once."""

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import Meter, User
from tests.agent.tables.test_grid import ONE, TWO, shown
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


def test_it_counts_as_a_table_and_not_again_when_it_is_sorted(as_alice: Client, sample: Sample) -> None:
    for query in (TWO, {**TWO, "sort": "2023"}, {**TWO, "sort": "2023", "order": "lowest"}, {**TWO, "name": "Mine"}):
        shown(as_alice, **query)
        assert (Meter.objects.get().questions, Meter.objects.get().month_answers) == (1, 1)
    shown(as_alice, **TWO, show="growth")
    assert Meter.objects.get().month_answers == 2
    # Of more than fifty cells it is several.
    ten = ",".join(
        f"{begins}{key}" for key in ("revenue", "cfo", "rnd") for begins in ("", "growth of ", "change of ")
    )
    shown(as_alice, companies="AAPL", measures=ten, **{"from": "2018", "to": "2024"})
    assert Meter.objects.get().month_answers == 4


def test_what_one_has_looked_at_is_counted_for_another(as_alice: Client, as_bob: Client, sample: Sample) -> None:
    shown(as_alice, **ONE)
    shown(as_bob, **ONE)
    assert [meter.month_answers for meter in Meter.objects.all()] == [1, 1]


def test_where_too_few_answers_are_left_it_is_refused(
    as_alice: Client, sample: Sample, alice: User, settings: Settings
) -> None:
    settings.PLANS = {"user": {"answers_per_month": 1}}
    shown(as_alice, **ONE)
    # What was counted can still be sorted; anything else takes what is not there.
    assert shown(as_alice, **ONE, sort="2023")
    assert as_alice.get("/grid", TWO).status_code == 429


def test_an_empty_grid_is_a_form_and_counts_nothing(client: Client, sample: Sample) -> None:
    for query in ({}, {"companies": "AAPL"}, {"measures": "revenue"}):
        found = shown(client, **query)
        assert "rows" not in found.context
        assert 'name="company"' in found.content.decode()
    assert not Meter.objects.exists()
