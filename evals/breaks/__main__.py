"""`python -m evals.breaks [NAME ...]`: breaks the product, one behaviour at a time, and says which test notices each.

Every break of breaks.yaml, or those that are named, is made in a copy of the tracked files; its tests are run there, and
it is undone. All the tests are run once before, on the copy as it is: a test that fails on whole code notices nothing.
Ends with 1 where a break is missed, or cannot be made because its old text does not stand in its file exactly once.

--list names them and runs nothing; --without services, --without browser leaves out what needs those.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

from evals.breaks import MARKERS, ROOT, Break, all_breaks

# Copies in which breaks are tried side by side, and seconds for the tests of one of them, and of all on whole code.
AT_ONCE = 2
LONGEST, LONGEST_WHOLE = 300, 1800
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)
# The loaded sample, and the jars of Elasticsearch.
CACHE = ".pytest_cache"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.breaks", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("names", nargs="*", metavar="NAME", help="Only these.")
    parser.add_argument("--list", action="store_true", help="Name them and run nothing.")
    parser.add_argument("--without", action="append", default=[], choices=MARKERS[1:], help="Leave out what needs it.")
    options = parser.parse_args(arguments)
    known = all_breaks()
    if strange := set(options.names) - {one.name for one in known}:
        parser.error(f"no break is called {', '.join(sorted(strange))}")
    wanted = [one for one in known if not options.names or one.name in options.names]
    wanted = [one for one in wanted if one.marker not in options.without]
    if options.list:
        for one in wanted:
            print(f"{one.name:28} {one.breaks}{f' ({one.marker})' if one.marker else ''}")
        return 0
    if impossible := [f"{one.name}: {problem}" for one in wanted if (problem := one.problem())]:
        print(*impossible, sep="\n")
        return 1
    with tempfile.TemporaryDirectory(prefix="diligence-breaks-") as folder:
        return tried(wanted, Path(folder))


def tried(wanted: Sequence[Break], folder: Path) -> int:
    """Run the tests on whole code, then on each break; the exit status."""
    started = time.monotonic()
    whole = copied(folder)
    for marker in MARKERS:
        nodes = list(dict.fromkeys(node for one in wanted if one.marker == marker for node in one.tests))
        beside = () if marker else ("-n", str(AT_ONCE), "--dist", "loadgroup")
        status, said = tested(whole, nodes, marker, LONGEST_WHOLE, *beside) if nodes else (0, "")
        if status:
            print(f"On whole code the tests do not pass:\n{said[-3000:]}")
            return 1
    print(f"On whole code every test passes ({time.monotonic() - started:.0f} s).", flush=True)
    trees: SimpleQueue[Path] = SimpleQueue()
    trees.put(whole)
    for number in range(1, min(AT_ONCE, len(wanted))):
        trees.put(Path(shutil.copytree(whole, folder / f"tree-{number}", symlinks=True)))
    missed = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for one, (noticed, said, seconds) in zip(
            wanted, pool.map(lambda one: broken(one, trees), wanted), strict=True
        ):
            print(f"{'caught' if noticed else 'MISSED'}  {one.name:28} {seconds:5.1f} s  {said}", flush=True)
            missed += [] if noticed else [one]
    for one in missed:
        print(f"MISSED: {one.breaks} ({one.file})")
    print(f"{len(wanted)} breaks, {len(missed)} missed, {time.monotonic() - started:.0f} s.")
    return 1 if missed else 0


def copied(folder: Path) -> Path:
    """The tracked files as they are now, in a folder of their own, with what tests keep and what stands beside them."""
    tree = folder / "tree"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    for name in filter(None, listed.stdout.split("\0")):
        # One may be deleted and not committed yet.
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    if (ROOT / CACHE).is_dir():
        shutil.copytree(ROOT / CACHE, tree / CACHE)
    if (shared := ROOT.parent / "shared").is_dir():
        (folder / "shared").symlink_to(shared.resolve())
    return tree


def broken(one: Break, trees: "SimpleQueue[Path]") -> tuple[bool, str, float]:
    """Whether a test notices a break, made in one of the trees; the first that does, or how it ended; seconds."""
    tree, started = trees.get(), time.monotonic()
    path = tree / one.file
    text, before = path.read_text(encoding="utf-8"), path.stat()
    try:
        path.write_text(text.replace(one.old, one.new), encoding="utf-8")
        status, said = tested(tree, one.tests, one.marker, LONGEST, "-x", SAMPLE_KEY=sample_key(tree))
    finally:
        path.write_text(text, encoding="utf-8")
        # As old as before: bytecode of the broken file is that of another.
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        trees.put(tree)
    found = FAILED.search(said)
    # 1 is of tests that failed; whatever could not be run has noticed nothing.
    noticed = status == 1 and found is not None
    how = found[1] if noticed and found else f"pytest ended with {status}: {(said.strip() or '-').splitlines()[-1]}"
    return noticed, how, time.monotonic() - started


def sample_key(tree: Path) -> str:
    """Names the sample that whole code has loaded, which broken code is tried on; empty where no test took it."""
    kept = (tree / CACHE / "d" / "sample").glob("*.sqlite3")
    return next((path.stem for path in kept if "-" not in path.stem), "")


def tested(
    tree: Path, nodes: Sequence[str], marker: str, longest: float, *options: str, **variables: str
) -> tuple[int, str]:
    """Run tests in a tree, for so many seconds: the exit status of pytest, and all that it said."""
    module = "tests.services" if marker == "services" else "pytest"
    command = [sys.executable, "-m", module, "-q", "--tb=short", *options, *(["-m", marker] if marker else []), *nodes]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(  # noqa: S603 - pytest, of tests that the file of breaks names
            command,
            cwd=tree,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(longest)
        except subprocess.TimeoutExpired:
            # It ends what it has started.
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        status = process.wait()
        said.seek(0)
        return status, said.read()


if __name__ == "__main__":
    sys.exit(main())
