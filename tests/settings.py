"""Settings of the tests: the product's own, in a folder of their own, whatever the developer's .env says."""

import atexit
import os
import shutil
import tempfile

_data_dir = tempfile.mkdtemp(prefix="diligence-tests-")
atexit.register(shutil.rmtree, _data_dir, ignore_errors=True)

# Set before settings are read. `make test-services` has set the two URLs by then.
os.environ.update(DATA_DIR=_data_dir, SECRET_KEY="only-for-tests", DEBUG="0", HTTPS="0", LOG_LEVEL="WARNING")
os.environ.update({name: os.environ.get(f"TEST_{name}", "") for name in ("DATABASE_URL", "REDIS_URL")})
# Each process of pytest-xdist has a Redis database of its own, as pytest-django gives it one of PostgreSQL.
if os.environ["REDIS_URL"] and (worker := os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")):
    os.environ["REDIS_URL"] = os.environ["REDIS_URL"].rpartition("/")[0] + f"/{int(worker) + 1}"
# Nothing in a test may reach SEC: a test that wants an EDGAR starts one and overrides these.
os.environ.update(EDGAR_BASE_URL="http://127.0.0.1:9", EDGAR_DATA_URL="http://127.0.0.1:9")
# Passages are embedded on this machine: a test that wants an endpoint starts one.
os.environ.update(
    dict.fromkeys(("EMBEDDING_BASE_URL", "EMBEDDING_MODEL", "EMBEDDING_API_KEY", "MODELS_DIR", "VECTORS_DIR"), "")
)
# No news is searched: a test that wants some starts a server and names it.
NEWS = ("NEWS_BASE_URL", "NEWS_API_KEY", "NEWS_ALWAYS", "NEWS_RESULTS", "NEWS_DOMAINS", "NEWS_TIMEOUT")
os.environ.update(dict.fromkeys(NEWS, ""))
# Searched is the embedded index: a test that wants an Elasticsearch or a reranker names it.
os.environ.update(dict.fromkeys(("ELASTICSEARCH_URL", "ELASTICSEARCH_API_KEY", "SEARCH_FALLBACK", "RERANK_URL"), ""))
# No model is asked: a test that wants one starts a server and names it.
os.environ.update(
    {f"{role}_MODEL{part}": "" for role in ("PLAN", "DRAFT") for part in ("", "_BASE_URL", "_API_KEY", "_TIMEOUT")}
)
# Nobody watches: a test that wants a server which does starts one.
os.environ.update(
    dict.fromkeys(
        ("SENTRY_DSN", "OTEL_EXPORTER_OTLP_ENDPOINT", "METRICS_TOKEN", "LOG_FORMAT", "SECRET_KEY_FALLBACKS"), ""
    )
)
# Sign-in as it is by default.
os.environ.update(
    dict.fromkeys(("ACCOUNT_EMAIL_VERIFICATION", "STAFF_MFA", "TRUSTED_PROXY_COUNT"), "")
    # tests/test_access_openid.py starts a provider, and a process that has it.
    | {
        name: os.environ.get(f"TEST_{name}", "")
        for name in ("OIDC_SERVER_URL", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")
    }
)
os.environ.update(EDGAR_IDENTITY="Diligence Tests tests@example.com")
# Nobody comes near a limit who does not want to: a test of one sets it.
os.environ.update(
    {
        f"{tier}_{limit}": "1000000"
        for tier in ("ANON", "USER")
        for limit in (
            "REQUESTS_PER_MINUTE",
            "TOKENS_PER_MINUTE",
            "UNFINISHED_RUNS",
            "QUESTIONS_IN_ALL",
            "ANSWERS_PER_MONTH",
        )
    },
    ANON_TICKERS="*",
    # Nobody waits for a worker that is not there.
    API_WAIT_SECONDS="0.2",
    PAGE_WAIT_SECONDS="0",
)

from diligence.settings import *  # noqa: E402, F403

# Argon2 is slow on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# The manifest of the production storage exists only after collectstatic.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
