"""A claim is shown only as the filing says it, cited where it stands."""

from typing import Any

import pytest

from agent.prose.verification.verify_quotations import reverify, verify
from agent.state import Claim, Retrieval
from filings.models import Chunk, Section
from tests.agent.prose.guarded_claims import again, changed, far, near, nowhere, one, verified, why
from tests.support.quotable import OTHER_CIK, Quotable, company, quotable

pytestmark = pytest.mark.django_db


LINES = [
    "# We may lose our only supplier",
    "We do not believe we are exposed to fires. In most years we buy lenses from Tessaly Works, which is in Velden.",
    "We rely on two ships to carry our lenses.",
    "# Other",
    "We have never sold any of the following:",
    "- weapons of any kind;",
    "- lenses for 3D glasses",
    "| Segment | 2023 | 2022",
    "| Optics | 12 | (8)",
    "We rely on Tessaly Works to grind our lenses. We rely on two ships to carry our lenses.",
    "The reasons are:",
    "\u2022 floods at the plant",
]


BUY = "In most years we buy lenses from Tessaly Works, which is in Velden."


SHIPS = "We rely on two ships to carry our lenses."


GRIND = "We rely on Tessaly Works to grind our lenses."


@pytest.fixture
def filing(db: None) -> Quotable:
    return quotable(company(), 2023, LINES)


def test_a_sentence_of_the_cited_chunk_is_verbatim_and_gets_its_place(filing: Quotable) -> None:
    claim = one(filing, changed(filing.claim(BUY), item="7", page="99", start=0, end=5))
    assert (claim.verdict, claim.item, claim.page) == ("verbatim", "1A", "7")
    assert filing.text[claim.start : claim.end] == claim.quote == claim.text == BUY


def test_the_place_it_gives_decides_between_two(filing: Quotable) -> None:
    second = filing.text.rindex(SHIPS)
    claim = one(filing, filing.claim_at(second, second + len(SHIPS)))
    assert claim.start == second


def test_a_sentence_of_another_chunk_found_is_corrected(filing: Quotable) -> None:
    claim = one(filing, changed(filing.claim(GRIND), chunk=filing.chunks[0].pk))
    assert (claim.verdict, claim.chunk) == ("corrected", filing.chunks[1].pk)


def by_axis(filing: Quotable, *axes: tuple[str, ...]) -> Retrieval:
    """A search whose passages follow these readings of the question, each in its place."""
    passages = [
        filing.passage(chunk).model_copy(update={"axes": own}) for chunk, own in zip(filing.chunks, axes, strict=True)
    ]
    return Retrieval(target=0, passages=tuple(passages))


def test_a_reading_is_corrected_onto_a_passage_of_its_own_alone(filing: Quotable) -> None:
    claim = changed(filing.claim(GRIND), chunk=filing.chunks[0].pk, axis="by cost")
    found = by_axis(filing, ("by cost",), ("by size", "by cost"))
    assert one(filing, claim, found=found).verdict == "corrected"
    assert "none of the passages" in why(filing, claim, found=by_axis(filing, ("by cost",), ("by size",)))
    assert "none of the passages" in why(filing, claim, found=by_axis(filing, ("by cost",), ()))


def test_a_reading_cites_no_passage_that_another_has_found(filing: Quotable) -> None:
    claim = changed(filing.claim(GRIND), axis="by cost")
    assert one(filing, claim, found=by_axis(filing, (), ("by cost",))).verdict == "verbatim"
    assert "another reading" in why(filing, claim, found=by_axis(filing, ("by cost",), ("by size",)))


def test_a_reading_has_no_more_of_a_passage_than_was_found_for_it(filing: Quotable) -> None:
    whole = filing.passage(filing.chunks[0]).model_copy(update={"ranges": ((0, len(filing.text)),)})
    claim = changed(filing.claim(GRIND), chunk=filing.chunks[0].pk, axis="by cost")
    own = filing.passage(filing.chunks[0]).model_copy(update={"axes": ("by cost",)})
    for axes, stands in (("by cost", True), ("by size", False)):
        found = Retrieval(target=0, passages=(own, whole.model_copy(update={"axes": (axes,)})))
        assert bool(verified(filing, claim, found=found).standing) is stands


def test_two_readings_may_rest_on_one_sentence(filing: Quotable) -> None:
    claims = [changed(filing.claim(BUY), axis=axis, query=place) for place, axis in enumerate(("by cost", "by size"))]
    found = by_axis(filing, ("by cost", "by size"), ())
    assert [claim.axis for claim in verified(filing, *claims, found=found).standing] == ["by cost", "by size"]


def test_a_sentence_of_a_chunk_that_no_search_found_is_dropped(filing: Quotable) -> None:
    claim = changed(filing.claim(GRIND), chunk=filing.chunks[0].pk)
    assert "none of the passages" in why(filing, claim, found=filing.found(filing.chunks[:1]))


def test_a_promoted_parent_is_cited_whole(filing: Quotable) -> None:
    passage = filing.passage(filing.chunks[0])
    parent = passage.model_copy(update={"ranges": ((0, len(filing.text)),)})
    found = Retrieval(target=0, passages=(parent,))
    claim = one(filing, changed(filing.claim(GRIND), chunk=filing.chunks[0].pk), found=found)
    assert claim.verdict == "verbatim"


def test_a_quotation_may_begin_in_the_paragraph_before_its_chunk(filing: Quotable) -> None:
    begin = filing.text.index(SHIPS, filing.text.index(GRIND))
    Chunk.objects.filter(pk=filing.chunks[1].pk).update(ranges=[[begin, begin + len(SHIPS)]])
    claim = filing.claim(f"{GRIND} {SHIPS}")
    assert one(filing, claim, found=Retrieval(target=0)).quote == f"{GRIND} {SHIPS}"
    assert "none of the passages" in why(filing, filing.claim(GRIND), found=Retrieval(target=0))


def test_a_fragment_is_shown_as_its_sentence(filing: Quotable) -> None:
    assert one(filing, filing.claim("two ships to carry our lenses")).text == SHIPS


@pytest.mark.parametrize("fragment", ["we are exposed to fires", "we buy lenses from Tessaly Works"])
def test_a_fragment_without_what_governs_it_is_dropped(filing: Quotable, fragment: str) -> None:
    assert "cut from a sentence" in why(filing, filing.claim(fragment), compare=near)


def test_two_fragments_of_one_sentence_are_one_claim(filing: Quotable) -> None:
    result = verified(filing, filing.claim("to carry our lenses."), filing.claim(SHIPS))
    assert [claim.text for claim in result.standing] == [SHIPS]
    assert len(result.checks) == 2


def test_a_point_of_a_list_is_shown_under_the_sentence_that_opens_it_and_nothing_between(filing: Quotable) -> None:
    claim = one(filing, filing.claim("lenses for 3D glasses"))
    assert claim.text == "We have never sold any of the following:\nlenses for 3D glasses"
    assert (claim.quote, claim.verdict) == ("lenses for 3D glasses", "verbatim")
    (lead,) = [one for one in claim.about if one.kind == "lead"]
    assert filing.text[lead.start : lead.end] == lead.text == "We have never sold any of the following:"
    assert claim.before == ()
    assert again(filing, claim)
    moved = [one.model_copy(update={"start": 0}) if one is lead else one for one in claim.about]
    assert not again(filing, changed(claim, about=tuple(moved)))
    assert not again(filing, changed(claim, about=()))


@pytest.mark.parametrize("between", ["\n", " ", "\n\n"])
def test_a_point_may_be_quoted_with_its_opening_though_others_stand_between(filing: Quotable, between: str) -> None:
    quote = f"We have never sold any of the following:{between}lenses for 3D glasses"
    claim = changed(filing.claim("lenses for 3D glasses"), quote=quote, text=quote)
    assert one(filing, claim).text == "We have never sold any of the following:\nlenses for 3D glasses"
    denied = quote.replace("never", "often")
    assert "none of the passages" in why(filing, changed(claim, quote=denied, text=denied))


def test_a_point_without_its_opening_is_no_text(filing: Quotable) -> None:
    whole = one(
        filing,
        filing.claim("lenses for 3D glasses", "Halvorsen has never sold any of the following: lenses for 3D glasses."),
    )
    assert whole.verdict == "edited"
    assert why(
        filing, filing.claim("lenses for 3D glasses", "Halvorsen has sold lenses for 3D glasses."), compare=near
    )


def test_a_bullet_under_a_plain_sentence_stands_alone_without_its_mark(filing: Quotable) -> None:
    claim = one(filing, filing.claim("floods at the plant"))
    assert claim.text == "floods at the plant"
    assert claim.quote == "\u2022 floods at the plant"


@pytest.mark.parametrize(
    ("compare", "verdict"), [(near, "paraphrase"), (far, "something other"), (nowhere, "its meaning")]
)
def test_a_text_of_other_words_must_be_near_and_say_the_same(filing: Quotable, compare: Any, verdict: str) -> None:
    claim = filing.claim(GRIND, "Halvorsen depends on Tessaly Works to grind its lenses.")
    result = verified(filing, claim, compare=compare)
    if result.standing:
        assert result.standing[0].verdict == verdict
        assert result.standing[0].text == claim.text
    else:
        assert verdict in result.dropped[0].why


@pytest.mark.parametrize(
    "text",
    [
        "Halvorsen depends on Corvane Systems to grind its lenses.",
        "Halvorsen does not depend on Tessaly Works to grind its lenses.",
        "Tessaly Works depends on Halvorsen to grind its lenses.",
        "In 2022 Halvorsen depended on Tessaly Works to grind its lenses.",
    ],
)
def test_near_in_meaning_is_not_enough(filing: Quotable, text: str) -> None:
    assert why(filing, filing.claim(GRIND, text), compare=near)


@pytest.mark.parametrize(
    "fields",
    [
        {"chunk": 1},
        {"section": 1},
        {"sha256": "0" * 64},
        {"cik": OTHER_CIK},
        {"accession": "0000000000-00-000000"},
        {"quote": "", "text": ""},
        {"quote": " \u00ad "},
    ],
)
def test_a_claim_that_cites_what_is_not_stored_is_dropped(filing: Quotable, fields: dict[str, Any]) -> None:
    assert why(filing, changed(filing.claim(GRIND), **fields))


def test_a_claim_of_another_filing_is_dropped_even_where_its_words_were_found(filing: Quotable) -> None:
    other = quotable(company(OTHER_CIK, "Corvane Systems Corp."), 2023, LINES)
    foreign = other.claim(GRIND)
    assert "a company or filing other" in why(filing, foreign)
    assert "a company or filing other" in why(
        filing, changed(foreign, cik=filing.target.company.cik, accession=filing.filing.accession)
    )
    # A search that brought in the other filing's passage mends nothing.
    passages = (*other.retrieval.passages,)
    hidden = changed(filing.claim(GRIND), chunk=filing.chunks[0].pk)
    assert "none of the passages" in why(filing, hidden, found=Retrieval(target=0, passages=passages))


def test_a_claim_of_another_year_of_the_company_is_dropped_with_the_same_words(filing: Quotable) -> None:
    before = quotable(filing.section.filing.company, 2022, LINES)
    assert "company or filing other than" in why(filing, before.claim(GRIND), found=before.retrieval)


def test_a_text_that_was_changed_in_the_database_is_not_quoted(filing: Quotable) -> None:
    Section.objects.filter(pk=filing.section.pk).update(text=filing.text.replace("two ships", "six ships"))
    assert "hash" in why(filing, filing.claim(SHIPS))


@pytest.mark.parametrize(
    ("caption", "kept"),
    [
        ("We may lose our only supplier", True),
        ("we may lose our  only supplier", True),
        ("Other", False),
        ("We may lose our 9 suppliers", False),
    ],
)
def test_a_caption_is_shown_only_where_the_quotation_stands_under_it(
    filing: Quotable, caption: str, kept: bool
) -> None:
    claim = one(filing, changed(filing.claim(BUY), caption=caption))
    assert bool(claim.caption) == kept


@pytest.mark.parametrize(("good", "bad", "ok"), [(2, 1, True), (1, 1, True), (1, 4, True), (0, 1, False)])
def test_what_stands_is_kept_and_what_fails_is_counted(filing: Quotable, good: int, bad: int, ok: bool) -> None:
    quotes = [SHIPS, GRIND, BUY, "We do not believe we are exposed to fires."]
    claims = [filing.claim(quote) for quote in quotes[:good]]
    claims += [changed(filing.claim(GRIND), quote="Nobody said this.", text="Nobody said this.")] * bad
    result = verified(filing, *claims)
    assert (len(result.standing), len(result.dropped)) == (good, bad)
    assert result.ok is ok
    assert "Nobody" not in str(result.dropped) + str(result.checks)


def test_a_saved_claim_is_verified_again_from_the_database(filing: Quotable) -> None:
    claims = verified(
        filing,
        filing.claim(BUY),
        filing.claim("lenses for 3D glasses"),
        filing.claim(GRIND, "Halvorsen depends on Tessaly Works to grind its lenses."),
        compare=near,
    ).standing
    assert [check.ok for check in reverify(claims, ["Halvorsen"])] == [True, True, True]


@pytest.mark.parametrize(
    "fields",
    [
        {"start": 1},
        {"end": 5},
        {"quote": "Other words."},
        {"text": "Other words."},
        {"item": "7"},
        {"page": "12"},
        {"cik": OTHER_CIK},
        {"accession": "0000000000-00-000000"},
        {"sha256": "0" * 64},
    ],
)
def test_a_saved_claim_that_was_changed_is_found_out(filing: Quotable, fields: dict[str, Any]) -> None:
    claim = changed(one(filing, filing.claim(BUY)), **fields)
    assert [check.ok for check in reverify([claim])] == [False]


def test_a_saved_fragment_is_found_out(filing: Quotable) -> None:
    claim = one(filing, filing.claim(SHIPS))
    start, words = claim.start + 11, "two ships to carry our lenses."
    cut = changed(claim, start=start, end=start + len(words), quote=words, text=words)
    assert filing.text[cut.start : cut.end] == words
    assert [check.ok for check in reverify([cut])] == [False]


def test_a_saved_claim_holds_where_its_section_was_stored_anew(filing: Quotable) -> None:
    claim = one(filing, filing.claim(BUY))
    section = Section.objects.get(pk=filing.section.pk)
    Section.objects.filter(pk=section.pk).delete()
    section.pk = None
    section.save()
    assert [check.ok for check in reverify([claim])] == [True]


def test_a_saved_claim_whose_text_changed_is_found_out(filing: Quotable) -> None:
    claim = one(filing, filing.claim(BUY))
    Section.objects.filter(pk=filing.section.pk).update(text=filing.text.replace("Velden", "Delmora"))
    assert [check.ok for check in reverify([claim])] == [False]


# --- figures in drafted texts ---

COSTS = [
    "# Operating Expenses",
    "Wages rose. Our research expense also increased because of wages.",
    "# Optics",
    "The segment hired. Our selling expense also increased because of wages.",
]


PLACED = ((20, " (fiscal 2023: $9 million)"),)


@pytest.mark.parametrize(
    ("sentence", "headings", "opening"),
    [
        ("Our research expense also increased because of wages.", ("Operating Expenses",), "Wages rose."),
        ("Our selling expense also increased because of wages.", ("Optics",), "The segment hired."),
        ("Wages rose.", ("Operating Expenses",), ""),
    ],
)
def test_figures_stand_where_what_is_around_them_bears_them(
    sentence: str, headings: tuple[str, ...], opening: str
) -> None:
    filing = quotable(company(), 2023, COSTS)
    told = sentence.replace(" also", "").replace("rose", "increased")
    asked: list[tuple[tuple[str, ...], str]] = []

    def shown(bears: bool) -> Claim:
        def judged(above: Any, begins: str) -> bool:
            asked.append((tuple(above), begins))
            return bears

        claim = changed(filing.claim(sentence, told), figures=PLACED)
        result = verify([claim], filing.target, [filing.filing], [filing.retrieval], near, judged)
        return result.standing[0]

    assert shown(True).figures == PLACED
    assert asked == [(headings, opening)]
    assert shown(False).figures == ()
    assert shown(False).text == told


def test_nobody_to_say_is_no_figure_and_neither_is_a_quotation(filing: Quotable) -> None:
    paraphrase = changed(filing.claim(GRIND, GRIND.replace("We rely", "Halvorsen relies")), figures=PLACED)
    assert one(filing, paraphrase, compare=near).figures == ()
    result = verify(
        [changed(filing.claim(SHIPS), figures=PLACED)], filing.target, [filing.filing], [filing.retrieval], near,
        lambda headings, opening: True,
    )  # fmt: skip
    assert result.standing[0].figures == ()
