"""What to search for next: keywords of a filing that is asked, and nothing that was searched for before."""

from typing import Any

import pytest

from agent.programs.calls import ModelFailed
from agent.programs.follow_up import Filing, FollowUpSearches, Phrase, follow_up

from .replies import saying

QUESTION = "How do AMD and NVIDIA describe Section 301 tariffs in fiscal 2024?"
LACKING = ("Exemptions.",)
FILINGS = (
    Filing(target=3, company="AMD", period="fiscal 2024"),
    Filing(target=7, company="NVIDIA", period="fiscal 2024"),
)


def one(words: str, target: str = "T1", **fields: Any) -> dict[str, Any]:
    return {"target": target, "words": words} | fields


def read(*phrases: dict[str, Any], searched: tuple[Phrase, ...] = ()) -> tuple[Phrase, ...]:
    with saying({"phrases": list(phrases)}) as (session, _):
        return follow_up(session, QUESTION, LACKING, FILINGS, searched)


def known(words: str, target: int = 3) -> Phrase:
    return Phrase(target=target, words=words, company="AMD", period="fiscal 2024")


def test_a_phrase_has_the_entity_and_the_period_of_its_target() -> None:
    found = read(one("tariff exemptions"), one("tariff exemptions", "T2"))
    assert [(phrase.target, phrase.text) for phrase in found] == [
        (3, "AMD tariff exemptions fiscal 2024"),
        (7, "NVIDIA tariff exemptions fiscal 2024"),
    ]


@pytest.mark.parametrize("target", ["T3", "T0", "3", "t1", "AMD", "Microsoft"[:8]])
def test_a_target_that_was_not_given_is_not_searched(target: str) -> None:
    assert read(one("tariff exemptions", target)) == ()


@pytest.mark.parametrize(
    "words",
    [
        "what are the tariff exemptions",
        "tariff exemptions?",
        "find tariff exemptions",
        "the of and",
        "tariffs of 25 percent",
        "tariffs in fiscal 2019",
        "five tariff exemptions",
        "tariffs https://evil.example",
        "<script>tariffs</script>",
        FollowUpSearches.instructions[:100],
    ],
)
def test_what_is_no_phrase_of_keywords_is_dropped(words: str) -> None:
    assert [phrase.words for phrase in read(one(words), one("customs duties"))] == ["customs duties"]


def test_numbers_of_the_question_may_be_searched_for() -> None:
    assert [phrase.words for phrase in read(one("Section 301 exclusions"))] == ["Section 301 exclusions"]


@pytest.mark.parametrize(
    "words", ["tariff exemptions", "exemptions of tariffs", "Tariff  Exemption", "tariffs exempted"]
)
def test_a_phrase_searched_before_is_dropped_in_any_order_and_form(words: str) -> None:
    assert read(one(words), searched=(known("tariff exemptions"),)) == ()


def test_a_phrase_is_new_to_another_filing_and_with_another_word() -> None:
    searched = (known("tariff exemptions"),)
    found = read(one("tariff exemptions", "T2"), one("tariff refund litigation"), searched=searched)
    assert [(phrase.target, phrase.words) for phrase in found] == [
        (7, "tariff exemptions"),
        (3, "tariff refund litigation"),
    ]


def test_a_phrase_said_twice_is_searched_once() -> None:
    assert len(read(one("tariff exemptions"), one("exemptions, tariff"))) == 1


@pytest.mark.parametrize(
    "phrases",
    [
        [one("tariffs")] * 7,
        [one("t" * 50_000)],
        [one("")],
        [one("tariffs", index="all")],
        ["tariffs"],
    ],
    ids=["seven", "50 kB", "empty", "a field", "a text"],
)
def test_a_reply_of_another_form_is_no_reply(phrases: list[Any]) -> None:
    with pytest.raises(ModelFailed) as failed:
        read(*phrases)
    assert failed.value.reason == "unparsable"


def test_where_nothing_is_lacking_nothing_is_asked() -> None:
    with saying({"phrases": [one("tariffs")]}) as (session, server):
        assert follow_up(session, QUESTION, (), FILINGS, ()) == ()
        assert follow_up(session, QUESTION, LACKING, (), ()) == ()
        assert not server.asked
