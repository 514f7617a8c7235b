from django.db import migrations

AT_ONCE = 200

# Words are a space apart, and every other character is a part of them. The rows of the index are numbered as those of
# the table are, by its integer key: a rowid without one does not outlive VACUUM.
SQLITE = (
    """
    CREATE VIRTUAL TABLE agent_runtext_index USING fts5(
        words, content='agent_runtext', content_rowid='id',
        tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M* P* S*'"
    )
    """,
    """
    CREATE TRIGGER agent_runtext_added AFTER INSERT ON agent_runtext BEGIN
        INSERT INTO agent_runtext_index (rowid, words) VALUES (new.id, new.words);
    END
    """,
    """
    CREATE TRIGGER agent_runtext_gone AFTER DELETE ON agent_runtext BEGIN
        INSERT INTO agent_runtext_index (agent_runtext_index, rowid, words) VALUES ('delete', old.id, old.words);
    END
    """,
    """
    CREATE TRIGGER agent_runtext_changed AFTER UPDATE ON agent_runtext BEGIN
        INSERT INTO agent_runtext_index (agent_runtext_index, rowid, words) VALUES ('delete', old.id, old.words);
        INSERT INTO agent_runtext_index (rowid, words) VALUES (new.id, new.words);
    END
    """,
)
SQLITE_BACK = (
    *(f"DROP TRIGGER agent_runtext_{name}" for name in ("changed", "gone", "added")),
    "DROP TABLE agent_runtext_index",
)
# array_to_tsvector takes the words as they are; to_tsvector would part "r&d" and "9.412". Kept, and not only indexed:
# for a word that most runs have, the table is read instead of the index, and each row would be parted anew.
POSTGRESQL = (
    """
    ALTER TABLE agent_runtext ADD COLUMN vector tsvector
    GENERATED ALWAYS AS (array_to_tsvector(string_to_array(btrim(words), ' '))) STORED
    """,
    "CREATE INDEX agent_runtext_index ON agent_runtext USING gin (vector)",
)
POSTGRESQL_BACK = ("ALTER TABLE agent_runtext DROP COLUMN vector",)


def index(apps, schema_editor):
    run(schema_editor, SQLITE, POSTGRESQL)


def index_back(apps, schema_editor):
    run(schema_editor, SQLITE_BACK, POSTGRESQL_BACK)


def run(schema_editor, sqlite, postgresql):
    for statement in sqlite if schema_editor.connection.vendor == "sqlite" else postgresql:
        # Without parameters: a percent sign is one, and triggers hold semicolons.
        schema_editor.execute(statement, params=None)


def remember(apps, schema_editor):
    """Make the runs of before found by the words of their answers, and by their company."""
    from agent.runs.history_index import folded, said

    runs, text = apps.get_model("agent", "Run").objects, apps.get_model("agent", "RunText")
    keys = list(runs.filter(text=None).values_list("pk", flat=True))
    for first in range(0, len(keys), AT_ONCE):
        some = list(runs.filter(pk__in=keys[first : first + AT_ONCE]).only("question", "answer"))
        text.objects.bulk_create(
            [text(run_id=run.pk, words=folded(run.question, *said(run.answer))) for run in some],
            ignore_conflicts=True,
        )
        for run in some:
            targets = ((run.answer or {}).get("plan") or {}).get("targets") or [{}]
            run.cik = (targets[0].get("company") or {}).get("cik")
        runs.bulk_update([run for run in some if run.cik], ["cik"])


class Migration(migrations.Migration):
    dependencies = [("agent", "0003_history")]

    operations = [
        migrations.RunPython(index, index_back),
        migrations.RunPython(remember, migrations.RunPython.noop, elidable=True),
    ]
