"""Every address once more where people may sign in with a provider, which has more of them.

A process of its own: whether its app is installed is decided when settings are read.
"""

import subprocess

import pytest

from tests.support.openid import CLIENT, SECRET, Provider
from tests.support.processes import run

# Those that are there only with a provider, and those that offer it. That a provider changes no other is tried in soak.
CHANGED = "openid or social or account_login or account_signup or every_address_has_a_row"


def walked(request: pytest.FixtureRequest, *chosen: str) -> subprocess.CompletedProcess[str]:
    """What the tests of the table say with a provider."""
    # The sample that this session has loaded serves that one too.
    held = f"cache_dir={request.config.getini('cache_dir')}"
    with Provider() as provider:
        variables = {
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "TEST_OIDC": f"server_url={provider.url},client_id={CLIENT}",
            "TEST_OIDC_CLIENT_SECRET": SECRET,
        }
        command = ["-m", "pytest", "-v", "-n", "0", "-o", held, "tests/test_access.py", "tests/test_csrf.py"]
        return run(*command, *chosen, timeout=600, **variables)


def test_what_a_provider_adds_or_changes_answers_whom_it_should(request: pytest.FixtureRequest) -> None:
    told = walked(request, "-k", CHANGED)
    assert told.returncode == 0, told.stdout + told.stderr
    for name in ("openid_connect_login", "socialaccount_connections", "account_login"):
        assert f"[{name}]" in told.stdout


@pytest.mark.soak
def test_every_address_answers_whom_it_should_where_there_is_a_provider(request: pytest.FixtureRequest) -> None:
    told = walked(request)
    assert told.returncode == 0, told.stdout + told.stderr
