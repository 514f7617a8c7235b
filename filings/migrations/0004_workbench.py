from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("filings", "0003_health")]

    operations = [
        migrations.AddField(
            model_name="company",
            name="priority",
            field=models.PositiveSmallIntegerField(
                choices=[(0, "First"), (5, "Normal"), (9, "Last")],
                db_default=5,
                default=5,
                help_text="Among waiting ingestions.",
            ),
        ),
        migrations.AddField(
            model_name="company",
            name="watched",
            field=models.DateTimeField(
                blank=True, help_text="When EDGAR was last asked whether it has filed something new.", null=True
            ),
        ),
        migrations.AddField(
            model_name="filing",
            name="held_since",
            field=models.DateTimeField(
                blank=True,
                help_text="When it was read first; empty for what was read before this was kept.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="searchrequest",
            name="trial",
            field=models.JSONField(
                blank=True,
                help_text="Of a curator: {phrase: variants} searched in place of the rows of Synonym.",
                null=True,
            ),
        ),
    ]
