"""Says to which question an answer is where it is only near to the one asked, and which words that leaves out."""

from dataclasses import dataclass

from agent.numbers.registry import registry as registry_file
from agent.refusals import query_text
from agent.refusals.grammar import listed
from agent.state import Plan

TITLE = "Nearest question I can answer"


@dataclass(frozen=True)
class NearestQuestion:
    """The question that was answered in place of one that was not understood whole."""

    question: str  # as it can be asked
    left_out: tuple[str, ...]  # words of the question asked, as typed
    near_name: str = ""  # a word that was read as the part whose name has it
    several: str = ""  # a word that may mean several measures

    @property
    def note(self) -> str:
        """What was left out, in a sentence."""
        words = listed([f"\u201c{one}\u201d" for one in self.left_out])
        left = f"Left out, because I don\u2019t understand it: {words}." if words else ""
        several = f"\u201c{self.several}\u201d can mean each of these measures." if self.several else ""
        near = f"\u201c{self.near_name}\u201d is only near to a name in the filings." if self.near_name else ""
        return " ".join(filter(None, (left, near, several)))

    @property
    def line(self) -> str:
        """All of it in one line, for text and files."""
        return f"{TITLE}: {self.question}. {self.note} Not asserted as the answer."


def nearest_question(plan: Plan) -> NearestQuestion | None:
    """The question that was answered instead; None where an answer is to the question itself."""
    query = plan.query
    if query is None or not query.is_nearest:
        return None
    return NearestQuestion(
        query_text.question(query, registry_file.load()).rstrip("?"),
        query.left_out,
        query.near_name,
        query.several_meanings,
    )


def line(plan: Plan) -> str:
    """The nearest question in one line; empty where an answer is to the question itself."""
    found = nearest_question(plan)
    return found.line if found else ""
