import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agent", "0005_idempotency"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="GoldenCandidate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("question", models.TextField(help_text="As it is exported: without what tells who asked.")),
                (
                    "outcome",
                    models.CharField(
                        choices=[("answered", "Answered"), ("refused", "Refused")], max_length=10, verbose_name="due"
                    ),
                ),
                ("code", models.CharField(blank=True, help_text="Of the refusal that is due.", max_length=40)),
                (
                    "facts",
                    models.JSONField(
                        blank=True, default=list, help_text="agent.web.admin.golden_pointers.FactPointer, one a number due."
                    ),
                ),
                (
                    "passages",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="agent.web.admin.golden_pointers.PassagePointer, one a passage that answers.",
                    ),
                ),
                ("why", models.TextField(blank=True, help_text="Why this is due, in a sentence.")),
                (
                    "status",
                    models.CharField(
                        choices=[("proposed", "Proposed"), ("approved", "Approved"), ("declined", "Declined")],
                        default="proposed",
                        max_length=10,
                    ),
                ),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "proposed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="proposed_goldens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="golden_candidate", to="agent.run"
                    ),
                ),
            ],
            options={
                "ordering": ["-created"],
            },
        ),
        migrations.AddIndex(
            model_name="feedback",
            index=models.Index(fields=["verdict", "-updated"], name="feedback_by_verdict"),
        ),
        migrations.AddIndex(
            model_name="feedback",
            index=models.Index(fields=["-updated"], name="feedback_newest"),
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(fields=["outcome", "-created"], name="run_by_outcome"),
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(fields=["status", "-created"], name="run_by_status"),
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(fields=["type", "-created"], name="run_by_type"),
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(fields=["mode", "-created"], name="run_by_mode"),
        ),
        migrations.AddIndex(
            model_name="goldencandidate",
            index=models.Index(fields=["status", "-created"], name="golden_by_status"),
        ),
        migrations.AddIndex(
            model_name="goldencandidate",
            index=models.Index(fields=["-created"], name="golden_newest"),
        ),
    ]
