"""Selects the fact that answers a concept in one filing. Decided here and nowhere else.

The statement decides first: of the concept's tags, one that stands on the face of its statement in the same accession,
under a printed label that fits. Without a statement, a concept is answered only when all its candidate tags agree.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from agent.numbers.facts.accounting_identities import Reported
from agent.numbers.facts.derived_concepts import corroborated, derived
from agent.numbers.facts.filing_figures import Candidate, FilingFigures, words
from agent.numbers.facts.missing_facts import nothing
from agent.numbers.facts.selection_result import Choice, ChosenOperand, NoChoice, disputed, names_of, same, why_not
from agent.numbers.registry.concept import STATEMENTS
from agent.numbers.registry.registry import Concept, Condition, Face, Pick, Statement
from agent.numbers.registry.registry_schema import qualified
from agent.numbers.registry.row_labels import Fit, label_words
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first
from filings.models import Fact

NO_FACE = "Taken from XBRL data only; the filing's statement is not loaded."
FROM_NOTE = "From the notes of the filing, not the {statement} itself."
PRINTED_AS = "The printed row is labeled “{label}”."
# Net income of the parent: derived from net income with noncontrolling interests and confirmed by tagged diluted EPS.
INCLUDING, SHARE, PARENT = "net_income_incl_nci", "nci_income", "net_income_incl_nci - nci_income"
CENT = Decimal("0.01")
# Measures that equal the asked one under a condition. They may stand in where it has no tag, and are ignored where it
# has one (income available to common shareholders differs from net income by participating securities).
STAND_IN = (Condition.NO_NCI, Condition.NO_PREFERRED)


@dataclass
class Selection:
    """The concepts of one filing, each selected once."""

    filing_figures: FilingFigures
    decided: dict[tuple[str, int], Choice | NoChoice] = field(default_factory=dict)
    deciding: set[tuple[str, int]] = field(default_factory=set)

    def annual(self, key: str, offset: int = 0) -> Choice | NoChoice:
        """The number that answers a concept for the filing's fiscal year, or for one before it (offset -1, -2).

        Prior years are the comparatives of the same filing: two of income and cash flow, one of balances. A concept
        requested while it is being selected (two may derive from each other) counts as not reported.
        """
        cell = (key, offset)
        if cell in self.decided:
            return self.decided[cell]
        if cell in self.deciding:
            return NoChoice(key, Code.CONCEPT_NOT_REPORTED)
        self.deciding.add(cell)
        try:
            self.decided[cell] = self._decide(self.filing_figures.registry.concepts[key], offset)
        finally:
            self.deciding.discard(cell)
        return self.decided[cell]

    def value(self, key: str, offset: int = 0) -> Decimal | None:
        """The value of a concept, or None where nothing answers it."""
        choice = self.annual(key, offset)
        return choice.value if isinstance(choice, Choice) else None

    def reported(self, key: str, offset: int) -> Reported | None:
        """The value of a concept as the identities use it; None where nothing answers it."""
        choice = self.annual(key, offset)
        if not isinstance(choice, Choice):
            return None
        if choice.candidate:
            return Reported(choice.value, choice.candidate.decimals)
        return Reported(choice.value, tagged=False, slack=choice.half_unit)

    def shown_variant(self, key: str) -> Candidate | None:
        """The variant that the registry shows beside a concept, where the statement has it."""
        concept = self.filing_figures.registry.concepts[key]
        if not concept.beside:
            return None
        names = [(name, None) for name in concept.variant_names(concept.beside)]
        return next((one for one in self.filing_figures.candidates(concept, names, 0) if one.face), None)

    def _decide(self, concept: Concept, offset: int) -> Choice | NoChoice:
        names = list(self.names(concept, offset))
        candidates = list(self.filing_figures.candidates(concept, names, offset))
        if concept.face is Face.ANY or concept.statement in (Statement.NOTE, Statement.COVER):
            return self._first(
                lambda: self._agreed(concept, candidates, ""), lambda: derived(concept, self, offset)
            ) or nothing(concept, candidates, self, offset)
        if self.filing_figures.face_of(concept) is None:
            return self._without_face(concept, candidates, offset)
        on_face = [one for one in candidates if one.face]
        return self._first(
            lambda: self._on_face(concept, on_face, candidates, offset),
            lambda: self._own_line(concept, offset),
            lambda: self._by_earnings_per_share(concept, offset),
            lambda: derived(concept, self, offset),
            lambda: self._other_line(concept, offset),
            lambda: self._wider_line(concept, candidates, offset),
            lambda: self._from_note(concept, candidates),
        ) or nothing(concept, candidates, self, offset)

    @staticmethod
    def _first(*steps: "Step") -> Choice | NoChoice | None:
        return next((found for step in steps if (found := step()) is not None), None)

    def names(self, concept: Concept, offset: int) -> Iterator[tuple[str, Condition | None]]:
        """The tags that may answer, in the registry's order, without fallbacks whose condition fails."""
        for one in concept.candidates:
            match one.condition:
                case Condition.NO_NCI if self._tagged(("nci_income", "nci"), offset):
                    continue
                case Condition.NO_PREFERRED if self._tagged(("preferred_dividends",), offset):
                    continue
                case Condition.ON_FACE | Condition.FACE_LABEL:
                    if self.filing_figures.lines_for(concept, one.name)[0] is None:
                        continue
            yield one.name, one.condition

    def _tagged(self, keys: Sequence[str], offset: int) -> bool:
        """Whether the filing has a nonzero value under any tag of the concepts."""
        for key in keys:
            concept = self.filing_figures.registry.concepts[key]
            names = [(one.name, one.condition) for one in concept.candidates]
            if any(one.value for one in self.filing_figures.candidates(concept, names, offset)):
                return True
        return False

    def _on_face(
        self, concept: Concept, on_face: list[Candidate], candidates: list[Candidate], offset: int
    ) -> Choice | NoChoice | None:
        """The first tag on the statement whose printed label fits, or else the first whose label does not contradict."""
        if not on_face:
            return None
        own = [one for one in on_face if one.condition is not Condition.FACE_LABEL or one.fit is Fit.ACCEPTED]
        usable = [one for one in own if one.fit is Fit.ACCEPTED] or [one for one in own if one.fit is Fit.UNKNOWN]
        if not usable:
            rejected = next((one for one in own if one.fit is Fit.REJECTED), None)
            return self._contradicted(concept, rejected) if rejected else None
        chosen: Candidate | None = usable[0]
        if concept.pick is Pick.REVENUE:
            chosen = self._revenue(usable, offset)
        if concept.pick is Pick.ONLY_LINE:
            usable = self._lines_of_it(concept, usable, offset)
            chosen = usable[0] if all(same(one, usable[0]) for one in usable) else None
        if chosen is None or disputed(chosen):
            return self._conflict(concept, usable)
        uncommon = chosen.condition is Condition.FACE_LABEL or chosen.fit is Fit.UNKNOWN
        notes = [PRINTED_AS.format(label=chosen.label)] if chosen.label and uncommon else []
        losers = tuple((one, why_not(one, chosen)) for one in candidates if one.name != chosen.name)
        return Choice(concept.key, chosen.value, chosen, losers=losers, notes=tuple(notes))

    def _contradicted(self, concept: Concept, rejected: Candidate) -> NoChoice:
        """The refusal of a tag whose printed label means another measure."""
        return NoChoice(
            concept.key,
            Code.CONFLICT,
            text=f"The filing prints this line as “{rejected.label}”, which is not {lower_first(concept.label)}.",
            detail="Its label and its XBRL tag disagree.",
            candidates=(rejected,),
            face_held=True,
        )

    def _revenue(self, usable: Sequence[Candidate], offset: int) -> Candidate | None:
        """Total revenue among several face lines: the one that the statement's own sums confirm.

        Neither a fixed order nor the maximum is safe (MA 2018-21, VST 2021-22, AXP 2018-25, PG 2014, ETN 2013-16).
        """
        real = [one for one in usable if one.value] or list(usable)
        chosen = real[0]
        if not [one for one in real if one.value > chosen.value and not same(one, chosen)]:
            return chosen
        sums = (
            ("gross_profit", "cost_of_revenue"),
            ("operating_income", "opex"),
            ("operating_income", "costs_and_expenses"),
        )
        for left, right in sums:
            a, b = self.value(left, offset), self.value(right, offset)
            if a is None or b is None:
                continue
            if confirmed := [one for one in real if abs(one.value - a - b) <= 3 * one.half_unit]:
                return confirmed[0]
        total = [one for one in real if one.label.lower().startswith("total")]
        return total[0] if len(total) == 1 else None

    def _own_line(self, concept: Concept, offset: int) -> Choice | NoChoice | None:
        """A statement line under the company's own tag, whose printed label fits the concept.

        A standard tag from a note does not replace it. Without a stored value, or with two unequal lines, nothing
        answers.
        """
        lines = self.filing_figures.fitting_lines(concept)
        if not lines:
            return None
        held = list(
            self.filing_figures.candidates(concept, [(line.name, Condition.FACE_LABEL) for line in lines], offset)
        )
        held = self._of_several(concept, held, offset)
        if held and all(same(one, held[0]) for one in held):
            return Choice(
                concept.key,
                held[0].value,
                held[0],
                notes=(PRINTED_AS.format(label=held[0].label),) if held[0].label else (),
            )
        said = ", ".join(f"“{line.label or words(line.name)}”" for line in lines[:3])
        return NoChoice(
            concept.key,
            Code.CONFLICT if held else Code.CONCEPT_NOT_REPORTED,
            text=f"We could not confirm a single figure for {lower_first(concept.label)} on the {STATEMENTS[concept.statement]}.",
            detail=f"Its line: {said}.",
            candidates=tuple(held),
            tried=names_of(concept),
            face_held=True,
            nearest=lines[0].label or words(lines[0].name),
        )

    def _of_several(self, concept: Concept, held: list[Candidate], offset: int) -> list[Candidate]:
        """Of printed lines that fit, those that the registry's words or another line tell apart from the rest.

        None of one line alone where there is a measure by which it may be more or less: it may be either.
        """
        if not held or held[0].fact.source != Fact.Source.PRINTED:
            return held
        if concept.rather and (said := [one for one in held if re.search(concept.rather, label_words(one.label)[0])]):
            return said
        apart = concept.less or concept.plus
        other = self.value(apart, offset) if apart else None
        if not other:
            unsaid = apart and self.filing_figures.prints(self.filing_figures.registry.concepts[apart], offset)
            return [] if unsaid else held
        by = other if concept.less else -other
        return [one for one in held if any(abs(each.value - one.value - by) <= 2 * one.half_unit for each in held)]

    def _other_line(self, concept: Concept, offset: int) -> Choice | NoChoice | None:
        """A statement line whose label fits, under a standard tag that the registry gives to another measure.

        It answers where the registry says so of its tag (`alike`) and it is printed under a name of the measure itself.
        Otherwise whether label or tag is wrong is unknown; a note's amount is not the answer in either case.
        """
        if named := self._named_line(concept, offset):
            notes = (PRINTED_AS.format(label=named.label),)
            return Choice(concept.key, named.value, named, notes=notes)
        lines = self.filing_figures.fitting_lines(concept, standard=True)
        names = [(line.name, Condition.FACE_LABEL) for line in lines]
        held = list(self.filing_figures.candidates(concept, names, offset))
        if not held:
            return None
        return NoChoice(
            concept.key,
            Code.CONFLICT,
            text=f"The line printed as “{held[0].label}” is tagged as a different measure.",
            detail="Its label and its XBRL tag disagree.",
            candidates=tuple(held),
            tried=names_of(concept),
            face_held=True,
        )

    def _named_line(self, concept: Concept, offset: int) -> Candidate | None:
        """The one line under a tag that the registry holds alike, where the statement has none under the concept's own."""
        face, called = (
            self.filing_figures.face_of(concept),
            {label_words(one)[1] for one in (concept.label, *concept.aliases)},
        )
        if face is None or any(name in face for name in concept.names):
            return None
        names = [(qualified(tag), Condition.FACE_LABEL) for tag in concept.alike]
        held = [one for one in self.filing_figures.candidates(concept, names, offset) if one.face == concept.statement]
        named = held and all(label_words(one.label)[1] in called and same(one, held[0]) for one in held)
        return held[0] if named and not (concept.sign == "pos" and held[0].value < 0) else None

    def _lines_of_it(self, concept: Concept, usable: list[Candidate], offset: int) -> list[Candidate]:
        """The lines of one statement that may be the concept: its own tags first, the company's own tags last."""
        first = [one for one in usable if one.face == concept.statement] or usable
        names = [(line.name, Condition.FACE_LABEL) for line in self.filing_figures.fitting_lines(concept)]
        beside = self.filing_figures.candidates(concept, names, offset)
        return [one for one in (*first, *beside) if one.face == first[0].face]

    def _wider_line(self, concept: Concept, candidates: list[Candidate], offset: int) -> NoChoice | None:
        """A statement line for the measure and more, where a note gives another amount.

        How much of the line is the measure is unknown, and the note may tag only part of it.
        """
        lines = self.filing_figures.wider_lines(concept)
        held = list(
            self.filing_figures.candidates(concept, [(line.name, Condition.FACE_LABEL) for line in lines], offset)
        )
        wider = [one for one in held if one.value and not all(same(one, other) for other in candidates)]
        if not wider or not candidates:
            return None
        said = next(line.label or words(line.name) for line in lines if line.name == wider[0].name)
        return NoChoice(
            concept.key,
            Code.CONFLICT,
            text=f"The {STATEMENTS[wider[0].face or concept.statement]} prints “{said}”, which is more than "
            f"{lower_first(concept.label)}.",
            detail="Only notes give a figure for that measure alone.",
            candidates=(*wider, *candidates),
            tried=names_of(concept),
            face_held=True,
            nearest=said,
        )

    def _from_note(self, concept: Concept, candidates: list[Candidate]) -> Choice | NoChoice | None:
        """An answer from notes: the statement has no such line, and the tags outside it agree."""
        if concept.face in (Face.REQUIRED, Face.WHERE_HELD):
            return None
        off_face = [
            one for one in candidates if one.value and one.condition not in (Condition.ON_FACE, Condition.FACE_LABEL)
        ]
        return self._agreed(concept, off_face, FROM_NOTE.format(statement=STATEMENTS[concept.statement]))

    def _without_face(self, concept: Concept, candidates: list[Candidate], offset: int) -> Choice | NoChoice:
        if concept.face is Face.REQUIRED and candidates and not corroborated(concept, candidates[0], self, offset):
            return NoChoice(
                concept.key,
                Code.CONFLICT,
                text=f"We could not confirm which figure is {lower_first(concept.label)}: the filing's statement is not loaded.",
                candidates=tuple(candidates),
            )
        return self._first(
            lambda: self._agreed(concept, candidates, NO_FACE),
            lambda: self._by_earnings_per_share(concept, offset),
            lambda: derived(concept, self, offset),
        ) or nothing(concept, candidates, self, offset)

    def _agreed(self, concept: Concept, candidates: list[Candidate], note: str) -> Choice | NoChoice | None:
        """The first candidate when all agree after rounding; a zero beside other values is a placeholder."""
        if not candidates:
            return None
        own = [one for one in candidates if one.condition not in STAND_IN] or candidates
        real = [one for one in own if one.value] or own
        if any(not same(one, real[0]) for one in real[1:]):
            return self._conflict(concept, real)
        chosen = real[0]
        if disputed(chosen):
            return self._conflict(concept, real)
        losers = tuple((one, "Agrees with the figure used.") for one in candidates if one.name != chosen.name)
        return Choice(concept.key, chosen.value, chosen, losers=losers, notes=(note,) if note else ())

    def _conflict(self, concept: Concept, candidates: Sequence[Candidate]) -> NoChoice:
        return NoChoice(concept.key, Code.CONFLICT, candidates=tuple(candidates), tried=names_of(concept))

    def _by_earnings_per_share(self, concept: Concept, offset: int) -> Choice | None:
        """Net income including noncontrolling interests, less their share or not, whichever gives the tagged diluted
        EPS (MA FY2023: 11,195 / 946 = 11.83). None where both do or neither.
        """
        if concept.pick is not Pick.EPS:
            return None
        including, share = self.annual(INCLUDING, offset), self.annual(SHARE, offset)
        eps, shares = self.value("eps_diluted", offset), self.value("shares_diluted_wa", offset)
        if not isinstance(including, Choice) or including.candidate is None or not eps or not shares:
            return None
        options = [Choice(concept.key, including.value, including.candidate)]
        if isinstance(share, Choice) and share.candidate:
            parts = (ChosenOperand(INCLUDING, including.candidate), ChosenOperand(SHARE, share.candidate))
            options.append(Choice(concept.key, including.value - share.value, formula=PARENT, parts=parts))
        confirmed = [one for one in options if abs(one.value / shares - eps) <= CENT]
        if len(confirmed) != 1:
            return None
        note = "Confirmed by diluted EPS and diluted shares."
        return replace(confirmed[0], notes=(note,))


Step = Callable[[], Choice | NoChoice | None]
