"""What a question asks of a filing's text: a topic, or data of the filing itself. The least that works."""

from agent.words.roots import words
from agent.query.sentence import Part, Sentence
from agent.state.planned import SubQuery, Topic

# Searched always: where a filing tells most.
_ITEMS = ("1A", "7", "8", "1")
_YES_NO = frozenset({"does", "do", "did", "is", "are", "was", "were", "has", "have", "had", "can", "could"})


def is_yes_no(sentence: Sentence) -> bool:
    """Whether a question begins with a verb, and so asks whether."""
    first = next((part for part in sentence.parts if not part.mention), None)
    return first is not None and sentence.tokens[first.first].base in _YES_NO


def topic_of(sentence: Sentence) -> Topic | None:
    """The topic of a question: its text without company and period; None where nothing is left to look for."""
    kept = [part for part in sentence.parts if not part.stretch]
    said = " ".join("the company" if part.mention else _typed(sentence, part) for part in kept)
    told = tuple(
        dict.fromkeys(
            word.root
            for part in kept
            if not part.mention and not (part.has("frame") and not part.has("text"))
            for word in words(_typed(sentence, part))
        )
    )
    if not told:
        return None
    risky = "risk" in told or "risks" in said
    form = "yes_no" if is_yes_no(sentence) else "risks" if risky else "explain"
    query = SubQuery(label=" ".join(told), words=told)
    return Topic(text=said, form=form, items=_ITEMS, queries=(query,))  # type: ignore[arg-type]


def particulars_of(sentence: Sentence) -> tuple[str, ...]:
    """Keys of data of the filing itself that are asked for: auditor, filed."""
    return tuple(dict.fromkeys(value for part in sentence.parts if (value := part.value("particular"))))


def _typed(sentence: Sentence, part: Part) -> str:
    return sentence.question[sentence.tokens[part.first].start : sentence.tokens[part.last - 1].end]
