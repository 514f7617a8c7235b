"""The reference deployment: its shape, its commands, its variables. Nothing here starts a container."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from pytest_django import Settings

from diligence.celery import app
from diligence.management.commands.worker import arguments
from filings.ingest import isolated_reading
from tests.support.processes import ROOT, forked

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
PROCESSES = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text(encoding="utf-8").splitlines())


@dataclass
class Stage:
    """One FROM of the Dockerfile, and (instruction, argument) after it."""

    image: str
    name: str
    steps: list[tuple[str, str]]


def stages(text: str) -> list[Stage]:
    found: list[Stage] = []
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        instruction, _, argument = line.strip().partition(" ")
        if not instruction or instruction.startswith("#"):
            continue
        if instruction == "FROM":
            image, _, name = argument.partition(" AS ")
            found.append(Stage(image, name, []))
        else:
            found[-1].steps.append((instruction, argument))
    return found


STAGES = stages((ROOT / "Dockerfile").read_text(encoding="utf-8"))
# Read by the web server and not by the settings.
OF_COMMANDS = {"HOST", "PORT", "WEB_WORKERS"}
# Of the machine, in no volume and not in the folder that the image is built of.
BACKUPS = "/var/backups/diligence"


def test_every_process_of_the_procfile_is_a_service_and_no_other() -> None:
    commands = {name: service["command"] for name, service in OURS.items() if name != "setup"}
    # Without a shell or another process between: what ends a worker must reach it, and a line of its log is its own.
    assert commands == {name: line.removeprefix("exec ").split() for name, line in PROCESSES.items()}
    assert set(PROCESSES) == {"web", "worker-answer", "worker-ingest", "beat"}
    assert set(SERVICES) - set(OURS) == {"postgres", "redis", "elasticsearch"}


def test_a_queue_that_is_full_refuses_and_forgets_nothing() -> None:
    *_, script = SERVICES["redis"]["command"]
    assert re.match(r"exec redis-server - (.+) <<END\n", script)[1].split() == [  # type: ignore[index]
        *("--appendonly", "yes", "--maxmemory", "512mb", "--maxmemory-policy", "noeviction")
    ]


@pytest.mark.skipif(not shutil.which("redis-server"), reason="redis-server is not installed")
def test_the_queue_answers_nobody_without_its_password_and_shows_it_to_nobody(tmp_path: Path) -> None:
    password = "0123456789abcdef" * 4
    (tmp_path / "redis_password").write_text(password + "\n")
    (tmp_path / "made").mkdir()

    def placed(text: str) -> str:
        return (
            text.replace("/run/secrets", str(tmp_path))
            .replace("$$", "$")
            .replace("--append", f"--port {port} --append")
        )

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    kind, check = SERVICES["redis"]["healthcheck"]["test"]
    ask = placed(check).replace("redis-cli", f"redis-cli -p {port}")
    server = subprocess.Popen([placed(part) for part in SERVICES["redis"]["command"]], cwd=tmp_path / "made")
    try:
        until = time.monotonic() + 20
        while subprocess.run(["/bin/sh", "-c", ask], check=False, capture_output=True).returncode:
            assert server.poll() is None
            assert time.monotonic() < until
            time.sleep(0.05)
        stranger = subprocess.run(["redis-cli", "-p", str(port), "ping"], check=False, capture_output=True, text=True)
        assert "NOAUTH" in stranger.stdout
        without = ask.replace("redis_password", "no_such_secret")
        assert subprocess.run(["/bin/sh", "-c", without], check=False, capture_output=True).returncode
        for seen in ("cmdline", "environ"):
            assert password not in Path(f"/proc/{server.pid}/{seen}").read_text()
        assert Path(f"/proc/{server.pid}/comm").read_text() == "redis-server\n"
        assert kind == "CMD-SHELL"
    finally:
        server.terminate()
        assert server.wait(20) == 0


def test_answers_and_ingestions_have_workers_and_queues_of_their_own() -> None:
    answers, ingestions = arguments(["answer"]), arguments(["ingest"])
    assert "--queues=ask" in answers
    assert "--queues=ingest" in ingestions
    routes = {task: route["queue"] for task, route in app.conf.task_routes.items()}
    assert routes["agent.tasks.*"] == "ask"
    assert routes["filings.tasks.*"] == "ingest"


@pytest.mark.parametrize(("wide", "pool"), [(1, "solo"), (2, "threads"), (20, "threads")])
def test_a_worker_is_as_wide_as_the_settings_say(settings: Settings, wide: int, pool: str) -> None:
    settings.ANSWER_CONCURRENCY = settings.INGEST_CONCURRENCY = 1
    settings.ANSWER_CONCURRENCY = wide
    found = arguments(["answer"])
    assert f"--concurrency={wide}" in found
    assert f"--pool={pool}" in found
    assert "--concurrency=1" in arguments(["ingest"])
    assert "--pool=solo" in arguments(["ingest"])


def test_what_runs_writes_to_its_volume_and_to_memory_only() -> None:
    for name, service in OURS.items():
        assert service["read_only"] is True, name
        assert service["tmpfs"] == ["/tmp:mode=1777"], name  # noqa: S108 - of the container


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_no_capability_and_bounds_of_memory_and_processes(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert "privileged" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    memory = re.fullmatch(r"(\d+)([mg])", service["mem_limit"])
    assert memory
    assert 256 <= int(memory[1]) * {"m": 1, "g": 1024}[memory[2]] <= 8192
    assert 0 < service["pids_limit"] <= 4096


def test_a_service_has_room_for_what_it_is_told_to_hold() -> None:
    held = re.search(r"--maxmemory (\d+)mb", SERVICES["redis"]["command"][-1])
    heap = re.search(r"-Xmx(\d+)g", SERVICES["elasticsearch"]["environment"]["ES_JAVA_OPTS"])
    assert held
    assert heap
    assert SERVICES["redis"]["mem_limit"] == f"{3 * int(held[1])}m"
    assert SERVICES["elasticsearch"]["mem_limit"] == f"{3 * int(heap[1])}g"
    # Elasticsearch asks for as many threads before it starts: its bootstrap check of the largest number of threads.
    assert SERVICES["elasticsearch"]["pids_limit"] >= 4096
    # A connection of PostgreSQL is a process.
    most = re.search(r"max_connections=(\d+)", " ".join(SERVICES["postgres"]["command"]))
    assert most
    assert SERVICES["postgres"]["pids_limit"] > int(most[1])
    # One filing's reading and the worker beside it.
    assert SERVICES["worker-ingest"]["mem_limit"] == f"{isolated_reading.MOST_MEMORY // 1024**3 + 1}g"


def test_who_drops_no_privileges_needs_none() -> None:
    """Their entrypoints change the owner of the volume and then their user, where they are started as root."""
    users = {name: service.get("user") for name, service in SERVICES.items() if name not in OURS}
    assert users == {"postgres": "999:999", "redis": "999:999", "elasticsearch": None}


RELEASE = re.compile(r"(postgres:\d+\.\d+|[a-z]+:\d+\.\d+\.\d+(-slim-[a-z]+)?)@sha256:[0-9a-f]{64}")
# None older is put in their place.
LEAST = {"postgres": (17, 11), "redis": (7, 4, 11), "elasticsearch": (8, 19, 22), "python": (3, 11, 16)}


def test_images_are_official_and_pinned_to_a_release_and_to_its_digest() -> None:
    images = [service["image"] for name, service in SERVICES.items() if name not in OURS]
    images += [stage.image for stage in STAGES]
    assert {image.partition(":")[0] for image in images} == set(LEAST)
    for image in images:
        assert RELEASE.fullmatch(image), image
        name, _, release = image.partition("@")[0].partition(":")
        assert tuple(map(int, release.partition("-")[0].split("."))) >= LEAST[name], image
    assert all("@" not in service["image"] for service in OURS.values())


def test_every_variable_is_one_that_is_read() -> None:
    settings = (ROOT / "diligence" / "settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', settings))
    assert {"DATABASE_URL", "ELASTICSEARCH_URL"} <= read
    for name, service in OURS.items():
        given = {variable.removesuffix("_FILE") for variable in service["environment"]}
        assert given - OF_COMMANDS <= read, name
        assert {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "ELASTICSEARCH_URL"} <= given, name
        # Each holds a password.
        assert not {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "ELASTICSEARCH_URL"} & set(service["environment"]), name
    web = (ROOT / "diligence" / "gunicorn_conf.py").read_text(encoding="utf-8")
    assert all(f'os.environ.get("{variable}")' in web.replace("'", '"') for variable in OF_COMMANDS)


def variables(tmp_path: Path, service: str = "web", **secrets: str) -> dict[str, str]:
    """A service's environment, with .env.example as .env, of which only EDGAR_IDENTITY is filled in."""
    found = dict(re.findall(r"^([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE))
    found["EDGAR_IDENTITY"] = "Jane Roe jane@example.com"
    told = OURS[service]
    assert told["env_file"] == [{"path": ".env", "required": False}]

    def filled(match: re.Match[str]) -> str:
        name, otherwise, default = match.groups()
        assert found.get(name) or otherwise == ":-", f"{name} is not set"
        return found.get(name) or default

    for name, value in told["environment"].items():
        found[name] = re.sub(r"\$\{(\w+)(:-|:\?)([^}]*)\}", filled, value)
        if found[name].startswith("/run/secrets/"):
            file = tmp_path / Path(found[name]).name
            file.write_text(secrets[file.name] + "\n", encoding="utf-8")
            found[name] = str(file)
    return {**found, "DATA_DIR": str(tmp_path)}


SECRETS = {
    "secret_key": "0123456789abcdef" * 4,
    "database_url": "postgres://diligence:password@postgres:5432/diligence",
    "redis_url": "redis://:password@redis:6379/0",
    "elasticsearch_url": "http://elastic:password@elasticsearch:9200",
    "email_url": "smtp+tls://user:password@mail.example.com:587",
    "metrics_token": "fedcba9876543210" * 4,
}


def test_the_check_of_a_deployment_finds_nothing_with_its_variables(tmp_path: Path) -> None:
    given = variables(tmp_path, **SECRETS)
    result = forked("manage.py", "check", "--deploy", "--fail-level", "INFO", **given)
    assert result.returncode == 0, result.stderr + result.stdout
    assert "no issues" in result.stdout
    missing = variables(tmp_path, **{**SECRETS, "email_url": ""})
    code = "import django; django.setup(); from accounts import checks; print([one.id for one in checks.mail()])"
    assert forked("-c", code, **missing).stdout == "['accounts.W004']\n"


def test_secrets_come_from_files_and_have_no_default() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert not re.search(r"(PASSWORD|SECRET_KEY|API_KEY)\w*:\s*[^/\s$]", re.sub(r"_FILE: /run/secrets/\w+", "", text))
    for name, service in SERVICES.items():
        told = json.dumps([service.get("environment", {}), service["command"] if name == "redis" else ""])
        assert set(re.findall(r"/run/secrets/(\w+)", told)) == set(service.get("secrets", ())), name
    assert all(secret["file"] == f"./secrets/{name}" for name, secret in COMPOSE["secrets"].items())
    for ignored in (".gitignore", ".dockerignore"):
        assert re.search(r"^secrets/?$", (ROOT / ignored).read_text(encoding="utf-8"), re.MULTILINE)


def test_only_the_web_server_is_published_and_on_this_machine_only() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {"web": ["127.0.0.1:${PORT:-8000}:8000"]}
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert all(service["networks"] == ["inside"] for name, service in SERVICES.items() if name not in OURS)


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"setup"}))
def test_a_server_is_waited_for_until_it_is_healthy(name: str) -> None:
    check = SERVICES[name]["healthcheck"]
    assert check["test"][0] in {"CMD", "CMD-SHELL"}
    assert {"interval", "timeout", "retries"} <= set(check)


def test_what_depends_on_a_service_names_one_and_waits_rightly() -> None:
    for name, service in SERVICES.items():
        for other, how in service.get("depends_on", {}).items():
            healthy = other != "setup"
            expected = "service_healthy" if healthy else "service_completed_successfully"
            assert how["condition"] == expected, (name, other)
    assert all("setup" in service["depends_on"] for name, service in OURS.items() if name != "setup")


@pytest.mark.parametrize("name", ["worker-answer", "worker-ingest", "beat"])
def test_what_has_no_address_is_healthy_while_its_file_is_young(name: str, tmp_path: Path) -> None:
    kind, check = SERVICES[name]["healthcheck"]["test"]
    file = tmp_path / "alive"
    command = check.replace(OURS[name]["environment"]["ALIVE_PATH"], str(file)).replace("$$", "$")
    assert kind == "CMD-SHELL"

    def healthy() -> bool:
        return subprocess.run(["/bin/sh", "-c", command], check=False, capture_output=True).returncode == 0

    assert not healthy()
    file.touch()
    assert healthy()
    if name == "worker-answer":
        # As after the longest run of a worker that works on one at a time.
        begun = time.time() - max(settings.MODEL_RUN_DEADLINE.values()) - 60
        os.utime(file, (begun, begun))
        assert healthy()
    two_hours_ago = time.time() - 7200
    os.utime(file, (two_hours_ago, two_hours_ago))
    assert not healthy()


def test_the_head_says_how_every_secret_is_made() -> None:
    head = (ROOT / "compose.yaml").read_text(encoding="utf-8").partition("\nname:")[0]
    (looped,) = re.findall(r"for name in ([\w ]+);", head)
    assert {*looped.split(), *re.findall(r"> secrets/(\w+)$", head, re.MULTILINE)} == set(COMPOSE["secrets"])


def test_elasticsearch_gets_its_password_in_a_file_that_it_takes() -> None:
    head = (ROOT / "compose.yaml").read_text(encoding="utf-8").partition("\nname:")[0]
    assert "chmod 600 secrets/elastic_password && sudo chown 1000 secrets/elastic_password" in head


def test_what_is_kept_is_in_a_volume() -> None:
    mounted = {volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())}
    assert mounted - {BACKUPS} == set(COMPOSE["volumes"]) == {"data", "postgres", "redis", "elasticsearch"}
    assert all("data:/data" in service["volumes"] for service in OURS.values())


def test_backups_outlive_every_volume_and_their_user_may_write_them() -> None:
    head = (ROOT / "compose.yaml").read_text(encoding="utf-8").partition("\nname:")[0]
    commands = re.findall(r"docker compose run --rm (\S+) python manage.py (backup|restore) (/\w+)/\w+", head)
    assert [command for _, command, _ in commands] == ["backup", "restore"]
    assert all(f"{BACKUPS}:{folder}" in SERVICES[service]["volumes"] for service, _, folder in commands)
    user = re.search(r"useradd --uid (\d+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    assert user
    assert f"sudo install -d -o {user[1]} -g {user[1]} -m 700 {BACKUPS}\n" in head
    # What answers the world does not hold what was written for its loss.
    assert [name for name, service in OURS.items() if f"{BACKUPS}:/backups" in service["volumes"]] == ["setup"]


def test_elasticsearch_is_of_the_major_version_of_its_client() -> None:
    client = re.search(r'"elasticsearch>=(\d+)', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert client
    assert SERVICES["elasticsearch"]["image"].startswith(f"elasticsearch:{client[1]}.")


def test_the_image_is_made_of_the_lock_in_a_stage_of_its_own() -> None:
    packages, last = STAGES
    assert (
        "RUN",
        "/venv/bin/pip install --no-deps --require-hashes --requirement requirements.lock",
    ) in packages.steps
    assert ("COPY", f"--from={packages.name} /venv /venv") in last.steps
    assert packages.image == last.image
    assert not any("http" in argument for stage in STAGES for _, argument in stage.steps)


def test_the_last_stage_has_no_compiler_and_runs_as_nobody_in_particular() -> None:
    steps = STAGES[-1].steps
    instructions = [instruction for instruction, _ in steps]
    installed = " ".join(argument for instruction, argument in steps if instruction == "RUN")
    assert re.findall(r"apt-get install [^&]*", installed) == [
        "apt-get install --yes --no-install-recommends postgresql-client-17 "
    ]
    assert "pip" not in installed
    assert instructions.index("USER") > max(
        place for place, name in enumerate(instructions) if name in {"RUN", "COPY"}
    )
    assert dict(steps)["USER"] == "diligence"
    assert SERVICES["postgres"]["image"].startswith("postgres:17.")


def test_a_worker_has_time_to_finish_and_the_database_has_connections_for_all() -> None:
    assert SERVICES["worker-answer"]["stop_grace_period"] == "2m"
    most = re.search(r"max_connections=(\d+)", " ".join(SERVICES["postgres"]["command"]))
    assert most
    # Twenty runs at once in each of three workers, each with the beat of its run; and the web server's threads.
    assert int(most[1]) > 3 * 20 * 2 + 2 * 4
