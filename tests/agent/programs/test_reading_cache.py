"""What a question says is asked once in a while; what failed, and what a filing says, each time."""

import pytest
from cachetools import TTLCache

from agent.programs import reading_cache
from agent.programs.calls import ModelFailed, ask
from tests.agent.programs.asked import YES, WeighProgram
from tests.support.model_behaviours import says
from tests.support.model_server import LocalModel


class RememberedProgram(WeighProgram):
    remembered = True


def weighed(model: LocalModel, question: str, program: type[WeighProgram] = RememberedProgram) -> str:
    return str(ask(model.session(), program(), question=question).verdict.side)


def test_the_same_question_is_asked_once_and_costs_nothing_again(model: LocalModel) -> None:
    model.always(says(YES))
    session = model.session()
    sides = [ask(session, RememberedProgram(), question="Is it?").verdict.side for _ in range(2)]
    assert sides == ["yes", "yes"]
    assert (len(model.requests), len(session.calls)) == (1, 1)


def test_another_question_and_another_program_are_asked(model: LocalModel) -> None:
    model.always(says(YES))
    for question, program in (("Is it?", RememberedProgram), ("Was it?", RememberedProgram), ("Is it?", WeighProgram)):
        weighed(model, question, program)
    weighed(model, "Is it?", WeighProgram)
    assert len(model.requests) == 4


def test_a_failure_and_what_is_old_are_asked_again(model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    model.behave(says("No."), says("No."), says(YES), says(YES))
    with pytest.raises(ModelFailed):
        weighed(model, "Is it?")
    assert weighed(model, "Is it?") == "yes"
    monkeypatch.setattr(reading_cache, "_replies", TTLCache(512, 0.0))
    assert weighed(model, "Is it?") == "yes"
    assert len(model.requests) == 4


def test_no_more_are_kept_than_have_room(model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_cache, "_replies", TTLCache(1, 900.0))
    model.always(says(YES))
    for question in ("Is it?", "Was it?", "Is it?"):
        weighed(model, question)
    assert len(model.requests) == 3
