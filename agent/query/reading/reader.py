"""From a question to a query: under which companies it is read, named, or told by the parts that it names."""

from collections.abc import Sequence

from agent.query.companies.all_companies import everyone_named, is_of_everyone
from agent.query.companies.asked_companies import meant
from agent.query.companies.named_watchlists import companies_named
from agent.query.companies.owners import owner_in_text, owner_named, owners_named
from agent.query.measures.measures_of_parts import is_of_member, of_near_parts
from agent.query.measures.named_parts import companies_of, is_called, without_parts
from agent.query.reading.asked_question import AskedQuestion
from agent.query.reading.reading import Reading
from agent.query.wording.word_roles import words_of
from agent.query.words.company_lexicon import of_faces
from agent.query.words.refused_question import UNTIMELY, Misread, Refused
from agent.query.words.sentence import Sentence
from agent.refusals.codes import Code
from agent.registrants.mentions import Mention, slips
from agent.registrants.registrant_index import LOOSE
from agent.state.query import MOST_COMPANIES, Query
from agent.state.references import CompanyRef

MOST_TOKENS = 400
_COMPANY_FAULTS = frozenset({Code.NO_COMPANY, Code.UNKNOWN_COMPANY, Code.OFF_TOPIC})


class Reader(AskedQuestion):
    """One question being read, under the companies that it names or that its parts tell."""

    def read(self) -> Query | Misread:
        """The query of the question, or why there is none.

        The companies are chosen in this order; the first choice under which the question is understood stands:

        1. The one company of a chosen document, or of the question before, where the names are those of its parts.
        2. The owner of a part or of a word of its filings, where names only begin as those of companies that are not held.
        3. The companies that are named for sure (`_under_named`).
        4. All covered companies, where they are asked in an order or within bounds.
        5. None, and then those that words may name (`_under_possible`).
        """
        long = (one for one in self.shared.matches(self.tokens) if len(one) > 1)
        measured = {place for one in long if one.has("measure", "operation", "intent") for place in one.places}
        found = companies_named(self.companies, self.tokens, self.shared.vocabulary, measured, self.lists)
        strong, weak = meant(self.companies, self.tokens, found, measured)
        held = companies_of(strong, self.companies.held)
        # Of a document or a company that is chosen, what it calls a part is no other company either.
        asked = held or frozenset(one.cik for one in (self.previous.companies if self.previous else ()))
        if self.lines is not None and len(asked) == 1:
            parts = of_faces(self.shared, self.lines(list(asked)))
            strong, weak = (without_parts(one, asked, parts, self.tokens) for one in (strong, weak))
            if (
                held
                and all(is_called(one, parts, self.tokens) for one in strong)
                and (of_part := self._of_part(*held))
            ):
                return of_part
        strangers = [one for one in found if self.companies.held.isdisjoint(one.ciks)]
        # "The LEAP engine" is in nobody's name, though that of a company that is not held begins so.
        begun = strong and all(one in strangers and one.level > LOOSE for one in strong)
        if (
            begun
            and isinstance(self.under([]), Misread)
            and (owned := self._of_owner_of_part() or self._of_owner_in_text(self.sentence, strangers))
        ):
            return owned
        if strong:
            return self._under_named(strong, weak)
        everyone = everyone_named(self.tokens)
        if everyone and is_of_everyone(ranked := self.under([everyone])):
            return ranked
        return self._under_possible(found, weak, strangers)

    def _under_named(self, strong: Sequence[Mention], weak: Sequence[Mention]) -> Query | Misread:
        """The reading under the companies named for sure; else with the owners of parts beside them; else with everyday words
        that nothing but a company explains: "Was Target bigger than Lowe's?"
        """
        read = self.under(strong)
        if isinstance(read, Misread) and (beside := self._of_owners(strong)):
            return beside
        lost = read.words if isinstance(read, Misread) else ()
        more = [
            one
            for one in weak
            if self.text(one) in lost and len(one.ciks) == 1 and self.companies.held.issuperset(one.ciks)
            if self.tokens[one.first].capital
        ]
        return self.under(sorted((*strong, *more), key=lambda one: one.first)) if more else read

    def _under_possible(
        self, found: Sequence[Mention], weak: Sequence[Mention], strangers: Sequence[Mention]
    ) -> Query | Misread:
        """The reading under no company; else under the owner of a part, the owner of a word of its filings, a word that may
        name a company, or a name with a slip in it. Where all fail, the reason is the one that tells most.
        """
        first = self.under([])
        # "What about Target?": behind a question for a figure, a word that no measure holds may be a company.
        if isinstance(first, Query) and not (first.unheld and weak):
            return first
        unnamed = self.sentence
        free = {part.first for part in unnamed.parts if part.unknown}
        faulty = isinstance(first, Misread) and first.code in _COMPANY_FAULTS
        if faulty and (owned := self._of_owner_of_part()):
            return owned
        seconds: list[tuple[Mention, Misread]] = []
        for mention in weak:
            # Before a word that may name a company that is not held, the filings are asked who names it.
            if faulty and mention in strangers and (owned := self._of_owner_in_text(unnamed, strangers)):
                return owned
            if isinstance(second := self.under([mention]), Query):
                return second
            seconds.append((mention, second))
        if faulty and (owned := self._of_owner_in_text(unnamed, strangers)):
            return owned
        if isinstance(first, Query):
            return first
        if first.code in _COMPANY_FAULTS | {Code.NOT_UNDERSTOOD}:
            for mention in slips(self.companies, self.tokens, free):
                return self.under([mention])
        for mention in found:
            if first.code is Code.UNKNOWN_COMPANY and self.text(mention) in first.words:
                return self.under([mention])
        for mention, second in seconds:
            told = second.code is Code.AMBIGUOUS_COMPANY or mention.first > 0
            if first.code in _COMPANY_FAULTS and self.tokens[mention.first].capital and told:
                return second
        return first

    def _of_owner_of_part(self) -> Query | Misread | None:
        """The reading under the company whose part is named: "iPhone sales"; None where there is none."""
        if self.owners is None or self.previous is not None:
            return None
        before = self.sentence
        if several := self._of_owners(()):
            return several
        owner = owner_named(self.owners().parts, self.tokens, self.companies.held)
        found = [one for cik in (owner.ciks if owner else ()) if (one := self._of_part(cik))]
        if owner and not owner.ambiguous:
            return self._owned(found[0] if found else self.under([], *owner.ciks), owner)
        if owner and found:
            return self.under([owner])
        self.sentence = before
        return None

    def _of_owner_in_text(self, sentence: Sentence, strangers: Sequence[Mention]) -> Query | Misread | None:
        """The reading under the company in whose filings alone a name stands: "the LEAP engine"; None where there is none.

        sentence: the question read under no company. strangers: companies named that are not held.
        """
        if self.owners is None or self.previous is not None:
            return None
        owner = owner_in_text(self.owners(), sentence, self.companies.held, strangers)
        if owner is None:
            return None
        if owner.ambiguous:
            return self.under([owner])
        found = self._owned(self.under([], *owner.ciks), owner)
        if isinstance(found, Misread) and found.code in _COMPANY_FAULTS:
            self.sentence = sentence
            return None
        return found

    def _owned(self, found: Query | Misread, owner: Mention) -> Query | Misread:
        """A reading under the owner of a name: only figures of its parts answer, never one of the whole company."""
        words = self.text(owner)
        if isinstance(found, Misread):
            told = found.told.model_copy(update={"owned": words}) if found.told else None
            # The name is understood: what it has no figure of its own for is the company's part.
            lacking = found.code is Code.NOT_UNDERSTOOD and found.words and all(one in words for one in found.words)
            code = Code.DIMENSIONAL_ONLY if lacking else found.code
            return found.model_copy(update={"told": told, "code": code})
        if found.rows and not any(is_of_member(row.measure) for row in found.rows):
            return Misread(code=Code.DIMENSIONAL_ONLY, words=(words,), companies=found.companies, read=found.words)
        return found.model_copy(update={"owned": words})

    def _of_owners(self, named: Sequence[Mention]) -> Query | None:
        """The reading of parts of several companies, of which not all are named otherwise: "AWS vs Google Cloud revenue".

        None where it is not understood, or not of parts alone.
        """
        if self.owners is None or self.previous is not None:
            return None
        parts = [
            one for one in owners_named(self.owners().parts, self.tokens, self.companies.held) if len(one.ciks) == 1
        ]
        ciks = [one.ciks[0] for one in sorted((*parts, *named), key=lambda one: one.first) if len(one.ciks) == 1]
        if len({*ciks}) < 2 or len({*ciks}) == len({one.ciks for one in named}):
            return None
        before = self.sentence
        found = self.under(named, *ciks)
        if isinstance(found, Query) and found.rows and all(is_of_member(row.measure) for row in found.rows):
            return found
        self.sentence = before
        return None

    def _of_part(self, cik: int) -> Query | Misread | None:
        """The reading under a company that only its parts name; None where none of them is asked of, or not understood."""
        found = self.under([], cik)
        if isinstance(found, Misread):
            return found if found.code is Code.AMBIGUOUS_CONCEPT else None
        return found if any(is_of_member(row.measure) for row in found.rows) else None

    def under(self, named: Sequence[Mention], *ciks: int) -> Query | Misread:
        """The reading under one choice of companies: of those named, or of others."""
        many = [mention for mention in named if mention.ambiguous]
        ciks = tuple(
            dict.fromkeys((*ciks, *(cik for mention in named if not mention.ambiguous for cik in mention.ciks)))
        )
        # "Apple and my companies" of somebody who keeps none is no question about Apple.
        kept = all(mention.ciks or mention.everyone for mention in named)
        refs = tuple(map(self._ref, ciks)) if kept else ()
        reading = Reading(self, named, refs)
        try:
            if many:
                refs = tuple(self._ref(cik) for cik in many[0].ciks[:5])
                raise Refused(Code.AMBIGUOUS_COMPANY, self.text(many[0]))
            found = reading.query()
            if found.rows and refs and not any(one.covered for one in refs) and self.companies.held & {*ciks}:
                return reading.of_documents()  # no figures are held of them, but documents
            return found
        except Refused as refused:
            if refused.code is Code.UNKNOWN_COMPANY and refused.words:
                refs = self.companies.near(refused.words[0])
            return Misread(
                code=refused.code,
                words=refused.words,
                companies=refs[:MOST_COMPANIES],
                periods=reading.asked.years,
                measures=refused.measures or reading.keys,
                named=reading.sentence.keys,
                rows=reading.rows,
                parts=of_near_parts(reading.sentence, reading.lexicon, refused, refused.measures or reading.keys),
                scale=reading.scale,
                text=reading.telling,
                told=reading.told(refused.code),
                sourced=reading.sourced(refused.code),
                untimely=refused.code in UNTIMELY and reading.sentence.measured,
                read=words_of(self.sentence, set(), topical=False),
            )

    def _ref(self, cik: int) -> CompanyRef:
        return self.companies.ref(self.companies.registrants[cik])
