"""What is looked for in a filing's text: the words of a subject, the Items that tell of it, and how it is asked."""

import pytest

from agent.prose.questions.topics import Form, items_of, named_items, sources_of, topic_of


def searched(text: str) -> list[str]:
    """The words of each search."""
    found = topic_of(text)
    assert found is not None
    return [" ".join(query.words) for query in found.queries]


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("Explain the State Aid Decision tax charge the company booked", ["State Aid Decision tax charge booked"]),
        ("Why did the company change its name?", ["change name"]),
        ("What is One Medical to the company?", ["One Medical"]),
        ("Tell us the state of competition at the company", ["competition"]),
        ("How does the company deal with privacy?", ["privacy"]),
        ("What do we need to know about the company's supply chain?", ["supply chain"]),
        ("the company long-term purchase obligations", ["long term purchase obligations"]),
        ("the company R&D strategy", ["research development strategy"]),
    ],
)
def test_words_of_asking_are_looked_for_where_they_name_the_subject(text: str, queries: list[str]):
    assert searched(text) == queries


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("How dependent is the company on Panasonic and CATL cells?", ["dependent Panasonic CATL cells"]),
        ("Which brands are in the company's Fabric & Home Care segment?", ["brands Fabric Home Care segment"]),
        ("How does the company attract and retain people?", ["attract retain people"]),
        ("Who guards the company against hackers, and how seasoned is that person?", ["guards against hackers seasoned person"]),
        ("What are the company's cybersecurity and competition risks?", ["cybersecurity risks", "competition risks"]),
        ("effect of health fads on drinks, and of Mars rovers on milk", ["effect health fads drinks", "Mars rovers milk"]),
        ("installers who botch jobs and bad weather", ["installers botch jobs", "bad weather"]),
        ("How many workers has the company and are they organised?", ["workers", "organised workers"]),
        (
            "Why does the company manage its cash and investments and when does the company record a legal claim?",
            ["manage cash investments", "record legal claim"],
        ),
        (
            "Where is the company's plant in Ostmark and for how many years does the company lease its foundries?",
            ["plant Ostmark", "lease foundries"],
        ),
        ("What did the strike cost and when did it end?", ["strike cost end"]),
    ],
)  # fmt: skip
def test_two_names_are_one_subject_and_two_subjects_two(text: str, queries: list[str]):
    assert searched(text) == queries


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("What risks does the company disclose about its supply chain?", "risks"),
        ("Could you kindly walk me through the headwinds the company faced?", "risks"),
        ("Why did the company's operating income fall?", "explain"),
        ("Can you explain the company's warranty policy?", "explain"),
        ("Is the company profitable?", "yes_no"),
        ("Can the company's warranty costs rise?", "yes_no"),
        ("Can you tell me whether the company is unionised?", "yes_no"),
    ],
)
def test_a_polite_lead_asks_for_no_yes_or_no(text: str, form: Form):
    found = topic_of(text)
    assert found is not None
    assert found.form == form


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("Where are its factories?", "2"),
        ("Who are the executive officers?", "10"),
        ("Are its internal controls effective?", "9A"),
        ("Was the control flaw mended?", "9A"),
        ("Why did operating income fall?", "7"),
    ],
)
def test_a_subject_is_looked_for_where_it_is_told(text: str, item: str):
    assert items_of(text)[0] == item


@pytest.mark.parametrize(
    "text", ["export controls in China", "Who controls the votes?", "Consumer Direct Acceleration"]
)
def test_another_sense_of_a_word_names_no_item(text: str):
    assert not {"9A", "10"} & set(items_of(text))


@pytest.mark.parametrize(
    ("text", "items", "whole"),
    [
        ("Summarize Item 1A of the company's 10-K", ("1A",), True),
        ("the company Item 7", ("7",), True),
        ("the company legal proceedings", ("3",), False),
        ("What does Item 7 of the company's 10-K say about inventory provisions?", ("7",), False),
    ],
)
def test_a_named_item_is_the_only_one_searched(text: str, items: tuple[str, ...], whole: bool):
    assert named_items(text) == items
    found = topic_of(text)
    assert found is not None
    assert (found.items, found.named, found.whole) == (items, True, whole)


@pytest.mark.parametrize(("text", "whole"), [("What are the company's main risks?", True), ("tariff risks", False)])
def test_risks_without_a_subject_are_asked_about_as_a_whole(text: str, whole: bool):
    found = topic_of(text)
    assert found is not None
    assert found.whole is whole


@pytest.mark.parametrize("text", ["", "what does the company say", "please tell me about it"])
def test_words_that_name_no_subject_are_no_topic(text: str):
    assert topic_of(text) is None


def test_no_other_document_than_a_yearly_one_tells_what_the_auditor_is_paid() -> None:
    told = sources_of("audit fees", interim=False)
    assert told[:2] == ("DEF 14A", "10-K")
    assert not {"10-Q", "8-K", "call"} & {*told}
    assert "10-Q" in sources_of("director pay", interim=False)
