"""Derived goldens, recomputed from SEC's facts by arithmetic of their own."""

import json
import lzma
import re
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from evals import mirror
from evals.golden import Pointer
from evals.truths import derived_truth
from evals.truths.derived_truth import (
    SAMPLE,
    DerivedGolden,
    Due,
    Facts,
    NotRecomputed,
    disagreements,
    evaluate,
    fiscal_year,
)

GOLDENS = derived_truth.read()
FACTS = Facts(SAMPLE, mirror.SHARED / "mirror")
REGISTRY = yaml.safe_load(
    (Path(settings.BASE_DIR) / "agent" / "numbers" / "registry" / "registry.yaml").read_text(encoding="utf-8")
)
METRICS: dict[str, dict[str, Any]] = REGISTRY["metrics"]
ANSWERED = [golden for golden in GOLDENS if golden.truth]


def recomputable(golden: DerivedGolden) -> bool:
    return all(FACTS.holds(at.cik) for at in operands(golden.values))


def operands(values: Iterable[Due]) -> list[Pointer]:
    return [at for due in values for at in due.operands.values()]


def faults(golden: DerivedGolden) -> list[str]:
    return list(disagreements(golden, FACTS))


def with_first(golden: DerivedGolden, **changes: Any) -> DerivedGolden:
    """The golden with its first truth, and the same value among years to pick from, changed."""
    first = golden.truth[0]
    spoilt = first.model_copy(update=changes)
    among = tuple(spoilt if due == first else due for due in golden.among)
    return golden.model_copy(update={"truth": (spoilt, *golden.truth[1:]), "among": among})


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.id)
def test_every_golden_is_what_the_facts_say(golden: DerivedGolden) -> None:
    if not recomputable(golden):
        assert not golden.sample
        pytest.skip("../shared/edgar is not there: goldens of companies outside the sample are not recomputed")
    assert faults(golden) == []


def test_the_sample_alone_can_be_asked_most_of_them() -> None:
    assert len(GOLDENS) >= 150
    assert sum(not golden.sample for golden in GOLDENS) <= 30
    sample = Facts(SAMPLE)
    for golden in GOLDENS:
        if golden.sample:
            assert all(sample.holds(at.cik) for at in operands(golden.values)), golden.id


def test_every_fact_of_the_sample_stands_in_an_annual_report_that_it_holds() -> None:
    held = set()
    for path in (SAMPLE / "submissions").glob("*.json.xz"):
        recent = json.loads(lzma.decompress(path.read_bytes()))["filings"]["recent"]
        held |= {one for one, form in zip(recent["accessionNumber"], recent["form"], strict=True) if form == "10-K"}
    asked = {(golden.id, at.accession) for golden in GOLDENS if golden.sample for at in operands(golden.values)}
    assert {pair for pair in asked if pair[1] not in held} == set()


def test_a_value_of_one_year_comes_from_one_filing() -> None:
    for golden in GOLDENS:
        for due in (*golden.truth, *golden.alternatives, *golden.among):
            if due.since is None and "-" not in due.company:
                assert len({at.accession for at in operands([due])}) == 1, (golden.id, due.measure)


def test_ids_and_questions_occur_once() -> None:
    assert [golden.id for golden in GOLDENS] == [f"d{number:03d}" for number in range(1, len(GOLDENS) + 1)]
    assert len({golden.question.casefold() for golden in GOLDENS}) == len(GOLDENS)


def test_every_metric_of_the_registry_occurs() -> None:
    asked = {re.split(r"[: ]", due.measure)[0] for golden in GOLDENS for due in golden.values}
    operands = {name.rsplit("_", 1)[0] for golden in GOLDENS for due in golden.values for name in due.operands}
    assert {key for key, metric in METRICS.items() if not metric.get("hidden")} - asked == set()
    assert {key for key, metric in METRICS.items() if metric.get("hidden")} - operands == set()


def test_every_variant_of_the_registry_occurs() -> None:
    asked = {due.measure for golden in GOLDENS for due in golden.values}
    variants = {f"{key}:{name}" for key, metric in METRICS.items() for name in metric.get("variants", {})}
    assert variants - asked == set()


def test_what_is_stated_on_request_alone_stands_beside_nothing() -> None:
    on_request = {
        f"{key}:{name}"
        for key, metric in METRICS.items()
        for name, variant in metric.get("variants", {}).items()
        if variant.get("show") == "on_request"
    }
    assert on_request
    assert not on_request & {due.measure for golden in GOLDENS for due in golden.alternatives}


@pytest.mark.parametrize(
    "kind",
    [
        *(
            "metric",
            "dual",
            "stated",
            "growth",
            "change",
            "cagr",
            "average",
            "sum",
            "extreme",
            "difference",
            "compare",
        ),
        *("rank", "top", "combined", "share", "threshold", "list", "several_measures", "several_companies"),
        *("statement", "not_meaningful", "non_gaap", "no_axis", "bare_year"),
    ],
)
def test_every_kind_of_question_occurs(kind: str) -> None:
    assert any(golden.kind == kind for golden in GOLDENS)


def test_the_readme_names_every_kind_there_is() -> None:
    readme = (derived_truth.FOLDER / "README.md").read_text(encoding="utf-8")
    assert {golden.kind for golden in GOLDENS} <= set(re.findall(r"[a-z_]+", readme))


def test_a_fiscal_year_is_named_as_the_registrant_names_it() -> None:
    assert fiscal_year("LOW", date(2024, 2, 2)) == 2023
    assert fiscal_year("NVDA", date(2024, 1, 28)) == 2024
    assert fiscal_year("SBUX", date(2022, 10, 2)) == 2022


# What a tired hand does to a golden.
def _another_value(golden: DerivedGolden) -> DerivedGolden:
    return with_first(golden, value=golden.truth[0].value * Decimal("1.0000001"))


def _another_sign(golden: DerivedGolden) -> DerivedGolden:
    return with_first(golden, value=-golden.truth[0].value)


def _a_year_later(golden: DerivedGolden) -> DerivedGolden:
    return with_first(golden, fiscal_year=golden.truth[0].fiscal_year + 1)


def _another_filing(golden: DerivedGolden) -> DerivedGolden:
    due = golden.truth[0]
    name, at = next(iter(due.operands.items()))
    return with_first(
        golden, operands={**due.operands, name: at.model_copy(update={"accession": "0000000000-00-000000"})}
    )


def _another_tag(golden: DerivedGolden) -> DerivedGolden:
    due = golden.truth[0]
    name, at = next(iter(due.operands.items()))
    return with_first(
        golden, operands={**due.operands, name: at.model_copy(update={"tag": "IncreaseDecreaseInAccruedLiabilities"})}
    )


def _no_pointer(golden: DerivedGolden) -> DerivedGolden:
    due = golden.truth[0]
    return with_first(golden, operands=dict(list(due.operands.items())[1:]))


def _another_company(golden: DerivedGolden) -> DerivedGolden:
    return golden.model_copy(update={"companies": ("NONE", *golden.companies[1:])})


SPOILT = [
    _another_value,
    _another_sign,
    _a_year_later,
    _another_filing,
    _another_tag,
    _no_pointer,
    _another_company,
]


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__.strip("_"))
def test_a_spoilt_golden_is_caught(spoil: Callable[[DerivedGolden], DerivedGolden]) -> None:
    missed = [golden.id for golden in ANSWERED if golden.sample and not faults(spoil(golden))]
    assert missed == []


def _swapped(due: Due) -> Due:
    """The first operand and the last lead to each other's fact."""
    first, *_, last = due.operands
    return due.model_copy(update={"operands": {**due.operands, first: due.operands[last], last: due.operands[first]}})


def test_two_operands_that_change_places_are_caught_where_their_order_matters() -> None:
    tried = Counter[bool]()
    for golden in ANSWERED:
        due = golden.truth[0]
        if not golden.sample or len(due.operands) < 2 or re.fullmatch(r"[\w ()+]+", due.formula):
            continue
        first, *_, last = due.operands.values()
        if FACTS.value(first) == FACTS.value(last):
            continue
        tried[bool(faults(with_first(golden, operands=_swapped(due).operands)))] += 1
    assert tried[True] > 80
    assert tried[False] == 0


def test_a_year_earlier_in_every_pointer_is_caught() -> None:
    for golden in ANSWERED:
        due = golden.truth[0]
        if golden.sample:
            earlier = {
                re.sub(r"\d{4}$", lambda year: str(int(year[0]) - 1), name): at for name, at in due.operands.items()
            }
            formula = re.sub(r"_(\d{4})\b", lambda year: f"_{int(year[1]) - 1}", due.formula)
            assert faults(with_first(golden, operands=earlier, formula=formula)), golden.id


def test_a_ranking_in_another_order_is_caught() -> None:
    ranked = [golden for golden in GOLDENS if golden.order]
    assert len(ranked) >= 10
    for golden in ranked:
        assert faults(golden.model_copy(update={"order": (golden.truth[1].company, golden.truth[0].company)}))


def test_another_year_as_the_highest_or_lowest_is_caught() -> None:
    extremes = [golden for golden in GOLDENS if golden.among]
    assert len(extremes) >= 8
    for golden in extremes:
        others = [due for due in golden.among if due != golden.truth[0]]
        assert others
        assert faults(golden.model_copy(update={"truth": (others[0],)}))


def test_the_other_verdict_is_caught() -> None:
    decided = [golden for golden in GOLDENS if golden.condition]
    assert len(decided) >= 8
    assert {golden.verdict for golden in decided} == {True, False}
    for golden in decided:
        assert faults(golden.model_copy(update={"verdict": not golden.verdict}))


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("100 * (b_2023 - a_2022) / a_2022", "50"),
        ("100 * ((b_2023 / a_2022) ** (1 / 2) - 1)", "22.4744871391589049098642037352945695982974"),
        ("-a_2022 + (a_2022 + b_2023) / 2", "1"),
    ],
)
def test_a_formula_is_plain_arithmetic_in_decimal(formula: str, value: str) -> None:
    found = evaluate(formula, {"a_2022": Decimal(4), "b_2023": Decimal(6)})
    assert abs(found - Decimal(value)) < Decimal("1e-35")


@pytest.mark.parametrize("formula", ["a_2022 + c_2022", "abs(a_2022)", "a_2022 * 1.5", "a_2022 // 2", "'a_2022'"])
def test_nothing_else_is_a_formula(formula: str) -> None:
    with pytest.raises(NotRecomputed):
        evaluate(formula, {"a_2022": Decimal(4)})


def test_a_line_that_is_no_golden_is_named(tmp_path: Path) -> None:
    path = tmp_path / "derived.jsonl"
    path.write_text(GOLDENS[0].model_dump_json() + '\n{"id": "d002"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        derived_truth.read(path)
