"""The result of a comparison in one line."""

from collections import Counter
from collections.abc import Mapping

from django.utils.text import get_text_list

from filings.redline.alignment import Kind
from filings.redline.comparison import QUIET, Comparison

OF_CAPTIONS = {Kind.ADDED: "added", Kind.DROPPED: "removed", Kind.CHANGED: "reworded"}
OF_TEXT = {Kind.ADDED: "added", Kind.DROPPED: "dropped", Kind.CHANGED: "changed", Kind.MOVED: "moved"}


def captions_said(comparison: Comparison) -> str:
    """How many risks were added, removed and reworded, kept their headings, and stand under other ones than before; empty
    for texts that list no risks. All but those removed and now elsewhere are the risks of the newer text.
    """
    captions = comparison.captions
    counts = Counter(one.kind for one in captions if one.kind is not Kind.MOVED)
    if not captions:
        return ""
    kept = sum(counts[kind] for kind in QUIET)
    told = _counted(counts, OF_CAPTIONS, "risk") or "No risk was added, removed or reworded"
    also = [f"{kept or 'none'} kept {'its heading' if kept == 1 else 'their headings'}"]
    for left, one_is, more_are in ((True, "is now", "are now"), (False, "was", "were")):
        if moved := sum(one.kind is Kind.MOVED and one.left is left for one in captions):
            before = "" if left else " before"
            also.append(f"{moved} {one_is if moved == 1 else more_are} under another heading{before}")
    return f"{told}; {get_text_list(also, 'and')}."


def text_said(counts: Mapping[Kind, int]) -> str:
    """How many sentences, headings and table rows became what. counts: as `Comparison.counts` and `Comparison.below`."""
    told = _counted(counts, OF_TEXT, "passage") or "No passage changed"
    rolled = counts[Kind.ROLLED]
    return f"{told}{f'; in {rolled} only figures or dates rolled forward' if rolled else ''}."


def _counted(counts: Mapping[Kind, int], names: Mapping[Kind, str], noun: str) -> str:
    """2 risks were added, 1 removed and 5 reworded; empty where none were."""
    told = [(counts[kind], name) for kind, name in names.items() if counts[kind]]
    if not told:
        return ""
    (first, name), *others = told
    verb = f"{noun} was" if first == 1 else f"{noun}s were"
    return get_text_list([f"{first} {verb} {name}", *(f"{count} {said}" for count, said in others)], "and")
