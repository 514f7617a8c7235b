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
os.environ.update(EDGAR_BASE_URL="http://127.0.0.1:9")
# Passages are embedded on this machine: a test that wants an endpoint starts one.
os.environ.update(dict.fromkeys(("EMBEDDING_BASE_URL", "EMBEDDING_OPTIONS", "EMBEDDING_API_KEY", "VECTORS_DIR"), ""))
# No news is searched: a test that wants some starts a server and names it.
NEWS = ("NEWS_BASE_URL", "NEWS_API_KEY", "NEWS_ALWAYS", "NEWS_DOMAINS")
os.environ.update(dict.fromkeys(NEWS, ""))
# Searched is the embedded index: a test that wants an Elasticsearch or a reranker names it.
os.environ.update(dict.fromkeys(("ELASTICSEARCH_URL", "ELASTICSEARCH_API_KEY", "ELASTICSEARCH_OPTIONS", "RERANK"), ""))
# No model is asked: a test that wants one starts a server and names it.
os.environ.update(
    {f"{role}_MODEL{part}": "" for role in ("PLAN", "DRAFT") for part in ("", "_BASE_URL", "_API_KEY", "_OPTIONS")}
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
    | {name: os.environ.get(f"TEST_{name}", "") for name in ("OIDC", "OIDC_CLIENT_SECRET")}
)
os.environ.update(EDGAR_IDENTITY="Diligence Tests tests@example.com")
# Nobody comes near a limit who does not want to: a test of one sets it.
RATES = "requests_per_minute=1000000,tokens_per_minute=1000000,unfinished_runs=1000000"
os.environ.update(
    ANON_LIMITS=f"{RATES},questions_in_all=1000000",
    USER_LIMITS=f"{RATES},answers_per_month=1000000",
    ANON_TICKERS="*",
)

from diligence.settings import *  # noqa: E402, F403

# Nobody waits for a worker that is not there.
API_WAIT_SECONDS, PAGE_WAIT_SECONDS = 0.2, 0
# Argon2 is slow on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# The manifest of the production storage exists only after collectstatic.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
