"""Every reader of a filing takes twice as long for twice as much, and not four times."""

import sys

import pytest

from evals.bench import growth


def test_a_reader_that_takes_four_times_as_long_for_twice_as_much_has_missed() -> None:
    assert growth.Grown("layout", "a", (0.1, 0.4, 1.6, 6.4)).is_missed
    assert not growth.Grown("layout", "a", (0.1, 0.2, 0.45, 0.9)).is_missed
    assert not growth.Grown("layout", "what is over at once", (0.0, 0.01, 0.04, 0.16)).is_missed
    assert growth.Grown("layout", "what is not over", (70.0,)).is_missed


def test_the_table_names_what_was_missed() -> None:
    rows = [
        growth.Grown("layout", "blanks", (0.1, 0.4, 1.6, 6.4)),
        growth.Grown("style", "rules", (0.1, 0.2, 0.4, 0.8)),
    ]
    first, *_, last = growth.table(rows).splitlines()[1:]
    assert "blanks" in first
    assert "MISSED" in first
    assert last.startswith("2 readings of 80,000 pieces, the slowest 6.4 s; 1 grew more")


@pytest.mark.soak
@pytest.mark.alone
def test_no_reader_grows_faster_than_what_it_reads() -> None:
    rows = list(growth.grown())
    sys.stdout.write(f"{growth.table(rows)}\n")
    assert [(row.reader, row.piece, row.seconds) for row in rows if row.is_missed] == []
