"""`python -m tests.support.model_process`: a scripted model as a process of its own, until its input ends.

Prints its address first. For benchmarks, whose time and memory it must not share.
"""

import sys

from tests.support.model_server import LocalModel


def main() -> None:
    with LocalModel() as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
