"""The configured models of both roles, and the only place that creates a `dspy.LM`."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, get_args
from urllib.parse import urlsplit

from django.conf import settings

from agent.programs import model_settings

if TYPE_CHECKING:
    import dspy

Role = Literal["plan", "draft"]
ROLES: tuple[Role, ...] = get_args(Role)
MILLION = 1_000_000


@dataclass(frozen=True)
class Model:
    """One model behind an OpenAI-compatible endpoint. Seconds; tokens of one reply; USD per million tokens.

    timeout: for a request with a reply of usual length; see `seconds`.
    """

    role: Role
    name: str
    base_url: str
    key: str = field(repr=False, default="")
    timeout: float = 30.0
    max_tokens: int = 2000
    price_in: Decimal = Decimal(0)
    price_out: Decimal = Decimal(0)

    @property
    def host(self) -> str:
        """The endpoint as it is shown: never with a path, user or key."""
        address = urlsplit(self.base_url)
        return (address.hostname or "") + (f":{address.port}" if address.port else "")

    def seconds(self, tokens: int) -> float:
        """The time limit of a request whose reply may have so many tokens."""
        return model_settings.timeout(self.timeout, tokens)

    def cost(self, tokens_in: int, tokens_out: int) -> Decimal:
        """The cost of so many tokens, in USD."""
        return (self.price_in * tokens_in + self.price_out * tokens_out) / MILLION


@dataclass(frozen=True)
class Models:
    """The two models of an installation; one endpoint may serve both."""

    plan: Model
    draft: Model

    def of(self, role: Role) -> Model:
        return self.plan if role == "plan" else self.draft


def configured() -> Models | None:
    """The models of the settings; None where there are none, or a system check reports a fault."""
    if not model_settings.named() or model_settings.problems():
        return None
    return Models(plan=read("plan"), draft=read("draft"))


def read(role: Role) -> Model:
    """The model of a role as the settings describe it."""

    def setting(name: str) -> Any:
        return getattr(settings, f"{role.upper()}_MODEL{name}")

    return Model(
        role=role,
        name=setting(""),
        base_url=setting("_BASE_URL"),
        key=setting("_API_KEY"),
        timeout=setting("_TIMEOUT"),
        max_tokens=setting("_MAX_TOKENS"),
        price_in=Decimal(str(setting("_PRICE_IN"))),
        price_out=Decimal(str(setting("_PRICE_OUT"))),
    )


def language_model(model: Model, engine: Any) -> "dspy.LM":
    """The model as dspy asks it, over `engine`. No cache, retries or temperature: `calls.ask` decides those."""
    import dspy

    # The engine has its own address and key: no environment variable changes where it asks.
    return dspy.LM(f"openai/{model.name}", engine=engine, cache=False, num_retries=0)
