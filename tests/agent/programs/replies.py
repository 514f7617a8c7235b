"""A session with a model that says what a test tells it to."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from agent.programs import breaker, reading_cache
from agent.programs.budget import Budget
from agent.programs.calls import Session
from agent.programs.models import Model, Models, Role
from tests.support.model_behaviours import says
from tests.support.model_server import LocalModel


@contextmanager
def saying(*told: Any) -> Iterator[tuple[Session, LocalModel]]:
    """A session, and the server of its models, whose next replies are these; the last one stands for all further ones.

    told: the value of the reply's only field, or a text that is the whole reply.
    """
    breaker.forget()
    reading_cache.forget()
    with LocalModel() as server:
        server.behave(*map(says, told[:-1]))
        server.always(says(told[-1]))
        models = Models(plan=model("plan", server.url), draft=model("draft", server.url))
        yield Session(models=models, budget=Budget(tokens=0, seconds=30)), server
    breaker.forget()


def model(role: Role, url: str) -> Model:
    return Model(role=role, name="scripted", base_url=url, timeout=10, max_tokens=4000)


def prompt(server: LocalModel) -> str:
    """Everything that the last request told the model."""
    return "\n".join(message["content"] for message in server.asked[-1].body["messages"])
