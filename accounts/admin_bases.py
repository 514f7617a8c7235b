"""What lists and forms of the admin are made of, in every app."""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property


class BoundedPaginator(Paginator):  # type: ignore[type-arg] # Django's takes no argument when it runs
    """Counts no further than anybody turns pages: COUNT(*) over all facts or all chunks reads the whole table."""

    LIMIT = 10_000

    @cached_property
    def count(self) -> int:
        return min(self.counted, self.LIMIT)

    @property
    def is_cut(self) -> bool:
        """Whether there are more rows than are counted, which no page shows."""
        return self.counted > self.LIMIT

    @cached_property
    def counted(self) -> int:
        """Of keys alone: a sum that a list adds to its rows would be worked out for each. In the order of the list, by
        which an index is found for its filter."""
        return cast("QuerySet[Any]", self.object_list).values("pk")[: self.LIMIT + 1].count()


class OneALine(forms.CharField):
    """A list of texts, one a line."""

    widget = forms.Textarea(attrs={"rows": 4, "cols": 60})

    def prepare_value(self, value: Any) -> str:
        return "\n".join(value) if isinstance(value, list) else value or ""

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override] # a list in place of a text
        lines = value if isinstance(value, list) else str(value or "").splitlines()
        return list(dict.fromkeys(text for line in lines if (text := " ".join(line.split()))))


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # Django's takes no argument when it runs
    """What is looked at and never edited by hand: it can be rebuilt from its source."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyInline(admin.TabularInline):  # type: ignore[type-arg] # Django's takes no argument when it runs
    """Rows below another page, to look at."""

    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
