"""Items whose headings have no label in words: pictures, titles alone, names at the heads of pages, letters set apart."""

import pytest

from tests.support.lantern import TITLES, bodies, bold, contents, document, heading, p, prose, report, sections, table

ORDER = [item for item in TITLES if item in bodies()]
SUBJECTS = {"1": "the business", "1A": "the risks", "7": "the results", "7A": "brass prices", "9A": "controls"}
LIST = "".join(p(f"Item {item}. {TITLES[item]}") for item in ORDER)  # without links and pages
PARTS = {"1": "I", "2": "I", "3": "I", "4": "I", "10": "III", "11": "III", "12": "III", "13": "III", "14": "III"}


def labelled(item: str) -> str:
    return bold(f"Item {item}. {TITLES[item]}")


def picture(item: str, words: str = "") -> str:
    return f'<div id="i{item}"></div><p><img src="heading-{item}.jpg" alt="{words}"/></p>'


def told(content: bytes) -> dict[str, str]:
    """The status of each Item, "mixed" for one without its own subject or with another's."""
    found = sections(content)
    for item, subject in SUBJECTS.items():
        text = found[item].text
        if subject not in text or any(f"As for {other}:" in text for other in SUBJECTS.values() if other != subject):
            return {item: f"mixed: {found[item].status}, {text[:80]}"}
    return {item: section.status for item, section in found.items()}


def paged(head: object, toc: str) -> bytes:
    """A report whose Items fill several pages each, with a head on every page."""
    pages = [p("Cover"), toc or p("Our report.")]
    for item in ORDER:
        body = prose(SUBJECTS[item], 9_000) if item in {"1", "1A", "7"} else bodies()[item]
        parts = body.replace("</p>", "</p>\0").split("\0")
        pages += [head(item, first == 0) + "".join(parts[first : first + 5]) for first in range(0, len(parts), 5)]
    return document(*(f"{page}{p(str(number))}" for number, page in enumerate(pages, 1)))


def part(item: str) -> str:
    return PARTS.get(item.rstrip("ABC"), "IV" if item in {"15", "16"} else "II")


WHOLE = told(report())


@pytest.mark.parametrize("items", [["1A"], ORDER])
@pytest.mark.parametrize("words", ["", "alternative"])
def test_a_heading_that_is_a_picture_stands_where_the_contents_lead(items, words):
    pictures = {item: picture(item, words and f"Item {item}. {TITLES[item]}") for item in items}
    assert told(report(headings=pictures)) | {"6": "omitted"} == WHOLE


@pytest.mark.parametrize("items", [["1A"], ORDER])
def test_a_picture_of_a_heading_is_read_by_its_alternative_text(items):
    pictures = {item: picture(item, f"Item {item}. {TITLES[item]}") for item in items}
    assert told(report(headings=pictures, toc=LIST)) == WHOLE


def test_a_picture_of_anything_else_has_no_text():
    found = sections(report({"1": prose("the business") + '<img alt="Item of glass, drawn"/><img alt="A lamp"/>'}))
    assert "drawn" not in found["1"].text
    assert "A lamp" not in found["1"].text


@pytest.mark.parametrize(
    "printed",
    [
        '<p><span style="font-size:20pt;color:#00f">Risk Factors</span></p>',
        bold("RISK FACTORS"),
        p("Item 1A") + p("of the form") + bold("RISK FACTORS"),
        bold("I TEM 1A. R ISK F ACTORS"),
        bold("I T E M 1 A. R I S K F A C T O R S"),
    ],
)
def test_a_title_without_a_plain_label_is_a_heading_between_its_neighbours(printed):
    assert told(report(headings={"1A": printed}, toc=LIST)) == WHOLE


def test_a_title_is_no_heading_of_an_item_that_the_contents_do_not_list():
    texts = bodies() | {"1A": prose("the risks") + bold("Cybersecurity") + prose("the risks", 900)}
    kept = [item for item in ORDER if item not in {"1B", "1C"}]
    toc = "".join(p(f"Item {item}. {TITLES[item]}") for item in kept)
    found = sections(document(toc, *(labelled(item) + texts[item] for item in kept)))
    assert found["1C"].status == "omitted"
    assert "Cybersecurity" in found["1A"].text


def test_one_place_that_the_contents_give_to_several_items_is_no_heading():
    toc = contents(ORDER)
    for item in ("10", "11", "12", "13", "14"):
        toc = toc.replace(f"#i{item}", "#part-three")
    pages = [heading(item) + bodies()[item] for item in ORDER if part(item) != "III"]
    pages.insert(-2, '<div id="part-three"></div>' + bold("Part III") + bodies()["10"])
    found = sections(document(toc, *pages))
    assert {found[item].status for item in ("10", "11", "12", "13", "14")} == {"by_reference"}
    assert not found["14"].text


@pytest.mark.parametrize("toc", ["", LIST])
@pytest.mark.parametrize(
    "head",
    [
        lambda item, first: p(f"PART {part(item)} Item {item}") + (bold(TITLES[item].upper()) if first else ""),
        lambda item, first: p(f"PART {part(item)}, Item {item}"),
        lambda item, first: p(f"PART {part(item)}") + p(f"Item {item}"),
        lambda item, first: (
            bold(f"PART {part(item)} Item {item}") + (labelled(item) if first and item != "1A" else "")
        ),
    ],
)
def test_items_begin_on_the_first_page_whose_head_names_them(head, toc):
    assert told(paged(head, toc)) | {"6": "omitted"} == WHOLE


def test_a_head_that_names_two_items_is_no_heading():
    two = {"1A": "1A & 1B", "1B": "1A & 1B", "2": "2, 3 & 4", "3": "2, 3 & 4", "4": "2, 3 & 4"}
    content = paged(
        lambda item, first: (
            p(f"Part {part(item)} Item {two.get(item, item)}") + (bold(TITLES[item].upper()) if first else "")
        ),
        LIST,
    )
    assert told(content) == WHOLE
    assert sections(content)["1"].text.endswith("after the new year.")


PAGES = table(("Overview", "12"), ("Results", "13"), ("Tables", "15"))


@pytest.mark.parametrize(
    "toc",
    [
        "".join(p(f"Item {item}. {TITLES[item]}") + (PAGES if item in {"5", "7", "8"} else "") for item in ORDER),
        "".join(table((f"Item {item}.", TITLES[item], str(number))) for number, item in enumerate(ORDER, 3)),
        "".join(p(f"Item {item}. {TITLES[item]}") for item in reversed(ORDER)),
    ],
)
def test_contents_are_known_with_other_rows_between_in_any_order_and_in_tables_of_one_row(toc):
    assert told(report(headings={item: bold(TITLES[item]) for item in ("5", "7")}, toc=toc)) == WHOLE
    linked = toc
    for item in ORDER:
        linked = linked.replace(f"Item {item}. ", f'Item {item}. <a href="#i{item}">here</a> ', 1)
    alone = {item: f'<div id="i{item}"></div>' + bold(TITLES[item]) for item in ORDER}
    if linked != toc:
        assert told(report(headings=alone, toc=linked)) == WHOLE


def test_contents_in_one_paragraph_are_no_heading():
    toc = p(" ".join(f"Item {item}. {TITLES[item]} {number}." for number, item in enumerate(ORDER, 3)))
    found = sections(report(headings={"1": bold("Our Trade")}, toc=toc))
    assert (found["1"].status, found["1"].text) == ("omitted", "")
    assert found["1A"].status == "extracted"


@pytest.mark.parametrize(("listed", "status"), [("N/A", "none"), ("Not applicable", "none"), ("*", "omitted")])
def test_an_item_that_only_the_contents_answer_has_their_answer(listed, status):
    toc = table(*((f"Item {item}.", TITLES[item], listed if item == "1B" else "9") for item in ORDER))
    assert sections(report({"1B": ""}, {"1B": p("")}, toc))["1B"].status == status


def discussion(title: str) -> str:
    """A discussion with market risk among its sub-headings."""
    parts = [
        bold("Overview"),
        prose("the results"),
        bold("Sales"),
        prose("the results", 900),
        title,
        p("Brass is dear."),
    ]
    return "".join([*parts, bold("Estimates"), prose("the results", 900)])


def test_market_risk_among_the_sub_headings_of_the_discussion_is_a_part_of_it():
    title = bold(TITLES["7A"])
    for toc in (contents(ORDER).replace("#i7A", "#risk"), LIST):
        texts = bodies() | {"7": discussion('<div id="risk"></div>' + title)}
        found = sections(document(toc, *(heading(item) + texts[item] for item in ORDER if item != "7A")))
        assert (found["7A"].status, found["7A"].where) == ("by_reference", "Printed within Item 7.")
        assert found["7"].status == "extracted"
        assert found["7"].text.count("As for the results") == discussion("").count("As for the results")


def test_market_risk_with_a_label_of_its_own_keeps_it_though_the_discussion_has_its_title():
    texts = bodies() | {"7": discussion(bold(TITLES["7A"])), "7A": p(f"See “{TITLES['7A']}” in Item 7.")}
    found = sections(document(LIST, *(heading(item) + texts[item] for item in ORDER)))
    assert (found["7"].status, found["7A"].status) == ("extracted", "by_reference")
    assert "Estimates" in found["7"].text
