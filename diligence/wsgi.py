"""WSGI entry point for gunicorn."""

import os

from django.core.wsgi import get_wsgi_application

from diligence.gc_tuning import settle
from diligence.nul_bytes import Request

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")

application = get_wsgi_application()
application.request_class = Request

settle()
