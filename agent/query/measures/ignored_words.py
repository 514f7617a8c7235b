"""Words and clauses that say nothing of the measure asked: when it was, what the companies are, who asks, what leads to it."""

from collections.abc import Sequence
from itertools import takewhile

from agent.query.dates.years import number_of
from agent.query.measures.definitions import Definitions
from agent.query.words.sentence import ARTICLES, DETERMINERS, SUBJECTS, Clause, Part, binds
from agent.query.words.word_classes import connecting


class IgnoredWords(Definitions):
    """What of a sentence may be passed over, though somebody wrote it."""

    def _set_aside(self) -> None:
        """Uses up words that say nothing of a measure: when it was, and what the companies are that are compared."""
        parts = self.sentence.parts
        years = any(part.stretch and not part.stretch.interim for part in parts)
        companies = len({part.ciks for part in parts if part.mention})
        self.use(*self._collective(companies))
        self.use(*self._qualities())
        for place, part in enumerate(parts):
            if companies > 1 and len(part.tokens) == 1 and part.says("which of them"):
                self.use(*self._of_companies(place))
            if years and part.word in connecting("when"):
                self.use(*self._event(place))

    def _qualities(self) -> list[Part]:
        """What a figure that is named behind it is to tell of: "a healthy liquidity profile based on its quick ratio"."""
        parts = self.sentence.parts
        told = any(part.says("judging", "keeping") for part in parts)
        named = max((place for place, part in enumerate(parts) if part.named), default=0)
        by = max((place for place, part in enumerate(parts[:named]) if part.says("judged by")), default=0)
        return [part for part in parts[:by] if told and part.only_says("qualities")]

    def _collective(self, companies: int) -> list[Part]:
        """The words that only call together the companies that are listed: "chipmakers (A, B)", "the big five: A, B, ...".

        A plural of what companies are with the unknown words before it, or a number that is as many as they are, behind
        "big". What is dealt with such companies is another measure: "sales to retailers".
        """
        parts = self.sentence.parts
        for place, part in enumerate(parts if companies > 1 else ()):
            behind = parts[place + 1 : place + 2]
            token = part.tokens[-1]
            plural = part.unknown and token.stem in connecting("companies") and token.base != token.stem
            listed = part.number and companies > 2 and any(one.mention for one in behind)
            if not plural and not (listed and number_of(token.base) == companies):
                continue
            first = place
            while first and ((plural and parts[first - 1].unknown) or parts[first - 1].value("frame") == "amount"):
                first -= 1
            dealt = first > 0 and parts[first - 1].bases[-1] in connecting("dealing")
            if (plural or first < place) and not dealt and not any(one.unknown for one in behind):
                return list(parts[first : place + 1])
        return []

    def _of_companies(self, place: int) -> list[Part]:
        """The unknown words behind one that say what the companies are: "which bank", "who is more liquid"."""
        parts = self.sentence.parts
        kind = list(takewhile(lambda part: part.unknown and not part.capital, parts[place + 1 :]))
        behind = parts[place + 1 + len(kind) : place + 2 + len(kind)]
        whose = any(set(part.stems) & connecting("companies") for part in kind[-1:])
        degree = parts[place].word in connecting("degree") and any(
            part.says("being") for part in parts[max(0, place - 2) : place]
        )
        return kind if (whose or degree) and not any(part.named or part.unknown for part in behind) else []

    def _event(self, place: int) -> list[Part]:
        """The words that say when, by what happened: "in the 2020 slump", "after the takeover closed"; else none.

        One word nobody knows may say which event it was: any more could say of what a figure is asked.
        """
        parts, first = self.sentence.parts, self.sentence.parts[place].bases[0]
        strange, year = 0, False
        for last in range(place + 1, len(parts)):
            part, words = parts[last], set(parts[last].bases)
            if words & (connecting("events") | connecting("deals")):
                behind = [set(one.bases) for one in parts[last + 1 : last + 2]]
                end = last + 1 + any(told <= {"closed", "ended"} for told in behind)
                dealt = bool(words & connecting("deals")) and first not in {"after", "following"}
                stands = any(one.named or one.unknown for one in parts[end : end + 1])
                free = not (dealt or stands or (first == "in" and not year))
                return [one for one in parts[place:end] if not one.stretch] if free else []
            year = year or part.stretch is not None
            strange += part.unknown
            if strange > 1 or not (part.unknown or part.stretch or words <= ARTICLES | {"its", "their", "it"}):
                return []
        return []

    def _is_apposition(self, clause: Clause) -> bool:
        """ ", the year it had ...": says something about the year, and nothing about what is asked."""
        words = clause.words
        told = words[:2] == ["the", "year"] and words[2:3] != [] and words[2] in connecting("telling of a year")
        # "The year it had in china" may be a part.
        placed = any(one.unknown and self.sentence.word_before(one) in connecting("narrowing") for one in clause.parts)
        return told and not placed and not self._bars(clause.parts)

    def _bars(self, parts: Sequence[Part]) -> bool:
        """Whether one of some words makes a figure another wherever it stands; "no" and "not" aside."""
        return any(
            part.has("part", "non_gaap", "currency", "unit", "comparator")
            or (part.has("guard") and part.value("guard") != "not")
            for part in parts
        )

    def _is_premise(self, number: int, clause: Clause) -> bool:
        """Whether a clause only leads to the question: "someone told me it has debt", "I compare banks for a class"."""
        others = [one for one in self.sentence.clauses if one is not clause]
        asked = [part.named.keys for one in others for part in one.measures if part.named]
        if not asked or self._bars(clause.parts):
            return False
        words = clause.words
        own = [part.named.keys for part in clause.measures if part.named]
        if set(words) & connecting("hearsay") and own and not clause.unknown:
            return all(any(set(keys) & set(other) for other in asked) for keys in own)
        if self._tells_first(number):
            return True
        plain = not any(part.mention or part.stretch or part.has("qualifier", "operation") for part in clause.parts)
        wants = any(part.value("frame") == "ask" for part in clause.parts) or set(words) & connecting("correcting")
        busy = any(part.value("frame") == "asker" for part in clause.parts[1:])
        return plain and busy and not wants and words[0] in SUBJECTS and binds(clause)

    def _tells_first(self, number: int) -> bool:
        """Whether a clause is of a sentence before the question that tells something: "It had debt in 2023, right? What was its cash?".

        The question names a measure itself, and nothing that was told is unknown but a verb behind the company.
        """
        sentence, clauses = self.sentence, self.sentence.clauses
        own = sentence.sentence_at(number)
        later = clauses[own.stop :]
        if not any(one.measures for one in later) or not self._asks(later):
            return False
        parts = [part for at in own for part in clauses[at].parts]
        told = any(part.value("frame") in {"aux", "polite"} or part.has("verb") for part in parts[1:])
        asks = any(part.value("frame") == "ask" for part in parts)
        back = {word for one in later for word in one.words}
        if asks or not told or self._bars(parts) or back & {"that", "this", "such", "those", "these"}:
            return False
        # "Google started", "Facebook buying", and not "P&G Tide".
        verbal = {part.first for part in parts if not part.capital and part.word.endswith(("ed", "ing"))}
        return not any(
            part.unknown and not (before.mention and part.first in verbal and not before.possessive)
            for before, part in zip((parts[0], *parts), parts, strict=False)
        )

    def _asks(self, clauses: Sequence[Clause]) -> bool:
        """Whether clauses ask: by their first words, "what was", "list", or by their mark."""
        first = clauses[0].parts[0]
        if self.sentence.question.rstrip().endswith("?"):
            return True
        return first.word in connecting("interrogative") or first.value("frame") == "ask"

    def _may_pass(self, clause: Clause, part: Part) -> bool:
        """Whether an unknown word of a clause without a measure says nothing of what is asked.

        It is said of whoever asks, or of the company; what its name governs, what is wanted ("give me", "just") and what
        stands behind a preposition may narrow every figure.
        """
        tokens, place = self.sentence.tokens, clause.parts.index(part)
        governed = place > 0 and (owner := clause.parts[place - 1]).mention is not None and owner.last == part.first
        if governed and (
            tokens[part.first - 1].possessive
            or place + 1 == len(clause.parts)
            or not clause.parts[place + 1].has("frame")
        ):
            return False
        named = part.capital and part.first > 0 and place > 0
        asker = self.sentence.is_asker(clause)
        if not part.unknown or named or not (asker or self._is_apart(clause)):
            return False
        if asker and self._of_purpose(clause, place):
            return True
        lead = [one for one in clause.parts[:place] if not one.unknown]
        while lead and lead[-1].bases[-1] in ARTICLES | DETERMINERS | connecting("objects of asking"):
            lead.pop()
        wants = any(map(self._wants, lead[-1:]))
        if not any(one.mention for one in clause.parts):
            return asker and not wants and binds(clause)
        # "Amazon is slowing down": what is said of the company, and is no part of it.
        behind = lead[-1].bases[-1] if lead else ""
        states = any(one.has("verb") or one.value("frame") == "aux" for one in clause.parts)
        return states and not wants and behind not in connecting("narrowing")

    def _of_purpose(self, clause: Clause, place: int) -> bool:
        """Whether a word says what somebody works on: "my valuation homework", "a paper about big tech"."""
        parts = clause.parts
        behind = next((one for one in parts[place:] if not one.unknown), None)
        told = [*parts[:place], *([behind] if behind else [])]
        return any(one.says("purposes") for one in told)

    def _wants(self, part: Part) -> bool:
        """Whether what stands behind a part is wanted: "give me", "just", "I care about"."""
        return part.value("frame") == "ask" or part.says("wanting")

    def _is_apart(self, clause: Clause) -> bool:
        """Whether a clause is of a sentence in which no measure stands, and which is more than "China." or "From licences."."""
        clauses = self.sentence.clauses
        own = self.sentence.sentence_at(clauses.index(clause))
        said = {part.value("frame") for at in own for part in clauses[at].parts}
        following = [part for one in clauses[own.stop :][:1] for part in one.parts]
        goes_on = any(part.bases == ("i", "mean") for part in following)
        if goes_on or not said & {"asker", "polite", "ask", "aux"}:
            return False
        asked = {phrase.clause for phrase in self.phrases}
        return not any(clauses[at].measures or at in asked for at in own)
