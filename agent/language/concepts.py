"""Measures as people name them: registry aliases, the words the registry declares ambiguous, and spelling slips."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from agent.language.frames import patterns
from agent.language.lexicon import Lexicon, Match, Meaning, further_aliases, further_terms, no_slips, phrases, unclear
from agent.query.dates import MONTH_WORDS
from agent.words.tokens import Token, fold, stems, tokenise
from agent.numbers.registry import Ambiguous, Registry
from agent.state import Reading

_IN_PARENTHESES = re.compile(r"\s*\([^)]*\)")
# Aliases that mean the measure only as written: a share of revenue is no share count, earning is no earnings.
_AS_WRITTEN = {"share": "shares", "earning": "earnings", "receivable": "receivables", "payable": "payables"}
# A slip is only looked for in words this long, and keeps the first letter.
_SLIP_LENGTH = 6


@dataclass(frozen=True, slots=True)
class Measure:
    """What an alias stands for: a concept, a metric, or a term with several readings."""

    kind: str  # concept, metric, term
    key: str


@dataclass
class Measures:
    """The registry's words, compiled once a registry."""

    registry: Registry
    lexicon: Lexicon = field(default_factory=Lexicon)
    _forms: dict[str, set[str]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, registry: Registry) -> "Measures":
        measures = cls(registry)
        for kind, entries in (("metric", registry.metrics), ("concept", registry.concepts)):
            for key, entry in entries.items():
                for alias in (*entry.aliases, *(further_aliases().get(key, ()))):
                    measures._add(alias, Measure(kind, key))
        for term in registry.ambiguous_terms:
            if term in unclear():
                continue  # phrases.yaml says what such words do beside others
            for words in (term, *further_terms().get(term, ())):
                measures._add(words, Measure("term", term))
        for kind, entries in (("concept", registry.concepts), ("metric", registry.metrics)):
            for key, entry in entries.items():
                for words in (entry.label, _IN_PARENTHESES.sub("", entry.label)):
                    if stems(words) not in measures.lexicon.phrases:
                        measures._add(words, Measure(kind, key))
        for words in measures.lexicon.words:
            measures._forms.setdefault(words, set()).add(words)
        return measures

    def _add(self, words: str, measure: Measure) -> None:
        tokens = tokenise(words)
        key = tuple(token.stem for token in tokens)
        if not key:
            return
        held = self.lexicon.phrases.get(key)
        # Words that are declared ambiguous are nothing else.
        if measure.kind == "term" and held:
            held.clear()
        elif held and any(meaning.value.kind == "term" for meaning in held):
            return
        self.lexicon.add_stems(key, Meaning("measure", measure))
        for token in tokens:
            self._forms.setdefault(token.base, set()).add(token.stem)

    def matches(self, tokens: Sequence[Token], taken: Collection[int]) -> list[Match]:
        """Every alias that stands in the tokens; none that only fits by losing its plural where that matters."""
        return [
            match
            for match in self.lexicon.matches(tokens, taken)
            if len(match) > 1
            or (written := _AS_WRITTEN.get(tokens[match.first].stem)) is None
            or tokens[match.first].base == written
        ]

    def is_whole(self, stems_asked: frozenset[str], key: str) -> bool:
        """Whether "total" before a measure adds nothing, because no other key is named by these words and more.

        "Total accounts payable" is accounts payable; "total cash" could be cash and short-term investments.
        """
        return not any(stems_asked < words and key not in keys for words, keys in self._alias_words)

    @cached_property
    def _alias_words(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        """The words of each alias, and the concept keys it is an alias of."""
        return [
            (frozenset(words), frozenset(key for one in meanings for key in self.keys(one.value)))
            for words, meanings in self.lexicon.phrases.items()
            if any(one.value.kind != "metric" for one in meanings)
        ]

    # --- readings ---

    def term(self, measure: Measure) -> Ambiguous | None:
        return self.registry.ambiguous_terms[measure.key] if measure.kind == "term" else None

    def keys(self, measure: Measure) -> tuple[str, ...]:
        """The concept keys a measure asserts; none for a metric."""
        if measure.kind == "concept":
            return (measure.key,)
        term = self.term(measure)
        return term.concepts if term else ()

    def readings(self, measure: Measure) -> tuple[Reading, ...]:
        """Asserted readings in the registry's order, then what is mentioned beside them."""
        term = self.term(measure)
        mentioned = (*term.mention, *term.mention_if_differs) if term else ()
        return tuple(
            Reading(concept=key, label=self.registry.concepts[key].label, mention=mention)
            for keys, mention in ((self.keys(measure), False), (mentioned, True))
            for key in keys
        )

    def unavailable(self, measure: Measure) -> tuple[str, ...]:
        """Readings the registry declares that need a metric, in words."""
        term = self.term(measure)
        if term is None or not term.concepts:
            return ()
        return tuple(self._metric_in_words(name) for name in term.metrics)

    def _metric_in_words(self, name: str) -> str:
        key, _, variant = name.partition(":")
        metric = self.registry.metrics[key]
        label = metric.label[:1].lower() + metric.label[1:] if not metric.label[1:2].isupper() else metric.label
        detail = getattr(metric.variants.get(variant), "label", "") if variant else ""
        return f"{label}: {detail}" if detail else label

    def label(self, measure: Measure) -> str:
        """The measure in words."""
        if measure.kind == "term":
            return measure.key
        entries: Mapping[str, object] = self.registry.concepts if measure.kind == "concept" else self.registry.metrics
        return str(getattr(entries[measure.key], "label", measure.key))

    def name(self, key: str) -> str:
        """The label of a registry key, of a metric's variant too ("roa:average")."""
        if key in self.registry.concepts:
            return self.registry.concepts[key].label
        return self.registry.metrics[key.partition(":")[0]].label

    # --- spelling ---

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Folded words that mean something in a question, other than a company."""
        spoken = {"harmless", "conditional", "scale"}
        words = set(self.lexicon.words)
        for key, meanings in phrases().phrases.items():
            if len(key) == 1 or any(meaning.kind in spoken for meaning in meanings):
                words.update(key)
        return frozenset(words | patterns().words | {fold(word) for word in MONTH_WORDS})

    @cached_property
    def _slip_targets(self) -> dict[str, set[str]]:
        """Words a slip may stand for, as written -> folded: aliases, and words that refuse."""
        targets = {form: set(folded) for form, folded in self._forms.items() if len(form) >= _SLIP_LENGTH - 1}
        for key, meanings in phrases().phrases.items():
            if all(meaning.kind in {"intent", "unknown", "form"} for meaning in meanings):
                for word in key:
                    if len(word) >= _SLIP_LENGTH - 1 and word.isalpha():
                        targets.setdefault(word, set()).add(word)
        for word in ("fiscal", "billions", "millions", "thousands"):
            targets.setdefault(word, set()).add(fold(word))
        return targets

    def corrected(self, token: Token) -> Token:
        """The token with one wrong letter undone, or the same token: never a guess between two words."""
        typed = token.base
        known = typed in self._forms or token.stem in self.vocabulary or token.stem in phrases().words
        if (
            len(typed) < _SLIP_LENGTH
            or not typed.isalpha()
            or known
            or typed in no_slips()
            or token.stem in no_slips()
        ):
            return token
        near = process.extract(typed, self._slip_targets.keys(), scorer=OSA.distance, score_cutoff=1, limit=None)
        forms = [form for form, _, _ in near if typed[0] == form[0] or typed[:2] == form[1::-1]]
        meant = {stem for form in forms for stem in self._slip_targets[form]}
        if len(meant) != 1:
            return token
        # The plural where both are as near, because some aliases mean their plural only.
        return replace(token, stem=meant.pop(), base=max(forms, key=len), slip=True)

    def nearest(self, text: str, limit: int = 3) -> tuple[str, ...]:
        """Concept keys whose aliases resemble a text, best first; none where nothing does."""
        typed = " ".join(stems(text))
        if not typed:
            return ()
        near = process.extract(typed, self._alias_keys.keys(), scorer=fuzz.token_set_ratio, score_cutoff=55, limit=12)
        ranked = sorted(near, key=lambda one: (-one[1], abs(len(one[0]) - len(typed))))
        return tuple(dict.fromkeys(self._alias_keys[alias] for alias, _, _ in ranked))[:limit]

    @cached_property
    def _alias_keys(self) -> dict[str, str]:
        return {
            " ".join(stems(alias)): key for key, concept in self.registry.concepts.items() for alias in concept.aliases
        }


_compiled: dict[str, Measures] = {}


def measures_of(registry: Registry) -> Measures:
    """The compiled words of a registry, kept by its version."""
    held = _compiled.get(registry.version)
    if held is None or held.registry is not registry:
        held = _compiled[registry.version] = Measures.of(registry)
    return held
