"""manage.py compile_programs: which examples it takes, and what it keeps."""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from agent.programs import compiled_programs
from agent.programs.catalogue import programs
from evals import golden, prose_golden
from evals.management.commands.compile_programs import PROGRAMS
from evals.programs import drafting, sets, understanding
from tests.support.model_behaviours import says
from tests.support.model_replies import Asked, Reply
from tests.support.model_runs import searched_once
from tests.support.model_server import LocalModel, named_in
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]
__all__ = ["searched_once"]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goldens with a label, and a few others of each half: each takes a search."""
    labelled = {label["golden"] for label in sets.labels()}
    numbers, texts = golden.read, prose_golden.read

    def cut(rows: list[Any]) -> list[Any]:
        others = [row for row in rows if row.id not in labelled]
        kept = {row.half: [one for one in others if one.half == row.half][:8] for row in others}
        return [row for row in rows if row.id in labelled or row in kept[row.half]]

    monkeypatch.setattr(golden, "read", lambda half=None: cut(numbers(half)))
    monkeypatch.setattr(prose_golden, "read", lambda path, half=None: cut(texts(path, half)))


@pytest.fixture
def model(settings: Settings) -> Iterator[LocalModel]:
    with named_in(settings) as server:
        yield server


def compiled(folder: Path, program: str = "evaluate", **options: Any) -> str:
    out = StringIO()
    call_command("compile_programs", program=[program], folder=folder, stdout=out, **options)
    return out.getvalue()


def evaluation(completeness: int, sufficient: bool) -> dict[str, Any]:
    marks = {"completeness": completeness, "specificity": 50, "clarity": 50}
    return {**marks, "issues": [], "missing_info": [], "is_sufficient": sufficient}


def test_the_sets_share_no_golden_and_none_is_of_the_check_half(sample: Sample) -> None:
    checked = {row.id for row in golden.read("check")}
    checked |= {
        row.id for path in (prose_golden.SAMPLE, prose_golden.EDGAR) for row in prose_golden.read(path, "check")
    }
    of_sample = {row.id for row in prose_golden.read(prose_golden.SAMPLE)}
    drafts, judgements = drafting.draft_task(), drafting.evaluate_task()
    for task in (understanding.task(), drafts, judgements):
        training = {one.golden for one in task.training}
        development = {one.golden for one in task.development}
        assert training
        assert development
        assert not training & development
        assert not (training | development) & checked
        labelled = [one for one in task.training if "place" in one]
        assert labelled
        assert task.training[: len(labelled)] == labelled
    # What becomes a demonstration of text is fictional.
    assert {one.golden for task in (drafts, judgements) for one in task.examples} <= of_sample


def test_labels_are_of_the_tuning_half_and_trained_on() -> None:
    tuned = {row.id for row in golden.read("tune")}
    tuned |= {row.id for path in (prose_golden.SAMPLE, prose_golden.EDGAR) for row in prose_golden.read(path, "tune")}
    assert {label["golden"] for label in sets.labels()} <= tuned
    assert all(sets.is_training(label["golden"]) for label in sets.labels())


@pytest.mark.parametrize("name", ["understand", "draft", "evaluate"])
def test_a_label_is_what_its_judge_wants(name: str, sample: Sample) -> None:
    task = {"understand": understanding.task, "draft": drafting.draft_task, "evaluate": drafting.evaluate_task}[name]()
    labelled = [one for one in task.training if "place" in one]
    assert [task.judge(one, one).score for one in labelled] == [1.0] * len(labelled)


def test_a_reading_of_another_company_is_worse_than_none(sample: Sample) -> None:
    task = understanding.task()
    example = next(one for one in task.training if one.golden == "st016")
    lost = example.understanding.model_copy(update={"companies": [], "periods": []})
    assert task.judge(example, example.copy(understanding=lost)).score < 1
    undue = next(one for one in task.training if one.golden == "r178")
    assert not undue.due
    assert task.judge(undue, undue).score == 1


def test_without_a_model_nothing_is_compiled(sample: Sample, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="measured on a model, and none is configured"):
        compiled(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_scripted_server_gives_no_score_and_replaces_nothing(
    sample: Sample, model: LocalModel, tmp_path: Path
) -> None:
    told = compiled(tmp_path, limit=6, optimizer="LabeledFewShot")
    assert "evaluate: not kept, since a scripted server was asked." in told
    assert not list(tmp_path.iterdir())


def judge_of(asked: Asked) -> Reply:
    """A model that judges rightly only when it has seen how."""
    shown = len(asked.body["messages"]) > 2
    return says(evaluation(0, False) if shown else evaluation(100, False))(asked)


@pytest.fixture
def named(model: LocalModel, settings: Settings) -> LocalModel:
    settings.PLAN_MODEL = settings.DRAFT_MODEL = "named"
    model.choose = lambda asked: judge_of
    return model


def only_uncovered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A development set of claims that answer nothing."""
    whole = sets.Task.development.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(
        sets.Task, "development", property(lambda task: [one for one in whole(task) if one.coverage == 0])
    )


def test_a_better_program_is_kept_with_its_scores(
    sample: Sample, named: LocalModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_uncovered(monkeypatch)
    told = compiled(tmp_path, optimizer="LabeledFewShot")
    found = compiled_programs.read(tmp_path / "evaluate.json")
    scores, task = found.scores, drafting.evaluate_task()
    assert (scores.before, scores.after, scores.models) == (0.45, 1.0, ("named",))
    assert scores.gain[0] > 0
    assert 0 < scores.tokens[0] < scores.tokens[1]
    assert "0.450 before, 1.000 after, on 2 examples; gain +0." in told
    assert len(found.state["demos"]) == 3
    assert found.training == sets.set_of(task.training)
    assert found.development.size == len(task.development)


def test_demonstrations_that_gain_nothing_are_left_out_and_their_scores_kept(
    sample: Sample, named: LocalModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_uncovered(monkeypatch)
    named.choose = lambda asked: says(evaluation(0, False))
    told = compiled(tmp_path, optimizer="LabeledFewShot")
    assert "evaluate: 0 demonstrations, kept in evaluate.json." in told
    found = compiled_programs.read(tmp_path / "evaluate.json")
    assert found.state["demos"] == []
    assert found.scores.before == found.scores.after
    assert found.scores.gain == (0.0, 0.0)


def test_demonstrations_with_a_tripwire_are_never_kept(
    sample: Sample, named: LocalModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_uncovered(monkeypatch)
    seen: list[int] = []

    def once_sufficient(asked: Asked) -> Reply:
        seen.append(len(asked.body["messages"]))
        undue = seen[-1] > 2 and sum(count > 2 for count in seen) == 1
        return says(evaluation(100, True))(asked) if undue else judge_of(asked)

    named.choose = lambda asked: once_sufficient
    told = compiled(tmp_path, optimizer="LabeledFewShot")
    assert "0.500 after" in told
    assert "Tripwire, 1 times: sufficient, where nothing is answered." in told
    assert compiled_programs.read(tmp_path / "evaluate.json").state["demos"] == []


@pytest.mark.parametrize(
    ("program", "optimizer"),
    [
        ("understand", "GEPA"),
        pytest.param("draft", "BootstrapFewShot", marks=pytest.mark.soak),
        pytest.param("evaluate", "LabeledFewShot", marks=pytest.mark.soak),
    ],
)
def test_each_optimizer_runs_end_to_end(
    program: str, optimizer: str, sample: Sample, model: LocalModel, tmp_path: Path
) -> None:
    told = compiled(tmp_path, program, optimizer=optimizer, limit=3, effort=4)
    assert re.search(rf"{program}: [0-9.]+ before, [0-9.]+ after, on [23] examples; .*; \d+ requests, \$", told)
    assert f"{program}: not kept, since a scripted server was asked." in told
    assert len(model.of(program)) > 2 * 3
    assert not list(tmp_path.iterdir())


def test_a_judgement_is_of_what_cite_check_let_stand(sample: Sample) -> None:
    examples = {one.id: one for one in drafting.evaluate_task().examples}
    invented = [one for id_, one in examples.items() if id_.endswith("/invented")]
    assert invented
    for one in invented:
        assert one.drafted == 2
        assert drafting.INVENTED not in [claim.text for claim in one.claims]
        assert len(one.claims) <= 1
    whole = [one for id_, one in examples.items() if id_.endswith("/whole")]
    assert sum(one.coverage == 1.0 and len(one.claims) == one.drafted for one in whole) > len(whole) / 2
    assert all(one.coverage < 1.0 for id_, one in examples.items() if id_.endswith("/none"))
    # A part that no claim shows that stands is not covered.
    assert all(one.coverage == 0 for one in examples.values() if not one.claims)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_kept_is_measured_and_is_what_runs_send(name: str) -> None:
    found = compiled_programs.read(compiled_programs.path_of(name))
    program = programs()[name]
    assert program.artefact == found.digest
    assert found.development.size >= 20
    assert found.scores.models != ("scripted",)
    assert compiled_programs.state_of(program.predict) == found.state


def test_it_checks_what_is_kept() -> None:
    out = StringIO()
    call_command("compile_programs", check=True, stdout=out)
    assert [name for name in PROGRAMS if f"{name} (" in out.getvalue()] == list(PROGRAMS)
