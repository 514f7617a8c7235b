from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('agent', '0017_nearest_outcome'),
    ]

    operations = [
        migrations.AddField(
            model_name='run',
            name='scope',
            field=models.JSONField(blank=True, help_text='agent.state.Scope: the document, or kind and period, that it is limited to.', null=True),
        ),
    ]
