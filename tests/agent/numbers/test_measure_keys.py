"""Keys of cells and the measures they are asked by."""

import pytest

from agent.numbers.cells.measure_keys import known, measure_of
from agent.numbers.cells.row_expressions import versions
from agent.numbers.registry import registry as registry_file
from agent.state.query import Change, Combined, Concept, Measure, Metric, Share

REVENUE, RND = Concept(key="revenue"), Concept(key="rnd")
MADE: list[Measure] = [
    REVENUE,
    Metric(key="gross_margin"),
    Metric(key="roe", variant="ending"),
    Change(of=REVENUE, percent=True),
    Change(of=Metric(key="gross_margin")),
    Share(part=RND, whole=REVENUE),
    Combined(sign="+", parts=(RND, Concept(key="sga"))),
    Combined(sign="-", parts=(REVENUE, RND)),
]


@pytest.mark.parametrize("measure", MADE, ids=str)
def test_a_cell_is_asked_again_by_its_key(measure: Measure) -> None:
    registry = registry_file.load()
    version = versions(measure, registry)[0]
    assert versions(measure_of(version.key, registry), registry)[0] == version


@pytest.mark.parametrize(
    "key", ["", "line_total_revenue", "growth of ", "roe:none", "nonsense", "revenue:ending", "rnd of nonsense"]
)
def test_what_the_registry_does_not_know_has_none(key: str) -> None:
    assert not known(key, registry_file.load())
