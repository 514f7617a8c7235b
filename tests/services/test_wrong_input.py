"""PostgreSQL, which refuses what SQLite takes: wrong input has an answer there too."""

import pytest
from django.test import Client

from tests.support.access import World
from tests.test_access import world
from tests.test_wrong_input import clients, fuzz

__all__ = ["clients", "world"]


@pytest.mark.parametrize("seed", range(200, 204))
def test_two_hundred_wrong_inputs_have_an_answer(seed: int, world: World, clients: dict[str, Client]) -> None:
    fuzz(seed, 200, world, clients)
