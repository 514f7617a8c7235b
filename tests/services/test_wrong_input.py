"""PostgreSQL, which refuses what SQLite takes: wrong input has an answer there too."""

from django.test import Client

from tests.support.access import World
from tests.test_wrong_input import clients, fuzz, world

__all__ = ["clients", "world"]


def test_two_hundred_wrong_inputs_have_an_answer(world: World, clients: dict[str, Client]) -> None:
    fuzz(200, 200, world, clients)
