from typing import Any

from django.apps import AppConfig
from django.apps import apps as registry
from django.apps.registry import Apps
from django.db.models.signals import post_migrate


class FilingsConfig(AppConfig):
    name = "filings"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from filings.importing import checks as importing_checks  # noqa: F401 - registers the system checks
        from filings.ingest import receivers  # noqa: F401 - registers the system checks, connects the signal handlers
        from filings.search import checks  # noqa: F401 - registers the system checks, connects the signal handlers

        post_migrate.connect(seed, sender=self)


def seed(apps: Apps = registry, **kwargs: Any) -> None:
    """Store the synonyms of the data file in every new database.

    A flush sends this signal without an app registry.
    """
    try:
        apps.get_model("filings", "Synonym")
    except LookupError:  # migrated back to a time before them
        return
    from filings.search.synonyms import store_synonyms

    store_synonyms()
