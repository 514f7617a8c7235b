"""URLs of the site."""

from django.contrib import admin
from django.urls import include, path

from diligence import health, metrics

urlpatterns = [
    path("", include("agent.urls")),
    path("", include("filings.urls")),
    path("", include("accounts.urls")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("api/v1/", include("agent.api.urls")),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
]
