"""A poll for something that is not there for whoever asks: the whole page says so."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["run_progress", "search_progress"])
def test_a_poll_in_vain_leads_to_the_page(client: Client, name: str) -> None:
    address = reverse(name, args=[uuid4()])
    response = client.get(address, headers={"HX-Request": "true"})
    assert (response.status_code, response["HX-Redirect"]) == (404, address.removesuffix("/progress"))


@pytest.mark.parametrize("name", ["run_progress", "search_progress"])
def test_the_address_of_a_poll_by_itself_is_not_found(client: Client, name: str) -> None:
    response = client.get(reverse(name, args=[uuid4()]))
    assert response.status_code == 404
    assert "HX-Redirect" not in response
    assert b"<main" in response.content
