"""What the lines of a chart are called: by what tells the rows apart."""

import pytest

from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.tables.charts import chart
from agent.web.tables.year_table import YearRows
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("question", "names"),
    [
        (
            "Calder turbines vs Northwind software revenue 2023-2025",
            ["Calder: Total revenue of Turbines", "Northwind: Total revenue of Software"],
        ),
        ("Calder vs Northwind revenue 2023-2025", ["Calder", "Northwind"]),
    ],
)
def test_a_line_is_called_by_its_company_and_by_its_part_where_each_has_its_own(
    sample: Sample, question: str, names: list[str]
) -> None:
    (block,) = pipeline.answer(question, Deps.current()).blocks
    assert block.table
    drawn = chart(YearRows(block.table))
    assert drawn
    assert [one.name for one in drawn.keys] == names
