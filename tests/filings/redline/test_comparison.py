"""Two texts of an Item compared: by headings, then by sentences, each character accounted for."""

from hypothesis import given
from hypothesis import strategies as st

from filings.redline.alignment import Kind
from filings.redline.changes import stretches
from filings.redline.comparison import compare
from filings.redline.summary import captions_said, text_said
from tests.filings.redline.parts import compared, section, told

SUPPLY = "# We depend on one supplier for our ceramic stages."
STRIKE = "# Strikes could stop our plants for a long time."
MAGNETS = "# Magnets reach us through a short and fragile chain."
LINDAU = "A supplier in Lindau makes them. We hold parts for nine weeks."
UNION = "The agreement with our union ends in 2025. Its members may strike."


def test_sentences_are_same_changed_rolled_forward_added_or_dropped() -> None:
    found = compared(
        [SUPPLY, LINDAU, "We know of no other maker. He is old."],
        [
            SUPPLY,
            "A supplier in Lindau makes them. We hold parts for 14 weeks.",
            "We know of one other maker. Prices rose.",
        ],
    )
    assert told(found) == [
        ("rolled", "We hold parts for nine weeks.", "We hold parts for 14 weeks."),
        ("changed", "We know of no other maker.", "We know of one other maker."),
        ("dropped", "He is old.", ""),
        ("added", "", "Prices rose."),
    ]


def test_sentences_that_share_only_what_many_say_are_no_versions_of_each_other() -> None:
    many = "Our mix of gears changed (decreasing gross margin by 5 points). We expect lower freight costs."
    old = "On June 7, 2023, the Company and Lindau filed petitions with the Circuit Court for review of the decision."
    new = "On September 30, 2024, the Company filed a motion with the District Court to narrow the injunction."
    margin = "Lower outlet margin on a resale basis (decreasing gross margin by 5 points)."
    costs = "Lower freight and storage costs (decreasing gross margin by 5 points)."
    found = compared([f"{many} {old}", f"{margin} {many}"], [f"{many} {new}", f"{costs} {many}"])
    assert told(found) == [("dropped", old, ""), ("added", "", new), ("dropped", margin, ""), ("added", "", costs)]
    rate = (
        "Our effective tax rate was 14.9% due to benefits.",
        "Our effective tax rate was 17.1% due to losses in Asia.",
    )
    assert {kind for kind, *_ in told(compared([rate[0]], [rate[1]]))} == {"changed"}


def test_a_dropped_risk_stands_where_it_was_and_an_added_one_where_it_is() -> None:
    found = compared([SUPPLY, LINDAU, STRIKE, UNION], [SUPPLY, LINDAU, MAGNETS, "Three mills make them."])
    assert [kind for kind, *_ in told(found)] == ["dropped"] * 3 + ["added"] * 2
    assert [(one.kind, len(one.paragraphs)) for one in stretches(found)] == [
        (Kind.SAME, 2),
        (Kind.DROPPED, 2),
        (Kind.ADDED, 2),
    ]
    assert captions_said(found) == "1 risk was added and 1 removed; 1 kept its heading."


def test_a_heading_is_reworded_where_its_words_or_its_sentences_are_the_same() -> None:
    by_words = compared([STRIKE, UNION], ["# Strikes could stop our plants for a very long time.", "All is new."])
    by_text = compared([STRIKE, UNION], ["# Labor unrest is among the dangers that we face.", UNION])
    for found in (by_words, by_text):
        assert [one.kind for one in found.captions] == [Kind.CHANGED]
    assert captions_said(by_text) == "1 risk was reworded; none kept their headings."


def test_a_sentence_that_moved_is_neither_dropped_nor_added() -> None:
    far = "We insure our buildings against fire and water."
    found = compared([SUPPLY, f"{LINDAU} {far}", STRIKE, UNION], [SUPPLY, LINDAU, STRIKE, f"{UNION} {far}"])
    assert told(found) == [("moved from here", far, far), ("moved", far, far)]
    assert found.counts[Kind.MOVED] == 1


def test_a_sentence_that_was_split_or_merged_is_neither_added_nor_dropped() -> None:
    whole = "Our suppliers are few and sit in one valley, and a flood of that valley would stop our plants for months."
    halves = "Our suppliers are few and sit in one valley. A flood of that valley would stop our plants for months."
    for old, new in ((whole, halves), (halves, whole)):
        assert {kind for kind, *_ in told(compared([old], [new]))} <= {"changed", "moved", "moved from here"}
    points = [
        "Such events could close our plants for weeks, ",
        "raise what we pay for our freight, ",
        "and delay orders.",
    ]
    bullets = [f"\u2022 {point.strip()}" for point in points[:2]]
    kinds = [kind for kind, *_ in told(compared([SUPPLY, *bullets], [SUPPLY, "".join(points)]))]
    assert "added" not in kinds
    assert "dropped" not in kinds


def test_a_part_in_another_order_is_moved_as_a_whole() -> None:
    found = compared([SUPPLY, LINDAU, STRIKE, UNION, MAGNETS], [MAGNETS, SUPPLY, LINDAU, STRIKE, UNION])
    assert [part.moved for part in found.parts] == [True, False, False]
    assert [one.kind for one in stretches(found)] == [Kind.MOVED, Kind.SAME]
    assert text_said(found.counts) == "1 passage was moved."


def test_of_a_table_only_the_rows_that_changed_are_a_change() -> None:
    rows = ["| Region | 2024", "| Europe | 12", "| Asia | 4"]
    found = compared(rows, ["| Region | 2025", "| Europe | 15", "| Americas | 4"])
    assert [(one.kind, one.is_change) for one in stretches(found)] == [(Kind.ROLLED, False), (Kind.CHANGED, True)]


def test_a_figure_that_did_more_than_roll_forward_is_a_change() -> None:
    old, new = "We paid $40 million to settle.", "We paid $254 million to settle."
    assert told(compared([old], [new])) == [("changed", old, new)]
    found = compared(["| Region | 2024", "| Europe | 12"], ["| Region | 2025", "| Europe | 31"])
    assert [kind for kind, *_ in told(found)] == ["rolled", "changed"]


def test_long_headings_alike_in_part_and_the_signs_of_bullets_are_of_one_risk() -> None:
    found = compared(
        ["# \u2022 The growth of our software business depends on customers who accept our newer products.", UNION],
        [
            "# The growth of our software business depends on demand, and on customers who accept our products and plans.",
            LINDAU,
        ],
    )
    assert [one.kind for one in found.captions] == [Kind.CHANGED]
    assert not told(compared([f"# \u2022 {SUPPLY[2:]}", LINDAU], [SUPPLY, LINDAU]))


def test_a_group_of_risks_is_no_risk() -> None:
    group = "# Risks related to our industry and to our suppliers"
    assert captions_said(compared([LINDAU], [group, LINDAU])) == ""


def test_headings_of_another_item_state_no_risk() -> None:
    old, new = section(SUPPLY, LINDAU, item="7"), section(STRIKE, UNION, item="7")
    assert captions_said(compare(old, new)) == ""


def test_the_same_text_has_no_change() -> None:
    found = compared([SUPPLY, LINDAU], [SUPPLY, LINDAU])
    assert captions_said(found) == "No risk was added, removed or reworded; 1 kept its heading."
    assert text_said(found.counts) == "No passage changed."


LINES = st.sampled_from([SUPPLY, STRIKE, MAGNETS, LINDAU, UNION, "| a | 1", "| b | 2", "We age. We know. We age."])


@given(st.lists(LINES, min_size=1, max_size=8), st.lists(LINES, min_size=1, max_size=8))
def test_every_word_of_both_texts_is_shown_once(old: list[str], new: list[str]) -> None:
    found = compared(old, new)
    pairs = [pair for part in found.parts for paragraph in part.all for pair in paragraph.pairs]
    older = sorted(
        (pair.old.start, pair.old.end) for pair in pairs if pair.old and (pair.left or pair.kind != "moved")
    )
    newer = [(pair.new.start, pair.new.end) for pair in pairs if pair.new and not pair.left]
    assert newer == sorted(newer)
    for text, spans in ((found.old.text, older), (found.new.text, newer)):
        assert len(spans) == len(set(spans))
        assert "".join("".join(text[slice(*span)].split()) for span in spans) == "".join(text.split())
    anchors = [one.anchor for one in stretches(found)]
    assert len(anchors) == len(set(anchors))
