"""Runs with a scripted model."""

from tests.support.model_runs import scripted, searched_once

__all__ = ["scripted", "searched_once"]
