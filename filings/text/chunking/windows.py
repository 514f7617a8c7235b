"""Sizes of chunks and windows, and sliding windows over the units of a chunk."""

from collections.abc import Iterable, Sequence

from filings.text.chunking.word_pieces import Unit

# Word pieces. Parents of about 430 are for words and display. Windows of at most 200 are for vectors, which together
# with their headings stay below 256; those of prose have two or three sentences, about 100 pieces: the evidence is then
# nearest of all windows of a filing for 55 % of questions against 48 %.
PARENT, WINDOW, PROSE_WINDOW = 430, 200, 100
OVERLAP = PROSE_WINDOW // 5


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
