"""The table of settings in docs/settings.md, made from the defaults in settings.py and the sentences in settings.yaml.

python -m diligence.settings_table            exits with 1 where the page is not up to date
python -m diligence.settings_table --write    writes the page
"""

import ast
import sys
from functools import cache
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
SETTINGS, SENTENCES, PAGE = HERE / "settings.py", HERE / "settings.yaml", HERE.parent / "docs" / "settings.md"
# Not read by settings.py: by gunicorn_conf.py before Django starts, by the command mcp.
ELSEWHERE = frozenset({"PORT", "HOST", "WEB_WORKERS", "DILIGENCE_TOKEN"})
HEAD = """# Settings

Settings are environment variables, or lines of a file `.env` in the project's folder. An empty value means the default. Each `X` may be given as `X_FILE`, the path of a file that holds the value. Some hold several values by name, as `name=value,name=value`: what is not named keeps its default. `manage.py check` reports a wrong value and says what to write.
"""


def defaults() -> dict[str, Any]:
    """The variables that settings.py reads, each with its default; None where the default is not a plain value."""
    found: dict[str, Any] = {}
    for node in ast.walk(ast.parse(SETTINGS.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "env" and node.args):
            continue
        if node.func.attr in ("read_env", "given") or not isinstance(node.args[0], ast.Constant):
            continue
        default = next((one.value for one in node.keywords if one.arg == "default"), None)
        if node.func.attr in ("choice", "group"):
            default = node.args[-1]
        found[node.args[0].value] = _plain(default)
    return found


def _plain(node: ast.expr | None) -> Any:
    try:
        return ast.literal_eval(node) if node is not None else None
    except ValueError:
        return None


@cache
def groups() -> list[dict[str, Any]]:
    """The groups of settings.yaml: a title and rows with names, about and, where it is said in words, default."""
    read: list[dict[str, Any]] = yaml.safe_load(SENTENCES.read_text(encoding="utf-8"))
    return read


@cache
def names() -> frozenset[str]:
    """Every variable that the table has."""
    return frozenset(name for group in groups() for row in group["settings"] for name in row["names"])


def shown(value: Any) -> str:
    """A default in the table: `30`, `localhost,127.0.0.1`, `answer=4,ingest=1`, none."""
    if isinstance(value, dict):
        value = [f"{name}={shown(of).strip('`')}" for name, of in value.items() if of]
    if isinstance(value, list):
        value = ",".join(value)
    if isinstance(value, bool):
        value = int(value)
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return "none" if value in ("", None) else f"`{value}`"


def page() -> str:
    """The text of docs/settings.md."""
    of = defaults()
    lines = [HEAD]
    for group in groups():
        lines += [f"## {group['group']}\n", "| Variable | Default | What it sets |", "|---|---|---|"]
        for row in group["settings"]:
            each = [shown(of.get(name)) for name in row["names"]]
            default = row.get("default") or ", ".join(each if len(set(each)) > 1 else each[:1])
            called = ", ".join(f'<a id="{name.lower()}"></a>`{name}`' for name in row["names"])
            lines.append(f"| {called} | {default} | {row['about']} |")
        lines.append("")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    if arguments == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == page():
        return 0
    sys.stderr.write("docs/settings.md is not up to date. Run: python -m diligence.settings_table --write\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
