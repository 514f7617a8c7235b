"""The JSON API: gives programs what the pages show. `manage.py mcp` uses the same functions."""
