"""How gunicorn serves the site: `gunicorn --config python:diligence.gunicorn_conf diligence.wsgi`.

HOST, PORT and WEB_WORKERS come from the environment.
"""

import os
import tempfile
from typing import Any

from gunicorn.glogging import Logger as Own


class Logger(Own):
    """Its lines go where all others go, so that a process has one form of line."""

    def setup(self, cfg: Any) -> None:
        """Called once, before the settings are read; the loggers above these are set up with them."""
        super().setup(cfg)
        for logger in (self.error_log, self.access_log):
            logger.handlers.clear()
            logger.propagate = True


bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or '8000'}"
workers = int(os.environ.get("WEB_WORKERS") or 2)
worker_class = "diligence.web_server.WebWorker"
threads = 4
# Longer than a page waits before it asks again: a connection that is closed in the same moment loses a request.
keepalive = 15
# One copy of the code in memory, and settings that are wrong are told once.
preload_app = True
loglevel = "warning"
logger_class = Logger
# Its workers say that they live by a file, which a disk would make them wait for.
worker_tmp_dir = tempfile.gettempdir()
