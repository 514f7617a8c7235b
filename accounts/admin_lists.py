"""Base classes for the admin's lists, which answer 400 to filters and selections that cannot be read.

Django would show all rows instead, fail, or ask the database for what it cannot read.
"""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from django import forms
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.contrib.admin.widgets import AutocompleteMixin, AutocompleteSelect
from django.core.exceptions import BadRequest, EmptyResultSet, FieldError, ValidationError
from django.core.paginator import Paginator
from django.db import DataError, NotSupportedError
from django.db.models import Field, Model, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import cached_property

Row = TypeVar("Row", bound=Model)

# Words of a search: each is looked for in each column, and SQLite accepts no expression deeper than a thousand.
MOST_WORDS, MOST_CHARACTERS = 30, 500
# Lookups that the admin would split into letters, or that may run for ever.
NEVER = {"range", "regex", "iregex"}
# No column holds a whole number beyond 64 bits.
BEYOND = 2**63
# What compiling a query may raise: a year 0, a time that UTC lacks, a lookup that the database lacks.
UNREADABLE = (
    IncorrectLookupParameters, ArithmeticError, FieldError, LookupError, NotSupportedError, TypeError, ValidationError, ValueError,
)  # fmt: skip


class CheckedList(ChangeList):
    """A list that accepts only filters the database can run. Raises BadRequest."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        if len(self.query) > MOST_CHARACTERS or len(self.query.split()) > MOST_WORDS:
            raise BadRequest(f"A search has at most {MOST_WORDS} words and {MOST_CHARACTERS} characters.")
        if refused := {name.rpartition("__")[2] for name in self.filter_params} & NEVER:
            raise BadRequest(f"Lists cannot be filtered by {min(refused)}.")
        try:
            found: QuerySet[Any] = super().get_queryset(request, exclude_parameters)
            check_compiled(found)
        except UNREADABLE as error:
            if not self.params:
                raise
            raise BadRequest("The filter cannot be read.") from error
        return found

    def get_results(self, request: HttpRequest) -> None:
        try:
            super().get_results(request)
        # Errors that only PostgreSQL detects.
        except DataError as error:
            raise BadRequest("The filter cannot be read.") from error


def check_compiled(found: QuerySet[Any]) -> None:
    """Raises one of the errors in UNREADABLE if the database cannot run the query."""
    try:
        _, values = found.query.sql_with_params()
    except EmptyResultSet:
        return
    if any(isinstance(value, int) and not -BEYOND <= value < BEYOND for value in values):
        raise OverflowError


def get_changelist(self: "ModelAdmin[Any]", request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
    """Replaces ModelAdmin's method, so that every list is a CheckedList."""
    return CheckedList


def response_action(self: "ModelAdmin[Any]", request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponseBase | None:
    """Replaces ModelAdmin's method: checks every selected key first. Raises BadRequest."""
    if not all(is_key(self.opts.pk, key) for key in request.POST.getlist(ACTION_CHECKBOX_NAME)):
        raise BadRequest("The selection cannot be read.")
    return own_response_action(self, request, queryset)


def get_object(
    self: "ModelAdmin[Row]", request: HttpRequest, object_id: str, from_field: str | None = None
) -> Row | None:
    """Replaces ModelAdmin's method: treats an empty column name as none."""
    return own_get_object(self, request, object_id, from_field or None)


def optgroups(
    self: AutocompleteMixin, name: str, value: Sequence[str], attrs: dict[str, Any] | None = None
) -> list[Any]:
    """Replaces AutocompleteSelect's method: ignores values that cannot be keys when a form is shown again."""
    model = self.field.remote_field.model
    key = model._meta.get_field(getattr(self.field.remote_field, "field_name", model._meta.pk.attname))
    groups: list[Any] = own_optgroups(self, name, [one for one in value if not one or is_key(key, one)], attrs)
    return groups


def is_key(field: "Field[Any, Any]", text: object) -> bool:
    """Whether a value fits a column."""
    try:
        field.to_python(text)
    except ValidationError:
        return False
    return True


own_optgroups = AutocompleteSelect.optgroups
own_response_action, own_get_object = ModelAdmin.response_action, ModelAdmin.get_object


class BoundedPaginator(Paginator):  # type: ignore[type-arg] # Django's takes no argument when it runs
    """Counts at most LIMIT rows, because counting all facts or chunks would read the whole table."""

    LIMIT = 10_000

    @cached_property
    def count(self) -> int:
        return min(self.counted, self.LIMIT)

    @property
    def is_cut(self) -> bool:
        """Whether there are more rows than counted, which no page shows."""
        return self.counted > self.LIMIT

    @cached_property
    def counted(self) -> int:
        """The rows to count, by keys only, in the list's order, so that an index fits its filter."""
        return cast("QuerySet[Any]", self.object_list).values("pk")[: self.LIMIT + 1].count()


class OneALine(forms.CharField):
    """A form field for a list of texts, one on each line."""

    widget = forms.Textarea(attrs={"rows": 4, "cols": 60})

    def prepare_value(self, value: Any) -> str:
        return "\n".join(value) if isinstance(value, list) else value or ""

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override] # a list in place of a text
        lines = value if isinstance(value, list) else str(value or "").splitlines()
        return list(dict.fromkeys(text for line in lines if (text := " ".join(line.split()))))


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # Django's takes no argument when it runs
    """Data that is never edited by hand, because it can be rebuilt from its source."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyInline(admin.TabularInline):  # type: ignore[type-arg] # Django's takes no argument when it runs
    """Read-only rows on another page."""

    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
