"""WSGI entry point for gunicorn."""

import gc
import os

from django.core.wsgi import get_wsgi_application

from diligence.nul import Request

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")

application = get_wsgi_application()
application.request_class = Request

# A table makes a hundred thousand objects and drops them. By Python's own numbers that was up to three full collections
# in one request, each of which looked at all that was ever loaded: a third of the time of a grid. What is loaded here
# stays, and is looked at no more; the rest is looked at after some requests, not several times in each.
gc.collect()
gc.freeze()
gc.set_threshold(5_000, 10, 5)
