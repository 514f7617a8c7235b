"""Runs with a scripted model, and a site where models are named."""

import pytest
from pytest_django import Settings

from tests.support.model_runs import scripted, searched_once

__all__ = ["scripted", "searched_once"]


@pytest.fixture
def models(settings: Settings) -> None:
    """Models are named, so that a mode can be chosen; nothing listens at their address, and no page asks them."""
    for role in ("PLAN", "DRAFT"):
        setattr(settings, f"{role}_MODEL", "scripted")
        setattr(settings, f"{role}_MODEL_BASE_URL", "http://127.0.0.1:9/v1")
