"""A template tag for what became of a saved answer."""

from django import template

from agent.runs import standing_text

register = template.Library()
register.simple_tag(standing_text.standing_of)
