from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("filings", "0004_workbench")]

    operations = [
        migrations.CreateModel(
            name="Element",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("taxonomy", models.CharField(help_text="us-gaap, dei or srt.", max_length=20)),
                ("tag", models.CharField(max_length=250)),
                (
                    "label",
                    models.CharField(
                        help_text="As the taxonomy words it, without its mark of a deprecated one.", max_length=500
                    ),
                ),
                (
                    "measured",
                    models.CharField(
                        choices=[
                            ("money", "Money"),
                            ("shares", "Shares"),
                            ("per_share", "Money per share"),
                            ("pure", "Number or share of a whole"),
                            ("other", "Another unit"),
                        ],
                        help_text="By the units of the facts.",
                        max_length=10,
                    ),
                ),
                ("instant", models.BooleanField(help_text="Of a day; otherwise of a stretch of time.")),
            ],
            options={
                "ordering": ["label", "taxonomy", "tag", "measured", "instant"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("taxonomy", "tag", "label", "measured", "instant"), name="element_once"
                    )
                ],
            },
        ),
    ]
