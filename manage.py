#!/usr/bin/env python
"""Django's command-line entry point."""

import os
import sys


def main() -> None:
    if sys.argv[1:] in (["version"], ["--version"]):
        # Django would print its own.
        from diligence.version import VERSION

        sys.stdout.write(f"Diligence {VERSION}\n")
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
