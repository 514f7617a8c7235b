"""Template tags about loading a company's reports from EDGAR."""

from django import template

from filings.edgar import contact

register = template.Library()


@register.simple_tag
def edgar_identity_is_set() -> bool:
    """Whether EDGAR_IDENTITY is set, without which the SEC refuses requests."""
    return contact.is_set()
