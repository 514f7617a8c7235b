"""A local EDGAR and a folder of its own for each test of ingestion."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.support.edgar import Filer, LocalEdgar, filer, local_edgar


@pytest.fixture
def data_dir(settings: Settings, tmp_path: Path) -> Path:
    """DATA_DIR of this test alone."""
    settings.DATA_DIR = settings.VECTORS_DIR = tmp_path
    return tmp_path


@pytest.fixture
def edgar(settings: Settings, data_dir: Path, db: None) -> Iterator[LocalEdgar]:
    with local_edgar(settings) as server:
        yield server


@pytest.fixture
def widgets(edgar: LocalEdgar) -> Filer:
    """A fictional filer with three annual reports, published."""
    made = filer(2022, 2023, 2024)
    made.publish(edgar)
    return made
