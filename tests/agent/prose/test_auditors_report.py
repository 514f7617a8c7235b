"""What an auditor's report says: since when the firm has served, and the titles of its critical audit matters."""

import pytest

from agent.prose.answers.listing import listing
from agent.prose.questions.topics import topic_of
from filings.models import Filing
from tests.support.quotable import Quotable, company, quotable

TENURE = "We have served as the Company\u2019s auditor since 1987."
MANY = (
    "The critical audit matters communicated below are matters arising from the audit of lenses. They alter nothing."
)
ONE = "The critical audit matter communicated below is a matter arising from the audit of lenses."
SIGNED = ["/s/ Fjord & Larch LLP", "Bergen, Norway", TENURE]
BY_TABLE = [
    "||Furnaces",
    "|Description of the Matter|Furnaces age.",
    "||Their age is judged.",
    "|How We Addressed the Matter in Our Audit|We looked at furnaces.",
    "||We counted them.",
    "||Rebates of dealers",
    "|Description of the Matter|Rebates are owed.",
    "|How We Addressed the Matter in Our Audit|We asked dealers.",
]
BY_HEADING = [
    "# Furnaces \u2014 Refer to Note 1 to the financial statements",
    "# Critical Audit Matter Description",
    "Furnaces age.",
    "# How the Critical Audit Matter Was Addressed in the Audit",
    "We looked at furnaces, among others:",
    "- We counted them",
    "# Rebates of dealers \u2014 Refer to Note 2 to the financial statements",
    "# Critical Audit Matter Description",
    "Rebates are owed.",
    "# How the Critical Audit Matter was Addressed in the Audit",
    "We asked dealers.",
]
BY_TEXT = [
    "# Furnaces",
    "As described in Note 1, furnaces age.",
    "Addressing the matter involved performing procedures. We looked at furnaces.",
    "Report of Independent Registered Public Accounting Firm",
    "# Rebates of dealers",
    "As discussed in Note 2, rebates are owed.",
    "The following are the primary procedures we performed to address this critical audit matter. We asked dealers.",
]
HOW_LONG = "How long has the company's auditor served?"
WHICH = "What were the critical audit matters in the company's?"

pytestmark = pytest.mark.django_db


def report(*lines: str, signed: list[str] = SIGNED) -> Quotable:
    return quotable(company(), 2025, ["# Critical Audit Matters", *lines, *signed])


def told(question: str, held: Quotable) -> list[str]:
    """What is said of an answer, and what is quoted; nothing where the report does not answer."""
    topic = topic_of(question)
    assert topic
    found = listing(topic, held.filing.filing)
    return [found.told, *(held.text[slice(*span)] for part in found.parts for span in part.spans)] if found else []


# --- since when ---


@pytest.mark.parametrize(
    "question",
    [
        HOW_LONG,
        "Since when has Fjord & Larch been the company's auditor?",
        "How long has Larch audited the company?",
        "Has Fjord & Larch been the company's auditor?",
        "When did Fjord & Larch become the company's auditor?",
        "Auditor tenure of the company",
    ],
)
def test_the_sentence_on_the_auditors_tenure_is_quoted_once(question: str) -> None:
    held = report(ONE, *SIGNED)
    assert told(question, held) == [
        "The auditor\u2019s report says since when Fjord & Larch LLP has served.",
        TENURE,
    ]


@pytest.mark.parametrize(
    "question",
    [
        "How long has KPMG audited the company?",
        "How long has the audit committee chair served?",
        "Has the company's auditor been independent?",
        "How long is the auditor's report?",
        "When did the audit of the company begin?",
        "Has Fjord & Larch not been the company's auditor since 2015?",
        "How long has the company's auditor been independent?",
        "When did the company start external auditing?",
    ],
)
def test_of_another_firm_or_of_something_else_tenure_tells_nothing(question: str) -> None:
    assert not told(question, report())


def test_a_firm_may_be_called_in_short() -> None:
    held = report(signed=["/s/ Ernst & Young LLP", TENURE])
    assert told("How long has EY audited the company?", held)[1:] == [TENURE]
    assert not told("How long has PwC audited the company?", held)


def test_two_sentences_that_disagree_are_none() -> None:
    assert not told(HOW_LONG, report("We have served as the Company\u2019s auditor since 2020."))


def test_the_report_of_another_firm_than_that_of_the_cover_tells_nothing() -> None:
    held = report("/s/ Holm & Co", "We have served as the Venture\u2019s auditor since 2020.", "Pages. " * 100)
    Filing.objects.filter(pk=held.filing.filing).update(cover={"AuditorName": "FJORD & LARCH LLP"})
    assert told(HOW_LONG, held)[1:] == [TENURE]


# --- critical audit matters ---


@pytest.mark.parametrize("lines", [BY_TABLE, BY_HEADING, BY_TEXT], ids=["tables", "headings", "text"])
def test_each_matter_is_listed_by_its_title_in_order(lines: list[str]) -> None:
    said, *titles = told(WHICH, report(MANY, *lines))
    assert said == "The report of Fjord & Larch LLP names 2 critical audit matters, quoted in the filing\u2019s order."
    assert [title.split(" \u2014 ")[0] for title in titles] == ["Furnaces", "Rebates of dealers"]
    assert all(title in " ".join(lines) for title in titles)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which critical audit matters did the auditor of the company identify?", True),
        ("How many critical audit matters did Fjord & Larch report?", True),
        ("Were there any CAMs?", True),
        ("Is goodwill a critical audit matter?", False),
        ("Why are furnaces a critical audit matter?", False),
        ("How did the auditor address the critical audit matters?", False),
        ("Which critical audit matters did KPMG identify?", False),
        ("How many critical audit matters did the auditor not raise?", False),
        ("Which other critical audit matters were there?", False),
        ("What were the critical audit matters and why?", False),
    ],
)
def test_only_a_question_for_the_matters_themselves_gets_their_list(question: str, answers: bool) -> None:
    assert bool(told(question, report(MANY, *BY_TABLE))) is answers


@pytest.mark.parametrize(
    "lines",
    [
        [MANY, *BY_TABLE[:5]],
        [ONE, *BY_TABLE],
        [MANY, *BY_TABLE, MANY, *BY_TABLE],
        [MANY, *BY_TABLE, "# Taxes", "As described in Note 3, taxes are due."],
        [MANY, *BY_TEXT[:2], *BY_TEXT[3:]],
        [MANY, "# Furnaces and", *BY_HEADING],
        [MANY, "||Furnaces and", "||their age", *BY_TABLE[1:]],
        [MANY, *BY_TABLE[:6], "Halvorsen 2025", *BY_TABLE[6:]],
        [MANY, *BY_TABLE[:5], *BY_TABLE[:5]],
    ],
    ids=[
        "one of several", "several of one", "two reports", "one without response", "one response of two", "a heading in two",
        "a title in two rows", "the line of a page below a title", "the same twice",
    ],
)  # fmt: skip
def test_a_list_that_may_lack_a_title_or_a_part_of_one_is_none(lines: list[str]) -> None:
    assert not told(WHICH, report(*lines))


def test_a_list_without_the_signature_that_ends_it_is_none() -> None:
    assert not told(WHICH, report(MANY, *BY_TABLE, signed=["# Consolidated balance sheets"]))


def test_a_report_that_says_there_are_none_answers_with_that_sentence() -> None:
    none = "We determined that there are no critical audit matters."
    said, *quoted = told(WHICH, report(f"They are matters of judgment. {none}"))
    assert said == "The auditor\u2019s report names no critical audit matter."
    assert quoted == [none]
