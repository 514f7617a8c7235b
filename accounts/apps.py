from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    # allauth's addresses are listed as Accounts.
    verbose_name = "Accounts and limits"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import checks, receivers, safe_lookups  # noqa: F401 - checks and lookups, and handlers of signals
