"""Where an Item points to another one of the same document, that one is searched."""

import pytest

from agent.prose.text.sections import pointed_to
from filings.models import Section, SectionStatus


def held(where: str, status: SectionStatus = SectionStatus.BY_REFERENCE) -> dict[str, Section]:
    """Items 3, which says this, 7 and 15; Item 8 is by reference itself."""
    found = [
        Section(item="3", status=status, where=where),
        Section(item="7", status=SectionStatus.EXTRACTED),
        Section(item="8", status=SectionStatus.BY_REFERENCE),
        Section(item="15", status=SectionStatus.EXTRACTED),
    ]
    return {one.item: one for one in found}


@pytest.mark.parametrize(
    ("where", "items"),
    [
        ("See Note 12 to our statements.", ("15",)),
        ("The Notes to the statements tell of it.", ("15",)),
        ("See \u201cMarket risk\u201d in Part II, Item 7.", ("7",)),
        ("See Item 3 of the proxy statement.", ()),
        ("It is in our proxy statement.", ()),
    ],
)
def test_an_item_points_by_name_or_by_a_note(where: str, items: tuple[str, ...]) -> None:
    found = held(where)
    assert pointed_to([found["3"]], found) == items


def test_an_item_with_text_of_its_own_points_nowhere() -> None:
    found = held("See Note 12.", SectionStatus.EXTRACTED)
    assert pointed_to([found["3"]], found) == ()
