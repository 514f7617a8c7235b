"""The words that differ between two versions of a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.redline.marks import words_of


@pytest.mark.parametrize(
    ("old", "new", "marks"),
    [
        ("We hold two plants.", "We own two plants.", [("hold", "own")]),
        ("Our costs may rise.", "Our costs may rise, and soon.", [("", ", and soon")]),
        ("A big new plant burned.", "A plant burned.", [(" big new", "")]),
        ("one two three", "four five six", [("one two three", "four five six")]),
        ("The Company\u2019s plan", "The Company's plan", []),
    ],
)
def test_words_that_differ_are_marked(old: str, new: str, marks: list[tuple[str, str]]) -> None:
    assert [(one.old, one.new) for one in words_of(old, new) if not one.same] == marks


@given(st.text("ab ,.\u2019'", max_size=40), st.text("ab ,.\u2019'", max_size=40))
def test_both_versions_are_complete(old: str, new: str) -> None:
    found = words_of(old, new)
    assert ("".join(one.old for one in found), "".join(one.new for one in found)) == (old, new)
