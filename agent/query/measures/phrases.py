"""Measure phrases: a name of a measure with all that is attached to it. In them every word must be understood."""

from collections.abc import Sequence
from itertools import pairwise, takewhile

from agent.query.measures.accounting_words import Measures
from agent.query.measures.definitions import Phrase
from agent.query.measures.listed_measures import joined, side_by_side, without_means
from agent.query.measures.measures_of_parts import MeasuresOfParts
from agent.query.wording.instructions import told_statements
from agent.query.words.lexicon import Lexicon, Named, loose
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import ARTICLES, FIRST_PERSON, Clause, Part, Sentence
from agent.query.words.word_classes import MOVING, connecting
from agent.refusals.codes import Code
from agent.state.query import MOST_MEANINGS, Concept, Row

# Measures that no word of accounting makes another any more.
_MADE = frozenset({"change", "share", "combined", "formula", "member", "breakdown"})
# Verbs that a clause without a measure may have.
_MILD = frozenset({"report", "earn", "spend", "pay"})
# What a request may be for, or is asked of text: beside a measure it would make it another ("revenue estimate").
_ELSEWHERE = frozenset({"intent", "text", "text_else"})


class Phrases(MeasuresOfParts):
    """The measure phrases of one sentence."""

    def __init__(self, sentence: Sentence, measures: Measures, lexicon: Lexicon, *, several: bool) -> None:
        """several: more than one year is asked, so that "in total" adds them up."""
        super().__init__(sentence, measures, lexicon, several=several)
        self.several_meanings = ""  # the word that may mean several measures, of which each is given
        self.passed: set[int] = set()  # clauses that say nothing of what is asked

    def read(self) -> list[Phrase]:
        """Every phrase, its measure resolved. Raises Refused where a word would make it a measure that is not held."""
        for number, clause in enumerate(self.sentence.clauses):
            if clause.leads or self._is_apposition(clause) or self._is_premise(number, clause):
                self.passed.add(number)
                continue
            for part in clause.measures:
                self.phrases.append(Phrase(part, part.named, number, last=part.last))  # type: ignore[arg-type]
        self.based()
        self.placed()
        self._take_objects()
        self._kinds()
        self._carried()
        self._set_aside()
        self.extreme_of_all()
        self.sum_of_all()
        for number, clause in enumerate(self.sentence.clauses):
            if number not in self.passed and not self.defines(number, clause):
                self._understand(number, clause)
        self.phrases = without_means(
            [phrase for phrase in self.phrases if phrase.taken or phrase.part.first not in self.used]
        )
        for phrase in self.phrases:
            self._resolve(phrase)
        self.phrases = joined(self.sentence, self.phrases)
        return side_by_side(self.phrases, self.lexicon.ciks) if self.lexicon.ciks else self.phrases

    def _take_objects(self) -> None:
        """A verb that is a measure takes what its names speak of as its object: "how much stock did it buy back"."""
        for number, clause in enumerate(self.sentence.clauses):
            for part in clause.parts:
                keys = (part.value("named_verb"),) if part.has("named_verb") else part.named.keys if part.named else ()
                if len(keys) == 1 and part.has("named_verb"):
                    self._take(part, str(keys[0]), number)

    def _take(self, verb: Part, key: str, number: int) -> None:
        told = self.measures.said(key) | connecting("own")
        held = [one for one in self.phrases if one.part is not verb and key in one.named.keys]
        if any(one.clause == number or verb.has("verb") for one in held):
            return
        objects = [one for one in self.phrases if one.part is not verb and set(one.part.stems) <= told]
        strays = [part for part in self.sentence.parts if part.unknown and set(part.stems) <= told]
        self.use(*strays)
        others = [one for one in self.phrases if one.part is not verb]
        if len(objects) != len(others):
            return
        told_words = self.sentence.words
        money = told_words & connecting("money") or self.sentence.having("scale")
        if objects and not money:
            if any(key in one.named.keys for one in objects):
                return  # "earned the highest net profit": the object is the measure
            raise Refused(Code.CONCEPT_UNKNOWN, self.sentence.text(verb))
        self.use(*objects)
        if verb.named is None and (objects or strays):
            named = Named((Row(measure=Concept(key=key)),))
            self.phrases.append(Phrase(verb, named, number, last=verb.last))

    def _kinds(self) -> None:
        """ "Technology and content expense", "what tax did it book as an expense": a general word says of which kind a name is."""
        for one, other in pairwise(self.phrases):
            kind = other.part.value("qualifier")
            if not (kind and other.named.ask) or one.named.ask or one.clause != other.clause:
                continue
            between = self.sentence.between(one, other)
            typed = " ".join((*one.part.bases, *other.part.bases))
            so = any(self.measures.agrees(row, kind, typed) for row in one.named.rows)
            said = all(part.mention or part.stretch or part.has("frame", "verb") for part in between)
            if so and said and not self._lists(between):
                one.qualify(kind, *other.part.bases)
                self.use(other)

    def _carried(self) -> None:
        """ "The book value of goodwill": the first name qualifies the second."""
        for one, other in zip(self.phrases, self.phrases[1:], strict=False):
            between = self.sentence.between(one, other)
            words = {base for part in between for base in part.bases}
            if (
                one.clause == other.clause
                and "of" in words
                and words <= connecting("of")
                and (qualifier := one.part.value("qualifier"))
            ):
                other.qualify(qualifier, *one.part.bases, ahead=True)
                self.use(one)
            elif one.clause == other.clause and words & connecting("objects") and self._is_object(one, other, between):
                self.use(other)

    def _lists(self, between: Sequence[Part]) -> bool:
        """Whether a word that lists stands among parts; the "and" of a company's name does not."""
        words = {word for part in between if not part.mention for word in part.bases}
        return bool(words & {"and", "or", "plus", "/"})

    def _is_object(self, one: Phrase, other: Phrase, between: Sequence[Part]) -> bool:
        """Whether a second name only says what the first is of anyway: "taxes on income", "dividends on common stock"."""
        plain = all(part.has("frame", "verb", "qualifier") or part.stretch or part.mention for part in between)
        said = [loose(self.measures.said(key)) for key in one.named.keys]
        told = loose(other.part.stems)
        return plain and not self._lists(between) and not one.named.ask and any(told <= words for words in said)

    # --- clauses ---

    def _understand(self, number: int, clause: Clause) -> None:
        """What each part of a clause does with the measures; refuses what nobody understands."""
        own = [phrase for phrase in self.phrases if phrase.clause == number]
        asked = bool(own)
        for place, part in enumerate(clause.parts):
            if part.first in self.used or part.mention or part.stretch or part.named or self._divides(clause, place):
                continue
            if any(phrase.part is part and not phrase.taken for phrase in own):
                continue
            if place and clause.parts[place - 1].mention and part.bases == ("parent",):
                continue  # "Google's parent"
            if part.has("frame") and part.says("dividing") and asked and not self.is_dividing(part):
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(part))  # "Break down": the whole is no answer
            if part.has("guard") and not part.has("frame"):
                self.guarded(clause, place)
            elif part.has("non_gaap") and (self.phrases or not self.sentence.unknown):
                raise Refused(Code.NON_GAAP, self.sentence.text(part))
            elif part.has("member"):
                self.of_member(clause, place)
            elif (axis := part.value("axis")) and (of := [one for one in own if one.first < part.first] or own):
                for phrase in of:
                    phrase.axis = axis
            elif self.is_dividing(part) or self.is_share(part, own):
                continue
            elif not asked:
                self._loose(clause, part)
            elif part.unknown:
                if not self._completes(own, clause, place):
                    raise Refused(Code.NOT_UNDERSTOOD, self._run(clause, place))
            elif part.has("part"):
                if ranked := self.ranked(clause, place):
                    own[0].axis = part.value("part") or ""
                    own[0].extreme, own[0].top = ranked
                elif self.is_every(own, part) or self.is_bounded(own, part):
                    for phrase in own:
                        phrase.axis = part.value("part") or ""
                elif not self.is_kind(clause, place):
                    raise Refused(Code.DIMENSIONAL_ONLY, self._run(clause, place))
            elif part.has("currency") or self._may_name(clause, place) or self._makes_another(clause, place):
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(part))
            else:
                self._attach(own, clause, place)

    def _divides(self, clause: Clause, place: int) -> bool:
        """Whether a word stands between two names of one company ("Facebook parent Meta"), or a stroke stands between two measures, or the v of versus between two companies."""
        beside = clause.parts[place - 1 : place + 2] if place else []
        if len(beside) < 3:
            return False
        mark, ends = beside[1].bases, (beside[0], beside[2])
        if all(one.mention for one in ends) and ends[0].mention.ciks == ends[1].mention.ciks:  # type: ignore[union-attr]
            return True
        compared = all(one.mention for one in ends) or all(one.stretch for one in ends)
        return (mark == ("v",) and compared) or (mark == ("/",) and all(one.named for one in ends))

    def _loose(self, clause: Clause, part: Part) -> None:
        """A part of a clause that names no measure: it may stay unused, unless it could narrow what is asked."""
        sentence = self.sentence
        before = [phrase for phrase in self.phrases if phrase.first < part.first]
        corrects = any(one.says("correcting") for one in clause.parts)
        aside = not corrects and (sentence.is_asker(clause) or self._is_apart(clause))
        if (statement := part.value("statement")) and not aside:
            for phrase in self.phrases:
                phrase.statements[statement] = sentence.text(part)
            return
        if aside or not self.phrases:
            if not (part.unknown or part.has("part", "currency")) or self._may_pass(clause, part):
                return
        elif (qualifier := part.value("qualifier")) and not part.has("frame", "verb", "operation"):
            phrase = before[-1] if before else self.phrases[0]
            phrase.qualify(qualifier, *part.bases, ahead=not before)
            return
        elif part.bases == ("use",) and [bool(one.stretch) for one in clause.parts] == [False, True]:
            return  # "Use 2023"
        elif (part.value("verb") or "report") not in _MILD or (part.has("named_verb") and not part.has("verb")):
            raise Refused(Code.NOT_UNDERSTOOD, sentence.text(part))
        if part.has("part") or part.unknown or part.has("currency"):
            if part.unknown and self._may_pass(clause, part):
                return
            code = Code.DIMENSIONAL_ONLY if part.has("part") else Code.NOT_UNDERSTOOD
            if self.phrases:
                raise Refused(code, self._run(clause, clause.parts.index(part)))

    def _run(self, clause: Clause, place: int) -> str:
        """An unknown word with the unknown ones beside it, as typed."""
        first = last = place
        while first > 0 and clause.parts[first - 1].unknown:
            first -= 1
        while last + 1 < len(clause.parts) and clause.parts[last + 1].unknown:
            last += 1
        return self.sentence.text(clause.parts[first], clause.parts[last])

    def _may_name(self, clause: Clause, place: int) -> bool:
        """Whether a word of asking could be the name of a part where it stands: "data revenue", "paper revenue"."""
        part, parts = clause.parts[place], clause.parts
        word, stem = part.bases[0], part.stems[0]
        behind = place + 1 < len(parts) and parts[place + 1].named is not None
        if len(part.bases) > 1:
            return False
        if part.value("frame") == "asker" and word not in FIRST_PERSON | {"you", "your", "u", "me", "mine"}:
            first = place
            while (
                first and parts[first - 1].value("frame") == "asker" and parts[first - 1].bases[0] not in FIRST_PERSON
            ):
                first -= 1
            before = parts[first - 1].bases[-1] if first else ""
            if before in {"could", "can", "would"}:
                return behind  # "could somebody calculate"
            # "For a paper", "writing a memo".
            lead = parts[first - 2] if before in ARTICLES and first > 1 else None
            purpose = lead is not None and ("for" in lead.bases or lead.value("frame") == "asker")
            return behind or not (before in FIRST_PERSON or purpose)
        if behind and {word, stem} & connecting("nouns"):
            return True
        # "Revenue from displays", "on the data".
        first = place
        while first and parts[first - 1].bases[-1] in ARTICLES:
            first -= 1
        source = first > 1 and parts[first - 2].named and parts[first - 1].bases[-1] in connecting("origin")
        if source and part.value("frame") in {"ask", "amount"}:
            return True
        # "Apple's print revenue": behind a possessive stands no verb.
        owned = place > 0 and parts[place - 1].mention and self.sentence.tokens[part.first - 1].possessive
        if behind and owned and (part.value("frame") == "ask" or stem in connecting("bases")):
            return True
        if behind and place > 0 and parts[place - 1].mention and stem in connecting("bases"):
            # "What was NVIDIA compute revenue", but "what did NVIDIA report".
            return not any(one.says("with a verb") for one in parts[:place])
        asked = any(one.value("frame") in {"aux", "ask"} or one.bases == ("to",) for one in parts[:place])
        return behind and place > 0 and stem in connecting("bases") and not asked

    def _makes_another(self, clause: Clause, place: int) -> bool:
        """Whether a known word right beside a measure makes it another thing: "employee turnover", "earnings date"."""
        part, parts = clause.parts[place], clause.parts
        words = part.bases
        kinds = {one.kind for one in part.match.meanings} if part.match else set()
        opens = kinds == {"text_else"} and part.last - part.first > 1  # "how did", "what does"
        if kinds and kinds <= _ELSEWHERE and not opens:
            return True
        if place and parts[place - 1].named and len(words) == 1 and words[0] in connecting("heads"):
            return True
        return place + 1 < len(parts) and parts[place + 1].named is not None and part.has("particular")

    def _completes(self, own: Sequence[Phrase], clause: Clause, place: int) -> bool:
        """Whether unknown words are the rest of a name that stands apart: "how much cash did it use in financing activities"."""
        run = [clause.parts[place]]
        for part in clause.parts[place + 1 :]:
            if not part.unknown:
                break
            run.append(part)
        before = [phrase for phrase in own if phrase.first < run[0].first]
        if not before:
            return False
        extra = [word for part in run for word in part.stems]
        found = self.measures.selected(self.words(before[-1]), before[-1].named, extra)
        if found is None:
            return False
        before[-1].named, before[-1].last = found, run[-1].last
        self.use(*run)
        return True

    # --- words of accounting ---

    def _attach(self, own: Sequence[Phrase], clause: Clause, place: int) -> None:
        part = clause.parts[place]
        if statement := part.value("statement"):
            for phrase in own:
                phrase.statements[statement] = self.sentence.text(part)
            return
        if part.has("frame"):
            return
        if verb := part.value("verb"):
            self._verb(own, part, verb)
            return
        if (key := part.value("named_verb")) and not any(key in phrase.named.keys for phrase in own):
            raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(part))
        elsewhere = part.has("named_verb", "operation", "scale", "unit", "comparator")
        if elsewhere and not (part.value("qualifier") and self._is_qualifier(part)):
            return
        if qualifier := part.value("qualifier"):
            target = self._target(own, clause, place)
            target.qualify(qualifier, *part.bases, ahead=target.first > part.first)

    def _is_qualifier(self, part: Part) -> bool:
        """ "Total" adds up years, and rows of the table before; of one year of a measure it is part of its name."""
        made = any(one.kind in _MADE for phrase in self.phrases if phrase.taken for one in phrase.measures)
        return part.value("operation") == "sum" and not (self.several or made)

    def _target(self, own: Sequence[Phrase], clause: Clause, place: int) -> Phrase:
        """The phrase a qualifier belongs to: the name right behind it, else the last before it, else the next."""
        part = clause.parts[place]
        for following in clause.parts[place + 1 :]:
            if following.named and following.first not in self.used:
                return next(phrase for phrase in own if phrase.part is following)
            if not following.has("qualifier", "frame") or following.has("verb"):
                break
        before = [phrase for phrase in own if phrase.first < part.first]
        return before[-1] if before else own[0]

    def _verb(self, own: Sequence[Phrase], part: Part, verb: str) -> None:
        ahead = [phrase for phrase in own if phrase.first > part.first]
        # "How much did it spend on R&D as % of revenue": what it is a share of is not spent.
        shares = [one.first for one in self.sentence.parts if one.value("operation") == "share"]
        ahead = [one for one in ahead if not any(ahead[0].first < share < one.first for share in shares)] or ahead
        for phrase in ahead or own:
            phrase.verbs[verb] = self.sentence.text(part)

    def _changes(self, phrase: Phrase) -> list[Part]:
        """The words of change that a row of the cash flow statement is of itself: "increase (decrease) in inventories"."""
        lead = [part for part in self.sentence.parts if part.first < phrase.first]
        while lead and lead[-1].only_says("governing"):
            lead.pop()
        return list(takewhile(lambda part: part.values("operation") & MOVING, reversed(lead)))

    # --- resolving ---

    def _resolve(self, phrase: Phrase) -> None:
        """The measure under its qualifiers, verbs and statements; refuses where one makes it another."""
        sentence = self.sentence
        words = self.words(phrase)
        typed = " ".join((*phrase.front, *(words if phrase.taken else phrase.part.bases), *phrase.rear))
        qualifiers = [*phrase.before, *phrase.behind]
        made = any(row.measure.kind in _MADE for row in phrase.named.rows)
        if made and qualifiers:
            raise Refused(Code.NOT_UNDERSTOOD, " ".join((*phrase.front, *phrase.rear)))
        if len(qualifiers) > 1:
            extra = [word for one in qualifiers for word in one.split()]
            if other := self.measures.selected(words, phrase.named, extra):
                phrase.named, qualifiers = other, []
        for qualifier in qualifiers:
            found = self.measures.qualified(words, typed, phrase.named, qualifier)
            if found is None:
                raise Refused(Code.NOT_UNDERSTOOD, " ".join((*phrase.front, *phrase.rear)), measures=phrase.named.keys)
            phrase.named = found
        for verb, told in phrase.verbs.items():
            found = self.measures.verbed(() if qualifiers else words, phrase.named, verb)
            if found is None:
                raise Refused(Code.NOT_UNDERSTOOD, told, measures=phrase.named.keys)
            phrase.named = found
        for statement, told in phrase.statements.items():
            found = self.measures.on_statement(phrase.named, statement, words)
            if found is None:
                raise Refused(Code.NOT_UNDERSTOOD, told, measures=phrase.named.keys)
            if found.keys != phrase.named.keys and statement == "cashflow":
                self.use(*self._changes(phrase))
            phrase.named = found
        # "Use only the cash flow statement" chooses among readings, and refuses none.
        for statement in told_statements(sentence.passed) if len(phrase.named.asserted) > 1 else ():
            phrase.named = self.measures.on_statement(phrase.named, statement, words) or phrase.named
        self.of_segments(phrase)
        if phrase.verbs and not phrase.members:
            phrase.named = self.measures.earned(phrase.named)
        if phrase.named.ask and len(phrase.named.asserted) > 1:
            if self.several_meanings or len(phrase.named.keys) > MOST_MEANINGS:
                raise Refused(Code.AMBIGUOUS_CONCEPT, sentence.text(phrase.part), measures=phrase.named.keys)
            self.several_meanings = sentence.text(phrase.part)
        if phrase.axis:
            self.by_axis(phrase)
        elif phrase.members:
            phrase.named = self.of_parts(phrase)
