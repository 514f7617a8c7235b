"""Every address once more where people may sign in with a provider, which has more of them.

A process of its own: whether its app is installed is decided when settings are read.
"""

import pytest

from tests.support.openid import CLIENT, SECRET, Provider
from tests.support.processes import run


def test_every_address_answers_whom_it_should_where_there_is_a_provider(request: pytest.FixtureRequest) -> None:
    # The sample that this session has loaded serves that one too.
    held = f"cache_dir={request.config.getini('cache_dir')}"
    with Provider() as provider:
        variables = {
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "TEST_OIDC_SERVER_URL": provider.url,
            "TEST_OIDC_CLIENT_ID": CLIENT,
            "TEST_OIDC_CLIENT_SECRET": SECRET,
        }
        command = ["-m", "pytest", "-q", "-n", "0", "-o", held, "tests/test_access.py", "tests/test_csrf.py"]
        told = run(*command, timeout=600, **variables)
    assert told.returncode == 0, told.stdout + told.stderr
