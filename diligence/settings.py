"""Settings: one file, read from the environment, with safe defaults for one machine.

Every `X` may also come from a file named by `X_FILE`. A value that cannot be read keeps its
default and is reported by the system checks in `diligence/checks.py`, with an id and a hint.
"""

import os
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urljoin

from csp.constants import NONE, SELF

from diligence import secret_key
from diligence.environment import Environment, former
from diligence.url_settings import is_sec

BASE_DIR = Path(__file__).resolve().parent.parent

env = Environment()
if (BASE_DIR / ".env").is_file():
    env.read_env(str(BASE_DIR / ".env"))

# --- what is kept outside the database: raw EDGAR files, broker folders, caches ---
DATA_DIR = env.folder("DATA_DIR", default=BASE_DIR / ".data")

# --- mode and secrets ---
DEBUG = env.bool("DEBUG", default=False)
# An empty key is refused by check diligence.E001 and by Django itself.
SECRET_KEY = env.str("SECRET_KEY", default="")
# Written by `make run`, for the database beside it. None where the environment has a key or names another database.
SECRET_KEY_PATH = None if env.given("SECRET_KEY") or env.given("DATABASE_URL") else DATA_DIR / secret_key.NAME
if SECRET_KEY_PATH:
    SECRET_KEY = secret_key.read(SECRET_KEY_PATH)
if DEBUG and not SECRET_KEY and not (SECRET_KEY_PATH and secret_key.problem(SECRET_KEY_PATH)):
    SECRET_KEY = secret_key.WITHOUT_A_FILE
CERTIFICATE_KEY = env.str("CERTIFICATE_KEY", default="")  # signs the certificates of answers; empty: unsigned
# Keys that were used before: what they have signed or encrypted stays good.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# --- applications ---
INSTALLED_APPS = [
    "diligence",
    "accounts",
    "filings",
    "agent",
    "evals",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    # Whether a provider is configured or not: what it has connected goes with its account, and comes back with it.
    "allauth.socialaccount",
    "csp",
    "django_htmx",
]
MIDDLEWARE = [
    "diligence.content_length.ContentLength",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "diligence.logs.Middleware",
    # Outside whatever asks the database.
    "diligence.unavailable.Middleware",
    # Before anything that asks for a host of the site, a session or a token of ours.
    "diligence.health.Middleware",
    "diligence.nul_bytes.RefuseNul",
    "accounts.no_store.NoStoreMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.login_throttle.KnownBrowserMiddleware",
    "accounts.identity_middleware.IdentityMiddleware",
    "agent.web.pages.limit_page.LimitMiddleware",
]
if DEBUG:
    MIDDLEWARE.append("diligence.not_found_page.PlainNotFound")
    # `make lint` asks it about the migrations; it is no package of a deployment.
    if find_spec("django_migration_linter"):
        INSTALLED_APPS.append("django_migration_linter")
ROOT_URLCONF = "diligence.urls"
WSGI_APPLICATION = "diligence.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- database: SQLite for one machine, PostgreSQL by DATABASE_URL ---
DATABASES = {"default": env.database("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'diligence.sqlite3'}")}
DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
# A request never holds a transaction open: every unit of work opens its own short one.
DATABASES["default"]["ATOMIC_REQUESTS"] = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- cache and broker: the file system for one machine, Redis by REDIS_URL ---
REDIS_URL = env.str("REDIS_URL", default="")
# Of a cache that is not in Redis. More than anybody can send in the time of a limit, to have what is counted of another
# forgotten.
CACHE_MOST_ENTRIES = 10_000
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "diligence.cache.Cache",
            "LOCATION": REDIS_URL,
            # As long as the quotas wait, and as short: a page waits for it.
            "OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5},
        }
    }
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        # Above the longest task, or Redis hands a running task to a second worker.
        "visibility_timeout": 6 * 3600,
        # Above the second for which a worker waits for a message. Sending one takes two of them at most.
        "socket_timeout": 2.0,
        "socket_connect_timeout": 2.0,
    }
else:
    CACHES = {
        "default": {
            # Django's own checks open the cache, and would fail on a folder that diligence.E005 reports in words.
            "BACKEND": "diligence.cache.FolderCache"
            if DATA_DIR.is_dir()
            else "django.core.cache.backends.dummy.DummyCache",
            "LOCATION": str(DATA_DIR / "cache"),
            "OPTIONS": {"MAX_ENTRIES": CACHE_MOST_ENTRIES},
        }
    }
    BROKER_DIR = DATA_DIR / "broker"
    CELERY_BROKER_URL = "filesystem://localhost"
    CELERY_BROKER_TRANSPORT = "diligence.broker:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR / "queue"),
        "data_folder_out": str(BROKER_DIR / "queue"),
        "control_folder": str(BROKER_DIR / "control"),
        "store_processed": False,
        # The default of one second is what a person would wait for.
        "polling_interval": 0.05,
    }
# Runs and ingestions that one worker process works on at once. A run with a model mostly waits for it.
ANSWER_CONCURRENCY, INGEST_CONCURRENCY = env.group("WORKER_CONCURRENCY", {"answer": 4, "ingest": 1}).values()

# --- EDGAR ---
EDGAR_IDENTITY = env.str("EDGAR_IDENTITY", default="")
EDGAR_BASE_URL = env.str("EDGAR_BASE_URL", default="https://www.sec.gov").rstrip("/")
# A mirror has at one address what the SEC has at two.
EDGAR_DATA_URL = "https://data.sec.gov" if is_sec(EDGAR_BASE_URL) else EDGAR_BASE_URL
# SEC allows 10 requests a second to one user in all; 8 leaves room for a browser beside us.
EDGAR_REQUESTS_PER_SECOND = env.float("EDGAR_REQUESTS_PER_SECOND", default=8.0)
# Of one read, and of one file in all: with its retries, and however slowly it trickles in.
EDGAR_TIMEOUT, EDGAR_FILE_DEADLINE = 30.0, 600.0
# Kinds of documents, as `filings.models.source_kinds` has them.
INGEST_FORMS = env.list("INGEST_FORMS", default=["10-K", "10-Q", "8-K"])
# Seconds for reading one filing, after which it is given up; 0 for none, and it is read in the worker itself. A large
# 10-K takes ten. Of 10-Ks all years are read; of the other kinds, what was filed in so many years before the newest
# report. Of what people import: bytes of one file, and of all files of one upload.
INGEST_FILING_DEADLINE, INGEST_RECENT_YEARS, IMPORT_MOST_BYTES = env.group(
    "INGEST_LIMITS", {"filing_seconds": 300.0, "recent_years": 3, "import_bytes": 50_000_000}
).values()

# --- news: none, or an endpoint with Tavily's /search, the part of its address before that ---
NEWS_BASE_URL = env.str("NEWS_BASE_URL", default="").rstrip("/")
NEWS_API_KEY = env.str("NEWS_API_KEY", default="")
# Whether news is searched for questions on text that do not ask for it; articles of one search, up to 20.
NEWS_ALWAYS = env.bool("NEWS_ALWAYS", default=False)
NEWS_RESULTS = 5
NEWS_DOMAINS = env.list("NEWS_DOMAINS", default=[])
NEWS_TIMEOUT = 20.0

# --- embeddings: all-MiniLM-L6-v2 on this machine, or any OpenAI-compatible /v1/embeddings endpoint ---
EMBEDDING_BASE_URL = env.str("EMBEDDING_BASE_URL", default="").rstrip("/")
EMBEDDING_API_KEY = env.str("EMBEDDING_API_KEY", default="")
# Some models want a prefix before a question and before a passage, such as "query: " and "passage: ".
EMBEDDING_MODEL, EMBEDDING_DIMENSIONS, EMBEDDING_QUERY_PREFIX, EMBEDDING_DOCUMENT_PREFIX = env.group(
    "EMBEDDING_OPTIONS", {"model": "", "dimensions": 0, "query_prefix": "", "document_prefix": ""}
).values()
# Seconds for one request of passages; a question waits for at most EMBEDDING_QUERY_TIMEOUT.
EMBEDDING_TIMEOUT, EMBEDDING_QUERY_TIMEOUT = 30.0, 3.0
# The cache of vectors that texts have been given; may be shared by installations.
VECTORS_DIR = env.folder("VECTORS_DIR", default=DATA_DIR)
# The local model as it is run, built once out of its package, beside them.
MODELS_DIR = VECTORS_DIR / "models"

# --- search ---
# Empty: the embedded index in DATA_DIR/search.sqlite3.
ELASTICSEARCH_URL = env.str("ELASTICSEARCH_URL", default="").rstrip("/")
ELASTICSEARCH_API_KEY = env.str("ELASTICSEARCH_API_KEY", default="")
# A file with the certificate authority of an https address that no public one has signed; the alias that is searched,
# after which indices are called; and whether, on one host, the embedded index is written too and answers while
# Elasticsearch is down.
ELASTICSEARCH_CA, ELASTICSEARCH_INDEX, SEARCH_FALLBACK = env.group(
    "ELASTICSEARCH_OPTIONS", {"ca": "", "index": "diligence", "fallback": False}
).values()
ELASTICSEARCH_TIMEOUT = 5.0
# Words : meaning : statement tables. 50:50 leaves the statement tables out. Measured on questions about 28 companies, evidence
# among the 16 passages that are looked at: 2:1:1 90 %, 30:70 92 %, 50:50 93 %. Words first is the better choice where
# questions name lines of the statements.
SEARCH_WEIGHTS = "50:50"
# An endpoint with the common /rerank shape; empty: the fused order stands.
RERANK_URL, RERANK_MODEL = env.group("RERANK", {"url": "", "model": ""}).values()
RERANK_API_KEY = env.str("RERANK_API_KEY", default="")
RERANK_TIMEOUT = 2.0

# --- models: none, or two roles behind OpenAI-compatible endpoints; PLAN_MODEL plans and judges, DRAFT_MODEL drafts ---
PLAN_MODEL = env.str("PLAN_MODEL", default="")
# The part of the address before /chat/completions.
PLAN_MODEL_BASE_URL = env.str("PLAN_MODEL_BASE_URL", default="").rstrip("/")
PLAN_MODEL_API_KEY = env.str("PLAN_MODEL_API_KEY", default="")
# Seconds for a request of up to 3,000 tokens of reply, and more for a longer one in proportion; tokens of one reply; USD
# for a million tokens in and out; whether the plan model orders the passages before a draft.
PLAN_MODEL_TIMEOUT, PLAN_MODEL_MAX_TOKENS, PLAN_MODEL_PRICE_IN, PLAN_MODEL_PRICE_OUT, MODEL_RERANK = env.group(
    "PLAN_MODEL_OPTIONS", {"timeout": 30.0, "max_tokens": 2000, "price_in": 0.0, "price_out": 0.0, "rerank": False}
).values()
DRAFT_MODEL = env.str("DRAFT_MODEL", default="")
DRAFT_MODEL_BASE_URL = env.str("DRAFT_MODEL_BASE_URL", default="").rstrip("/")
DRAFT_MODEL_API_KEY = env.str("DRAFT_MODEL_API_KEY", default="")
# The longest draft of any mode; a mode asks for less.
DRAFT_MODEL_TIMEOUT, DRAFT_MODEL_MAX_TOKENS, DRAFT_MODEL_PRICE_IN, DRAFT_MODEL_PRICE_OUT = env.group(
    "DRAFT_MODEL_OPTIONS", {"timeout": 60.0, "max_tokens": 20_000, "price_in": 0.0, "price_out": 0.0}
).values()
# What one run may take, by answer mode: seconds; tokens in and out of all its calls; USD, 0 for no limit.
run_limits = env.group("MODEL_RUN_LIMITS", {
    "direct_seconds": 120.0, "direct_tokens": 60_000, "direct_cost": 0.0,
    "standard_seconds": 240.0, "standard_tokens": 150_000, "standard_cost": 0.0,
    "detailed_seconds": 600.0, "detailed_tokens": 300_000, "detailed_cost": 0.0,
    "deep_search_seconds": 1800.0, "deep_search_tokens": 800_000, "deep_search_cost": 0.0,
})  # fmt: skip
MODEL_RUN_DEADLINE, MODEL_RUN_TOKENS, MODEL_RUN_COST = (
    {name.removesuffix(what): value for name, value in run_limits.items() if name.endswith(what)}
    for what in ("_seconds", "_tokens", "_cost")
)

# --- questions ---
QUESTION_MAX_LENGTH = 1000

# --- quotas: what a tier may use; 0 is no limit. A plan made in the admin takes the place of a tier's numbers. ---
PLANS = {
    # questions_in_all: of one address, ever.
    "anon": env.group("ANON_LIMITS", {
        "requests_per_minute": 5, "tokens_per_minute": 5_000, "input_tokens": 1_000, "unfinished_runs": 5,
        "questions_in_all": 50,
    }),
    # cost_per_month: USD.
    "user": env.group("USER_LIMITS", {
        "requests_per_minute": 60, "tokens_per_minute": 50_000, "input_tokens": 2_000, "unfinished_runs": 30,
        "answers_per_month": 1_000, "cost_per_month": 20.0,
    }),
    # No limit, unless a plan of the admin says one.
    "staff": {},
}  # fmt: skip
# Tickers that can be asked about without an account: empty for the companies of the sample, * for all.
ANON_TICKERS = env.list("ANON_TICKERS", default=[])

# --- API ---
# Seconds that asking waits for its answer, by the API and on the page that a question leads to, and requests of one web
# process that may wait at the same time: each holds one of its threads.
PAGE_WAIT_SECONDS, API_WAIT_SECONDS, API_WAITS = 0.4, 5.0, 2
CSRF_FAILURE_VIEW = "agent.web.api.problems.csrf_failure"

# --- accounts ---
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
# Without it whoever signs up learns which addresses have an account. A developer's machine sends no mail.
ACCOUNT_EMAIL_VERIFICATION = env.choice(
    "ACCOUNT_EMAIL_VERIFICATION", ("none", "optional", "mandatory"), "optional" if DEBUG else "mandatory"
)
# In the browser that signed up, and only there.
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
# A mail to an address without an account takes as long as one to an account; neither answer tells them apart.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Diligence: "
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {"signup": "accounts.forms.SignupForm", "change_password": "accounts.forms.ChangePasswordForm"}
# Attempts / time / counted by: address of the client, account, or what is tried (an e-mail address).
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "10/m/ip",
    # Of accounts.login_throttle: wrong ones, of an account from one address, and in all by strangers or one known browser. One
    # address alone cannot use up the second. A code has six digits.
    "password_from_address": "5/5m/key",
    "password_of_account": "100/h/key",
    "code_from_address": "5/10m/key",
    "code_of_account": "50/h/key",
    "signup": "20/h/ip",
    "reset_password": "20/h/ip,5/h/key",
    "reset_password_from_key": "20/m/ip",
    "confirm_email": "1/3m/key",
    "change_password": "10/m/ip",
    "manage_email": "10/m/user",
    "reauthenticate": "10/m/ip",
}
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=0)
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ADAPTER = "accounts.second_factors.MFAAdapter"
MFA_FORMS = {
    "authenticate": "accounts.forms.CodeForm",
    "reauthenticate": "accounts.forms.CodeOnceMoreForm",
    **{
        f"{name}_webauthn": f"accounts.passkeys.{name.title()}Form"
        for name in ("add", "signup", "login", "authenticate", "reauthenticate", "edit")
    },
}
MFA_TOTP_ISSUER = "Diligence"
# A clock half a minute off is still let in.
MFA_TOTP_TOLERANCE = 1
# The admin opens only to staff who signed in with a second factor.
STAFF_MFA = env.bool("STAFF_MFA", default=False)
# OpenID Connect: address, client and secret, or none of them.
OIDC_SERVER_URL, OIDC_CLIENT_ID, OIDC_ID, OIDC_NAME = env.group(
    "OIDC", {"server_url": "", "client_id": "", "id": "oidc", "name": "OpenID Connect"}
).values()
OIDC_SERVER_URL = OIDC_SERVER_URL.rstrip("/")
OIDC_CLIENT_SECRET = env.str("OIDC_CLIENT_SECRET", default="")
OIDC = bool(OIDC_SERVER_URL and OIDC_CLIENT_ID and OIDC_CLIENT_SECRET)
SOCIALACCOUNT_ADAPTER = "accounts.adapter.SocialAdapter"
if OIDC:
    INSTALLED_APPS.append("allauth.socialaccount.providers.openid_connect")
    SOCIALACCOUNT_EMAIL_AUTHENTICATION = SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
    SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": {
            "APPS": [
                {
                    "provider_id": OIDC_ID,
                    "name": OIDC_NAME,
                    "client_id": OIDC_CLIENT_ID,
                    "secret": OIDC_CLIENT_SECRET,
                    "settings": {"server_url": OIDC_SERVER_URL, "oauth_pkce_enabled": True},
                }
            ]
        }
    }
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "ask"
ACCOUNT_LOGOUT_REDIRECT_URL = "ask"
vars().update(env.mail("EMAIL_URL"))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="diligence@localhost")

# --- browser security ---
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "connect-src": [SELF],
        "img-src": [SELF, "data:"],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
if OIDC:
    # The form of sign-in leads to the provider, and browsers hold the redirect against the policy.
    CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"].append(urljoin(OIDC_SERVER_URL, "/").rstrip("/"))
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# HTTPS=1 says that the public address is https, behind a proxy that sets X-Forwarded-Proto.
HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SESSION_ENGINE = "accounts.session_engine"
SESSION_COOKIE_AGE = 180 * 24 * 3600
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # A year, which browsers and their lists ask for.
    SECURE_HSTS_SECONDS = 31_536_000
    # Whoever watches the process from inside does not speak https.
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
# Both bind every other host of the operator's domain, which is not for one application to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# --- static files ---
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# --- language, time, logs ---
LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
FORMAT_MODULE_PATH = ["diligence.formats"]
LOG_FORMAT = env.choice("LOG_FORMAT", ("line", "json"), "line")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"},
        "json": {"()": "diligence.logs.Json"},
    },
    "filters": {"not answered": {"()": "diligence.unavailable.NotAnswered"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    # A line for each request, with its address; or for each message that comes, goes or was late.
    "loggers": {
        **{name: {"level": "WARNING"} for name in ("elastic_transport", "httpx", "celery")},
        # It warns of each answer to a HEAD that it sends without its body.
        "gunicorn.http.wsgi": {"level": "ERROR"},
        # Under DEBUG it has a handler of its own, and would say everything twice.
        "django": {"handlers": []},
        "django.request": {"filters": ["not answered"]},
    },
    "root": {"handlers": ["console"], "level": env.choice("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")},
}

# --- watching: each empty for none ---
# Touched by a worker or a schedule that turns.
ALIVE_PATH = env.str("ALIVE_PATH", default="")
# Of whoever reads /metrics.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
SENTRY_DSN = env.str("SENTRY_DSN", default="")
# The part of the address before /v1/traces, and "name=value,..." as OpenTelemetry has it.
OTEL_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="").rstrip("/")
OTEL_HEADERS = env.str("OTEL_EXPORTER_OTLP_HEADERS", default="")
# Whether questions, prompts and replies are traced too.
OTEL_CAPTURE_CONTENT = env.bool("OTEL_CAPTURE_CONTENT", default=False)

# Variables of earlier releases that are set. Reported by check diligence.W017.
FORMER_SETTINGS = former(vars())

# edgartools reads these when it is imported; it must never ask for a host of its own choosing.
os.environ.setdefault("EDGAR_LOCAL_DATA_DIR", str(DATA_DIR / "edgartools"))
# To it an empty one is an address.
os.environ.update(EDGAR_BASE_URL=EDGAR_BASE_URL, EDGAR_DATA_URL=EDGAR_DATA_URL)
# dspy would keep replies in the home folder; nothing of ours is cached by it.
os.environ.setdefault("DSPY_CACHEDIR", str(DATA_DIR / "dspy"))
# A search multiplies small matrices: the threads of OpenBLAS would spin beside it and halve the machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# What could not be read above: (variable, what is expected). Reported by check diligence.E002.
ENVIRONMENT_PROBLEMS = env.problems
