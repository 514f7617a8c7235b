"""Template tag that lists the workbench pages on the admin's first page."""

from typing import Any

from django import template

from filings.web.admin_pages import Page, pages_for

register = template.Library()


@register.simple_tag(takes_context=True)
def workbench_pages(context: dict[str, Any]) -> list[Page]:
    """The pages that the signed-in person may see."""
    return pages_for(context["request"].user)
