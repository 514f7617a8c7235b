"""The JSON API: what the pages show, for programs. The same functions answer `manage.py mcp`."""
