"""Words that decide what a sentence says: which class each belongs to, and which few words are the same word."""

from enum import StrEnum


def words(text: str) -> tuple[str, ...]:
    """The words of a list."""
    return tuple(text.split())


class Mark(StrEnum):
    """What part a word plays, as a reason names it."""

    NUMBER = "number"
    UNIT = "unit"
    DATE = "date or period"
    NAME = "name"
    NEGATION = "negation"
    MODALITY = "modality"
    CONDITION = "condition"
    EXCEPTION = "exception"
    CONTRAST = "contrast"
    HEDGE = "degree"
    QUANTIFIER = "quantifier"
    COMPARISON = "comparison"
    DIRECTION = "direction"
    RESTRICTION = "restriction"
    ATTRIBUTION = "attribution"
    WORD = "word"


WORDS: dict[Mark, str] = {
    Mark.NEGATION: (
        "no not never none neither nor nothing nobody nowhere cannot without lack lacks lacked lacking fail fails "
        "failed failing failure failures unable inability unlikely absence absent hardly barely rarely seldom scarcely "
        "cease ceases ceased ceasing deny denies denied refuse refuses refused prevent prevents prevented prohibit "
        "prohibits prohibited decline-to unsuccessful insufficient discontinue discontinues discontinued"
    ),
    Mark.MODALITY: (
        "may might could can would should must shall will ought need needs required require requires able ability "
        "intend intends intended plan plans planned expect expects expected anticipate anticipates anticipated believe "
        "believes believed estimate estimates estimated likely possible possibly possibility potential potentially "
        "probable probably seek seeks aim aims target targets targeted attempt attempts attempted contemplate "
        "contemplates propose proposes proposed hope hopes forecast forecasts project projects projected permitted "
        "obligated entitled"
    ),
    Mark.CONDITION: (
        "if unless until till provided assuming subject whether depending depends-on contingent conditioned case event "
        "once when whenever where wherever before after prior upon following pending"
    ),
    Mark.EXCEPTION: "except excepting excluding exclusive other besides apart only solely exclusively save merely just",
    Mark.CONTRAST: (
        "but however although though despite notwithstanding while whereas yet offset offsets offsetting nevertheless "
        "nonetheless instead rather otherwise unlike contrary even"
    ),
    Mark.HEDGE: (
        "approximately about roughly nearly almost around substantially primarily mainly mostly principally largely "
        "generally typically usually often sometimes occasionally historically partially partly materially "
        "significantly slightly modestly temporarily permanently always frequently periodically at-least up-to"
    ),
    Mark.QUANTIFIER: (
        "all each every any some certain many several few most both majority minority half third quarter-of various "
        "numerous multiple single sole number portion part parts entire limited another either"
    ),
    Mark.COMPARISON: (
        "more less greater fewer higher lower larger smaller better worse least best worst highest lowest largest "
        "smallest greatest fewest than compared versus vs relative exceed exceeds exceeded exceeding above below under "
        "over equal equals similar same twice double doubled triple maximum minimum longer shorter stronger weaker "
        "faster slower earlier later comparable consistent"
    ),
    Mark.DIRECTION: (
        "increase increases increased increasing decrease decreases decreased decreasing grow grows grew grown growing "
        "growth decline declines declined declining rise rises rose risen rising fall falls fell fallen falling gain "
        "gains gained loss losses lose loses lost improve improves improved improving improvement deteriorate "
        "deteriorates deteriorated deteriorating deterioration expand expands expanded expanding expansion contraction "
        "reduce reduces reduced reducing reduction reductions up down strengthen strengthened weaken weakened "
        "accelerate accelerated slow slowed profit profits favorable unfavorable favorably unfavorably positive "
        "negative positively negatively adverse adversely raise raises raised raising lowered lowering upward downward"
    ),
    Mark.RESTRICTION: (
        "net gross operating former adjusted diluted basic deferred unaudited preliminary continuing domestic foreign "
        "international current noncurrent non-current short-term long-term consolidated organic pro forma alleged "
        "material immaterial key principal new existing future additional initial final interim internal external "
        "direct indirect public private federal state local global acting"
    ),
    Mark.ATTRIBUTION: (
        "allege alleges alleged alleging claim claims claimed assert asserts asserted contend contends contended "
        "according purport purports purported purportedly allegedly argue argues argued"
    ),
    Mark.DATE: (
        "year years quarter quarters month months week weeks day days hour hours minute minutes decade decades annual "
        "annually quarterly monthly weekly daily fiscal calendar currently now today yesterday tomorrow previously "
        "formerly recently past since during last next ago through january february march april june july august "
        "september october november december monday tuesday wednesday thursday friday saturday sunday winter spring "
        "summer autumn ended ending beginning"
    ),
    Mark.UNIT: (
        "percent percentage point points basis bps thousand thousands million millions billion billions trillion "
        "trillions hundred hundreds dozen dozens dollar dollars cent cents euro euros yen pound pounds yuan renminbi "
        "tons tonnes barrels gallons miles acres feet square megawatts gigawatts kilowatts shares units per "
        "usd eur gbp jpy cny"
    ),
}
CLASS: dict[str, Mark] = {word: mark for mark, words in reversed(WORDS.items()) for word in words.split()}

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS: dict[str, int] = {word: value for value, word in enumerate(words(_SMALL))} | {
    word: 10 * value for value, word in enumerate(words(_TENS), start=2)
}
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_MONTHS = "january february march april may june july august september october november december"
MONTHS = {month: number for number, month in enumerate(words(_MONTHS), start=1)}

# Words that can be left out or put in anywhere and change nothing.
NEUTRAL = frozenset(words("the that also therefore thus accordingly consequently additionally furthermore moreover"))
# As the first word they tie a sentence to the one before it.
CONNECTIVES = frozenset(words("however nevertheless nonetheless"))

# What is not listed as the same word is another word: a thesaurus would let a near word pass for the filing's.
_SAME = (
    "rely depend",
    "relies depends",
    "relied depended",
    "relying depending-on",
    "reliance dependence",
    "reliant dependent",
    "manufacture produce",
    "manufactured produced",
    "manufactures produces",
    "manufacturing producing",
    "purchase buy",
    "purchases buys",
    "purchased bought",
    "start begin commence",
    "started began commenced",
    "use utilize",
    "uses utilizes",
    "used utilized",
    "help assist",
    "helps assists",
    "approximately about roughly",
    "primarily mainly principally",
    "adversely negatively",
    "harm hurt",
    "lawsuit suit",
    "lawsuits suits",
    "staff personnel",
    "cyberattack cyber-attack",
    "cyberattacks cyber-attacks",
    "increased rose",
    "increases rises",
    "increase rise",
    "decreased declined fell",
    "decreases declines falls",
    "decrease decline",
)
SAME: dict[str, str] = {word: line.split()[0] for line in _SAME for word in line.split()}

# A verb as it goes with "we", and as it goes with a name.
AGREES = {"are": "is", "were": "was", "have": "has", "do": "does"}


def mark_of(word: str) -> Mark:
    """The class of a lower-case word."""
    if word in CLASS:
        return CLASS[word]
    if word.startswith("non-") or word.endswith("n't"):
        return Mark.NEGATION
    parts = word.split("-")
    if len(parts) > 1:
        if any(part in NUMBER_WORDS for part in parts):
            return Mark.NUMBER
        return next((CLASS[part] for part in parts if part in CLASS), Mark.WORD)
    return Mark.NUMBER if word in NUMBER_WORDS else Mark.WORD
