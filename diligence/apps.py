from pathlib import Path

from django.apps import AppConfig
from django.conf import settings


class DiligenceConfig(AppConfig):
    name = "diligence"

    def ready(self) -> None:
        from diligence import checks, errors  # noqa: F401 - registers the system checks

        make_folders()
        errors.start()


def make_folders() -> None:
    """Create the folders of DATA_DIR for web, worker and commands, readable by their owner only.

    A folder that cannot be created is reported by check diligence.E005.
    """
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    broker = [options[name] for name in ("data_folder_in", "control_folder") if name in options]
    for folder in (settings.DATA_DIR, *map(Path, broker)):
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            return
