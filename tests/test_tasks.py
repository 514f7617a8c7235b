"""Names of tasks, which stand in messages that an installation has queued."""

from diligence.celery import app


def test_messages_that_a_former_release_has_queued_find_their_tasks() -> None:
    app.loader.import_default_modules()
    assert {name for name in app.tasks if not name.startswith("celery.")} >= {
        "accounts.tasks.clear_sessions",
        "agent.tasks.answer",
        "agent.tasks.keep_figures",
        "agent.tasks.mail_watchlists",
        "agent.tasks.sweep",
        "filings.tasks.check_index",
        "filings.tasks.index_waiting",
        "filings.tasks.import_file",
        "filings.tasks.ingest_company",
        "filings.tasks.search",
        "filings.tasks.sweep",
        "filings.tasks.sweep_imports",
        "filings.tasks.sweep_searches",
        "filings.tasks.watch",
    }
