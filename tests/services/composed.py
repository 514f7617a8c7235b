"""A service of compose.yaml as a process of this machine, and the proxy before its web server.

Of a container only its addresses are others: host names are servers of the test, /tmp, /data and /venv folders of it.
Where this machine lets us, its file system is read-only but for these, and it has no capabilities, as there.
"""

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import httpx

from tests.support.processes import ROOT, living
from tests.test_compose import OURS, SECRETS, STAGES, variables

# Folders to write to, --, mounts to write to no longer, --, and the command.
CONTAIN = """
until [ "$1" = -- ]; do mount --bind "$1" "$1"; shift; done; shift
until [ "$1" = -- ]; do mount -o remount,bind,ro "$1"; shift; done; shift
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
"""
# A container has these of its kernel, not of its image.
OF_KERNEL = re.compile(r"/(proc|sys|dev)(/|$)")


def contained(command: list[str], writable: list[Path]) -> list[str]:
    """The command as the same process, in a mount namespace in which it can write to these folders only."""
    mounts = (line.split()[1:4] for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines())
    places = [at for at, _, how in mounts if "ro" not in how.split(",") and not OF_KERNEL.match(at)]
    here = [at.encode().decode("unicode_escape") for at in places]  # a space is written \040
    return ["unshare", "--mount", "sh", "-ec", CONTAIN, "sh", *map(str, writable), "--", *here, "--", *command]


@cache
def uncontained() -> str:
    """Why nothing can be contained on this machine, which takes root; empty where it can."""
    try:
        tried = subprocess.run(contained(["true"], []), capture_output=True, text=True, check=False)
    except FileNotFoundError as missing:
        return str(missing)
    return tried.stderr.strip() if tried.returncode else ""


class Service:
    """A service of compose.yaml as a process: Docker's way to start it, to ask for its health and to stop it."""

    def __init__(self, name: str, folder: Path, places: dict[str, str], **others: str) -> None:
        self.told: dict[str, Any] = OURS[name]
        self.places, self.tmp, self.log = places, folder / name, folder / f"{name}.log"
        volumes = (volume.partition(":")[2] for volume in self.told["volumes"])
        memory = (tmpfs.partition(":")[0] for tmpfs in self.told["tmpfs"])
        # All that it may write to: volumes are shared with the others, memory is its own.
        self.writable = {at: folder / at.strip("/") for at in volumes} | dict.fromkeys(memory, self.tmp)
        for made in self.writable.values():
            made.mkdir(exist_ok=True)
        secrets = {secret: self.placed(value) for secret, value in SECRETS.items()}
        given = variables(folder, name, **secrets)
        given["ALIVE_PATH"] = self.placed(given["ALIVE_PATH"])
        given["DATA_DIR"] = str(self.writable["/data"])
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

    def contained(self, command: list[str]) -> list[str]:
        if uncontained() or not self.told["read_only"]:
            return command
        return contained(command, [*self.writable.values()])

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """What becomes of a command in its container."""
        return subprocess.run(
            self.contained([*command]), cwd=ROOT, env=self.environment, check=False, capture_output=True, text=True
        )

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.contained(self.command),
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

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
        return not self.run(*command).returncode

    @property
    def grace(self) -> float:
        """Seconds from the signal to the kill: ten, unless compose.yaml says otherwise."""
        number, unit = re.fullmatch(r"(\d+)([sm])", self.told.get("stop_grace_period", "10s")).groups()  # type: ignore[union-attr]
        return float(number) * {"s": 1, "m": 60}[unit]


class Proxy(httpx.HTTPTransport):
    """Speaks https with a browser and says so to the web server, as those of docs/installing.md do."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        told = {**request.headers, "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
        url = request.url.copy_with(scheme="http")
        return super().handle_request(httpx.Request(request.method, url, headers=told, stream=request.stream))
