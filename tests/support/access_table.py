"""What each address answers to whom: the table of tests/test_access.py."""

from typing import Any

from agent.models import Digest
from tests.support.access import NO, NO_PROGRAM, Row, World, by, everyone, owner, program, signed_in, staff

QUESTION = "What was Northwind's revenue in fiscal 2024?"


def run(world: World) -> list[Any]:
    return [world.run.pk]


def watchlist(world: World) -> list[Any]:
    return [world.watchlist.pk]


def brought(world: World) -> list[Any]:
    return [world.brought.pk]


def ask(world: World) -> dict[str, Any]:
    return {"question": QUESTION}


def section(world: World) -> list[Any]:
    return [world.filing.accession, world.filing.sections.order_by("pk").first().key]


TABLE: dict[str, Row] = {
    # --- questions and answers ---
    "ask": Row(everyone(200), everyone(302), data=ask),
    "ask_question": Row(everyone(200), everyone(302), data=ask),
    "suggest": Row(everyone(200), NO),
    "run": Row(owner(200), NO, run),
    "run_progress": Row(owner(200), NO, run),
    "run_verify": Row(NO, owner(200), run),
    "run_ask_again": Row(NO, owner(302), run),
    "run_search_deeper": Row(NO, owner(302), run),
    "run_delete": Row(NO, owner(302), run),
    "run_star": Row(NO, owner(302), run),
    "run_note": Row(NO, owner(302), run),
    "run_compare": Row(owner(200), NO, lambda world: [world.run.pk, world.second.pk]),
    "run_feedback": Row(NO, owner(302), run, lambda world: {"verdict": "right"}),
    "run_share": Row(NO, owner(302), run),
    "run_unshare": Row(NO, owner(302), run),
    # Whoever has the link, and nobody else, for it cannot be guessed.
    "shared": Row(everyone(200), NO, lambda world: [world.share.token]),
    "run_certificate": Row(owner(200), NO, run),
    "shared_certificate": Row(everyone(200), NO, lambda world: [world.share.token]),
    "certificate_schema": Row(everyone(200), NO),
    "certificate_key": Row(everyone(404), NO),
    "certificate_script": Row(everyone(200), NO),
    "run_table": Row(owner(200), NO, lambda world: [world.run.pk, "csv"]),
    "shared_table": Row(everyone(200), NO, lambda world: [world.share.token, "csv"]),
    "history": Row(everyone(200), NO),
    "history_file": Row(everyone(200), NO, lambda world: ["csv"]),
    "history_selected": Row(NO, everyone(302), data=lambda world: {"run": str(world.run.pk), "action": "delete"}),
    "watchlists": Row(everyone(200), everyone(302), data=lambda world: {"name": "Banks", "companies": "AAPL"}),
    "watchlist_add": Row(NO, owner(302), watchlist, lambda world: {"companies": "AAPL"}),
    "watchlist_remove": Row(NO, owner(302), lambda world: [world.watchlist.pk, world.company.cik]),
    "watchlist_rename": Row(NO, owner(302), watchlist, lambda world: {"name": "Semiconductors"}),
    "watchlist_up": Row(NO, owner(302), watchlist),
    "watchlist_delete": Row(NO, owner(302), watchlist),
    "watchlist_feed_address": Row(NO, owner(302), watchlist),
    "watchlist_mail": Row(NO, owner(302), watchlist),
    # Whoever has the address, which cannot be guessed.
    "watchlist_feed": Row(everyone(200), NO, lambda world: [world.watchlist.alert.feed]),
    "watchlist_unsubscribe": Row(everyone(200), everyone(200), lambda world: [world.watchlist.alert.unsubscribe]),
    "digest": Row(NO, everyone(302)),
    "digest_unsubscribe": Row(
        everyone(200),
        everyone(200),
        lambda world: [Digest.objects.get_or_create(user=world.owner)[0].unsubscribe],
    ),
    "watch": Row(NO, everyone(302), lambda world: [world.company.cik]),
    "method": Row(everyone(200), NO),
    "how_we_know": Row(everyone(200), NO),
    # --- figures asked without words ---
    "grid": Row(everyone(200), NO),
    # Of no companies and no measures there is no file.
    "grid_file": Row(everyone(400), NO, lambda world: ["csv"]),
    "grid_save": Row(NO, everyone(302), data=lambda world: {"companies": "AAPL", "measures": "revenue"}),
    "screener": Row(everyone(200), NO),
    "screener_file": Row(everyone(400), NO, lambda world: ["csv"]),
    "screen_save": Row(NO, everyone(302), data=lambda world: {"measures": "revenue", "name": "Largest"}),
    "screen_delete": Row(NO, owner(302), lambda world: [world.screen.pk]),
    "figure": Row(everyone(200), NO, lambda world: [world.company.cik, 2024, "growth of revenue"]),
    "favicon": Row(everyone(302), everyone(302)),
    # --- companies and filings ---
    "companies": Row(everyone(200), NO),
    "add_company": Row(NO, staff(422)),
    "company": Row(everyone(200), NO, lambda world: [world.company.cik]),
    "company_by_ticker": Row(everyone(302), NO, lambda world: ["aapl"]),
    "restatements": Row(everyone(200), NO, lambda world: [world.company.cik]),
    "restatements_file": Row(everyone(200), NO, lambda world: [world.company.cik, "csv"]),
    "restatements_by_ticker": Row(everyone(302), NO, lambda world: ["aapl"]),
    "company_documents": Row(everyone(200), NO, lambda world: [world.company.cik]),
    "company_progress": Row(everyone(200), NO, lambda world: [world.company.cik]),
    "read_reports": Row(NO, staff(302), lambda world: [world.company.cik]),
    "cancel_ingestion": Row(NO, staff(302), lambda world: [world.company.cik]),
    "filing": Row(everyone(200), NO, lambda world: [world.filing.accession]),
    "section": Row(everyone(200), NO, section),
    # Without a position in the text there is no table.
    "printed_table": Row(everyone(404), NO, lambda world: [*section(world), "csv"]),
    "captions": Row(everyone(200), NO, lambda world: [world.filing.accession, "1A"]),
    # To the address that names the years; there is no file in CSV.
    "redline": Row(everyone(302), NO, lambda world: [world.filing.company.cik]),
    "redline_by_ticker": Row(everyone(302), NO, lambda world: ["aapl"]),
    "redline_file": Row(everyone(400), NO, lambda world: [world.filing.company.cik, "csv"]),
    # Of a filing of the SEC there is none.
    "original": Row(everyone(404), NO, lambda world: [world.filing.accession]),
    "page_file": Row(everyone(404), NO, lambda world: [world.filing.accession, 1]),
    "page_picture": Row(everyone(404), NO, lambda world: [*section(world), 1]),
    # To others than staff they do not exist; without a file there is nothing to read.
    "import_documents": Row(staff(200, otherwise=404), staff(422, otherwise=404)),
    "import_confirm": Row(
        staff(302, otherwise=404), staff(302, otherwise=404), brought, lambda world: {"discard": "1"}
    ),
    "import_progress": Row(staff(200, otherwise=404), NO, brought),
    "fact": Row(everyone(200), NO, lambda world: [world.fact.pk]),
    "search": Row(everyone(200), everyone(302), data=lambda world: {"q": "supply of wafers"}),
    "search_results": Row(owner(200), NO, lambda world: [world.search.pk]),
    "search_progress": Row(owner(200), NO, lambda world: [world.search.pk]),
    # --- the account; what touches its safety leads to the password first ---
    "account": Row(signed_in(200), by(anonymous=405, owner=405, other=405, staff=405)),
    "token_create": Row(signed_in(302), signed_in(302)),
    "token_revoke": Row(
        signed_in(302), by(anonymous=302, owner=302, other=404, staff=404), lambda world: [world.token.pk]
    ),
    "account_export": Row(signed_in(302), NO),
    "account_delete": Row(signed_in(302), signed_in(302)),
    # --- the API; its tokens are the owner's ---
    "api:root": Row(program(302), NO_PROGRAM),
    "api:api-root": Row(program(302), NO_PROGRAM),
    "api:documentation": Row(program(200), NO_PROGRAM),
    "api:openapi-json": Row(program(200), NO_PROGRAM),
    "api:ask": Row(program(405), program(202, posts=True), data=ask, headers={"Prefer": "respond-async"}),
    "api:runs": Row(program(200), NO_PROGRAM),
    "api:watchlists": Row(program(200), NO_PROGRAM),
    # A token that may only ask sees what was asked with it, and this run was not.
    "api:run": Row({**program(200, stranger=404), "ask": frozenset({404})}, NO_PROGRAM, run),
    "api:certificate": Row({**program(200, stranger=404), "ask": frozenset({404})}, NO_PROGRAM, run),
    # What is sent is compared and not kept.
    "api:verified": Row(program(405), program(200, stranger=404), data=lambda world: {"run": str(world.run.pk)}),
    # It takes both scopes, for what is found is read later.
    "api:start_search": Row(
        program(405),
        {**program(202, posts=True), "ask": frozenset({403})},
        data=lambda world: {"q": "supply of wafers"},
    ),
    "api:search": Row(program(200, stranger=404), NO_PROGRAM, lambda world: [world.search.pk]),
    # Of staff, by a token with a scope of its own; JSON is not taken.
    "api:import_document": Row(
        {**program(405), "read": frozenset({403})}, {**program(415, posts=True), "ask": frozenset({403})}
    ),
    "api:get_import": Row(
        {**by(anonymous=403, owner=403, other=403, staff=200)}, {**NO_PROGRAM, "ask": frozenset({403})}, brought
    ),
    "api:companies": Row(program(200), NO_PROGRAM),
    "api:company": Row(program(200), NO_PROGRAM, lambda world: [world.company.cik]),
    "api:coverage_of_all": Row(program(200), NO_PROGRAM),
    "api:filings": Row(program(200), NO_PROGRAM),
    "api:filing": Row(program(200), NO_PROGRAM, lambda world: [world.filing.accession]),
    "api:section": Row(program(200), NO_PROGRAM, section),
    "api:redline": Row(program(200), NO_PROGRAM, lambda world: [world.filing.company.cik]),
    "api:fact_answer": Row(program(422), NO_PROGRAM),
    "api:fact": Row(program(200), NO_PROGRAM, lambda world: [world.fact.pk]),
    "api:facts": Row(program(422), NO_PROGRAM),
    "api:table": Row(program(422), NO_PROGRAM),
    "api:screener": Row(program(422), NO_PROGRAM),
    "api:statements": Row(program(200), NO_PROGRAM, lambda world: [world.company.cik]),
    "api:concepts": Row(program(200), NO_PROGRAM),
    "api:usage": Row(program(200), NO_PROGRAM),
    "api:health": Row(program(200), NO_PROGRAM),
    "api:nowhere": Row(program(404), program(404, posts=True), lambda world: ["nowhere"]),
}
