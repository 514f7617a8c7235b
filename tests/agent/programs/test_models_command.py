"""`manage.py models check` asks each model once and says what it saw."""

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agent.programs import compiled_programs
from tests.support import model_behaviours as replies
from tests.support.model_behaviours import says, status
from tests.support.model_server import KEY, LocalModel
from tests.support.processes import forked


@pytest.fixture
def configured(settings: Any, model: LocalModel) -> Any:
    for name, value in model.settings().items():
        setattr(settings, name, value)
    return settings


def checked() -> tuple[str, str]:
    """What the command prints, and the error it ends with; empty where it succeeds."""
    out, told = io.StringIO(), ""
    try:
        call_command("models", "check", stdout=out)
    except CommandError as error:
        told = str(error)
    assert KEY not in out.getvalue() + told
    return out.getvalue(), told


def test_it_says_what_it_saw_of_each_role(configured: Any, model: LocalModel) -> None:
    out, error = checked()
    assert error == ""
    assert [asked.program for asked in model.asked] == ["ready", "ready"]
    assert out.count("JSON mode works.") == 2
    assert f"plan: scripted at 127.0.0.1:{model.server.server_port}" in out
    assert "draft: scripted at" in out
    assert out.count("Answered in ") == 2
    assert out.count("Usage is reported: ") == 2
    assert "$0.0" in out


def test_it_says_where_usage_is_not_reported_and_json_mode_not_kept(configured: Any, model: LocalModel) -> None:
    model.behave(replies.usage_missing, replies.json_in_prose)
    out, error = checked()
    assert error == ""
    assert "Usage is not reported" in out
    assert "the reply has text around the JSON" in out


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        (status(401), "It answers 401: check PLAN_MODEL_API_KEY."),
        (status(403), "PLAN_MODEL_API_KEY may not use this model"),
        (status(404), "check PLAN_MODEL and PLAN_MODEL_BASE_URL"),
        (status(429), "It answers 429"),
        (status(400), "It answers 400."),
        (status(500), "It answers 500."),
        (status(302, Location="http://127.0.0.1:9/"), "It redirects (302)"),
        (replies.not_json, "an OpenAI-compatible server listens there"),
        (replies.hang(20), "timeout in PLAN_MODEL_OPTIONS is 0.3 s."),
        (replies.truncated, "max_tokens in PLAN_MODEL_OPTIONS is 2000"),
        (replies.refusal, "declined"),
        (says("ready"), "is not in the requested format"),
        (replies.empty_choice, "is not in the requested format"),
    ],
)
def test_each_failure_is_told_with_the_setting_to_look_at(
    configured: Any, model: LocalModel, behaviour: Any, told: str
) -> None:
    configured.PLAN_MODEL_TIMEOUT = 0.3
    model.behave(behaviour)
    out, error = checked()
    assert told in out
    assert error == "Cannot be used: the plan model."
    # The other role is asked all the same, and each only once.
    assert "draft: scripted at" in out
    assert len(model.asked) == 2


def test_an_endpoint_that_is_not_there_is_told(configured: Any) -> None:
    configured.DRAFT_MODEL_BASE_URL = "http://127.0.0.1:9/v1"
    out, error = checked()
    assert "cannot be reached" in out
    assert "Check DRAFT_MODEL_BASE_URL" in out
    assert error == "Cannot be used: the draft model."


def test_without_a_model_it_says_what_to_set(settings: Any) -> None:
    assert checked() == ("", "No model is configured. Set PLAN_MODEL and DRAFT_MODEL, each with its base URL.")


def test_a_wrong_configuration_is_told_and_nothing_is_asked(configured: Any, model: LocalModel) -> None:
    configured.DRAFT_MODEL = ""
    _, error = checked()
    assert "DRAFT_MODEL_BASE_URL and DRAFT_MODEL_API_KEY are set without DRAFT_MODEL" in error
    assert "PLAN_MODEL is set without DRAFT_MODEL" in error
    assert model.asked == []


TWICE = """
from django.conf import settings
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "models", "check"])
print("The first has ended.", flush=True)
settings.PLAN_MODEL_BASE_URL = "http://127.0.0.1:9/v1"
execute_from_command_line(["manage.py", "models", "check"])
"""


def test_the_exit_code_tells_a_script(tmp_path: Any) -> None:
    with LocalModel() as server:
        told = server.variables()
        told |= {"DATA_DIR": str(tmp_path), "SECRET_KEY": "x"}
        result = forked("-c", TWICE, **told)
    # What succeeds does not end the process, which then ends with the status of what fails.
    good, ended, bad = result.stdout.partition("The first has ended.")
    assert good.count("JSON mode works.") == 2
    assert ended
    assert "cannot be reached" in bad
    assert result.returncode == 1
    assert "Cannot be used: the plan model." in result.stderr
    assert "Traceback" not in result.stderr
    assert KEY not in result.stdout + result.stderr


def test_an_artefact_that_does_not_fit_is_told(
    configured: Any, model: LocalModel, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "draft.json").write_text("{}")
    monkeypatch.setattr(compiled_programs, "path_of", lambda name: tmp_path / f"{name}.json")
    out, error = checked()
    assert error == ""
    assert "draft.json is no artefact" in out
    assert "Runs work without it." in out
