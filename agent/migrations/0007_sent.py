import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_quotas"), ("agent", "0006_golden_candidate")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="queued",
            field=models.DateTimeField(
                blank=True,
                help_text="When its message was last sent; empty where the broker did not take it.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="run",
            name="token",
            field=models.ForeignKey(
                blank=True,
                help_text="The API token that it was asked with, if it was.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="runs",
                to="accounts.token",
            ),
        ),
        migrations.AlterField(
            model_name="idempotencykey",
            name="owner",
            field=models.CharField(
                help_text="Whose key it is: user:<id>, visitor:<uuid> or token:<id>.", max_length=60
            ),
        ),
    ]
