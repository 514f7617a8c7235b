"""System checks of the settings. Each says what is wrong, in which variable, and what to write instead."""

import os
from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.core.exceptions import ImproperlyConfigured

from diligence import secret_key as key_file
from diligence.hints import register
from diligence.url_settings import LOOPBACK, is_sec, split
from filings.edgar import contact
from filings.models.source_kinds import kinds_filed

# https://www.sec.gov/os/accessing-edgar-data
SEC_REQUESTS_PER_SECOND = 10
LEAST_TOKEN = 16

Configs = Sequence[AppConfig] | None


@register()
def secret_key(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    try:
        found = bool(settings.SECRET_KEY)
    except ImproperlyConfigured:
        found = False
    if found:
        return []
    path = settings.SECRET_KEY_PATH
    if path and (wrong := key_file.problem(path)):
        hint = (
            'Make the file readable for this user. Or delete it, and "make run" writes another one: everybody has to '
            "sign in again, and authenticator apps have to be set up again."
        )
        return [Error(f"SECRET_KEY is not set, and {path} {wrong}.", hint=hint, id="diligence.E001")]
    hint = (
        'Set SECRET_KEY, or SECRET_KEY_FILE, to a long random text. On one machine, "make run" writes one to DATA_DIR.'
    )
    return [Error("SECRET_KEY is not set.", hint=hint, id="diligence.E001")]


@register()
def readable(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    return [
        Error(expected, hint=f"Correct {variable} in the environment or in .env.", id="diligence.E002")
        for variable, expected in settings.ENVIRONMENT_PROBLEMS
    ]


@register()
def former(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    """Warns of variables of earlier releases."""
    return [
        Warning(f"{name} is a setting of an earlier release.", hint=hint, id="diligence.W017")
        for name, hint in settings.FORMER_SETTINGS.items()
    ]


@register()
def redis_url(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if not settings.REDIS_URL or split(settings.REDIS_URL).scheme in {"redis", "rediss", "unix"}:
        return []
    hint = "Write redis://host:6379/0, or leave it empty to queue in DATA_DIR."
    return [Error("REDIS_URL is not a Redis address.", hint=hint, id="diligence.E004")]


@register()
def data_dir(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    folder = settings.DATA_DIR
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return []
    hint = "Make the folder writable for this user, or set DATA_DIR to one that is."
    return [Error(f"DATA_DIR ({folder}) is not a folder that can be written to.", hint=hint, id="diligence.E005")]


@register()
def edgar_identity(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    identity, sec = settings.EDGAR_IDENTITY, is_sec(settings.EDGAR_BASE_URL)
    if not identity:
        hint = f"Set {contact.TO_SET} before you ingest; SEC refuses requests without it."
        return [Warning("EDGAR_IDENTITY is not set.", hint=hint, id="diligence.W006")] if sec else []
    if contact.is_named(identity):
        return []
    hint = f"Write a name and an e-mail address: {contact.TO_SET}."
    return [Error("EDGAR_IDENTITY does not name a person to contact.", hint=hint, id="diligence.E006")]


@register()
def edgar_url(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    url = split(settings.EDGAR_BASE_URL)
    if url.scheme not in {"http", "https"} or not url.hostname:
        hint = "Leave it unset for SEC itself, or write the address of a local EDGAR: http://127.0.0.1:8765."
        return [Error("EDGAR_BASE_URL is not an http(s) address.", hint=hint, id="diligence.E007")]
    if not is_sec(settings.EDGAR_BASE_URL) and url.hostname not in LOOPBACK:
        hint = "Filings are only as good as their source: point it to SEC or to a mirror of your own."
        return [Warning("EDGAR_BASE_URL is neither SEC nor this machine.", hint=hint, id="diligence.W007")]
    return []


@register()
def edgar_rate(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    rate = settings.EDGAR_REQUESTS_PER_SECOND
    if not rate > 0:
        hint = "Leave it unset for 8 requests a second."
        return [Error("EDGAR_REQUESTS_PER_SECOND must be more than 0.", hint=hint, id="diligence.E008")]
    if rate <= SEC_REQUESTS_PER_SECOND or not is_sec(settings.EDGAR_BASE_URL):
        return []
    hint = (
        f"SEC blocks anyone who sends more than {SEC_REQUESTS_PER_SECOND} requests a second. To go faster, point "
        "EDGAR_BASE_URL to a mirror of your own."
    )
    message = f"EDGAR_REQUESTS_PER_SECOND must be at most {SEC_REQUESTS_PER_SECOND} while SEC is asked."
    return [Error(message, hint=hint, id="diligence.E008")]


@register()
def allowed_hosts(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if settings.DEBUG or "*" not in settings.ALLOWED_HOSTS:
        return []
    hint = "Name the hosts: ALLOWED_HOSTS=diligence.example.com,localhost."
    return [Error("ALLOWED_HOSTS accepts every host.", hint=hint, id="diligence.E009")]


@register()
def ingest_forms(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    hint = "Leave it unset for 10-K,10-Q,8-K."
    try:
        problem = "" if kinds_filed(settings.INGEST_FORMS) else "no kind of document is named."
    except ValueError as error:
        problem = str(error)
    return [Error(f"INGEST_FORMS: {problem}", hint=hint, id="diligence.E024")] if problem else []


@register()
def embedding_endpoint(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    if settings.EMBEDDING_BASE_URL:
        url = split(settings.EMBEDDING_BASE_URL)
        if url.scheme not in {"http", "https"} or not url.hostname:
            hint = "Write the address that /embeddings follows: http://127.0.0.1:8080/v1."
            found.append(Error("EMBEDDING_BASE_URL is not an http(s) address.", hint=hint, id="diligence.E013"))
        elif url.scheme == "http" and url.hostname not in LOOPBACK and settings.EMBEDDING_API_KEY:
            hint = "Use https, so that the key and the questions cannot be read on the way."
            message = "EMBEDDING_API_KEY is sent without encryption."
            found.append(Warning(message, hint=hint, id="diligence.W013"))
        if not settings.EMBEDDING_MODEL or not settings.EMBEDDING_DIMENSIONS:
            hint = "Name the endpoint's model and the length of its vectors: EMBEDDING_OPTIONS=model=name,dimensions=1536."
            message = "EMBEDDING_BASE_URL is set without model and dimensions in EMBEDDING_OPTIONS."
            found.append(Error(message, hint=hint, id="diligence.E014"))
    elif settings.EMBEDDING_MODEL:
        hint = "Set EMBEDDING_BASE_URL to the endpoint that has it, or leave both empty for the model on this machine."
        message = "EMBEDDING_OPTIONS names a model without EMBEDDING_BASE_URL."
        found.append(Error(message, hint=hint, id="diligence.E014"))
    return found


@register()
def at_least_one(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    values = {
        "answer in WORKER_CONCURRENCY": settings.ANSWER_CONCURRENCY,
        "ingest in WORKER_CONCURRENCY": settings.INGEST_CONCURRENCY,
        "import_bytes in INGEST_LIMITS": settings.IMPORT_MOST_BYTES,
    }
    return [
        Error(f"{name} must be 1 or more.", hint="Leave it unset for the default.", id="diligence.E016")
        for name, value in values.items()
        if value < 1
    ]


@register()
def watching(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    url = split(settings.OTEL_ENDPOINT)
    if settings.OTEL_ENDPOINT and (url.scheme not in {"http", "https"} or not url.hostname):
        hint = "Write the address that /v1/traces follows: http://127.0.0.1:4318."
        found.append(Error("OTEL_EXPORTER_OTLP_ENDPOINT is not an http(s) address.", hint=hint, id="diligence.E017"))
    if settings.SENTRY_DSN and not split(settings.SENTRY_DSN).username:
        hint = "Copy it from the project's settings: https://key@host/number."
        found.append(Error("SENTRY_DSN is not the address of a project.", hint=hint, id="diligence.E018"))
    if 0 < len(settings.METRICS_TOKEN) < LEAST_TOKEN:
        hint = "Take a random one: openssl rand -hex 32."
        message = f"METRICS_TOKEN has fewer than {LEAST_TOKEN} characters."
        found.append(Warning(message, hint=hint, id="diligence.W016"))
    return found
