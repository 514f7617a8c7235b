"""What is shown of passages that are near to a question: whole sentences, the nearest marked, rows with their header."""

import pytest

from agent.prose.questions.weights import asked
from agent.prose.ranking import calibration
from agent.prose.ranking.scoring import Nearness, Score, best_row
from agent.prose.search import near_passages
from agent.prose.search.floor import Floor
from agent.prose.search.near_passages import LONGEST, MARKS, NEARLY, stored
from agent.prose.text.candidate_sentences import Unit, read_units, texts
from agent.state import NearPassage, SubQuery, Topic
from tests.support.quotable import Quotable, company, quotable

pytestmark = pytest.mark.django_db

LINES = [
    "# Grinding",
    "We grind lenses in Oulu. The machines are ours. The floor is rented until 2031.",
    "# Customers",
    "We sell to hospitals. They pay within ninety days.",
    "# Long",
    " ".join(f"Sentence {number} tells of the glass that we buy and of what it costs us to keep." for number in range(60)),
    "# Stores",
    "| Region | 2025 | 2024",
    "| Europe | 12 | 10",
    "| Asia | 7 | 9",
]  # fmt: skip

# Of a question for all of a filing, which asks for no word.
ANY = Floor(words=frozenset())


@pytest.fixture
def filing(db: None) -> Quotable:
    return quotable(company(), 2025, LINES)


def scored(filing: Quotable, worth: dict[str, float]) -> list[Score]:
    """The units of the filing that hold these words, each so worthy, the best first."""
    read = texts([filing.section.pk])
    units = read_units(filing.retrieval.passages, read)

    def of(words: str) -> Unit:
        return next(unit for unit in units if words in unit.text)

    found = [Score(of(words), 1.0, 1.0, True, total) for words, total in worth.items()]
    return sorted(found, key=lambda one: -one.total)


def shown(filing: Quotable, worth: dict[str, float], most: int = 5) -> tuple[NearPassage, ...]:
    read = texts([filing.section.pk])
    return near_passages.nearest(filing.target, filing.filing, scored(filing, worth), read, 0, most, ANY)


def marked(filing: Quotable, one: NearPassage) -> list[str]:
    return [filing.text[start:end] for start, end in one.marked]


def test_a_passage_is_shown_whole_with_its_nearest_sentences_marked(filing: Quotable) -> None:
    (one,) = shown(filing, {"We grind": 0.9, "The floor": 0.89, "The machines": 0.2})
    assert "The machines are ours." in one.text
    assert marked(filing, one) == ["We grind lenses in Oulu.", "The floor is rented until 2031."]
    assert one.text == filing.text[one.start : one.end]
    assert one.headings[-1:] == ("Grinding",)
    assert one.sha256 == filing.section.sha256


def test_what_is_not_nearly_as_good_is_not_marked_and_never_more_than_a_few(filing: Quotable) -> None:
    (one,) = shown(filing, {"We grind": 1.0, "The floor": NEARLY - 0.01})
    assert marked(filing, one) == ["We grind lenses in Oulu."]
    (many,) = shown(filing, {f"Sentence {number} tells": 1.0 for number in range(10, 16)})
    assert len(many.marked) == MARKS


def test_the_passage_with_the_best_sentence_stands_first_and_each_stands_once(filing: Quotable) -> None:
    found = shown(filing, {"We sell": 0.7, "We grind": 0.9, "The machines": 0.8})
    assert [one.headings[-1] for one in found] == ["Grinding", "Customers"]
    assert len(shown(filing, {"We sell": 0.7, "We grind": 0.9}, most=1)) == 1


def test_the_best_row_is_shown_beside_the_best_sentences(filing: Quotable) -> None:
    read = texts([filing.section.pk])
    sentences = scored(filing, {"We grind": 0.9, "We sell": 0.8})
    (row,) = scored(filing, {"Europe": 0.3})
    found = near_passages.nearest(filing.target, filing.filing, sentences, read, 0, 1, ANY, row)
    assert [one.headings[-1] for one in found] == ["Grinding", "Stores"]


def test_what_only_names_the_columns_of_a_table_is_not_shown_as_its_row() -> None:
    filing = quotable(company(), 2025, ["# Stores", "|= Stores in Europe | Stores in Asia", "| 12 | 10"])
    read = texts([filing.section.pk])
    for words, count in (("Stores in Asia", 0), ("12", 1)):
        (row,) = scored(filing, {words: 0.5})
        assert len(near_passages.nearest(filing.target, filing.filing, [], read, 0, 1, ANY, row)) == count


def test_the_best_row_is_judged_by_its_name_and_gives_no_reason(
    filing: Quotable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "is_near", lambda _: True)  # which meaning decides
    units = read_units(filing.retrieval.passages, texts([filing.section.pk]))
    query = SubQuery(label="stores", words=("stores", "Europe"))
    topic = Topic(text="How many stores are in Europe?", form="explain", items=(), queries=(query,))
    told = asked(query, filing.filing.filing)
    nearness = Nearness([topic.text], (), {}, "")
    row = best_row(units, topic, told, nearness, 0, 2025)
    assert row is not None
    assert row.unit.text == "Europe\t12\t10"
    why = topic.model_copy(update={"text": "Why did the stores in Europe close?"})
    assert best_row(units, why, told, nearness, 0, 2025) is None


def test_of_a_long_passage_whole_sentences_around_the_nearest_are_shown(filing: Quotable) -> None:
    (one,) = shown(filing, {"Sentence 30 tells": 1.0})
    assert len(one.text) <= LONGEST
    assert one.text.startswith("Sentence ")
    assert one.text.endswith("keep.")
    assert marked(filing, one) == ["Sentence 30 tells of the glass that we buy and of what it costs us to keep."]


def test_a_row_is_marked_among_its_neighbours(filing: Quotable) -> None:
    (one,) = shown(filing, {"Asia": 1.0})
    assert one.text.splitlines()[0] == "Region\t2025\t2024"
    assert marked(filing, one) == ["Asia\t7\t9"]


def test_what_the_filing_does_not_hold_any_more_is_told_apart(filing: Quotable) -> None:
    (one,) = shown(filing, {"We grind": 1.0})
    others = [
        {"text": one.text.replace("Oulu", "Lulu")},
        {"sha256": "0" * 64},
        {"section": one.section + 1},
        {"headings": ("Customers",)},
        {"page": "99"},
        {"item": "7"},
    ]
    assert stored([one, *(one.model_copy(update=other) for other in others)]) == (one,)
