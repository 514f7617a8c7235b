"""The client of the load bench, a process of its own: pages that poll as they are told, and questions at a steady pace.

httpcore and not httpx, whose work for each request would be a third of the machine's.
"""

import asyncio
import re
import resource
import statistics
import time
from collections import Counter
from typing import Any
from urllib.parse import urlencode

import httpcore

# What a page or a fragment says of the next poll.
NEXT = re.compile(r'hx-get="([^"]+)" hx-trigger="[^"]*every (\d+)(ms|s)"')
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
# Seconds in which the pages are opened.
OPENED = 3.0
# How often each question is asked of a site that has just been started, and the most looks at each.
WARM, LOOKS = 10, 600
# Polls one after another, and those before them that are not counted.
POLLS, FIRST = 200, 20
TIMEOUTS = {"extensions": {"timeout": {"connect": 30.0, "read": 30.0, "write": 30.0, "pool": 30.0}}}


class Browser:
    """One visitor's connections to the site, in one window."""

    def __init__(self, address: str, cookies: dict[str, str]) -> None:
        self.address, self.cookies = address, dict(cookies)
        self.pool = httpcore.AsyncConnectionPool()

    async def __aenter__(self) -> "Browser":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.pool.aclose()

    async def get(self, path: str, *headers: tuple[str, str]) -> httpcore.Response:
        return await self.pool.request("GET", self.address + path, headers=[self.cookie, *headers], **TIMEOUTS)

    async def post(self, path: str, **fields: str) -> httpcore.Response:
        headers = [self.cookie, ("Content-Type", "application/x-www-form-urlencoded")]
        content = urlencode(fields).encode()
        return await self.pool.request("POST", self.address + path, headers=headers, content=content, **TIMEOUTS)

    @property
    def cookie(self) -> tuple[str, str]:
        return "Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    async def form(self) -> str:
        """Open the page that asks: the token of its form, whose cookie is kept."""
        page = await self.get("/")
        for name, value in page.headers:
            if name.lower() == b"set-cookie":
                cookie, _, kept = value.decode().partition(";")[0].partition("=")
                self.cookies[cookie] = kept
        found = TOKEN.search(page.content.decode())
        assert found, "The page has no form."  # noqa: S101 - a bench that cannot go on
        return found[1]


async def warm_up(address: str, given: dict[str, Any]) -> dict[str, Any]:
    """Seconds until a site that has just been started has answered each question some times."""
    begun = time.perf_counter()
    async with Browser(address, given["cookies"]) as browser:
        for question in WARM * given["questions"]:
            asked = await browser.post("/ask", question=question, csrfmiddlewaretoken=await browser.form())
            run = next(value.decode() for name, value in asked.headers if name.lower() == b"location")
            for _ in range(LOOKS):
                shown = await browser.get(f"{run}/progress", ("HX-Request", "true"))
                if not NEXT.search(shown.content.decode()):
                    break
                await asyncio.sleep(0.1)
            else:
                raise RuntimeError("A question was not answered.")
    return {"seconds": time.perf_counter() - begun}


async def under_load(address: str, given: dict[str, Any]) -> dict[str, Any]:
    """Milliseconds of each poll and each ask, answers by kind and status, and this process's share of a core.

    given: the runs that are polled, the visitor's cookies, seconds, asks a second and the questions.
    """
    times: dict[str, list[float]] = {"poll": [], "ask": []}
    answers: Counter[str] = Counter()
    until = time.perf_counter() + given["seconds"]

    async def tried(kind: str, asked: Any) -> httpcore.Response | None:
        begun = time.perf_counter()
        try:
            response: httpcore.Response = await asked
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
            answers[f"{kind} {type(error).__name__}"] += 1
            return None
        finally:
            times[kind].append((time.perf_counter() - begun) * 1000)
        answers[f"{kind} {response.status}"] += 1
        return response

    async def poll(number: int, run: str) -> None:
        # Pages are opened at any moment.
        await asyncio.sleep(OPENED * number / len(given["runs"]))
        path, every = f"/runs/{run}/progress", OPENED
        async with Browser(address, given["cookies"]) as browser:
            while time.perf_counter() < until:
                response = await tried("poll", browser.get(path, ("HX-Request", "true")))
                path, every = following(response, path, every)
                await asyncio.sleep(every)

    async def ask() -> None:
        async with Browser(address, given["cookies"]) as browser:
            token, asked, number = await browser.form(), [], 0
            begun = time.perf_counter()
            while time.perf_counter() < until:
                question = given["questions"][number % len(given["questions"])]
                posted = browser.post("/ask", question=question, csrfmiddlewaretoken=token)
                asked.append(asyncio.create_task(tried("ask", posted)))
                number += 1
                await asyncio.sleep(max(0.0, begun + number / given["asks"] - time.perf_counter()))
            await asyncio.gather(*asked)

    before, begun = cpu(), time.perf_counter()
    await asyncio.gather(ask(), *(poll(number, run) for number, run in enumerate(given["runs"])))
    share = (cpu() - before) / (time.perf_counter() - begun)
    return {"polls": times["poll"], "asks": times["ask"], "answers": dict(answers), "share": share}


async def one_after_another(address: str, given: dict[str, Any]) -> dict[str, Any]:
    """The median of polls of one run, in milliseconds."""
    times = []
    async with Browser(address, given["cookies"]) as browser:
        path, every = f"/runs/{given['runs'][0]}/progress", OPENED
        for _ in range(FIRST + POLLS):
            begun = time.perf_counter()
            response = await browser.get(path, ("HX-Request", "true"))
            times.append((time.perf_counter() - begun) * 1000)
            if response.status != 200:
                raise RuntimeError(f"A poll was answered by {response.status}.")
            path, every = following(response, path, every)
    return {"median": statistics.median(times[FIRST:])}


def following(response: httpcore.Response | None, path: str, every: float) -> tuple[str, float]:
    """Where and in how many seconds a page polls next: as what it was sent says, or as before."""
    if response is None or not (said := NEXT.search(response.content.decode())):
        return path, every
    return said[1], int(said[2]) / (1000 if said[3] == "ms" else 1)


def cpu() -> float:
    """Seconds of a core that this process has taken."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
