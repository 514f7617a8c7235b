"""The release in the footer of a page. A tag and no context processor: error pages have no request context."""

from django import template

from diligence.version import VERSION

register = template.Library()


@register.simple_tag
def version() -> str:
    """The release, as 1.0.0."""
    return VERSION
