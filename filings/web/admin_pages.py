"""Registers admin pages that are not lists of a table, and lists them on the admin's first page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.urls.resolvers import URLResolver
from django.views.decorators.http import require_safe

from accounts.models import User

View = Callable[..., HttpResponse]


@dataclass(frozen=True)
class Page:
    """name: of the address, `admin:<name>`. about: its purpose in a few words; empty for a subpage."""

    route: str
    name: str
    title: str
    about: str
    permission: str
    view: View


PAGES: list[Page] = []


def page(route: str, name: str, title: str, about: str, permission: str) -> Callable[[View], View]:
    """Register a view as a read-only admin page, for staff with the permission."""

    def registered(view: View) -> View:
        @require_safe
        def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            if not request.user.has_perm(permission):
                raise PermissionDenied
            return view(request, **kwargs)

        PAGES.append(Page(route, name, title, about, permission, guarded))
        return view

    return registered


def pages_for(user: User | AnonymousUser) -> list[Page]:
    """The pages listed for a person on the first page."""
    return [one for one in PAGES if one.about and user.has_perm(one.permission)]


def context(request: HttpRequest, title: str, **more: Any) -> dict[str, Any]:
    """The context of every admin page."""
    return {**admin.site.each_context(request), "title": title, **more}


def urls() -> list[URLPattern | URLResolver]:
    """The addresses of the pages, before those of the lists, which match anything."""
    found: list[URLPattern | URLResolver] = [
        path(one.route, admin.site.admin_view(one.view), name=one.name) for one in PAGES
    ]
    return [*found, *of_lists()]


of_lists = admin.site.get_urls
admin.site.get_urls = urls  # type: ignore[method-assign]
