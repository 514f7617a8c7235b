"""`python -m tests.support.model_process [chance]`: a scripted model as a process of its own, until its input ends.

Prints its address first. For benchmarks, whose time and memory it must not share. With `chance` it drafts true and false
claims and judges them by chance, the same for the same requests in the same order.
"""

import sys

from tests.support.model_behaviours import good
from tests.support.model_chance import by_chance
from tests.support.model_server import LocalModel

SEED = 5


def main(arguments: list[str]) -> None:
    choose = by_chance(SEED, {}, broken=0, slow=0) if "chance" in arguments else lambda asked: good
    with LocalModel(choose) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
