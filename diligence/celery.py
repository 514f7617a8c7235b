"""The Celery application. Tasks carry ids only; the database row is the truth."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")

app = Celery("diligence")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
