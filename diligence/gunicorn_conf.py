"""gunicorn's configuration: `gunicorn --config python:diligence.gunicorn_conf diligence.wsgi`.

HOST, PORT and WEB_WORKERS come from the environment.
"""

import os
import tempfile
from typing import Any

from gunicorn.glogging import Logger as Own


class Logger(Own):
    """Logs through our handlers, so that all lines have one format."""

    def setup(self, cfg: Any) -> None:
        """Called once, before the settings are read; parent loggers are set up with them."""
        super().setup(cfg)
        for logger in (self.error_log, self.access_log):
            logger.handlers.clear()
            logger.propagate = True


bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or '8000'}"
workers = int(os.environ.get("WEB_WORKERS") or 2)
worker_class = "diligence.web_server.WebWorker"
threads = 4
# Longer than a page waits before it polls: closing at the same moment would lose a request.
keepalive = 15
# One copy of the code in memory, and wrong settings are reported once.
preload_app = True
loglevel = "warning"
logger_class = Logger
# Workers signal that they live through a file, which a slow disk would delay.
worker_tmp_dir = tempfile.gettempdir()
