"""An installation with a worker, and a program connected to it by MCP."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, Tool

from tests.support.installed import Installation
from tests.support.processes import ROOT, environment

WORKER = """
import django; django.setup()
import time
from agent import tasks
from agent.models import Run
print("ready", flush=True)
while True:
    for pk in Run.objects.filter(status="queued").values_list("pk", flat=True):
        tasks.answer(str(pk))
    time.sleep(0.05)
"""


class Served(Installation):
    """An installation whose processes are started for a test."""

    @contextmanager
    def client(self, *arguments: str, **variables: str) -> Iterator["Program"]:
        """A program that has started a server."""
        server = StdioServerParameters(
            command=sys.executable,
            args=["manage.py", "mcp", *arguments],
            cwd=ROOT,
            env=environment(**self.variables, **({"DILIGENCE_TOKEN": self.token} | variables)),
        )
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(connected(server)) as session:
            yield Program(portal, session)

    @contextmanager
    def worker(self) -> Iterator[None]:
        """A process that answers what is asked."""
        command, variables = [sys.executable, "-c", WORKER], environment(**self.variables)
        with subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True) as worker:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
            yield
            worker.kill()


@asynccontextmanager
async def connected(server: StdioServerParameters) -> AsyncIterator[ClientSession]:
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield session


@dataclass
class Program:
    """A client, used from a test that is not asynchronous."""

    portal: BlockingPortal
    session: ClientSession

    def tools(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.portal.call(self.session.list_tools).tools}

    def call(self, tool: str, **wanted: object) -> CallToolResult:
        return self.portal.call(self.session.call_tool, tool, wanted)


def told(result: CallToolResult) -> dict[str, object]:
    assert not result.isError, result.content
    assert json.loads(result.content[0].text) == result.structuredContent
    return result.structuredContent
