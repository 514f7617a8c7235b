"""A real HTTP server that answers as an OpenAI-compatible endpoint does: chat, embeddings, rerank; scripted."""

import json
import random
import socket
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

from tests.support import local_server
from tests.support.embeddings import vector
from tests.support.model_behaviours import ALL, good
from tests.support.model_replies import Asked, Behaviour, Reply, read

if TYPE_CHECKING:
    from pytest_django import Settings

    from agent.programs.calls import Session

ANY = ""
# Must never be seen anywhere but in a header.
KEY = "sk-never-shown-0123456789"


class LocalModel(local_server.LocalServer):
    """Serves /v1/chat/completions, /v1/embeddings and /v1/rerank at `url`.

    `requests` lists (headers, body) as they came, names of headers in lower case; `asked` the chat requests, read.
    `choose`: the behaviour of what no script is left for; the good one by default.
    """

    def __init__(self, choose: Callable[[Asked], Behaviour] = lambda asked: good, dimensions: int = 64) -> None:
        super().__init__()
        self.url += "/v1"
        self.choose, self.dimensions = choose, dimensions
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.asked: list[Asked] = []
        self.scripts: dict[str, deque[Behaviour]] = defaultdict(deque)
        self.standing: dict[str, Behaviour] = {}
        # Ends whoever hangs.
        self.over = threading.Event()

    def __exit__(self, *exc: object) -> None:
        self.over.set()
        super().__exit__(*exc)

    def settings(self) -> dict[str, Any]:
        """Settings of an installation that asks this server in both roles."""
        told = {"": "scripted", "_BASE_URL": self.url, "_API_KEY": KEY, "_TIMEOUT": 2.0}
        prices = {"_PRICE_IN": 1.0, "_PRICE_OUT": 4.0}
        return {
            f"{role}_MODEL{part}": value for role in ("PLAN", "DRAFT") for part, value in {**told, **prices}.items()
        }

    def variables(self, timeout: float = 2.0) -> dict[str, str]:
        """The same as environment variables; timeout: seconds, of both."""
        told = {"": "scripted", "_BASE_URL": self.url, "_API_KEY": KEY}
        told["_OPTIONS"] = f"timeout={timeout},price_in=1,price_out=4"
        return {f"{role}_MODEL{part}": value for role in ("PLAN", "DRAFT") for part, value in told.items()}

    def session(self, *, tokens: int = 1_000_000, cost: float = 0, seconds: float = 30.0, **changes: Any) -> "Session":
        """A run's session on this server; `changes` to both models."""
        from agent.programs.budget import Budget
        from agent.programs.calls import Session
        from agent.programs.models import Model, Models

        told: dict[str, Any] = {"name": "scripted", "base_url": self.url, "key": KEY, "timeout": 2.0}
        told |= {"price_in": Decimal(1), "price_out": Decimal(4), **changes}
        models = Models(plan=Model(role="plan", **told), draft=Model(role="draft", **told))
        return Session(models, Budget(tokens=tokens, cost=cost, seconds=seconds))

    def behave(self, *behaviours: Behaviour, program: str = ANY) -> None:
        """Script the next replies, to one program or to any."""
        with self.lock:
            self.scripts[program].extend(behaviours)

    def always(self, behaviour: Behaviour, program: str = ANY) -> None:
        """How every further request is answered, of one program or of any, once the scripts are through."""
        with self.lock:
            self.standing[program] = behaviour

    def of(self, program: str) -> list[Asked]:
        """The requests of one program."""
        with self.lock:
            return [one for one in self.asked if one.program == program]

    def reply(self, handler: BaseHTTPRequestHandler) -> None:
        # Head and body are two packets; without this the second waits 40 ms for the client's word on the first.
        handler.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        body = json.loads(local_server.asked(handler))
        with self.lock:
            self.requests.append(({name.lower(): value for name, value in handler.headers.items()}, body))
        if handler.path.endswith("/chat/completions"):
            self.chat(handler, body)
        elif handler.path.endswith("/embeddings"):
            tell(handler, embeddings(body, self.dimensions))
        elif handler.path.endswith("/rerank"):
            tell(handler, ranking(body))
        else:
            tell(handler, {"error": {"message": "no such path"}}, status=404)

    def chat(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        asked = read(body)
        with self.lock:
            self.asked.append(asked)
            behaviour = self.due(asked)
        reply = behaviour(asked)
        if reply.wait and self.over.wait(reply.wait):
            handler.close_connection = True
            return
        content = reply.body if reply.body is not None else json.dumps(completion(asked, reply)).encode()
        headers = {"Content-Type": "application/json", **reply.headers}
        if reply.trickle:
            self.trickle(handler, headers, content, reply.trickle)
        else:
            local_server.send(handler, reply.status, headers, content)

    def due(self, asked: Asked) -> Behaviour:
        for program in (asked.program, ANY):
            if self.scripts[program]:
                return self.scripts[program].popleft()
        return self.standing.get(asked.program) or self.standing.get(ANY) or self.choose(asked)

    def trickle(self, handler: BaseHTTPRequestHandler, headers: dict[str, str], content: bytes, pause: float) -> None:
        """Send an answer byte by byte, until whoever asked is gone."""
        handler.send_response(200)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.close_connection = True
        try:
            for place in range(len(content)):
                handler.wfile.write(content[place : place + 1])
                if self.over.wait(pause):
                    return
        except OSError:
            return


def seeded(seed: int, hang: float = 0.0) -> Callable[[Asked], Behaviour]:
    """Behaviours by chance, the same for the same seed and order. `hang` 0 leaves out those that take their time."""
    chance = random.Random(seed)  # noqa: S311 - a script, not a secret
    names = sorted(ALL) if hang else sorted(set(ALL) - {"hang", "slow_body"})
    return lambda asked: good if chance.random() < 0.5 else ALL[chance.choice(names)]


def completion(asked: Asked, reply: Reply) -> dict[str, Any]:
    """A reply in the shape of the protocol."""
    message = {"role": "assistant", "content": reply.content, **reply.message}
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    told: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": asked.body["model"],
        "choices": [choice] if reply.choices else [],
    }
    if reply.usage:
        sent = sum(len(message["content"]) for message in asked.body["messages"]) // 4
        back = len(reply.content or "") // 4
        told["usage"] = {"prompt_tokens": sent, "completion_tokens": back, "total_tokens": sent + back}
    return told


def embeddings(body: dict[str, Any], dimensions: int) -> dict[str, Any]:
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    rows = [
        {"object": "embedding", "index": place, "embedding": vector(text, body.get("dimensions", dimensions))}
        for place, text in enumerate(texts)
    ]
    return {"object": "list", "model": body["model"], "data": rows, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def ranking(body: dict[str, Any]) -> dict[str, Any]:
    """Documents by how many words they share with the query."""
    words = set(body["query"].lower().split())
    scores = [len(words & set(text.lower().split())) / max(1, len(words)) for text in body["documents"]]
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))[: body.get("top_n")]
    return {"results": [{"index": place, "relevance_score": scores[place]} for place in order]}


def tell(handler: BaseHTTPRequestHandler, told: dict[str, Any], status: int = 200) -> None:
    local_server.send(handler, status, {"Content-Type": "application/json"}, json.dumps(told).encode())


@contextmanager
def named_in(settings: "Settings") -> Iterator[LocalModel]:
    """A server whose model the settings name for everything; what is known of it is forgotten before and after."""
    from agent.programs import breaker, endpoint

    breaker.forget()
    with LocalModel() as server:
        for name, value in server.settings().items():
            setattr(settings, name, value)
        yield server
    endpoint.close()
    breaker.forget()
