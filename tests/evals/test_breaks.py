"""Every break can still be made, and what breaks them tells what is caught from what is missed."""

from pathlib import Path
from queue import SimpleQueue

import pytest

from evals.breaks import Break, all_breaks
from evals.breaks.__main__ import broken, main

BREAKS = all_breaks()
WHOLE = "def double(number):\n    return 2 * number\n"
TESTS = """
from double import double

def test_it_doubles():
    assert double(2) == 4

def test_it_doubles_nothing():
    assert double(0) == 0
"""


@pytest.mark.parametrize("one", BREAKS, ids=lambda one: one.name)
def test_a_break_can_be_made_and_its_tests_are_there(one: Break) -> None:
    assert one.problem() == ""


def test_each_break_has_a_name_and_a_sentence_of_its_own() -> None:
    assert len({one.name for one in BREAKS}) == len({one.breaks for one in BREAKS}) == len(BREAKS) >= 40
    assert {one.marker for one in BREAKS} == {"", "services", "browser"}
    assert all(one.breaks.endswith(".") for one in BREAKS)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A product of one function, with its tests."""
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE")
    # The product of one function needs none of them, and each is imported.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "double.py").write_text(WHOLE)
    (tmp_path / "test_double.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -ra\npythonpath = .\n")
    return tmp_path


def doubling(new: str, test: str = "test_double.py") -> Break:
    return Break("double", "It does not double.", "double.py", "2 * number", new, (test,))


@pytest.mark.parametrize(
    ("new", "test", "noticed", "said"),
    [
        ("3 * number", "test_double.py", True, "test_double.py::test_it_doubles"),
        ("3 * number", "test_double.py::test_it_doubles_nothing", False, "pytest ended with 0: 1 passed"),
        # What cannot be imported was not tried.
        ("2 *", "test_double.py", False, "pytest ended with 2: "),
    ],
)
def test_a_break_is_caught_or_missed_and_undone(tree: Path, new: str, test: str, noticed: bool, said: str) -> None:
    trees: SimpleQueue[Path] = SimpleQueue()
    trees.put(tree)
    found = broken(doubling(new, test), trees)
    assert (found[0], found[1].startswith(said)) == (noticed, True), found[1]
    assert (tree / "double.py").read_text() == WHOLE
    assert trees.get_nowait() == tree


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (doubling("2 * number"), "It breaks nothing"),
        (doubling("0", "test_nothing.py"), "There is no test test_nothing.py."),
        (doubling("0", "test_double.py::test_it_double"), "There is no test test_double.py::test_it_double."),
        (Break("x", "X.", "triple.py", "2", "3", ("test_double.py",)), "There is no triple.py."),
        (Break("x", "X.", "double.py", "number", "3", ("test_double.py",)), "stands 2 times in double.py"),
    ],
)
def test_what_cannot_be_made_is_told(tree: Path, one: Break, said: str) -> None:
    assert doubling("0").problem(tree) == ""
    assert said in one.problem(tree)


def test_they_are_listed_and_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list", "--without", "browser", "claim-once", "pressed-twice"]) == 0
    assert capsys.readouterr().out.split(maxsplit=1) == [
        "claim-once",
        "A run that another worker holds is claimed again.\n",
    ]
    with pytest.raises(SystemExit) as ended:
        main(["no-such-break"])
    assert ended.value.code == 2
    assert "no break is called no-such-break" in capsys.readouterr().err
