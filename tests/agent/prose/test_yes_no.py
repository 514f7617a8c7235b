"""What the sentence that decides a question for yes or no shows."""

import pytest

from agent.prose.answers.yes_no import shown
from agent.prose.text.quotations import Picked
from agent.state import Passage

SO, NOT_SO = "The filing says so.", "The filing says that this is not so."


def said(text: str, question: str = "", item: str = "1") -> str:
    passage = Passage(
        chunk=1, filing=1, cik=1, accession="a", section=1, sha256="", item=item, kind="prose", ranges=((0, len(text)),), text=text
    )  # fmt: skip
    return shown(Picked(passage, 0, len(text), 0, 1.0), text, question)


def test_the_none_of_an_item_is_given_with_its_item():
    assert said("None.", "Does the company have unresolved staff comments?", "1B") == "Item 1B: “None.”"


@pytest.mark.parametrize(
    ("question", "text", "shows"),
    [
        ("Are the company's controls effective?", "Our controls over reporting were effective.", SO),
        ("Does the company pay a dividend?", "We have never declared or paid a dividend on our stock.", NOT_SO),
        ("Does the company operate mines?", "We do not operate any mines.", NOT_SO),
        # Only the reader can tell of these.
        ("Does the company pay a dividend?", "We may pay a dividend in the future.", ""),
        ("Does the company operate mines?", "We do not own land, and we operate two mines.", ""),
        ("Does the company operate mines?", "We do not operate mines except in Peru.", ""),
        ("Does the company operate mines?", "We dig for iron in Peru.", ""),
        ("Are the company's controls effective?", "We evaluated the effectiveness of our controls.", ""),
        ("Does the company have a loan?", "We had no drawings under our loan.", ""),
        ("Does the company have a loan?", "We have no loan.", NOT_SO),
        ("Did the company repurchase shares?", "Our board authorized the company to repurchase shares.", ""),
        ("Does the company comply with its covenants?", "We must comply with the covenants of our loan.", ""),
        ("Does he work full time?", "Our interns often work full time.", ""),
        ("Does he work full time?", "He does not work full time.", NOT_SO),
        ("Does the company not operate mines?", "We do not operate mines.", ""),
        ("Could the company lose its licence?", "We lose our licence.", ""),
    ],
)
def test_a_deciding_sentence_shows_it_or_its_contrary_or_nothing(question, text, shows):
    assert said(text, question) == shows
