"""The reference deployment: its shape, its commands, its variables. Nothing here starts a container."""

import re
from typing import Any

import pytest
import yaml

from tests.support.processes import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
PROCESSES = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text(encoding="utf-8").splitlines())
# Read by the Procfile's commands and not by the settings.
OF_COMMANDS = {"HOST", "PORT", "WEB_WORKERS"}


def test_every_process_of_the_procfile_is_a_service_and_no_other() -> None:
    commands = {name: service["command"] for name, service in OURS.items() if name != "setup"}
    assert commands == {name: ["honcho", "--env", "/dev/null", "start", name] for name in PROCESSES}
    assert set(SERVICES) - set(OURS) == {"postgres", "redis", "elasticsearch"}


def test_every_variable_is_one_that_is_read() -> None:
    settings = (ROOT / "diligence" / "settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', settings))
    assert {"DATABASE_URL", "ELASTICSEARCH_URL"} <= read
    for name, service in OURS.items():
        given = {variable.removesuffix("_FILE") for variable in service["environment"]}
        assert given - OF_COMMANDS <= read, name
        assert {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "ELASTICSEARCH_URL"} <= given, name
    started = "".join(PROCESSES.values())
    assert all(f"${{{variable}:-" in started for variable in OF_COMMANDS)


def test_secrets_come_from_files_and_have_no_default() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert not re.search(r"(PASSWORD|SECRET_KEY|API_KEY)\w*:\s*[^/\s$]", re.sub(r"_FILE: /run/secrets/\w+", "", text))
    for name, service in SERVICES.items():
        used = {
            str(value).removeprefix("/run/secrets/")
            for value in service.get("environment", {}).values()
            if str(value).startswith("/run/secrets/")
        }
        assert used == set(service.get("secrets", ())), name
    assert all(secret["file"] == f"./secrets/{name}" for name, secret in COMPOSE["secrets"].items())
    for ignored in (".gitignore", ".dockerignore"):
        assert re.search(r"^secrets/?$", (ROOT / ignored).read_text(encoding="utf-8"), re.MULTILINE)


def test_only_the_web_server_is_published_and_on_this_machine_only() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {"web": ["127.0.0.1:${PORT:-8000}:8000"]}
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert all(service["networks"] == ["inside"] for name, service in SERVICES.items() if name not in OURS)


@pytest.mark.parametrize("name", ["web", "postgres", "redis", "elasticsearch"])
def test_a_server_is_waited_for_until_it_is_healthy(name: str) -> None:
    check = SERVICES[name]["healthcheck"]
    assert check["test"][0] in {"CMD", "CMD-SHELL"}
    assert {"interval", "timeout", "retries"} <= set(check)


def test_what_depends_on_a_service_names_one_and_waits_rightly() -> None:
    for name, service in SERVICES.items():
        for other, how in service.get("depends_on", {}).items():
            healthy = "healthcheck" in SERVICES[other]
            expected = "service_healthy" if healthy else "service_completed_successfully"
            assert how["condition"] == expected, (name, other)
    assert all("setup" in service["depends_on"] for name, service in OURS.items() if name != "setup")


def test_what_is_kept_is_in_a_volume() -> None:
    mounted = {volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())}
    assert mounted == set(COMPOSE["volumes"]) == {"data", "postgres", "redis", "elasticsearch"}
    assert all("data:/data" in service["volumes"] for service in OURS.values())


def test_elasticsearch_is_of_the_major_version_of_its_client() -> None:
    client = re.search(r'"elasticsearch>=(\d+)', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert client
    assert SERVICES["elasticsearch"]["image"].startswith(f"elasticsearch:{client[1]}.")


def test_the_image_is_made_of_the_lock_and_runs_as_nobody_in_particular() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert "RUN pip install --no-deps --require-hashes --requirement requirements.lock" in lines
    assert lines.index("USER diligence") > lines.index("COPY . .")
    assert not any("http" in line for line in lines)
