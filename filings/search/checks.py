"""System checks of the search settings. Each says what is wrong, in which variable, and what to write instead."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning

from diligence.hints import register
from diligence.url_settings import LOOPBACK, split

# Of an index and an alias: lower case, no wildcard, no leading sign.
# https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-indices-create
INDEX = re.compile(r"[a-z0-9][a-z0-9_.-]{0,99}")

Configs = Sequence[AppConfig] | None


def is_http(url: str) -> bool:
    return split(url).scheme in {"http", "https"} and bool(split(url).hostname)


@register()
def elasticsearch_url(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    url = settings.ELASTICSEARCH_URL
    if not url:
        return []
    if not is_http(url):
        hint = "Write https://host:9200, or leave it empty for the embedded index."
        return [Error("ELASTICSEARCH_URL is not an http(s) address.", hint=hint, id="filings.E001")]
    parts = split(url)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK and settings.ELASTICSEARCH_API_KEY:
        hint = "Use https, and ca in ELASTICSEARCH_OPTIONS for a certificate authority of your own."
        message = "ELASTICSEARCH_API_KEY would be sent unencrypted to another machine."
        return [Warning(message, hint=hint, id="filings.W001")]
    return []


@register()
def elasticsearch_ca(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if not settings.ELASTICSEARCH_CA or Path(settings.ELASTICSEARCH_CA).is_file():
        return []
    hint = "Name the file with the certificate authority in PEM format, or leave it empty."
    return [Error("ca in ELASTICSEARCH_OPTIONS is not a file that is there.", hint=hint, id="filings.E002")]


@register()
def elasticsearch_index(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if INDEX.fullmatch(settings.ELASTICSEARCH_INDEX):
        return []
    hint = "Leave it unset for diligence, or use up to 100 lower-case letters, digits, and _ . - inside."
    return [Error("index in ELASTICSEARCH_OPTIONS is no name of an index.", hint=hint, id="filings.E003")]


@register()
def search_fallback(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if not settings.SEARCH_FALLBACK or settings.ELASTICSEARCH_URL:
        return []
    hint = "Set ELASTICSEARCH_URL too; without it the embedded index is the only one."
    return [
        Warning(
            "fallback in ELASTICSEARCH_OPTIONS has no effect without ELASTICSEARCH_URL.", hint=hint, id="filings.W005"
        )
    ]


@register()
def rerank_url(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    url = settings.RERANK_URL
    if not url:
        return []
    if not is_http(url):
        hint = "Write the whole address, as https://host/v1/rerank, or leave it empty for none."
        return [Error("url in RERANK is not an http(s) address.", hint=hint, id="filings.E006")]
    if split(url).scheme == "http" and split(url).hostname not in LOOPBACK and settings.RERANK_API_KEY:
        message = "RERANK_API_KEY would be sent unencrypted to another machine."
        return [Warning(message, hint="Use https.", id="filings.W006")]
    return []
