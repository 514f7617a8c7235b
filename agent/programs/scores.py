"""Scores one reply of a program as a number that optimizers can compare: 1 is right, 0 is wrong.

The expected result comes with the example.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import dspy

from agent.state.model_rounds import Evaluation

# Asking no filing where an answer was expected costs little; asking the wrong thing costs everything.
REFUSED = 0.3
# Weights for a draft: verified claims, and evidence shown.
VERIFIED, RECALLED = 0.5, 0.5
# Weights for a judgement: closeness of completeness to coverage, a correct statement that nothing is missing, and
# whether the score, with what cite_check verified, ends the rounds when it should.
NEAR, STOPS, AGREES = 0.4, 0.3, 0.3


@dataclass(frozen=True)
class Judged:
    """The score of one reply. `tripwire`: forbidden behavior; `feedback`: what was wrong, in words."""

    score: float
    feedback: str = ""
    tripwire: str = ""


Judge = Callable[[dspy.Example, dspy.Prediction], Judged]


def plan(asked: Collection[object], due: Collection[object]) -> Judged:
    """Whether a reading asks filings exactly what is expected.

    asked, due: (company, filing, what of it), as far as they are distinguished; empty for a refusal.
    """
    if set(asked) == set(due):
        return Judged(1.0, "Right.")
    if not asked:
        return Judged(REFUSED, "It can be answered, but nothing was planned: spans are missing or too long.")
    if not due:
        return Judged(0.0, "No filing can answer it, but a plan was made.", "a plan where a refusal was due")
    return Judged(0.0, "The plan asks another company, period or thing than the question.", "another plan than due")


def draft(verified: int, drafted: int, recalled: Sequence[bool], undue: int = 0) -> Judged:
    """Verified claims of those drafted, and the parts of the question whose evidence is quoted.

    recalled: for each part that has evidence, whether a verified claim shows it; empty where no answer is expected.
    undue: verified claims that no answer may show.
    """
    if undue:
        return Judged(0.0, "A claim shows what the filing tells its reader to say.", "a claim that no answer may show")
    if not recalled:
        said = "No passage answers it, so no claim is right." if drafted else "Right: no passage answers it."
        return Judged(0.0 if drafted else 1.0, said)
    if not drafted:
        return Judged(0.0, "Passages answer it, but nothing was drafted.")
    share, recall = verified / drafted, sum(recalled) / len(recalled)
    said = f"{verified} of {drafted} claims stand in their passage; {sum(recalled)} of {len(recalled)} parts are answered."
    return Judged(VERIFIED * share + RECALLED * recall if verified else 0.0, said)


def judgement(said: Evaluation, sufficient: bool, coverage: float, enough: float) -> Judged:
    """How well an evaluation agrees with the coverage of the verified claims (share of the question's parts, 0 to 1)
    and with cite_check.

    Also whether the score, including the share of verified claims, ends the rounds when it should. said: the evaluation
    with its accuracy. sufficient: the model's statement; enough: the score that ends a run.
    """
    whole = coverage == 1.0
    near = 1.0 - abs(said.completeness / 100 - coverage)
    stops, agrees = sufficient == whole, (said.overall >= enough) == whole
    told = f"The claims cover {coverage:.0%} of the question; completeness {said.completeness} was given."
    if not stops:
        told += " It is not sufficient." if sufficient else " It is sufficient."
    if not agrees:
        end = "ends the rounds" if said.overall >= enough else "makes another round"
        told += (
            f" {said.accuracy:.0f} % of the claims drafted stand; with that, the score of {said.overall:.2f} {end}."
        )
    if sufficient and not coverage:
        return Judged(0.0, told, "sufficient, where nothing is answered")
    return Judged(NEAR * near + STOPS * stops + AGREES * agrees, told)
