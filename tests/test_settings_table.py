"""docs/settings.md has every setting with its default, and hints of system checks lead to it."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from accounts import checks as accounts_checks
from agent.state.modes import LIMITS
from diligence import settings_table
from diligence.hints import PAGE, with_link
from tests.support import variables
from tests.support.documents import ROOT

ANCHORS = set(re.findall(r'<a id="([a-z_]+)"></a>', (ROOT / PAGE).read_text(encoding="utf-8")))


def test_the_page_is_what_the_settings_make() -> None:
    assert settings_table.main([]) == 0, "run: python -m diligence.settings_table --write"


def test_a_page_that_is_not_up_to_date_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "settings.md"
    old.write_text(settings_table.page().replace("`8`", "`9`", 1), encoding="utf-8")
    monkeypatch.setattr(settings_table, "PAGE", old)
    assert settings_table.main([]) == 1
    assert "--write" in capsys.readouterr().err


def test_every_variable_that_is_read_is_documented_and_no_other() -> None:
    read = set(settings_table.defaults())
    assert 40 < len(read) <= 60
    assert settings_table.names() == read | settings_table.ELSEWHERE


# What is read and no setting of Diligence, with the reason.
NOT_A_SETTING = {
    "DJANGO_SETTINGS_MODULE": "Django's; every program sets it",
    "EDGAR_LOCAL_DATA_DIR": "edgartools' folder; settings.py puts it into DATA_DIR",
    "EDGAR_DATA_URL": "edgartools' address; settings.py derives it from EDGAR_BASE_URL",
    "DSPY_CACHEDIR": "DSPy's folder; settings.py puts it into DATA_DIR",
    "OPENBLAS_NUM_THREADS": "numpy's; settings.py sets one thread",
    "PATH": "the system's",
    "PYTHON": "the interpreter that make builds .venv with; the Makefile says so",
    "PYTHONUNBUFFERED": "Python's, for processes that make and the image start",
    "PYTHONDONTWRITEBYTECODE": "Python's, for processes that make and the image start",
    "PIP_DISABLE_PIP_VERSION_CHECK": "pip's, while the image is built",
    "PIP_NO_CACHE_DIR": "pip's, while the image is built",
    "GOLDENS": "which banks an evaluation asks; docs/evaluation.md has it",
    **dict.fromkeys(
        (
            "BENCH_CHUNKS", "BENCH_RUNS", "LISTS_DATABASE_URL", "LISTS_RUNS", "LOAD_ASKS", "LOAD_DATABASE_URL",
            "LOAD_HISTORY", "LOAD_POLLERS", "LOAD_QUEUED", "LOAD_REDIS_URL", "LOAD_SECONDS", "MILLION_CHUNKS",
            "MILLION_SECONDS", "SCREENER_COMPANIES", "SCREENER_DATABASE_URL",
            "STANDINGS_ANSWERS", "STANDINGS_DATABASE_URL",
        ),
        "the size of a benchmark; its module in evals/bench has it",
    ),
}  # fmt: skip


def test_every_variable_that_anything_reads_is_documented_or_is_no_setting() -> None:
    python = variables.of_python(*variables.PRODUCT, "evals")
    read = python | variables.of_compose() | variables.of_make() | variables.of_image() | variables.of_example()
    assert {"DILIGENCE_TOKEN", "PORT", "WEB_WORKERS", "EDGAR_IDENTITY", "VECTORS_DIR"} <= set(read)
    assert {name: file for name, file in read.items() if name not in settings_table.names() | set(NOT_A_SETTING)} == {}
    assert settings_table.names() | set(NOT_A_SETTING) == set(read)


@pytest.mark.parametrize(
    "source",
    [
        'os.environ.get("NEW")',
        'os.environ["NEW"]',
        'os.getenv("NEW")',
        '"NEW" in os.environ',
        'env.int("NEW", default=1)',
        'os.environ.update(NEW="1")',
        'NAME = "NEW"\nos.environ[NAME]',
    ],
)
def test_a_read_variable_is_found(source: str) -> None:
    assert [*variables.read(source)] == ["NEW"]


def test_each_is_documented_once_in_a_full_sentence() -> None:
    rows = [row for group in settings_table.groups() for row in group["settings"]]
    named = [name for row in rows for name in row["names"]]
    assert len(named) == len(set(named))
    assert [row["names"] for row in rows if not row["about"].endswith(".")] == []


def test_a_default_in_words_stands_only_where_the_code_has_no_plain_one_or_another_place_sets_it() -> None:
    plain = settings_table.defaults()
    for group in settings_table.groups():
        for row in group["settings"]:
            if "default" in row and all(plain.get(name) not in (None, "", 0, False, []) for name in row["names"]):
                pytest.fail(f"{row['names']}: its default is in settings.py")


MODELS = {
    f"{role}_MODEL{part}": value
    for role in ("PLAN", "DRAFT")
    for part, value in (("", "a"), ("_BASE_URL", "http://models.example.com/v1"))
}
# Settings with which a check gives each message that it has.
WRONG: list[tuple[str, dict[str, Any]]] = [
    ("diligence.E001", {"SECRET_KEY": "", "SECRET_KEY_PATH": None}),
    (
        "diligence.E002",
        {"ENVIRONMENT_PROBLEMS": [("USER_LIMITS", "input_tokens in USER_LIMITS must be a whole number.")]},
    ),
    ("diligence.E004", {"REDIS_URL": "http://queue"}),
    ("diligence.E005", {"DATA_DIR": Path("/nowhere")}),
    ("diligence.E006", {"EDGAR_IDENTITY": "nobody"}),
    ("diligence.W006", {"EDGAR_IDENTITY": "", "EDGAR_BASE_URL": "https://www.sec.gov"}),
    ("diligence.E007", {"EDGAR_BASE_URL": "ftp://mirror"}),
    ("diligence.W007", {"EDGAR_BASE_URL": "https://mirror.example.com"}),
    ("diligence.E008", {"EDGAR_REQUESTS_PER_SECOND": -1.0}),
    ("diligence.E008", {"EDGAR_REQUESTS_PER_SECOND": 50, "EDGAR_BASE_URL": "https://www.sec.gov"}),
    ("diligence.E009", {"ALLOWED_HOSTS": ["*"], "DEBUG": False}),
    ("diligence.E013", {"EMBEDDING_BASE_URL": "ftp://node"}),
    ("diligence.W013", {"EMBEDDING_BASE_URL": "http://node", "EMBEDDING_API_KEY": "key"}),
    ("diligence.E014", {"EMBEDDING_BASE_URL": "http://node"}),
    ("diligence.E014", {"EMBEDDING_MODEL": "a-model"}),
    ("diligence.E016", {"ANSWER_CONCURRENCY": 0}),
    ("diligence.E017", {"OTEL_ENDPOINT": "ftp://node"}),
    ("diligence.E018", {"SENTRY_DSN": "https://host/1"}),
    ("diligence.W016", {"METRICS_TOKEN": "short"}),
    ("diligence.W017", {"FORMER_SETTINGS": {"ANON_INPUT_TOKENS": "Write ANON_LIMITS=input_tokens=value instead."}}),
    ("diligence.E024", {"INGEST_FORMS": ["10-K", "6-K"]}),
    ("accounts.E001", {"ALLAUTH_TRUSTED_PROXY_COUNT": -1}),
    ("accounts.E002", {"OIDC_CLIENT_ID": "only-this"}),
    ("accounts.E003", {**dict.fromkeys(("OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"), "x"), "OIDC_SERVER_URL": "ftp://x"}),
    ("accounts.E003", {**dict.fromkeys(("OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"), "x"), "OIDC_SERVER_URL": "http://x"}),
    ("accounts.W004", {"EMAIL_BACKEND": accounts_checks.PRINTED, "ACCOUNT_EMAIL_VERIFICATION": "mandatory"}),
    ("accounts.W005", {"STAFF_MFA": False}),
    ("accounts.W009", {"HTTPS": True, "ALLAUTH_TRUSTED_PROXY_COUNT": 0}),
    ("agent.E002", {"PLAN_MODEL": "a-model"}),
    ("agent.E003", MODELS | {"PLAN_MODEL_BASE_URL": "ftp://node"}),
    ("agent.E004", MODELS | {"DRAFT_MODEL_TIMEOUT": 0, "PLAN_MODEL_MAX_TOKENS": 0}),
    ("agent.E005", MODELS | {f"MODEL_RUN_{what}": dict.fromkeys(LIMITS, 0) for what in ("DEADLINE", "TOKENS")}),
    ("agent.W003", MODELS | {"PLAN_MODEL_API_KEY": "key"}),
    ("agent.W004", MODELS | {"MODEL_RUN_TOKENS": dict.fromkeys(LIMITS, 1)}),
    ("filings.E001", {"ELASTICSEARCH_URL": "ftp://node"}),
    ("filings.W001", {"ELASTICSEARCH_URL": "http://node:9200", "ELASTICSEARCH_API_KEY": "key"}),
    ("filings.E002", {"ELASTICSEARCH_CA": "/nowhere"}),
    ("filings.E003", {"ELASTICSEARCH_INDEX": "A*"}),
    ("filings.W005", {"SEARCH_FALLBACK": True, "ELASTICSEARCH_URL": ""}),
    ("filings.E006", {"RERANK_URL": "ftp://node"}),
    ("filings.W006", {"RERANK_URL": "http://node", "RERANK_API_KEY": "key"}),
    ("filings.E007", {"NEWS_BASE_URL": "ftp://node"}),
    ("filings.W007", {"NEWS_BASE_URL": "http://node", "NEWS_API_KEY": "key"}),
    ("filings.E008", {"NEWS_BASE_URL": "https://news.example.com"}),
    ("filings.E008", {"NEWS_API_KEY": "key"}),
    ("agent.E030", {"CERTIFICATE_KEY": "no key"}),
    ("filings.E011", {"NEWS_DOMAINS": ["https://example.com"]}),
]
CHECKS = (
    "accounts/checks.py",
    "agent/certificates/checks.py",
    "agent/programs/checks.py",
    "diligence/checks.py",
    "filings/importing/checks.py",
    "filings/search/checks.py",
)


@pytest.mark.parametrize(("identifier", "changes"), WRONG, ids=[identifier for identifier, _ in WRONG])
def test_a_wrong_setting_leads_to_its_paragraph(identifier: str, changes: dict[str, Any], settings: Settings) -> None:
    for name, value in changes.items():
        setattr(settings, name, value)
    found = [one for one in run_checks(include_deployment_checks=True) if one.id == identifier]
    assert found
    for one in found:
        leads, anchor = re.fullmatch(r".* See (\S+)#(\w+)\.", one.hint or "", re.DOTALL).groups()  # type: ignore[union-attr]
        assert leads == PAGE
        assert anchor in ANCHORS
        assert anchor.upper() in f"{one.msg} {one.hint}"


def test_every_message_of_every_check_is_tried() -> None:
    written = {
        identifier
        for file in CHECKS
        for identifier in re.findall(r'id="(\w+\.[EW]\d{3})"', (ROOT / file).read_text(encoding="utf-8"))
    }
    problems = (ROOT / "agent" / "programs" / "model_settings.py").read_text(encoding="utf-8")
    written |= {f"agent.{number}" for number in re.findall(r'Problem\(\s*"([EW]\d{3})"', problems)}
    # The registry of measures is a file of the repository and no setting.
    assert written == {identifier for identifier, _ in WRONG} | {"agent.E001"}


def test_every_module_with_checks_is_known() -> None:
    register = "from diligence.hints import register"
    files = {path for app in variables.PRODUCT for path in (ROOT / app).rglob("*.py")}
    found = {str(path.relative_to(ROOT)) for path in files if register in path.read_text(encoding="utf-8")}
    assert found == set(CHECKS)


def test_a_hint_names_the_setting_of_its_message() -> None:
    assert with_link("Write a name.", "EDGAR_IDENTITY is not set.").endswith(f"See {PAGE}#edgar_identity.")
    assert with_link("Write HTTP headers.") == "Write HTTP headers."
