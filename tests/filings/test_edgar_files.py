"""Files that are whole or absent, whatever room there is."""

from pathlib import Path

import pytest

from diligence.atomic_files import is_full, write_whole
from tests.support.full_disk import disk_full


def test_a_file_that_finds_no_room_leaves_the_old_one_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    write_whole(path, b"old")
    with disk_full(1000), pytest.raises(OSError, match="large") as error:
        write_whole(path, bytes(2000))
    assert is_full(error.value)
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"old", [path])
    write_whole(path, bytes(2000))
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (bytes(2000), [path])


def test_another_error_is_no_full_disk(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        write_whole(tmp_path / "no folder" / "kept", b"new")
    assert not is_full(error.value)
