"""The sentences that answer, or the passages that are nearest: what the prose half of `validate` finds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agent.prose.answers import premises, yes_no
from agent.prose.answers.causes import Cause, Change, causes, change_of, given
from agent.prose.answers.change_passages import ChangePassage, change_passages
from agent.prose.answers.foretold import Foretold, asks_of_past, forward
from agent.prose.answers.listing import caused, listing
from agent.prose.questions.topics import asks_of_years, general, is_of_item, kind_of
from agent.prose.questions.weights import asked
from agent.prose.ranking import calibration
from agent.prose.ranking.scoring import Nearness, Score, best_row, judged
from agent.prose.search.floor import floor_of
from agent.prose.search.near_passages import Stretch, nearest, of_block, tabled
from agent.prose.search.passages import focus_text, of_listing, passage_at
from agent.prose.text.candidate_sentences import FIELDS, Unit, is_boilerplate, is_debris, read_units, stands, texts
from agent.prose.text.quotations import Picked, claim, quoted, refers
from agent.prose.text.reasons import way_of
from agent.prose.text.wording import not_found
from agent.refusals.grammar import listed
from agent.state import (
    Claim,
    FilingRef,
    NearPassage,
    Passage,
    PeriodForm,
    Refusal,
    Remark,
    RemarkCode,
    Retrieval,
    Target,
    Topic,
)
from agent.words.common_words import is_everyday
from agent.words.stems import roots
from filings.importing.news_items import is_origin
from filings.models.source_kinds import ANNUAL

MOST_CLAIMS = 6
# Passages of a part that has no answer, of which the page folds some: of a question with several parts fewer of each.
MOST_NEAR, LEAST_NEAR = 5, 2
# Words of a question that stand in the filing beside a name that does not: with fewer it asks for the name alone.
LEAST_BESIDE = 2
# Sentences that an Item asked about as a whole begins with, and that one of the newest documents does.
MOST_FIRST, MOST_OPENING = 3, 2
DECEMBER = 12


@dataclass(frozen=True, slots=True)
class Answered:
    """The claims of one target with what is to be said beside them; of what has none the nearest passages; or the refusal."""

    claims: tuple[Claim, ...] = ()
    near: tuple[NearPassage, ...] = ()
    remarks: tuple[Remark, ...] = ()
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """What answers one part of a question: stretches, the best first, and what they show."""

    picked: tuple[Picked, ...] = ()
    remark: str = ""


class Extraction:
    """One target's passages, read once, and what of them answers each part of its question."""

    def __init__(self, target: Target, topic: Topic, filing: FilingRef, retrieval: Retrieval) -> None:
        self.target = target
        self.topic, self.filing, self.retrieval = topic, filing, retrieval
        self.foretold = Foretold(filing) if asks_of_past(topic, target.period, filing) else None
        self.texts = texts(passage.section for passage in retrieval.passages)
        self.sections = {key: text.section for key, text in self.texts.items()}
        parts = [focus_text(topic, place) for place in range(len(topic.queries))]
        self.nearness = Nearness(parts, retrieval.passages, self.texts, "" if topic.whole else retrieval.model)
        self.told = [asked(query, filing.filing) for query in topic.queries]
        self.judged: dict[int, list[Score]] = {}
        self.every = read_units(retrieval.passages, self.texts)
        self.units = [unit for unit in self.every if not is_debris(unit)]

    @cached_property
    def listing(self) -> tuple[str, list[Passage]] | None:
        """What the filing's own list tells of itself, and its parts; read only where sentences are picked."""
        made = listing(self.topic, self.filing.filing)
        if self.change and (found := given(self.change, self.causes)):
            made = caused(found, self.change)
        parts = of_listing(made, self.filing, self.target) if made else []
        return (made.told, parts) if made and len(parts) == len(made.parts) else None

    @property
    def is_of_captions(self) -> bool:
        """Whether risks answer because their captions name what is asked: others may tell of it too."""
        return self.listing is not None and self.topic.form == "risks" and not self.topic.whole

    @cached_property
    def change(self) -> Change | None:
        """The change of a measure over a year whose cause is asked, of a 10-K."""
        period = self.target.period
        ended = self.filing.period_end
        other = period.end not in {None, ended} or (period.form is PeriodForm.CALENDAR and ended.month != DECEMBER)
        if self.filing.source != ANNUAL.key or period.part is not None or other:
            return None
        return change_of(self.topic, self.filing.fiscal_year if period.year is None else period.year)

    @cached_property
    def causes(self) -> list[Cause]:
        """What the filing gives as causes of the change."""
        return list(causes(self.change, self.filing.filing, self.filing.fiscal_year)) if self.change else []

    def part(self, place: int) -> Part:
        """What answers one part of the question; what is expected answers none, it is shown."""
        if self.topic.ahead:
            return Part()
        if self.listing:
            remark, parts = self.listing
            return Part(tuple(self.listed(parts, place)), remark)
        if said := self.outright(place):
            return said
        if self.topic.whole:
            return self.whole(place)
        if self.topic.form == "risks":
            return Part()  # a filing's own list answers, see agent.prose.answers.listing
        every = [one for one in self.scores(place) if one.names and not self.foretells(one.unit)]
        if not asks_of_years(self.topic.text):
            every = [one for one in every if one.traits["dated"] >= 0]
        scores = [one for one in every if one.unit.kind != "heading"]
        terms = self.told[place].terms
        # Of a measure of the whole company, what is told of a part denies nothing.
        whole = self.change is not None and self.change.whole
        opposed = None if whole else premises.opposed(self.topic.text, every, scores, terms, self.around)
        remark = premises.unsaid(self.topic.text, every, terms, self.around)
        if (opposed or remark) and premises.is_told(self.topic.text, self.filing.filing, self.filing.fiscal_year):
            return Part()
        if opposed is not None and (picked := self.stretch(opposed.unit, place, opposed.total)):
            return Part((picked,), "The filing does not say what the question assumes.")
        if remark:
            return Part(remark=remark)
        return self.decided(premises.presumed(self.topic.text, scores, terms, self.around), place)

    def scores(self, place: int) -> list[Score]:
        """The sentences against one part of the question, the best first."""
        if place not in self.judged:
            told = self.told[place]
            self.judged[place] = judged(self.units, self.topic, told, self.nearness, place, self.filing.fiscal_year)
        return self.judged[place]

    def nearest(self, target: Target, place: int) -> tuple[NearPassage, ...]:
        """The passages nearest to one part of the question; none where nothing is near."""
        scores = self.scores(place)
        if self.is_elsewhere(place):
            return ()
        if self.change:
            scores = sorted(scores, key=lambda one: one.unit.passage.annual_item != "7")
        row = None
        if self.topic.ahead:
            scores = [one for one in scores if self.topic.whole or self.is_of(one.unit, place)]
            scores = forward(scores, self.filing, whole=self.topic.whole)
        else:
            row = best_row(self.every, self.topic, self.told[place], self.nearness, place, self.filing.fiscal_year)
        most = max(LEAST_NEAR, MOST_NEAR // len(self.topic.queries))
        floor = floor_of(self.topic, [self.topic.queries[place]])
        told = self.change_passages()
        most = min(most, len(told) + 1) if told else most
        return nearest(target, self.filing, scores, self.texts, place, most, floor, row, told, alone=self.topic.ahead)

    def change_passages(self) -> list[Stretch]:
        """The tables and paragraphs that tell of the change whose cause is asked."""
        found = change_passages(self.change, self.filing.filing, self.filing.fiscal_year) if self.change else []
        return [made for one in found if (made := self.shown(one))]

    def shown(self, told: ChangePassage) -> Stretch | None:
        """A row of a table below its header with the paragraph beside it, or one of them."""
        text, best, ranges = told.text, list[Score](), set[tuple[int, int]]()
        for one in filter(None, (told.row, told.sentence)):
            if passage := passage_at(text.section.pk, one.start, self.filing, self.target):
                unit = Unit(**{name: getattr(one, name) for name in FIELDS}, passage=passage, place=-1)
                best.append(Score(unit, 1.0, 1.0, names=True))
                ranges |= {*(tabled(unit, text) if one is told.row else [of_block(unit, text)])}
        return Stretch(best, text, tuple(sorted(ranges))) if best else None

    def is_of(self, unit: Unit, place: int) -> bool:
        """Whether a sentence, with the headings above it, has most of what is asked in one part of the question."""
        asked, around = self.told[place], self.around(unit)
        held = sum(term.weight for term in asked.terms if term.root in around)
        return 2 * held >= asked.total or any(one <= around for one in asked.variants)

    def is_elsewhere(self, place: int) -> bool:
        """Whether somebody or something is asked about by name of whom nothing stands in the filing, and little else."""
        held = [term for term in self.told[place].terms if term.count and term.root not in general()]
        return bool(self.unnamed(place)) and len(held) < LEAST_BESIDE

    def unnamed(self, place: int) -> list[str]:
        """Names of one part of the question that stand nowhere in the filing, as they were typed."""
        return [word for word in self.absent(place) if word[:1].isupper() and not self.begins(word)]

    def begins(self, word: str) -> bool:
        """Whether a word has its capital from the beginning of the question: "Size of the buyback"."""
        return self.topic.text.startswith(word) and is_everyday(word)

    def absent(self, place: int) -> list[str]:
        """Words of one part of the question that stand nowhere in the filing, as typed."""
        missing = {term.root for term in self.told[place].terms if not term.count}
        absent = [typed for typed in self.topic.queries[place].words if roots(typed) & missing]
        # Filings have other words for which way a measure moved.
        return [typed for typed in absent if not (self.change and way_of(typed))]

    # --- forms ---

    def outright(self, place: int) -> Part | None:
        """The "None." of an Item that is asked about."""
        for unit in self.units:
            named = unit.passage.annual_item in self.topic.implied[:1] and is_of_item(self.topic, place)
            if named and yes_no.says_none(unit) and len(self.sections[unit.passage.section].text) < 400:
                section = self.sections[unit.passage.section]
                picked = Picked(unit.passage, unit.start, unit.end, place, 1.0, section.heading)
                return Part((picked,), yes_no.shown(picked, unit.text))
        return None

    def whole(self, place: int) -> Part:
        """What begins an Item that is asked about as a whole: the first sentence under each of its first headings where it is
        named, or of each paragraph where it has one heading; else its first sentences; of one of the newest documents those below its title and what says where it is from.
        """
        told = [one for one in sorted(self.units, key=lambda one: one.start) if stands(one) and not refers(one.text)]
        told = [one for one in told if not is_boilerplate(one)]
        if self.topic.newest:
            told = [one for one in told if not (one.text == self.filing.title or is_origin(one.text))][:MOST_OPENING]
        elif self.topic.named:
            told = [one for one in told if not one.text.rstrip().endswith(":")]
            headed = len({one.headings[:1] for one in told}) > 1
            first: dict[object, Unit] = {}
            for one in told:
                first.setdefault(one.headings[:1] if headed else one.block, one)
            told = list(first.values())[:MOST_CLAIMS]
        else:
            told = told[:MOST_FIRST]
        return Part(tuple(merged([found for one in told if (found := self.stretch(one, place))])))

    def listed(self, parts: Sequence[Passage], place: int) -> Iterator[Picked]:
        """Each part of the filing's own list: its heading, or the first sentence below with the heading as its caption."""
        for passage in (one for one in parts if one.query == place):
            above, (start, end) = passage.ranges[0], passage.ranges[-1]
            text = texts([passage.section])[passage.section]
            # The name that a paragraph begins with is shown before its sentence anyway.
            named = above[0] != start and text.bounds.place(above[0]) != text.bounds.place(start)
            yield Picked(passage, start, end, place, 1.0, text.text[slice(*above)] if named else "")

    def decided(self, scores: Sequence[Score], place: int) -> Part:
        """The best sentence that can be quoted, where it decides a question for yes or no."""
        kind = kind_of(self.topic)
        sure = (one for one in scores if calibration.answers(one.total, kind))
        picked = next((found for one in sure if (found := self.stretch(one.unit, place, one.total))), None)
        # A sentence that leaves it to the reader is none that decides.
        said = yes_no.shown(picked, self.said(picked), self.topic.text) if picked else ""
        return Part((picked,), said) if picked and said else Part()

    # --- what is taken for granted ---

    def foretells(self, unit: Unit) -> bool:
        """Whether what would be quoted for a sentence is guidance, where a period is asked about that is over."""
        if self.foretold is None:
            return False
        section = self.sections[unit.passage.section]
        start, end = quoted(unit, self.texts[unit.passage.section]) or (unit.start, unit.end)
        return self.foretold.holds(section.number, start, end, "".join(unit.headings[:1]))

    def around(self, unit: Unit) -> frozenset[str]:
        return unit.roots | frozenset(word for text in (*unit.headings, unit.before) for word in roots(text))

    # --- one sentence ---

    def stretch(self, unit: Unit, place: int, worth: float = 1.0) -> Picked | None:
        """What is quoted for a sentence; None where it cannot stand by itself."""
        span = quoted(unit, self.texts[unit.passage.section])
        if span is not None and not inside(span, unit.passage):
            # What was found is what is quoted from: a long list goes on in the next chunk.
            alone = (unit.start, unit.end)
            span = alone if inside(alone, unit.passage) and not refers(unit.text) else None
        if span is None:
            return None
        heading = next((one for one in unit.headings[:1] if not is_origin(one)), "")
        return Picked(unit.passage, span[0], span[1], place, worth, heading[:500])

    def said(self, picked: Picked) -> str:
        return self.sections[picked.passage.section].text[picked.start : picked.end]


def answered(target: Target, topic: Topic, filing: FilingRef, retrieval: Retrieval) -> Answered:
    """At most six claims, and the nearest passages of each part without one; the refusal where nothing is near."""
    extraction = Extraction(target, topic, filing, retrieval)
    parts = [extraction.part(place) for place in range(len(topic.queries))]
    picked = [one for part in parts for one in part.picked]
    near = tuple(
        passage
        for place, part in enumerate(parts)
        if not part.picked or extraction.is_of_captions
        for passage in extraction.nearest(target, place)
        if not any(one.shares(passage) for one in part.picked)
    )
    if not picked and not near:
        items = tuple(dict.fromkeys(item for item in topic.items))
        missing = dict.fromkeys(name for place in range(len(parts)) for name in extraction.unnamed(place))
        said = nowhere(missing, "it") if missing else ""
        return Answered(refusal=not_found(target, topic, filing, items, "validate", said))
    sections = {key: text.section for key, text in texts(one.passage.section for one in picked).items()}
    most = len(picked) if extraction.listing else MOST_CLAIMS
    claims = tuple(claim(target, one, sections[one.passage.section]) for one in picked[:most])
    remarks = tuple(
        Remark(target=target.id, code=RemarkCode.PREMISE, text=part.remark) for part in parts if part.remark
    )
    absent = dict.fromkeys(
        word
        for place, part in enumerate(parts)
        if not (part.picked or topic.whole)
        for word in extraction.absent(place)
    )
    if absent:
        said = nowhere(absent, "the filing")
        remarks += (Remark(target=target.id, code=RemarkCode.PART_NOT_FOUND, text=said),)
    return Answered(claims, near, remarks)


def near(target: Target, topic: Topic, filing: FilingRef, retrieval: Retrieval) -> tuple[NearPassage, ...]:
    """The nearest passages of every part of a question, whether or not a sentence answers it."""
    extraction = Extraction(target, topic, filing, retrieval)
    return tuple(one for place in range(len(topic.queries)) for one in extraction.nearest(target, place))


def nowhere(words: Iterable[str], place: str) -> str:
    """“Zeppelin” is not in the filing."""
    quoted = [f"\u201c{word}\u201d" for word in words]
    return f"{listed(quoted)} {'is' if len(quoted) == 1 else 'are'} not in {place}."


def inside(span: tuple[int, int], passage: Passage) -> bool:
    """Whether a stretch lies within what a passage holds."""
    return any(start <= span[0] and span[1] <= end for start, end in passage.ranges)


def merged(picked: Sequence[Picked]) -> list[Picked]:
    """Stretches in their order, those that share characters made one."""
    kept: list[Picked] = []
    for one in picked:
        other = next((held for held in kept if held.shares(one)), None)
        if other is None:
            kept.append(one)
        else:
            kept[kept.index(other)] = replace(other, start=min(other.start, one.start), end=max(other.end, one.end))
    return kept
