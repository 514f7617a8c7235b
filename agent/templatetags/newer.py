"""What a page says of 10-Ks that came after an answer."""

from django import template

from accounts.identity import Identity
from agent import newer
from agent.models import Run
from filings.models import Filing

register = template.Library()


@register.simple_tag
def newer_filing(run: Run) -> Filing | None:
    """The latest 10-K of the company asked about, where it came after the answer."""
    return newer.of_run(run)


@register.simple_tag
def newer_filings(identity: Identity) -> list[newer.Newer]:
    """The latest 10-Ks that came after answers of one's own."""
    return newer.of_history(identity)
