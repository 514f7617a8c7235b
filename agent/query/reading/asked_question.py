"""What is read of a question before companies are chosen: its words, what is known of names, and the question before."""

from collections.abc import Callable, Sequence
from datetime import date

from agent.numbers.registry.registry import Registry
from agent.query.companies.named_watchlists import Watched
from agent.query.companies.owners import Owners as Names
from agent.query.measures.restated import without_doubles
from agent.query.reading import follow_up
from agent.query.reading.lattice import Cover
from agent.query.wording.instructions import parted
from agent.query.words.company_lexicon import of_companies, of_faces
from agent.query.words.lexicon import Called, Lexicon, Match, lexicon_of
from agent.query.words.sentence import Sentence
from agent.registrants.mentions import Mention
from agent.registrants.registrant_index import Companies
from agent.state.query import Query
from agent.words.tokens import Token
from filings.models.source_kinds import SourceKind

Lines = Callable[[Sequence[int]], Called]
Owners = Callable[[], Names]


class AskedQuestion:
    """One question being read. What `explain` prints stays on it: `cover`, `others`, `sentence`, `lexicon`."""

    def __init__(
        self,
        wording: str,
        tokens: tuple[Token, ...],
        companies: Companies,
        registry: Registry,
        today: date,
        lines: Lines | None = None,
        previous: Query | None = None,
        lists: Sequence[Watched] = (),
        owners: Owners | None = None,
        *,
        documents: Sequence[tuple[int, int]] = (),
        newest: SourceKind | None = None,
    ) -> None:
        self.lists, self.owners = lists, owners
        self.documents = documents  # where the question names documents, with their periods: it asks for their text
        self.newest = newest  # of which kind the newest are asked for, where it names no subject
        self.previous, self.thing = previous, follow_up.thing_of(previous, registry)
        self.wording, self.companies = wording, companies
        self.registry, self.today, self.lines, self.shared = registry, today, lines, lexicon_of(registry)
        self.tokens, self.passed = parted(wording, without_doubles(wording, tokens, self.shared), self.shared)
        self.cover, self.others = Cover((), 0.0), list[Cover]()
        self.lattice: list[Match] = []
        self.sentence, self.lexicon = Sentence(wording, tokens, ()), self.shared

    def lexicon_of(self, ciks: Sequence[int]) -> Lexicon:
        """The names with those of one company, or with the parts of several."""
        if self.lines is None or not ciks:
            return self.shared
        alone = {cik: of_faces(self.shared, self.lines([cik])) for cik in ciks}
        return next(iter(alone.values())) if len(alone) == 1 else of_companies(self.shared, alone)

    def text(self, mention: Mention) -> str:
        return self.wording[self.tokens[mention.first].start : self.tokens[mention.last - 1].end]
