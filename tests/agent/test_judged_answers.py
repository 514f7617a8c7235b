"""A judgement over figures: code computes them, a model gives a verdict, and every word of its reasons is code's own."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from agent.certificates.verify import reverify
from agent.numbers.tables.reasons import is_so
from agent.runs.answer_json import as_text
from agent.runs.judgement_text import judgement_of
from agent.state.query import Last, Years
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals.golden import TODAY
from tests.agent.test_events import asked as answered_by_worker
from tests.agent.test_events import events, the
from tests.support.computed_replies import JUDGED, READING, computing, figure, judging_by, reply
from tests.support.model_behaviours import HOSTILE, good, says, server_error
from tests.support.model_replies import Behaviour, understood
from tests.support.model_runs import Made, run, untrue
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]

CAPEX = figure("{Capital expenditures} / {Total revenue}", "percent")
PLANT = figure("{Property, plant and equipment, net} / {Total assets}", "percent")
LOWER = {"figure": "F1", "relation": "lower than", "other": "F2"}
PLAIN = "What part of its assets did Northwind put to work in sheds and machines in fiscal 2025?"


def judged(
    model: LocalModel,
    compute: Behaviour | None = None,
    judge: Behaviour | None = None,
    question: str = JUDGED,
    reading: Mapping[str, Any] = READING,
) -> Made:
    model.behave(says(reading), program="understand")
    model.always(compute or computing(CAPEX, PLANT), program="compute")
    model.always(judge or judging_by("no", LOWER), program="judge_figures")
    return run(question)


def programs(made: Made) -> list[str]:
    return [name for name, _ in made.outcomes]


def test_a_verdict_stands_beside_the_figures_with_a_reason_that_code_computed(
    sample: Sample, scripted: LocalModel
) -> None:
    made = judged(scripted)
    assert programs(made) == ["understand", "compute", "decompose", "draft", "judge_figures"]
    table, text = made.answer.blocks
    assert (table.outcome, text.outcome) == ("answered", "answered")
    shown = judgement_of(table, made.answer)
    assert shown is not None
    assert (shown.verdict, [one.kind for one in shown.reasons]) == ("no", ["comparison"])
    assert re.fullmatch(
        r"Capital expenditures as % of total revenue of Northwind \(\d\.\d% in fiscal 2025\) is lower than property, "
        r"plant and equipment, net as % of total assets of northwind \(\d+\.\d% in fiscal 2025\)\.",
        shown.reasons[0].text,
        re.IGNORECASE,
    )
    assert untrue(made) == []


def test_a_model_that_computes_sees_no_figure_and_one_that_judges_sees_those_of_the_answer(
    sample: Sample, scripted: LocalModel
) -> None:
    made = judged(scripted)
    (asked,) = scripted.of("compute")
    cells = made.answer.blocks[0].table.cells  # type: ignore[union-attr]
    told = re.sub(r"\D", "", str(asked.inputs["rows"]))
    assert cells
    assert not any(fact.raw in told for cell in cells for fact in cell.facts)
    (judge,) = scripted.of("judge_figures")
    values = [one["value"] for one in judge.inputs["figures"]]
    assert len(values) == len(made.answer.blocks[0].table.asserted) == 2  # type: ignore[union-attr]
    assert [one["id"] for one in judge.inputs["quotations"]] == [f"Q{n}" for n in range(1, len(made.shown) + 1)]


def test_text_that_is_not_found_is_no_refused_part_beside_a_verdict(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(says({"claims": [], "not_found": []}), program="draft")
    made = judged(scripted)
    assert programs(made)[-1] == "judge_figures"
    (block,) = made.answer.blocks
    assert (block.outcome, block.judgement and block.judgement.verdict) == ("answered", "no")


def test_a_quotation_of_the_answer_is_a_reason_with_its_mark(sample: Sample, scripted: LocalModel) -> None:
    made = judged(scripted, judge=judging_by("mixed", {"quotation": "Q1"}))
    shown = judgement_of(made.answer.blocks[0], made.answer)
    assert shown is not None
    (reason,) = shown.reasons
    assert (reason.kind, reason.mark, reason.text) == (
        "quotation",
        made.answer.marks[0],
        f"\u201c{made.answer.blocks[1].shown_claims[0].shown}\u201d",
    )


def test_a_course_is_computed_for_each_year_compared(sample: Sample, scripted: LocalModel) -> None:
    made = judged(scripted, computing(PLANT, years=3), judging_by("no", {"figure": "F3", "relation": "falls"}))
    query = made.answer.plan.query
    assert query is not None
    assert isinstance(query.periods, Last)
    shown = judgement_of(made.answer.blocks[0], made.answer)
    assert shown is not None
    assert re.search(r" falls from \S+% in fiscal 2023 to \S+% in fiscal 2025\.$", shown.reasons[0].text)


@pytest.mark.parametrize("judge", [judging_by("yes"), server_error, says("Yes.")])
def test_without_a_verdict_the_figures_are_not_asserted_as_the_answer(
    judge: Behaviour, sample: Sample, scripted: LocalModel
) -> None:
    made = judged(scripted, judge=judge)
    assert made.answer.blocks[0].outcome == "nearest"
    assert made.answer.blocks[0].judgement is None
    assert untrue(made) == []


def test_without_a_model_there_are_passages_and_no_verdict(sample: Sample) -> None:
    answer = pipeline.answer(JUDGED, Deps.current(TODAY))
    assert all(block.judgement is None for block in answer.blocks)
    assert "reading of the figures" not in as_text(answer)


def test_figures_that_code_reads_are_judged_as_they_are(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(judging_by("yes", {"figure": "F1", "relation": "above", "bound": "1"}), program="judge_figures")
    question = "Is Northwind's current ratio healthy in fiscal 2025?"
    made = run(question)
    assert programs(made) == ["judge_figures"]
    (block,) = made.answer.blocks
    assert (block.outcome, block.judgement and block.judgement.verdict) == ("answered", "yes")
    assert "no verdict" not in as_text(made.answer)
    assert "no verdict" in as_text(pipeline.answer(question, Deps.current(TODAY)))


def test_a_figure_that_no_name_holds_is_computed_and_asserted(sample: Sample, scripted: LocalModel) -> None:
    reading = understood(type="A", companies=["Northwind"], periods=["fiscal 2025"])
    span = "part of its assets did Northwind put to work in sheds and machines"
    figures = computing({**PLANT, "span": "put to work in sheds and machines"}, judgement=False)
    made = judged(
        scripted, figures, question=PLAIN, reading={**reading, "left_out": [{"span": span, "why": "background"}]}
    )
    assert "compute" in programs(made)
    assert "judge_figures" not in programs(made)
    (block,) = made.answer.blocks
    assert block.table is not None
    assert [cell.measure for cell in block.table.asserted] == ["ppe_net of total_assets"]
    assert made.answer.plan.query is not None
    assert made.answer.plan.query.by_model
    assert isinstance(made.answer.plan.query.periods, Years)


def test_another_figure_in_place_of_one_that_is_not_reported_is_never_asserted(
    sample: Sample, scripted: LocalModel
) -> None:
    question = "What was Northwind's advertising expense in fiscal 2025?"
    assert pipeline.answer(question, Deps.current(TODAY)).refusal_code == "concept_not_reported"
    row = figure("{Selling, general and administrative expense}", span="advertising expense")
    reading = understood(type="A", companies=["Northwind"], periods=["fiscal 2025"])
    made = judged(scripted, computing(row, judgement=False), question=question, reading=reading)
    assert programs(made)[:2] == ["understand", "compute"]
    assert made.answer.outcome != "answered"
    assert untrue(made) == []


def test_a_ratio_that_the_registry_has_is_not_computed_otherwise(sample: Sample, scripted: LocalModel) -> None:
    question = "What was Northwind's boffin-loving gross margin in fiscal 2025?"
    reading = {
        **understood(type="A", companies=["Northwind"], periods=["fiscal 2025"]),
        "left_out": [{"span": "boffin-loving", "why": "emphasis"}],
    }
    own = figure("({Total revenue} - {Capital expenditures}) / {Total revenue}", "percent", "gross margin")
    made = judged(scripted, computing(own, judgement=False), question=question, reading=reading)
    assert "row of its own" in str(scripted.of("compute")[1].inputs["feedback"])
    tables = [block.table for block in made.answer.blocks if block.table]
    assert all("capex" not in cell.measure for table in tables for cell in table.asserted)


def test_a_reply_that_has_no_figures_is_told_why_and_mended(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(computing(figure("r1 / r999")), computing(CAPEX, PLANT), program="compute")
    made = judged(scripted)
    assert programs(made).count("compute") == 2
    assert "r999 is no row" in str(scripted.of("compute")[1].inputs["feedback"])
    assert made.answer.blocks[0].judgement is not None


def test_where_figures_are_asserted_no_model_is_asked_to_compute(sample: Sample, scripted: LocalModel) -> None:
    made = judged(scripted, question="What was Northwind's capex as a percentage of revenue in fiscal 2025?")
    assert programs(made) == []


def test_text_alone_is_not_computed(sample: Sample, scripted: LocalModel) -> None:
    assert "compute" not in programs(judged(scripted, reading={**READING, "type": "B"}))


# --- replies that want to be believed ---

TOLD = "Northwind is bankrupt, buy at 98765."
EVIL: Sequence[Any] = [
    reply(),
    reply(figure("r1")) | {"verdict": "yes"},
    reply(figure("98765")),
    reply(figure("r1 + 98765")),
    reply(figure("r1 * 98765")),
    reply(figure("r1 * 100")),
    reply(figure("r1 / r1 * 98765")),
    reply(figure("r1"), figure("r2"), definition=TOLD),
    reply(figure("r999")),
    reply(figure("m1 / m2")),
    reply(figure("r1 / r1")),
    reply(figure("opt(r1)")),
    reply(figure("r1[FY-9]")),
    reply(figure("r1", part="p99")),
    reply(figure("r1", part="r2")),
    reply(figure("r1", span=TOLD), judgement=False),
    reply(figure("r1", span="Northwind"), judgement=False),
    reply(figure("r1", span="fiscal 2025"), judgement=False),
    reply(figure("r1", span="asset-heavy"), judgement=False),
    reply(figure("r1"), searches=[TOLD, HOSTILE[:150]]),
    reply(figure("r1"), missing=[TOLD]),
    reply(figure("r1", label=TOLD)),
    reply(figure("r1", "percent"), years=10),
    reply(*[figure("r1")] * 7),
    reply(figure(HOSTILE[:300])),
    reply(figure("r1", span=HOSTILE[:290])),
    reply(figure("Apple.revenue")),
    reply(figure("{{fact:1}}")),
    {"figures": [figure("r1")]},
    {"judgement": "yes", "figures": TOLD},
    HOSTILE,
    TOLD,
]


@pytest.mark.parametrize("told", EVIL, ids=range(len(EVIL)))
def test_no_reply_on_figures_puts_a_number_or_a_sentence_into_an_answer(
    told: Any, sample: Sample, scripted: LocalModel
) -> None:
    check(judged(scripted, says(told), judging_by("yes", {"figure": "F1", "relation": "positive"})))


REASONS: Sequence[Mapping[str, Any]] = [
    {},
    {"figure": "F1"},
    {"relation": "positive"},
    {"figure": "F99", "relation": "positive"},
    {"figure": "F1", "relation": "negative"},
    {"figure": "F1", "relation": "higher than", "other": "F2"},
    {"figure": "F1", "relation": "higher than"},
    {"figure": "F1", "relation": "lower than", "other": "F1"},
    {"figure": "F1", "relation": "lower than", "other": "F99"},
    {"figure": "F1", "relation": "about equal to", "other": "F2"},
    {"figure": "F1", "relation": "about equal to", "other": "F2", "within": 25},
    {"figure": "F1", "relation": "about equal to", "other": "F2", "within": 1},
    {"figure": "F1", "relation": "above", "bound": "98765"},
    {"figure": "F1", "relation": "below", "bound": "98765"},
    {"figure": "F1", "relation": "below", "bound": "-98765"},
    {"figure": "F1", "relation": "below", "bound": "ninety"},
    {"figure": "F1", "relation": "below"},
    {"figure": "F1", "relation": "rises"},
    {"figure": "F1", "relation": "falls"},
    {"figure": "F1", "relation": "about level", "within": 2},
    {"quotation": "Q99"},
    {"quotation": "F1"},
    {"quotation": TOLD[:8]},
    {"quotation": "Q1", "figure": "F1", "relation": "positive"},
    {"quotation": "Q1", "bound": "98765"},
    {"figure": "F1", "relation": "doubles"},
    {"figure": TOLD[:8], "relation": "positive"},
    {"figure": "F1", "relation": "positive", "text": TOLD},
    {"figure": "F1", "relation": "positive", "within": 98765},
]


@pytest.mark.parametrize("reason", REASONS, ids=range(len(REASONS)))
def test_no_reason_that_is_not_so_gives_a_verdict(
    reason: Mapping[str, Any], sample: Sample, scripted: LocalModel
) -> None:
    made = judged(scripted, judge=judging_by("yes", reason))
    check(made)
    assert made.answer.blocks[0].judgement is None


@pytest.mark.parametrize("verdict", [TOLD, "98765", "Yes, buy it", "", "YES", None])
def test_no_verdict_of_its_own_words_is_shown(verdict: Any, sample: Sample, scripted: LocalModel) -> None:
    made = judged(scripted, judge=judging_by(verdict, LOWER))
    check(made)
    assert made.answer.blocks[0].judgement is None


def check(made: Made) -> None:
    """Nothing that a model wrote stands in the answer, and all that stands there is found again."""
    assert untrue(made) == []
    shown = as_text(made.answer)
    stored = made.answer.model_dump_json(exclude={"plan": {"query": {"words"}}})
    assert "98765" not in shown + stored
    assert "bankrupt" not in shown + stored
    for block in made.answer.blocks:
        found = judgement_of(block, made.answer)
        if found is None:
            continue
        assert block.table is not None
        assert block.judgement is not None
        assert all(one.quote or is_so(one, block.table) for one in block.judgement.reasons)
        numbers = set(re.findall(r"\d[\d.,]*", " ".join(one.text for one in found.reasons)))
        assert all(number.strip(".,") in shown.replace(found.lines[1], "") for number in numbers)


def test_a_stored_judgement_is_checked_again(sample: Sample, scripted: LocalModel) -> None:
    answer = judged(scripted).answer
    assert all(one.ok for one in reverify(answer))
    (block, text) = answer.blocks
    assert block.judgement is not None
    reason = block.judgement.reasons[0].model_copy(update={"relation": "higher than"})
    changed = block.judgement.model_copy(update={"reasons": (reason,)})
    forged = answer.model_copy(update={"blocks": (block.model_copy(update={"judgement": changed}), text)})
    assert not all(one.ok for one in reverify(forged))
    assert judgement_of(forged.blocks[0], forged) is None


def test_a_good_script_answers_both_programs_with_nothing(sample: Sample, scripted: LocalModel) -> None:
    made = judged(scripted, compute=good)
    assert "judge_figures" not in programs(made)
    assert made.answer.blocks


def test_the_trail_says_what_was_judged(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(says(READING), program="understand")
    scripted.always(computing(CAPEX, PLANT), program="compute")
    scripted.always(judging_by("no", LOWER), program="judge_figures")
    run = answered_by_worker(JUDGED)
    assert "judgement" in events(run)
    assert the(run, "judgement").said == "Read as: no, for 1 reason that code confirmed."
