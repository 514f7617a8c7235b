"""Reads answers stored with their runs, also those that earlier releases stored."""

from typing import Any

from pydantic import ValidationError

from agent.numbers.registry.expressions import Name
from agent.state import Answer, Query

UNREAD = "This answer was stored in an old format that can no longer be read."
# Earlier names of periods in a question -> current names.
_ROLES = {"concept": "measure", "phrase": "frame"}
# Refusal codes of questions that are answered now; their stored sentences stay.
_CODES = {"ratio": "not_understood", "year_over_year": "not_understood"}
# Separators and names that earlier releases stored.
_BETWEEN = " \u00b7 "
_OTHER_LINES = ("\u201c", "The line tagged ")


def read(kept: Any) -> Answer | None:
    """The answer of `Run.answer`; None where there is none, or its format is no longer read (`UNREAD`)."""
    if not kept:
        return None
    try:
        kept = kept if "query" in kept.get("plan", {}) else _of_before(kept)
        return Answer.model_validate({**kept, "blocks": [_without_links(block) for block in kept["blocks"]]})
    except (ValueError, AttributeError, KeyError, TypeError):
        return None


def _without_links(block: dict[str, Any]) -> dict[str, Any]:
    """A block without links to passages whose words were not stored."""
    return {name: value for name, value in block.items() if name != "nearby"}


def stored_query(kept: Any) -> Query | None:
    """The query of `Run.before`; None where its format is no longer read."""
    try:
        return Query.model_validate(kept)
    except ValidationError:
        return None


def _of_before(kept: dict[str, Any]) -> dict[str, Any]:
    """An answer of an earlier release, its figures turned into a table."""
    targets = {target["id"]: target for target in kept["plan"]["targets"]}
    asked = [(target["id"], one["concept"]) for target in targets.values() for one in target["readings"]]
    return {
        **kept,
        "plan": _plan(kept["plan"], kept["blocks"]),
        "blocks": [_block(block, targets.get(block["target"]), asked) for block in kept["blocks"]],
    }


def _plan(plan: dict[str, Any], blocks: list[dict[str, Any]]) -> dict[str, Any]:
    abouts = [about for block in blocks if (about := (block.get("refusal") or {}).get("about"))]
    targets = plan["targets"] or abouts
    rows = [
        {"measure": {"kind": "concept", "key": one["concept"]}, "text": one["label"], "mention": one["mention"]}
        for target in targets
        for one in target["readings"]
    ]
    words = [{**word, "role": _ROLES.get(word["role"], word["role"])} for word in plan["spans"]]
    query = {
        "companies": list({target["company"]["cik"]: target["company"] for target in targets}.values()),
        "periods": {"kind": "years", "periods": [target["period"] for target in targets[:1]] or [{"form": "latest"}]},
        "rows": rows,
        "topics": [target["topic"] for target in targets if target["topic"]],
        "particulars": [target["particular"] for target in targets if target["particular"]],
        "scale": plan["scale"],
        "words": words,
        "meta": plan["meta"],
    }
    kept = ("type", "mode", "reasoning", "axes")
    return {
        **{name: plan[name] for name in kept},
        "targets": [_target(one) for one in plan["targets"]],
        "query": query,
    }


def _target(target: dict[str, Any]) -> dict[str, Any]:
    kept = {name: target[name] for name in ("id", "company", "period", "topic", "particular")}
    otherwise = target.get("otherwise")
    if otherwise:
        otherwise = {name: otherwise[name] for name in ("text", "words")} | {"code": _code(otherwise["code"])}
    return {**kept, "figures": bool(target["readings"]), "otherwise": otherwise}


def _code(code: str) -> str:
    return _CODES.get(code, code)


def _block(block: dict[str, Any], target: dict[str, Any] | None, asked: list[tuple[int, str]]) -> dict[str, Any]:
    kept = {name: value for name, value in block.items() if name not in {"drafts", "mentions", "checks", "refusal"}}
    if refusal := block["refusal"]:
        refusal = {name: value for name, value in refusal.items() if name != "about"}
        refusal["code"] = _code(refusal["code"])
    checks = [{name: one[name] for name in ("target", "iteration", "name", "ok", "detail")} for one in block["checks"]]
    drafts = [*block["drafts"], *block["mentions"]]
    passed = tuple(one["name"] for one in checks if one["ok"] and one["name"] != "cite_check")
    failed = tuple(one["detail"] for one in checks if not one["ok"] and one["name"] != "cite_check")
    found = [(asked.index((block["target"], one["found"]["concept"])), one["found"]) for one in drafts]
    cells = [_cell(row, one, target, passed, failed) for row, one in found] if target else []
    return {
        **kept,
        "refusal": refusal,
        "filings": [{name: value for name, value in one.items() if name != "reading"} for one in block["filings"]],
        "checks": [one for one in checks if one["name"] == "cite_check"],
        "table": {"cells": cells} if cells else None,
    }


def _cell(
    row: int, found: dict[str, Any], target: dict[str, Any], passed: tuple[str, ...], failed: tuple[str, ...]
) -> dict[str, Any]:
    company, year = target["company"], found["fiscal_year"]
    # Of several measures the label was repeated.
    told = [one for one in found["reading"].split(_BETWEEN) if one != found["label"]]
    reading = _BETWEEN.join(told)
    is_line = reading.startswith(_OTHER_LINES)
    facts = [found["fact"]] if found["fact"] else [one["fact"] for one in found["operands"]]
    same = (
        "label",
        "accession",
        "fiscal_year",
        "period_end",
        "value",
        "unit",
        "formula",
        "fact",
        "rejected",
        "notes",
    )
    return {
        **{name: found[name] for name in same},
        "row": row,
        "cik": company["cik"],
        "company": company["short"] or company["name"],
        "measure": found["concept"],
        "filed": facts[0]["filed"],
        "url": facts[0]["url"],
        "alternative": found["mention"],
        "reading": reading if is_line else "",
        "period_reading": "" if is_line else reading,
        "operands": [_operand(one, company["cik"], year) for one in found["operands"]],
        "breakdown": [_operand(one, company["cik"], year) for one in found["breakdown"]],
        "restated": [
            {"concept": found["concept"], "fiscal_year": year, "used": found["value"], "later": later}
            for later in found["later"]
            if float(later["change"])
        ],
        "passed_checks": passed,
        "failed_checks": failed,
    }


def _operand(one: dict[str, Any], cik: int, year: int) -> dict[str, Any]:
    return {
        "name": str(Name(one["concept"], offset=one["offset"])),
        "concept": one["concept"],
        "label": one["label"],
        "cik": cik,
        "fiscal_year": year + one["offset"],
        "fact": one["fact"],
    }
