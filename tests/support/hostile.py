"""Questions that nobody asks in good faith, from a seed: the same seed gives the same questions.

Some are a question of the sample with something hostile in it, so that what it meets is read, searched and answered;
others are hostile alone. CANARY is part of all that would be markup, a template or a statement if it were taken for one.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

CANARY = "qx7jz"
# What {{ 90210|add:90210 }} and ${90210+90210} would print.
EVALUATED = "180420"

# The last is for text, which takes longer than all others together.
ASKED = (
    "What was Apple's R&D spend in FY2024?",
    "How did Apple's revenue change from 2023 to 2024?",
    "What is Northwind's gross margin in FY2025?",
    "Apple and Northwind net income 2024",
    "Northwind shares outstanding",
    "What is Apple's CIK?",
    "and in 2023?",
    "What supply risks did Northwind disclose in fiscal 2025?",
)
SQL = (
    "'; DROP TABLE agent_run; --{0}",
    "' OR '{0}'='{0}",
    '" UNION SELECT question, {0} FROM agent_run --',
    "1; UPDATE agent_run SET user_id = NULL WHERE note = '{0}'; --",
    "' || (SELECT password FROM accounts_user LIMIT 1) || '{0}",
    "%s %(x)s %d {0}",
    # To the index of words.
    '"{0}" OR filing:*',
    "NEAR({0} apple, 5) NOT northwind *",
    "{{words}} : {0} ^ - + ( ) AND OR NOT",
    '{{"query": {{"match_all": {{}}}}, "{0}": 1}}',
)
HTML = (
    "<script>{0}()</script>",
    "<img src=x onerror={0}()>",
    "</textarea><{0} onmouseover=alert(1)>",
    "</h1></title><svg/onload={0}()>",
    '" autofocus onfocus={0}() x="',
    "' onclick='{0}()",
    '<a href="javascript:{0}()">more</a>',
    "<iframe srcdoc='<{0}>'>",
    "<!--{0}--><style>@import '//{0}.example'</style>",
    "<base href=//{0}.example>",
    "&lt;{0}&gt; &#60;{0}&#62; &amp;lt;{0}",
    "\uff1c{0}\uff1e \u2039{0}\u203a",
    '<meta http-equiv=refresh content="0;url=//{0}.example">',
    "<div hx-get=/history hx-trigger=load>{0}</div>",
    "]]><{0}/>",
)
TEMPLATES = (
    "{{{{ 90210|add:90210 }}}} {0}",
    "{{% include '{0}.html' %}}",
    "{{{{ settings.SECRET_KEY }}}} {{% debug %}} {0}",
    "{{% endblock %}}{{% load {0} %}}",
    "${{90210+90210}} #{{90210+90210}} <%= 90210+90210 %> {0}",
    "{{0.__class__.__mro__}} {{{0}}} %({0})s",
    "{{{{ request.user.password }}}} {0}",
    "../../../../etc/passwd?{0}\\..\\..",
    "$(id) `id` ; id | id {0}",
    "{0}\r\nSet-Cookie: {0}=1\r\n\r\n<{0}>",
)
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u115f\u3164\ufe0f\U000e0041\U000e007f"
CONTROL = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0))))
LETTERS = (
    "\u0130\u0131\u00df\u1e9e\ufb01\u017f\u212a\u2126\u01c5\u0149\u0390\u1fb7"  # change their length with their case
    "\u00bd\u00b2\u2460\u2167\u3007\u0669\u09ef\uff15\u0be7\U0001d7d8\U0001f100\u5146"  # digits, and what is like one
    "\u0301\u0489\u20e3\u0e33\u093f\u1100\u1161\u11a8"  # stand on or in the letter before
    "\u2028\u2029\u0085\u00a0\u1680\u3000"
    "\U0001f468\U0001f3fd\U0001f1fa\u05d0\u0627\u4e2d\u30a2\uac00\ufffd\ufffe\uffff\U0010ffff\ue000"
    "\u2019\u201c\uff07\u02bc\u2212\u2044\u2215\u066b\u066c"
)
# Half of a pair: no text of UTF-8, but JSON can say it.
HALVES = "\ud800\udfff\udc00"
LONG = 100_000


@dataclass(frozen=True)
class Hostile:
    """A question, and what is hostile about it."""

    kind: str
    text: str


def sprinkled(choose: random.Random, text: str, letters: str, most: int = 12) -> str:
    """A text with letters of a set at places of it."""
    for _ in range(choose.randint(1, most)):
        at = choose.randrange(len(text) + 1)
        text = text[:at] + choose.choice(letters) + text[at:]
    return text


def placed(choose: random.Random, what: str) -> str:
    """Something hostile alone, or in a question, at an end of it or between two words."""
    if choose.random() < 0.2:
        return what
    words = choose.choice(ASKED).split(" ")
    at = choose.randint(0, len(words))
    return " ".join([*words[:at], what, *words[at:]])


def of_list(patterns: tuple[str, ...]) -> Callable[[random.Random], str]:
    return lambda choose: placed(choose, choose.choice(patterns).format(CANARY))


def anything(choose: random.Random) -> str:
    """Characters of all of Unicode but halves of pairs."""
    points = (
        choose.choice((choose.randrange(0x250), choose.randrange(0x3000), choose.randrange(0x110000)))
        for _ in range(choose.randint(1, 300))
    )
    return placed(choose, "".join(chr(point) for point in points if not 0xD800 <= point <= 0xDFFF))


def long(choose: random.Random) -> str:
    """100 kB, of one letter, of one word, or of everything."""
    unit = choose.choice(
        ("a", "9", "(", "1,", "\u0301", "Apple ", "revenue of ", "<b>", "{{", "'", "\U0001f468\u200d", " ")
    )
    return choose.choice(ASKED) + unit * (LONG // len(unit.encode()))


def repeated(choose: random.Random) -> str:
    """As long as a question may be, of one thing again and again."""
    unit = choose.choice(
        ("(", "((", "Apple ", "2024 ", "and ", "vs ", "of the ", "'", "1,", "\u0301", "$", ".", "-", "FY", "10-K ")
    )
    return (choose.choice(ASKED) + " " + unit * 1000)[:1000]


def mixed(choose: random.Random) -> str:
    """Some of all of it."""
    text = of_list(choose.choice((SQL, HTML, TEMPLATES)))(choose)
    return sprinkled(choose, text, BIDI + UNSEEN + LETTERS)


KINDS: dict[str, Callable[[random.Random], str]] = {
    "sql": of_list(SQL),
    "html": of_list(HTML),
    "template": of_list(TEMPLATES),
    "bidirectional": lambda choose: sprinkled(choose, choose.choice(ASKED), BIDI),
    "unseen": lambda choose: sprinkled(choose, choose.choice(ASKED), UNSEEN),
    "control": lambda choose: sprinkled(choose, choose.choice(ASKED), CONTROL),
    "letters": lambda choose: sprinkled(choose, choose.choice(ASKED), LETTERS),
    "half": lambda choose: sprinkled(choose, choose.choice(ASKED), HALVES, 3),
    "anything": anything,
    "mixed": mixed,
    "repeated": repeated,
    "long": long,
}


def questions(seed: int, count: int) -> Iterator[Hostile]:
    """So many hostile questions, of every kind alike but for the long ones, which are a few."""
    choose = random.Random(seed)  # noqa: S311 - the same ones each time, no secret
    kinds = [kind for kind in KINDS if kind != "long"]
    for number in range(count):
        kind = "long" if number % 50 == 49 else kinds[number % len(kinds)]
        yield Hostile(kind, KINDS[kind](choose))
