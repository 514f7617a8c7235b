"""What is taken out of a measure, put into it, or said of how it is made: held by a name or a definition, or refused."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from agent.query.measures.accounting_words import Measures
from agent.query.words.lexicon import Lexicon, Named, key_of
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import ARTICLES, Clause, Part, Sentence, subtracts_years
from agent.query.words.word_classes import MOVING, connecting
from agent.refusals.codes import Code
from agent.state.query import Breakdown, Measure, Metric
from agent.words.tokens import stems

# Qualifiers that name a unit, and that unit in the registry.
_UNITS = {"percent": "percent", "per share": "USD/shares"}
_SOURCES = ("statement", "statement_in_short")
_TAKEN = frozenset({"excluding", "including", "after"})
_PORTIONS = {"excluding": "noncurrent", "including": "including current"}


@dataclass(slots=True)
class Phrase:
    """One measure as asked: where its name stands, and what it was read as."""

    part: Part
    named: Named
    clause: int
    before: list[str] = field(default_factory=list)  # qualifiers in front, canonical
    behind: list[str] = field(default_factory=list)
    front: list[str] = field(default_factory=list)  # the same as typed
    rear: list[str] = field(default_factory=list)
    verbs: dict[str, str] = field(default_factory=dict)  # class -> as typed
    statements: dict[str, str] = field(default_factory=dict)  # statement -> as typed
    last: int = 0  # of the part of the phrase that stands last
    taken: bool = False  # from the question before: no words of this one name it
    members: list[Part] = field(default_factory=list)  # parts of the company that it is asked of
    axis: str = ""  # how it is divided: by segment, product or region
    extreme: str = ""  # which of these parts are asked alone: the highest or the lowest
    top: int = 1  # and how many

    @property
    def first(self) -> int:
        return self.part.first

    def qualify(self, qualifier: str, *typed: str, ahead: bool = False) -> None:
        """Attaches a word of accounting. ahead: whether it stands before the name."""
        (self.before if ahead else self.behind).append(qualifier)
        (self.front if ahead else self.rear).extend(typed)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is asked by it."""
        return tuple(row.measure for row in self.named.asserted)

    @property
    def divided(self) -> list[Breakdown]:
        """Those of its measures that are of all parts of a kind."""
        return [one for one in self.measures if isinstance(one, Breakdown) and not one.extreme]


class Definitions:
    """The phrases of a sentence, with what the question says of how their measures are made."""

    def __init__(self, sentence: Sentence, measures: Measures, lexicon: Lexicon, *, several: bool) -> None:
        """several: more than one year is asked, so that "in total" adds them up."""
        self.several = several
        self.sentence, self.measures, self.lexicon = sentence, measures, lexicon
        self.used: set[int] = set()  # first tokens of parts that a phrase has used
        self.phrases: list[Phrase] = []

    def use(self, *parts: Part | Phrase) -> None:
        """Marks parts as used by a phrase."""
        self.used.update(part.first for part in parts)

    def words(self, phrase: Phrase) -> tuple[str, ...]:
        """The folded words of a phrase's name, in this question or in the one before."""
        return stems(phrase.named.rows[0].text) if phrase.taken else phrase.part.stems

    # --- exclusion and inclusion ---

    def guarded(self, clause: Clause, place: int) -> None:
        """What is taken out, put in or denied at one place: held by a name or a definition, or refused."""
        guard, rest = clause.parts[place], clause.parts[place + 1 :]
        kind, words = guard.value("guard") or "", guard.stems
        if subtracts_years(clause.parts, guard):
            return  # the difference of two years: see operations
        sourced = any(one.has(*_SOURCES, "frame") for one in rest)
        if (
            words == ("per",)
            and sourced
            and all(one.has("frame", *_SOURCES, "verb") or one.stretch or one.mention for one in rest)
        ):
            return  # "per the cash flow statement"
        if words in {("for", "each"), ("for", "every")} and rest and rest[0].stretch:
            return  # "for each year 2021 to 2023"
        if not self.phrases or (kind == "not" and self.sentence.is_asker(clause) and not clause.measures):
            return
        before = [phrase for phrase in self.phrases if phrase.first < guard.first and phrase.first not in self.used]
        following = self._following(clause, place)
        told = self.sentence.text(guard, *following[-1:])
        if not before and guard.has("operation") and any(one.named for one in following):
            return  # "which has less debt"
        if not before:
            raise Refused(Code.NOT_UNDERSTOOD, told)
        phrase = before[-1]
        if words == ("net", "of") and not following and phrase.last == guard.first:
            phrase.qualify("net", "net")
        elif kind == "not" and self._is_unit(phrase, following):
            self.use(guard, *following)
        elif portion := self._portion(kind, following):
            phrase.qualify(portion, portion)
            self.use(*following)
        elif kind == "only" and phrase.named.keys in [one.named.keys for one in following if one.named]:
            self.use(*following)  # "how much cash, only cash"
        elif not (kind in _TAKEN and following and self._holds(phrase, guard, following)):
            raise Refused(Code.NOT_UNDERSTOOD, told)

    def _portion(self, kind: str, following: Sequence[Part]) -> str:
        """The portion of a balance left where the current one is taken out or put in: "not counting what is due soon"."""
        told = [one for one in following if not one.has("frame")]
        current = bool(told) and all(one.value("qualifier") == "current" for one in told)
        return _PORTIONS.get(kind, "") if current else ""

    def _holds(self, phrase: Phrase, guard: Part, following: Sequence[Part]) -> bool:
        """Whether a name, a printed label or a definition of the phrase's measure holds what is taken out or put in."""
        kind, word = guard.value("guard") or "", guard.stems[0]
        named = [one for one in following if one.named]
        if word in {"minus", "less"} and named and not self._is_made_of(phrase, named, "excluding"):
            return True  # a difference of measures: see operations
        extra = guard.stems if word in {"before", "after"} else [kind]
        extra = [*extra, *(word for one in following for word in one.stems)]
        typed = " ".join(base for one in (phrase.part, guard, *following) for base in one.bases)
        other = self.measures.selected(self.words(phrase), phrase.named, extra)
        telling = [one for one in following if not one.has("frame")]
        if other:
            phrase.named = other
        elif self.measures.printed_as(phrase.named, typed):
            phrase.named = Named(phrase.named.asserted)
        elif not (named and named == telling and word != "before" and self._is_made_of(phrase, named, kind)):
            return False
        self.use(guard, *following)
        phrase.last = max(phrase.last, following[-1].last)
        return True

    def _following(self, clause: Clause, place: int) -> list[Part]:
        """The words that a guard governs."""
        found: list[Part] = []
        for part in clause.parts[place + 1 :]:
            verb = part.has("verb") and not part.has("qualifier")
            bound = found and part.has("frame") and not part.has("qualifier")
            if part.mention or part.stretch or part.has("guard") or verb:
                break
            if bound and part.bases[0] in {"and", "in", "for", "at", "on", "as"}:
                break
            found.append(part)
        return found

    def _is_unit(self, phrase: Phrase, following: Sequence[Part]) -> bool:
        """Whether "not the percentage", "not per share" says which of a measure's units is not meant."""
        units = {one.value("unit") or one.value("qualifier") for one in following} & set(_UNITS)
        if not units or any(one.unknown or one.named for one in following):
            return False
        barred = {_UNITS[str(unit)] for unit in units}
        found = self.measures.kept(phrase.named, lambda row: self.measures.unit(key_of(row.measure)) not in barred)
        phrase.named = found or phrase.named
        return found is not None

    # --- places and brackets ---

    def placed(self) -> None:
        """Reads a statement named in short beside a measure as its place: "inventories (cash flow)", "cash flow change in
        inventories"."""
        found = tuple(self.phrases)
        for before, one, after in zip((None, *found), found, (*found[1:], None), strict=False):
            statement = one.part.value("statement_in_short")
            if statement and (other := self._beside(one, [near for near in (before, after) if near])):
                other.statements[statement] = self.sentence.text(one.part)
                self.use(one)
                self.phrases.remove(one)

    def _beside(self, one: Phrase, others: Sequence[Phrase]) -> Phrase | None:
        """The measure whose place a phrase is: in brackets of its own or behind "from" the one before, else the one behind it."""
        clause = self.sentence.clauses[one.clause]
        lead = [part for part in clause.parts if part.first < one.first]
        words = [word for part in lead for word in part.bases]
        while words and words[-1] in ARTICLES | {"its"}:
            words.pop()
        for other in others:
            behind = other.first < one.first
            if behind and ((clause.bracketed and not lead) or words[-1:] in (["from"], ["per"], ["on"])):
                return other
            between = self.sentence.between(one, other)
            changes = [part for part in between if part.values("operation") & MOVING]
            said = {word for part in between if part not in changes for word in part.bases}
            if not behind and other.clause == one.clause and said <= ({"in", "of"} if changes else set()):
                self.use(*changes)
                return other
        return None

    # --- definitions ---

    def based(self) -> None:
        """Selects the variant of a metric by how an operand is taken: "ROE on average equity", "with year-end assets"."""
        parts = self.sentence.parts
        places = {part.first: place for place, part in enumerate(parts)}
        told = [
            (one, places[one.first], basis) for one in self.phrases if (basis := self._basis(parts, places[one.first]))
        ]
        for phrase, (other, place, basis) in product(tuple(self.phrases), told):
            if phrase is other or not self._take_basis(phrase, [other], basis):
                continue
            self.use(parts[place - 1], other)
            for part in reversed(parts[: place - 1]):
                if not part.only_says("taking an operand"):
                    break
                self.use(part)

    def _basis(self, parts: Sequence[Part], place: int) -> str:
        """How the measure at a place is taken: over two year ends, at one, or "" where nothing is said before it."""
        # "On average" is one phrase where equity follows, too.
        opening = {part.bases[0] for part in parts[max(0, place - 2) : place]}
        if not opening & connecting("taking an operand"):
            return ""
        before = parts[place - 1]
        if "average" in before.values("operation"):
            return "average"
        return "ending" if before.says("ending") else ""

    def defines(self, number: int, clause: Clause) -> bool:
        """Whether a clause says which measure the one before it is, or with which operand it is taken; refuses another.

        A formula is read before (asked_formulas.py).
        """
        opening = clause.parts[0].word
        before = [phrase for phrase in self.phrases if phrase.clause < number and phrase.first not in self.used]
        own = [phrase for phrase in self.phrases if phrase.clause == number]
        if not before or not own:
            return False
        phrase = before[-1]
        again = all(_bases(one.named) == _bases(phrase.named) for one in own) and not any(
            part.has("qualifier") for part in clause.parts if not part.named
        )
        if clause.bracketed and (named := self._named_with(phrase, clause)):
            phrase.named = named
            self.use(*clause.parts)
            return True
        picked = [one for one in own if phrase.named.ask and set(one.named.keys) < set(phrase.named.keys)]
        if picked and clause.bracketed and len(own) == 1:  # "its profit (net income)"
            phrase.named = picked[0].named
            again = True
        if again or (opening == "the" and len(own) == 1 and self._restates(phrase, own[0])):
            self.use(*own)
            return False
        taking = opening in connecting("taking an operand") and all(
            part.named
            or part.mention
            or part.stretch
            or part.number
            or part.has("qualifier", "statement")
            or part.says("taking an operand", "beside an operand")
            for part in clause.parts
        )
        if taking and self._is_made_of(phrase, [one.part for one in own], "in part" if len(own) == 1 else ""):
            self.use(*clause.parts)
            self._pass_to(phrase, before[:-1])
            return True
        told = all(part.says("taking out of all") or not part.has("guard") for part in clause.parts)
        if told and (clause.bracketed or (taking and len(own) > 1)):
            raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(clause.parts[0], clause.parts[-1]))
        return False

    def _pass_to(self, phrase: Phrase, others: Sequence[Phrase]) -> None:
        """Takes a metric whose operands are told as an operand of one that is asked before it: "the EBITDA margin. Calculate
        EBITDA using ...". Raises Refused where that one has no such variant.
        """
        metric, _, variant = phrase.named.keys[0].partition(":")
        for other in others:
            asked = other.named.keys[0]
            if (
                len(other.named.keys) > 1
                or not self.measures.is_formula(asked)
                or metric not in self.measures.parts(asked)
            ):
                continue
            entry = self.measures.registry.metrics[asked]
            if variant not in {"", self.measures.registry.metrics[metric].default}:
                if entry.inherits_variants != metric:
                    raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(phrase.part))
                other.named = Named((other.named.rows[0].of(Metric(key=asked, variant=variant), term=""),))
            self.use(phrase)

    def _named_with(self, phrase: Phrase, clause: Clause) -> Named | None:
        """The measure that a name is with the words of a bracket behind it: "noncontrolling interests (equity)"."""
        words, told = self.words(phrase), tuple(word for part in clause.parts for word in part.stems)
        names = (*((*words, *bond, *told) for bond in ((), ("in",), ("of",), ("for",))), (*told, *words))
        found = {named.keys: named for name in names if (named := self.lexicon.named(name))}
        return next(iter(found.values())) if len(found) == 1 else None

    def _take_basis(self, phrase: Phrase, operands: Sequence[Phrase], basis: str) -> bool:
        """Selects the variant that takes its operands so, where a question says how: "sales over year-end assets"."""
        keys = [row.measure.key for row in phrase.named.rows if isinstance(row.measure, Metric)]
        for one in operands if basis and len(set(keys)) == 1 else ():
            if variant := self.measures.taken(keys[0], one.named.keys, basis):
                measure = Metric(key=keys[0], variant=variant)
                phrase.named = Named((phrase.named.rows[0].of(measure, term=""),))
                return True
        return False

    def _restates(self, phrase: Phrase, other: Phrase) -> bool:
        """Whether ", the total expense" is the measure before it in general words, and no second one."""
        words = other.part.stems
        if words[0] not in {"total", "overall", "whole", "full"}:
            return False
        generic = all(any(one.kind == "qualifier" for one in self.lexicon.meanings((word,))) for word in words)
        typed = " ".join((*phrase.part.bases, words[-1]))
        rows = phrase.named.asserted
        return generic and all(self.measures.agrees(row, words[-1], typed) for row in rows)

    def _is_made_of(self, phrase: Phrase, named: Sequence[Part], how: str = "") -> bool:
        """Whether the measures told define the phrase's own: by its default, or by a variant, which is then asked.

        how: excluding, including or after, where they are taken out of it or put in; "in part" where one may be told
        alone.
        """
        keys = [
            frozenset({*one.named.keys, *(key.partition(":")[0] for key in one.named.keys)})
            for one in named
            if one.named
        ]
        for row in phrase.named.rows:
            if not isinstance(row.measure, Metric):
                continue
            metric = self.measures.registry.metrics[row.measure.key]
            if how in _TAKEN:
                fits = self.measures.changed(metric.key, keys, how)
            else:
                fits = self.measures.fitting(metric.key, keys, whole=not how)
            if not fits:
                continue
            # Where several variants fit, average and ending, the definition tells none of them.
            if len(fits) == 1 or metric.default not in fits:
                measure = Metric(key=metric.key, variant=fits[0])
                phrase.named = Named((row.of(measure, term=""),))
            return True
        return False


def _bases(named: Named) -> frozenset[str]:
    """The registry keys of a name without their variants."""
    return frozenset(key.partition(":")[0] for key in named.keys)
