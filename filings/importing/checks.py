"""System checks of the news settings. Each says what is wrong, in which variable, and what to write instead."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning

from diligence.hints import register
from diligence.url_settings import LOOPBACK, split
from filings.importing.news_addresses import domains, is_domain

SHOWN = 3

Configs = Sequence[AppConfig] | None


@register()
def news_service(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    if not settings.NEWS_BASE_URL:
        if not settings.NEWS_API_KEY:
            return []
        hint = "Write NEWS_BASE_URL=https://api.tavily.com, or leave both empty for no news."
        return [Error("NEWS_API_KEY is set without NEWS_BASE_URL.", hint=hint, id="filings.E008")]
    url = split(settings.NEWS_BASE_URL)
    if url.scheme not in {"http", "https"} or not url.hostname:
        hint = "Write the address that /search follows: https://api.tavily.com. Or leave it empty for no news."
        return [Error("NEWS_BASE_URL is not an http(s) address.", hint=hint, id="filings.E007")]
    if not settings.NEWS_API_KEY:
        hint = "Write the key of the service; one that wants none takes any text."
        return [Error("NEWS_BASE_URL is set without NEWS_API_KEY.", hint=hint, id="filings.E008")]
    if url.scheme == "http" and url.hostname not in LOOPBACK:
        message = "NEWS_API_KEY would be sent unencrypted to another machine."
        return [Warning(message, hint="Begin NEWS_BASE_URL with https.", id="filings.W007")]
    return []


@register()
def news_domains(app_configs: Configs = None, **kwargs: Any) -> list[CheckMessage]:
    wrong = [entry for entry in domains(settings.NEWS_DOMAINS) if not is_domain(entry)]
    if not wrong:
        return []
    shown = ", ".join(wrong[:SHOWN]) + (f" and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else "")
    hint = "Write names alone, separated by commas: example.com,news.example.org. Leave it empty for every domain."
    return [Error(f"NEWS_DOMAINS has entries that name no domain: {shown}.", hint=hint, id="filings.E011")]
