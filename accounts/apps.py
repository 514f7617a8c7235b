from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    # allauth's addresses are listed as Accounts.
    verbose_name = "Accounts and limits"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import (  # noqa: F401 - registers checks and lookups, connects the signal handlers
            checks,
            lookups,
            quota_checks,
            quota_receivers,
            receivers,
        )
