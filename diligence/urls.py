"""URLs of the site."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("agent.urls")),
    path("", include("filings.urls")),
    path("", include("accounts.urls")),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
]
