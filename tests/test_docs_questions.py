"""The questions in the documents, asked of the sample, give what the documents say.

A block of a page, ```text question, has a question and a line `→ what comes back`: words of the answer, or
`refused: code`.
"""

import json
import re
from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command

from tests.support.documents import PAGES
from tests.support.sample import Sample

BLOCK = re.compile(r"^```text question\n(.*)\n→ (.*)\n```$", re.MULTILINE)
ASKED = sorted({pair for page in PAGES for pair in BLOCK.findall(page.read_text(encoding="utf-8"))})


def test_there_are_questions_and_each_block_is_read() -> None:
    assert len(ASKED) > 20
    written = sum(page.read_text(encoding="utf-8").count("```text question") for page in PAGES)
    assert written == sum(len(BLOCK.findall(page.read_text(encoding="utf-8"))) for page in PAGES)


@pytest.mark.parametrize(("question", "expected"), ASKED)
def test_a_documented_question_gives_what_is_documented(sample: Sample, question: str, expected: str) -> None:
    out = StringIO()
    call_command("ask", question, json=True, today=date(2026, 6, 1), stdout=out)
    result = json.loads(out.getvalue())
    refused = re.fullmatch(r"refused: (\w+)", expected)
    if refused:
        assert result["refusal_code"] == refused[1]
    else:
        assert result["outcome"] == "answered"
        assert expected in result["text"]
