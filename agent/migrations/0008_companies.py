import django.db.models.deletion
from django.db import migrations, models

AT_ONCE = 200


def remember(apps, schema_editor):
    """Write the companies of the runs of before, where they are several: of their targets, and of their refusals."""
    runs = apps.get_model("agent", "Run").objects
    RunCompany = apps.get_model("agent", "RunCompany")
    keys = list(runs.exclude(cik=None).order_by().values_list("pk", flat=True))
    for first in range(0, len(keys), AT_ONCE):
        found = runs.filter(pk__in=keys[first : first + AT_ONCE]).values_list("pk", "answer")
        rows = [
            RunCompany(run_id=pk, cik=cik, name=name[:200])
            for pk, answer in found
            if len(named := companies(answer)) > 1
            for cik, name in named.items()
        ]
        RunCompany.objects.bulk_create(rows, ignore_conflicts=True)


def companies(answer):
    """CIK -> name, in the order of a stored answer; none of one of another form."""
    try:
        abouts = [((block.get("refusal") or {}).get("about") or {}) for block in answer["blocks"]]
        named = [target.get("company") for target in (*answer["plan"]["targets"], *abouts)]
        return {one["cik"]: one["name"] for one in named if one}
    except (AttributeError, KeyError, TypeError):
        return {}


class Migration(migrations.Migration):
    dependencies = [("agent", "0007_sent")]

    operations = [
        migrations.CreateModel(
            name="RunCompany",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cik", models.BigIntegerField()),
                ("name", models.CharField(max_length=200)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="companies", to="agent.run"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["name"], name="run_company_by_name")],
                "constraints": [models.UniqueConstraint(fields=("run", "cik"), name="run_company_once")],
            },
        ),
        migrations.RunPython(remember, migrations.RunPython.noop, elidable=True),
    ]
