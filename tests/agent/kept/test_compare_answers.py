"""Two answers beside each other: what is the same, changed, added or gone."""

from decimal import Decimal

import pytest

from agent.refusals.codes import Code
from agent.state import Answer, Block, Cell, QuestionType
from agent.state.fact_findings import LaterValue
from agent.state.findings import Claim, FilingDatum
from agent.state.tables import Gap, Restated, Result
from agent.web.history.compare_answers import compare
from agent.web.history.comparison_rows import Comparison, differences
from tests.support import answers


def figure(**changes: object) -> Answer:
    return answers.number_answer(answers.cell(**changes))


def claim(words: str, **fields: object) -> Claim:
    place = {"chunk": 1, "section": 1, "sha256": "ab", "start": 0, "end": 1, "accession": "1-24-1", "item": "1A"}
    return Claim(**{"target": 1, "text": words, "quote": words, "cik": answers.CIK, **place, **fields})


def quoting(*claims: Claim, particulars: tuple[FilingDatum, ...] = ()) -> Answer:
    block = Block(target=1, type=QuestionType.PROSE, outcome="answered", claims=claims, particulars=particulars)
    return answers.number_answer().model_copy(update={"blocks": (block,)})


def told(comparison: Comparison) -> list[tuple[str, str]]:
    return [(row.kind, row.status) for row in comparison.rows]


def test_an_answer_is_the_same_as_itself() -> None:
    for answer in (figure(), answers.readings_answer(), answers.refusal_answer(), quoting(claim("We buy parts."))):
        found = compare(answer, answer)
        assert found.rows
        assert found.same
        assert found.summary == ""


@pytest.mark.parametrize(
    "changes",
    [{"value": Decimal(9000000)}, {"fiscal_year": 2025}, {"unit": "EUR"}, {"period_end": answers.YEAR[0]}],
)
def test_a_figure_of_another_value_or_year_is_changed(changes: dict) -> None:
    found = compare(figure(), figure(**changes))
    assert told(found) == [("Figure", "changed")]
    assert not found.same


def test_the_same_figure_from_another_filing_is_the_same_and_says_where_from() -> None:
    other = answers.number_answer(answers.cell(answers.fact_ref(accession="9999988801-26-000012")))
    row = compare(figure(), other).rows[0]
    assert row.status == "same"
    assert row.moved
    assert "9999988801-26-000012" in row.new_source


def giving(*cells: Cell) -> Answer:
    return answers.number_answer(*cells)


def cells(answer: Answer) -> tuple[Cell, ...]:
    table = answer.blocks[0].table
    assert table is not None
    return table.cells


def test_a_reading_that_comes_or_goes_is_added_or_gone() -> None:
    sheet, cover, average = cells(answers.readings_answer())
    one, two = giving(sheet, average), giving(sheet, cover, average)
    assert told(compare(one, two)) == [("Figure", "same"), ("Figure", "added"), ("Related figure", "same")]
    assert told(compare(two, one)) == [("Figure", "same"), ("Figure", "gone"), ("Related figure", "same")]


def test_a_reading_that_stays_is_the_same_whichever_goes_or_comes_before_it() -> None:
    sheet, cover, average = cells(answers.readings_answer())
    kept, two = giving(cover, average), giving(sheet, cover, average)
    comparison = compare(two, kept)
    assert told(comparison) == [("Figure", "same"), ("Figure", "gone"), ("Related figure", "same")]
    assert "15,115,823,000" in comparison.rows[0].new
    assert told(compare(kept, two)) == [("Figure", "added"), ("Figure", "same"), ("Related figure", "same")]


def test_a_figure_of_the_next_year_is_changed_beside_the_one_of_its_tag() -> None:
    sheet, cover = (
        one.model_copy(update={"restated": (later(value),), "measure": "shares_out", "reading": ""})
        for one, value in zip(cells(answers.readings_answer()), ("7", "9"), strict=False)
    )
    rows = compare(giving(sheet, cover), giving(cover.model_copy(update={"fiscal_year": 2025}))).rows
    assert [(row.kind, row.status) for row in rows] == [
        ("Figure", "changed"),
        ("Figure", "gone"),
        ("Later value", "same"),
        ("Later value", "gone"),
    ]
    assert "15,115,823,000" in rows[0].old
    assert "15,116,786,000" in rows[1].old


def several_years(*figures: tuple[int, str], filed: int | None = None) -> Answer:
    """One figure a year, each with what the 10-K of two years later, or of the year filed, gives for it."""
    return giving(
        *(
            answers.cell(
                answers.fact_ref(value=value),
                fiscal_year=year,
                restated=(later(value, accession=str(filed or year + 2)),),
            )
            for year, value in figures
        )
    )


def test_a_year_that_stays_is_the_same_when_another_goes_and_another_comes() -> None:
    comparison = compare(several_years((2023, "7"), (2024, "9")), several_years((2024, "9"), (2025, "11")))
    assert told(comparison) == [
        ("Figure", "same"),
        ("Figure", "changed"),
        ("Later value", "same"),
        ("Later value", "added"),
        ("Later value", "gone"),
    ]


def test_a_later_value_goes_with_its_own_figure() -> None:
    """Two figures of one measure, restated by the same filing: of one that is gone, so is what became of it."""
    old, new = several_years((2023, "7"), (2024, "9"), filed=2026), several_years((2024, "9"), filed=2026)
    rows = compare(old, new).rows
    assert [(row.kind, row.status) for row in rows] == [
        ("Figure", "same"),
        ("Figure", "gone"),
        ("Later value", "same"),
        ("Later value", "gone"),
    ]


def later(value: str, change: str = "1", **fields: object) -> Restated:
    fact = answers.fact_ref(**{"value": value, "accession": "9999988801-26-000012", **fields})
    after = LaterValue(fact=fact, fiscal_year=2025, change=Decimal(change))
    return Restated(concept="rnd", fiscal_year=2024, used=Decimal(9412000), later=after)


def test_a_later_value_that_came_since_is_a_difference_of_its_own() -> None:
    known = figure(restated=(later("9380000", "-32000"),))
    found = compare(figure(), known)
    assert told(found) == [("Figure", "same"), ("Later value", "added")]
    assert not found.same
    row = found.rows[1]
    assert row.new == "10-K fiscal 2025: 9,380,000 US dollars, restated"
    assert "9999988801-26-000012" in row.new_source
    assert told(compare(known, figure())) == [("Figure", "same"), ("Later value", "gone")]


def test_another_later_value_of_the_same_filing_is_changed_and_of_another_it_is_added() -> None:
    other, restated = later("9400000", "-12000"), later("9380000", "-32000")
    next_year = later("9380000", "-32000", accession="9999988801-27-01")
    assert told(compare(figure(restated=(other,)), figure(restated=(restated,))))[1:] == [("Later value", "changed")]
    assert told(compare(figure(restated=(restated,)), figure(restated=(restated, next_year))))[1:] == [
        ("Later value", "same"),
        ("Later value", "added"),
    ]


def test_a_note_is_compared_by_its_words_beside_a_figure_and_beside_a_part() -> None:
    noted = figure(notes=("No year was given.",))
    assert told(compare(figure(), noted)) == [("Figure", "same"), ("Note", "added")]
    assert told(compare(noted, figure(notes=("It was restated.",)))) == [
        ("Figure", "same"),
        ("Note", "added"),
        ("Note", "gone"),
    ]
    part = answers.number_answer(answers.cell(), notes=("The text has no answer.",))
    assert told(compare(part, figure())) == [("Figure", "same"), ("Note", "gone")]


def test_a_figure_beside_the_answer_is_compared_and_is_not_one_that_is_asserted() -> None:
    def beside(**changes: object) -> Answer:
        return giving(answers.cell(), answers.cell(measure="diluted", alternative=True, **changes))

    changed = compare(beside(), beside(value=Decimal(7)))
    assert told(changed) == [("Figure", "same"), ("Related figure", "changed")]
    assert told(compare(beside(), figure())) == [("Figure", "same"), ("Related figure", "gone")]


def test_other_years_around_a_figure_are_no_part_of_what_is_compared() -> None:
    around = giving(answers.cell(), answers.cell(fiscal_year=2023, asked=False))
    assert told(compare(figure(), around)) == [("Figure", "same")]


def without(text: str) -> Answer:
    """Fiscal 2023 is not there, for this reason; fiscal 2024 is."""
    gap = Gap(code=Code.YEAR_NOT_INGESTED, text=text)
    return giving(answers.cell(fiscal_year=2023, value=None, fact=None, gap=gap), answers.cell())


def test_a_year_that_is_not_there_is_told_with_its_reason_and_changed_when_it_comes() -> None:
    missing = without("It is not loaded yet.")
    assert compare(missing, missing).same
    comparison = compare(missing, several_years((2023, "7"), (2024, "9412000")))
    assert [(row.kind, row.status) for row in comparison.rows if row.kind == "Figure"] == [
        ("Figure", "changed"),
        ("Figure", "same"),
    ]
    assert comparison.rows[0].old == "Fiscal 2023: none. It is not loaded yet."
    assert told(compare(missing, without("The facts disagree."))) == [("Figure", "changed"), ("Figure", "same")]


def growing(value: str | None, **changes: object) -> Answer:
    """Two years, and what they grew by."""
    given = None if value is None else Decimal(value)
    gap = None if value else Gap(code=Code.NOT_MEANINGFUL, text="The first year is a loss.")
    result = Result(
        operation="cagr", row=0, label="Revenue", cik=answers.CIK, fiscal_years=(2023, 2024), value=given, unit="percent", formula="x", gap=gap, **changes
    )  # fmt: skip
    table = answers.table(answers.cell(fiscal_year=2023), answers.cell(), results=(result,))
    return answers.number_answer(answers.cell(), table=table)


def test_what_is_made_of_the_years_is_compared_with_them() -> None:
    assert compare(growing("9.2"), growing("9.2")).same
    comparison = compare(growing("9.2"), growing("10.4"))
    assert told(comparison) == [("Figure", "same"), ("Figure", "same"), ("Result", "changed")]
    assert "9.2%" in comparison.rows[2].old
    assert "10.4%" in comparison.rows[2].new
    assert told(compare(growing("9.2"), growing(None)))[2:] == [("Result", "changed")]
    assert told(compare(growing("9.2"), growing("9.2", notes=("A seam.",))))[2:] == [
        ("Result", "same"),
        ("Note", "added"),
    ]


def test_words_of_the_answers_own_are_compared() -> None:
    one = answers.meta_answer()
    other = one.model_copy(update={"blocks": (one.blocks[0].model_copy(update={"text": "Ask."}),)})
    assert told(compare(one, one)) == [("Text", "same")]
    assert told(compare(one, other)) == [("Text", "changed")]


def test_another_measure_is_another_figure() -> None:
    assert sorted(told(compare(figure(), answers.derived_answer()))) == [("Figure", "added"), ("Figure", "gone")]


def test_an_answer_that_became_a_refusal_is_told_by_both() -> None:
    assert told(compare(figure(), answers.refusal_answer())) == [("Figure", "gone"), ("Not answered", "added")]
    assert told(compare(answers.refusal_answer(), figure())) == [("Figure", "added"), ("Not answered", "gone")]


def test_a_refusal_for_another_reason_is_changed() -> None:
    other = answers.refusal_answer(Code.CONFLICT)
    assert told(compare(answers.refusal_answer(), other)) == [("Not answered", "changed")]
    other = answers.refusal_answer(detail="Another line is near.")
    assert told(compare(answers.refusal_answer(), other)) == [("Not answered", "changed")]


def test_a_refusal_after_another_filing_is_changed_and_says_which() -> None:
    def untold(year: int) -> Answer:
        looked_for = (("Filing", f"10-K for the year ended 31 Dec {year}"), ("Asked", "“hedging”"))
        text = "No sentence of Northwind's 10-K was found that answers “hedging”."
        return answers.refusal_answer(Code.NOT_FOUND_IN_FILING, text=text, looked_for=looked_for)

    assert compare(untold(2024), untold(2024)).same
    comparison = compare(untold(2024), untold(2025))
    assert told(comparison) == [("Not answered", "changed")]
    row = comparison.rows[0]
    assert [piece.text for piece in row.was if piece.status == "gone"] == ["2024."]
    assert [piece.text for piece in row.now if piece.status == "added"] == ["2025."]


@pytest.mark.parametrize("changes", [{"value": Decimal(7)}, {"unit": "EUR"}, {"label": "Development"}])
def test_a_refusal_that_lists_other_facts_is_changed(changes: dict) -> None:
    def listing(*changed: dict) -> Answer:
        facts = (answers.fact_ref(), answers.fact_ref(tag="Other", value="483000"))
        other = (facts[0], facts[1].model_copy(update=changes)) if changed else facts
        return answers.refusal_answer(Code.CONFLICT, candidates=other)

    assert compare(listing(), listing()).same
    comparison = compare(listing(), listing(changes))
    assert told(comparison) == [("Not answered", "changed")]
    assert "483,000 US dollars" in comparison.rows[0].old


def test_sentences_are_matched_by_their_words_wherever_they_stand() -> None:
    old = quoting(claim("We buy parts."), claim("Prices rose."))
    new = quoting(claim("Prices  rose.", accession="1-25-1", start=5, end=9), claim("We buy parts."))
    found = compare(old, new)
    assert found.same
    assert [row.moved for row in found.rows] == [True, False]


def test_a_sentence_in_other_words_is_changed_and_one_of_its_own_is_added() -> None:
    old = quoting(claim("Prices of magnets rose by 8% in the year."), claim("A fire stopped the plant for a week."))
    new = quoting(claim("Prices of magnets rose by 12% in the year."), claim("Tariffs were announced in March."))
    found = compare(old, new)
    assert told(found) == [("Claim", "changed"), ("Claim", "added"), ("Claim", "gone")]
    changed = found.rows[0]
    assert [piece.text for piece in changed.was if piece.status == "gone"] == ["8%"]
    assert [piece.text for piece in changed.now if piece.status == "added"] == ["12%"]
    assert found.summary == "1 changed, 1 added, 1 removed"


def test_of_two_like_sentences_the_nearer_is_the_one_reworded() -> None:
    old = quoting(claim("Net sales in Europe rose by 8% in the year."))
    new = quoting(
        claim("Net sales in Asia fell by 3% in the year."), claim("Net sales in Europe rose by 9% in the year.")
    )
    assert told(compare(old, new)) == [("Claim", "added"), ("Claim", "changed")]


def test_sentences_of_two_companies_are_never_one_reworded() -> None:
    old, new = quoting(claim("Prices of magnets rose by 8%.")), quoting(claim("Prices of magnets rose by 9%.", cik=7))
    assert told(compare(old, new)) == [("Claim", "added"), ("Claim", "gone")]


def test_the_same_sentence_twice_is_counted_twice() -> None:
    assert told(compare(quoting(claim("One.")), quoting(claim("One."), claim("One.")))) == [
        ("Claim", "same"),
        ("Claim", "added"),
    ]


def test_data_of_a_filing_is_compared_by_what_it_is() -> None:
    one = FilingDatum(
        target=1, key="auditor", label="Auditor", value="Ernst", source="Cover", accession="1", fiscal_year=2024
    )
    other = one.model_copy(update={"value": "Young"})
    assert told(compare(quoting(particulars=(one,)), quoting(particulars=(one,)))) == [("Data", "same")]
    assert told(compare(quoting(particulars=(one,)), quoting(particulars=(other,)))) == [("Data", "changed")]


def test_differences_lose_no_word() -> None:
    old, new = "a b c d", "a x c d e"
    pieces = differences(old, new)
    assert " ".join(piece.text for piece in pieces if piece.status != "added") == old
    assert " ".join(piece.text for piece in pieces if piece.status != "gone") == new
