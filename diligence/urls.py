"""URLs of the site."""

from django.conf import settings
from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path
from django.utils.functional import lazy
from django.views.generic import RedirectView

from diligence import health, metrics

# The tables of sign-in with a provider are always there, its pages only where one is configured.
SIGN_IN = (
    [path("", include("allauth.urls"))]
    if settings.OIDC
    else [path("", include("allauth.account.urls")), path("2fa/", include("allauth.mfa.urls"))]
)

handler400 = "agent.web.api.problems.bad_request"
urlpatterns = [
    path("", include("agent.urls")),
    path("", include("filings.urls")),
    path("", include("accounts.urls")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    # Browsers look here for pages that name no icon.
    path("favicon.ico", RedirectView.as_view(url=lazy(static, str)("favicon.svg")), name="favicon"),
    path("api/v1/", include("agent.web.api.urls")),
    path("admin/", admin.site.urls),
    path("accounts/", include(SIGN_IN)),
]
