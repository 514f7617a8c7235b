"""A service of compose.yaml as a process of this machine, and the proxy before its web server.

Of a container only its addresses are others: host names are servers of the test, /tmp, /data and /venv folders of it.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

from tests.support.processes import ROOT, living
from tests.test_compose import OURS, SECRETS, STAGES, variables


class Service:
    """A service of compose.yaml as a process: Docker's way to start it, to ask for its health and to stop it."""

    def __init__(self, name: str, folder: Path, places: dict[str, str], **others: str) -> None:
        self.told: dict[str, Any] = OURS[name]
        self.places, self.tmp, self.log = places, folder / name, folder / f"{name}.log"
        self.tmp.mkdir()
        secrets = {secret: self.placed(value) for secret, value in SECRETS.items()}
        given = variables(folder, name, **secrets)
        given |= {"REDIS_URL": self.placed(given["REDIS_URL"]), "ALIVE_PATH": self.placed(given["ALIVE_PATH"])}
        self.environment = {**self.of_image(), "HOME": str(self.tmp), "TMPDIR": str(self.tmp), **given, **others}
        self.process: subprocess.Popen[bytes] | None = None

    def placed(self, text: str) -> str:
        """A text of compose.yaml with the addresses of this machine."""
        for address, here in {**self.places, "/tmp/": f"{self.tmp}/", "$$": "$"}.items():  # noqa: S108 - of the container
            text = text.replace(address, here)
        return text

    def of_image(self) -> dict[str, str]:
        """What the image says to each of its processes."""
        (line,) = (argument for instruction, argument in STAGES[-1].steps if instruction == "ENV")
        told = dict(pair.split("=", 1) for pair in line.split())
        return told | {"PATH": told["PATH"].replace("/venv", sys.prefix).replace("$PATH", os.environ["PATH"])}

    @property
    def command(self) -> list[str]:
        steps = dict(STAGES[-1].steps)
        return [*json.loads(steps.get("ENTRYPOINT", "[]")), *(self.told.get("command") or json.loads(steps["CMD"]))]

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, env=self.environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )  # fmt: skip

    def ended(self, within: float) -> int:
        """Its exit code. Raises TimeoutExpired; nothing of it is left otherwise."""
        assert self.process
        code = self.process.wait(within)
        assert living(group=self.process.pid) == []
        return code

    def is_healthy(self) -> bool:
        assert self.process
        assert self.process.poll() is None, self.log.read_text()[-4000:]
        kind, *check = map(self.placed, self.told["healthcheck"]["test"])
        command = check if kind == "CMD" else ["/bin/sh", "-c", *check]
        return not subprocess.run(command, env=self.environment, check=False, capture_output=True).returncode

    @property
    def grace(self) -> float:
        """Seconds from the signal to the kill: ten, unless compose.yaml says otherwise."""
        number, unit = re.fullmatch(r"(\d+)([sm])", self.told.get("stop_grace_period", "10s")).groups()  # type: ignore[union-attr]
        return float(number) * {"s": 1, "m": 60}[unit]


class Proxy(httpx.HTTPTransport):
    """Speaks https with a browser and says so to the web server, as README.md's do."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        told = {**request.headers, "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
        url = request.url.copy_with(scheme="http")
        return super().handle_request(httpx.Request(request.method, url, headers=told, stream=request.stream))
