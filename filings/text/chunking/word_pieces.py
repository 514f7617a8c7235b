"""The sentences and rows of a text with their word pieces, counted once for a whole section; sliding windows of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from filings.document.blocks import ROW_GAP, Block
from filings.document.sentences import sentence_spans
from filings.text.embeddings import pieces_of, pieces_within

# Word pieces. Parents of about 430 are for words and display. Windows of at most 200 are for vectors, which together
# with their headings stay below 256; those of prose have two or three sentences, about 100 pieces: the evidence is then
# nearest of all windows of a filing for 55 % of questions against 48 %.
PARENT, WINDOW, PROSE_WINDOW = 430, 200, 100
OVERLAP = PROSE_WINDOW // 5
# Pieces left free where a word is cut: its parts can have more of them than the whole.
CUT = 3
# Characters counted in one go: the tokenizer takes some 250 bytes for each.
AT_ONCE = 1_000_000
# No sentence is longer: text without a full stop for this long is counted in parts, or it would fill the memory.
LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, or a row of a table, which is only split if necessary. Positions refer to the section's text."""

    start: int
    end: int
    pieces: int
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """A block and its units. `header` counts the rows of a table that name its columns; see Block for `opens`."""

    kind: str
    start: int
    end: int
    level: int
    header: int
    units: tuple[Unit, ...]
    opens: bool = False

    @property
    def pieces(self) -> int:
        return sum(unit.pieces for unit in self.units)


def measure(text: str, blocks: Sequence[Block], beat: Callable[[], None]) -> list[Measured]:
    """The blocks with the word pieces of their sentences and rows, without empty blocks. beat: called now and then."""
    spans = [[part for span in unit_spans(text, block) for part in parts(text, *span)] for block in blocks]
    flat = [text[start:end] for found in spans for start, end in found]
    counted: list[int] = []
    for some in batches(flat):
        counted += pieces_of(some)
        beat()
    counts = iter(counted)
    measured = []
    for block, found in zip(blocks, spans, strict=True):
        heading = block.kind == "heading"
        units = tuple(Unit(start, end, next(counts), heading) for start, end in found)
        if units:
            # Rows without text are no units.
            named = text[block.start : block.end].split(ROW_GAP)[: block.header]
            header = sum(bool(row.strip()) for row in named)
            measured.append(Measured(block.kind, block.start, block.end, block.level, header, units, block.opens))
    return measured


def batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """The texts in order, in groups that are counted in one go."""
    first = size = 0
    for place, text in enumerate(texts):
        if size + len(text) > AT_ONCE and first < place:
            yield texts[first:place]
            first, size = place, 0
        size += len(text)
    if first < len(texts):
        yield texts[first:]


def parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """text[start:end] in parts of at most `LONGEST` characters, cut between words where there are any."""
    while end - start > LONGEST:
        blank = text.rfind(" ", start + 1, start + LONGEST + 1)
        cut = blank if blank > 0 else start + LONGEST
        yield start, cut
        start = cut + 1 if blank > 0 else cut
    yield start, end


def unit_spans(text: str, block: Block) -> list[tuple[int, int]]:
    """The nonempty sentences of a block of prose, or rows of a table."""
    if block.kind == "table":
        spans, start = [], block.start
        for row in text[block.start : block.end].split(ROW_GAP):
            if row.strip():
                spans.append((start, start + len(row)))
            start += len(row) + len(ROW_GAP)
        return spans
    return sentence_spans(text, block.start, block.end)


def within(text: str, units: Sequence[Unit], limit: int) -> Iterator[Unit]:
    """The units, those longer than `limit` pieces cut between words; a longer word is cut inside."""
    for unit in units:
        if unit.pieces <= limit:
            yield unit
            continue
        starts = pieces_within(text[unit.start : unit.end])
        first = 0
        while first < len(starts):
            last = min(first + limit, len(starts))
            if last < len(starts):
                # Back to the nearest piece that begins a word; a cut inside a word can create other pieces.
                inside = max(first + 1, last - CUT)
                cuts = (at for at in range(last, first, -1) if text[unit.start + starts[at] - 1].isspace())
                last = next(cuts, inside)
            begin = unit.start + starts[first] if first else unit.start
            end = unit.start + starts[last] if last < len(starts) else unit.end
            yield Unit(begin, begin + len(text[begin:end].rstrip()), last - first, unit.heading)
            first = last


def sliding(units: Iterable[Unit], limit: int, overlap: int) -> list[Sequence[Unit]]:
    """Windows of whole units of at most `limit` pieces; each begins with units of the one before.

    The repeated units come nearest to `overlap` pieces from below; or the last unit alone, if it is at most twice that.
    A window without new units is left out.
    """
    all_units = list(units)
    windows: list[Sequence[Unit]] = []
    first = 0
    while first < len(all_units):
        last, size = first, 0
        while last < len(all_units) and (last == first or size + all_units[last].pieces <= limit):
            size += all_units[last].pieces
            last += 1
        windows.append(all_units[first:last])
        if last == len(all_units):
            break
        again, shared = last, 0
        while again - 1 > first and shared + all_units[again - 1].pieces <= (overlap if again < last else 2 * overlap):
            again -= 1
            shared += all_units[again].pieces
        # The repetition must leave room for what follows.
        while again < last and shared + all_units[last].pieces > limit:
            shared -= all_units[again].pieces
            again += 1
        first = again
    return windows
