from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    # allauth's addresses are listed as Accounts.
    verbose_name = "Accounts and limits"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        pass
