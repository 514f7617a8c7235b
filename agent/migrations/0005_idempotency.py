import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agent", "0004_found_by")]

    operations = [
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner", models.CharField(help_text="Whose key it is: user:<id> or visitor:<uuid>.", max_length=60)),
                ("key", models.CharField(max_length=200)),
                ("body", models.CharField(help_text="SHA-256 of what was asked with it.", max_length=64)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "run",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="idempotency_key",
                        to="agent.run",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("owner", "key"), name="idempotency_key_once")],
            },
        ),
    ]
