"""Which models there are is said by the settings: both roles or none, and every mistake is a message with a hint."""

import ast
from decimal import Decimal
from typing import Any

import pytest

from agent.programs import checks, models
from agent.programs.models import Model
from agent.state.modes import LIMITS, Mode
from tests.support.model_server import KEY, LocalModel
from tests.support.processes import forked

SET: dict[str, Any] = {
    f"{role}_MODEL{part}": value
    for role in ("PLAN", "DRAFT")
    for part, value in {
        "": "some-model",
        "_BASE_URL": "https://models.example.com/v1",
        "_API_KEY": KEY,
        "_TIMEOUT": 5.0,
        "_MAX_TOKENS": 100,
        "_PRICE_IN": 0.25,
        "_PRICE_OUT": 2.0,
    }.items()
}


@pytest.fixture
def configured(settings: Any) -> Any:
    for name, value in SET.items():
        setattr(settings, name, value)
    return settings


def ids() -> list[str]:
    found = checks.check_models()
    assert all(message.hint for message in found)
    assert not [message for message in found if KEY in message.msg + str(message.hint)]
    return [str(message.id) for message in found]


def test_without_a_model_there_is_none_and_nothing_is_wrong(settings: Any) -> None:
    assert models.configured() is None
    assert ids() == []


def test_two_models_are_read_from_the_settings(configured: Any) -> None:
    configured.DRAFT_MODEL, configured.DRAFT_MODEL_MAX_TOKENS = "better-model", 9000
    found = models.configured()
    assert found is not None
    assert found.of("plan") is found.plan
    assert found.of("draft") is found.draft
    assert (found.plan.name, found.draft.name, found.draft.max_tokens) == ("some-model", "better-model", 9000)
    assert (found.plan.role, found.draft.role) == ("plan", "draft")
    assert (found.plan.key, found.plan.timeout) == (KEY, 5.0)
    assert (found.plan.price_in, found.plan.price_out) == (Decimal("0.25"), Decimal("2.0"))
    assert ids() == []


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"DRAFT_MODEL": "", "DRAFT_MODEL_BASE_URL": "", "DRAFT_MODEL_API_KEY": ""}, ["agent.E002"]),
        ({"PLAN_MODEL": "", "PLAN_MODEL_BASE_URL": "", "PLAN_MODEL_API_KEY": ""}, ["agent.E002"]),
        ({"PLAN_MODEL": ""}, ["agent.E002", "agent.E002"]),
        ({"PLAN_MODEL": "", "DRAFT_MODEL": ""}, ["agent.E002", "agent.E002"]),
        ({"DRAFT_MODEL_BASE_URL": ""}, ["agent.E002"]),
        ({"PLAN_MODEL_BASE_URL": "models.example.com"}, ["agent.E003"]),
        ({"PLAN_MODEL_BASE_URL": "ftp://models.example.com/v1"}, ["agent.E003"]),
        ({"PLAN_MODEL_BASE_URL": "http://["}, ["agent.E003"]),
        ({"PLAN_MODEL_BASE_URL": "http://models.example.com:port/v1"}, ["agent.E003"]),
        ({"PLAN_MODEL_BASE_URL": "https://models.example.com/v1/chat/completions"}, ["agent.E003"]),
        ({"PLAN_MODEL_BASE_URL": "https://me:pass@models.example.com/v1"}, ["agent.E003"]),
        ({"PLAN_MODEL_BASE_URL": "https://models.example.com/v1?x=1"}, ["agent.E003"]),
        ({"PLAN_MODEL_API_KEY": "two\nlines"}, ["agent.E003"]),
        ({"PLAN_MODEL_API_KEY": "kéy"}, ["agent.E003"]),
        ({"DRAFT_MODEL_TIMEOUT": 0.0}, ["agent.E004"]),
        ({"DRAFT_MODEL_MAX_TOKENS": 0}, ["agent.E004"]),
        ({"MODEL_RUN_DEADLINE": dict.fromkeys(Mode, 1.0) | {"standard": 0.0}}, ["agent.E005"]),
        ({"MODEL_RUN_TOKENS": dict.fromkeys(Mode, 1) | {"standard": 0}}, ["agent.E005"]),
    ],
)
def test_a_half_or_wrong_configuration_is_told_and_then_no_model_is_asked(
    configured: Any, changes: dict[str, Any], found: list[str]
) -> None:
    for name, value in changes.items():
        setattr(configured, name, value)
    assert ids() == found
    assert models.configured() is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"MODEL_RUN_TOKENS": 16_000}, "detailed_tokens in MODEL_RUN_LIMITS is too little"),
        # 16,000 tokens out at $2 a million.
        ({"MODEL_RUN_COST": 0.032}, "detailed_cost in MODEL_RUN_LIMITS is too little"),
        # Five seconds for 3,000 tokens.
        ({"MODEL_RUN_DEADLINE": 26.0}, "detailed_seconds in MODEL_RUN_LIMITS is shorter"),
    ],
)
def test_a_mode_that_cannot_pay_for_its_own_draft_is_a_warning(
    configured: Any, changes: dict[str, Any], said: str
) -> None:
    configured.DRAFT_MODEL_MAX_TOKENS = 16_000
    assert ids() == []
    for name, value in changes.items():
        setattr(configured, name, {**getattr(configured, name), "detailed": value})
    assert ids() == ["agent.W004"]
    assert said in checks.check_models()[0].msg
    assert models.configured() is not None
    # A model that writes less needs less.
    configured.DRAFT_MODEL_MAX_TOKENS = 2_000
    assert ids() == []


def test_each_mode_has_limits_of_its_own() -> None:
    names = ("MODEL_RUN_DEADLINE", "MODEL_RUN_TOKENS", "MODEL_RUN_COST")
    parts = zip(("seconds", "tokens", "cost"), ("10", "11", "12"), strict=True)
    told = {f"{mode}_{part}": value for part, value in parts for mode in Mode} | {"direct_cost": "0.25"}
    limits = ",".join(f"{name}={value}" for name, value in told.items())
    code = f"from django.conf import settings; print([getattr(settings, name) for name in {names}])"
    result = forked("-c", code, SECRET_KEY="x", DATA_DIR="", DEBUG="1", MODEL_RUN_LIMITS=limits)
    deadlines, tokens, costs = ast.literal_eval(result.stdout)
    assert deadlines == dict.fromkeys(map(str, Mode), 10.0)
    assert tokens == dict.fromkeys(map(str, Mode), 11)
    assert costs == {**dict.fromkeys(map(str, Mode), 12.0), "direct": 0.25}


@pytest.mark.parametrize("mode", Mode)
def test_the_longest_draft_of_a_mode_fits_into_the_limits_that_are_not_set(configured: Any, mode: Mode) -> None:
    configured.DRAFT_MODEL_TIMEOUT, configured.DRAFT_MODEL_MAX_TOKENS = 60.0, 20_000
    assert ids() == []
    found = models.configured()
    assert found is not None
    longest = found.draft.seconds(LIMITS[mode].draft_tokens)
    # At fifty tokens a second.
    assert LIMITS[mode].draft_tokens / 50 <= longest <= configured.MODEL_RUN_DEADLINE[mode] / 1.5


def test_a_longer_reply_has_more_time_and_a_short_one_no_less(configured: Any) -> None:
    model = Model("draft", "m", "http://h.example/v1", timeout=60.0)
    assert [model.seconds(tokens) for tokens in (1, 3_000, 6_000, 20_000)] == [60.0, 60.0, 120.0, 400.0]


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://models.example.com/v1", ["agent.W003", "agent.W003"]),
        ("http://127.0.0.1:8000/v1", []),
        ("http://[::1]:8000/v1", []),
        ("https://models.example.com", []),
    ],
)
def test_a_key_that_travels_in_clear_is_a_warning(configured: Any, url: str, found: list[str]) -> None:
    configured.PLAN_MODEL_BASE_URL = configured.DRAFT_MODEL_BASE_URL = url
    assert ids() == found
    assert models.configured() is not None


def test_a_model_tells_its_host_and_cost_and_never_its_key() -> None:
    model = Model(
        "plan", "m", "http://h.example:81/v1/secret-path", KEY, price_in=Decimal("0.1"), price_out=Decimal(2)
    )
    assert KEY not in repr(model)
    assert model.host == "h.example:81"
    assert model.cost(1_000_000, 500_000) == Decimal("1.1")


def test_neither_setting_up_nor_views_nor_the_configuration_import_dspy(tmp_path: Any) -> None:
    code = (
        "import sys, django; django.setup();"
        "import diligence.urls, agent.web.views, agent.admin, filings.web.views;"
        "from django.urls import get_resolver; get_resolver().url_patterns;"
        "from django.core import checks; checks.run_checks();"
        "light = {'agent.programs', 'agent.programs.checks', 'agent.programs.model_settings'};"
        "asking = {name for name in sys.modules if name == 'dspy' or name.startswith('agent.programs')};"
        "print(sorted(asking - light));"
        "from agent.programs import models; print(models.configured().draft.name);"
        "print('dspy' in sys.modules)"
    )
    with LocalModel() as server:
        told = server.variables()
    result = forked("-c", code, DATA_DIR=str(tmp_path), SECRET_KEY="x", **told)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split("\n")[:3] == ["[]", "scripted", "False"]
