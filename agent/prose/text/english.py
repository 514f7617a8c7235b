"""The English that modules of prose read by: lists of words, and patterns, in the YAML beside each module."""

import re
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

from agent.words.stems import roots


class English:
    """What one YAML holds; every value a string, a list or a mapping."""

    def __init__(self, path: str) -> None:
        self._path = Path(__file__).parents[1] / f"{path}.yaml"

    @cached_property
    def data(self) -> dict[str, Any]:
        """All that the file holds."""
        return dict(yaml.load(self._path.read_bytes(), yaml.CBaseLoader))  # noqa: S506 - strings only

    def words(self, *names: str) -> frozenset[str]:
        """The words of one or several lists, each as it stands there."""
        return frozenset(word for name in names for word in self.data[name].split())

    @cache  # noqa: B019 - one object for each file, as long as the process
    def rooted(self, name: str) -> frozenset[str]:
        """The words of a list of phrases, in the compared form."""
        return frozenset(word for phrase in self.data[name] for word in roots(phrase))

    @cache  # noqa: B019
    def pattern(self, name: str) -> re.Pattern[str]:
        """A pattern, whatever the case; of a list any of its phrases in whole words."""
        told = self.data[name]
        return re.compile(told if isinstance(told, str) else rf"\b(?:{'|'.join(told)})\b", re.IGNORECASE)


AUDITORS_REPORT = English("answers/auditors_report")
CALIBRATION = English("ranking/calibration")
CANDIDATE_SENTENCES = English("text/candidate_sentences")
CAUSES = English("answers/causes")
COMPANY_WIDE = English("answers/company_wide")
COMPARED_WORDS = English("text/compared_words")
DEFINITIONS = English("answers/definitions")
FLOOR = English("search/floor")
QUOTATIONS = English("text/quotations")
TOPICS = English("questions/topics")
YES_NO = English("answers/yes_no")
